"""The original model: its predicates, its 92 checks, and searches for instances and counterexamples."""
