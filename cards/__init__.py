"""The rules of blackjack, pure and deterministic: cards, hands, shoes, rules, and the engine of a round.

Nothing here does I/O, and every random source is an argument.
"""

from cards.card import CARDS, Card, Rank, Suit, parse_card
from cards.chance import from_system, seeded
from cards.hand import Ace, Hand, best_total
from cards.played import PlayedHand, SeatState
from cards.presets import PRESETS, rules_from, rules_stated
from cards.queues import NumberedShoes, QueuedShoe
from cards.records import (
    HIT_OR_STAND,
    CardDealt,
    DealerDrew,
    DealerPeeked,
    DecisionAsked,
    DecisionTaken,
    HandBegun,
    HandSettled,
    HoleCardDealt,
    HoleCardRevealed,
    Record,
    SeatForfeited,
    SeatSettled,
    UpcardDealt,
)
from cards.retelling import Retelling
from cards.round import Round, RoundError
from cards.rules import (
    HALF,
    Bets,
    Cutoff,
    DealerStands,
    Decision,
    Double,
    EveryRound,
    HoleCard,
    Naturals,
    Outcome,
    Payoff,
    Penetration,
    Reshuffle,
    Rules,
    RulesError,
    SplitAces,
    Surrender,
)
from cards.settling import settle, settle_showdown
from cards.shoe import DEALER, FiniteShoe, InfiniteShoe, RandBelow, Shoe, ShoeError, StackedShoe, shoe_for
from cards.tally import Tally

__all__ = [
    "CARDS",
    "DEALER",
    "HALF",
    "HIT_OR_STAND",
    "PRESETS",
    "Ace",
    "Bets",
    "Card",
    "CardDealt",
    "Cutoff",
    "DealerDrew",
    "DealerPeeked",
    "DealerStands",
    "Decision",
    "DecisionAsked",
    "DecisionTaken",
    "Double",
    "EveryRound",
    "FiniteShoe",
    "Hand",
    "HandBegun",
    "HandSettled",
    "HoleCard",
    "HoleCardDealt",
    "HoleCardRevealed",
    "InfiniteShoe",
    "Naturals",
    "NumberedShoes",
    "Outcome",
    "Payoff",
    "Penetration",
    "PlayedHand",
    "QueuedShoe",
    "RandBelow",
    "Rank",
    "Record",
    "Reshuffle",
    "Retelling",
    "Round",
    "RoundError",
    "Rules",
    "RulesError",
    "SeatForfeited",
    "SeatSettled",
    "SeatState",
    "Shoe",
    "ShoeError",
    "SplitAces",
    "StackedShoe",
    "Suit",
    "Surrender",
    "Tally",
    "UpcardDealt",
    "best_total",
    "from_system",
    "parse_card",
    "rules_from",
    "rules_stated",
    "seeded",
    "settle",
    "settle_showdown",
    "shoe_for",
]
