"""The names of the environments, and their registration with Gymnasium.

Since its version 1.0, Gymnasium does not look for plugins. So a program has to `import
twentyone.environments`, or name the package with the environment, as in
`gymnasium.make("twentyone.environments:twentyone/Blackjack-v0")`.
"""

from __future__ import annotations

from typing import Final

BLACKJACK: Final = "twentyone/Blackjack-v0"
REMOTE_BLACKJACK: Final = "twentyone/RemoteBlackjack-v0"


def register() -> None:
    """Register the environments that Gymnasium does not know yet.

    Raises:
        ImportError: if Gymnasium is not installed.
    """
    try:
        from gymnasium.envs.registration import register as add
        from gymnasium.envs.registration import registry
    except ImportError as error:
        raise ImportError(f"the environments need an extra, `pip install 'twentyone[rl]'`: {error}") from None
    if BLACKJACK not in registry:
        add(
            BLACKJACK,
            entry_point="twentyone.environments.blackjack:BlackjackEnv",
            vector_entry_point="twentyone.environments.vector:BlackjackVectorEnv",
        )
    if REMOTE_BLACKJACK not in registry:
        # No seed decides the cards of a dealer that runs elsewhere.
        add(
            REMOTE_BLACKJACK,
            entry_point="twentyone.environments.remote:RemoteBlackjackEnv",
            nondeterministic=True,
        )
