"""`python -m dealer` is the `dealer` command."""

from dealer.cli import main

main()
