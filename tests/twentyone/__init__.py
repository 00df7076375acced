"""Tests of the package `twentyone`."""
