"""Observations, policies, tables of values and their files, and the names of policies."""
