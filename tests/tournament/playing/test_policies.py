"""Matches of policies: compiled and by the engine the same, in any pieces, with bets and kept shoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import (
    PRESETS,
    Bets,
    Card,
    CardDealt,
    Cutoff,
    DealerDrew,
    Decision,
    EveryRound,
    HoleCardRevealed,
    Naturals,
    QueuedShoe,
    Round,
    Rules,
    UpcardDealt,
)
from cards.records import Record
from tournament.playing.deciding import Chance
from tournament.playing.engine import EnginePlay
from tournament.playing.kernel import CompiledPlay, meanings_of
from tournament.playing.policies import by_engine, play, prepare, prepared
from tournament.rounds.costs import costs_for
from tournament.rounds.scripts import payoffs_of, play_script, script_of
from tournament.settings import Block, Entrant, Match, Settings, State, first_state
from twentyone.policies import table_files
from twentyone.policies.action_values import SHAPE, TRUSTED, ActionValues, Origin
from twentyone.policies.counting import SYSTEMS
from twentyone.support.command import CommandError

FRESH = {name: replace(rules, reshuffle=EveryRound()) for name, rules in PRESETS.items() if rules.has_dealer}
MATCH = Match(0, (0,))

CHART = f"chart:{Path(__file__).parents[3] / 'examples/tournament/europe.chart'}"
"""A table for every option that need not be worked out."""

OWN = """
def cautious(observation):
    total, *_ = observation
    return 0 if total < 12 else 1

def coin(observation, mask):
    return [0.5 * mask[0], 1 - 0.5 * mask[0]] + [0] * (len(mask) - 2)
"""


CHECK = pytest.mark.check


def settings_of(rules: Rules, policy: str, *, kept_shoe: bool = False, seed: int = 7) -> Settings:
    entrants = (Entrant("one", policy), Entrant("other", "mimic"))
    return Settings(rules, 1000, seed, entrants, kept_shoe=kept_shoe)


def played(settings: Settings, *pieces: int, match: Match = MATCH) -> list[Block]:
    """Blocks of so many rounds, one after the other."""
    state, blocks = first_state(settings, match), []
    for rounds in pieces:
        blocks.append(play(settings, match, state, rounds))
        assert blocks[-1].before == state
        state = blocks[-1].after
    return blocks


def told(blocks: Sequence[Block]) -> tuple[State, list[str], list[int], list[float] | None, list[str]]:
    """All that comes of blocks, to be compared bit for bit."""
    lost = [block.lost for block in blocks if block.lost is not None]
    return (
        blocks[-1].after,
        [script for block in blocks for script in block.scripts],
        [payoff for block in blocks for payoff in block.payoffs[:, 0].tolist()],
        [cost for each in lost for cost in each[:, 0].tolist()] if lost else None,
        [fault.text for block in blocks for fault in block.faults],
    )


@pytest.fixture
def counted(tmp_path: Path) -> str:
    """A table by true count whose layers all decide otherwise."""
    values = np.random.default_rng(3).normal(size=SHAPE)
    origin = Origin(PRESETS["vegas"], "qlearning", 1)
    path = tmp_path / "counted.txt"
    table_files.save(ActionValues(values, np.full(SHAPE, TRUSTED), origin, SYSTEMS["hi-lo"]), path)
    return f"counted:{path}"


@pytest.fixture
def own(tmp_path: Path) -> str:
    """The module of two functions of the user's own."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return str(path)


@pytest.mark.parametrize(
    ("preset", "policy", "changes"),
    [
        pytest.param("course", "threshold:19", {}, marks=CHECK),
        pytest.param("course", "threshold:19", {"decks": None}, marks=CHECK),
        ("vegas", CHART, {"naturals": Naturals.SIX_TO_FIVE}),
        pytest.param("vegas", "basic", {}, marks=CHECK),
        pytest.param("europe", "never-bust", {}, marks=CHECK),
        pytest.param("casino", "qtables/course.txt", {}, marks=CHECK),
        pytest.param("study", "random-play-limit", {}, marks=CHECK),
        pytest.param("devs", "mimic", {}, marks=CHECK),
        pytest.param("reno", "basic", {}, marks=CHECK),
        pytest.param("vegas", "basic", {"decks": 1}, marks=CHECK),
        pytest.param("vegas", "basic", {"decks": None}, marks=CHECK),
    ],
)
def test_compiled_rounds_are_those_of_the_engine(preset: str, policy: str, changes: dict[str, Any]) -> None:
    rules = replace(FRESH[preset], **changes)
    settings = settings_of(rules, policy)
    assert prepared(rules, policy).table is not None
    state = replace(first_state(settings, MATCH), round=2**31 - 100)  # numbers are not limited to 32 bits
    blocks = [play(settings, MATCH, state, 300), by_engine(settings, MATCH, state, 300)]
    assert told(blocks[:1]) == told(blocks[1:])
    assert blocks[0].payoffs.dtype == np.int32
    for block in blocks:
        assert block.lost is not None and block.payoffs.shape == block.lost.shape == (300, 1)
    assert ((blocks[0].payoffs == 12).sum() > 0) == ("naturals" in changes)  # 6:5 is exact


