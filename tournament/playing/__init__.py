"""The play of matches: policies compiled, programs over real sockets."""
