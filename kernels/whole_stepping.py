"""Many rounds of the whole game side by side, each from its own shoe, a decision at a time.

The same as `kernels.stepping` with doubling, splitting, surrender, insurance, naturals at a ratio, and the
dealer's look at the hole card. Table i deals what a single environment deals under the same key, and asks
what `cards.WholeRound` asks of one seat, in the same order.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Double, Hand, HoleCard, Outcome, Rules, SplitAces, Surrender
from cards.hand import TWENTY_ONE
from cards.rules import MAX_HANDS
from kernels.draws import deal_counted
from kernels.hand_tables import RANKS, HandTables, all_hands, full_shoe, hand_tables
from kernels.shoe import PLACES, Shoe, begin_round
from kernels.stepping import OPEN, SOFT, TOTAL, UPCARD, deal_two, play_dealer, shoe_of
from policies.action_values import ACTIONS
from policies.policy import upcard_value
from support.compiling import compiled, inlined

HIT: Final = ACTIONS.index(Decision.HIT)
STAND: Final = ACTIONS.index(Decision.STAND)
DOUBLE: Final = ACTIONS.index(Decision.DOUBLE)
SPLIT: Final = ACTIONS.index(Decision.SPLIT)
SURRENDER: Final = ACTIONS.index(Decision.SURRENDER)
INSURE: Final = ACTIONS.index(Decision.INSURE)
"""The numbers of the actions."""

BEGIN: Final = -1
LEAVE: Final = -2
"""In place of an action: deal a round, whatever there was; or leave the table as it is."""

# What is allowed, as bits by the numbers of the actions. STAND declines what is asked before play.
HIT_OR_STAND: Final = 1 << HIT | 1 << STAND
STAND_OR_SPLIT: Final = 1 << STAND | 1 << SPLIT
INSURANCE: Final = 1 << STAND | 1 << INSURE
EARLY: Final = 1 << STAND | 1 << SURRENDER
NOTHING: Final = 0

# Places in the state of a round.
ALLOWED: Final = 0  # what is allowed now; NOTHING if nobody is asked any more
TURN: Final = 1  # the hand that is asked about
HANDS: Final = 2  # how many there are: all of two or more were made by splits
IS_INSURED: Final = 3
SHOWN: Final = 4  # the rank of the upcard
DEALER: Final = 5  # the number of the dealer's hand
IS_OVER: Final = 6
ROUND_PLACES: Final = 8

# The questions of a round, in their order, and the peek between them.
OF_INSURANCE: Final = 0
OF_EARLY: Final = 1
OF_PEEK: Final = 2
OF_PLAY: Final = 3

# Places in the state of a hand.
NUMBER: Final = 0  # by `all_hands`
CARDS_HELD: Final = 1  # 1, 2, or 3 for more
FIRST: Final = 2  # the rank of its first card
PAIR: Final = 3  # the points of its cards if they are two of equal points, else 0
STATE: Final = 4
STAKE: Final = 5
HAND_PLACES: Final = 6

PLAYING: Final = 0
STANDING: Final = 1
BUST: Final = 2
SURRENDERED: Final = 3

PAIR_SEEN: Final = 3
HANDS_SEEN: Final = 4
QUESTION: Final = 5
ROWS: Final = 6
"""The further rows of the observations, behind those of `kernels.stepping`, and how many there are."""

OUTCOMES: Final = tuple(Outcome)
"""The outcomes in the order of their numbers."""

_WIN: Final = OUTCOMES.index(Outcome.WIN)
_LOSE: Final = OUTCOMES.index(Outcome.LOSE)
_PUSH: Final = OUTCOMES.index(Outcome.PUSH)
_BUST: Final = OUTCOMES.index(Outcome.BUST)
_SURRENDER: Final = OUTCOMES.index(Outcome.SURRENDER)

UNIT: Final = 10
"""Payoffs are counted in tenths of the initial bet: they are exact, with halves and with 6:5."""

NATURAL: Final = TWENTY_ONE + 1
"""The strength of a natural that beats every other 21."""


class WholeRules(NamedTuple):
    """The rules of one seat against a dealer, as the kernel takes them.

    Attributes:
        tables: the hands, with a bust hand for each total.
        totals: int64 (hands,): the total of each.
        soft: int64 (hands,): 1 if it is soft, else 0.
        doubles: bool (hands,): whether each may be doubled, as far as its total goes.
        upcards: int64 (13,): the value of each rank as the upcard.
        points: uint8 (13,): the points of each rank.
        full: uint8 (cards,): the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards left before a round, the shoe is made fresh.
        doubles_always: whether more than two cards may be doubled.
        doubles_splits: whether a hand made by a split may be doubled.
        split: how many hands may be made of one.
        aces_play: whether split aces are hands like any other.
        aces_again: whether they may be split again.
        surrenders: whether the player may surrender.
        is_early: whether that is before the dealer peeks.
        insures: whether insurance is offered.
        peeks: whether the dealer looks at the hole card first.
        takes_one: whether a natural that is found at the end takes the initial bet only.
        is_ratio: whether naturals are paid at a ratio.
        natural: what a natural that wins is paid, in tenths.
    """

    tables: HandTables
    totals: NDArray[np.int64]
    soft: NDArray[np.int64]
    doubles: NDArray[np.bool_]
    upcards: NDArray[np.int64]
    points: NDArray[np.uint8]
    full: NDArray[np.uint8]
    fewest: int
    doubles_always: bool
    doubles_splits: bool
    split: int
    aces_play: bool
    aces_again: bool
    surrenders: bool
    is_early: bool
    insures: bool
    peeks: bool
    takes_one: bool
    is_ratio: bool
    natural: int


class WholeTables(NamedTuple):
    """The state of all tables: the entry (or row) i of each array is that of table i.

    Attributes:
        cards: uint8 (tables, cards): the ranks in the shoe; no columns for an infinite deck.
        at: int64 (tables, PLACES): the state of the shoe, see `kernels.shoe`.
        words: uint64 (tables, 1): what its random numbers are drawn from: the state of the generator.
        rounds: uint8 (tables, ROUND_PLACES): the state of the round, see above.
        hands: uint8 (tables, MAX_HANDS, HAND_PLACES): that of each of the player's hands.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    words: NDArray[np.uint64]
    rounds: NDArray[np.uint8]
    hands: NDArray[np.uint8]


