"""Exact values by enumeration: what policies are worth, the best of them, grades, advice and charts."""
