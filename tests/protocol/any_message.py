"""Any message of a player and of a dealer, for properties."""

from __future__ import annotations

import json
import string
from fractions import Fraction
from typing import Final

from hypothesis import strategies as st

from cards import CARDS, PRESETS, Decision, Outcome
from cards.rules import exact
from protocol import MAX_NAME, Word
from protocol import messages as m
from protocol.names import is_name, normal

PRINTABLE: Final = [chr(code) for code in range(ord("!"), ord("~") + 1)]
NAMES: Final = st.one_of(
    st.text(PRINTABLE, min_size=1, max_size=MAX_NAME),
    st.text(min_size=1, max_size=MAX_NAME).map(normal),
    st.text("%24aF é", min_size=1, max_size=MAX_NAME),
).filter(is_name)
_NUMBERS: Final = st.integers(1, m.MAX_TABLE_NUMBER)
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
_HANDS: Final = st.integers(1, m.MAX_HAND_COUNT).flatmap(
    lambda hands: st.tuples(st.integers(0, hands - 1), st.just(hands))
)
_OBJECTS: Final = st.dictionaries(
    st.text(max_size=9), st.none() | st.booleans() | st.integers() | st.text(max_size=9), max_size=4
).map(json.dumps)

PLAYER_MESSAGES: Final[dict[type[m.PlayerMessage], st.SearchStrategy[m.PlayerMessage]]] = {
    m.Join: st.builds(m.Join, NAMES, st.none() | st.integers(1, m.MAX_JOIN_ROUNDS)),
    m.Watch: st.builds(m.Watch, st.none() | _NUMBERS),
    m.Open: st.builds(m.Open, _OPTIONS),
    m.HistoryRequest: st.integers(1, 1000).map(m.HistoryRequest),
    m.ChartRequest: st.builds(m.ChartRequest, st.integers(2, 11), _OPTIONS),
    m.Keep: st.builds(m.Keep, _TOKENS),
    m.Resume: st.builds(m.Resume, _TOKENS),
    m.Bet: st.builds(m.Bet, st.integers(1, 10**12)),
    **{
        kind: st.just(kind())
        for kind in (
            *(m.Hit, m.Stand, m.Double, m.Split, m.Surrender, m.Insure, m.Decline, m.PlayerQuit),
            *(m.RulesRequest, m.Show, m.Help, m.Next, m.HintRequest, m.Reveal, m.ReviewRequest),
            m.TablesRequest,
        )
    },
}
DEALER_MESSAGES: Final[dict[type[m.DealerMessage], st.SearchStrategy[m.DealerMessage]]] = {
    m.CardMessage: st.sampled_from(CARDS).map(m.CardMessage),
    m.DealerCard: st.sampled_from(CARDS).map(m.DealerCard),
    m.Result: st.builds(m.Result, st.sampled_from(Outcome), st.none() | _PAYOFFS),
    m.DecisionRequest: st.sets(st.sampled_from(m.PLAY)).map(
        lambda options: m.DecisionRequest(tuple(each for each in m.PLAY if each in options))
    ),
    m.SideRequest: st.sampled_from(m.SIDES).map(m.SideRequest),
    m.BetRequest: st.lists(st.integers(1, 10**12), min_size=3, max_size=3).map(
        lambda chips: m.BetRequest(*sorted(chips))
    ),
    m.HandTurn: _HANDS.map(lambda hand: m.HandTurn(*hand)),
    m.HandResult: st.builds(
        lambda hand, outcome, payoff: m.HandResult(hand[0], hand[1], outcome, payoff),
        _HANDS,
        st.sampled_from(Outcome),
        _PAYOFFS,
    ),
    m.OtherHand: st.builds(
        m.OtherHand,
        st.integers(0, 8),
        NAMES,
        st.lists(st.sampled_from(CARDS), min_size=1, max_size=20).map(tuple),
    ),
    m.HelpReply: NAMES.map(m.HelpReply),
    m.Error: NAMES.map(m.Error),
    m.Refused: st.builds(m.Refused, st.sampled_from(Word), NAMES),
    m.RulesReply: st.sampled_from([*PRESETS.values()]).map(m.RulesReply),
    m.TableUpdate: _OBJECTS.map(m.TableUpdate),
    m.Opened: _NUMBERS.map(m.Opened),
    m.HintReply: st.builds(m.HintReply, st.sampled_from(Decision), _COSTS),
    m.TablesReply: _OBJECTS.map(m.TablesReply),
    m.HistoryReply: st.builds(
        lambda back, more, told: m.HistoryReply(back, back + more, told),
        st.integers(1, 500),
        st.integers(0, 500),
        _OBJECTS,
    ),
    m.ChartReply: st.builds(m.ChartReply, st.integers(2, 11), _OBJECTS),
    m.ReviewReply: st.builds(
        m.ReviewReply,
        _COUNTS,
        _COUNTS,
        _COSTS,
        st.lists(
            st.builds(m.ReviewedDecision, st.sampled_from(Decision), _COSTS, st.sampled_from(Decision))
        ).map(tuple),
    ),
    **{kind: st.just(kind()) for kind in (m.Begin, m.Shuffle, m.DealerQuit)},
}
