"""The laboratory around the table: exact values, learning, simulation, a second game, and what they share."""

__version__ = "0.2.0.dev0"