def whole_rules(rules: Rules) -> WholeRules:
    """The rules of one seat against a dealer, as the kernel takes them."""
    hands = all_hands(rules, by_bust_total=True)
    return WholeRules(
        tables=hand_tables(rules, by_bust_total=True),
        totals=np.array([hand.total for hand in hands], np.int64),
        soft=np.array([hand.is_soft for hand in hands], np.int64),
        doubles=np.array([_may_double(rules, hand) for hand in hands]),
        upcards=np.array([upcard_value(card) for card in RANKS], np.int64),
        points=np.array([card.points for card in RANKS], np.uint8),
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
        doubles_always=rules.double is Double.ALWAYS,
        doubles_splits=rules.double_after_split,
        split=rules.split,
        aces_play=rules.split_aces is SplitAces.PLAY,
        aces_again=rules.split_aces is not SplitAces.ONCE,
        surrenders=rules.surrender is not Surrender.NONE,
        is_early=rules.surrender is Surrender.EARLY,
        insures=rules.insurance,
        peeks=rules.hole_card is HoleCard.PEEK,
        takes_one=rules.hole_card is HoleCard.OBO,
        is_ratio=rules.naturals.is_ratio,
        natural=int(rules.naturals.payoff * UNIT),
    )


def _may_double(rules: Rules, hand: Hand) -> bool:
    totals = rules.double.totals
    return rules.double is not Double.NONE and (totals is None or hand.total in totals)


def empty_tables(count: int, rules: WholeRules) -> WholeTables:
    """A number of tables that have dealt nothing."""
    rounds = np.zeros((count, ROUND_PLACES), np.uint8)
    rounds[:, IS_OVER] = True
    return WholeTables(
        cards=np.zeros((count, rules.full.size), np.uint8),
        at=np.zeros((count, PLACES), np.int64),
        words=np.zeros((count, 1), np.uint64),
        rounds=rounds,
        hands=np.zeros((count, MAX_HANDS, HAND_PLACES), np.uint8),
    )


# Dealing.


@inlined
def clear(hand: NDArray[np.uint8]) -> None:
    """Make it a hand without cards."""
    hand[:] = 0
    hand[STAKE] = 1


