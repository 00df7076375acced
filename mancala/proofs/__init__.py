"""The same questions and the theorems, by z3, for any number of holes and marbles."""
