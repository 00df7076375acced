"""The coupled models of blackjack: a game of controller, deck and two players.

The behaviour, the port names and the times are those of the C++ model ArthurAtangana/blackjack-simulation (at
5e52d91), as its recorded runs show them. What it leaves undefined is defined here: a draw from an empty deck
is an error, and a second start resets hands, thresholds and deck through `reset` ports, which the original
does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cards import Decision
from twentyone.devs.controller import TIMINGS, Controller, Timing
from twentyone.devs.deck import Deck, Shuffled, unshuffled
from twentyone.devs.formalism import Coupled, Model, Port
from twentyone.devs.player import Hand, Threshold, Variation, no_variation
from twentyone.devs.values import Card, Outcome

CHALLENGER_STANDS: Final = 15
DEALER_STANDS: Final = 17


@dataclass(frozen=True)
class Setup:
    """The parameters of a game.

    Attributes:
        challenger_stands: the challenger's threshold; the dealer's is 17.
        timing: how long the controller takes.
        shuffled: the order of the deck after a shuffle.
        variation_of: the time that a hand or threshold, given by its path (`challenger.hand`), takes for its
            answers beyond a tenth of a second.
    """

    challenger_stands: int = CHALLENGER_STANDS
    timing: Timing = TIMINGS["reference"]
    shuffled: Shuffled = unshuffled
    variation_of: Callable[[str], Variation] = lambda _: no_variation


REFERENCE: Final = Setup()


def threshold_c(setup: Setup = REFERENCE) -> Threshold:
    """The challenger's threshold."""
    return Threshold("threshold-c", setup.challenger_stands, setup.variation_of("challenger.threshold-c"))


def threshold_d(setup: Setup = REFERENCE) -> Threshold:
    """The dealer's threshold."""
    return Threshold("threshold-d", DEALER_STANDS, setup.variation_of("dealer.threshold-d"))


def challenger(setup: Setup = REFERENCE) -> Coupled:
    """The challenger: a hand and its threshold."""
    return _side("challenger", threshold_c(setup), setup)


def dealer(setup: Setup = REFERENCE) -> Coupled:
    """The dealer: a hand and its threshold."""
    return _side("dealer", threshold_d(setup), setup)


def _side(name: str, threshold: Threshold, setup: Setup) -> Coupled:
    return Coupled(
        name,
        components=(threshold, Hand(variation=setup.variation_of(f"{name}.hand"))),
        couplings=(
            ("cardIn", "hand.card"),
            ("reset", "hand.reset"),
            ("reset", f"{threshold.name}.reset"),
            ("hand.handValueOut", f"{threshold.name}.valueIn"),
            (f"{threshold.name}.decisionOut", "decisionOut"),
            (f"{threshold.name}.valueOut", "scoreOut"),
        ),
        inputs=(Port("cardIn", Card), Port("reset", int)),
        outputs=(Port("decisionOut", Decision), Port("scoreOut", int)),
    )


def players(setup: Setup = REFERENCE) -> Coupled:
    """The challenger and the dealer."""
    sides = ("dealer", "challenger")
    return Coupled(
        "players",
        components=(dealer(setup), challenger(setup)),
        couplings=(
            *((f"{side}In", f"{side}.cardIn") for side in sides),
            *(("reset", f"{side}.reset") for side in sides),
            *((f"{side}.decisionOut", "decision") for side in sides),
            *((f"{side}.scoreOut", "scoreOut") for side in sides),
        ),
        inputs=(Port("challengerIn", Card), Port("dealerIn", Card), Port("reset", int)),
        outputs=(Port("decision", Decision), Port("scoreOut", int)),
    )


def deck(setup: Setup = REFERENCE, name: str = "deck") -> Deck:
    """The deck."""
    return Deck(name, setup.shuffled)


def controller(setup: Setup = REFERENCE) -> Controller:
    """The controller."""
    return Controller(timing=setup.timing)


def game(setup: Setup = REFERENCE) -> Coupled:
    """The whole game: after an input on `start`, the outcome leaves it."""
    return Coupled(
        "game",
        components=(controller(setup), deck(setup), players(setup)),
        couplings=(
            ("start", "controller.startInPort"),
            ("controller.commandOutPort", "deck.command"),
            ("controller.playerOutPort", "deck.player"),
            ("controller.resetOutPort", "deck.reset"),
            ("controller.resetOutPort", "players.reset"),
            ("deck.challengerCardOutPort", "players.challengerIn"),
            ("deck.dealerCardOutPort", "players.dealerIn"),
            ("deck.hitOutPort", "controller.decisionInPort"),
            ("players.decision", "controller.decisionInPort"),
            ("players.scoreOut", "controller.handValueInPort"),
            ("controller.outcomeOutPort", "outcome"),
        ),
        inputs=(Port("start", int),),
        outputs=(Port("outcome", Outcome),),
    )


MODELS: Final[Mapping[str, Callable[[Setup], Model]]] = {
    "hand": lambda setup: Hand(variation=setup.variation_of("challenger.hand")),
    "threshold": lambda setup: Threshold("threshold", setup.challenger_stands),
    "threshold-c": threshold_c,
    "threshold-d": threshold_d,
    "challenger": challenger,
    "dealer": dealer,
    "players": players,
    "deck": lambda setup: deck(setup, "deck model"),
    "controller": controller,
    "game": game,
}
"""Every model by its name. The deck on its own has the name that the log of the original's test gives it."""
