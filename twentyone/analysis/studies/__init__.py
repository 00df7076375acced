"""The studies: simulation, comparison, variability, betting, thresholds, learning in memory."""
