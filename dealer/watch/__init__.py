"""The view of a dealer for its operator: its figures, and whether it lives and takes players."""
