"""Tests of the best chart."""
