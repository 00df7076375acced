"""Advice for players: hints at practice tables, reviews of the last round, and rounds to be seen again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cards import Round, Rules
from dealer.lobby import charts, judging
from dealer.lobby.background import Background, OneByOne
from dealer.lobby.guest import Guest
from dealer.lobby.judging import Judge, Judgements
from dealer.tables.history import hide_unseen, round_as_json
from dealer.tables.recent import Recently
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import (
    MAX_DEALER_LINE,
    ChartReply,
    HintReply,
    HistoryReply,
    RefusalError,
    ReviewedDecision,
    ReviewReply,
    Word,
)

if TYPE_CHECKING:
    from twentyone.exact.advice import Adviser
    from twentyone.exact.hand_advice import HandAdviser

Found = TypeVar("Found")
Find = Callable[[Callable[[Found], None], Callable[[], None]], None]
"""Finds something, and goes on with it, or with the second if that has failed."""

LONGEST_ROUND: Final = MAX_DEALER_LINE - 32
"""Bytes of a round in a HISTORY. The word and the two numbers before it have at most 32."""

MAX_CHARTS: Final = 32
"""Charts that may be waited for. Each takes up to a quarter of a second, one after the other."""


class Practice:
    """Answers HINT, REVIEW, HISTORY and CHART.

    Args:
        background: where advisers are computed.
    """

    def __init__(self, background: Background) -> None:
        self._background = background
        self._charts = charts.Answers()
        self._charts_in_line = OneByOne(MAX_CHARTS)

    def hint(self, guest: Guest) -> None:
        """Say which decision is the best one.

        Raises:
            RefusalError: if it is not a practice table, or the player is not asked.
        """
        seat, room = guest.seat, guest.room
        if seat is None or room is None or not room.setup.practice:
            raise RefusalError(Word.NO_HINT, "hints are for practice tables")
        round_ = room.table.round
        if room.table.turn is not seat or round_ is None or round_.turn is None:
            raise RefusalError(Word.NO_HINT, "a hint is for a decision, and you are not asked for one")
        asked = judging.question(round_, round_.turn)

        def tell(judge: Judge) -> None:
            guest.outbox.send(HintReply(*judge.advise(asked)))

        self._answer(guest, partial(self._with_judge, round_), tell, Word.NO_HINT)

    def review(self, guest: Guest) -> None:
        """Say how the player decided in the last round that is over, or so far in the open one.

        The open one is for a player who is alone at a table, and has decided in it. One who has not may mean
        the round before: without a pause the next one begins with its RESULT.

        Raises:
            RefusalError: if there is no such round.
        """
        seat, room = guest.seat, guest.room
        reviewed = _reviewed(room.table, seat) if room is not None and seat is not None else None
        if reviewed is None:
            raise RefusalError(Word.NO_REVIEW, "no round of yours is over yet")
        round_, number = reviewed
        taken = judging.answers(round_, number)
        if not taken:
            guest.outbox.send(ReviewReply(0, 0, 0))
            return

        def tell(judge: Judge) -> None:
            each = [
                ReviewedDecision(decision, cost, best)
                for (_, decision), (cost, best) in zip(taken, judging.judged_seat(judge, taken), strict=True)
            ]
            differed = sum(one.decision is not one.best for one in each)
            told = tuple(each) if judging.goes_by_cards(round_.rules) else ()
            guest.outbox.send(ReviewReply(len(each), differed, sum(one.cost for one in each), told))

        self._answer(guest, partial(self._with_judge, round_), tell, Word.NO_REVIEW)

    def history(self, guest: Guest, back: int) -> None:
        """Show a round of the table that is watched, or of the player's own, with the costs of decisions.

        Raises:
            RefusalError: if there is no table, or the round is not kept.
        """
        room = guest.watched or guest.room
        if room is None:
            raise RefusalError(Word.NO_ROUND, "HISTORY is for the table that you watch or sit at")
        room.recent.begin(room.number)
        found, count = room.recent.get(room.number, back), room.recent.count(room.number)
        if found is None:
            raise RefusalError(Word.NO_ROUND, _not_kept(count), is_violation=False)
        seat = guest.seat

        def tell(judged: Judgements | None) -> None:
            # By now another round may be over, and its RESULT told: whoever comes back counts on it that the
            # last round of the answer is the last one. Or the table may be closed.
            last = room.recent.get(room.number, 1) if back == 1 else None
            is_same = last is None or last.number == found.number
            told, costs = (found, judged) if last is None or is_same else (last, None)
            line = line_of(told, room.number, seat, costs)
            if line is None:
                guest.outbox.complain(
                    Word.NO_ROUND, "that round is too long for a line: see the dealer's file"
                )
            else:
                guest.outbox.send(HistoryReply(back, max(count, room.recent.count(room.number)), line))

        find = partial(self._judge, found.round)
        self._answer(guest, find, tell, Word.NO_ROUND, lambda: tell(None))

    def last_round(self, room: Room, seat: Seat) -> tuple[HistoryReply, ...]:
        """The last round, for a player who watches and is sent away: nothing can be asked after QUIT.

        It comes at once: costs of decisions are told only if they are known by now.
        """
        found = room.recent.get(room.number, 1)
        if found is None or found.number_of(seat) is None:
            return ()
        known: list[Judgements] = []
        self._judge(found.round, known.append, lambda: None)
        line = line_of(found, room.number, seat, known[0] if known else None)
        return () if line is None else (HistoryReply(1, room.recent.count(room.number), line),)

    def chart(self, guest: Guest, rules: Rules, upcard: int) -> None:
        """Say what every hand of two or three cards is worth against an upcard, where a dealer plays.

        Raises:
            RefusalError: if as many wait for a chart as may.
        """
        kept = self._charts.get(rules, upcard)
        if kept is not None:
            guest.outbox.send(ChartReply(upcard, kept))
            return
        if self._charts_in_line.is_full:
            raise RefusalError(Word.BUSY, "many wait for their charts: ask again later", is_violation=False)

        def tell(adviser: Adviser | HandAdviser) -> None:
            text = charts.as_json(adviser, rules, upcard)
            self._charts.keep(rules, upcard, text)
            guest.outbox.send(ChartReply(upcard, text))

        find: Find[Any] = partial(self._with_adviser, charts.in_short(rules))
        if judging.goes_by_cards(rules):
            find = partial(self._with_hand_adviser, rules, upcard, learns_all=False)
        self._answer(guest, self._in_line(find), tell, Word.NO_CHART)

    def _in_line(self, find: Find[Found]) -> Find[Found]:
        """Finds it when those before it are found."""

        def find_in_line(then: Callable[[Found], None], failed: Callable[[], None]) -> None:
            def begin(end: Callable[[], None]) -> None:
                def go_on(found: Found) -> None:
                    end()
                    then(found)

                def give_up() -> None:
                    end()
                    failed()

                find(go_on, give_up)

            self._charts_in_line.add(begin)

        return find_in_line

    def _judge(self, round_: Round, then: Callable[[Judgements], None], failed: Callable[[], None]) -> None:
        """Go on with what each decision of a round cost, at once if that is known."""
        if judging.has_decided(round_):
            self._with_judge(round_, lambda judge: then(judging.judged(judge, round_)), failed)
        else:
            then([[] for _ in range(round_.rules.seats)])

    def _with_judge(self, round_: Round, then: Callable[[Judge], None], failed: Callable[[], None]) -> None:
        """Go on with what judges the decisions of a round, at once if it is there."""
        if not judging.goes_by_cards(round_.rules):
            self._with_adviser(round_.rules, then, failed)
            return
        from twentyone.policies.policy import upcard_value

        assert round_.upcard is not None, "what pays by cards is played against a dealer"
        self._with_hand_adviser(round_.rules, upcard_value(round_.upcard), then, failed)

    def _answer(
        self,
        guest: Guest,
        find: Find[Found],
        tell: Callable[[Found], None],
        word: Word,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Tell what is found; if nothing is found do something else, or say so by a word.

        While it is sought, whatever the guest says after its question waits, except for RULES.
        """
        is_answered = is_held = False

        def answer(say: Callable[[], None]) -> None:
            nonlocal is_answered
            if is_answered:
                return
            say()
            is_answered = True
            if is_held:
                guest.outbox.release()

        def refuse() -> None:
            answer(otherwise or (lambda: guest.outbox.complain(word, "the answer could not be worked out")))

        find(lambda found: answer(lambda: tell(found)), refuse)
        if not is_answered:
            is_held = True
            guest.outbox.hold()

    def _with_adviser(
        self, rules: Rules, then: Callable[[Adviser], None], failed: Callable[[], None]
    ) -> None:
        """Go on with the adviser for these rules, at once if there is one."""

        def find() -> Adviser:
            from twentyone.exact.advice import adviser_for

            return adviser_for(rules)

        self._background.do_once(("adviser", rules), find, then, failed)

    def _with_hand_adviser(
        self,
        rules: Rules,
        upcard: int,
        then: Callable[[HandAdviser], None],
        failed: Callable[[], None],
        *,
        learns_all: bool = True,
    ) -> None:
        """Go on with the adviser for these rules, at once if it knows the upcard.

        Where people play it then learns the other upcards too; for a chart each is asked for.
        """

        def load() -> Callable[[Rules], HandAdviser]:
            from twentyone.exact.hand_advice import adviser_for

            return adviser_for

        def go_on(adviser_for: Callable[[Rules], HandAdviser]) -> None:
            adviser = adviser_for(rules)  # not kept here: few are, and each is large
            if adviser.knows(upcard):
                then(adviser)
            else:
                self._learn(adviser, upcard, lambda: then(adviser), failed)
                if learns_all:
                    self._learn_all(adviser)

        self._background.do_once("hand advisers", load, go_on, failed)

    def _learn_all(self, adviser: HandAdviser) -> None:
        """Learn the other upcards, one at a time, so that other work comes in between."""
        if adviser.unknown:
            self._learn(adviser, adviser.unknown[0], lambda: self._learn_all(adviser))

    def _learn(
        self,
        adviser: HandAdviser,
        upcard: int,
        then: Callable[[], None],
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        self._background.do((adviser, upcard), lambda: adviser.learn(upcard), then, failed)


def _reviewed(table: Table, seat: Seat) -> tuple[Round, int] | None:
    """The round that a REVIEW is about, and the seat's number in it; None if there is none."""
    round_, number = table.round, table.number_in_round(seat)
    if table.rules.seats == 1 and round_ is not None and number is not None and judging.has_decided(round_):
        return round_, number
    return table.last_finished(seat)


def unjudged_last_round(room: Room, seat: Seat) -> tuple[HistoryReply, ...]:
    """The last round of a seat, without what its decisions cost: nothing is worked out for it."""
    found = room.recent.get(room.number, 1)
    if found is None or found.number_of(seat) is None:
        return ()
    line = line_of(found, room.number, seat, None)
    return () if line is None else (HistoryReply(1, room.recent.count(room.number), line),)


def _not_kept(count: int) -> str:
    """The sentence for a round that is not kept, at a table of which `count` rounds are."""
    if count == 0:
        return "no round is kept yet: a table's rounds are kept from its first WATCH, HISTORY or KEEP on"
    return f"that round is not kept: {'only the last one is' if count == 1 else f'the last {count} are'}"


def line_of(found: Recently, table: int, seat: Seat | None, judged: Judgements | None) -> str | None:
    """A round of a table as the player of a seat may see it, in JSON; None if no player could read it.

    If it is too long with what the decisions cost, it is told without.
    """
    line = round_as_json(found.number, found.round, found.seats, table=table, time=found.time, judged=judged)
    hide_unseen(line)
    you = line["you"] = found.number_of(seat)
    line["your_round"] = None if you is None else found.seats[you].rounds
    text = json.dumps(line, separators=(",", ":"))
    if len(text) <= LONGEST_ROUND:
        return text
    return None if judged is None else line_of(found, table, seat, None)
