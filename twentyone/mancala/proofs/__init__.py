"""Proofs by z3: the model's predicates as formulas, and theorems for any number of holes and marbles."""
