"""`analysis simulate` and `analysis games`; what commands that play have in common."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.helpers.processes import command
from tests.helpers.tiers import first_of
from tests.twentyone.analysis.laboratory import analysis, document, refusal


def test_without_options_it_is_the_original_study(tmp_path: Path) -> None:
    """1,000 games: aces are 1, the player draws below 16, the house below 17, a fresh deck below 26 cards."""
    result = document(tmp_path, "simulate")
    deck = {"preset": "study", "decks": "1", "reshuffle": "cutoff:26", "ace": "1"}
    assert result["rules"] == deck | {"dealer-stands": "all17", "naturals": "equal", "seats": "1"}
    assert (result["rounds"], result["policies"]) == (1_000, ["threshold:16"])
    (seat,) = result["seats"]
    wins, losses = seat["wins"]["count"], seat["losses"]["count"]
    assert wins + seat["pushes"]["count"] + losses == 1_000
    assert 0 < seat["busts"]["count"] < losses
    low, high = seat["wins"]["interval"]
    assert low < seat["wins"]["share"] == wins / 1_000 < high
    assert result["mean_payoff"] == (wins - losses) / 1_000


def test_the_seed_decides_and_is_printed(tmp_path: Path) -> None:
    drawn = document(tmp_path, "simulate")
    repeated, other = (document(tmp_path, "simulate", "--seed", drawn["seed"] ^ bit) for bit in (0, 1))
    assert drawn["seats"] == repeated["seats"] != other["seats"]


def test_a_field_of_the_rules_changes_the_study_alone(tmp_path: Path) -> None:
    result = document(tmp_path, "simulate", 10, "--ace", "either")
    assert (result["rules"]["preset"], result["rules"]["ace"]) == ("study", "either")
    assert result["rules"]["reshuffle"] == "cutoff:26"


def test_every_seat_is_counted_and_written(tmp_path: Path) -> None:
    options = ("--rules", "showdown", "--seats", 3, "--policy", "threshold:15", "--csv", "figures.csv")
    result = document(tmp_path, "simulate", 2_000, *options, "--seed", 1)
    assert len(result["seats"]) == 3
    rows = list(csv.DictReader((tmp_path / "figures.csv").read_text().splitlines()))
    wins = [int(row["rounds"]) for row in rows if row["outcome"] == "wins"]
    assert wins == [seat["wins"]["count"] for seat in result["seats"]]
    # Busts are called a part of the losses, so that the rows are not all added.
    assert [row["outcome"] for row in rows] == ["wins", "pushes", "losses", "by busting"] * 3
    assert [int(row["rounds"]) for row in rows[3::4]] == [seat["busts"]["count"] for seat in result["seats"]]
    assert sum(int(row["rounds"]) for row in rows if row["outcome"] != "by busting") == 3 * 2_000


def test_the_text_has_the_figures_and_the_rate_goes_to_standard_error(tmp_path: Path) -> None:
    """As a process that a person starts: the one true start of `analysis` among its own tests."""
    done = command("analysis", "simulate", 2_000, "--seed", 1, cwd=tmp_path, is_true=True)
    assert done.status == 0
    assert re.search(r"^wins +[\d,]+ +\d+\.\d\d% +\d+\.\d\d% to \d+\.\d\d%$", done.out, re.MULTILINE)
    assert "95 % interval" in done.out and "seed 1" in done.out
    assert "rounds/s" in done.err and "rounds/s" not in done.out


def test_what_was_mistyped_is_one_sentence(tmp_path: Path) -> None:
    for options, said in {
        "simulate --policy best": "there is no policy 'best': expected basic, total-only",
        "simulate --policy threshold:23": "there is no policy 'threshold:23'",
        "simulate --policy total-only --rules showdown": "no policy total-only for these rules",
        "simulate --rules showdown --seats 1": "seats is 1: expected 2 to 9",
        "simulate --policy random --policy random": "there are 2 policies for 1 seat: expected one",
        "simulate --seats 3 --policy random --policy random": "expected one --policy for all, or 3, one",
        "simulate --seed -1": "the seed is -1: expected 0 or more",
        "simulate 0": "ROUNDS is '0': expected a whole number from 1 to",
        "simulate --decks 9": "decks is 9: expected 1 to 8, or inf",
        "games 0": "N is '0': expected a whole number from 1 to",
    }.items():
        assert said in refusal(tmp_path, *options.split())


@pytest.mark.check
def test_nothing_is_announced_that_does_not_come(tmp_path: Path) -> None:
    """Where no kernel has been compiled yet: a refusal comes before the notice that one is."""
    options = ("simulate", "--policy", "best")
    done = command("analysis", *options, cwd=tmp_path, is_true=True, NUMBA_CACHE_DIR=str(tmp_path))
    assert (done.status, done.err.count("\n")) == (2, 1)


def test_a_file_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, and no folder")
    rounds = 10**12 - 1
    betting = ("betting", "--rounds", 10**6, "--sessions", 10**5)
    for words in ("simulate", rounds), ("compare", rounds + 1), ("variability", "--games", rounds), betting:
        said = refusal(tmp_path, *words, "--csv", "taken/figures.csv", status=1)
        assert said.startswith("the file taken/figures.csv cannot be written: "), words


@pytest.mark.check
@pytest.mark.parametrize(
    "options",
    [
        "simulate",
        "compare",
        "variability",
        "betting",
        "thresholds",
        "learn 100",
    ],
)
def test_without_numba_every_command_that_plays_names_the_extra(options: str, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('not here')")
    done = command("analysis", *options.split(), cwd=tmp_path, is_true=True, PYTHONPATH=str(tmp_path))
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[-1] == (
        "analysis: simulation needs numba, which is not installed: pip install 'twentyone[analysis]'"
    )


def test_games_are_printed_card_by_card(tmp_path: Path) -> None:
    done = analysis(tmp_path, "games", 50, "--show", "--seed", 1)
    games = done.out.split("\n\n")[:-1]
    assert len(games) == 50
    endings = set()
    for number, game in enumerate(games, start=1):
        lines = game.splitlines()
        assert lines[0] == f"Game {number}"
        assert lines[1].startswith("  The player is dealt the ")
        assert lines[2].startswith("  The house is dealt the ")
        total, house = (int(re.findall(rf"{who} ends with (\d+)", game)[0]) for who in ("player", "house"))
        assert total >= 16 and (house >= 17 or total > 21)
        # By the rules without naturals and with aces as 1.
        sign = -1 if total > 21 else 1 if house > 21 else (total > house) - (total < house)
        endings.add(("bust" if total > 21 else sign, lines[-1]))
    assert endings == {
        ("bust", "  The player is bust: the house wins."),
        (1, "  The player wins."),
        (0, "  The player pushes: nobody wins."),
        (-1, "  The player loses: the house wins."),
    }
    counted = document(tmp_path, "games", 50, "--seed", 1)
    assert sum("The player wins." in game for game in games) == counted["seats"][0]["wins"]
    shown = document(tmp_path, "games", 2, "--seed", 1, "--show")["games"]
    assert ["\n".join(lines) for lines in shown] == games[:2]


def test_a_showdown_is_printed_without_a_house(tmp_path: Path) -> None:
    done = analysis(tmp_path, "games", 5, "--show", "--seed", 2, "--rules", "showdown", "--seats", 4)
    assert done.status == 0
    assert "house" not in done.out.split("name ")[0]
    assert done.out.count("Player 4 ends with") == 5


@pytest.mark.parametrize(
    "options",
    first_of(
        ["vegas", "course --naturals 3:2", "casino --split 3", "reno", "europe", "casino --insurance yes"], 3
    ),
)
def test_games_by_any_rules_pay_what_exact_values_say(options: str, tmp_path: Path) -> None:
    words = ("--rules", *options.split(), "--reshuffle", "round", "--policy", "basic")
    played = document(tmp_path, "games", 20_000, "--seed", 3, *words)
    (seat,) = played["seats"]
    assert played["rules"]["reshuffle"] == "round"
    exact = document(tmp_path, "value", "basic", "--reshuffle", "round", *words[:-2])["policies"][0]
    value = exact["value"] - exact["insurance"]  # a chart says nothing about insurance: here it is declined
    assert abs(seat["mean_payoff"] - value) < 4 * seat["standard_error"]


def test_games_of_doubling_and_splitting_are_told_hand_by_hand(tmp_path: Path) -> None:
    done = analysis(tmp_path, "games", 400, "--show", "--seed", 1, "--rules", "vegas", "--policy", "basic")
    games = done.out.split("\n\n")[:-1]
    split = next(game for game in games if "The player splits." in game)
    hands = {*re.findall(r"The player's hand (\d) ends with", split)}
    assert hands >= {"1", "2"}
    payoffs = []
    for hand in sorted(hands):
        (verdict,) = re.findall(
            rf"The player's hand {hand} (wins|loses|pushes|is bust)(?:.* (\d) bets)?", split
        )
        sign = {"wins": 1, "pushes": 0}.get(verdict[0], -1)
        payoffs.append(sign * int(verdict[1] or 1))
    assert f"The player has a payoff of {sum(payoffs):+d} in all." in split
    said = {" ".join(line.split()[2:]) for game in games for line in game.splitlines()}
    assert {"doubles.", "surrenders.", "wins 1.5 bets.", "loses: the house wins 2 bets."} <= said
    assert {"has surrendered: the house wins 0.5 bets.", "looks for a natural, and has none."} <= said


def test_new_rules_are_simulated_and_surrenders_are_shown_where_one_can(tmp_path: Path) -> None:
    words = ("simulate", 20_000, "--rules", "vegas", "--seed", 1)
    result = document(tmp_path, *words)
    assert (result["rules"]["surrender"], result["policies"]) == ("late", ["basic"])
    (seat,) = result["seats"]
    assert seat["wins"]["count"] + seat["pushes"]["count"] + seat["losses"]["count"] == 20_000
    assert 0 < seat["surrenders"]["count"] < seat["losses"]["count"]
    assert abs(result["mean_payoff"]) < 0.05
    line = next(each for each in analysis(tmp_path, *words).out.splitlines() if "by surrender" in each)
    assert line.split()[2] == f"{seat['surrenders']['count']:,}"

    none = "--rules vegas --double none --double-after-split no --surrender none --policy mimic"
    result = document(tmp_path, "simulate", 1_000, *none.split(), "--csv", "a.csv")
    assert "double" not in result["rules"]
    assert result["seats"][0]["surrenders"]["count"] == 0
    shown = analysis(tmp_path, "simulate", 1_000, *none.split())
    for text in (shown.out, (tmp_path / "a.csv").read_text(encoding="utf-8")):
        assert "by busting" in text and "by surrender" not in text


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ("--rules reno --surrender late --double any", "rules: reno double=any surrender=late"),
        ("--rules vegas --insurance no", "rules: vegas insurance=no"),
    ],
)
def test_fields_that_are_not_those_of_the_preset_are_named(tmp_path: Path, fields: str, named: str) -> None:
    done = analysis(tmp_path, "simulate", 10, *fields.split(), "--policy", "mimic")
    assert done.out.splitlines()[0] == named
