"""The game for learners that speak Gymnasium: importing this package registers its environments."""

from environments.registration import register

register()
