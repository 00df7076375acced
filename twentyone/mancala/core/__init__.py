"""The game itself: boards, rules, fast moves, and how far an answer reaches."""
