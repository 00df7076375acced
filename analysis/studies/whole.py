"""Simulation of the whole game: its policies by name, and the shards and batches that other studies play."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from cards import Decision, EveryRound, Outcome, Rules
from exact.best.mixed import evaluate_policy
from exact.named import MAKERS, named, parsed
from exact.values.charts import evaluate
from exact.values.game import NoExactFormError, seat_game
from kernels.automaton import automaton_of
from kernels.hand_tables import full_shoe
from kernels.interleaved import LONG_RUN, play_interleaved, play_interleaved_endless
from kernels.streams import key_of
from kernels.whole.counted import shortage
from kernels.whole.counting import nothing_counted
from kernels.whole.decisions import (
    EITHER,
    QUESTIONS,
    UPCARDS,
    WholePolicy,
    by_chance,
    compile_policy,
    is_sure,
)
from kernels.whole.rounds import MOST_TENTHS, play_batches, play_rounds
from kernels.whole.tables import ROWS, WholeTables, whole_tables
from policies.chances import at_random, sure
from policies.decisions import DecisionTable, as_policy, fresh
from policies.makers import policy_of
from policies.names import PolicyName
from policies.policy import Observation, Policy, hit_or_stand
from policies.written import written
from support.command import USAGE, CommandError

AnyPolicy = DecisionTable | WholePolicy
"""A policy of HIT and STAND, or one of the whole game."""


def policy_named(text: str, rules: Rules) -> AnyPolicy:
    """A policy for some rules, whatever they are, by its name as typed on a command line.

    Raises:
        CommandError: if there is no such policy, or not for these rules, or a file cannot be read.
    """
    return whole_named(parsed(text), rules) if rules.is_whole else named(text, rules)


def whole_named(name: PolicyName, rules: Rules) -> WholePolicy:
    """A policy of the whole game.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    if name.kind == "random":
        return by_chance(compile_policy(hit_or_stand(_hits), rules, name.text))
    return compile_policy(_sure_policy(name, rules), rules, name.text)


def _sure_policy(name: PolicyName, rules: Rules) -> Policy:
    try:
        return policy_of(name, rules, MAKERS, _no_chance)
    except NoExactFormError as error:
        raise CommandError(f"there is no policy {name.text} for these rules: {error}", USAGE) from None


def _hits(_: Observation) -> Decision:
    return Decision.HIT


def _no_chance(below: int) -> NoReturn:
    raise AssertionError(f"a policy that leaves nothing to chance asked for a number below {below}")


def exact_value(policy: WholePolicy, rules: Rules) -> float | None:
    """The value of a policy of the whole game with a fresh shoe every round; None if there is no exact form.

    Insurance is in it as in `exact.values.charts.evaluate`; for a policy that no chart can say, its own bets.

    Args:
        policy: the policy, by a name as typed on a command line.
        rules: the rules.
    """
    name, rules = parsed(policy.name), fresh(rules)
    try:
        game = seat_game(rules)
    except NoExactFormError:
        return None
    if name.kind == "random":
        return evaluate_policy(game, at_random).value
    decide = _sure_policy(name, rules)
    chart = written(decide, rules, name.text)
    return evaluate_policy(game, sure(decide)).value if chart is None else evaluate(game, chart).value


def bytes_of(policy: AnyPolicy) -> bytes:
    """All that a policy decides, in the form that shards have."""
    return policy.decisions.tobytes() if isinstance(policy, WholePolicy) else policy.hit.tobytes()


@lru_cache(maxsize=64)
def decisions_of(rules: Rules, hits: bytes) -> bytes | None:
    """The decisions of a policy of HIT and STAND, in the form that shards of the whole game have.

    None if a chance is another than 0, 1/2 or 1, or if there is no dealer: then only `kernels.rounds` can
    play by it. None for several seats too: there that plays 1.1 (2 seats) to 1.4 times (5) as many rounds.

    Args:
        rules: the rules.
        hits: its chances of HIT, as the bytes of float64 (22, 22).
    """
    chances = np.frombuffer(hits).reshape(22, 22)
    if not rules.has_dealer or rules.seats > 1 or not np.isin(chances, (0, 0.5, 1)).all():
        return None
    never, ever = (
        compile_policy(as_policy(DecisionTable("", each.astype(np.float64)), _no_chance), rules).decisions
        for each in (chances == 1, chances > 0)
    )
    return np.where(never == ever, never, np.int8(EITHER)).tobytes()


