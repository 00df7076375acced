"""The `dealer` command as a person or a script runs it: options, what it says and shows, its files."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import socket
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
import segno

from cards import PRESETS, Bets, Rules
from dealer import console
from dealer.cli import main
from dealer.network import listening
from dealer.network.listening import Listening
from dealer.tables.config import Config
from dealer.tables.ledger import SHOWN_ROWS
from dealer.web.invitation import code_text
from protocol.public_url import parse_public_url
from tests.dealer.conftest import Start
from tests.dealer.running import MODULE, by_shell
from tests.helpers.house import kinds
from tests.helpers.inside import inside
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import Finished
from tests.helpers.terminals import on_screen
from tests.twentyone.support.terminals import read_all


def ended_at_once(folder: Path, line: str) -> Finished:
    """The command in this process, with a command line with which it ends on its own."""
    return inside(main, "dealer", *shlex.split(line), cwd=folder)


def complaint(ended: Finished) -> str:
    """The only line on standard error."""
    (line,) = ended.err.splitlines()
    return line


# What it says.


def test_it_says_where_it_listens_the_rules_and_what_to_type(started: Start) -> None:
    dealer = started(1, is_true=True)
    port = dealer.port
    dealer.join().play()
    ended = dealer.wait()
    assert ended.status == 0
    assert ended.err.splitlines() == [
        f"dealer: listening on {LOCALHOST}:{port}, dealing 1 round",
        f"rules:  {Rules()}",
        f"play:   nc {LOCALHOST} {port}",
        "        then type JOIN yourname, and answer DECISION with HIT or STAND",
        f"        or open http://{LOCALHOST}:{port}/ in a browser",
    ]


def test_its_greeting_depends_on_the_table_and_on_who_can_reach_it() -> None:
    bets = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=500)
    names = "DECISION with a word that it names"
    for config, said in (
        (Config(0, 1, rules=PRESETS["vegas"]), f"        then type JOIN yourname, and answer {names}"),
        (Config(0, 1, rules=bets), f"and answer DECISION BET with BET 10, any other {names}"),
        (Config(0, 0), "127.0.0.1:8088, dealing until Ctrl-C"),
        (Config(0, 2000, rounds_per_table=True), "127.0.0.1:8088, dealing 2,000 rounds at each table"),
    ):
        lines = console.greeting(config, Listening(LOCALHOST, (LOCALHOST,), 8088)).splitlines()
        assert any(line.endswith(said) for line in lines), said


def test_its_greeting_tells_others_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    note = "note:   other machines can reach this dealer, and anybody who reaches it can play"
    addresses = {socket.AF_INET: ["192.168.7.5", "10.1.2.3"], socket.AF_INET6: ["fd00::2"]}
    monkeypatch.setattr(listening, "network_addresses", lambda family: addresses[family])

    def said(host: str, *bound: str) -> list[str]:
        return console.greeting(Config(0, 0), Listening(host, bound, 8088)).splitlines()

    first, *others, last = said("0.0.0.0", "0.0.0.0")
    assert (first, last) == ("dealer: listening on 0.0.0.0:8088, dealing until Ctrl-C", note)
    assert others[1] == "play:   nc 127.0.0.1 8088"
    assert others[4:6] == [
        "others: open http://192.168.7.5:8088/ or type nc 192.168.7.5 8088",
        "        or http://10.1.2.3:8088/",
    ]
    # Two modules to a character, and four more on each side (ISO 18004: the quiet zone).
    code = segno.make_qr("http://192.168.7.5:8088/", error="m").matrix
    assert [len(line) for line in others[6:]] == [len(code) + 8] * ((len(code) + 9) // 2)
    assert set("".join(others[6:])) == set(" \u2580\u2584\u2588")
    assert said("::", "::")[4:6] == [
        "        or open http://[::1]:8088/ in a browser",
        "others: open http://[fd00::2]:8088/ or type nc fd00::2 8088",
    ]
    assert said("desk", "127.0.1.1")[5:] == [
        "note:   desk leads to 127.0.1.1, which only this machine can reach:"
        " expected --host 0.0.0.0 or --host 192.168.7.5 for other machines"
    ]
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert len(said("0.0.0.0", "0.0.0.0")) == 8


def test_its_greeting_has_its_public_address_and_says_what_is_encrypted() -> None:
    urls = [parse_public_url("https://example.org/cards/"), parse_public_url("http://cards.example/")]
    note = "note:   other machines can reach this dealer, and anybody who reaches it can play"
    tokens = "note:   tokens are not encrypted: expected --tls-cert, or a proxy with a --public-url by https"

    def said(**told: Any) -> list[str]:
        config = Config(0, 0, tokens={"ann": "secret"}, **told)
        return console.greeting(config, Listening(LOCALHOST, (LOCALHOST,), 8088)).splitlines()

    by_name = said(public_urls=urls)
    assert by_name[2] == f"play:   nc {LOCALHOST} 8088"
    assert by_name[4] == f"        or open http://{LOCALHOST}:8088/ in a browser"
    assert by_name[5:7] == ["others: open https://example.org/cards/", "        or http://cards.example/"]
    assert by_name[7:-1] == code_text("https://example.org/cards/").splitlines()
    assert by_name[-1] == note
    assert said(public_urls=urls[1:])[-2:] == [note, tokens]
    assert said(proxies=[ip_network("10.0.0.0/8")])[5:] == [note, tokens]
    files = (Path("cert.pem"), Path("key.pem"))
    assert said(tls=files)[2] == f"play:   ncat --ssl {LOCALHOST} 8088"
    assert said(tls=files)[4:] == [f"        or open https://{LOCALHOST}:8088/ in a browser"]
    assert said(tls=files, public_urls=urls)[4] == "        or open https://example.org/cards/ in a browser"
    assert len(said()) == 5
    announced = said(proxies_with_header=[ip_network("127.0.0.0/8")])
    by_proxy = f"play:   by the proxy: a connection from {LOCALHOST} has to begin with a PROXY header"
    assert announced[2:] == [by_proxy, note, tokens]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            "--public-url example.org",
            "--public-url: 'example.org' is no public address: expected http:// or https:// with a host,"
            " and perhaps a port and a path of letters, digits and . _ ~ -, such as https://example.org/blackjack/",
        ),
        (
            "--proxy 10.0.0.0/40",
            "--proxy is '10.0.0.0/40': expected an address, such as 192.0.2.1, or a network, such as"
            " 10.0.0.0/8",
        ),
        (
            "--proxy-protocol 127.0.0.1 --proxy-protocol balancer",
            "--proxy-protocol is 'balancer': expected an address, such as 192.0.2.1, or a network, such as"
            " 10.0.0.0/8",
        ),
        ("--tls-cert a.pem", "--tls-cert needs the key of the certificate: expected --tls-key FILE too"),
        ("--tls-key a.pem", "--tls-key needs its certificate: expected --tls-cert FILE too"),
        (
            "--tls-cert a.pem --tls-key b.pem",
            "the certificate a.pem cannot be read: no such file or directory:"
            " expected a certificate and its key as PEM",
        ),
    ],
)
def test_what_makes_no_sense_about_the_world_is_refused(tmp_path: Path, options: str, sentence: str) -> None:
    ended = ended_at_once(tmp_path, f"0 0 {options}")
    assert (ended.status, complaint(ended)) == (2, f"dealer: {sentence}")


def test_bots_alone_play_the_same_again_by_a_seed_and_are_counted(started: Start) -> None:
    table = ("--rules", "vegas", "--seats", "3", "--bets", "10-80", "--bots", "3", "--bot-policy", "random")
    for _ in range(2):
        dealer = started(20, *table, "--seed", "4", "--json", "--history", "rounds.jsonl")
        ended = dealer.wait()
        assert ended.status == 0
    summary = json.loads(ended.out)
    assert (summary["rules"]["seats"], summary["rules"]["bets"]) == ("3", "10-80")
    assert [(row["rounds"], int(row["bankroll"]) > 0) for row in summary["players"]] == [(20, True)] * 3
    told = dealer.lines("rounds.jsonl")
    assert [line["round"] for line in told] == [*range(1, 21)] * 2
    assert [line["records"] for line in told[:20]] == [line["records"] for line in told[20:]]


def test_quiet_it_says_nothing_but_the_summary_of_the_seats_with_the_most_rounds(started: Start) -> None:
    """On a terminal too."""
    names = SHOWN_ROWS + 3
    ours, theirs = os.openpty()
    dealer = started(names + 1, "--quiet", stderr=theirs)
    os.close(theirs)
    dealer.join("JOIN often 2").play()
    for number in range(names - 1):
        dealer.join(f"JOIN name{number} 1").play()
    ended = dealer.wait()
    assert (ended.status, read_all(ours)) == (0, b"")
    assert len(re.findall(r"^name[0-9]", ended.out, re.MULTILINE)) == SHOWN_ROWS - 1
    assert re.search(r"^often +2 ", ended.out, re.MULTILINE)
    assert re.search(r"^3 more +3 ", ended.out, re.MULTILINE)
    assert re.search(rf"^all +{names + 1} ", ended.out, re.MULTILINE)


def test_its_json_has_the_keys_that_are_promised(started: Start) -> None:
    """`docs/reference`; players of one name have rows of their own, and who is back has the same."""
    dealer = started(10, "--json", "--rules", "devs")
    port = dealer.port
    dealer.join("JOIN ann 6").play("HIT")
    kept = dealer.seat("JOIN ann 3")
    kept.say("KEEP 0123456789abcdefghijkl", "STAND")
    kept.hear_until("DECISION")
    kept.close()
    dealer.join("RESUME 0123456789abcdefghijkl").play()
    bob = dealer.seat("JOIN bob")
    bob.say("NONSENSE", "STAND")
    bob.play()
    told = json.loads(dealer.wait().out)
    keys = "port rules rounds seconds rounds_per_second refusals players all"
    assert list(told) == keys.split()
    assert told["port"] == port
    assert (told["rules"]["preset"], told["rounds"], told["refusals"]) == ("devs", 10, 1)
    assert told["rounds_per_second"] == pytest.approx(10 / told["seconds"])
    keys = "name rounds wins pushes losses busts mean_payoff standard_error"
    assert list(told["players"][0]) == keys.split()
    rows = [(row["name"], row["rounds"]) for row in told["players"]]
    assert rows == [("ann", 6), ("ann (2)", 3), ("bob", 1)]
    for tally in (*told["players"], told["all"]):
        results = {key: tally[key] for key in ("wins", "pushes", "losses")}
        assert sum(results.values()) == tally["rounds"]
        assert 0 <= tally["busts"] <= tally["losses"]
        assert tally["mean_payoff"] == pytest.approx((results["wins"] - results["losses"]) / tally["rounds"])


@pytest.mark.check
def test_the_module_is_the_command(started: Start) -> None:
    dealer = started(1, "--quiet", "--json", command=MODULE)
    dealer.join().play()
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"]) == (0, 1)


def test_help_names_every_option(tmp_path: Path) -> None:
    ended = ended_at_once(tmp_path, "--help")
    assert ended.status == 0
    rules = "--rules --decks --reshuffle --ace --dealer-stands --naturals"
    tables = "--seats --bots --bot-policy --players --tables --rounds-per-table --practice --pause --lobby"
    limits = "--seed --decision-clock --join-timeout --max-connections --max-per-address --strict"
    shares = "--max-tables-per-address --max-watchers-per-address"
    files = "--history --log --tokens --port-file --quiet --json"
    for name in f"PORT ROUNDS --host --name --admin {rules} {tables} {limits} {shares} {files}".split():
        assert name in ended.out, name


# Files.


@pytest.mark.parametrize("option", ["--history", "--log", "--port-file"])
def test_a_file_that_cannot_be_written_is_said_in_one_sentence(started: Start, option: str) -> None:
    ended = started(1, option, ".").wait()
    assert ended.status == 1
    assert re.match(r"dealer: the .*file .* cannot be (opened|written): ", complaint(ended))


@pytest.mark.parametrize("what", ["history", "log"])
def test_on_a_full_disk_it_says_so_once_and_deals_on(started: Start, what: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    dealer = started(5, f"--{what}", "/dev/full", "--quiet", "--json")
    assert kinds(dealer.join().play()).count("RESULT") == 5
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"]) == (1, 5)
    assert complaint(ended) == (
        f"dealer: the {what} file /dev/full cannot be written any more: no space left on device;"
        " the dealer plays on without it"
    )


def test_the_log_and_the_history_are_two_files(tmp_path: Path) -> None:
    ended = ended_at_once(tmp_path, "0 1 --history rounds.jsonl --log ./rounds.jsonl")
    said = "dealer: --history and --log are both rounds.jsonl: expected a file for each of them"
    assert (ended.status, complaint(ended)) == (2, said)
    assert not (tmp_path / "rounds.jsonl").exists()


def test_a_dealer_is_replaced_in_one_of_two_ways(tmp_path: Path) -> None:
    ended = ended_at_once(tmp_path, "0 1 --state state --drain 60")
    said = (
        "dealer: --state and --drain are both given: expected --state where the next dealer goes on,"
        " or --drain where others take the players"
    )
    assert (ended.status, complaint(ended)) == (2, said)


@pytest.mark.check
def test_a_history_that_has_grown_too_large_is_given_up_and_the_next_one_begins_a_new_line(
    started: Start,
) -> None:
    """The limit of a file's size cuts a line as a full disk does."""
    limited = by_shell('ulimit -f 4 && exec "$0" "$@"', "bash")  # 4 KiB
    dealer = started(30, "--history", "rounds.jsonl", "--quiet", "--json", command=limited)
    assert kinds(dealer.join().play()).count("RESULT") == 30
    ended = dealer.wait()
    assert (ended.status, json.loads(ended.out)["rounds"]) == (1, 30)
    assert complaint(ended).startswith("dealer: the history file rounds.jsonl cannot be written any more: ")
    *whole, cut = dealer.read("rounds.jsonl").split("\n")
    assert 0 < len(whole) < 30
    assert cut
    dealer = started(2, "--history", "rounds.jsonl", "--quiet")
    dealer.join().play()
    assert dealer.wait().status == 0
    lines = dealer.read("rounds.jsonl").splitlines()
    assert lines[: len(whole) + 1] == [*whole, cut]
    assert [json.loads(line)["round"] for line in lines[len(whole) + 1 :]] == [1, 2]


