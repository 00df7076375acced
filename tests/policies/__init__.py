"""Tests of `policies`."""
