"""Matches of programs over sockets: what is played, and that nothing which a program does goes unnoticed."""

from __future__ import annotations

import asyncio
import shutil
import socket
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS, Bets, QueuedShoe, Round, Rules
from tests.helpers.authority import Authority
from tests.helpers.patience import PATIENCE
from tests.tournament.playing.entrants import (
    BAD_CARD,
    PLAYER,
    RULES,
    VEGAS,
    Played,
    player,
    plays_well,
    settings,
)
from tournament.playing import house, open_match, record, tables
from tournament.playing.places import Place
from tournament.playing.record import Record
from tournament.playing.tables import play
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import payoffs_of, play_script, script_of, timed
from tournament.settings import Block, Clocks, Entrant, Settings, State, first_state
from twentyone.support.command import CommandError
from twentyone.support.loop import run as run_as_the_command_does
from twentyone.support.tls import trusting


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    async def patiently() -> None:
        await asyncio.wait_for(coroutine, PATIENCE)

    run_as_the_command_does(patiently())


def played(told: Settings, folder: Path, number: int = 0) -> Played:
    """What comes of a match."""
    found, match = Played(), told.matches[number]
    run(play(told, match, first_state(told, match), found.add, folder))
    return found


def assert_same(one: Played, other: Played) -> None:
    """Both have the same rounds, faults and state."""
    assert one.scripts == other.scripts
    assert one.payoffs == other.payoffs
    assert one.faults == other.faults
    assert one.state == other.state


def bad_rounds(told: Settings) -> list[int]:
    """The rounds in which a program shows its fault."""
    expected = with_policy(told.rules, told.seed, told.rounds)
    bad = [number for number, round_ in enumerate(expected) if has_bad_card(round_)]
    assert bad
    return bad


def with_policy(rules: Rules, seed: int, rounds: int) -> list[Round]:
    """The rounds that a program has which hits below 15, without a dealer that listens."""
    shoe, found = QueuedShoe(rules, seed), []
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(round_.turn, plays_well(round_))
        found.append(round_)
    return found


def has_bad_card(round_: Round) -> bool:
    """Whether a program was asked while it had the card by which it shows its fault."""
    first, *_ = [index for index, card in enumerate(round_.hands[0].cards) if card == BAD_CARD] or [99]
    asked = sum(type(record).__name__ == "DecisionAsked" for record in round_.records)
    return first != 99 and asked > max(0, first - 1)


def verify_payoffs(found: Played, told: Settings) -> None:
    """Script and seed give each round again, and it pays what was noted."""
    for number, script in enumerate(found.scripts):
        round_ = play_script(told.rules, QueuedShoe(told.rules, told.seed, number), script)
        assert payoffs_of(round_) == found.payoffs[number], (number, script)


def test_a_program_plays_the_cards_that_everybody_is_dealt(tmp_path: Path) -> None:
    # No name of an entrant is kept for somebody else, as that of the dealer is at other dealers.
    told = settings([player(tmp_path, "dealer"), player(tmp_path, "b")], VEGAS)
    expected = with_policy(VEGAS, told.seed, told.rounds)
    for number in range(2):
        found = played(told, tmp_path, number)
        assert found.scripts == [script_of(round_) for round_ in expected]
        assert found.payoffs == [payoffs_of(round_) for round_ in expected]
        assert found.faults == []
        assert len(found.seconds) == sum(map(timed, found.scripts))
        assert min(found.seconds) > 0
        assert found.state.round == told.rounds
        assert all(block.lost is not None for block in found.blocks)


@pytest.mark.parametrize("fault", ["crash", pytest.param("quit", marks=pytest.mark.check)])
def test_a_program_that_ends_forfeits_its_round_and_is_started_anew(fault: str, tmp_path: Path) -> None:
    told = settings([player(tmp_path, "a", fault), player(tmp_path, "b")])
    found = played(told, tmp_path)
    expected, bad = with_policy(told.rules, told.seed, told.rounds), bad_rounds(told)
    for number, round_ in enumerate(expected):
        if number in bad:
            assert found.scripts[number].endswith("F0")
            assert found.payoffs[number] == [-10]
        else:
            assert found.scripts[number] == script_of(round_)
    assert found.rounds_of("crashed") == found.rounds_of("forfeited") == found.rounds_of("started") == bad
    assert found.state.starts == (1 + len(bad),)
    log = (tmp_path / "errors" / "a.log").read_text()
    assert log.count("ended after") == 1 + len(bad)
    if fault == "crash":
        assert "with status 3" in log


