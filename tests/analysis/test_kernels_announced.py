"""The kernels of which a command says that they are compiled first are those that it plays with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.studies import batches, compare, whole
from analysis.studies.montecarlo import SHARD_ROUNDS, kernels_for
from analysis.studies.variants import Variant
from analysis.studies.whole import policy_named
from cards import PRESETS, EveryRound, Rules

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


@pytest.mark.parametrize("rules", [VEGAS, COURSE], ids=lambda rules: rules.preset)
def test_a_comparison_plays_with_the_kernel_that_is_announced(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    module: Any = whole if rules.is_whole else batches
    play, called = module.play_batches, list[object]()
    assert compare.kernel_for(rules) is play

    def spy(*arguments: object) -> Any:
        called.append(play)
        return play(*arguments)

    monkeypatch.setattr(module, "play_batches", spy)
    variants = [Variant(name, rules, policy_named(name, rules)) for name in ("mimic", "basic")]
    compare.compare(variants, 20_000, 1)
    assert called
