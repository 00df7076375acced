"""Tests of the package `twentyone_start`."""
