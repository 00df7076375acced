"""Learning of tables, in this process or over a wire; resuming, and grading by exact values."""
