"""Simulation of any rules and policies, in fixed shards: a seed gives the same counts wherever they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Outcome, Rules, Tally
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.work.shards import HERE, Job
from twentyone.kernels.automaton import automaton_of
from twentyone.kernels.counted import shortage
from twentyone.kernels.counting import nothing_counted
from twentyone.kernels.decisions import QUESTIONS, UPCARDS, CompiledPolicy, is_sure
from twentyone.kernels.interleaved import (
    LONG_RUN,
    endless_kernel,
    interleaved_kernel,
    play_interleaved,
    play_interleaved_endless,
)
from twentyone.kernels.rounds import MOST_TENTHS
from twentyone.kernels.simulation import kernel_for, play_rounds
from twentyone.kernels.streams import MAX_SHARDS, key_of
from twentyone.kernels.tables import ROWS, TENTHS, RuleTables, full_shoe, rule_tables
from twentyone.support.command import CommandError
from twentyone.support.counts import counted

SHARD_ROUNDS: Final = 1 << 20
"""Rounds of a shard, tens of milliseconds of work. The number is fixed, since the cards depend on it."""

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""The rounds for which there are random numbers, 4.4 trillion."""


class Shard(NamedTuple):
    """A piece of a simulation, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        policies: what each seat's policy decides, see `decisions_of`.
        seed: the seed of the simulation.
        number: the number of the shard, from 0; each has its own random numbers.
        rounds: how many rounds to play.
    """

    rules: Rules
    policies: tuple[bytes, ...]
    seed: int
    number: int
    rounds: int


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The endings of the rounds of a simulation.

    Attributes:
        outcomes: int64 (seats, 5): rounds by seat and outcome, in the order of `cards.Outcome`.
        totals: int64 (places,): rounds by the sum of the seats' payoffs, in tenths of an initial bet, from
            the largest loss to the largest win.
    """

    outcomes: NDArray[np.int64]
    totals: NDArray[np.int64]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return int(self.totals.sum())

    def tally(self, seat: int | None = None) -> Tally:
        """The counts of one seat, or of all seats together. Its payoffs are those of HIT and STAND only."""
        counts = self.outcomes.sum(axis=0) if seat is None else self.outcomes[seat]
        return Tally(dict(zip(Outcome, counts.tolist(), strict=True)))

    def estimate(self) -> Estimate:
        """The mean payoff of a seat in a round, in initial bets, and its standard error.

        Seats of the same round share the dealer's hand, so a round is one observation whatever the number of
        seats. Rounds from the same shoe are treated as independent, which is nearly true with a cut card.
        """
        most = len(self.totals) // 2
        payoffs = np.arange(-most, most + 1) / (len(self.outcomes) * TENTHS)
        rounds = self.rounds
        mean = float(self.totals @ payoffs) / rounds
        squares = float(self.totals @ (payoffs - mean) ** 2)
        return Estimate(mean, sqrt(squares / (rounds - 1) / rounds) if rounds > 1 else float("nan"))


def simulate(
    rules: Rules,
    policies: Sequence[CompiledPolicy],
    rounds: int,
    seed: int,
    job: Job = HERE,
) -> Result:
    """Play rounds of any rules by any policies, and count how they end.

    Args:
        rules: the rules, including the number of seats.
        policies: one for each seat, or one for all.
        rounds: how many rounds to play, 1 to `MAX_ROUNDS`.
        seed: 0 or more; the same seed gives the same counts for any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        ValueError: unless there is one policy or one for each seat, or for too many rounds.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    shards = shards_of(rules, policies, rounds, seed)
    results = job.run(play_shard, shards, work_of(rules, policies, rounds, seed), lambda shard: shard.rounds)
    outcomes = np.array([result["outcomes"] for result in results], np.int64).sum(axis=0)
    totals = np.array([result["totals"] for result in results], np.int64).sum(axis=0)
    return Result(outcomes, totals)


def shards_of(rules: Rules, policies: Sequence[CompiledPolicy], rounds: int, seed: int) -> list[Shard]:
    """The shards of a simulation: full ones, and the rest in the last."""
    if not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"{counted(rounds, 'round')}: expected 1 to {MAX_ROUNDS}")
    if len(policies) not in (1, rules.seats):
        seats = f"{rules.seats} seat{'s' if rules.seats > 1 else ''}"
        raise ValueError(f"{len(policies)} policies for {seats}: expected one for all, or one each")
    each = list(policies) * (rules.seats if len(policies) == 1 else 1)
    tables = tuple(decisions_of(policy) for policy in each)
    return [
        Shard(rules, tables, seed, number, min(SHARD_ROUNDS, rounds - start))
        for number, start in enumerate(range(0, rounds, SHARD_ROUNDS))
    ]


