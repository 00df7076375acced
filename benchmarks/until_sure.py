"""The errors of `tournament run --until-sure`, and the rounds that it takes.

python -m benchmarks.until_sure [TOURNAMENTS] plays a pool of rounds by bots on the same cards, under
`course`, and draws the rounds of tournaments from it, with replacement: so the means of the pool are the
truth. Equal bots differ by the random numbers alone that they decide by; in each round it is drawn which of
them is which, so they are equal in the long run exactly, and hardly ever play alike.

For each kind of tournament a line of JSON tells in which share of them a pair was ever in the wrong order for
certain (equal bots: in any order), the share in which the whole order became certain, the mean number of
rounds of those, and beside it the rounds after which an interval for a fixed number of rounds tells every
single pair apart in nine cases of ten, if one knew that number before.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import PRESETS, QueuedShoe, Round, seeded
from tournament.results.deals import Sums
from tournament.results.sequential import ERROR, is_apart, looks
from tournament.rounds.costs import costs_for
from tournament.settings import Entrant, Settings
from twentyone.exact import named
from twentyone.exact.solving import evaluate
from twentyone.policies import decisions
from twentyone.policies.policy import Policy, at_random, observation, threshold

TOURNAMENTS: Final = 2_000
POOL: Final = 50_000
ROUNDS: Final = 20_000
RULES: Final = PRESETS["course"]

Floats = NDArray[np.float64]
Bots = tuple[str, ...]

RANDOM: Final = tuple(f"random {number}" for number in range(6))
ERRING: Final = tuple(f"basic, one decision in 100 at random {number}" for number in range(2))
GRADED: Final = ("basic", "threshold 16", "threshold 14", "random 0")


class Kind(NamedTuple):
    """Some bots, whether they are equal, and what they are compared by."""

    bots: Bots
    are_equal: bool
    by: str


KINDS: Final = tuple(
    Kind(bots, are_equal, by)
    for bots, are_equal in (
        (RANDOM[:2], True),
        (RANDOM, True),
        (ERRING, True),
        (GRADED, False),
        ((GRADED[0], GRADED[-1]), False),
    )
    for by in ("payoff", "EV lost")
)


def policy_of(bot: str) -> Policy:
    """The policy of a bot."""
    word, _, number = bot.rpartition(" ")
    if word == "random":
        return at_random(seeded("until sure", bot))
    if word == "threshold":
        return threshold(int(number))
    rand_below = seeded("until sure", bot)
    best = decisions.as_policy(named.named("basic", RULES), rand_below)
    if bot == "basic":
        return best
    at_times = at_random(rand_below)
    return lambda seen: (best if rand_below(100) else at_times)(seen)


def pool_of(bot: str) -> dict[str, Floats]:
    """The payoffs and the EV lost of a bot in the rounds of the pool."""
    policy, shoe, costs = policy_of(bot), QueuedShoe(RULES, 1), costs_for(RULES)
    assert costs is not None
    payoffs, lost = np.empty(POOL), np.empty(POOL)
    for number in range(POOL):
        round_ = Round(RULES, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, policy(observation(round_, 0)))
        payoff = round_.payoffs[0]
        assert payoff is not None
        payoffs[number], lost[number] = payoff, sum(costs.of(round_))
    return {"payoff": payoffs, "EV lost": lost}


def told(kind: Kind, pool: Floats, tournaments: int) -> dict[str, Any]:
    """The results of many tournaments of a kind; `pool` has shape (bots, rounds)."""
    settings = Settings(RULES, ROUNDS, 1, tuple(Entrant(bot) for bot in kind.bots))
    numbers = looks(settings)
    truth = np.zeros(len(pool)) if kind.are_equal else pool.mean(axis=1)
    generator = np.random.default_rng(1)
    wrong, taken = 0, []
    for _ in range(tournaments):
        drawn = pool[:, generator.integers(POOL, size=ROUNDS)]
        if kind.are_equal:
            drawn = generator.permuted(drawn, axis=0)
        is_wrong, rounds = course_of(drawn, truth, numbers)
        wrong += is_wrong
        taken += [] if rounds is None else [rounds]
    return {
        "bots": kind.bots if len(kind.bots) < 5 else f"{len(kind.bots)} random",
        "are_equal": kind.are_equal,
        "by": kind.by,
        "tournaments": tournaments,
        "wrong": wrong / tournaments,
        "certain": len(taken) / tournaments,
        "mean_rounds": round(float(np.mean(taken))) if taken else None,
        "rounds_of_fixed_size": None if kind.are_equal else fixed_size(kind.bots, pool),
    }


def course_of(drawn: Floats, truth: Floats, numbers: Sequence[int]) -> tuple[bool, int | None]:
    """Whether a pair was ever certain of a wrong order, and the rounds until the whole order was."""
    pairs = list(combinations(range(len(drawn)), 2))
    is_wrong = False
    for rounds in numbers:
        ones, are_apart = np.ones(rounds), True
        for first, second in pairs:
            sums = Sums(drawn[first, :rounds] - drawn[second, :rounds], ones)
            is_certain = is_apart(sums, ERROR / len(pairs))
            are_apart &= is_certain
            is_wrong |= is_certain and sums.mean * (truth[first] - truth[second]) <= 0
        if are_apart:
            return is_wrong, rounds
    return is_wrong, None


def fixed_size(bots: Bots, pool: Floats) -> int:
    """The rounds that tell every single pair apart in nine cases of ten, each at its share of the error.

    The difference of two bots is exact: from the pool it would be known to a half only, for the closest two.
    """
    pairs = list(combinations(range(len(pool)), 2))
    z = NormalDist().inv_cdf(1 - ERROR / len(pairs) / 2) + NormalDist().inv_cdf(0.9)
    values = [value_of(bot) for bot in bots]
    sizes = [
        (z * float((pool[one] - pool[other]).std()) / (values[one] - values[other])) ** 2
        for one, other in pairs
    ]
    return round(max(sizes))


def value_of(bot: str) -> float:
    """The exact value of a bot, in initial bets per round."""
    word, _, number = bot.rpartition(" ")
    if word == "threshold":
        table = decisions.threshold(int(number))
    else:
        table = decisions.at_random() if word == "random" else named.named("basic", RULES)
    return evaluate(RULES, table.hit).value


def main() -> None:
    """Print a line for each kind of tournament."""
    tournaments = int(sys.argv[1]) if len(sys.argv) > 1 else TOURNAMENTS
    pools = {bot: pool_of(bot) for bot in {bot for kind in KINDS for bot in kind.bots}}
    for kind in KINDS:
        pool = np.array([pools[bot][kind.by] for bot in kind.bots])
        print(json.dumps(told(kind, pool, tournaments)), flush=True)


if __name__ == "__main__":
    main()
