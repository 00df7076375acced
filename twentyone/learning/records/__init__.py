"""Records of play as data: histories read into transitions, and what can be learned from them alone."""
