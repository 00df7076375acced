"""What decides: observations, policies, tables of action values and their files, and the names of policies."""
