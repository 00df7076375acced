"""`python -m dealer` is the `dealer` command."""

from twentyone_start import dealer

raise SystemExit(dealer())
