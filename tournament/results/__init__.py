"""What came of the matches: kept, judged, and shown."""
