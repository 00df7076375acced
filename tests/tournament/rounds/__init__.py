"""Tests of the rounds of a tournament."""
