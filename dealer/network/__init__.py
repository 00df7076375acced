"""Sockets, limits and clocks: the only part of the dealer that touches a transport."""