# What it shows while it runs.


ROW: Final = re.compile(
    r"1 player, 2 rounds, [0-9,]+ rounds/s\r\n"
    r"name +kind +table +seat +rounds +mean payoff +per decision +refusals\r\n"
    r"ann +player +1 +1 +1 +[+-][01]\.0000 +[0-9]+\.[0-9]{3} s +1\b"
)
"""What a terminal shows of one player in the second round, who has said something wrong in the first."""


def test_on_a_terminal_it_shows_who_sits_where_until_it_ends(started: Start) -> None:
    ours, theirs = os.openpty()
    try:
        dealer = started(0, stderr=theirs, COLUMNS="100")
        peer = dealer.seat("JOIN ann")
        peer.say("FOLD", "STAND")
        shown = ""
        while not ROW.search(shown):
            shown += os.read(ours, 4096).decode()
        dealer.signal(signal.SIGINT)
        while "no new rounds; open ones have 5 s" not in shown:
            shown += os.read(ours, 4096).decode()
        peer.say("STAND")
        assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]
        ended = dealer.wait()
        assert ended.status == 0
        assert re.search(r"^ann +2 ", ended.out, re.MULTILINE)
        os.close(theirs)
        shown += read_all(ours).decode()
        # It has been taken away again, and the cursor is back.
        assert [line for line in on_screen(shown) if line.startswith(("ann", "name", "1 player"))] == []
        assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l")
    finally:
        for side in (ours, theirs):
            with suppress(OSError):
                os.close(side)


