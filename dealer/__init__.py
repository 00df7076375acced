"""The dealer: a server that deals blackjack over the line protocol."""