@pytest.mark.check
def test_a_program_may_join_before_its_start_is_done(tmp_path: Path) -> None:
    """The loop has so much else to do that a program is faster than what waits for its start."""
    told = settings([player(tmp_path, "a"), player(tmp_path, "b")], rounds=5, restarts=0)
    found, match = Played(), told.matches[0]

    async def slowly() -> None:
        playing = asyncio.ensure_future(play(told, match, first_state(told, match), found.add, tmp_path))
        while not playing.done():
            time.sleep(0.15)  # noqa: ASYNC251 - what a loop does that has other matches too
            await asyncio.sleep(0)
        await playing

    run(slowly())
    assert found.faults == []
    assert found.state.starts == (1,)


@pytest.mark.parametrize("fault", ["illegal", pytest.param("flood", marks=pytest.mark.check)])
def test_a_program_that_breaks_the_rules_is_sent_away(fault: str, tmp_path: Path) -> None:
    """One line that is refused changes nothing; a flood of them forfeits the round."""
    told = settings([player(tmp_path, "a", fault), player(tmp_path, "b")], rounds=30)
    found = played(told, tmp_path)
    expected, bad = with_policy(told.rules, told.seed, told.rounds), set(bad_rounds(told))
    assert set(found.rounds_of("refused")) == bad
    if fault == "illegal":
        assert found.scripts == [script_of(round_) for round_ in expected]
        assert set(found.rounds_of("forfeited")) == set()
    else:
        assert set(found.rounds_of("forfeited")) == bad
    assert found.rounds_of("crashed") == []


def test_a_program_that_hangs_is_left_to_its_clock_and_then_sent_away(tmp_path: Path) -> None:
    clocks = Clocks(decision=0.2, bank=0.2, refill=0.0)
    told = settings([player(tmp_path, "a", "hang"), player(tmp_path, "b")], rounds=30, clocks=clocks)
    found = played(told, tmp_path)
    late = set(found.rounds_of("late"))
    assert late
    assert all("s" in found.scripts[number] for number in late)
    assert found.rounds_of("forfeited")
    assert found.state.banks[0] < 0.2
    verify_payoffs(found, told)


def test_a_program_that_may_not_be_started_any_more_forfeits_the_rest(tmp_path: Path) -> None:
    told = settings([player(tmp_path, "a", "crash"), player(tmp_path, "b")], rounds=100, restarts=1)
    found = played(told, tmp_path)
    last = bad_rounds(told)[1]
    assert found.scripts[last + 1 :] == ["F0"] * (told.rounds - last - 1)
    assert found.payoffs[last + 1 :] == [[-10]] * (told.rounds - last - 1)
    assert found.rounds_of("out") == [last]
    assert found.state == replace(found.state, out=(True,), starts=(2,), round=told.rounds)


@pytest.mark.parametrize(
    ("command", "restarts", "kinds"),
    [
        (("no-such-command",), 9, ["crashed", "started", "crashed", "started", "crashed", "does not start"]),
        (("sleep", "3600"), 1, ["absent", "started", "absent", "does not start"]),  # it does not join in time
    ],
)
def test_a_program_that_never_joins_is_out(
    command: tuple[str, ...], restarts: int, kinds: list[str], tmp_path: Path
) -> None:
    nobody = Entrant("nobody", command=command)
    start = 0.2 if command[0] == "sleep" else 60.0
    told = settings([nobody, player(tmp_path, "b")], rounds=5, restarts=restarts, start=start)
    found = played(told, tmp_path)
    assert [fault.kind for fault in found.faults] == kinds
    assert found.scripts == ["F0"] * 5
    log = (tmp_path / "errors" / "nobody.log").read_text()
    assert ("no-such-command cannot be started" in log) == (start > 1)


