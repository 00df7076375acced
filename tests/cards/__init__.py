"""Tests of the package `cards`."""
