"""The original's predicates and its checks, asked of every board of a size."""
