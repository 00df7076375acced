"""The laboratory: exact values where there are any, and simulation with honest error bars everywhere else."""
