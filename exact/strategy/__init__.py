"""Charts of basic strategy as published ones look: for a terminal, as a picture and as a page."""
