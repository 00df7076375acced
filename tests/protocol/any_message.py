"""Any message of a player and of a dealer, for properties."""

from __future__ import annotations

import json
import string
from fractions import Fraction
from typing import Final

from hypothesis import strategies as st

from cards import CARDS, PRESETS, Decision, Outcome
from cards.rules import exact
from protocol import (
    MAX_JOIN_ROUNDS,
    MAX_NAME,
    Begin,
    Bet,
    BetRequest,
    CardMessage,
    ChartReply,
    ChartRequest,
    DealerCard,
    DealerMessage,
    DealerQuit,
    DecisionRequest,
    Decline,
    Double,
    Error,
    HandResult,
    HandTurn,
    Help,
    HelpReply,
    HintReply,
    HintRequest,
    HistoryReply,
    HistoryRequest,
    Hit,
    Insure,
    Join,
    Keep,
    Next,
    Open,
    Opened,
    OtherHand,
    PlayerMessage,
    PlayerQuit,
    Refused,
    Result,
    Resume,
    Reveal,
    ReviewedDecision,
    ReviewReply,
    ReviewRequest,
    RulesReply,
    RulesRequest,
    Show,
    Shuffle,
    SideRequest,
    Split,
    Stand,
    Surrender,
    TablesReply,
    TablesRequest,
    TableUpdate,
    Watch,
    Word,
)
from protocol.messages import MAX_HAND_COUNT, MAX_TABLE_NUMBER, PLAY, SIDES
from protocol.names import is_name, normal

PRINTABLE: Final = [chr(code) for code in range(ord("!"), ord("~") + 1)]
NAMES: Final = st.one_of(
    st.text(PRINTABLE, min_size=1, max_size=MAX_NAME),
    st.text(min_size=1, max_size=MAX_NAME).map(normal),
    st.text("%24aF é", min_size=1, max_size=MAX_NAME),
).filter(is_name)
_NUMBERS: Final = st.integers(1, MAX_TABLE_NUMBER)
_COUNTS: Final = st.integers(0, 10**15 - 1)
_TOKENS: Final = st.text(string.ascii_letters + string.digits + "_-", min_size=22, max_size=64)
_COSTS: Final = st.floats(0, 999_999_999.999999).map(lambda cost: round(cost, 6))
_OPTIONS: Final = st.lists(
    st.tuples(
        st.text(string.ascii_lowercase + "-", min_size=1, max_size=9),
        st.text(PRINTABLE, min_size=1, max_size=9),
    ),
    max_size=4,
).map(tuple)
_PAYOFFS: Final = st.builds(lambda tenths: exact(Fraction(tenths, 10)), st.integers(-(10**20), 10**20))
_HANDS: Final = st.integers(1, MAX_HAND_COUNT).flatmap(
    lambda hands: st.tuples(st.integers(0, hands - 1), st.just(hands))
)
_OBJECTS: Final = st.dictionaries(
    st.text(max_size=9), st.none() | st.booleans() | st.integers() | st.text(max_size=9), max_size=4
).map(json.dumps)

PLAYER_MESSAGES: Final[dict[type[PlayerMessage], st.SearchStrategy[PlayerMessage]]] = {
    Join: st.builds(Join, NAMES, st.none() | st.integers(1, MAX_JOIN_ROUNDS)),
    Watch: st.builds(Watch, st.none() | _NUMBERS),
    Open: st.builds(Open, _OPTIONS),
    HistoryRequest: st.integers(1, 1000).map(HistoryRequest),
    ChartRequest: st.builds(ChartRequest, st.integers(2, 11), _OPTIONS),
    Keep: st.builds(Keep, _TOKENS),
    Resume: st.builds(Resume, _TOKENS),
    Bet: st.builds(Bet, st.integers(1, 10**12)),
    **{
        kind: st.just(kind())
        for kind in (
            *(Hit, Stand, Double, Split, Surrender, Insure, Decline, PlayerQuit, RulesRequest),
            *(Show, Help, Next, HintRequest, Reveal, ReviewRequest, TablesRequest),
        )
    },
}
DEALER_MESSAGES: Final[dict[type[DealerMessage], st.SearchStrategy[DealerMessage]]] = {
    CardMessage: st.sampled_from(CARDS).map(CardMessage),
    DealerCard: st.sampled_from(CARDS).map(DealerCard),
    Result: st.builds(Result, st.sampled_from(Outcome), st.none() | _PAYOFFS),
    DecisionRequest: st.sets(st.sampled_from(PLAY)).map(
        lambda options: DecisionRequest(tuple(each for each in PLAY if each in options))
    ),
    SideRequest: st.sampled_from(SIDES).map(SideRequest),
    BetRequest: st.lists(st.integers(1, 10**12), min_size=3, max_size=3).map(
        lambda chips: BetRequest(*sorted(chips))
    ),
    HandTurn: _HANDS.map(lambda hand: HandTurn(*hand)),
    HandResult: st.builds(
        lambda hand, outcome, payoff: HandResult(hand[0], hand[1], outcome, payoff),
        _HANDS,
        st.sampled_from(Outcome),
        _PAYOFFS,
    ),
    OtherHand: st.builds(
        OtherHand,
        st.integers(0, 8),
        NAMES,
        st.lists(st.sampled_from(CARDS), min_size=1, max_size=20).map(tuple),
    ),
    HelpReply: NAMES.map(HelpReply),
    Error: NAMES.map(Error),
    Refused: st.builds(Refused, st.sampled_from(Word), NAMES),
    RulesReply: st.sampled_from([*PRESETS.values()]).map(RulesReply),
    TableUpdate: _OBJECTS.map(TableUpdate),
    Opened: _NUMBERS.map(Opened),
    HintReply: st.builds(HintReply, st.sampled_from(Decision), _COSTS),
    TablesReply: _OBJECTS.map(TablesReply),
    HistoryReply: st.builds(
        lambda back, more, told: HistoryReply(back, back + more, told),
        st.integers(1, 500),
        st.integers(0, 500),
        _OBJECTS,
    ),
    ChartReply: st.builds(ChartReply, st.integers(2, 11), _OBJECTS),
    ReviewReply: st.builds(
        ReviewReply,
        _COUNTS,
        _COUNTS,
        _COSTS,
        st.lists(
            st.builds(ReviewedDecision, st.sampled_from(Decision), _COSTS, st.sampled_from(Decision))
        ).map(tuple),
    ),
    **{kind: st.just(kind()) for kind in (Begin, Shuffle, DealerQuit)},
}
