"""`python -m dealer` is the `dealer` command."""

from twentyone.start import dealer

raise SystemExit(dealer())
