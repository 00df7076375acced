"""Whether a program, or a dealer, follows the protocol."""
