"""All boards one by one: perfect play, exact facts, games played and shown."""
