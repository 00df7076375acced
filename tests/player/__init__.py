"""Tests of the package `player`."""
