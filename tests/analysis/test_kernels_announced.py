"""The kernels of which a command says that they are compiled first."""

from __future__ import annotations

from dataclasses import replace

from analysis.studies import compare
from analysis.studies.batches import play_batches
from analysis.studies.montecarlo import SHARD_ROUNDS, kernels_for
from analysis.studies.whole import policy_named
from cards import PRESETS, EveryRound, Rules
from kernels.whole.rounds import play_batches as play_whole_batches

VEGAS, COURSE = PRESETS["vegas"], PRESETS["course"]
FEW, MANY = 1_000, SHARD_ROUNDS + 1_000
SIMULATED: list[tuple[Rules, str, int, set[str]]] = [
    (VEGAS, "basic", FEW, {"play_rounds"}),
    (VEGAS, "basic", SHARD_ROUNDS, {"play_interleaved"}),
    (VEGAS, "basic", MANY, {"play_rounds", "play_interleaved"}),
    (VEGAS, "random", MANY, {"play_rounds"}),
    (replace(VEGAS, seats=2), "basic", FEW, {"play_rounds"}),
    (replace(VEGAS, decks=None, reshuffle=EveryRound()), "basic", FEW, {"play_interleaved_endless"}),
    (PRESETS["study"], "threshold:16", FEW, {"play_rounds"}),
    (COURSE, "threshold:16", FEW, {"play_fresh"}),
    (replace(COURSE, decks=None), "threshold:16", FEW, {"play_infinite"}),
]


def test_each_kind_of_game_has_its_kernels() -> None:
    for rules, policy, rounds, expected in SIMULATED:
        kernels = kernels_for(rules, [policy_named(policy, rules)], rounds)
        assert {kernel.__name__ for kernel in kernels} == expected, (rules, policy, rounds)


def test_a_comparison_has_the_kernel_that_plays_its_batches() -> None:
    assert compare.kernel_for(VEGAS) is play_whole_batches
    assert compare.kernel_for(COURSE) is play_batches
