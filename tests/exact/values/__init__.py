"""Tests of exact values."""
