"""Solving a game: every board that it can reach, exact probabilities, perfect play, and whole games."""
