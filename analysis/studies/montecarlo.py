"""Simulation of any rules and policies, in fixed shards: a seed gives the same counts wherever they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.studies import whole
from analysis.studies.estimate import Estimate
from analysis.studies.whole import AnyPolicy, bytes_of
from analysis.work.backend import Backend
from analysis.work.shards import run_shards
from cards import Outcome, Rules, Tally
from kernels.hand_tables import HandTables, full_shoe, hand_tables, hit_chances
from kernels.rounds import OUTCOMES, play_rounds
from kernels.streams import MAX_SHARDS, key_of
from kernels.whole.rounds import MOST_TENTHS
from kernels.whole.tables import TENTHS
from policies.decisions import DecisionTable
from support.counts import counted

SHARD_ROUNDS: Final = 1 << 20
"""Rounds of a shard, tens of milliseconds of work. The number is fixed, since the cards depend on it."""

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS
"""The rounds for which there are random numbers, 4.4 trillion."""


class Shard(NamedTuple):
    """A piece of a simulation, small enough to be sent anywhere.

    Attributes:
        rules: the rules.
        policies: each seat's chances of HIT, as the bytes of float64 (22, 22); in the whole game the bytes of
            its decisions.
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
    """How the rounds of a simulation ended.

    Attributes:
        outcomes: int64 (seats, 4): rounds by seat and outcome, in the order of `cards.Outcome`; of the whole
            game int64 (seats, 5), with SURRENDER.
        totals: int64 (2 x seats + 1,): rounds by the sum of the seats' payoffs, from -seats to +seats; of the
            whole game more, from the largest loss to the largest win.
        units: how many of the units of `totals` are an initial bet.
    """

    outcomes: NDArray[np.int64]
    totals: NDArray[np.int64]
    units: int = 1

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return int(self.totals.sum())

    def tally(self, seat: int | None = None) -> Tally:
        """The counts of one seat, or of all seats together; without the payoffs of the whole game."""
        counts = self.outcomes.sum(axis=0) if seat is None else self.outcomes[seat]
        return Tally(dict(zip(Outcome, counts.tolist(), strict=False)))

    def estimate(self) -> Estimate:
        """The mean payoff of a seat in a round, in initial bets, and its standard error.

        Seats of the same round share the dealer's hand, so a round is one observation whatever the number of
        seats. Rounds from the same shoe are treated as independent, which is nearly true with a cut card.
        """
        most = len(self.totals) // 2
        payoffs = np.arange(-most, most + 1) / (len(self.outcomes) * self.units)
        rounds = self.rounds
        mean = float(self.totals @ payoffs) / rounds
        squares = float(self.totals @ (payoffs - mean) ** 2)
        return Estimate(mean, sqrt(squares / (rounds - 1) / rounds) if rounds > 1 else float("nan"))


def simulate(
    rules: Rules,
    policies: Sequence[AnyPolicy],
    rounds: int,
    seed: int,
    backend: Backend = Backend(workers=1),  # noqa: B008  (frozen)
    *,
    checkpoint: Path | None = None,
    done: Callable[[int], None] | None = None,
    kept: Callable[[int], None] | None = None,
) -> Result:
    """Play rounds of any rules by any policies, and count how they end.

    Args:
        rules: the rules, including the number of seats.
        policies: one for each seat, or one for all.
        rounds: how many rounds to play, 1 to `MAX_ROUNDS`.
        seed: 0 or more; the same seed gives the same counts for any number of workers.
        backend: where the work is done.
        checkpoint: the file of the finished shards; None to keep none.
        done: called with the number of rounds each time that a shard is finished.
        kept: called once with the number of rounds that are found in the checkpoint, before `done` is.

    Raises:
        ValueError: unless there is one policy or one for each seat, or for too many rounds.
        CommandError: if the checkpoint cannot be used, or the workers are lost for good.
    """
    shards = shards_of(rules, policies, rounds, seed)
    report = done or (lambda _: None)
    report_kept = kept or (lambda _: None)
    results = run_shards(
        play_shard,
        shards,
        backend,
        work=work_of(rules, policies, rounds, seed),
        checkpoint=checkpoint,
        done=lambda index: report(shards[index].rounds),
        kept=lambda found: report_kept(sum(shards[index].rounds for index in found)),
    )
    outcomes = np.array([result["outcomes"] for result in results], np.int64).sum(axis=0)
    totals = np.array([result["totals"] for result in results], np.int64).sum(axis=0)
    return Result(outcomes, totals, TENTHS if rules.is_whole else 1)


