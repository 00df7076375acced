"""Both sides of a conversation, side by side: whatever is said, they agree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import CARDS, Decision, Outcome, Rules
from protocol import (
    RESULTS,
    TRANSITIONS,
    Conversation,
    DealerConversation,
    Life,
    LineRefused,
    PlayerConversation,
    ProtocolBroken,
    RemoteProtocolError,
    State,
    ask,
    decode_dealer,
    decode_player,
    encode,
)
from protocol import messages as m
from protocol.questions import may_answer
from protocol.site import Site
from tests.protocol.tape import Tape, few, many, tapes

ASKING: Final = {State.BETTING, State.INSURING, State.ASKED}

BETS: Final = (m.BetRequest(1, 1, 1), m.BetRequest(5, 100, Fraction(2469, 2)))

OF_DEALERS: Final[Sequence[m.Message]] = (
    *(m.Begin(), m.SHUFFLE, *BETS, m.ASK, *map(ask, m.SIDES)),
    *(ask(m.PLAY[:number]) for number in range(2, 6)),
    *(ask((Decision.STAND, Decision.SPLIT)), m.CardMessage(CARDS[0]), m.DealerCard(CARDS[1])),
    *(m.OtherHand(2, "bob", (CARDS[2], CARDS[3])), m.HandTurn(1, 4)),
    m.HandResult(0, 2, Outcome.SURRENDER, Fraction(-1, 2)),
    *(RESULTS[Outcome.WIN], m.Result(Outcome.BUST, Fraction(6, 5)), m.Error("look out")),
    m.TableUpdate("{}"),
)
ANY_ANSWER: Final[Sequence[m.Answer]] = (*m.ANSWERS.values(), m.Bet(1), m.Bet(5), m.Bet(100), m.Bet(101))

ASIDES: Final[Sequence[m.Message]] = (
    *(m.RulesRequest(), m.Show(), m.Help(), m.Next(), m.Start(), m.AddBot(), m.HintRequest()),
)


class Pair:
    """A dealer's side and a player's, in lines, with nothing on its way between them."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.dealer = DealerConversation(site=Site(), rules=Rules())
        self.player = PlayerConversation(rules=Rules())
        self._is_out_of_step = False  # the player does not know that the clock, or a raw line, has answered
        self.player.join(m.Join("ada"))
        self._hear_player()
        self.dealer.grant()
        assert (self.dealer.state, self.player.state) == (State.SEATED, State.JOINING)

    @property
    def is_over(self) -> bool:
        return Life.OVER in (self.dealer.life, self.player.life)

    def do_something(self) -> None:
        match self._tape.below(8):
            case 0 | 1 | 2:
                self._dealer_says()
            case 3 | 4:
                self._player_answers()
            case 5:
                self._player_says_aside()
            case 6:
                self._player_slips()
            case 7 if self.dealer.state in ASKING and not self._tape.one_in(4):
                self._clock()
            case 7 if self._tape.one_in(8):
                self._dealer_slips()
        if not self.is_over:
            self._compare()

    def _compare(self) -> None:
        dealer, player = self.dealer, self.player
        if self._is_out_of_step or player.state is State.JOINING:
            return
        assert player.state is dealer.state
        if dealer.state in ASKING:
            assert player.question == dealer.question

    def _dealer_says(self) -> None:
        """Anything that is allowed; where the clock has answered, what may follow that."""
        moves = set(TRANSITIONS[self.dealer.state])
        if self._is_out_of_step:
            moves &= set(TRANSITIONS[self.player.state])
        message = self._tape.one_of([message for message in OF_DEALERS if type(message) in moves])
        before = self.dealer.state
        self.dealer.send(message)
        assert self._hear_dealer() == [message]
        if before is not self.dealer.state or self.player.state is self.dealer.state:
            self._is_out_of_step = False

    def _player_answers(self) -> None:
        """Where the player thinks that it is asked; by then the clock or a line that it typed may have."""
        player, dealer = self.player, self.dealer
        if player.state not in ASKING:
            return
        moves = TRANSITIONS[player.state]
        offered = [each for each in ANY_ANSWER if type(each) in moves and may_answer(player.question, each)]
        answer = self._tape.one_of(offered)
        state, is_out_of_step = dealer.state, self._is_out_of_step
        player.send(answer)
        events = self._hear_player()
        if events != [answer]:
            (event,) = events
            assert isinstance(event, LineRefused)
            assert event.is_last or is_out_of_step or " came too late" in event.reason
            assert dealer.state is state
        self._hear_dealer()
        self._is_out_of_step = player.state is not dealer.state

    def _player_says_aside(self) -> None:
        message = self._tape.one_of(ASIDES)
        if all(type(message) in TRANSITIONS[side.state] for side in (self.player, self.dealer)):
            self.player.send(message)
            self._hear_player()
            self._hear_dealer()

    def _player_slips(self) -> None:
        """A line that no player of this project sends; an answer that is not offered changes nothing."""
        line = self._tape.one_of((self._tape.noise(30), encode(self._tape.one_of(ANY_ANSWER)), b"bet 01"))
        state, question = self.dealer.state, self.dealer.question
        try:
            message = decode_player(line, is_typed=True)
        except RemoteProtocolError:
            message = None
        if message is not None and not isinstance(message, m.Answer):
            return
        events = self._told(line + b"\n")
        if message is not None and events == [message]:
            assert may_answer(question, message)
            assert type(message) in TRANSITIONS[state]
            self._is_out_of_step = True
        elif not self.is_over:
            assert (self.dealer.state, self.dealer.question) == (state, question)
        self._hear_dealer()

    def _dealer_slips(self) -> None:
        """Something that no dealer of this project says now: a player breaks off, and not before that."""
        line = self._tape.one_of((*map(encode, OF_DEALERS), b"HIT", b"RESULT", self._tape.noise(20)))
        try:
            is_allowed = type(decode_dealer(line)) in {type(None), *TRANSITIONS[self.player.state]}
        except RemoteProtocolError:
            is_allowed = False
        if is_allowed:
            return
        (event,) = self.player.receive(line + b"\n")
        assert isinstance(event, ProtocolBroken)
        assert self.player.life is Life.OVER

    def _clock(self) -> None:
        if not self.dealer.clock_ran_out():
            self.dealer.close()
            return
        self._is_out_of_step = True
        (event,) = self._hear_dealer()
        assert isinstance(event, m.Error)

    def _told(self, data: bytes) -> Sequence[object]:
        events = list(self.dealer.receive(data))
        while self.dealer.waiting:
            events += self.dealer.proceed()
        self.dealer.proceed()
        if any(isinstance(event, LineRefused) and event.is_last for event in events):
            self._hear_dealer()
            self.dealer.close()
        return events

    def _hear_player(self) -> Sequence[object]:
        data = b"".join(self.player.data_to_send())
        return self._told(data) if data else []

    def _hear_dealer(self) -> Sequence[object]:
        events: list[object] = []
        for data in self.dealer.data_to_send():
            for piece in self._tape.pieces(data):
                events += self.player.receive(piece)
        while self.player.waiting:
            events += self.player.proceed()
        return events

    def quit(self) -> None:
        """The dealer ends it, wherever that is allowed."""
        if not self.is_over and type(m.QUIT) in TRANSITIONS[self.dealer.state]:
            self.dealer.send(m.QUIT)
            self._hear_dealer()
            assert self.player.state is self.dealer.state is State.CLOSED


