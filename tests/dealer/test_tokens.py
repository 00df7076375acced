"""Names that are kept for their owners: the file of --tokens, and who may take which name."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import pytest

from dealer.lobby.tokens import KeptNames, read_tokens
from protocol import Join, RefusalError, Word, wire_name
from tests.dealer.conftest import Open
from tests.dealer.seen import CASINO
from tests.helpers.house import kinds
from tests.helpers.patience import eventually
from tests.helpers.processes import Finished, command, dealing
from twentyone.support.command import CommandError

TOKENS: Final = {"ann": "s3cret", "bob": "token=bob"}

REFUSAL: Final = "the name ann is kept for its owner: expected JOIN ann token=<its token>, or another name"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "tokens.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("\n  # the class\r\n\tann   s3cret \r\n#bob x\nbob token=bob", TOKENS),
        ("", {}),
        (f"{'a' * 32} {'t' * 64}\n", {"a" * 32: "t" * 64}),
        ("ann ann\nbob ann\n", {"ann": "ann", "bob": "ann"}),
    ],
)
def test_a_line_is_a_name_and_its_token(tmp_path: Path, text: str, tokens: dict[str, str]) -> None:
    assert read_tokens(written(tmp_path, text)) == tokens


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("ann", "line 2: expected a name of 1 to 32 printable characters"),
        ("ann \x07 now", "line 2: expected a name of 1 to 32"),
        ("ann é", "line 2: expected a name of 1 to 32"),
        (f"{'a' * 33} s3cret", "line 2: expected a name of 1 to 32"),
        (f"ann {'s3cret' * 11}", "line 2: expected a name of 1 to 32"),
        ("carl s3cret", "line 2: the name carl is given a second time: expected it once"),
        ("Dealer s3cret", "line 2: the name Dealer is kept for the dealer: expected another one"),
    ],
)
def test_a_bad_line_is_named_and_no_token_is_said(tmp_path: Path, line: str, fault: str) -> None:
    path = written(tmp_path, f"carl hidden\n{line}\nbob token=bob\n")
    with pytest.raises(CommandError) as refused:
        read_tokens(path)
    assert str(refused.value).startswith(f"{path}, {fault}")
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("content", [b"ann \xff\n", None])
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path if content is None else written(tmp_path, content)
    ended = command("dealer", 0, 1, "--tokens", path, cwd=tmp_path)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"dealer: the tokens file {path} cannot be read: ")


def refusal_of(name: str, token: str | None = None, *, are_bots_here: bool = False) -> str:
    """What somebody is told who wants to play under this name; empty if it can be taken."""
    try:
        KeptNames(TOKENS).verify(Join(name, token=token), are_bots_here=are_bots_here, is_final=True)
    except RefusalError as refusal:
        assert (refusal.word, refusal.is_violation, refusal.is_final) == (Word.BAD_TOKEN, True, True)
        return str(refusal)
    return ""


@pytest.mark.parametrize("token", [None, "S3cret", "s3cre", "s3cret2", "token=bob"])
def test_a_name_is_taken_with_its_own_token_only(token: str | None) -> None:
    assert refusal_of("ann", token) == REFUSAL
    assert refusal_of("ann", "s3cret") == refusal_of("carl", token) == ""


@pytest.mark.parametrize(
    "name", ["Ann", "ANN", "\u0430nn", "\uff21nn", "\xc1nn", "\u0391\u03b7\u03b7", "\u24d0nn"]
)
def test_a_kept_name_is_kept_in_every_spelling_that_looks_like_it(name: str) -> None:
    """Capitals, Cyrillic, full width, a mark, Greek, a circle."""
    kept = f"the name {name} is kept for its owner: expected JOIN {wire_name(name)} token=<its token>"
    assert refusal_of(name) == f"{kept}, or another name"
    assert refusal_of(name, "token=bob") != ""
    assert refusal_of(name, "s3cret") == ""


def test_names_that_look_alike_are_each_for_their_own_owners() -> None:
    names = KeptNames({"Ian": "first", "lan": "second"})
    for name, tokens in {"Ian": ["first"], "lan": ["second"], "LAN": ["first", "second"]}.items():
        for token in ("first", "second", "third"):
            join = Join(name, token=token)
            with nullcontext() if token in tokens else pytest.raises(RefusalError):
                names.verify(join, are_bots_here=False, is_final=True)


@pytest.mark.parametrize("name", ["dealer", "Dealer", "dea1er", "\u0501\u0435\u0430ler"])
def test_the_name_of_the_dealer_is_nobodys(name: str) -> None:
    assert refusal_of(name, "s3cret") == f"the name {name} is kept for the dealer: expected another name"


@pytest.mark.parametrize("name", ["bot-1", "Bot-10", "b0t\u201307"])
def test_the_names_of_bots_are_nobodys_where_bots_sit(name: str) -> None:
    refusal = f"the name {name} is kept for the dealer's bots: expected another name"
    assert refusal_of(name, are_bots_here=True) == refusal
    assert refusal_of(name) == refusal_of("bot-x", are_bots_here=True) == ""


def test_bots_sit_at_the_tables_of_a_dealer_with_bots_and_at_those_that_are_opened_with_some(
    opened: Open,
) -> None:
    with_bots = opened(rules=CASINO, bots=1)
    assert "is kept for the dealer's bots" in with_bots.join("JOIN bot-2").rest()[0]
    house = opened()
    page = house.join("OPEN seats=2 bots=1", "JOIN bot-1", "JOIN ann")
    refusal, *_ = [line for line in page.hear_until("DECISION") if line.startswith("REFUSED")]
    assert refusal == "REFUSED bad-token the name bot-1 is kept for the dealer's bots: expected another name"
    house.seat("JOIN bot-1")


def test_who_guesses_is_turned_away_and_the_owner_plays(opened: Open) -> None:
    house = opened(tokens=TOKENS)
    assert house.join("JOIN ann 1 token=guessed").rest() == [f"ERROR {REFUSAL}"]
    assert eventually(lambda: house.server.refusals == 1)
    assert kinds(house.join("JOIN ann 1 token=s3cret").play())[-2:] == ["RESULT", "QUIT"]
    assert kinds(house.join("JOIN carl 1 token=any").play())[-2:] == ["RESULT", "QUIT"]
    assert house.server.refusals == 1


def test_who_watches_is_told_the_word_and_may_try_again(opened: Open) -> None:
    page = opened(tokens=TOKENS).join("WATCH", "JOIN ann 1", "JOIN ann 1 token=s3cret")
    refusal, begin, *_ = [line for line in page.play() if not line.startswith("TABLE")]
    assert (refusal, begin) == (f"REFUSED bad-token {REFUSAL}", "BEGIN")


@pytest.mark.parametrize("options", [{}, {"tokens": TOKENS}])
def test_under_strict_a_guess_ends_the_dealer_and_another_name_does_not(
    opened: Open, options: dict[str, Any]
) -> None:
    house = opened(strict=True, **options)
    peer = house.join("JOIN ann 1 token=guessed")
    peer.play()
    if options:
        house.wait()
    assert (house.server.fault is not None) == bool(options)


def test_the_player_shows_its_token_and_says_why_it_is_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(where: tuple[object, ...], *more: object) -> Finished:
        options = ("--name", "ann", "--policy", "threshold:16", "--rounds", 1)
        return command("player", *where, *options, *more, cwd=tmp_path)

    with dealing(tmp_path, 0, "--tokens", written(tmp_path, "ann s3cret\n")) as port:
        for where in (("127.0.0.1", port), (f"ws://127.0.0.1:{port}/ws",)):
            owner = play(where, "--token", "s3cret")
            assert (owner.status, owner.err) == (0, "")
        other = play(("127.0.0.1", port))
        assert other.status == 1
        assert f"the dealer closed the connection: {REFUSAL}" in other.err
        monkeypatch.setenv("TWENTYONE_TOKEN", "s3cret")
        assert play(("127.0.0.1", port)).status == 0


def test_what_can_be_no_token_is_not_sent(tmp_path: Path) -> None:
    said = "this is not the token of a name: expected 1 to 64 printable ASCII characters, no blanks"
    assert command("player", "127.0.0.1", 1, "--token", "a b", cwd=tmp_path) == (2, "", f"player: {said}\n")
