"""Tests of records as data."""
