"""The kernels of which a command says that they are compiled first are those that it plays with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from analysis.studies import batches, compare, montecarlo, whole
from analysis.studies.montecarlo import SHARD_ROUNDS, kernels_for, simulate
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


class Spy:
    """Calls a kernel, and notes its name."""

    def __init__(self, kernel: Callable[..., Any], called: set[str]) -> None:
        self.__name__ = kernel.__name__
        self.kernel, self._called = kernel, called

    def __call__(self, *arguments: Any) -> Any:
        self._called.add(self.__name__)
        return self.kernel(*arguments)


def spied(monkeypatch: pytest.MonkeyPatch, module: Any, *names: str) -> set[str]:
    """Put a spy in the place of each kernel of a module; return the names of those that are called."""
    called: set[str] = set()
    for name in names:
        monkeypatch.setattr(module, name, Spy(getattr(module, name), called))
    return called


def announced(rules: Rules, policy: str, rounds: int) -> set[str]:
    return {kernel.__name__ for kernel in kernels_for(rules, [policy_named(policy, rules)], rounds)}


def test_each_kind_of_game_has_its_kernels() -> None:
    for rules, policy, rounds, expected in SIMULATED:
        assert announced(rules, policy, rounds) == expected, (rules, policy, rounds)


@pytest.mark.check
@pytest.mark.parametrize(("rules", "policy", "rounds", "expected"), SIMULATED)
def test_a_simulation_plays_with_the_kernels_that_are_announced(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, policy: str, rounds: int, expected: set[str]
) -> None:
    if rules.is_whole:
        names = ("play_rounds", "play_interleaved", "play_interleaved_endless")
        called = spied(monkeypatch, whole, *names)
    else:
        called = spied(monkeypatch, montecarlo, "play_rounds", "play_fresh", "play_infinite")
    simulate(rules, [policy_named(policy, rules)], rounds, 1)
    assert called == expected


@pytest.mark.parametrize("rules", [VEGAS, COURSE], ids=lambda rules: rules.preset)
def test_a_comparison_plays_with_the_kernels_that_are_announced(
    monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    kernel = compare.kernel_for(rules)
    module: Any = whole if rules.is_whole else batches
    called = spied(monkeypatch, module, "play_batches")
    assert module.play_batches.kernel is kernel
    variants = [Variant(name, rules, policy_named(name, rules)) for name in ("mimic", "basic")]
    compare.compare(variants, 20_000, 1)
    assert called == {"play_batches"}
