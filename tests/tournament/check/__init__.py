"""Tests of the check of programs and of dealers."""
