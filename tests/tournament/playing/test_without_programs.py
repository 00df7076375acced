"""What a match plays without any program: rounds of those who are out, and of who is left."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from cards import PRESETS, QueuedShoe
from tests.tournament.playing.entrants import Played, settings
from tournament.playing.programs import command_of
from tournament.playing.tables import play
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import payoffs_of, play_script
from tournament.settings import Entrant, Settings, State, first_state

GONE = [Entrant(name, command=("gone",)) for name in "ab"]


def played(told: Settings, folder: Path, state: State) -> Played:
    """What comes of the first match, from where it stands to its end."""
    found = Played()
    asyncio.run(play(told, told.matches[0], state, found.add, folder))
    return found


def test_a_shoe_that_is_kept_goes_on_where_it_was(tmp_path: Path) -> None:
    told = settings(GONE, PRESETS["casino"], rounds=100, kept_shoe=True)
    first = replace(first_state(told, told.matches[0]), out=(True,))
    whole = played(told, tmp_path, first)
    assert whole.scripts == ["F0"] * 100 and whole.payoffs == [[-10]] * 100
    assert whole.state.shoe > 1 and whole.state.dealt > 0
    for rounds in (1, 37, 99):
        part = played(replace(told, rounds=rounds), tmp_path, first)
        assert played(told, tmp_path, part.state).state == whole.state != part.state


def test_who_is_left_alone_wins_the_rest_in_every_seat(tmp_path: Path) -> None:
    told = settings(GONE, PRESETS["showdown"], rounds=8)
    found = played(told, tmp_path, replace(first_state(told, told.matches[0]), out=(False, True)))
    assert found.payoffs == [[10, -10]] * 8
    for number, script in enumerate(found.scripts):
        sitting = seating(2, number)
        assert script.startswith(f"F{sitting.index(1)}")
        by_seat = payoffs_of(play_script(told.rules, QueuedShoe(told.rules, told.seed, number // 2), script))
        assert found.payoffs[number] == [by_seat[sitting.index(place)] for place in range(2)]
    assert not list(tmp_path.iterdir()), "nothing was started"


def test_a_policy_at_a_table_of_several_is_played_by_the_player_with_a_seed_of_its_own() -> None:
    start, *words = command_of(Entrant("ann", policy="random"), "127.0.0.1", 9001, 12)[2:]
    assert "player" in start
    assert words == ["127.0.0.1", "9001", "--name", "ann", "--policy", "random", "--seed", "12"]