def shards_of(rules: Rules, policies: Sequence[AnyPolicy], rounds: int, seed: int) -> list[Shard]:
    """The shards of a simulation: full ones, and the rest in the last."""
    if not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"{counted(rounds, 'round')}: expected 1 to {MAX_ROUNDS}")
    if len(policies) not in (1, rules.seats):
        seats = f"{rules.seats} seat{'s' if rules.seats > 1 else ''}"
        raise ValueError(f"{len(policies)} policies for {seats}: expected one for all, or one each")
    each = list(policies) * (rules.seats if len(policies) == 1 else 1)
    tables = tuple(bytes_of(policy) for policy in each)
    return [
        Shard(rules, tables, seed, number, min(SHARD_ROUNDS, rounds - start))
        for number, start in enumerate(range(0, rounds, SHARD_ROUNDS))
    ]


def kernels_for(rules: Rules, policies: Sequence[AnyPolicy], rounds: int) -> Iterator[Callable[..., object]]:
    """The kernels that play the shards of a simulation; the last shard may need another than the rest."""
    tables = tuple(map(bytes_of, policies))
    for size in {min(rounds, SHARD_ROUNDS), rounds % SHARD_ROUNDS or SHARD_ROUNDS}:
        yield _kernel_for(rules, tables, size)


def _kernel_for(rules: Rules, policies: tuple[bytes, ...], rounds: int) -> Callable[..., object]:
    decisions = _decisions_of(rules, policies)
    return play_rounds if decisions is None else whole.kernel_for(rules, decisions, rounds)


def _decisions_of(rules: Rules, policies: tuple[bytes, ...]) -> tuple[bytes, ...] | None:
    """The policies as the general kernels take them; None if these cannot play by them."""
    if rules.is_whole:
        return policies
    found = [each for each in (whole.decisions_of(rules, hits) for hits in policies) if each is not None]
    return tuple(found) if len(found) == len(policies) else None


def work_of(rules: Rules, policies: Sequence[AnyPolicy], rounds: int, seed: int) -> dict[str, str]:
    """Everything that the results depend on, for the checkpoint."""
    return {
        "work": "simulate",
        **rules.fields(),
        "policies": " ".join(policy.name for policy in policies),
        "decisions": " ".join(bytes_of(policy).hex() for policy in policies),
        "rounds": str(rounds),
        "seed": str(seed),
    }


def play_shard(shard: Shard) -> dict[str, Any]:
    """Play the rounds of a shard; return the counts of `Result` as lists of whole numbers."""
    decisions = _decisions_of(shard.rules, shard.policies)
    if decisions is not None:
        counts = whole.play_rounds_of(*shard._replace(policies=decisions))
        return counts if shard.rules.is_whole else _of_hit_and_stand(counts)
    seats = shard.rules.seats
    outcomes, totals = np.zeros((seats, len(OUTCOMES)), np.int64), np.zeros(2 * seats + 1, np.int64)
    table = kernel_input(shard.rules, shard.policies)
    play_rounds(
        table.hands,
        table.chances,
        shard.rules.has_dealer,
        table.full,
        shard.rules.fewest_cards,
        key_of(shard.seed),
        shard.number,
        shard.rounds,
        outcomes,
        totals,
    )
    return {"outcomes": outcomes.tolist(), "totals": totals.tolist()}


def _of_hit_and_stand(counts: dict[str, Any]) -> dict[str, Any]:
    """The counts of one seat without SURRENDER, and by whole initial bets: nothing else is paid."""
    return {
        "outcomes": [outcomes[: len(OUTCOMES)] for outcomes in counts["outcomes"]],
        "totals": counts["totals"][MOST_TENTHS - TENTHS : MOST_TENTHS + TENTHS + 1 : TENTHS],
    }


class KernelInput(NamedTuple):
    """Rules and policies as the kernels take them.

    Attributes:
        hands: the rules.
        chances: uint64 (seats, hands, 16): the policies.
        full: the ranks of a full shoe; none for an infinite deck.
    """

    hands: HandTables
    chances: NDArray[np.uint64]
    full: NDArray[np.uint8]


@lru_cache(maxsize=64)
def kernel_input(rules: Rules, policies: tuple[bytes, ...]) -> KernelInput:
    """The tables of rules and policies, each policy given as the bytes of its chances of HIT."""
    hands = hand_tables(rules)
    tables = [DecisionTable("", np.frombuffer(policy).reshape(22, 22)) for policy in policies]
    chances = np.stack([hit_chances(rules, table) for table in tables])
    return KernelInput(hands, chances, full_shoe(rules))
