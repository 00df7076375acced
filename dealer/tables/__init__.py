"""A table, pure, and a table in time."""
