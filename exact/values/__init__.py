"""What every option of a hand is worth, from any shoe, and what charts and tables are worth."""
