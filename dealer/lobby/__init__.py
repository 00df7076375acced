"""The tables of a dealer, the seats, those who watch, and the handler of each message."""