# What it cannot do.


@pytest.mark.check
def test_it_takes_no_more_connections_than_the_system_allows_it_files(started: Start) -> None:
    dealer = started(0, command=by_shell('ulimit -n 70 && exec "$0" "$@"'))
    peers = [dealer.connect() for _ in range(7)]
    assert peers[-1].rest() == ["ERROR dealer is full"]
    peers[0].say("JOIN a")
    assert peers[0].hear() == "BEGIN"
    peers[0].close()
    dealer.signal(signal.SIGTERM)
    assert dealer.wait().err.startswith("dealer: the system allows 70 open files, so 6 connections\n")


def test_where_few_files_may_be_open_so_many_connections_are_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """64 files are for others: the listener, the loop, standard streams, history and log."""
    config = Config(port=0, rounds=0, max_connections=100)
    for allowed, connections in ((164, 100), (163, 99), (70, 6), (64, 1), (3, 1)):
        monkeypatch.setattr(console, "raise_open_files", lambda wanted, most=allowed: min(wanted, most))
        assert console._within_open_files(config).max_connections == connections, allowed
        said = f"dealer: the system allows {allowed} open files, so {connections} connections\n"
        assert capsys.readouterr().err == ("" if connections == 100 else said)


def test_an_address_that_cannot_be_had_is_said_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server((LOCALHOST, 0)) as other:
        port = other.getsockname()[1]
        ended = ended_at_once(tmp_path, f"{port} 1")
    assert (ended.status, ended.out) == (1, "")
    assert complaint(ended).startswith(
        f"dealer: cannot listen on {LOCALHOST} port {port}: address already in use"
    )
    ended = ended_at_once(tmp_path, "0 1 --host 203.0.113.1")
    assert ended.status == 1
    assert complaint(ended).startswith("dealer: cannot listen on 203.0.113.1 port 0")


