"""Compiled play: the rules as lookup tables, counter-based random numbers, one shoe and one round."""
