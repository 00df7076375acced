"""Tests of the package `dealer`."""