BAD_COMMAND_LINES: Final = (
    *(
        "",
        "8088",
        "65536 1",
        "http 1",
        "0 many",
        "0 -1",
        "0 1 2",
        "0 1 --fast",
        "0 1 --seed -1",
        "0 1 --host ''",
    ),
    *("0 1 --host a..b", "0 1 --decision-clock 0", "0 1 --decision-clock nan", "0 1 --join-timeout inf"),
    *("0 1 --max-connections 0", "0 1 --max-per-address 0", "0 1 --tables 0", "0 1 --pause inf"),
    *("0 1 --max-tables-per-address 0", "0 1 --max-watchers-per-address 0"),
    *("0 1 --name ''", "0 1 --name a-b", "0 1 --name é", "0 1 --name abcdefghijklmnopq"),
    *("0 1 --bot-delay -1", "0 1 --rules poker", "0 1 --decks 0.5", "0 1 --decks inf --reshuffle cutoff:5"),
    *("0 1 --rules showdown --seats 1", "0 1 --seats 10", "0 1 --seats 3 --bots 4", "0 1 --bots 2"),
    *("0 1 --seats 3 --bots 1 --bot-policy clever", "0 1 --rules showdown --bots 1 --bot-policy qtable"),
)


def test_bad_arguments_are_said_in_one_sentence(tmp_path: Path) -> None:
    for line in BAD_COMMAND_LINES:
        ended = ended_at_once(tmp_path, line)
        assert (ended.status, ended.out) == (2, ""), line
        assert complaint(ended).startswith("dealer: "), line
        assert len(complaint(ended)) > len("dealer: ") + 10, line
        assert ("there is no option" in complaint(ended)) == ("--fast" in line), line


# Limits that are options.


def test_the_clocks_and_the_most_connections_are_those_of_the_options(started: Start) -> None:
    peer = started(0, "--decision-clock", "0.2", "--quiet").seat()
    assert kinds([peer.hear(), peer.hear()]) == ["ERROR", "RESULT"]
    peer = started(0, "--join-timeout", "0.3", "--quiet").connect()
    assert peer.rest()[0].startswith("ERROR no JOIN for 0.3 s")
    dealer = started(0, "--max-connections", "1", "--quiet")
    peer = dealer.seat()
    assert dealer.connect().rest() == ["ERROR dealer is full"]
    peer.say("STAND")
    assert peer.hear().startswith("RESULT")
