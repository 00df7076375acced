"""The game: boards, rules, sowing, and what an answer covers."""
