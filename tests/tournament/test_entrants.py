"""The file of a tournament: what it says, and one sentence for everything that is wrong with it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from cards import EveryRound, Penetration
from tests.helpers.authority import Authority
from tests.tournament.cups import entrant, policy, program, write
from tournament import entrants
from tournament.settings import Clocks, Limits
from twentyone.support.command import CommandError

TWO = (policy("a", "mimic"), policy("b", "threshold:15"))


def fault_of(folder: Path, *of: str, head: str = "rounds = 10\n") -> str:
    with pytest.raises(CommandError) as caught:
        entrants.read(write(folder, *of, head=head))
    sentence = str(caught.value)
    assert sentence.startswith(str(folder / "cup.toml")) and "\n" not in sentence
    return sentence


def test_a_file_says_everything(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    head = (
        'rounds = 500\nseed = 7\nrules = "vegas"\nrestarts = 3\nstart = 5\nwait = 60\n'
        "[clocks]\ndecision = 0.5\nbank = 2\nrefill = 0\n"
        '[limits]\nmemory = "512MiB"\nfiles = 64\nprocesses = 8\nfile_size = 1000\n'
    )
    file = write(
        tmp_path,
        program("a", 15),
        policy("b", "basic"),
        entrant("c", 'listen = "0.0.0.0:9001"', 'token = "secret"'),
        entrant("d", 'folder = "own"', 'command = "sh run {host}:{port}"'),
        entrant("e", 'see = ["own", "own/../bot.py"]', f'command = "sh own {{port}} bot.py {"y" * 300}"'),
        head=f'confine = "required"\n{head}',
    )
    found = entrants.read(file)
    assert (found.rounds, found.seed, found.restarts) == (500, 7, 3)
    assert (found.start, found.wait) == (5.0, 60.0)
    assert found.clocks == Clocks(0.5, 2.0, 0.0)
    assert found.limits == Limits(512 << 20, 64, 8, 1000)
    assert found.rules.preset == "vegas" and found.rules.reshuffle == EveryRound()
    a, b, c, d, e = found.entrants
    assert a.command[:2] == (sys.executable, str(tmp_path / "bot.py"))
    assert (b.policy, b.command) == ("basic", ())
    assert (c.listen, c.token) == (("0.0.0.0", 9001), "secret")
    assert found.is_confined
    assert e.see == (tmp_path / "own", tmp_path / "bot.py")
    assert e.command == ("sh", str(tmp_path / "own"), "{port}", str(tmp_path / "bot.py"), "y" * 300)
    assert (d.folder, d.command) == (tmp_path / "own", ("sh", "run", "{host}:{port}"))


def test_files_of_a_certificate_lie_beside_the_file_and_are_tried_at_once(
    tmp_path: Path, authority: Authority
) -> None:
    cert, key = (Path(shutil.copy(file, tmp_path)) for file in authority.certificate("localhost"))
    (tmp_path / "other.pem").write_text("no certificate")
    far = ('listen = "127.0.0.1:9001"', 'token = "t"')
    files = (f'tls_cert = "{cert.name}"', f'tls_key = "{key.name}"')
    found = entrants.read(write(tmp_path, *TWO, entrant("x", *far, *files)))
    assert [each.tls for each in found.entrants] == [None, None, (cert, key)]
    for lines, said in (
        ((*far, files[0]), "it has tls_cert and no tls_key: expected both, or none"),
        ((*far, files[1]), "it has tls_key and no tls_cert: expected both, or none"),
        (('policy = "mimic"', *files), "it has tls_cert, which goes with listen"),
        ((*far, files[0], 'tls_key = "none"'), f"the key {tmp_path / 'none'} cannot be read: no such file"),
        (
            (*far, 'tls_cert = "other.pem"', files[1]),
            f"{tmp_path / 'other.pem'} has no certificate in the form of PEM",
        ),
    ):
        assert f"entrant x: {said}" in fault_of(tmp_path, *TWO, entrant("x", *lines)), lines


def test_options_go_before_the_file_and_rules_are_spelt_as_options_are(tmp_path: Path) -> None:
    file = write(tmp_path, *TWO, head='rounds = 10\nseed = 1\nrules = "casino"\n')
    found = entrants.read(file, rounds=20, seed=2, kept_shoe=True)
    assert (found.rounds, found.seed, found.kept_shoe) == (20, 2, True)
    assert found.rules.reshuffle == Penetration(0.75)
    head = '[rules]\npreset = "vegas"\ndecks = 2\ninsurance = false\n"hole-card" = "peek"\n'
    found = entrants.read(write(tmp_path, *TWO, head=head), new_seed=lambda: 42)
    assert (found.rules.decks, found.rules.insurance, found.seed) == (2, False, 42)
    with pytest.raises(CommandError, match="cannot be read: no such file"):
        entrants.read(tmp_path / "none.toml")


def test_files_of_policies_lie_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    (tmp_path / "mine.py").write_text("def play(observation):\n    return int(observation[0] < 14)\n")
    file = write(tmp_path, policy("a", "mine.py:play"), policy("b", "mimic"))
    assert entrants.read(file).entrants[0].policy == f"{tmp_path / 'mine.py'}:play"


def test_what_is_wrong_with_the_file_is_said(tmp_path: Path) -> None:
    for head, said in (
        ("round = 10\n", "there is no key 'round': expected rounds, seed"),
        ("rounds = 0\n", "rounds is 0: expected a whole number, 1 to"),
        ("rounds = true\n", "rounds is True: expected a whole number"),
        ('rules = "las vegas"\n', "there are no rules 'las vegas'"),
        ("rules = 5\n", "rules is 5: expected a table"),
        ("[rules]\ndeck = 1\n", "[rules]: there is no key 'deck': expected preset, decks"),
        ("[rules]\ndecks = 9\n", "[rules]: "),
        ("[rules]\nseats = 2\n", "seats is 2: expected 1, since against a dealer"),
        ('kept_shoe = true\n[rules]\ndecks = "inf"\n', "an infinite deck is never used up"),
        ("kept_shoe = true\n", "reshuffle is round, so no shoe is kept"),
        ('kept_shoe = true\nrules = "showdown"\n', "showdown has no dealer"),
        ('[rules]\npreset = "showdown"\nseats = 3\n', "a table has 3 seats: expected 2 or fewer"),
        ("[clocks]\ndecision = 0\n", "[clocks]: decision is 0: expected seconds"),
        ("[clocks]\nbanks = 0\n", "[clocks]: there is no key 'banks': expected decision, bank or refill"),
        ('[limits]\nmemory = "4 potatoes"\n', "[limits]: memory is '4 potatoes': expected bytes"),
        ('confine = "no"\n', "confine is 'no': expected \"required\""),
        ('open = "yes"\n', "open is 'yes': expected true or false"),
        ("rounds = \n", "is not a TOML file"),
    ):
        assert said in fault_of(tmp_path, *TWO, head=head), head


def test_what_is_wrong_with_an_entrant_is_said(tmp_path: Path) -> None:
    for of, said in (
        (entrant("x"), "entrant x: it has no policy, command or listen"),
        (entrant("x", 'policy = "mimic"', 'command = "sh {port}"'), "entrant x: it has policy and command"),
        (entrant("x", 'policy = "mimic"', "speed = 1"), "entrant x: there is no key 'speed'"),
        (entrant("x", 'policy = "mimics"'), "entrant x: there is no policy 'mimics'"),
        (entrant("x", 'policy = "human"'), "entrant x: the policy 'human' cannot be used here"),
        (entrant("x", 'policy = "chart:none.txt"'), "none.txt cannot be read"),
        (entrant("x", 'command = "no-such-program {port}"'), "its program no-such-program is not there"),
        (entrant("x", 'command = "./bot.py {port}"'), "bot.py may not be run"),
        (entrant("x", 'command = "sh run"'), "its command has no {port}"),
        (entrant("x", 'command = "sh \'run {port}"'), "entrant x: command is"),
        (entrant("x", "command = []"), "expected a text, or a list of words"),
        (entrant("x", 'command = "sh {port}"', 'folder = "none"'), "there is no such folder"),
        (entrant("x", 'command = "sh {port}"', 'see = "own"'), "see is 'own': expected a list of files"),
        (entrant("x", 'command = "sh {port}"', 'see = ["none"]'), "see names 'none', and there is no such"),
        (
            entrant("x", 'command = "sh {port}"', f'see = ["{"y" * 300}"]'),
            "and there is no such file or folder",
        ),
        (entrant("x", 'policy = "mimic"', 'see = ["own"]'), "it has see, which goes with command"),
        (entrant("x", 'listen = "9001"'), "entrant x: there is no token"),
        (entrant("x", 'listen = "here"', 'token = "t"'), "expected an address and a port"),
        (entrant("x", 'policy = "mimic"', 'token = "t"'), "it has token, which goes with listen"),
        (program("x", 15) + 'version = "2"\n', "it has version, which goes with listen"),
        (entrant("x  y", 'policy = "mimic"'), "entrant 3: the name is 'x  y': expected 1 to 32 printable"),
        (entrant("\u738b" * 23, 'policy = "mimic"'), "entrant 3: the name is"),
        (policy("A", "mimic"), "entrant A: a has the name a too"),
    ):
        assert said in fault_of(tmp_path, *TWO, of), of
    two = [entrant(name, 'listen = "127.0.0.1:9001"', 'token = "t"') for name in "xy"]
    assert "entrant y: x has the port 9001 too" in fault_of(tmp_path, *two)


def test_a_tournament_has_two_entrants_and_not_too_many_matches(tmp_path: Path) -> None:
    assert "there are no entrants" in fault_of(tmp_path)
    assert "there is 1 entrant: expected two or more" in fault_of(tmp_path, TWO[0])
    many = [policy(f"p{number}", "mimic") for number in range(50)]
    head = '[rules]\npreset = "showdown"\nseats = 3\n'
    assert "50 entrants at tables of 3 are 19,600 matches" in fault_of(tmp_path, *many, head=head)
