"""The shared parts of the commands: errors as sentences, options, progress, files, pictures, summaries."""
