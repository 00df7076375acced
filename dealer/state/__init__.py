"""The things that a dealer leaves to the next one: written while it deals, and read at the start."""
