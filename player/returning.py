"""A client that comes back: after a lost connection it takes its seat again, or another one.

What a RESUME brings again is compared with what was told before. A round that may have gone on in a way that
was not seen is in doubt: only its end counts, which HISTORY tells. A round is void if another one comes in
its place, and no result is missing: the dealer was killed in the middle of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol

from cards import Rules
from player.client import Client, Handler, own_errors_end_it
from player.recovery import PastRound, Recovery, replay_in
from protocol import (
    QUIT,
    BetRequest,
    DealerQuit,
    Error,
    Event,
    HistoryReply,
    HistoryRequest,
    Join,
    PeerFinished,
    PlayerConversation,
    ProtocolBroken,
    Refused,
    Result,
    Resume,
    RulesKnown,
    State,
    encode,
)
from protocol.machine import WAITING
from protocol.questions import QUESTION_KINDS, is_about_clock
from protocol.refusals import Word

_QUIT: Final = encode(QUIT)

ANSWER_TIMEOUT: Final = 30.0
"""Seconds that a dealer gets to answer a client that comes back, or to tell of a round that is over.

One that is started again lets connections wait until then, and it may work out first what decisions cost.
"""

_TAKEN_OVER: Final = "taken over"
"""The words by which a dealer closes the connection of a player who plays on over another one."""


class ReturningHandler(Handler, Protocol):
    """A handler for a connection that may be lost and come back."""

    def interrupted(self) -> None:
        """More than the open round may have been missed, or it is void: cards, and that the shoe is fresh."""

    def recovered(self, past: PastRound) -> None:
        """A round is over that was not seen to its end, or not at all."""


class Tries(Protocol):
    """The interface of what connects a client again, and tells a person about it."""

    def lose(self, client: ReturningClient, reason: str) -> None:
        """The connection is lost: connect the client again, or give up by `ReturningClient.give_up`."""

    def miss(self, rounds: int) -> None:
        """The results of this many rounds cannot be recovered."""

    def void(self) -> None:
        """The open round is void: it is not counted, and its stake is back."""

    def come_back(self, past: Sequence[PastRound]) -> None:
        """The client is at a table again; these rounds are over and were not seen to their end."""


class ReturningClient(Client):
    """One player at a dealer, over one connection after the other.

    It comes back where the connection ends without a QUIT from either side. Where the dealer has said why it
    closes it, it comes back only to a seat that is kept, and that no other connection has taken over. A
    classic dealer serves a player once: there it does not.

    Args:
        handler: who plays.
        name: the name to join with.
        rounds: play at most this many rounds; None for no limit.
        address, rules: as of `Client`.
        tries: connects it again.
        token, shows: as of `Client`.

    Attributes:
        played: how many rounds are over, at all seats that it has had; those in `lost` too.
        lost: how many of them have no result that is known.
    """

    def __init__(
        self,
        handler: ReturningHandler,
        name: str,
        rounds: int | None,
        address: str | None,
        rules: Rules | None = None,
        *,
        tries: Tries,
        token: str | None = None,
        shows: bool = False,
    ) -> None:
        super().__init__(handler, name, rounds, address, rules, token=token, shows=shows)
        self.lost = 0
        self._returning_handler = handler
        self._address = address
        self._tries = tries
        self._first_reason: str | None = None  # why the connection was lost, while it is
        self._fault: str | None = None  # why this connection is about to be lost
        self._told_rules: RulesKnown | None = None
        self._before = 0  # rounds that were over when the seat was taken
        self._recovery: Recovery | None = None
        self._refused_at: object = None  # where the last refusal came that may say why the connection ends
        self._is_taken_over = False  # whether that was since the seat is played over another connection

    # What the event loop calls.

    @own_errors_end_it
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join, or come back."""
        if self._first_reason is None or self.over.done():
            super().connection_made(transport)
            return
        self._take_transport(transport)
        self._begin_again()
        if not self._conversation.is_open:
            self._loop.call_later(ANSWER_TIMEOUT, self._end_unless_open, self._conversation, ANSWER_TIMEOUT)
        self._flush()

    @own_errors_end_it
    def eof_received(self) -> None:
        """Take a last QUIT without its end, or before the first round an ERROR, but no other message.

        It may be cut off. A round whose rules have not been told when the connection ends is not played.
        """
        unfinished = self._conversation.unfinished
        is_refused = not self.has_begun.done() and unfinished.startswith(b"ERROR ")
        if not self._may_return or unfinished == _QUIT or is_refused:
            super().eof_received()

    @own_errors_end_it
    def connection_lost(self, exc: Exception | None) -> None:
        """Come back, if that may be."""
        if not self._may_return:
            super().connection_lost(exc)
            return
        self._drop_transport()
        self._lose(self._fault or self._why_lost(exc))

    # What the handler and the tries call.

    @property
    def is_asked(self) -> bool:
        """Whether the dealer waits for a decision; not while it is asked what was missed."""
        return self._recovery is None and super().is_asked

    @property
    def is_betting(self) -> bool:
        """Whether the dealer waits for a bet, as far as is known."""
        return self._recovery is None and super().is_betting

    @own_errors_end_it
    def give_up(self) -> None:
        """Come back no more: it has ended for the reason for which the connection was lost first.

        The open round cannot be recovered then.
        """
        if self._round.is_open:
            self._settle_all([PastRound()])
        self._end(self._first_reason)

    # A connection is lost.

    @property
    def _may_return(self) -> bool:
        """Whether the end of this connection is not the end."""
        if self._has_ended or self.is_classic:
            return False
        if self._first_reason is not None:
            return True
        if not self.has_begun.done() and self._conversation.refusal is not None:
            return False  # the JOIN is refused
        return not self._is_told_why or (self.seat_token is not None and not self._is_taken_over)

    @property
    def _is_told_why(self) -> bool:
        """Whether the last word of the dealer may say why it closes the connection."""
        return self._refused_at == self._place

    @property
    def _place(self) -> object:
        """A number that changes with each message of the dealer except refusals."""
        return self.played, self._round.told, self._round.answered_at, self._conversation.state

    def _lose(self, reason: str) -> None:
        """The connection is lost: come back, unless all rounds are over."""
        held = self._conversation.rounds_held
        self._stop_timer()
        self._conversation.note_gone()
        self._fault, self._recovery = None, None
        self._holds_back = False
        self._round.lose()
        self._first_reason = self._first_reason or reason
        if self._is_told_why:
            reason = "the dealer closed the connection"  # and the handler was told why
        if self.seat_token is None:
            reason = f"{reason}, and the seat is not kept"
            self._lose_seat([None] if self._round.is_open else held)
        if self._rounds_left == 0:
            self._end(None)
        else:
            self._tries.lose(self, reason)

    def _lose_seat(self, rounds: Sequence[Result | None]) -> None:
        """Count what was open at a seat that is not kept: results, None for those that are not known."""
        self._settle_all(
            [PastRound() if each is None else PastRound(each.outcome, each.payoff) for each in rounds]
        )
        self._before = self.played
        self._returning_handler.interrupted()

    @property
    def _rounds_left(self) -> int | None:
        """The number of rounds to join for again; None for no limit."""
        limit = self._join.rounds if self._limit is None else self._limit
        return None if limit is None else max(0, limit - self.played)

    def _fail(self, fault: str) -> None:
        """End by a fault; while it comes back, that is one more try that has failed."""
        if self._first_reason is None or self._transport is None:
            super()._fail(fault)
        else:
            self._fail_try(fault)

    def _note_fault(self, fault: str) -> None:
        """Note that this connection is about to be lost: nothing more is taken from it."""
        self._fault, self._holds_back = fault, True

    def _fail_try(self, fault: str) -> None:
        """Break the connection off: it is of no use."""
        self._note_fault(fault)
        if self._transport is not None:
            self._transport.abort()

    def _begin_again(self) -> None:
        """Ask for the seat that is kept, or for another one."""
        rules = self._told_rules.rules if self.seat_token is not None and self._told_rules else None
        self._conversation = PlayerConversation(address=self._address, rules=rules)
        self._awaits_keep = self._awaits_show = False
        self._refused_at = None
        if self.seat_token is None:
            self._waits_for_begin = True
            self._conversation.join(Join(self._join.name, self._rounds_left, self._join.token))
        else:
            self._begin_recovery(resumes=True)
            self._conversation.join(Resume(self.seat_token))
            self._ask_behind_resume()

    def _ask_behind_resume(self) -> None:
        """Ask for the last round at the seat, as soon as the seat has been asked for."""
        if self._timer is None and self._conversation.state is not State.CONNECTED:
            self._ask_for(HistoryRequest(1))

    # What was missed.

    def _ask_for_past(self, *held: Event, result: PastRound | None = None) -> None:
        """Ask how the last round at the seat has ended, and hold back everything else."""
        self._begin_recovery(resumes=False, result=result).held.extend(held)
        self._ask_for(HistoryRequest(1))

    def _begin_recovery(self, *, resumes: bool, result: PastRound | None = None) -> Recovery:
        """Hold back what the dealer says until it is known what was missed."""
        recovery = Recovery(self.played - self._before, resumes=resumes, result=result)
        self._recovery, self._holds_back = recovery, True
        return recovery

    def _ask_for(self, request: HistoryRequest) -> None:
        self._stop_timer()
        self._timer = self._loop.call_later(ANSWER_TIMEOUT, self._give_up_on_history)
        self._conversation.send(request)

    @own_errors_end_it
    def _give_up_on_history(self) -> None:
        recovery = self._recovery
        if recovery is not None and recovery.resumes and not recovery.held:
            self._fail_try(f"no answer to RESUME within {ANSWER_TIMEOUT:g} s")
        elif recovery is not None:
            self._end_recovery(recovery)
            self._flush()

    def _hold_back(self, event: Event) -> None:
        """Hold an event back until it is known what was missed."""
        if self._fault is None and self._recovery is not None:
            self._recover(self._recovery, event)

    def _recover(self, recovery: Recovery, event: Event) -> None:
        match event:
            case HistoryReply() if not recovery.is_over:
                request = recovery.take(event)
                if request is None:
                    recovery.is_over = True
                else:
                    self._ask_for(request)
            case Error() | Refused() if not (recovery.is_over or is_about_clock(event.text)):
                self._take_refusal_of_past(recovery, event)
            case DealerQuit() if recovery.is_turned_away:
                self._fail_try(self._closed_by_dealer())
            case DealerQuit():
                self._end_recovery(recovery)
                self._takers[type(event)](self, event)
            case PeerFinished() | ProtocolBroken():
                if not recovery.resumes:
                    self._end_recovery(recovery)
                self._takers[type(event)](self, event)
            case _:
                recovery.held.append(event)

    def _take_refusal_of_past(self, recovery: Recovery, refusal: Error | Refused) -> None:
        """HISTORY is refused, or the RESUME before it, or the connection."""
        word = refusal.word if isinstance(refusal, Refused) else None
        if word == Word.NO_ROUND:
            recovery.note_no_round()
        elif not recovery.resumes:
            recovery.is_over = True
        elif word == Word.ENDED:
            self._fail_try(self._closed_by_dealer())
        elif word is None and not recovery.is_turned_away:
            recovery.is_turned_away = True  # a dealer that knows RESUME refuses it by REFUSED
        else:
            self._join_again()

    def _note_all_taken(self) -> None:
        """Go on only now: what came together with the answer tells whether a question is still open."""
        recovery = self._recovery
        if recovery is not None and recovery.is_over:
            self._end_recovery(recovery)
        elif recovery is not None and recovery.resumes:
            self._ask_behind_resume()

    def _join_again(self) -> None:
        """RESUME is refused: join again, over another connection."""
        self.seat_token, self._recovery = None, None
        self._fail_try("the dealer refuses RESUME")

    def _end_recovery(self, recovery: Recovery) -> None:
        """Count the rounds that were missed, and go on with what was held back."""
        self._recovery, self._holds_back = None, self._fault is not None
        self._stop_timer()
        past = recovery.past
        if recovery.resumes:
            past = self._compare(recovery, past)
        elif not past and self._round.is_open:  # another one begins
            past = self._drop_round(recovery)
            self._returning_handler.interrupted()
        self._settle_all(past)
        if recovery.resumes:
            self._note_back(past)
        self._pour(recovery.held)

    def _note_back(self, past: Sequence[PastRound]) -> None:
        if self._first_reason is not None:
            self._first_reason = None
            self._tries.come_back(past)

    def _compare(self, recovery: Recovery, past: list[PastRound]) -> list[PastRound]:
        """Find out whether a RESUME has brought the same round or another one; return what was missed."""
        replay, seen = replay_in(recovery.held), self._round
        if not past and seen.is_other(replay):
            past = self._drop_round(recovery)
        if past or not (seen.is_open or seen.is_betting):
            self._returning_handler.interrupted()
            seen.pass_on(replay, self._rules)
            return past
        answered = self._answered if seen.answered_at == seen.told else None
        if seen.is_betting:
            stakes = self.stakes
            least = None if stakes.asked is None else stakes.asked.minimum
            is_least = answered is None or stakes.staked == least
            seen.go_on_to_bet(replay, self._rules, answered and answered[0], is_least=is_least)
            return past
        was_asked = not self.notes_decided or self._decided.is_open
        seen.go_on(replay, self._rules, answered, was_asked=was_asked)
        if answered is None:
            self._decided.forget()  # it is asked again
        return past

    def _drop_round(self, recovery: Recovery) -> list[PastRound]:
        """Another round is open than the one that was; return that one if it counts.

        It is void if no result is missing; where the dealer does not say, its result is lost.
        """
        if recovery.over is None:
            return [PastRound()]
        self._forget_round()
        self._tries.void()
        return []

    def _settle_all(self, rounds: Sequence[PastRound]) -> None:
        """Count rounds that were not seen to their end, and say how many have no result."""
        for past in rounds:
            self._settle(past)
        if lost := sum(past.outcome is None for past in rounds):
            self._tries.miss(lost)

    def _settle(self, past: PastRound) -> None:
        """Count a round that was not seen to its end."""
        self._forget_round()
        self.played += 1
        self.lost += past.outcome is None
        self.stakes.settle_unseen(past.payoff, past.chips)
        self._returning_handler.recovered(past)

    def _forget_round(self) -> None:
        self._round.settle()
        self._decided.forget()
        self.stakes.forget()

    def _pour(self, held: Sequence[Event]) -> None:
        """Take what was held back. A question that the clock has taken meanwhile is not asked any more."""
        last = max((place for place, event in enumerate(held) if type(event) in QUESTION_KINDS), default=-1)
        for place, event in enumerate(held):
            is_open = place == last and self._conversation.state in WAITING
            if self._recovery is None and type(event) in QUESTION_KINDS and not is_open:
                self._round.miss(event)
            elif not self._has_ended:
                self._take(event)

    # What the dealer says.

    def _note_begin(self) -> None:
        super()._note_begin()
        if self._recovery is None:
            self._note_back(())

    def _ask_bet(self, request: BetRequest) -> None:
        if self._round.is_open:
            self._ask_for_past(request)
        elif not self._repeat():
            super()._ask_bet(request)

    def _take_refusal(self, message: Error | Refused) -> None:
        super()._take_refusal(message)
        is_closing = message.text == self._conversation.refusal and not is_about_clock(message.text)
        self._refused_at = self._place if is_closing and not self.was_late else None
        word = message.word if isinstance(message, Refused) else None
        self._is_taken_over = word == Word.TAKEN_OVER or _TAKEN_OVER in message.text

    def _take_rules(self, event: RulesKnown) -> None:
        """Take the rules, once: those of a table that is joined later must be the same."""
        if event.rules is None and self._may_return and self._conversation.waiting[-1:] == [None]:
            return  # the connection has ended: the dealer is asked again
        if self._told_rules is None:
            self._told_rules = event
            super()._take_rules(event)
        elif event.rules in (None, self._told_rules.rules):
            self._make_wishes(event)
        else:
            self._end(f"the dealer has other rules than before the connection was lost: {event.rules}")

    def _take_quit(self, message: DealerQuit) -> None:
        if self._first_reason is not None and self._conversation.refusal is not None:
            self._fail_try(self._closed_by_dealer())  # a JOIN is turned away: there may be another dealer
            return
        super()._take_quit(message)
        if self._round.is_open:
            self._settle_all([PastRound()])

    def _take_end(self, message: PeerFinished) -> None:
        if self._may_return and self._transport is not None:
            # The rest is done when it is lost, and TLS would wait for the dealer.
            self._fail_try(self._closed_by_dealer())
        else:
            super()._take_end(message)

    _takers: ClassVar[Mapping[type, Callable[[Any, Any], None]]]


ReturningClient._takers = {
    **Client._takers,
    BetRequest: ReturningClient._ask_bet,
    Error: ReturningClient._take_refusal,
    Refused: ReturningClient._take_refusal,
    RulesKnown: ReturningClient._take_rules,
    DealerQuit: ReturningClient._take_quit,
    PeerFinished: ReturningClient._take_end,
}
