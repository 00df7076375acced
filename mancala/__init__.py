"""The second game: Mancala as a formal model, explored, proved and played."""