@pytest.mark.check
def test_a_program_in_shell_plays(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    words = (bash, "hard14.sh", "{host}", "{port}", "{name}")
    shell = Entrant("shell", command=words, folder=Path(__file__).parents[3] / "examples" / "tournament")
    told = settings([shell, player(tmp_path, "b")], rounds=20)
    found = played(told, tmp_path)
    assert found.faults == []
    verify_payoffs(found, told)


def test_a_program_that_joins_for_one_round_at_a_time_is_started_anew_for_each(tmp_path: Path) -> None:
    """As those of the blackjack course do."""
    (tmp_path / "player.py").write_text(PLAYER.replace('"JOIN " + name', '"JOIN " + name + " 1"'))
    told = settings([player(tmp_path, "a"), player(tmp_path, "b")], VEGAS, rounds=4)
    found = played(told, tmp_path)
    assert found.rounds_of("forfeited") == []
    assert found.rounds_of("crashed") == [1, 2, 3]
    verify_payoffs(found, told)
    assert len(found.seconds) == sum(map(timed, found.scripts))


def test_who_speaks_the_old_words_declines_what_it_is_not_asked(tmp_path: Path) -> None:
    """Insurance is offered in the script, as to anybody, and the dealer has declined it."""
    classic = PLAYER.replace('b"\\n"', 'b"\\0"').replace("in lines:", "in parts():")
    (tmp_path / "player.py").write_text(classic)
    told = settings([player(tmp_path, "a"), player(tmp_path, "b")], VEGAS, rounds=8)
    found = played(told, tmp_path)
    assert any(script.startswith("n") for script in found.scripts)
    assert found.faults == []
    verify_payoffs(found, told)
    assert len(found.seconds) == sum(map(timed, found.scripts))


@pytest.mark.parametrize("speaks_tls", [False, True])
def test_a_program_that_comes_by_itself_is_waited_for_and_shows_its_token(
    tmp_path: Path, authority: Authority, speaks_tls: bool
) -> None:
    context = trusting(authority.ca) if speaks_tls else None
    tls = authority.certificate("127.0.0.1") if speaks_tls else None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    far = Entrant("far", listen=address, tls=tls, token="secret")
    told = settings([far, player(tmp_path, "b")], rounds=10)
    found, heard = Played(), list[str]()

    async def come(join: str, decides: bool = True) -> str:
        reader, writer = await asyncio.open_connection(*address, ssl=context)
        writer.write(f"{join}\n".encode())
        last = ""
        while line := (await reader.readline()).decode().strip():
            last = line
            if line == "DECISION" and not decides:
                break
            if line == "DECISION":
                writer.write(b"STAND\n")
        writer.close()
        return last

    async def meet() -> None:
        match = told.matches[0]
        task = asyncio.create_task(
            play(told, match, first_state(told, match), found.add, tmp_path, heard.append)
        )
        while not heard:  # noqa: ASYNC110 (what is noticed has no event)
            await asyncio.sleep(0.01)
        assert "is kept for its owner" in await come("JOIN far token=wrong")
        assert "is kept for its owner" in await come("JOIN anybody")
        assert await come("JOIN far token=secret", decides=False) == "DECISION"
        assert await come("JOIN far token=secret") == "QUIT"
        await task

    run(meet())
    assert heard == [f"waiting for far at 127.0.0.1 port {address[1]}: 600 s left"]
    assert found.scripts == ["F0"] + ["S"] * 9
    assert found.rounds_of("crashed") == [0]


async def stopped_after(told: Settings, rounds: int, state: State, found: Played, folder: Path) -> None:
    """Play on, and stop it at any instant once so many more rounds are played."""
    match = told.matches[0]

    def add(block: Block) -> None:
        found.add(block)
        if block.after.round - state.round >= rounds:
            task.cancel()

    task = asyncio.create_task(play(told, match, state, add, folder))
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("fault", "rules"),
    [
        ("bold", replace(VEGAS, bets=Bets(10, 200))),
        pytest.param("crash", RULES, marks=pytest.mark.check),
        pytest.param("none", PRESETS["casino"], marks=pytest.mark.check),  # whose shoe is kept
    ],
    ids=["bets", "crash", "shoe"],
)
def test_a_match_that_was_stopped_gives_the_same(
    fault: str, rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "EMIT", 0.01)  # so that few rounds are enough to be stopped among them
    entrants = [player(tmp_path, "a", fault), player(tmp_path, "b")]
    told = settings(entrants, rules, rounds=300, kept_shoe=fault == "none")
    whole = played(told, tmp_path / "whole")
    found, state = Played(), first_state(told, told.matches[0])
    for _ in range(2):
        run(stopped_after(told, 40, state, found, tmp_path / "stopped"))
        state = found.state
    assert state.round < told.rounds
    run(play(told, told.matches[0], state, found.add, tmp_path / "stopped"))
    assert_same(found, whole)


