"""The best chart and its proof, and what other policies lose to it."""
