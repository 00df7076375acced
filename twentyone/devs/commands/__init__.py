"""The `devs` command: a module for each subcommand, and what they share."""