@pytest.mark.parametrize(("preset", "policy"), [("course", "mimic"), ("vegas", CHART)])
def test_scripts_and_cards_give_the_rounds_again(preset: str, policy: str) -> None:
    """Independent of how they were played: script, payoff and cost follow from the seed and the number."""
    rules, costs = FRESH[preset], costs_for(FRESH[preset])
    settings = settings_of(rules, policy, seed=2**70)
    (block,) = played(settings, 300)
    assert costs is not None and block.lost is not None
    assert block.payoffs.shape == block.lost.shape == (300, 1) and block.payoffs.dtype == np.int32
    for number, script in enumerate(block.scripts):
        round_ = play_script(rules, QueuedShoe(rules, 2**70, number), script)
        assert script_of(round_) == script
        assert payoffs_of(round_) == block.payoffs[number].tolist()
        assert sum(costs.of(round_)) == block.lost[number, 0]


def test_rounds_that_the_kernel_cannot_note_are_played_by_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(FRESH["vegas"], CHART)
    expected = told(played(settings, 400))
    original = CompiledPlay._play

    def forgetful(self: CompiledPlay, seed: int, first: int, rounds: int) -> object:
        done = original(self, seed, first, rounds)
        done.scripts[::3] = ["-"] * len(done.scripts[::3])
        done.payoffs[::3], done.lost[::3], done.is_told[::3] = 99, 99, False
        return done

    monkeypatch.setattr(CompiledPlay, "_play", forgetful)
    assert told(played(settings, 400)) == expected


PIECES = (1, 1, 1, 7, 130, 1, 59)


@pytest.mark.parametrize(
    ("rules", "policy", "kept_shoe"),
    [
        (FRESH["course"], "random", False),
        (FRESH["vegas"], CHART, False),
        (PRESETS["study"], "threshold:16", True),
        (PRESETS["casino"], "threshold:16", True),
    ],
    ids=["course", "vegas", "study", "casino"],
)
def test_in_pieces_as_in_one(rules: Rules, policy: str, kept_shoe: bool) -> None:
    settings = settings_of(rules, policy, kept_shoe=kept_shoe)
    assert told(played(settings, *PIECES)) == told(played(settings, sum(PIECES)))


class Watching:
    """Stands, and notes what it sees of the shoe that is dealt from."""

    def __init__(self) -> None:
        self.cards = Counter[Card]()

    def decide(self, round_: Round) -> Decision:
        return Decision.DECLINE if Decision.DECLINE in round_.options else Decision.STAND

    def saw(self, records: Sequence[Record]) -> None:
        for record in records:
            if isinstance(record, CardDealt | UpcardDealt | HoleCardRevealed | DealerDrew):
                self.cards[record.card] += 1

    def began(self, *, is_fresh: bool) -> None:
        if is_fresh:
            self.cards.clear()


def test_what_counts_is_shown_the_cards_that_were_dealt_from_a_shoe_before_a_stop() -> None:
    told_of = settings_of(PRESETS["vegas"], "random", kept_shoe=True)
    state = first_state(told_of, MATCH)
    watching = Watching()
    whole = EnginePlay(told_of, MATCH, state, watching, Chance(7, "one")).play(70)
    for rounds in (1, 30, 60):
        before, after = Watching(), Watching()
        first = EnginePlay(told_of, MATCH, state, before, Chance(7, "one")).play(rounds)
        playing = EnginePlay(told_of, MATCH, first.after, after, Chance(7, "one"))
        assert after.cards == before.cards and after.cards.total() == first.after.dealt
        second = playing.play(70 - rounds)
        assert (second.after, [*first.scripts, *second.scripts]) == (whole.after, [*whole.scripts])
        assert after.cards == watching.cards
    assert whole.after.shoe == 1
    refilled, nothing = replace(state, dealt=6 * 52 + 1), Watching()
    EnginePlay(told_of, MATCH, refilled, nothing, Chance(7, "one"))
    assert not nothing.cards, "a shoe that was refilled within a round is not kept"


