"""Tests of `tournament.replay`."""
