"""Names that are kept for their owners: the file of --tokens, and who may take which name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dealer.lobby.tokens import read_tokens, verify_owner
from protocol import Join, RefusalError, Word
from support.command import CommandError
from tests.dealer.conftest import Open
from tests.helpers.house import kinds
from tests.helpers.patience import eventually
from tests.helpers.processes import Finished, command, dealing

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


@pytest.mark.parametrize("token", [None, "S3cret", "s3cre", "s3cret2", "token=bob"])
def test_a_name_is_taken_with_its_own_token_only(token: str | None) -> None:
    with pytest.raises(RefusalError) as refused:
        verify_owner(TOKENS, Join("ann", token=token), is_final=True)
    assert (refused.value.word, str(refused.value)) == (Word.BAD_TOKEN, REFUSAL)
    assert refused.value.is_violation
    verify_owner(TOKENS, Join("ann", token="s3cret"), is_final=True)
    verify_owner(TOKENS, Join("Ann", token=token), is_final=True)
    verify_owner({}, Join("ann", token=token), is_final=True)


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
