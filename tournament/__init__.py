"""Tournaments: who plays best, fairly, and how sure that is."""
