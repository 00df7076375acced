"""The value of every option of a hand, from any shoe, and of charts and tables."""
