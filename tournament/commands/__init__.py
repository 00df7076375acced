"""The commands of `tournament`."""
