"""Tests of `tournament`."""
