"""The kernels of which a command says that they are compiled first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS, EveryRound, Rules
from twentyone.analysis.studies import montecarlo
from twentyone.analysis.studies.montecarlo import SHARD_ROUNDS, kernels_for, play_shard, shards_of
from twentyone.analysis.studies.policies import policy_named

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
    (PRESETS["study"], "threshold:16", SHARD_ROUNDS, {"play_interleaved"}),
    (COURSE, "threshold:16", FEW, {"play_interleaved"}),
    (COURSE, "random", FEW, {"play_rounds"}),
    (replace(COURSE, decks=None), "threshold:16", FEW, {"play_interleaved_endless"}),
    (PRESETS["showdown"], "threshold:16", FEW, {"play_rounds"}),
    (replace(COURSE, seats=2), "threshold:16", FEW, {"play_rounds"}),
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
    for kernel in ("play_rounds", "play_interleaved", "play_interleaved_endless"):
        put_in_its_place(montecarlo, kernel)
    monkeypatch.setattr(montecarlo, "automaton_of", lambda *_: ())
    for shards, expected in cases:
        called.clear()
        for shard in shards:
            play_shard(shard)
        assert called == expected, shards[0].rules
