"""Many rounds side by side, each from its own shoe, a decision at a time: the kernel of environments.

Table i deals what a single environment deals under the same key, `cards.Round` from `cards.shoe_for` with the
numbers of `twentyone.environments.chance`, and asks what `cards.Round` asks of one seat, in the same order.

The rules as tables, what may be done with a hand and what a round pays are those of
`twentyone.kernels.rounds`. The order of play is written here again: there a round is one loop that looks up
its decisions on the way, which is fastest; here it stops at each question, and goes on from what was kept of
it.
"""

from __future__ import annotations

from functools import cache
from logging import getLogger
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards.asking import MAY_SPLIT
from twentyone.kernels.decisions import (
    DOUBLE,
    EARLY_SURRENDER,
    HIT,
    INSURANCE,
    INSURE,
    SPLIT,
    STAND,
    STAND_OR_SPLIT,
    SURRENDER,
)
from twentyone.kernels.draws import deal_counted
from twentyone.kernels.rounds import (
    draws_against,
    is_playing,
    offers_surrender,
    peeks_at,
    question_of,
    settle,
)
from twentyone.kernels.shoe import Shoe, begin_round
from twentyone.kernels.states import (
    ASKED,
    DEALER,
    DEALER_TOTAL,
    FIRST,
    HANDS,
    HAS_NATURAL,
    HAS_SURRENDERED,
    HELD,
    IS_INSURED,
    IS_OVER,
    IS_PAIR,
    NOTHING,
    NUMBER,
    PLACE,
    STAKE,
    STRENGTH,
    TOTAL,
    TURN,
    UPCARD,
    SteppingRules,
    Tables,
    shoe_of,
)
from twentyone.kernels.tables import BUST_HAND, EMPTY, NATURAL, ONCE, PLAY, SOFT_FROM, TENTHS, RuleTables
from twentyone.policies.action_values import ACTIONS
from twentyone.support.compiling import compiled, compiling_sentence, inlined, is_compiled

OPEN: Final = -1
"""The outcome of a round that is not over."""

BEGIN: Final = -1
LEAVE: Final = -2
"""In place of an action: deal a round, whatever there was; or leave the table as it is."""

# The rows of the observations, and how many there are.
TOTAL_SEEN: Final = 0
UPCARD_SEEN: Final = 1
SOFT_SEEN: Final = 2
PAIR_SEEN: Final = 3
HANDS_SEEN: Final = 4
QUESTION_SEEN: Final = 5
ROWS: Final = 6

# What may be asked next, in the order of a round.
FROM_INSURANCE: Final = 0
FROM_SURRENDER: Final = 1
FROM_PEEK: Final = 2
FROM_PLAY: Final = 3

ACTION_COUNT: Final = len(ACTIONS)
"""The number of actions, known where the kernel is compiled, so that no loop runs over them."""

State = NDArray[np.uint8]
"""The state of a round, or of its hands: see `twentyone.kernels.states`."""

# Hands.


@inlined
def give(rules: SteppingRules, shoe: Shoe, hands: State, place: int) -> int:
    """Deal a hand its next card; return the points of that."""
    rank, number = deal_counted(shoe), hands[NUMBER, place]
    hands[TOTAL, place] = rules.totals[number, rank]
    hands[NUMBER, place] = rules.game.after[number, rank]
    hands[HELD, place] = min(hands[HELD, place] + 1, 3)
    hands[IS_PAIR, place] = False
    return int(rules.game.points[rank])


@inlined
def begin_split(game: RuleTables, state: State, hands: State) -> None:
    """Begin the hand at the next place with a card of the pair that was split."""
    place, points = state[PLACE], state[FIRST]
    hands[NUMBER, place] = game.after[EMPTY, points - 1]
    hands[HELD, place] = 1
    hands[STAKE, place] = 1


@inlined
def end_hand(game: RuleTables, state: State, hands: State) -> None:
    """End the hand that is played, and begin the next one if there is another."""
    place = state[PLACE]
    hands[STRENGTH, place] = strength_of(game, hands[NUMBER, place], hands[HELD, place], state[HANDS])
    state[PLACE] += 1
    if state[PLACE] < state[HANDS]:
        begin_split(game, state, hands)


@inlined
def strength_of(game: RuleTables, number: int, held: int, hands: int) -> int:
    """The strength of a hand of the player's: after a split no hand is a natural."""
    strength = int(game.strength[number])
    return NATURAL if game.beats and strength == NATURAL - 1 and held == 2 and hands == 1 else strength


# Dealing and asking.


