"""A dealer behind the real programs that its guide names, and encrypted by itself."""
