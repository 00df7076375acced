"""The `mancala` command: a module for each subcommand, and what they show and share."""
