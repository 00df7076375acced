"""Tests of `tournament.results`."""
