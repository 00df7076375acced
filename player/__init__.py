"""The players: clients that join a dealer, by hand, by a policy, or to learn."""
