"""Counting: what the cards that are gone say about a round, and what bets by the count win."""
