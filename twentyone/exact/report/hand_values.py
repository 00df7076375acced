"""The exact value of each option of a hand, as text and as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cards import Ace, Decision, HoleCard, Rules
from twentyone.exact.report.letters import upcard_name
from twentyone.exact.typed_hands import ACE
from twentyone.exact.values.compositions import LIMIT
from twentyone.exact.values.game import FIRST, SeatGame
from twentyone.support.summary import columns

_HALF: Final = 0.5


class HandError(ValueError):
    """A hand that cannot be asked about, in one sentence."""


class Insurance(NamedTuple):
    """The value of insurance, before the dealer looks for a natural.

    Attributes:
        bet: the expected payoff of the side bet alone, in initial bets; 0 without it.
        natural: for a natural that is paid at a ratio, the values of keeping it without insurance and with
            it; at 3:2 the second is 1 for certain, which is called even money. Otherwise None.
    """

    bet: float
    natural: tuple[float, float] | None


class HandValues(NamedTuple):
    """A hand, and what may be done with it.

    Attributes:
        cards: the values of its cards, 2 to 11 (an ace).
        upcard: the value of the upcard.
        is_split: whether a split has made it.
        options: what each option is worth in initial bets, given what is known when it is asked.
        surrender: where surrender is asked before the dealer looks for a natural: the values of giving up
            then, and of playing on. Otherwise None.
        insurance: where it is offered; otherwise None.
    """

    cards: tuple[int, ...]
    upcard: int
    is_split: bool
    options: Mapping[Decision, float]
    surrender: tuple[float, float] | None
    insurance: Insurance | None

    @property
    def best(self) -> Decision:
        """The best option; of equal ones the plainest."""
        return self.ranked()[0]

    def ranked(self) -> list[Decision]:
        """The options from the best on."""
        return sorted(self.options, key=lambda each: (-self.options[each], FIRST.index(each)))


def values_of_hand(
    game: SeatGame, cards: Sequence[int], upcard: int, *, is_split: bool = False
) -> HandValues:
    """The value of each option of a hand, followed by the best play, which sees every card of the hand.

    Args:
        game: the game; its shoe has the cards of the hand and the upcard too.
        cards: the values of the hand's cards, 2 to 11 (an ace).
        upcard: the value of the upcard.
        is_split: whether a split has made the hand.

    Raises:
        HandError: if there is no such hand, or no such decision.
    """
    _verify(game, cards, upcard)
    if is_split and game.rules.split == 1:
        raise HandError("split is 1, so no hand is made by a split: expected rules that let pairs be split")
    try:
        options = game.options(cards, upcard, is_split=is_split)
    except ValueError as error:
        raise HandError(str(error)) from None
    if Decision.SURRENDER in options:
        options[Decision.SURRENDER] = -_HALF  # without the rounding errors of a sum over the dealer's hands
    is_first = len(cards) == 2 and not is_split
    before = game.before_peek(cards, upcard) if is_first else {}
    return HandValues(
        tuple(cards),
        upcard,
        is_split,
        options,
        (before[Decision.SURRENDER], before[Decision.DECLINE]) if Decision.SURRENDER in before else None,
        _insurance(game.rules, cards, options, before),
    )


def _insurance(
    rules: Rules,
    cards: Sequence[int],
    options: Mapping[Decision, float],
    before: Mapping[Decision, float],
) -> Insurance | None:
    if Decision.INSURE not in before:
        return None
    bet = before[Decision.INSURE]
    if sorted(cards) != [10, ACE] or not rules.naturals.is_ratio:
        return Insurance(bet, None)
    natural = (2 * bet + 1) / 3  # the chance of the dealer's: the bet is worth (3 chance - 1) / 2
    kept = options[Decision.STAND]
    if rules.hole_card is HoleCard.PEEK:  # its value is given that the dealer has none; otherwise it pushes
        kept *= 1 - natural
    return Insurance(bet, (kept, kept + bet))


def _verify(game: SeatGame, cards: Sequence[int], upcard: int) -> None:
    """See that the hand can be dealt, and is not over.

    Raises:
        HandError: if not.
    """
    if len(cards) < 2:
        raise HandError(f"a hand of {len(cards)} card{'' if len(cards) == 1 else 's'}: expected two or more")
    total, _ = total_of(cards, game.rules.ace)
    if total > LIMIT:
        raise HandError(f"the hand has {total} points, so it is bust: expected at most {LIMIT}")
    for card, wanted in Counter([*cards, upcard]).items():
        there = game.shoe.counts[card - 2]
        if there < (1 if game.shoe.endless else wanted):
            name = upcard_name(card)
            raise HandError(
                f"the shoe has {there or 'no'} card{'' if there == 1 else 's'} of {name}, and the hand and"
                f" the upcard take {wanted}: expected cards that it has"
            )


def hand_text(found: HandValues, rules: Rules) -> str:
    """The values as a person reads them, the best option first."""
    best = found.options[found.best]
    rows = [("option", "initial bets", "less than the best")]
    for option in found.ranked():
        value = found.options[option]
        loss = "best" if option is found.best else f"{best - value:z.10f}"
        rows.append((option.value.lower(), f"{value:+z.10f}", loss))
    lines = [f"{_named(found, rules)}:", columns(rows)]
    if rules.hole_card is HoleCard.PEEK and found.upcard in (10, ACE):
        lines.append("These values are given that the dealer has looked, and has no natural.")
    return "\n".join([*lines, *_before(found, rules)])


def _named(found: HandValues, rules: Rules) -> str:
    """The hand in words: `8 8, hard 16, against 10`."""
    total, is_soft = total_of(found.cards, rules.ace)
    cards = " ".join(map(upcard_name, found.cards))
    made = ", made by a split" if found.is_split else ""
    return f"{cards}, {'soft' if is_soft else 'hard'} {total}{made}, against {upcard_name(found.upcard)}"


def _before(found: HandValues, rules: Rules) -> list[str]:
    """The answers that are possible before the dealer looks for a natural."""
    lines = []
    if found.surrender is not None:
        given_up, kept = found.surrender
        better = "surrender" if given_up > kept else "play on"
        lines += ["", "before the dealer looks for a natural:"]
        lines.append(
            columns(
                [
                    ("surrender", f"{given_up:+z.10f}"),
                    ("play on", f"{kept:+z.10f}"),
                    ("better", better),
                ]
            )
        )
    if found.insurance is not None:
        lines += ["", *_insurance_lines(found.insurance, rules)]
    return lines


def _insurance_lines(insurance: Insurance, rules: Rules) -> list[str]:
    """Insurance, and a natural with it and without."""
    bet = insurance.bet
    rows = [("insurance", "initial bets"), ("take it", f"{bet:+z.10f}"), ("decline it", f"{0:+z.10f}")]
    rows.append(("better", "take it" if bet > 0 else "decline it"))
    if insurance.natural is not None:
        kept, insured = insurance.natural
        name = "even money" if rules.naturals.value == "3:2" else "the natural insured"
        rows += [("the natural alone", f"{kept:+z.10f}"), (name, f"{insured:+z.10f}")]
    return [columns(rows)]


def total_of(cards: Sequence[int], ace: Ace) -> tuple[int, bool]:
    """The best total of a hand, and whether it is soft."""
    if ace is Ace.ELEVEN:
        return sum(cards), False
    low = sum(1 if card == ACE else card for card in cards)
    is_soft = ace is Ace.EITHER and ACE in cards and low + 10 <= LIMIT
    return low + 10 * is_soft, is_soft


def hand_json(found: HandValues, rules: Rules) -> dict[str, Any]:
    """The values as a document; the help of `analysis hand` lists its keys."""
    total, is_soft = total_of(found.cards, rules.ace)
    document: dict[str, Any] = {
        "hand": list(found.cards),
        "upcard": found.upcard,
        "after_split": found.is_split,
        "total": total,
        "soft": is_soft,
        "options": {option.value: value for option, value in found.options.items()},
        "best": found.best.value,
        "early_surrender": None,
        "insurance": None,
    }
    if found.surrender is not None:
        document["early_surrender"] = dict(zip(("SURRENDER", "DECLINE"), found.surrender, strict=True))
    if found.insurance is not None:
        bet, natural = found.insurance
        kept, insured = natural or (None, None)
        document["insurance"] = {"INSURE": bet, "DECLINE": 0.0, "natural": kept, "natural_insured": insured}
    return document
