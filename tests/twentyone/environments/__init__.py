"""Tests of `environments`."""
