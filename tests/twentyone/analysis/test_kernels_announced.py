"""The kernels of which a command says that they are compiled first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cards import PRESETS, EveryRound, Rules
from twentyone.analysis.studies import montecarlo
from twentyone.analysis.studies.montecarlo import SHARD_ROUNDS, kernels_for, play_shard, shards_of
from twentyone.analysis.studies.policies import policy_named
from twentyone.kernels import interleaved, simulation
from twentyone.kernels.automaton import Automaton

VEGAS, COURSE = PRESETS["vegas"], PRESETS["course"]
FEW, MANY = 1_000, SHARD_ROUNDS + 1_000
SIMULATED: list[tuple[Rules, str, int, set[str]]] = [
    (VEGAS, "basic", FEW, {"batches_kernel"}),
    (VEGAS, "basic", SHARD_ROUNDS, {"interleaved_kernel"}),
    (VEGAS, "basic", MANY, {"batches_kernel", "interleaved_kernel"}),
    (VEGAS, "random", MANY, {"batches_kernel"}),
    (replace(VEGAS, seats=2), "basic", FEW, {"batches_kernel"}),
    (replace(VEGAS, decks=None, reshuffle=EveryRound()), "basic", FEW, {"endless_kernel"}),
    (PRESETS["study"], "threshold:16", FEW, {"batches_kernel"}),
    (PRESETS["study"], "threshold:16", SHARD_ROUNDS, {"interleaved_kernel"}),
    (COURSE, "threshold:16", FEW, {"interleaved_kernel"}),
    (COURSE, "random", FEW, {"batches_kernel"}),
    (replace(COURSE, decks=None), "threshold:16", FEW, {"endless_kernel"}),
    (PRESETS["showdown"], "threshold:16", FEW, {"showdown_kernel"}),
    (replace(COURSE, seats=2), "threshold:16", FEW, {"batches_kernel"}),
]


def test_each_kind_of_game_has_its_kernels_by_which_its_shards_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kernels that only tell that they are called, and that no shoe is used up, need not be compiled."""
    called: set[str] = set()

    def put_in_its_place(module: object, name: str) -> None:
        def play(*_: object) -> bool:
            called.add(name)
            return True

        monkeypatch.setattr(module, name, play)

    cases = []
    for rules, name, rounds, expected in SIMULATED:
        policies = [policy_named(name, rules)]
        kernels = kernels_for(rules, policies, rounds)
        assert {kernel.__name__ for kernel in kernels} == expected, (rules, name, rounds)
        cases.append((shards_of(rules, policies, rounds, 1), expected))
    for name in ("batches_kernel", "showdown_kernel"):
        put_in_its_place(simulation, name)
    for name in ("interleaved_kernel", "endless_kernel"):
        put_in_its_place(interleaved, name)
    nothing = Automaton(np.zeros(0, np.uint16), np.zeros((0, 6), np.int64))
    monkeypatch.setattr(montecarlo, "automaton_of", lambda *_: nothing)
    for shards, expected in cases:
        called.clear()
        for shard in shards:
            play_shard(shard)
        assert called == expected, shards[0].rules
