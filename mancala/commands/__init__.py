"""The commands of `mancala`, a module each."""
