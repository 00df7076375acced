"""Tests of `exact`."""
