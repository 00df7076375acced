"""The `devs` command, one module for each word after it."""
