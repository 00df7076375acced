"""What decides: observations, policies, tables of values and their files, and the names of policies."""
