"""What a dealer leaves to the one that goes on after it: written while it deals, and read at the start."""
