"""The pictures and reports of the studies."""
