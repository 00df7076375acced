"""The rounds of a tournament as a history: lines as a dealer writes them, and what it knows more."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from cards import NumberedShoes, Payoff, QueuedShoe, Round, Rules
from cards.rules import exact
from dealer.tables.history import chained, round_as_json
from tournament.replay.judged import DIGITS, costs_of
from tournament.replay.lines import Player, questions_in_order
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import DECISIONS, bets_and_decisions, play_script

if TYPE_CHECKING:
    from tournament.rounds.costs import Costs
    from tournament.settings import Block, Match, Results, Settings


def lines(
    results: Results,
    entrants: Collection[str] | None = None,
    rounds: Container[int] | None = None,
    *,
    costs: bool = True,
    times: bool = True,
    shoes: bool = True,
) -> Iterator[str]:
    """The lines of a tournament, match by match, each without its end.

    Args:
        results: the tournament.
        entrants: the names of those whose matches are told; None for all.
        rounds: the numbers, from 0, of the rounds of each match that are told; None for all.
        costs: whether to say what each decision has cost, where exact values hold.
        times: whether to say how long each decision took, where that is known.
        shoes: whether to say which shoe the cards are from, with its seed.
    """
    chain = ""
    for match in results.settings.matches:
        if entrants is None or any(
            results.settings.entrants[one].played_as in entrants for one in match.entrants
        ):
            for told in _rounds(results, match, rounds, costs=costs, times=times, shoes=shoes):
                line, chain = chained(told, chain)
                yield line


def _rounds(
    results: Results, match: Match, rounds: Container[int] | None, *, costs: bool, times: bool, shoes: bool
) -> Iterator[dict[str, Any]]:
    """The rounds of a match."""
    writer = _Writer(results.settings, match, costs=costs, times=times)
    for block in results.blocks(match.number):
        writer.begin(block)
        for nth, script in enumerate(block.scripts):
            number = block.before.round + nth
            played = writer.play(number, script)
            if rounds is None or number in rounds:
                told = writer.told(played, number, script)
                if not shoes:
                    del told["shoe"]
                yield told
            writer.go_on(played)


class _Writer:
    """Plays the rounds of a match again, one after the other, and tells of them.

    Args:
        settings: the tournament.
        match: the match.
        costs: whether to say what each decision has cost.
        times: whether to say how long each took.
    """

    def __init__(self, settings: Settings, match: Match, *, costs: bool, times: bool) -> None:
        self._settings, self._match = settings, match
        self._rules = settings.rules
        self._says_times = times
        self._costs = _costs_for(settings.rules) if costs and not settings.kept_shoe else None
        self._shoe: QueuedShoe | NumberedShoes
        if settings.kept_shoe:
            self._shoe = NumberedShoes(settings.rules, settings.seed)
        else:
            self._shoe = QueuedShoe(settings.rules, settings.seed)
        self._chips: list[Payoff] = []  # by place; none where no bets are asked
        self._seconds: Iterator[float] | None = None
        self._places: tuple[int, ...] = ()
        self._bets: tuple[int, ...] = ()
        self._dealt = 0
        self._timed: list[float] = []

    def begin(self, block: Block) -> None:
        """Go to where a block begins."""
        self._chips = [exact(Fraction(chips)) for chips in block.before.bankrolls]
        seconds = block.seconds if self._says_times else None
        self._seconds = None if seconds is None else iter(seconds.tolist())
        if isinstance(self._shoe, NumberedShoes):
            self._shoe.go_to(block.before.shoe, block.before.dealt)

    def play(self, number: int, script: str) -> Round:
        """Play a round."""
        seats = self._rules.seats
        self._places = seating(seats, number)
        self._bets, decided = bets_and_decisions(script)
        self._timed = self._times(len(self._bets) + sum(letter in DECISIONS for letter in decided))
        if isinstance(self._shoe, NumberedShoes):
            self._shoe.begin_round()
            self._dealt = self._shoe.dealt
        else:
            self._shoe.go_to(number // (1 if self._rules.has_dealer else seats))
        self._buy_in()
        chips = [self._chips[place] for place in self._places] if self._chips else None
        return play_script(self._rules, self._shoe, script, chips)

    def _times(self, count: int) -> list[float]:
        return [] if self._seconds is None else list(islice(self._seconds, count))

    def _buy_in(self) -> None:
        """Give new chips to those who cannot pay the least bet."""
        if self._rules.bets is not None:
            first, least = self._rules.first_bankroll, self._rules.bets.minimum
            self._chips = [chips if chips >= least else first for chips in self._chips]

    def go_on(self, played: Round) -> None:
        """Pay what was won."""
        if self._chips:
            for place, bet, payoff in zip(self._places, self._bets, played.payoffs, strict=True):
                self._chips[place] = exact(self._chips[place] + (payoff or 0) * bet)

    def told(self, played: Round, number: int, script: str) -> dict[str, Any]:
        """A line, without its chain."""
        numbers = [self._match.entrants[place] for place in self._places]
        late = _late(bets_and_decisions(script)[1])
        players = [
            Player(self._settings.entrants[entrant].played_as, None, bet, late if seat == 0 else ())
            for seat, (entrant, bet) in enumerate(
                zip(numbers, self._bets or (None,) * len(numbers), strict=True)
            )
        ]
        told = round_as_json(number + 1, played, players, table=self._match.number + 1, time=None)
        for seat, entrant in zip(told["seats"], numbers, strict=True):
            seat["entrant"] = entrant + 1
        self._add_seconds(told, played)
        if self._costs is not None:
            add_costs(told, played, self._costs)
        told["shoe"] = {"seed": self._settings.seed, "number": self._shoe.number}
        if isinstance(self._shoe, NumberedShoes):
            told["shoe"]["dealt"] = self._dealt
        return told

    def _add_seconds(self, told: dict[str, Any], played: Round) -> None:
        answered = [one for one in questions_in_order(told, played) if one["decision"] is not None]
        for question, seconds in zip(answered, self._timed[len(self._bets) :], strict=False):
            if seconds == seconds:  # a policy has no clock: not a number
                question["seconds"] = round(seconds, DIGITS)


def add_costs(told: dict[str, Any], played: Round, costs: Costs) -> None:
    """Say in a line what each decision of its one seat has cost, and a forfeit."""
    for question, cost in zip(questions_in_order(told, played), costs_of(played, costs), strict=True):
        question["cost"] = cost


def _costs_for(rules: Rules) -> Costs | None:
    from tournament.rounds import costs

    return costs.costs_for(rules)


def _late(decided: str) -> list[int]:
    """Which decisions a clock made, by number."""
    letters = [letter for letter in decided if letter in DECISIONS]
    return [number for number, letter in enumerate(letters) if letter.islower()]
