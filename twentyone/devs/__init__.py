"""Blackjack as a discrete-event system, with a simulator of Parallel DEVS models."""
