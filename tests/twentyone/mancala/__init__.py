"""Tests of the package `mancala`."""
