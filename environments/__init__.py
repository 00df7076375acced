"""The game for Gymnasium: importing this package registers its environments."""

from environments.registration import register

register()
