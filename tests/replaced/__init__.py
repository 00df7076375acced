"""A dealer that is killed, stopped, starved of disk and replaced, while players keep their own accounts."""
