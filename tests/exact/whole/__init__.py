"""Exact values of the whole game."""
