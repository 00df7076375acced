"""Tests of the package `devs`."""
