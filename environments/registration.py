"""The names of the environments, and how Gymnasium comes to know them.

Since its version 1.0 it looks for no plugins: a program says `import environments`, or names the package with
the environment, as in `gymnasium.make("environments:twentyone/Course-v0")`.
"""

from __future__ import annotations

from typing import Final

COURSE: Final = "twentyone/Course-v0"
DEALER: Final = "twentyone/Dealer-v0"


def register() -> None:
    """Tell Gymnasium of the environments that it does not know of yet.

    Raises:
        ImportError: if it is not installed.
    """
    try:
        from gymnasium.envs.registration import register as add
        from gymnasium.envs.registration import registry
    except ImportError as error:
        raise ImportError(f"the environments need an extra, `pip install 'twentyone[rl]'`: {error}") from None
    if COURSE not in registry:
        add(
            COURSE,
            entry_point="environments.course:CourseEnv",
            vector_entry_point="environments.vector:CourseVectorEnv",
        )
    if DEALER not in registry:
        # No seed decides what a dealer at the other end of a wire deals.
        add(DEALER, entry_point="environments.dealer:DealerEnv", nondeterministic=True)