@pytest.mark.check
@pytest.mark.parametrize("reshuffle", [None, Cutoff(3)], ids=["cut card", "refilled within rounds"])
def test_a_count_goes_on_in_the_middle_of_a_shoe(counted: str, reshuffle: Cutoff | None) -> None:
    rules = PRESETS["vegas"] if reshuffle is None else replace(PRESETS["reno"], reshuffle=reshuffle)
    settings = settings_of(rules, counted, kept_shoe=True)
    whole = told(played(settings, sum(PIECES)))
    assert told(played(settings, *PIECES)) == whole
    assert whole[0].shoe > 2
    assert whole[3] is None  # no exact values from a shoe that is kept
    without_count = settings_of(rules, CHART, kept_shoe=True)
    assert told(played(without_count, *PIECES)) == told(played(without_count, sum(PIECES)))
    fresh = settings_of(FRESH["vegas"], counted)  # a count within each shoe
    one = told(played(fresh, 200))
    assert told(played(fresh, *PIECES)) == one
    assert one[3] is not None and len({*one[1]}) > 20


def test_chance_depends_on_seed_entrant_and_round() -> None:
    rules = FRESH["course"]
    settings = settings_of(rules, "random")
    settings = replace(settings, entrants=(Entrant("a", "random"), Entrant("b", "random")))
    first, second = played(settings, 300), played(settings, 300, match=Match(1, (1,)))
    other = played(replace(settings, seed=8), 300)
    assert told(first)[1] != told(second)[1] != told(other)[1]
    hits = "".join(first[0].scripts).count("H")
    stands = "".join(first[0].scripts).count("S")
    assert abs(hits - stands) < 300  # about as many, but that a bust hand cannot stand


def test_functions_of_the_users_own(own: str) -> None:
    rules = FRESH["course"]
    like = told(played(settings_of(rules, "threshold:12"), 200))
    assert told(played(settings_of(rules, f"{own}:cautious"), 200)) == like
    assert prepared(rules, f"{own}:cautious").table is not None
    for preset in ("course", "vegas"):
        coin = settings_of(FRESH[preset], f"{own}:coin")
        assert told(played(coin, *PIECES)) == told(played(coin, sum(PIECES)))


def test_bets_are_the_least_and_new_chips_are_noted() -> None:
    rules = replace(FRESH["vegas"], bets=Bets(10, 50), bankroll=25)
    settings = settings_of(rules, "threshold:21")
    blocks = played(settings, 100, 100)
    assert told(blocks) == told(played(settings, 200))
    scripts, faults = told(blocks)[1], [fault for block in blocks for fault in block.faults]
    assert all(script.startswith("B10") for script in scripts)
    assert {fault.kind for fault in faults} == {"bought in"}
    assert faults[0].text.endswith("chips, and the least bet is 10: now it has 25")
    won = Fraction(int(blocks[0].payoffs.sum()) + int(blocks[1].payoffs.sum()), 10)
    given = sum(25 - Fraction(fault.text.split()[2]) for fault in faults)
    assert Fraction(blocks[1].after.bankrolls[0]) == 25 + won + given
    assert blocks[1].after.bets == (10,)


def test_bets_limit_what_is_offered() -> None:
    rules = replace(FRESH["vegas"], bets=Bets(10, 50), bankroll=15)
    poor = played(settings_of(rules, CHART), 300)[0]
    rich = played(settings_of(replace(rules, bankroll=100_000), CHART), 300)[0]
    plain = played(settings_of(FRESH["vegas"], CHART), 300)[0]
    assert [script.removeprefix("B10") for script in rich.scripts] == plain.scripts
    assert (rich.payoffs == 10 * plain.payoffs).all()
    assert "".join(poor.scripts).count("D") < "".join(rich.scripts).count("D")


def test_what_cannot_be_played_is_said_in_a_sentence() -> None:
    for preset, policy, sentence in (
        ("course", "sloth", "there is no policy 'sloth'"),
        ("vegas", "total-only", "there is no policy total-only for these rules"),
        ("course", "missing.py:policy", "missing.py"),
        ("showdown", "basic", "policies play alone against a dealer: expected rules of one seat"),
        ("course", "human", "the policy 'human' cannot be used here"),
    ):
        rules = replace(PRESETS[preset], reshuffle=EveryRound())
        with pytest.raises(CommandError, match=sentence):
            prepare(settings_of(rules, policy), MATCH)


def test_what_is_known_of_rounds_is_shared_by_policies() -> None:
    """The dealer of these rules stands on 17, so both names are the same policy."""
    first = played(settings_of(FRESH["course"], "mimic"), 500)
    known = len(meanings_of(FRESH["course"]))
    assert told(played(settings_of(FRESH["course"], "threshold:17"), 500)) == told(first)
    assert len(meanings_of(FRESH["course"])) == known > 100
