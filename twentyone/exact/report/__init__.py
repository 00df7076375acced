"""Values and charts as they are shown: as text for a terminal, as pictures and as pages."""
