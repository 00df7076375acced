"""Rounds of a tournament: seatings, scripts, and the costs of decisions."""
