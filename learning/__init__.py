"""How a Q table learns, how it goes on from what it has learned, and how good that is."""
