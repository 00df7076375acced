"""Speed and scale, each measured beside a peer or a limit in the same run."""
