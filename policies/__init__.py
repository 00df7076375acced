"""What decides: observations, policies, the 22x22x2 table and its file, and the names of policies."""
