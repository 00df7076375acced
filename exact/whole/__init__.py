"""Exact values of the whole game: charts, the best of them, and the best play by every card of a hand."""
