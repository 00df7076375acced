"""The results of the matches: kept, judged, and shown."""