@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [
        (open_match, "seating", "none"),
        (record, "script_of", "none"),
        (Record, "note_decision", "none"),
        (Record, "note", "crash"),
        (Place, "sit", "none"),
        (house, "verify_owner", "none"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_match_ends_with_what_goes_wrong_in_an_answer_to_the_dealer(
    where: Any, name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is, nobody waits for ever, and what has been played is handed on whole."""
    working, calls = getattr(where, name), 0
    first = name in ("note", "sit", "verify_owner")

    def failing(*args: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if first or calls > 20:
            raise LookupError("what nobody thought of")
        return working(*args, **options)

    monkeypatch.setattr(where, name, failing)
    token = "secret" if name == "verify_owner" else None
    entrants = [replace(player(tmp_path, "a", fault), token=token), player(tmp_path, "b")]
    told = settings(entrants, rounds=400)
    found, match = Played(), told.matches[0]
    with pytest.raises(LookupError, match="nobody thought of"):
        run(play(told, match, first_state(told, match), found.add, tmp_path))
    assert len(found.payoffs) == len(found.scripts) < told.rounds
    if not first:
        assert len(found.scripts) > 5
        assert len(found.seconds) == sum(map(timed, found.scripts))


def test_who_has_lost_all_chips_gets_new_ones(tmp_path: Path) -> None:
    rules = replace(VEGAS, bets=Bets(10, 500))
    told = settings([player(tmp_path, "a", "bold"), player(tmp_path, "b")], rules, rounds=200)
    found = played(told, tmp_path)
    assert found.rounds_of("bought in")
    assert found.rounds_of("crashed") == []
    chips = rules.first_bankroll * (1 + len(found.rounds_of("bought in")))
    assert float(found.state.bankrolls[0]) <= chips + sum(row[0] for row in found.payoffs) / 10


def verify_seats(found: Played, told: Settings) -> None:
    """Each round at a table without a dealer pays everybody what the seat has in which it sat."""
    seats = told.rules.seats
    for number, script in enumerate(found.scripts):
        shoe = QueuedShoe(told.rules, told.seed, number // seats)
        by_seat, sitting = payoffs_of(play_script(told.rules, shoe, script)), seating(seats, number)
        assert found.payoffs[number] == [by_seat[sitting.index(place)] for place in range(seats)]


def test_players_sit_together_in_turn_with_the_same_cards(tmp_path: Path) -> None:
    rules = replace(PRESETS["showdown"], seats=3)
    told = settings([player(tmp_path, name) for name in "abc"], rules, rounds=24)
    found = played(told, tmp_path)
    assert found.faults == []
    verify_seats(found, told)
    for number, script in enumerate(found.scripts):
        # Whoever plays alike makes the same of the same cards: each deal is the same for every seat.
        assert script == found.scripts[number - number % 3]


def test_an_address_that_this_machine_has_not_is_one_sentence(tmp_path: Path) -> None:
    """203.0.113.0/24 is for documentation (RFC 5737): no machine has an address of it."""
    far = Entrant("far", listen=("203.0.113.7", 9001), token="secret")
    told = settings([far, player(tmp_path, "near")], PRESETS["course"], rounds=2)
    with pytest.raises(CommandError, match=r"no program can be waited for at 203\.0\.113\.7 port 9001: "):
        played(told, tmp_path)


def test_a_program_that_ends_at_a_table_of_several_comes_back(tmp_path: Path) -> None:
    two = [player(tmp_path, "a"), player(tmp_path, "b", "crash")]
    told = settings(two, PRESETS["showdown"], rounds=90, restarts=100)
    found = played(told, tmp_path)
    assert found.rounds_of("crashed")
    assert {fault.entrant for fault in found.faults} == {1}
    verify_seats(found, told)
    for number, script in enumerate(found.scripts):
        if number in found.rounds_of("forfeited"):
            assert f"F{seating(2, number).index(1)}" in script
            assert found.payoffs[number][1] == -10
        else:
            assert "F" not in script


def test_who_is_left_alone_wins_the_rest(tmp_path: Path) -> None:
    nobody = Entrant("nobody", command=("no-such-command",))
    told = settings([player(tmp_path, "a"), nobody], PRESETS["showdown"], rounds=9, restarts=0)
    found = played(told, tmp_path)
    assert found.rounds_of("does not start") == [0]
    assert found.payoffs == [[10, -10]] * 9
    assert {script.replace("F0", "F1") for script in found.scripts[1:]} == {"F1s"}
    verify_seats(found, told)


def test_three_play_on_when_one_of_them_is_out(tmp_path: Path) -> None:
    rules = replace(PRESETS["showdown"], seats=3)
    three = [player(tmp_path, "a"), player(tmp_path, "b", "crash"), player(tmp_path, "c")]
    told = settings(three, rules, rounds=90, restarts=0)
    found = played(told, tmp_path)
    (out,) = found.rounds_of("out")
    assert out < 80
    verify_seats(found, told)
    for number, script in enumerate(found.scripts[out + 1 :], out + 1):
        assert script.startswith(f"F{seating(3, number).index(1)}")
        assert found.payoffs[number][1] == -10
