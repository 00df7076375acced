"""How a Q table learns, how learning goes on from a table, and how good a table is."""