@inlined
def give(rules: WholeRules, shoe: Shoe, hand: NDArray[np.uint8]) -> None:
    """Deal a hand its next card."""
    rank = deal_counted(shoe)
    held = hand[CARDS_HELD]
    if held == 0:
        hand[FIRST] = rank
    is_pair = held == 1 and rules.points[rank] == rules.points[hand[FIRST]]
    hand[PAIR] = rules.points[rank] if is_pair else 0
    hand[CARDS_HELD] = min(held + 1, 3)
    hand[NUMBER] = rules.tables.after[hand[NUMBER], rank]
    if rules.tables.strength[hand[NUMBER]] == 0:
        hand[STATE] = BUST


@inlined
def deal(rules: WholeRules, shoe: Shoe, state: NDArray[np.uint8], hand: NDArray[np.uint8]) -> None:
    """Deal a round: the first two cards, the upcard, the hole card."""
    begin_round(shoe)
    clear(hand)
    for _ in range(2):
        give(rules, shoe, hand)
    state[DEALER], state[SHOWN] = deal_two(rules.tables.after, shoe)
    state[TURN] = 0
    state[HANDS] = 1
    state[IS_INSURED] = False
    state[IS_OVER] = False
    if rules.is_ratio and rules.tables.strength[hand[NUMBER]] == NATURAL:
        hand[STATE] = STANDING


# Asking.


@inlined
def ask(
    rules: WholeRules, shoe: Shoe, state: NDArray[np.uint8], hands: NDArray[np.uint8], first: int
) -> None:
    """Ask what is to be asked next, from one of the questions on; NOTHING is allowed if there is nothing."""
    points = rules.points[state[SHOWN]]
    is_peek_due = rules.peeks and (points == 1 or points == 10)
    if first <= OF_INSURANCE and rules.insures and points == 1 and hands[0, STATE] != BUST:
        state[ALLOWED] = INSURANCE
    elif first <= OF_EARLY and rules.is_early and is_peek_due and hands[0, STATE] == PLAYING:
        state[ALLOWED] = EARLY
    elif first <= OF_PEEK and is_peek_due and rules.tables.strength[state[DEALER]] == NATURAL:
        state[ALLOWED] = NOTHING
        if hands[0, STATE] == PLAYING:
            hands[0, STATE] = STANDING
    else:
        ask_of_hands(rules, shoe, state, hands, rules.is_early and is_peek_due)


@inlined
def ask_of_hands(
    rules: WholeRules,
    shoe: Shoe,
    state: NDArray[np.uint8],
    hands: NDArray[np.uint8],
    was_early: bool,
) -> None:
    """Ask about the next hand that still plays, from the last one that was asked about on.

    A hand that a split has made is given its second card first.
    """
    state[ALLOWED] = NOTHING
    for number in range(int(state[TURN]), int(state[HANDS])):
        hand = hands[number]
        if hand[STATE] == PLAYING:
            is_new = hand[CARDS_HELD] == 1
            if is_new:
                give(rules, shoe, hand)
            allowed = allowed_with(rules, state, hand, was_early)
            if is_new and not rules.aces_play and rules.points[hand[FIRST]] == 1:
                allowed = STAND_OR_SPLIT if allowed & (1 << SPLIT) else NOTHING
            if allowed != NOTHING:
                state[TURN] = number
                state[ALLOWED] = allowed
                break
            hand[STATE] = STANDING


@inlined
def allowed_with(
    rules: WholeRules, state: NDArray[np.uint8], hand: NDArray[np.uint8], was_early: bool
) -> int:
    """What may be done with a hand of two cards or more.

    Args:
        rules: the rules.
        state: the state of the round.
        hand: the hand.
        was_early: whether surrender was offered before.
    """
    is_two, is_split = hand[CARDS_HELD] == 2, state[HANDS] > 1
    may_double = rules.doubles[hand[NUMBER]] and (is_two or rules.doubles_always)
    may_split = hand[PAIR] != 0 and state[HANDS] < rules.split
    allowed = HIT_OR_STAND
    if may_double and (rules.doubles_splits or not is_split):
        allowed |= 1 << DOUBLE
    if may_split and (rules.aces_again or not (is_split and hand[PAIR] == 1)):
        allowed |= 1 << SPLIT
    if rules.surrenders and is_two and not is_split and not was_early:
        allowed |= 1 << SURRENDER
    return allowed


# Deciding.


