"""The game for Gymnasium: importing this package registers its environments.

Raises:
    ImportError: if Gymnasium is not installed, or a file of the user's hides a package that is needed here.
"""

from environments.registration import register
from twentyone_start import hidden_packages

_hidden = hidden_packages("environments")
if _hidden is not None:
    raise ImportError(_hidden)

register()
