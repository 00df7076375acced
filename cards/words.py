"""Rules in the words of players, for people who read charts and reports."""

from __future__ import annotations

from typing import Final

from cards.hand import Ace
from cards.rules import (
    Cutoff,
    DealerStands,
    Double,
    HoleCard,
    Naturals,
    Penetration,
    Reshuffle,
    Rules,
    SplitAces,
    Surrender,
)

_STANDS: Final = {
    DealerStands.ALL17: "dealer stands on soft 17",
    DealerStands.HARD17: "dealer hits soft 17",
}
_ACES: Final = {Ace.ONE: ["an ace counts 1"], Ace.ELEVEN: ["an ace counts 11"], Ace.EITHER: []}
_NATURALS: Final = {
    Naturals.EQUAL: "a natural is like any 21",
    Naturals.BEAT: "a natural beats any 21",
    Naturals.PLAYER: "a player's natural beats any 21",
}
_DOUBLE: Final = {
    Double.NONE: "no doubling",
    Double.ANY: "double any two cards",
    Double.NINE_TO_ELEVEN: "double hard 9 to 11",
    Double.TEN_TO_ELEVEN: "double hard 10 and 11",
    Double.ALWAYS: "double any number of cards",
}
_SPLIT_ACES: Final = {
    SplitAces.ONCE: "one card to each split ace",
    SplitAces.AGAIN: "one card to each split ace, which may be split again",
    SplitAces.PLAY: "split aces played like any hand",
}
_SURRENDER: Final = {
    Surrender.NONE: "no surrender",
    Surrender.LATE: "late surrender",
    Surrender.EARLY: "early surrender",
}
_HOLE_CARD: Final = {
    HoleCard.LAST: "dealer looks at the hole card last",
    HoleCard.PEEK: "dealer peeks",
    HoleCard.OBO: "dealer looks last, and a natural takes initial bets only",
}


def rules_in_words(rules: Rules, *, has_shoe: bool = False) -> str:
    """The rules that make a difference with a fresh shoe, with a dealer: `6 decks, dealer hits soft 17, ...`.

    Args:
        rules: the rules.
        has_shoe: whether the shoe is not that of the rules, so that the decks are left out.
    """
    assert rules.dealer_stands is not None, "without a dealer there is no chart"
    natural = _NATURALS.get(rules.naturals, f"a natural pays {rules.naturals.value}")
    parts = [*([] if has_shoe else [_decks(rules.decks)]), _STANDS[rules.dealer_stands]]
    parts += [*_ACES[rules.ace], natural, _DOUBLE[rules.double]]
    if rules.split == 1:
        parts.append("no splitting")
    else:
        after = "double" if rules.double_after_split else "no double"
        parts += [f"split to {rules.split} hands", f"{after} after a split", _SPLIT_ACES[rules.split_aces]]
    parts += [_SURRENDER[rules.surrender], "insurance" if rules.insurance else "no insurance"]
    return ", ".join([*parts, _HOLE_CARD[rules.hole_card]])


def table_in_words(rules: Rules) -> str:
    """All rules of a table, in sentences, as `6 decks, insurance. Bets of 10 to 500 chips.`, but whole."""
    if rules.dealer_stands is None:
        parts = [
            _decks(rules.decks),
            "no dealer: the highest total that is not over 21 wins",
            *_ACES[rules.ace],
        ]
        played = ", ".join([*parts, _NATURALS.get(rules.naturals, f"a natural pays {rules.naturals.value}")])
    else:
        played = rules_in_words(rules)
    sentences = [played, *([] if rules.decks is None else [_shuffled(rules.reshuffle)])]
    if rules.bets is not None:
        sentences.append(f"Bets of {rules.bets.minimum} to {rules.bets.maximum} chips")
    return f"{'. '.join(_with_capital(each) for each in sentences)}."


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _shuffled(reshuffle: Reshuffle) -> str:
    match reshuffle:
        case Cutoff(cards):
            return f"shuffled when fewer than {cards} cards are left"
        case Penetration(fraction):
            return f"shuffled when {100 * fraction:g} % of the cards are dealt"
    return "shuffled for every round"


def _decks(decks: int | None) -> str:
    match decks:
        case None:
            return "infinite deck"
        case 1:
            return "1 deck"
    return f"{decks} decks"
