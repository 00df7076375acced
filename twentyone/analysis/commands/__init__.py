"""The commands of the laboratory, one module each: options in, one call, the result out."""
