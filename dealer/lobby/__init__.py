"""Who is where: the tables of a dealer, the seats, those who watch, and who answers each message."""
