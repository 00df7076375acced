"""The second game: Mancala as a formal model that is explored, proved, solved and played."""
