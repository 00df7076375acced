"""Tests of the package `support`."""
