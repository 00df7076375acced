"""Tests that mirror the packages."""
