"""Rounds of a tournament: who sits where, their scripts, and what their decisions cost."""
