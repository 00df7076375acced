"""Trained tables and how each was made: data only."""
