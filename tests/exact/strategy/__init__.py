"""Charts of basic strategy."""
