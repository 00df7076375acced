"""A match as it stands: its entrants' places, its shoe, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from cards import NumberedShoes, QueuedShoe
from dealer.tables.seat import Seat
from tournament.playing import error_log
from tournament.playing.places import Place
from tournament.playing.programs import log_of
from tournament.playing.record import Record
from tournament.rounds.costs import costs_for
from tournament.rounds.schedule import seating
from tournament.settings import DID_NOT_COME, Match, Settings, State


class OpenMatch:
    """The state that the course of a match, its dealer and the keeper of its programs share.

    Args:
        settings: the tournament's.
        match: the match.
        state: where it stands.
        folder: the tournament's folder, where programs run and what they print is kept.
        notice: called with a sentence about what happens to entrants.
        decided: called once too few entrants are left for another round.

    Attributes:
        settings: the tournament's.
        match: the match.
        folder: the tournament's folder.
        notice: as above.
        places: the entrants, by their numbers in the match.
        shoe: where the cards of all rounds come from.
        record: what is recorded.
    """

    def __init__(
        self,
        settings: Settings,
        match: Match,
        state: State,
        folder: Path,
        notice: Callable[[str], object],
        decided: Callable[[], None],
    ) -> None:
        self.settings = settings
        self.match = match
        self.folder = folder
        self.notice = notice
        self.places = [Place(settings, match, state, number) for number in range(len(match.entrants))]
        self._decided = decided
        rules, seed = settings.rules, settings.seed
        self._fewest = 1 if rules.has_dealer else 2  # programs that it takes to go on
        self.shoe: QueuedShoe | NumberedShoes
        if settings.kept_shoe:
            self.shoe = NumberedShoes(rules, seed, state.shoe, state.dealt)
        else:
            self.shoe = QueuedShoe(rules, seed, state.round)
        is_exact = rules.has_dealer and not settings.kept_shoe
        costs = costs_for(rules) if is_exact else None
        if costs is not None:
            costs.prepare()  # now, and not while the clocks of programs run
        self.record = Record(settings, match, state, self.shoe, self.places, costs)
        for place in self.places:
            if place.is_out and state.round == 0:
                self.record.note(place, DID_NOT_COME, "it did not come to a match before this one")

    # Its rounds.

    @property
    def rounds_left(self) -> int:
        """The number of rounds that are still to be played."""
        return self.settings.rounds - self.record.round

    @property
    def is_decided(self) -> bool:
        """Whether no further round needs to be played: too few are left, or the rounds are played."""
        left = len([place for place in self.places if not place.is_out])
        return left < self._fewest or self.rounds_left == 0

    def begin_round(self) -> list[Place]:
        """Go to the cards of the next round, which those of one deal share; return who sits where in it."""
        number = self.record.round
        if isinstance(self.shoe, QueuedShoe):
            self.shoe.go_to(number // len(self.places))
        return [self.places[each] for each in seating(len(self.places), number)]

    def see_to_chips(self, place: Place) -> None:
        """Give an entrant new chips that has too few for a bet, where bets are asked."""
        rules = self.settings.rules
        if rules.bets is not None and place.bankroll < rules.bets.minimum:
            place.bankroll = rules.first_bankroll
            self.record.note(place, "bought in", f"it had too few chips, and got {rules.first_bankroll}")

    # Its entrants.

    def place_of(self, seat: Seat | None) -> Place | None:
        """The entrant whose program has a seat, if any."""
        if seat is not None:
            for place in self.places:
                if place.seat is seat:
                    return place
        return None

    def place_at(self, port: int) -> Place | None:
        """The entrant whose program joins at a port, if any."""
        return next((place for place in self.places if place.port == port), None)

    def may_restart(self, place: Place) -> bool:
        """Whether a program may be started, or come, once more."""
        return place.starts <= self.settings.restarts

    def restart(self, place: Place, why: str) -> None:
        """Let a program be started once more, or come back."""
        place.starts += 1
        self.record.note(place, "started", why)

    def put_out(self, place: Place, kind: str, why: str, errors: Sequence[str] = ()) -> None:
        """Let an entrant forfeit what is left.

        Args:
            place: the entrant's.
            kind: what is noted of it, of `NOT_PLAYED`.
            why: the reason.
            errors: the last lines of its errors.
        """
        place.is_out = True
        self.record.note(place, kind, "\n".join((why, *errors)))
        said = "is out" if kind == "out" else kind
        last = f": {errors[-1]}" if errors and not self.settings.is_open else ""  # it may name a card
        self.notice(f"{place.told.name} {said}: {why}{last}")
        if self.is_decided:
            self._decided()

    def log_of(self, place: Place) -> Path:
        """The file of what an entrant's program prints."""
        return log_of(place.told, self.folder).resolve()

    def note_in_log(self, place: Place, sentence: str) -> None:
        """Note something of an entrant's program in its file, with the round and the time of day."""
        if place.told.listen is None:
            others = [each.told.name for each in self.places if each is not place]
            match = f"with {', '.join(others)}, " if others else ""
            error_log.note(self.log_of(place), f"{match}round {self.record.round + 1}: {sentence}")
