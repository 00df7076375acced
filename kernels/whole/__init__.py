"""Compiled play of the whole game: policies and rules as tables, the round, and many rounds at once."""
