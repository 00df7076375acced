"""The rounds played at a table of programs, until they are handed on as a block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import nan
from typing import Final

import numpy as np

from cards import Decision, DecisionTaken, NumberedShoes, QueuedShoe, Round, SeatForfeited
from tournament.playing.places import Place
from tournament.rounds.costs import Costs
from tournament.rounds.scripts import payoffs_of, script_of
from tournament.settings import Block, Fault, Match, Settings, State

NOTED: Final = 20
"""Faults of a kind that are noted of one entrant in one round; more of them say nothing more."""


class Record:
    """Collects the rounds of a match and what went wrong in them.

    What is noted belongs to the round that is settled next, and is in no block before that is: a round that
    was open is played again.

    Args:
        settings: the tournament's.
        match: the match.
        state: where it stands.
        shoe: where its cards come from.
        places: its entrants as they are now.
        costs: those of decisions; None where that is not known.

    Attributes:
        round: the number of the next round, or of the one that is open.
    """

    def __init__(
        self,
        settings: Settings,
        match: Match,
        state: State,
        shoe: QueuedShoe | NumberedShoes,
        places: Sequence[Place],
        costs: Costs | None,
    ) -> None:
        self._settings = settings
        self._match = match
        self._shoe = shoe
        self._places = places
        self._costs = costs
        self._asks_bets = settings.rules.bets is not None
        self._refill, self._full = settings.clocks.refill, settings.clocks.bank
        self._most = round(self._full, 6)
        self._before = state
        self.round = state.round
        self._open_faults: list[Fault] = []
        self._open_counts: Counter[tuple[int, str]] = Counter()
        self._decisions: list[tuple[float, bool]] = []  # of the round that is open: seconds, whether late
        self._clear()
        self._keep()

    def _clear(self) -> None:
        self._scripts: list[str] = []
        self._payoffs: list[list[int]] = []
        self._lost: list[float] = []
        self._seconds: list[float] = []
        self._faults: list[Fault] = []

    @property
    def rounds(self) -> int:
        """The rounds since the last block."""
        return len(self._scripts)

    def note(self, place: Place, kind: str, text: str) -> None:
        """Note a fault in the round that is open, or comes next."""
        count = self._open_counts[place.entrant, kind] = self._open_counts[place.entrant, kind] + 1
        if count <= NOTED:
            self._open_faults.append(Fault(place.entrant, self._match.number, self.round, kind, text))

    def note_decision(self, seconds: float, *, late: bool) -> None:
        """Note how long a decision, or a bet, took, and whether the clock made it."""
        self._decisions.append((seconds, late))

    def settle(self, round_: Round, places: Sequence[Place]) -> None:
        """Keep a round that is over, with who had each of its seats."""
        bets = [place.bet for place in places] if self._asks_bets else []
        number = sum([type(record) is DecisionTaken for record in round_.records])
        decisions = self._decisions[len(self._decisions) - number :]  # bets come before
        played = round_
        if round_.plain:
            played, decisions = with_declines(round_, self._shoe_before(), decisions)
        late = [index for index, (_, is_late) in enumerate(decisions) if is_late]
        script = script_of(played, bets, late)
        payoffs = [0] * len(places)
        for place, payoff in zip(places, payoffs_of(round_, bets), strict=True):
            payoffs[place.number] = payoff
        if self._costs is not None:
            self._lost.append(self._costs.lost(played))
        # Here nothing can go wrong any more: a block has all of a round, or nothing.
        self._scripts.append(script)
        self._payoffs.append(payoffs)
        self._seconds += [nan] * len(bets)
        self._seconds += [seconds for seconds, _ in decisions]
        for place in places:
            if place.bank != self._most:
                place.bank = round(min(self._full, place.bank + self._refill), 6)
        self._decisions.clear()
        if self._open_counts:
            self._faults += self._open_faults
            self._open_faults.clear()
            self._open_counts.clear()
        self.round += 1
        self._keep()

    def _keep(self) -> None:
        """Note where the match stands after a round: what the next one changes is not handed on."""
        self._kept = [
            (place.starts, place.bank, place.is_out, place.bankroll, place.bet) for place in self._places
        ]
        shoe = self._shoe
        self._kept_shoe = (shoe.number, shoe.dealt) if isinstance(shoe, NumberedShoes) else (0, 0)

    def block(self) -> Block | None:
        """The rounds since the last block; None if there are none."""
        if not self._scripts:
            return None
        after = self._state()
        block = Block(
            self._match.number,
            self._before,
            after,
            self._scripts,
            np.array(self._payoffs, dtype=np.int32),
            None if self._costs is None else np.array(self._lost, dtype=np.float64)[:, np.newaxis],
            np.array(self._seconds, dtype=np.float32),
            self._faults,
        )
        self._before = after
        self._clear()
        return block

    def _shoe_before(self) -> QueuedShoe | NumberedShoes:
        """The shoe at the beginning of the round."""
        told = self._settings
        if told.kept_shoe:
            return NumberedShoes(told.rules, told.seed, *self._kept_shoe)
        return QueuedShoe(told.rules, told.seed, self.round)

    def _state(self) -> State:
        """The state of the match after the last round."""
        starts, banks, out, bankrolls, bets = zip(*self._kept, strict=True)
        shoe, dealt = self._kept_shoe
        return State(
            round=self.round,
            starts=starts,
            banks=banks,
            out=out,
            bankrolls=tuple(map(str, bankrolls)) if self._asks_bets else (),
            bets=bets if self._asks_bets else (),
            shoe=shoe,
            dealt=dealt,
        )


def with_declines(
    round_: Round, shoe: QueuedShoe | NumberedShoes, decisions: Sequence[tuple[float, bool]]
) -> tuple[Round, list[tuple[float, bool]]]:
    """A round against the dealer as it is for a player who knows more than the original messages.

    A classic player is not asked about insurance, nor for a surrender before the dealer looks. The
    dealer has then declined for it, so that rules, cards and decisions give the round.

    Args:
        round_: the round, which is over.
        shoe: its shoe at the beginning.
        decisions: for each of its decisions the seconds, and whether the clock made it.

    Returns:
        The round with these decisions too, and what there was to say of them all.
    """
    whole = Round(round_.rules, shoe, means=round_.means)
    whole.deal()
    told, all_told = iter(decisions), []

    def decline() -> None:
        while whole.turn is not None and Decision.DECLINE in whole.options:
            whole.decide(whole.turn, Decision.DECLINE)
            all_told.append((nan, True))

    for record in round_.records:
        if type(record) is DecisionTaken:
            decline()
            whole.decide(record.seat, record.decision)
            all_told.append(next(told))
        elif type(record) is SeatForfeited:
            decline()
            whole.forfeit(record.seat)
    decline()
    return whole, all_told
