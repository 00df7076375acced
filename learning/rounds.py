"""The compiled loop of learning any game with a dealer, by any method.

It plays with the round of `kernels.whole.rounds`, and chooses and learns with the rules of
`learning.textbook` and `learning.whole`, compiled. The cards and the choices come from random numbers that
belong to the round (see `kernels.streams`). So where every round has a fresh shoe, round n of a seed has the
same cards, whatever is decided and wherever a run began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules
from cards.rules import MAX_HANDS
from kernels.draws import deal_by_word, deal_paired
from kernels.hand_tables import full_shoe
from kernels.shoe import CHOICES, DEALT, KEY, SHARD, SHOE, SHORT, Deal, Shoe, begin_ordered_round
from kernels.streams import DECISIONS, U64, index_of, number
from kernels.whole.counted import at_true_count, running_count
from kernels.whole.counting import FIRST, RUNNING, Counting
from kernels.whole.decisions import DECLINE, EARLY_SURRENDER, INSURANCE, QUESTIONS, questions_of
from kernels.whole.rounds import (
    MOST_TENTHS,
    OUTCOMES,
    AtCount,
    Seats,
    at_no_count,
    compile_play_round,
    compile_safe_deal,
    new_seats,
)
from kernels.whole.tables import NATURAL, TENTHS, WholeTables, whole_tables
from learning import textbook, whole
from learning.episodes import (
    INSURE,
    MOST_AHEAD,
    MOST_STEPS,
    SURRENDER,
    bits_of,
)
from learning.kernel import begin_fresh_round
from learning.textbook import PICKS, Knobs
from support.compiling import compiled, inlined, maker, part, parts_of

# Places in the state of a round that is learned from.
TAKEN: Final = 0  # how many steps
INSURED: Final = 1  # the index of the value of an insurance that was taken; else -1
DECLINED: Final = 2  # the same of a surrender before the peek that was declined
ROUND_PLACES: Final = 3

PICK_BITS: Final = U64(PICKS - 1)
CHANCE_FROM: Final = U64(40)
CHANCE_UNIT: Final = 2.0**-24


class Game(NamedTuple):
    """The rules of one seat against a dealer, and the states of its table, as the kernels take them.

    Attributes:
        tables: the rules of a round.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        is_fresh: whether it is made fresh before every round.
        cells: int64 (rows, 10): the index of the value of the first action of a state, by the row of the
            hand and the place of the upcard (see `kernels.whole.tables` and `.decisions`).
        layer: how many action values there are for each true count.
        allowed: int64 (questions,): what each question allows, see `learning.episodes.Steps`.
    """

    tables: WholeTables
    full: NDArray[np.uint8]
    fewest: int
    is_fresh: bool
    cells: NDArray[np.int64]
    layer: int
    allowed: NDArray[np.int64]


class Learned(NamedTuple):
    """What has been learned.

    Attributes:
        values: float64 (values,): the action values.
        others: float64 (values,): those of the other table in double Q-learning; else the same array.
        counts: int64 (values,): the visits.
        endings: int64 (5, 2 x `MOST_TENTHS` + 1): rounds by outcome and payoff, in tenths, from the lowest
            up.
    """

    values: NDArray[np.float64]
    others: NDArray[np.float64]
    counts: NDArray[np.int64]
    endings: NDArray[np.int64]


class StepArrays(NamedTuple):
    """`learning.episodes.Steps` as arrays, each int64 (MOST_STEPS,)."""

    firsts: NDArray[np.int64]
    allowed: NDArray[np.int64]
    actions: NDArray[np.int64]
    places: NDArray[np.int64]


class RoomArrays(NamedTuple):
    """`learning.episodes.Room` as arrays of float64."""

    ahead: NDArray[np.float64]
    waiting: NDArray[np.float64]


class Log(NamedTuple):
    """What is noted of a round.

    Attributes:
        steps: its decisions.
        at: int64 (ROUND_PLACES,): see above.
        room: room for returns.
        payoffs: float64 (4,): what each hand was paid.
    """

    steps: StepArrays
    at: NDArray[np.int64]
    room: RoomArrays
    payoffs: NDArray[np.float64]


def game_for(rules: Rules, cells: NDArray[np.int64], layer: int) -> Game:
    """The rules as the kernels take them; `cells` and `layer` are as in `Game`."""
    allowed = np.zeros(QUESTIONS, np.int64)
    for question, options in questions_of(rules):
        allowed[question] = bits_of(options)
    is_fresh = rules.decks is None or rules.reshuffle == EveryRound()
    return Game(whole_tables(rules), full_shoe(rules), rules.fewest_cards, is_fresh, cells, layer, allowed)


def begin_with(values: NDArray[np.float64], counts: NDArray[np.int64], *, is_double: bool) -> Learned:
    """What is learned goes on from these action values and visits; both are written.

    Args:
        values: float64 (values,): the action values.
        counts: int64 (values,): the visits.
        is_double: whether there are two tables, for double Q-learning; both begin with the same values.
    """
    endings = np.zeros((len(OUTCOMES), 2 * MOST_TENTHS + 1), np.int64)
    return Learned(values, values.copy() if is_double else values, counts, endings)


@maker
def new_log() -> Log:
    """Room for a round."""
    return Log(
        StepArrays(
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
        ),
        np.zeros(ROUND_PLACES, np.int64),
        RoomArrays(np.zeros(MOST_AHEAD), np.zeros(MOST_AHEAD * MAX_HANDS)),
        np.zeros(MAX_HANDS),
    )


@inlined
def hand_payoff(tables: WholeTables, strength: int, stake: int, theirs: int) -> float:
    """What a hand was paid, in initial bets, as an example of what was decided about it.

    Where a dealer's natural takes the initial bet only, it takes it from any hand here: each is an example of
    the same hand before a split.
    """
    if tables.takes_one and theirs == NATURAL:
        return 0.0 if strength == NATURAL else -1.0
    if strength == 0 or strength < theirs:
        return -float(stake)
    if strength > theirs:
        return tables.natural / TENTHS if strength == NATURAL else float(stake)
    return 0.0


@inlined
def note_payoffs(tables: WholeTables, seats: Seats, theirs: int, payoffs: NDArray[np.float64]) -> int:
    """Note what each hand of the seat was paid; return how many there are."""
    hands = int(seats.hands[0])
    if hands == 0:
        payoffs[0] = -textbook.HALF_BET
        return 1
    for place in range(hands):
        payoffs[place] = hand_payoff(
            tables, int(seats.strengths[0, place]), int(seats.stakes[0, place]), theirs
        )
    return hands


@inlined
def random_word(shoe: Shoe) -> np.uint64:
    """The random number of the next choice."""
    at = shoe.at
    word: np.uint64 = number(shoe.words[KEY], index_of(DECISIONS + at[CHOICES], at[SHARD], at[SHOE]))
    at[CHOICES] += 1
    return word


@inlined
def chance_of(word: np.uint64) -> float:
    """The random number that decides whether to explore, 0 or more and less than 1."""
    return float(word >> CHANCE_FROM) * CHANCE_UNIT


@inlined
def pick_of(word: np.uint64) -> int:
    """The random number that picks an action, 0 to PICKS - 1, independent of `chance_of`."""
    return int(word & PICK_BITS)


class Method(NamedTuple):
    """How a method chooses and learns, compiled. Each takes what has been learned, and the settings.

    Attributes:
        choose: the action, by the first index, what is allowed, whether it is the start, and a random word.
        insures: whether to insure, by the index of INSURE and a random word.
        surrenders: whether to surrender before the peek, by the first index and a random word.
        learn: learns from steps, how many, payoffs, hands, what is returned, with room and a random word.
        learn_insurance: learns from what an insurance was paid.
        learn_surrender: learns from a surrender that was declined, and whether the peek ended the round.
    """

    choose: Callable[..., int]
    insures: Callable[..., bool]
    surrenders: Callable[..., bool]
    learn: Callable[..., None]
    learn_insurance: Callable[..., None]
    learn_surrender: Callable[..., None]


def compile_learn_round(deal: Deal, method: Method, at_count: AtCount) -> Callable[..., None]:
    """Compile the function that plays a round and learns from it.

    Args:
        deal: deals a card.
        method: chooses and learns.
        at_count: says which layer of the table holds.
    """

    @inlined
    def ask(
        learner: tuple[Game, Learned, Knobs],
        seat: int,
        counting: Any,
        question: int,
        row: int,
        upcard: int,
        place: int,
        shoe: Shoe,
        log: Log,
    ) -> int:
        game, learned, knobs = learner
        first = game.cells[row, upcard] + game.layer * at_count(counting, shoe)
        word = random_word(shoe)
        if question == INSURANCE:
            if method.insures(learned, knobs, first + INSURE, word):
                log.at[INSURED] = first + INSURE
                return INSURE
            return DECLINE
        if question == EARLY_SURRENDER:
            if method.surrenders(learned, knobs, first, word):
                return SURRENDER
            log.at[DECLINED] = first
            return DECLINE
        allowed, taken = game.allowed[question], log.at[TAKEN]
        action = method.choose(learned, knobs, first, allowed, taken == 0, word)
        steps = log.steps
        steps.firsts[taken] = first
        steps.allowed[taken] = allowed
        steps.actions[taken] = action
        steps.places[taken] = place
        log.at[TAKEN] = taken + 1
        return action

    play_round = compile_play_round(deal, ask)

    @inlined
    def learn_round(
        game: Game, learned: Learned, knobs: Knobs, counting: Any, shoe: Shoe, seats: Seats, log: Log
    ) -> None:
        at = log.at
        at[TAKEN], at[INSURED], at[DECLINED] = 0, -1, -1
        theirs = play_round(game.tables, (game, learned, knobs), counting, shoe, seats, log)
        has_natural = theirs == NATURAL
        if at[INSURED] >= 0:
            method.learn_insurance(learned, knobs, at[INSURED], 1.0 if has_natural else -textbook.HALF_BET)
        if at[DECLINED] >= 0:
            method.learn_surrender(learned, knobs, at[DECLINED], has_natural)
        if at[TAKEN] > 0:
            hands = note_payoffs(game.tables, seats, theirs, log.payoffs)
            returned = 1.0 if game.tables.takes_one and has_natural else 0.0
            word = random_word(shoe)
            method.learn(learned, knobs, log.steps, at[TAKEN], log.payoffs, hands, returned, log.room, word)
        learned.endings[seats.outcomes[0], MOST_TENTHS + seats.payoffs[0]] += 1

    return learn_round


def compile_learn_fresh(method: Method) -> Callable[..., None]:
    """Compile the loop of a method over rounds that each have a fresh shoe."""
    learn_by_word = compile_learn_round(compile_safe_deal(deal_by_word), method, at_no_count)

    @part
    def learn_fresh(
        game: Game,
        learned: Learned,
        knobs: Knobs,
        first: int,
        rounds: int,
        shoe: Shoe,
        seats: Seats,
        log: Log,
    ) -> None:
        for number_of_round in range(first, first + rounds):
            begin_fresh_round(number_of_round, game.full, shoe)
            learn_by_word(game, learned, knobs, 0, shoe, seats, log)

    return learn_fresh


def compile_learn_kept(method: Method) -> Callable[..., None]:
    """Compile the loop of a method over rounds from shoes that are kept."""
    learn_paired = compile_learn_round(compile_safe_deal(deal_paired), method, at_no_count)

    @part
    def learn_kept(
        game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe, seats: Seats, log: Log
    ) -> None:
        for _ in range(rounds):
            begin_ordered_round(game.full, shoe)
            learn_paired(game, learned, knobs, 0, shoe, seats, log)

    return learn_kept


def compile_learn_counting(method: Method) -> Callable[..., None]:
    """Compile the loop of a method that counts, from shoes that are kept."""
    learn_paired = compile_learn_round(compile_safe_deal(deal_paired), method, at_true_count)

    @part
    def learn_counting(
        game: Game,
        learned: Learned,
        knobs: Knobs,
        counting: Counting,
        rounds: int,
        shoe: Shoe,
        seats: Seats,
        log: Log,
    ) -> None:
        for _ in range(rounds):
            begin_ordered_round(game.full, shoe)
            if shoe.at[DEALT] == 0:
                counting.at[RUNNING] = counting.at[FIRST]
            learn_paired(game, learned, knobs, counting, shoe, seats, log)
            counting.at[RUNNING] = running_count(counting, shoe)

    return learn_counting


_TEXTBOOK: Final = parts_of(textbook.__name__)
_WHOLE: Final = parts_of(whole.__name__)

_choose, _insures = _TEXTBOOK["choose"], _TEXTBOOK["chooses_to_insure"]
_surrenders, _learn = _TEXTBOOK["chooses_to_surrender"], _TEXTBOOK["learn"]
_learn_insurance, _learn_surrender = _TEXTBOOK["learn_insurance"], _TEXTBOOK["learn_surrender"]


@inlined
def choose_by_textbook(
    learned: Learned, knobs: Knobs, first: int, allowed: int, is_start: bool, word: np.uint64
) -> int:
    """As `learning.textbook.choose`."""
    values, others, counts = learned.values, learned.others, learned.counts
    chance, pick = chance_of(word), pick_of(word)
    return int(_choose(values, others, counts, knobs, first, allowed, is_start, chance, pick))


@inlined
def insure_by_textbook(learned: Learned, knobs: Knobs, index: int, word: np.uint64) -> bool:
    """As `learning.textbook.chooses_to_insure`."""
    chance, pick = chance_of(word), pick_of(word)
    return bool(_insures(learned.values, learned.counts, knobs, index, chance, pick))


@inlined
def surrender_by_textbook(learned: Learned, knobs: Knobs, first: int, word: np.uint64) -> bool:
    """As `learning.textbook.chooses_to_surrender`."""
    chance, pick = chance_of(word), pick_of(word)
    return bool(_surrenders(learned.values, learned.counts, knobs, first, chance, pick))


@inlined
def learn_by_textbook(
    learned: Learned,
    knobs: Knobs,
    steps: StepArrays,
    taken: int,
    payoffs: NDArray[np.float64],
    hands: int,
    returned: float,
    room: RoomArrays,
    word: np.uint64,
) -> None:
    """As `learning.textbook.learn`; in double Q-learning a coin says which table learns from the round."""
    values, others, counts = learned.values, learned.others, learned.counts
    if word & U64(1):
        values, others = others, values
    _learn(values, others, counts, knobs, steps, taken, payoffs, hands, returned, room)


@inlined
def learn_insurance_by_textbook(learned: Learned, knobs: Knobs, index: int, payoff: float) -> None:
    """As `learning.textbook.learn_insurance`; both tables of double Q-learning have what it learns."""
    _learn_insurance(learned.values, learned.counts, knobs, index, payoff)
    learned.others[index] = learned.values[index]


@inlined
def learn_surrender_by_textbook(learned: Learned, knobs: Knobs, first: int, is_over: bool) -> None:
    """As `learning.textbook.learn_surrender`; both tables of double Q-learning have what it learns."""
    _learn_surrender(learned.values, learned.counts, knobs, first, is_over)
    learned.others[first + SURRENDER] = learned.values[first + SURRENDER]


BY_TEXTBOOK: Final = Method(
    choose_by_textbook,
    insure_by_textbook,
    surrender_by_textbook,
    learn_by_textbook,
    learn_insurance_by_textbook,
    learn_surrender_by_textbook,
)

_choose_own, _insures_own = _WHOLE["choose"], _WHOLE["chooses_to_insure"]
_surrenders_own, _learn_own = _WHOLE["chooses_to_surrender"], _WHOLE["learn"]
_learn_insurance_own, _learn_surrender_own = _WHOLE["learn_insurance"], _WHOLE["learn_surrender"]


@inlined
def choose_by_own(
    learned: Learned, knobs: Knobs, first: int, allowed: int, is_start: bool, word: np.uint64
) -> int:
    """As `learning.whole.choose`."""
    return int(_choose_own(learned.values, learned.counts, first, allowed, pick_of(word)))


@inlined
def insure_by_own(learned: Learned, knobs: Knobs, index: int, word: np.uint64) -> bool:
    """As `learning.whole.chooses_to_insure`."""
    return bool(_insures_own(learned.values, learned.counts, index))


@inlined
def surrender_by_own(learned: Learned, knobs: Knobs, first: int, word: np.uint64) -> bool:
    """As `learning.whole.chooses_to_surrender`."""
    return bool(_surrenders_own(learned.values, learned.counts, first))


@inlined
def learn_by_own(
    learned: Learned,
    knobs: Knobs,
    steps: StepArrays,
    taken: int,
    payoffs: NDArray[np.float64],
    hands: int,
    returned: float,
    room: RoomArrays,
    word: np.uint64,
) -> None:
    """As `learning.whole.learn`."""
    _learn_own(learned.values, learned.counts, steps, taken, payoffs, hands, returned, room)


@inlined
def learn_insurance_by_own(learned: Learned, knobs: Knobs, index: int, payoff: float) -> None:
    """As `learning.whole.learn_insurance`."""
    _learn_insurance_own(learned.values, learned.counts, index, payoff)


@inlined
def learn_surrender_by_own(learned: Learned, knobs: Knobs, first: int, is_over: bool) -> None:
    """As `learning.whole.learn_surrender`."""
    _learn_surrender_own(learned.values, learned.counts, first, is_over)


BY_OWN: Final = Method(
    choose_by_own,
    insure_by_own,
    surrender_by_own,
    learn_by_own,
    learn_insurance_by_own,
    learn_surrender_by_own,
)

_fresh_textbook, _fresh_own = compile_learn_fresh(BY_TEXTBOOK), compile_learn_fresh(BY_OWN)
_kept_textbook, _kept_own = compile_learn_kept(BY_TEXTBOOK), compile_learn_kept(BY_OWN)
_counting_textbook, _counting_own = compile_learn_counting(BY_TEXTBOOK), compile_learn_counting(BY_OWN)


@compiled
def learn_fresh_by_textbook(
    game: Game, learned: Learned, knobs: Knobs, first: int, rounds: int, shoe: Shoe
) -> bool:
    """Play rounds as a learner by the textbook chooses, each from a fresh shoe, and learn from each.

    Args:
        game: the rules.
        learned: what has been learned so far. Is added to.
        knobs: the settings of the method.
        first: the number of the first round.
        rounds: how many to play; no shard may end within them.
        shoe: the shoe. Is written.

    Returns:
        Whether there were always enough cards.
    """
    _fresh_textbook(game, learned, knobs, first, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_fresh_by_own(
    game: Game, learned: Learned, knobs: Knobs, first: int, rounds: int, shoe: Shoe
) -> bool:
    """As `learn_fresh_by_textbook`, by the project's own method for the whole game."""
    _fresh_own(game, learned, knobs, first, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_kept_by_textbook(game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe) -> bool:
    """As `learn_fresh_by_textbook`, from the shoe as the round before has left it."""
    _kept_textbook(game, learned, knobs, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_kept_by_own(game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe) -> bool:
    """As `learn_kept_by_textbook`, by the project's own method for the whole game."""
    _kept_own(game, learned, knobs, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_counting_by_textbook(
    game: Game, learned: Learned, knobs: Knobs, counting: Counting, rounds: int, shoe: Shoe
) -> bool:
    """As `learn_kept_by_textbook`, with a layer of the table for each true count.

    The running count goes on from that in `counting`, which is written.
    """
    _counting_textbook(game, learned, knobs, counting, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_counting_by_own(
    game: Game, learned: Learned, knobs: Knobs, counting: Counting, rounds: int, shoe: Shoe
) -> bool:
    """As `learn_counting_by_textbook`, by the project's own method for the whole game."""
    _counting_own(game, learned, knobs, counting, rounds, shoe, new_seats(1), new_log())
    return bool(shoe.at[SHORT] == 0)
