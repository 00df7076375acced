"""What the commands share: errors as sentences, options, progress, files, pictures, summaries."""