@inlined
def deal(rules: SteppingRules, shoe: Shoe, state: State, hands: State) -> None:
    """Deal a round: the first two cards, the upcard, the hole card."""
    begin_round(shoe)
    game = rules.game
    state[:] = 0
    state[HANDS] = 1
    hands[NUMBER, 0], hands[HELD, 0], hands[STAKE, 0] = EMPTY, 0, 1
    state[FIRST] = give(rules, shoe, hands, 0)
    hands[IS_PAIR, 0] = give(rules, shoe, hands, 0) == state[FIRST]
    upcard, hole_card = deal_counted(shoe), deal_counted(shoe)
    state[UPCARD] = upcard
    state[DEALER] = game.after[game.after[EMPTY, upcard], hole_card]
    state[DEALER_TOTAL] = rules.totals[game.after[EMPTY, upcard], hole_card]
    state[HAS_NATURAL] = game.beats and game.strength[state[DEALER]] == NATURAL - 1
    if not is_playing(game, hands[NUMBER, 0]):
        end_hand(game, state, hands)


@inlined
def ask(rules: SteppingRules, shoe: Shoe, state: State, hands: State, first: int) -> None:
    """Ask what is to be asked next, from one of the questions on."""
    game, upcard = rules.game, int(rules.game.points[state[UPCARD]]) - 1
    is_peek_due = peeks_at(game, upcard)
    if first <= FROM_INSURANCE and game.insures and upcard == 0 and hands[NUMBER, 0] != BUST_HAND:
        state[ASKED] = INSURANCE
    elif first <= FROM_SURRENDER and game.is_early and is_peek_due and state[PLACE] == 0:
        state[ASKED] = EARLY_SURRENDER
    elif first <= FROM_PEEK and is_peek_due and state[HAS_NATURAL]:
        state[ASKED] = NOTHING
        if state[PLACE] == 0:
            end_hand(game, state, hands)
    else:
        ask_of_hands(rules, shoe, state, hands, offers_surrender(game, upcard))


@inlined
def ask_of_hands(rules: SteppingRules, shoe: Shoe, state: State, hands: State, surrenders: bool) -> None:
    """Ask about the hand that is played, or the next one about which there is something to ask.

    A hand that a split has made is dealt its second card first.
    """
    state[ASKED] = NOTHING
    while state[ASKED] == NOTHING and state[PLACE] < state[HANDS]:
        place = state[PLACE]
        is_second = hands[HELD, place] == 1
        if is_second:
            give_second(rules, shoe, state, hands)
        question = question_of(
            rules.game,
            hands[NUMBER, place],
            hands[IS_PAIR, place] != 0,
            int(hands[HELD, place] > 2),
            int(state[HANDS]),
            int(state[HANDS] > 1),
            surrenders,
        )
        if is_second and state[FIRST] == 1 and rules.game.split_aces != PLAY:
            question = STAND_OR_SPLIT if question & MAY_SPLIT else NOTHING
        if question == NOTHING:
            end_hand(rules.game, state, hands)
        else:
            state[ASKED] = question
            state[TURN] = place


@inlined
def give_second(rules: SteppingRules, shoe: Shoe, state: State, hands: State) -> None:
    """Deal a hand that a split has made its second card."""
    place, first = state[PLACE], state[FIRST]
    is_again = first != 1 or rules.game.split_aces != ONCE
    hands[IS_PAIR, place] = (give(rules, shoe, hands, place) == first) & is_again


# Deciding.


@inlined
def act(rules: SteppingRules, shoe: Shoe, state: State, hands: State, action: int) -> int:
    """Take an action that is allowed; return from which question on there may be another one."""
    if state[ASKED] == INSURANCE:
        state[IS_INSURED] = action == INSURE
        return FROM_SURRENDER
    if action == SURRENDER:
        state[HAS_SURRENDERED] = True
        state[PLACE] = 1
    if action == SURRENDER or state[ASKED] == EARLY_SURRENDER:
        return FROM_PEEK
    place = state[PLACE]
    if action == SPLIT:
        state[HANDS] += 1
        begin_split(rules.game, state, hands)
    elif action in (HIT, DOUBLE):
        give(rules, shoe, hands, place)
        hands[STAKE, place] = 2 if action == DOUBLE else 1
    if action in (STAND, DOUBLE) or hands[NUMBER, place] == BUST_HAND:
        end_hand(rules.game, state, hands)
    return FROM_PLAY


@inlined
def step(rules: SteppingRules, tables: Tables, i: int, action: int) -> None:
    """Take an action at a table, or `BEGIN` a round there, and ask the next question."""
    shoe, state, hands = shoe_of(tables, i), tables.rounds[i], tables.hands[i]
    first = FROM_INSURANCE
    if action == BEGIN:
        deal(rules, shoe, state, hands)
    elif state[ASKED] == NOTHING:  # the cards as dealt have decided
        return
    else:
        first = act(rules, shoe, state, hands, action)
    ask(rules, shoe, state, hands, first)


