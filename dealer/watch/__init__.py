"""The view of an operator on a dealer: its figures, and whether it lives and takes players."""