def assert_agreed(tape: bytes) -> None:
    """Play a tape on both sides, and see that they agree all the time."""
    pair = Pair(Tape(tape))
    for _ in range(60):
        if pair.is_over:
            break
        pair.do_something()
    pair.quit()


@few
@given(tape=tapes)
def test_both_sides_agree_where_a_conversation_stands(tape: bytes) -> None:
    assert_agreed(tape)


@pytest.mark.check
@many
@given(tape=tapes)
def test_both_sides_agree_on_many_tapes(tape: bytes) -> None:
    assert_agreed(tape)


@few
@given(st.booleans(), st.lists(st.binary(max_size=80), max_size=5), st.booleans())
def test_bytes_never_raise_anything(is_dealer: bool, pieces: list[bytes], joins: bool) -> None:
    conversation: Conversation = (
        DealerConversation(site=Site(), rules=Rules()) if is_dealer else PlayerConversation(rules=Rules())
    )
    if joins:
        conversation.receive(b"JOIN ada\n" if is_dealer else b"BEGIN\n")
    for piece in pieces:
        for data in (piece, b"\n"):
            conversation.receive(data)
            while conversation.waiting:
                conversation.proceed()
    conversation.receive_eof()
    assert all(isinstance(data, bytes) for data in conversation.data_to_send())
