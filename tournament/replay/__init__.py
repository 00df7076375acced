"""Rounds that were kept, played once more."""