def decisions_of(policy: CompiledPolicy) -> bytes:
    """The decisions of a policy as shards have them, see `twentyone.kernels.decisions.CompiledPolicy`."""
    decisions: bytes = policy.decisions.tobytes()
    return decisions


def kernels_for(
    rules: Rules, policies: Sequence[CompiledPolicy], rounds: int
) -> Iterator[Callable[..., object]]:
    """The kernels that play the shards of a simulation; the last shard may need another than the rest."""
    tables = tuple(decisions_of(policy) for policy in policies)
    for size in {min(rounds, SHARD_ROUNDS), rounds % SHARD_ROUNDS or SHARD_ROUNDS}:
        yield _kernel_for(rules, tables, size)


def _kernel_for(rules: Rules, policies: tuple[bytes, ...], rounds: int) -> Callable[..., object]:
    if not is_fast(rules, policies, rounds):
        return kernel_for(has_dealer=rules.has_dealer)
    return endless_kernel if rules.decks is None else interleaved_kernel


def is_fast(rules: Rules, policies: tuple[bytes, ...], rounds: int) -> bool:
    """Whether the fast kernel plays these rounds: of one seat, and a policy that leaves nothing to chance."""
    is_long = rounds >= LONG_RUN or rules.reshuffle == EveryRound()
    return is_long and rules.seats == 1 and is_sure(np.frombuffer(policies[0], np.int32))


def work_of(rules: Rules, policies: Sequence[CompiledPolicy], rounds: int, seed: int) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
    return {
        "work": "simulate",
        **rules.fields(),
        "policies": " ".join(policy.name for policy in policies),
        "decisions": " ".join(decisions_of(policy).hex() for policy in policies),
        "rounds": str(rounds),
        "seed": str(seed),
    }


def play_shard(shard: Shard) -> dict[str, Any]:
    """Play the rounds of a shard; return the counts of `Result` as lists of whole numbers.

    Raises:
        CommandError: if a round has used up the shoe.
    """
    rules, given = shard.rules, kernel_input(shard.rules, shard.policies)
    outcomes = np.zeros((rules.seats, len(Outcome)), np.int64)
    totals = np.zeros(2 * MOST_TENTHS * rules.seats + 1, np.int64)
    key, number, rounds = key_of(shard.seed), shard.number, shard.rounds
    if is_fast(rules, shard.policies, shard.rounds):
        automaton, decide = automaton_of(rules, shard.policies[0]), given.policies[0]
        counts = outcomes[0], totals
        if rules.decks is None:
            play_interleaved_endless(*automaton, given.tables, decide, key, number, rounds, *counts)
        else:
            shoe = given.full, rules.fewest_cards
            nothing = nothing_counted(rules)
            play_interleaved(*automaton, given.tables, decide, *shoe, key, number, rounds, *counts, *nothing)
    else:
        sums = np.zeros((rules.seats, 2), np.int64)
        if not play_rounds(*given, rules.fewest_cards, key, number, rounds, outcomes, totals, sums):
            raise CommandError(shortage(rules))
    return {"outcomes": outcomes.tolist(), "totals": totals.tolist()}


class KernelInput(NamedTuple):
    """Rules and policies as the kernels take them.

    Attributes:
        tables: the rules.
        policies: int32 (seats, 1, questions, rows, upcards).
        full: the ranks of a full shoe; none for an infinite deck.
    """

    tables: RuleTables
    policies: NDArray[np.int32]
    full: NDArray[np.uint8]


@lru_cache(maxsize=64)
def kernel_input(rules: Rules, policies: tuple[bytes, ...]) -> KernelInput:
    """The tables of rules and policies, each policy given as the bytes of its decisions."""
    shape = (1, QUESTIONS, ROWS, UPCARDS)
    tables = [np.frombuffer(policy, np.int32).reshape(shape) for policy in policies]
    return KernelInput(rule_tables(rules), np.stack(tables), full_shoe(rules))
