"""The game for Gymnasium: importing this package registers its environments.

Raises:
    ImportError: if Gymnasium is not installed, or a file of the user's hides a package that is needed here.
"""

from twentyone.environments.registration import register
from twentyone.start import hidden_packages

_hidden = hidden_packages("twentyone.environments")
if _hidden is not None:
    raise ImportError(_hidden)

register()
