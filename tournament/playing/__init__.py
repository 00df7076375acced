"""How matches are played: policies compiled, programs over real sockets."""
