"""What an operator sees of a dealer: its figures, and whether it lives and takes players."""