@inlined
def act(
    rules: WholeRules, shoe: Shoe, state: NDArray[np.uint8], hands: NDArray[np.uint8], action: int
) -> int:
    """Take an action that is allowed; return from which question on there may be another one."""
    asked = state[ALLOWED]
    if asked == INSURANCE:
        state[IS_INSURED] = action == INSURE
        return OF_EARLY
    if asked == EARLY:
        if action == SURRENDER:
            hands[0, STATE] = SURRENDERED
        return OF_PEEK
    hand = hands[state[TURN]]
    if action == SPLIT:
        split_pair(rules, state, hands)
    elif action in (HIT, DOUBLE):
        give(rules, shoe, hand)
        if action == DOUBLE:
            hand[STAKE] = 2
            hand[STATE] = max(hand[STATE], STANDING)
    else:
        hand[STATE] = STANDING if action == STAND else SURRENDERED
    return OF_PLAY


@inlined
def split_pair(rules: WholeRules, state: NDArray[np.uint8], hands: NDArray[np.uint8]) -> None:
    """Leave the first card on the hand, and begin the next hand with the second; later hands move up.

    The second card has the points of the first, so its rank makes no difference.
    """
    turn = state[TURN]
    for number in range(int(state[HANDS]), int(turn) + 1, -1):
        for place in range(HAND_PLACES):
            hands[number, place] = hands[number - 1, place]
    first = hands[turn, FIRST]
    for number in range(turn, turn + 2):
        clear(hands[number])
        hands[number, FIRST] = first
        hands[number, NUMBER] = rules.tables.after[0, first]
        hands[number, CARDS_HELD] = 1
    state[HANDS] += 1


@inlined
def step(rules: WholeRules, tables: WholeTables, i: int, action: int) -> None:
    """Take an action at a table, or `BEGIN` a round there, and ask the next question."""
    shoe, state, hands = shoe_of(tables, i), tables.rounds[i], tables.hands[i]
    if action == BEGIN:
        deal(rules, shoe, state, hands[0])
        first = OF_INSURANCE
    elif state[ALLOWED] == NOTHING:  # the cards as dealt have decided
        return
    else:
        first = act(rules, shoe, state, hands, action)
    ask(rules, shoe, state, hands, first)


# Settling.


