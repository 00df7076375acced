"""A dealer's side once more, worked out from whole lines alone, to hold the real dealer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cards import (
    CardDealt,
    Decision,
    DecisionAsked,
    DecisionTaken,
    Outcome,
    Record,
    Round,
    Rules,
    SeatSettled,
    Shoe,
    UpcardDealt,
)
from protocol import (
    MAX_LINE,
    MAX_VIOLATIONS,
    MAX_VIOLATIONS_UNSEATED,
    RemoteProtocolError,
    decode_player,
    encode,
)
from protocol import messages as m

ANY_TIME: Final = (m.PlayerQuit, m.RulesRequest, m.Show, m.Help, m.Watch, m.Reveal)
BEFORE_A_SEAT: Final = (*ANY_TIME, m.Join, m.Open, m.Resume)
AT_A_SEAT: Final = (*ANY_TIME, m.Hit, m.Stand, m.Next, m.HintRequest, m.ReviewRequest, m.Keep)


class Reference:
    """What a dealer has to say to one player, worked out from whole lines alone.

    No ERROR or REFUSED has its text; what only pages are told is there without its numbers, TABLE and HISTORY
    not at all.
    """

    def __init__(self, rules: Rules, shoe: Shoe, opening: bytes, *, is_typed: bool) -> None:
        self.said: list[bytes] = []
        self.is_over = False
        self.is_kept = False  # the seat, under a token
        self.is_lost = False  # the connection, and the seat is there to come back to
        self.has_watched = False
        self.is_page = False  # and refused in words
        self.round: Round | None = None
        self._opening = decode_player(opening)  # the one OPEN that is in order
        self._is_practice = False  # at the table that is watched, which is the one to sit at
        self._finished: Round | None = None
        self._rules = rules
        self._shoe = shoe
        self._left: int | None = None
        self._violations = 0
        self._late = 0
        self._is_typed = is_typed

    @property
    def _refusal(self) -> bytes:
        return b"REFUSED" if self.is_page else b"ERROR"

    @property
    def has_ended(self) -> bool:
        return self.is_over or self.is_lost

    @property
    def replay(self) -> list[bytes]:
        """What somebody who comes back to the open hand is told."""
        start = len(self.said) - self.said[::-1].index(b"BEGIN")
        cards = [line for line in self.said[start:] if line.startswith((b"CARD ", b"DEALER "))]
        return [b"BEGIN", *cards, b"DECISION"]

    def hear(self, line: bytes) -> None:
        if self.has_ended:
            return
        if len(line) > MAX_LINE:
            return self.forfeit(self._refusal)
        words = line.upper().split()
        self.is_page = self.is_page or words[:1] in ([b"WATCH"], [b"OPEN"], [b"RESUME"])
        try:
            message = decode_player(line, is_typed=self._is_typed)
        except RemoteProtocolError:
            return self._violation()
        if message is None:
            return
        is_answer = isinstance(message, m.Hit | m.Stand)
        if is_answer and self._late:
            self._late -= 1
            self.said.append(self._refusal)
        elif self._is_granted(message):
            self._violations = 0
            self._obey(message)
        else:
            self._violation()

    def let_the_clock_run_out(self) -> None:
        self._violations += 1
        if self._violations == MAX_VIOLATIONS:
            return self.forfeit(self._refusal)
        self._late += 1
        self.said.append(self._refusal)
        self._decide(Decision.STAND)

    def forfeit(self, *said: bytes) -> None:
        """Whatever there is to be said first, then the end."""
        if not self.has_ended:
            self.said += said
            if self.round is not None:
                self._tell(self.round.forfeit(0))
            self._end()

    def break_off(self) -> None:
        """What cannot be read ends the conversation."""
        self.forfeit(self._refusal)

    def vanish(self) -> None:
        """The peer says no more: the end, if its seat is not kept."""
        if self.is_kept and not self.is_over:
            self.is_lost = True
        else:
            self.forfeit()

    def take_over(self) -> None:
        """Another connection takes the seat."""
        self.said.append(self._refusal)
        self.is_lost = True

    def _is_granted(self, message: m.PlayerMessage) -> bool:
        if not isinstance(message, AT_A_SEAT if self.round else BEFORE_A_SEAT):
            return False
        match message:
            case m.Watch(number):
                return number is None  # there is no table of that number
            case m.Open():
                return message == self._opening
            case m.HintRequest() | m.Reveal():
                return self._is_practice
            case m.ReviewRequest():
                return self._finished is not None
            case m.Resume():
                return False  # there is no such seat
        return True

    def _violation(self) -> None:
        self._violations += 1
        if self._violations >= (MAX_VIOLATIONS if self.round else MAX_VIOLATIONS_UNSEATED):
            self.forfeit(self._refusal)
        else:
            self.said.append(self._refusal)

    def _obey(self, message: object) -> None:
        match message:
            case m.Join(_, rounds):
                self._left = rounds
                self._begin_rounds()
            case m.Hit():
                self._decide(Decision.HIT)
            case m.Stand():
                self._decide(Decision.STAND)
            case m.RulesRequest():
                self.said.append(encode(m.RulesReply(self._rules)))
            case m.Help():
                self.said.append(b"HELP")
            case m.PlayerQuit():
                self.forfeit()
            case m.Watch():
                self.has_watched = True
                if self.round is None:  # any other table, or none: that which was opened is closed
                    self._is_practice = False
            case m.Open():
                self.said.append(b"OPENED")
                self.has_watched = self._is_practice = True
            case m.HintRequest():
                self.said.append(b"HINT")
            case m.ReviewRequest():
                assert self._finished is not None
                taken = sum(isinstance(record, DecisionTaken) for record in self._finished.records)
                self.said.append(b"REVIEW %d" % taken)
            case m.Keep():
                self.is_kept = True

    def _decide(self, decision: Decision) -> None:
        assert self.round is not None
        self._tell(self.round.decide(0, decision))
        if self.round.turn is None:
            self._finished = self.round
            self._begin_rounds()

    def _begin_rounds(self) -> None:
        """Until somebody is asked."""
        while self._left != 0:
            self._left = None if self._left is None else self._left - 1
            self.said.append(b"BEGIN")
            self.round = Round(self._rules, self._shoe)
            self._tell(self.round.deal())
            if self.round.turn is not None:
                return
            self._finished = self.round
        self._end()

    def _tell(self, records: Sequence[Record]) -> None:
        for record in records:
            match record:
                case CardDealt(_, card):
                    self.said.append(f"CARD {card}".encode())
                case UpcardDealt(card):
                    self.said.append(f"DEALER {card}".encode())
                case DecisionAsked():
                    self.said.append(b"DECISION")
                case SeatSettled(_, outcome):
                    self.said.append(
                        b"RESULT " + (b"LOOSE" if outcome is Outcome.LOSE else outcome.value.encode())
                    )

    def _end(self) -> None:
        self.said.append(b"QUIT")
        self.is_over = True
        self.round = None