class WholeInput(NamedTuple):
    """Rules and policies as the kernels take them.

    Attributes:
        tables: the rules.
        policies: int8 (seats, 1, questions, rows, upcards).
        full: the ranks of a full shoe; none for an infinite deck.
    """

    tables: WholeTables
    policies: NDArray[np.int8]
    full: NDArray[np.uint8]


@lru_cache(maxsize=64)
def whole_input(rules: Rules, policies: tuple[bytes, ...]) -> WholeInput:
    """The tables of rules and policies, each policy given as the bytes of its decisions."""
    shape = (1, QUESTIONS, ROWS, UPCARDS)
    tables = [np.frombuffer(policy, np.int8).reshape(shape) for policy in policies]
    return WholeInput(whole_tables(rules), np.stack(tables), full_shoe(rules))


def play_rounds_of(
    rules: Rules, policies: tuple[bytes, ...], seed: int, shard: int, rounds: int
) -> dict[str, Any]:
    """Play the rounds of a shard; return the counts of `Result` as lists of whole numbers.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    if is_fast(rules, policies, rounds):
        return _play_fast(rules, policies[0], seed, shard, rounds)
    given = whole_input(rules, policies)
    outcomes = np.zeros((rules.seats, len(Outcome)), np.int64)
    totals = np.zeros(2 * MOST_TENTHS * rules.seats + 1, np.int64)
    is_complete = play_rounds(
        given.tables,
        given.policies,
        given.full,
        rules.fewest_cards,
        key_of(seed),
        shard,
        rounds,
        outcomes,
        totals,
    )
    if not is_complete:
        raise CommandError(shortage(rules))
    return {"outcomes": outcomes.tolist(), "totals": totals.tolist()}


def kernel_for(rules: Rules, policies: tuple[bytes, ...], rounds: int) -> Callable[..., object]:
    """The kernel with which `play_rounds_of` plays."""
    if not is_fast(rules, policies, rounds):
        return play_rounds
    return play_interleaved_endless if rules.decks is None else play_interleaved


def is_fast(rules: Rules, policies: tuple[bytes, ...], rounds: int) -> bool:
    """Whether the fast kernel plays these rounds: of one seat, and a policy that leaves nothing to chance."""
    is_long = rounds >= LONG_RUN or rules.reshuffle == EveryRound()
    return is_long and rules.seats == 1 and is_sure(np.frombuffer(policies[0], np.int8))


def _play_fast(rules: Rules, policy: bytes, seed: int, shard: int, rounds: int) -> dict[str, Any]:
    given, automaton = whole_input(rules, (policy,)), automaton_of(rules, policy)
    outcomes, totals = np.zeros(len(Outcome), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
    decide, key = given.policies[0], key_of(seed)
    if rules.decks is None:
        play_interleaved_endless(*automaton, given.tables, decide, key, shard, rounds, outcomes, totals)
    else:
        play_interleaved(
            *automaton,
            given.tables,
            decide,
            given.full,
            rules.fewest_cards,
            key,
            shard,
            rounds,
            outcomes,
            totals,
            *nothing_counted(rules),
        )
    return {"outcomes": [outcomes.tolist()], "totals": totals.tolist()}


def play_batches_of(
    rules: Rules, policy: bytes, seed: int, first: int, batches: int, rounds: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play batches of rounds with the same policy at every seat, each batch as a shard of its own.

    Args:
        rules: the rules.
        policy: the bytes of the policy's decisions.
        seed: the seed.
        first: the number of the first batch.
        batches: how many there are.
        rounds: how many rounds each has.

    Returns:
        int64 (outcomes,): how many rounds ended so, over all batches and seats; and int64 (batches,): the sum
        of the payoffs of each batch over its rounds and seats, in tenths of an initial bet.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    given = whole_input(rules, (policy,) * rules.seats)
    outcomes = np.zeros((rules.seats, len(Outcome)), np.int64)
    payoffs = np.zeros(batches, np.int64)
    is_complete = play_batches(
        given.tables,
        given.policies,
        given.full,
        rules.fewest_cards,
        key_of(seed),
        first,
        rounds,
        outcomes,
        payoffs,
    )
    if not is_complete:
        raise CommandError(shortage(rules))
    return outcomes.sum(axis=0), payoffs
