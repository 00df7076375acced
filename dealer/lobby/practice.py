"""Advice for players: hints at practice tables, and reviews of the last round."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cards import Rules
from dealer.lobby.background import Background
from dealer.lobby.guest import Guest
from dealer.tables.room import Room
from protocol import HintReply, RefusalError, ReviewReply, Word

if TYPE_CHECKING:
    from exact.advice import Adviser


class Practice:
    """Answers HINT and REVIEW.

    Args:
        background: where advisers are computed.
    """

    def __init__(self, background: Background) -> None:
        self._background = background

    def hint(self, guest: Guest) -> None:
        """Say which decision is the better one.

        Raises:
            RefusalError: if it is not a practice table, or the player is not asked, or nobody knows.
        """
        seat, room = guest.seat, guest.room
        _verify_rules(room)
        if seat is None or room is None or not room.setup.practice:
            raise RefusalError(Word.NO_HINT, "hints are for practice tables")
        if room.table.turn is not seat or room.table.round is None or room.table.round.turn is None:
            raise RefusalError(Word.NO_HINT, "a hint is for a decision, and you are not asked for one")
        from policies.policy import observation

        seen = observation(room.table.round, room.table.round.turn)

        def tell(adviser: Adviser) -> None:
            advice = adviser.advise(seen)
            guest.outbox.send(HintReply(advice.decision, advice.cost))

        self._with_adviser(room.table.round.rules, tell)

    def review(self, guest: Guest) -> None:
        """Say how the player decided in the last round that is over.

        Raises:
            RefusalError: if no round of the player is over, or nobody knows.
        """
        seat, room = guest.seat, guest.room
        _verify_rules(room)
        finished = room.table.last_finished(seat) if room is not None and seat is not None else None
        if finished is None:
            raise RefusalError(Word.NO_REVIEW, "no round of yours is over yet")
        round_, number = finished
        from policies.policy import decisions_of

        taken = decisions_of(round_, number)

        def tell(adviser: Adviser) -> None:
            advice = [(decision, adviser.advise(seen)) for seen, decision in taken]
            costs = [better.cost for decision, better in advice if decision is not better.decision]
            guest.outbox.send(ReviewReply(len(taken), len(costs), sum(costs)))

        self._with_adviser(round_.rules, tell)

    def _with_adviser(self, rules: Rules, then: Callable[[Adviser], None]) -> None:
        """Go on with the adviser for these rules, at once if there is one."""

        def find() -> Adviser:
            from exact.advice import adviser_for

            return adviser_for(rules)

        self._background.do_once(("adviser", rules), find, then)


def _verify_rules(room: Room | None) -> None:
    """Refuse what rests on exact values of HIT and STAND at a table that has more to decide."""
    if room is not None and room.table.rules.is_whole:
        raise RefusalError(
            Word.NO_HINTS,
            "the values of decisions are known for tables of HIT and STAND only, not for this one",
        )
