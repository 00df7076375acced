"""Tests of `tournament.playing`."""