# The end of a round.


@inlined
def end_round(rules: SteppingRules, tables: Tables, i: int) -> tuple[int, int]:
    """Play the dealer's hand if another stands against it; return the outcome, and the payoff in tenths."""
    game, state, hands = rules.game, tables.rounds[i], tables.hands[i]
    count = 0 if state[HAS_SURRENDERED] else int(state[HANDS])
    is_to_draw = False
    for place in range(count):
        is_to_draw |= draws_against(game, hands[STRENGTH, place])
    if is_to_draw:
        draw_dealer(rules, shoe_of(tables, i), state)
    theirs = NATURAL if state[HAS_NATURAL] else int(game.strength[state[DEALER]])
    state[IS_OVER] = True
    return settle(game, hands[STRENGTH], hands[STAKE], count, state[IS_INSURED] != 0, theirs)


@inlined
def draw_dealer(rules: SteppingRules, shoe: Shoe, state: State) -> None:
    """Draw to the dealer's hand until it stands or is bust."""
    while rules.game.draws[state[DEALER]]:
        rank, number = deal_counted(shoe), state[DEALER]
        state[DEALER_TOTAL] = rules.totals[number, rank]
        state[DEALER] = rules.game.after[number, rank]


# What the player sees.


@inlined
def observe(
    rules: SteppingRules, tables: Tables, i: int, observations: NDArray[np.int64], masks: NDArray[np.int8]
) -> None:
    """Write what the player sees at a table, and what is allowed there."""
    state, hands = tables.rounds[i], tables.hands[i]
    turn, asked = state[TURN], state[ASKED]
    may_split = rules.options[asked, SPLIT] or (asked == EARLY_SURRENDER and rules.game.most_hands > 1)
    observations[TOTAL_SEEN, i] = hands[TOTAL, turn]
    observations[UPCARD_SEEN, i] = rules.upcards[state[UPCARD]]
    observations[SOFT_SEEN, i] = hands[NUMBER, turn] >= SOFT_FROM
    observations[PAIR_SEEN, i] = state[FIRST] if may_split and hands[IS_PAIR, turn] else 0
    observations[HANDS_SEEN, i] = state[HANDS]
    observations[QUESTION_SEEN, i] = 1 if asked == INSURANCE else 2 if asked == EARLY_SURRENDER else 0
    if masks.shape[0]:
        for action in range(ACTION_COUNT):
            masks[i, action] = rules.options[asked, action]


# Kernels.


@cache
def announce_compiling() -> None:
    """Log a warning, once in a process, if the kernels have not been compiled on this machine yet.

    Python writes it on standard error, unless the program has set up `logging` otherwise.
    """
    if not is_compiled(step_all):
        getLogger("twentyone").warning(compiling_sentence(1))


@compiled
def first_forbidden(options: NDArray[np.int8], rounds: NDArray[np.uint8], actions: NDArray[np.int64]) -> int:
    """The first table with an open round where its action is not allowed, or -1.

    Args:
        options: those of the rules, see `SteppingRules`.
        rounds: those of the tables, see `Tables`.
        actions: int64 (tables,): each of them a number of an action.
    """
    for i in range(actions.size):
        if not rounds[i, IS_OVER] and not options[rounds[i, ASKED], actions[i]]:
            return i
    return -1


@compiled
def step_all(
    rules: SteppingRules,
    tables: Tables,
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
        masks: int8 (tables, actions): is written with 1 for each action that is allowed, otherwise 0; int8
            (0, actions): that is not asked for.
        rewards: float64 (tables,): is written: the payoff if the round is over now, otherwise 0.
        outcomes: int64 (tables,): is written: the number of the outcome if it is over now, otherwise OPEN.
        dealers: int64 (tables,): is written: the total of the dealer's hand if the round is over now, or 0.
    """
    for i in range(actions.size):
        rewards[i] = 0.0
        outcomes[i] = OPEN
        dealers[i] = 0
        state, action = tables.rounds[i], actions[i]
        is_new = action == BEGIN or (action >= 0 and state[IS_OVER])
        if action != LEAVE:
            step(rules, tables, i, BEGIN if is_new else action)
        if action >= 0 and not is_new and state[ASKED] == NOTHING:
            outcomes[i], payoff = end_round(rules, tables, i)
            rewards[i] = payoff / TENTHS
            dealers[i] = state[DEALER_TOTAL]
        observe(rules, tables, i, observations, masks)
