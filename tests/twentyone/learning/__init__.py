"""Tests of `learning`."""
