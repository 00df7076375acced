"""Policies and rules against each other: the same cards, exact sums, honest errors, and the command."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Ace, Cutoff, Double, EveryRound, Penetration, Rules, Surrender
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.analysis.figures.compare_plots import compare_figure, sweep_figure
from twentyone.analysis.studies.batches import PAYOFFS, Batches, Played, play
from twentyone.analysis.studies.compare import BATCH, FEWEST_BATCHES, Comparison, batches_in, compare
from twentyone.analysis.studies.montecarlo import decisions_of, simulate
from twentyone.analysis.studies.policies import policy_named
from twentyone.analysis.studies.variants import CUTOFFS, Variant, label_of, rules_with, swept, variants_of
from twentyone.analysis.work.shards import Job
from twentyone.kernels.decisions import HIT, NEVER, STAND, compile_policy
from twentyone.kernels.rounds import LOSE, WIN
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS, row_of
from twentyone.support.command import USAGE, CommandError

STUDY, VEGAS, RENO, CASINO = (PRESETS[name] for name in ("study", "vegas", "reno", "casino"))


def batches(variant: Variant, seed: int = 1, first: int = 0, number: int = 40, rounds: int = 500) -> Any:
    """Rounds by batch, seat and outcome."""
    return played(variant, seed, first, number, rounds).outcomes


def played(variant: Variant, seed: int = 1, first: int = 0, number: int = 40, rounds: int = 500) -> Played:
    """Some batches."""
    decisions = decisions_of(variant.policy)
    return play(Batches(variant.rules, decisions, seed, first, number, rounds))


def payoffs(variant: Variant, number: int = 40, rounds: int = 500) -> Any:
    """The payoff of each batch, in tenths."""
    return played(variant, number=number, rounds=rounds).sums[:, :, PAYOFFS].sum(axis=1)


def names_of(variants: list[Variant]) -> list[str]:
    return [variant.name for variant in variants]


def thresholds(rules: Rules, *totals: int) -> list[Variant]:
    return variants_of(rules, [f"threshold:{total}" for total in totals], [])


# Batches.


@pytest.mark.parametrize("rules", [STUDY, CASINO, PRESETS["showdown"], VEGAS], ids=lambda r: r.preset)
def test_a_batch_is_a_shard_of_its_own(rules: Rules) -> None:
    (variant,) = variants_of(rules, ["threshold:16"], [])
    together = batches(variant, first=3, number=5)
    assert together.shape == (5, rules.seats, 5)
    for index in range(5):
        assert np.array_equal(batches(variant, first=3 + index, number=1)[0], together[index])
    assert len({tuple(each.ravel()) for each in together}) == 5, "no two batches are dealt the same"
    assert np.all(together.sum(axis=2) == 500)
    # A simulation's first shard is played by the same kernel with the same random numbers.
    first, simulated = played(variant, number=1, rounds=5_000), simulate(rules, [variant.policy], 5_000, 1)
    assert np.array_equal(first.outcomes[0], simulated.outcomes)
    tenths = np.arange(simulated.totals.size) - simulated.totals.size // 2
    assert first.sums[0, :, PAYOFFS].sum() == simulated.totals @ tenths


def test_what_is_played_alike_ends_alike_in_every_batch() -> None:
    # With an ace that counts 1 there is no natural, so nothing else may change.
    plain, beat = variants_of(STUDY, ["threshold:16"], ["naturals=equal", "naturals=beat"])
    assert np.array_equal(batches(plain), batches(beat))
    comparison = compare([plain, beat, plain], 20_000, seed=5)
    for index in range(3):
        assert (comparison.difference(index).mean, comparison.difference(index).standard_error) == (0, 0)
        assert comparison.saving(index) is None
    assert comparison.counts[0] == comparison.counts[1]


@pytest.mark.parametrize("change", ["decks=1", "decks=inf reshuffle=round", "preset=casino"])
def test_a_policy_does_not_change_the_cards(change: str) -> None:
    stands, draws = variants_of(STUDY, ["threshold:15", "threshold:16"], [change])
    one, other = (batches(each, number=5_000, rounds=1)[:, 0].argmax(axis=1) for each in (stands, draws))
    differs = one != other
    # Only a hand of 15 is played in two ways, and one that stands on 15 is neither bust nor level with a
    # dealer, who has 17 or more.
    assert 200 < differs.sum() < 1_000
    assert set(one[differs]) == {WIN, LOSE}
    apart = batches(draws, seed=2, number=5_000, rounds=1)[:, 0].argmax(axis=1)
    assert np.sum(one != apart) > 2_000


# The sums, and the estimates from them.


def test_the_figures_are_those_of_the_batches() -> None:
    changes = [
        "preset=study",
        "preset=casino",
        "preset=casino seats=3",
        "preset=showdown",
        "preset=reno seats=3",
    ]
    variants = variants_of(STUDY, ["threshold:16"], changes)
    comparison = compare(variants, 40 * 500, seed=1, batch=500)
    assert (comparison.rounds, comparison.batches) == (20_000, 40)
    means = []
    for index, variant in enumerate(variants):
        assert comparison.counts[index] == batches(variant).sum(axis=(0, 1)).tolist()
        assert comparison.tally(index).rounds == 20_000 * variant.rules.seats
        means.append(payoffs(variant) / (500 * TENTHS * variant.rules.seats))
        for found, values in (
            (comparison.estimate(index), means[index]),
            (comparison.difference(index), means[index] - means[0]),
        ):
            assert found.mean == pytest.approx(values.mean(), abs=1e-14)
            assert found.standard_error == pytest.approx(values.std(ddof=1) / np.sqrt(40), rel=1e-9)
    spread = [each.var(ddof=1) for each in means]
    paired = (means[1] - means[0]).var(ddof=1)
    assert comparison.saving(1) == pytest.approx((spread[1] + spread[0]) / paired, rel=1e-9)


def figures(comparison: Comparison) -> tuple[Any, ...]:
    return comparison.counts, comparison.squares, comparison.products


def test_the_seed_decides_and_finished_batches_are_kept(tmp_path: Path) -> None:
    variants = thresholds(STUDY, 15, 16)
    finished: list[int] = []
    file = tmp_path / "checkpoint"
    first = compare(variants, 60_000, seed=3, batch=2_000, job=Job(checkpoint=file, done=finished.append))
    assert sum(finished) == 2 * 60_000
    again = compare(variants, 60_000, seed=3, batch=2_000, job=Job(checkpoint=file))
    assert figures(first) == figures(again)
    assert figures(first) != figures(compare(variants, 60_000, seed=4, batch=2_000))
    for other, seed, batch in (thresholds(STUDY, 15, 17), 3, 2_000), (variants, 4, 2_000), (variants, 3, 500):
        with pytest.raises(CommandError, match="checkpoint"):
            compare(other, 60_000, seed=seed, batch=batch, job=Job(checkpoint=file))


def test_a_cutoff_of_the_whole_shoe_is_a_fresh_one_every_round() -> None:
    changes = ["reshuffle=cutoff:52", "reshuffle=round"]
    cutoff, fresh = variants_of(STUDY, ["threshold:16"], changes)
    assert np.array_equal(batches(cutoff), batches(fresh))


# How many rounds.


def test_rounds_are_a_whole_number_of_batches() -> None:
    for batches in (FEWEST_BATCHES, MAX_SHARDS):
        assert batches_in(batches * BATCH) == batches
    numbers = "expected 20 to 4,194,304 batches, which is 20,000 to 4,194,304,000 rounds"
    for rounds, batch, said in (
        (1_500, BATCH, "1,500 rounds are not a whole number of batches: expected a multiple of 1,000"),
        (19_000, BATCH, numbers),
        ((MAX_SHARDS + 1) * BATCH, BATCH, numbers),
        (20, 0, "a batch of 0 rounds: expected 1 to 10,000,000"),
        (10**9, 10**8, "a batch of 100,000,000 rounds"),
    ):
        with pytest.raises(ValueError, match=said):
            batches_in(rounds, batch)


# Variants.


def test_every_policy_is_played_under_every_variant() -> None:
    soft = "ace=either dealer-stands=hard17"
    variants = variants_of(STUDY, ["threshold:15", "mimic"], ["ace=1", soft])
    names = ["threshold:15, ace=1", f"threshold:15, {soft}", "mimic, ace=1", f"mimic, {soft}"]
    assert names_of(variants) == names
    assert variants[2].rules == STUDY
    # A policy that depends on the rules depends on those of its variant: hard17 draws on a soft 17.
    soft17 = [each.policy.decisions[0, row_of(17, is_soft=True), 1] for each in variants]
    assert soft17[1:] == [STAND, NEVER, HIT], "an ace that counts 1 makes no soft hand"
    assert names_of(variants_of(STUDY, ["mimic"] * 2, ["ace=1", "ace=11", "ace=1"])) == ["ace=1", "ace=11"]
    assert names_of(thresholds(STUDY, 15, 16)) == ["threshold:15", "threshold:16"]


def test_a_variant_changes_fields_of_the_base_or_starts_from_a_preset() -> None:
    base = replace(STUDY, ace=Ace.EITHER)
    assert rules_with(base, "decks=6 reshuffle=cutoff:52") == replace(base, decks=6, reshuffle=Cutoff(52))
    assert rules_with(base, "preset=devs decks=2") == replace(PRESETS["devs"], decks=2)
    assert rules_with(PRESETS["showdown"], "seats=3") == replace(PRESETS["showdown"], seats=3)
    assert rules_with(base, "") == base


def test_an_invalid_variant_is_refused() -> None:
    for change, said in {
        "ace": "is invalid: expected FIELD=VALUE, each field once, with the fields preset",
        "aces=1": "is invalid: expected FIELD=VALUE",
        "ace=1 ace=11": "is invalid: expected FIELD=VALUE",
        "ace=2": "is invalid: ace is '2': expected 1, 11 or either",
        "decks=inf": "is invalid: decks is inf, and an infinite deck never runs low",
    }.items():
        with pytest.raises(CommandError) as caught:
            rules_with(STUDY, change)
        assert str(caught.value).startswith(f"the variant {change!r} {said}")
        assert caught.value.status == USAGE


def test_the_usual_cutoffs_go_from_a_used_up_shoe_to_a_fresh_one() -> None:
    variants = swept(STUDY, ["threshold:16"], "cutoff")
    assert [variant.place for variant in variants] == [*CUTOFFS]
    assert [variant.name for variant in variants[:2]] == ["cutoff:1", "cutoff:5"]
    assert [variant.rules for variant in variants] == [replace(STUDY, reshuffle=Cutoff(n)) for n in CUTOFFS]
    six = swept(replace(STUDY, decks=6), ["threshold:16"], "cutoff")
    assert six[-1].rules.reshuffle == Cutoff(6 * 52)


def test_figures_to_sweep_can_be_given() -> None:
    variants = swept(STUDY, ["basic", "mimic", "basic"], "penetration:0.5,.25,0.5")
    parts = ("penetration:0.25", "penetration:0.5")
    assert names_of(variants) == [f"{policy}, {part}" for policy in ("basic", "mimic") for part in parts]
    assert [variant.rules.reshuffle for variant in variants[:2]] == [Penetration(0.25), Penetration(0.5)]
    decks = swept(replace(STUDY, reshuffle=EveryRound()), ["mimic"], "decks")
    assert [variant.rules.decks for variant in decks] == [*range(1, 9)]
    assert label_of("decks:1,2") == "decks in the shoe"
    assert label_of("cutoff").startswith("cutoff: the shoe is made fresh")


def test_an_invalid_sweep_is_refused() -> None:
    for sweep, said in {
        "ace": "there is no sweep 'ace': expected cutoff, penetration, decks",
        "cutoff:": "the sweep is 'cutoff:': expected figures separated by commas, as in cutoff:1,2,3",
        "cutoff:5..9": "the sweep is 'cutoff:5..9'",
        "cutoff:53": "the sweep 'cutoff:53' is invalid: a cutoff of 53 cards does not fit a shoe of 52",
        "decks:1.5": "the sweep 'decks:1.5' is invalid: decks is '1.5'",
    }.items():
        with pytest.raises(CommandError) as caught:
            swept(STUDY, ["mimic"], sweep)
        assert str(caught.value).startswith(said)
        assert caught.value.status == USAGE


# The pictures.


def test_the_picture_shows_means_and_paired_differences_with_their_intervals() -> None:
    comparison = compare(thresholds(STUDY, 14, 15, 16), 20_000, seed=1)
    figure = compare_figure(comparison, "study")
    means, differences = figure.axes
    assert means.get_xlabel() == "mean payoff per round (initial bets)\nbars: 95 % intervals"
    assert "difference to threshold:14 (initial bets)" in differences.get_xlabel()
    names = [label.get_text() for label in means.get_yticklabels()]
    assert names == ["threshold:14", "threshold:15", "threshold:16"]
    for axes, of in ((means, comparison.estimate), (differences, comparison.difference)):
        bars: Any = axes.containers[0]
        assert bars.has_xerr
        shown = np.array([segment[:, 0] for segment in bars[2][0].get_segments()])
        assert shown == pytest.approx(np.array([of(index).interval() for index in range(3)]))


def test_a_sweep_is_a_line_for_each_policy_with_the_paired_differences_below() -> None:
    variants = swept(STUDY, ["threshold:15", "threshold:16"], "cutoff:10,26,52")
    comparison = compare(variants, 20_000, seed=1)
    means, differences = sweep_figure(comparison, label_of("cutoff"), "study").axes
    assert differences.get_xlabel() == label_of("cutoff")
    assert means.get_ylabel() == "mean payoff per round (initial bets)"
    first = "differences to threshold:15, cutoff:10, batch by batch on the same cards; bars: 95 % intervals"
    assert differences.get_title(loc="left") + differences.get_title() == first
    legend = means.get_legend()
    assert legend and [text.get_text() for text in legend.get_texts()] == ["threshold:15", "threshold:16"]
    for axes, of in ((means, comparison.estimate), (differences, comparison.difference)):
        lines: Any = axes.containers
        assert [list(line[0].get_xdata()) for line in lines] == [[10, 26, 52]] * 2
        shown = np.array([segment[:, 1] for line in lines for segment in line[2][0].get_segments()])
        assert shown == pytest.approx(np.array([of(index).interval() for index in range(6)]))


def test_ten_sweeps_of_decks_are_all_drawn_and_the_cards_are_not_said_to_be_the_same() -> None:
    variants = swept(STUDY, [f"threshold:{total}" for total in range(8, 18)], "decks:1,2")
    figure = sweep_figure(compare(variants, 200, seed=1, batch=10), label_of("decks"), "study")
    means, differences = figure.axes
    assert len(means.containers) == 10
    title = differences.get_title(loc="left") + differences.get_title()
    assert title == "differences to threshold:8, decks:1, batch by batch; bars: 95 % intervals"


# Rules with payoffs.


def test_a_shoe_that_is_used_up_is_told_in_a_sentence() -> None:
    rules = replace(RENO, seats=9, split=4, reshuffle=Cutoff(1))
    greedy = compile_policy(lambda seen: seen.options[-1] if seen.pair else seen.options[0], rules)
    with pytest.raises(CommandError, match=r"^two: all cards of 1 deck were on the table in a round"):
        compare([Variant("one", RENO, greedy), Variant("two", rules, greedy)], 100_000, seed=1)


def test_a_variant_changes_any_field() -> None:
    assert rules_with(VEGAS, "surrender=none split=2") == replace(VEGAS, surrender=Surrender.NONE, split=2)
    assert rules_with(CASINO, "double=any") == replace(CASINO, double=Double.ANY)
    with pytest.raises(CommandError, match="double-after-split"):
        rules_with(VEGAS, "double=none")


def test_the_policy_of_a_sweep_is_made_once_for_all_shoes_that_are_kept() -> None:
    first, second = swept(VEGAS, ["basic"], "cutoff:26,78")
    assert first.policy is second.policy
    assert decisions_of(first.policy) == decisions_of(policy_named("basic", VEGAS))


# The command.


def test_the_decision_rules_of_the_study(tmp_path: Path) -> None:
    files = ("--csv", "a.csv", "--plot", "a.png")
    found = document(tmp_path, "compare", 100_000, "--seed", 4, *files, "--workers", 1)
    assert (found["seed"], found["rounds"], found["batch"]) == (4, 100_000, 1_000)
    assert [each["name"] for each in found["variants"]] == [f"threshold:{n}" for n in range(12, 19)]
    for each in found["variants"]:
        assert each["rules"] == STUDY.fields()
        assert each["wins"] + each["pushes"] + each["losses"] == 100_000
        assert each["busts"] < each["losses"]
        assert each["mean_payoff"] == (each["wins"] - each["losses"]) / 100_000
        low, high = each["interval"]
        assert high - low == pytest.approx(2 * 1.959964 * each["standard_error"])
    first, second, *_ = found["variants"]
    assert (first["busts"], first["difference"], first["saving"]) == (0, 0, None)
    assert second["difference"] == pytest.approx(second["mean_payoff"] - first["mean_payoff"])
    low, high = second["difference_interval"]
    assert low < second["difference"] < high
    assert second["saving"] > 2

    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [each["name"] for each in found["variants"]]
    assert float(rows[1]["difference_low"]) == low
    assert rows[1]["rounds"] == "100000"
    # Busts are called a part of the losses, so that the columns are not all added.
    assert [int(row["by busting"]) for row in rows] == [each["busts"] for each in found["variants"]]
    assert "busts" not in rows[0]


def test_the_table_fits_a_terminal(tmp_path: Path) -> None:
    options = ("--ace", "either", "--variant", "naturals=equal", "--variant", "naturals=beat")
    done = analysis(tmp_path, "compare", 40_000, *options, "--seed", 1, "--workers", 1)
    assert (done.status, done.err) == (0, "")
    rules, policy, heading, equal, beat, rounds, saved = done.out.splitlines()
    assert rules == "rules: study ace=either"
    assert policy == "policy: threshold:16"
    assert heading.split()[:4] == ["wins", "%", "pushes", "%"]
    assert equal.split()[0] == "naturals=equal" and beat.split()[0] == "naturals=beat"
    assert (len(equal.split()), len(beat.split())) == (7, 9)
    assert rounds == "40,000 rounds each, in batches of 1,000; seed 1"
    # Only the rounds with a natural can differ, so nearly all luck is shared.
    assert float(saved.split()[3]) > 50
    assert max(map(len, done.out.splitlines())) <= 100


def test_what_cannot_be_compared_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for options, said in {
        "--policy basic": "there is nothing to compare basic with: expected another --policy or",
        "--sweep cutoff:26": "there is nothing to compare cutoff:26 with: expected another figure",
        "--decks inf --reshuffle round --sweep cutoff": "the sweep 'cutoff' is invalid: decks is inf, and",
        "--sweep cutoff --variant ace=1": "--sweep makes the variants itself",
        "1500": "1,500 rounds are not a whole number of batches",
    }.items():
        assert refusal(tmp_path, "compare", *options.split()).startswith(said)


def test_the_cut_card_is_swept_by_the_command(tmp_path: Path) -> None:
    words = ("compare", 40_000, "--rules", "vegas", "--sweep", "cutoff:26,312", "--seed", 1, "--workers", 1)
    found = document(tmp_path, *words, "--csv", "a.csv", "--plot", "a.png")["variants"]
    assert [each["name"] for each in found] == ["cutoff:26", "cutoff:312"]
    for each in found:
        assert each["policy"] == "basic"
        assert each["wins"] + each["pushes"] + each["losses"] == 40_000
        assert 0 < each["surrenders"] < each["losses"] - each["busts"]
        assert each["mean_payoff"] * 400_000 == pytest.approx(round(each["mean_payoff"] * 400_000))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["by surrender"]) for row in rows] == [each["surrenders"] for each in found]
    rules, policy, heading, *lines = analysis(tmp_path, *words).out.splitlines()
    assert (rules, policy) == ("rules: vegas", "policy: basic")
    assert "by surrender %" in heading
    assert lines[0].split()[0] == "cutoff:26"
    assert max(map(len, [heading, *lines[:2]])) <= 120


def test_surrenders_are_not_shown_where_nobody_can(tmp_path: Path) -> None:
    words = ("compare", 20_000, "--rules", "reno", "--policy", "basic", "--policy", "mimic", "--workers", 1)
    done = analysis(tmp_path, *words, "--csv", "a.csv")
    assert done.status == 0, done.err
    for text in (done.out, (tmp_path / "a.csv").read_text(encoding="utf-8")):
        assert "by busting" in text and "by surrender" not in text
