"""Tests of the page: in a real browser, and of its JavaScript modules."""