@inlined
def settle(rules: WholeRules, tables: WholeTables, i: int) -> tuple[int, int]:
    """Play the dealer's hand if another stands against it; return the outcome, and the payoff in tenths."""
    state, hands = tables.rounds[i], tables.hands[i]
    if is_dealer_to_draw(rules, state, hands):
        state[DEALER] = play_dealer(rules.tables, shoe_of(tables, i), state[DEALER])
    has_natural = rules.tables.strength[state[DEALER]] == NATURAL
    if has_natural and rules.takes_one:
        payoff = payoff_of_one_bet(rules, state, hands)
    else:
        payoff = 0
        for number in range(state[HANDS]):
            payoff += payoff_of(rules, state, hands[number])
    if state[IS_INSURED]:
        payoff += UNIT if has_natural else -(UNIT // 2)
    return outcome_of(state, hands, payoff), payoff


@inlined
def is_dealer_to_draw(rules: WholeRules, state: NDArray[np.uint8], hands: NDArray[np.uint8]) -> bool:
    """Whether a hand stands that is no natural paid at a ratio."""
    for number in range(state[HANDS]):
        is_paid = rules.is_ratio and strength_of(rules, state, hands[number]) == NATURAL
        if hands[number, STATE] == STANDING and not is_paid:
            return True
    return False


@inlined
def strength_of(rules: WholeRules, state: NDArray[np.uint8], hand: NDArray[np.uint8]) -> int:
    """The strength of a player's hand: 21 in two cards is no natural after a split."""
    strength = int(rules.tables.strength[hand[NUMBER]])
    return min(strength, TWENTY_ONE) if state[HANDS] > 1 else strength


@inlined
def payoff_of(rules: WholeRules, state: NDArray[np.uint8], hand: NDArray[np.uint8]) -> int:
    """The payoff of a hand, in tenths, where the dealer's natural takes every stake."""
    if hand[STATE] == SURRENDERED:
        return -(UNIT // 2)
    stake = UNIT * int(hand[STAKE])
    if hand[STATE] == BUST:
        return -stake
    mine, theirs = strength_of(rules, state, hand), rules.tables.strength[state[DEALER]]
    if mine == theirs:
        return 0
    if mine < theirs:
        return -stake
    return rules.natural if mine == NATURAL else stake


@inlined
def payoff_of_one_bet(rules: WholeRules, state: NDArray[np.uint8], hands: NDArray[np.uint8]) -> int:
    """What a natural leaves that takes the initial bet only, in tenths."""
    hand = hands[0]
    if hand[STATE] == SURRENDERED:
        return -(UNIT // 2)
    return 0 if hand[STATE] == STANDING and strength_of(rules, state, hand) == NATURAL else -UNIT


@inlined
def outcome_of(state: NDArray[np.uint8], hands: NDArray[np.uint8], payoff: int) -> int:
    """The outcome of the round: that of all hands together."""
    if hands[0, STATE] == SURRENDERED:
        return _SURRENDER
    busts = 0
    for number in range(state[HANDS]):
        busts += hands[number, STATE] == BUST
    if busts == state[HANDS]:
        return _BUST
    return _PUSH if payoff == 0 else _WIN if payoff > 0 else _LOSE


# What the player sees.


@inlined
def observe(
    rules: WholeRules,
    tables: WholeTables,
    i: int,
    observations: NDArray[np.int64],
    masks: NDArray[np.int8],
) -> None:
    """Write what the player sees at a table, and what is allowed there."""
    state = tables.rounds[i]
    hand, asked = tables.hands[i, state[TURN]], int(state[ALLOWED])
    may_split = asked & (1 << SPLIT) != 0 or (asked == EARLY and rules.split > 1)
    observations[TOTAL, i] = rules.totals[hand[NUMBER]]
    observations[UPCARD, i] = rules.upcards[state[SHOWN]]
    observations[SOFT, i] = rules.soft[hand[NUMBER]]
    observations[PAIR_SEEN, i] = hand[PAIR] if may_split else 0
    observations[HANDS_SEEN, i] = state[HANDS]
    observations[QUESTION, i] = 1 if asked == INSURANCE else 2 if asked == EARLY else 0
    allowed = asked | 1 << STAND
    for action in range(masks.shape[1]):
        masks[i, action] = allowed >> action & 1


def allowed_at(tables: WholeTables, place: int) -> list[Decision]:
    """What is allowed at a table, as decisions."""
    allowed = tables.rounds[place, ALLOWED] | 1 << STAND
    return [decision for number, decision in enumerate(ACTIONS) if allowed >> number & 1]


@compiled
def first_forbidden(tables: WholeTables, actions: NDArray[np.int64]) -> int:
    """The first table with an open round where its action is not allowed, or -1.

    Args:
        tables: the tables.
        actions: int64 (tables,): each of them a number of an action.
    """
    for i in range(actions.size):
        allowed = tables.rounds[i, ALLOWED] | 1 << STAND
        if not tables.rounds[i, IS_OVER] and not allowed >> actions[i] & 1:
            return i
    return -1


@compiled
def step_all(
    rules: WholeRules,
    tables: WholeTables,
    actions: NDArray[np.int64],
    observations: NDArray[np.int64],
    masks: NDArray[np.int8],
    rewards: NDArray[np.float64],
    outcomes: NDArray[np.int64],
    dealers: NDArray[np.int64],
) -> None:
    """Take a step at every table.

    Where the round is over, an action is ignored and the next round is dealt. A round is dealt and a table is
    left as it is by the same kernel, since another one would take seconds more to compile.

    Args:
        rules: the rules.
        tables: the tables. Is written.
        actions: int64 (tables,): numbers of actions that are allowed, see `first_forbidden`; BEGIN; or LEAVE.
        observations: int64 (ROWS, tables): is written.
        masks: int8 (tables, actions): is written with 1 for each action that is allowed, else 0.
        rewards: float64 (tables,): is written: the payoff if the round is over now, else 0.
        outcomes: int64 (tables,): is written: the number of the outcome if it is over now, else OPEN.
        dealers: int64 (tables,): is written: the total of the dealer's hand if the round is over now, else 0.
    """
    for i in range(actions.size):
        rewards[i] = 0.0
        outcomes[i] = OPEN
        dealers[i] = 0
        state, action = tables.rounds[i], actions[i]
        is_new = action == BEGIN or (action >= 0 and state[IS_OVER])
        if action != LEAVE:
            step(rules, tables, i, BEGIN if is_new else action)
        if action >= 0 and not is_new and state[ALLOWED] == NOTHING:
            outcomes[i], payoff = settle(rules, tables, i)
            rewards[i] = payoff / UNIT
            dealers[i] = rules.totals[state[DEALER]]
            state[IS_OVER] = True
        observe(rules, tables, i, observations, masks)
