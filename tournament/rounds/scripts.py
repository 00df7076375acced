"""Scripts: what was decided in a round, as a short text. Rules, cards and script give the round again.

A script is the bets in seat order where bets are asked, `B` and the chips for each, as in `B10B25`; then, in
the order in which they came, a letter for each decision and `F` with a seat for each forfeit; `-` if there is
none of either.

| letter | decision | letter | decision |
|---|---|---|---|
| H | HIT | R | SURRENDER |
| S | STAND | I | INSURE |
| D | DOUBLE | N | DECLINE |
| P | SPLIT | | |

The letter is small, `s` or `n`, where the clock of the dealer decided.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from fractions import Fraction
from typing import Final

from cards import (
    Decision,
    DecisionTaken,
    Payoff,
    Round,
    RoundError,
    Rules,
    SeatForfeited,
    Shoe,
)
from tournament.settings import UNITS
from twentyone.support.counts import counted
from twentyone.support.letters import LETTERS

DECISIONS: Final = {
    **{letter: decision for decision, letter in LETTERS.items()},
    "s": Decision.STAND,
    "n": Decision.DECLINE,
}
"""The decision of each letter; the clock's two are among them."""

NOTHING: Final = "-"
"""The script of a round without any question or forfeit."""

_SCRIPT: Final = re.compile(r"((?:B[1-9][0-9]{0,12})*)(-|(?:[HSDPRINsn]|F[0-8])+)")
_BET: Final = re.compile("B([0-9]+)")


class ScriptError(ValueError):
    """A script that is none, or does not fit its rules and cards, in one sentence."""


def bets_and_decisions(script: str) -> tuple[tuple[int, ...], str]:
    """The bets of a script in seat order, and what was decided; no text if nothing was.

    Raises:
        ScriptError: if it is no script.
    """
    found = _SCRIPT.fullmatch(script)
    if found is None:
        raise ScriptError(
            f"{script[:80]!r} is not a script: expected bets such as B10, then letters of HSDPRINsn and F0 to"
            " F8, or -"
        )
    bets, decided = found.groups()
    return tuple(map(int, _BET.findall(bets))) if bets else (), "" if decided == NOTHING else decided


def timed(script: str) -> int:
    """The number of timed decisions of a script: one for each bet and each letter, none for a forfeit."""
    bets, decided = bets_and_decisions(script)
    return len(bets) + len(decided) - 2 * decided.count("F")


def play_script(
    rules: Rules, shoe: Shoe, script: str, bankrolls: Sequence[Payoff | str | None] | None = None
) -> Round:
    """Play a round once more.

    Args:
        rules: the rules, with as many seats as were dealt in.
        shoe: where the cards come from, at the beginning of the round.
        script: what was decided.
        bankrolls: where bets are asked the chips of each seat before the round, as numbers or as text; None
            for no limit.

    Returns:
        The round, which is over.

    Raises:
        ScriptError: if the script does not fit: it ends early or late, or decides what was not offered.
        ShoeError: if the shoe has not enough cards.
    """
    bets, decided = bets_and_decisions(script)
    round_ = Round(rules, shoe, means=_means(rules, bets, bankrolls))
    round_.deal()
    letters = enumerate(decided)
    for place, letter in letters:
        if letter == "F":
            _, seat = next(letters)
            _forfeit(round_, int(seat), script)
            continue
        decision, turn = DECISIONS[letter], round_.turn
        if turn is None or decision not in round_.options:
            raise ScriptError(_misfit(round_, script, decision, place))
        round_.decide(turn, decision)
    if round_.turn is not None:
        raise ScriptError(f"the script {script!r} ends early: seat {round_.turn} is still asked")
    return round_


def play_forfeited(rules: Rules, shoe: Shoe, seats: Sequence[int] | None = None) -> Round:
    """Deal a round that seats forfeit at once: those of players who are out.

    A seat that is settled as dealt, such as by a natural that is paid at a ratio, has nothing to forfeit.
    Every seat stakes the least bet where bets are asked.

    Args:
        rules: the rules.
        shoe: where the cards come from.
        seats: who forfeits; None for all.

    Returns:
        The round, which may not be over if others play on.
    """
    bets = () if rules.bets is None else (rules.bets.minimum,) * rules.seats
    round_ = Round(rules, shoe, means=_means(rules, bets, None))
    round_.deal()
    for seat in range(rules.seats) if seats is None else seats:
        if round_.can_forfeit(seat):
            round_.forfeit(seat)
    return round_


def script_of(round_: Round, bets: Sequence[int] = (), late: Container[int] = ()) -> str:
    """The script of a round that is over.

    Args:
        round_: the round.
        bets: the chips that each seat staked; none where no bets are asked.
        late: which decisions, by number from 0 in the order of play, the clock made.
    """
    told: list[str] = []
    number = 0
    for record in round_.records:
        if type(record) is DecisionTaken:
            letter = LETTERS[record.decision]
            told.append(letter.lower() if number in late else letter)
            number += 1
        elif type(record) is SeatForfeited:
            told.append(f"F{record.seat}")
    return "".join([f"B{bet}" for bet in bets]) + ("".join(told) or NOTHING)


def payoffs_of(round_: Round, bets: Sequence[int] = ()) -> list[int]:
    """The payoff of each seat of a round that is over, in tenths of an initial bet.

    Args:
        round_: the round.
        bets: the chips that each seat staked; the payoffs are then in tenths of a chip. None where no bets
            are asked.
    """
    units = [UNITS * bet for bet in bets] or [UNITS] * len(round_.payoffs)
    payoffs = zip(round_.payoffs, units, strict=True)
    return [int(payoff * unit) for payoff, unit in payoffs if payoff is not None]


def _means(
    rules: Rules, bets: Sequence[int], bankrolls: Sequence[Payoff | str | None] | None
) -> list[Payoff | None] | None:
    """The initial bets that each seat can stake in all; None where no bets are asked."""
    if rules.bets is None:
        if bets:
            raise ScriptError("the script has bets, but by these rules no bets are asked")
        return None
    if len(bets) != rules.seats:
        raise ScriptError(
            f"the script has {counted(len(bets), 'bet')}: expected {rules.seats}, one for each seat"
        )
    for bet in bets:
        if not rules.bets.minimum <= bet <= rules.bets.maximum:
            raise ScriptError(f"the script has a bet of {counted(bet, 'chip')}: expected {rules.bets}")
    if bankrolls is None:
        return [None] * len(bets)
    chips = [None if chips is None else Fraction(chips) for chips in bankrolls]
    for seat, (bet, has) in enumerate(zip(bets, chips, strict=True)):
        if has is not None and bet > has:
            raise ScriptError(f"seat {seat} staked {counted(bet, 'chip')}, but had {bankrolls[seat]}")
    return [None if has is None else has / bet for bet, has in zip(bets, chips, strict=True)]


def _forfeit(round_: Round, seat: int, script: str) -> None:
    if seat >= round_.rules.seats:
        raise ScriptError(f"the script {script!r} has a forfeit of seat {seat}, which is not there")
    try:
        round_.forfeit(seat)
    except RoundError as error:
        raise ScriptError(f"the script {script!r} does not fit: {error}") from None


def _misfit(round_: Round, script: str, decision: Decision, place: int) -> str:
    """Why a decision of a script is not possible."""
    if round_.turn is None:
        return f"the script {script!r} goes on where the round is over"
    allowed = " or ".join(option.value for option in round_.options)
    return (
        f"the script {script!r} does not fit: at place {place + 1} it says {decision.value}, but seat"
        f" {round_.turn} was offered {allowed}"
    )
