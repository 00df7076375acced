"""Long work: cut into fixed shards, run by processes or a cluster, kept in checkpoints."""
