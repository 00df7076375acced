"""What every command of the project shares and no game knows of: manners on the command line, and files."""
