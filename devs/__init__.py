"""Blackjack as a discrete-event system, on a kernel for Parallel DEVS."""
