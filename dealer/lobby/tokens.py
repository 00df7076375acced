"""Names that are kept for their owners, who prove it by a token: the file of `dealer --tokens`."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from dealer.lobby.lookalikes import looks_of
from protocol import Join, RefusalError, Word, wire_name
from protocol.messages import MAX_NAME_TOKEN, NAME_TOKEN
from protocol.names import NAME_FORM
from twentyone.support.command import CommandError, os_reason
from twentyone.support.files import read_whole

DEALER: Final = "dealer"
"""The look of the names that are kept for the dealer itself."""

BOT: Final = re.compile("bot-[lo2-9]+")
"""The looks of the names that are kept for bots: `bot-` and a number, where 1 looks like l and 0 like o."""


def read_tokens(path: Path) -> dict[str, str]:
    """The token of each name in a file: a name and a token on a line, which may be empty or begin with #.

    The last word of a line is the token; a name is the text before it, which may have blanks and any letters.

    Raises:
        CommandError: if it cannot be read, a line is something else, or a name is there twice or is the
            dealer's own. No sentence says a token.
    """
    try:
        text = read_whole(path)
    except OSError as error:
        raise CommandError(f"the tokens file {path} cannot be read: {os_reason(error)}") from None
    except UnicodeDecodeError:
        raise CommandError(f"the tokens file {path} cannot be read: it is not text in UTF-8") from None
    tokens: dict[str, str] = {}
    for number, (name, token) in _pairs(path, text):
        if name in tokens:
            raise CommandError(
                f"{path}, line {number}: the name {name} is given a second time: expected it once"
            )
        if DEALER in looks_of(name):
            raise CommandError(
                f"{path}, line {number}: the name {name} is kept for the dealer: expected another one"
            )
        tokens[name] = token
    return tokens


def _pairs(path: Path, text: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """Each name and its token, with the number of their line."""
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            name, token = line.strip().rsplit(maxsplit=1)
            if not NAME_TOKEN.fullmatch(token):
                raise ValueError(line)
            join = Join(name.rstrip())
        except ValueError:
            raise CommandError(
                f"{path}, line {number}: expected a name of {NAME_FORM}, then a blank and a token of"
                f" 1 to {MAX_NAME_TOKEN} printable ASCII characters"
            ) from None
        yield number, (join.name, token)


class KeptNames:
    """The names that are kept for their owners, each in every spelling that looks like it.

    Args:
        tokens: the token of each name that has one.
    """

    def __init__(self, tokens: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._alike: dict[str, set[str]] = {}  # the tokens of the names that look so
        for name, token in tokens.items():
            for look in looks_of(name):
                self._alike.setdefault(look, set()).add(token)

    def verify(self, join: Join, *, are_bots_here: bool, is_final: bool) -> None:
        """Keep a name for its owner, and those of the dealer and its bots from everybody.

        Two names of the file may look alike: each is for its own owner, and other spellings for both.

        Args:
            join: the JOIN, with the name and perhaps its token.
            are_bots_here: whether the names of bots are kept too.
            is_final: whether the connection of whoever is refused is closed, so that a guess costs one.

        Raises:
            RefusalError: if the name is kept, and the token is missing or another one.
        """
        looks = looks_of(join.name)
        if DEALER in looks:
            raise _kept(join, "the dealer", "another name", is_final=is_final)
        if are_bots_here and any(map(BOT.fullmatch, looks)):
            raise _kept(join, "the dealer's bots", "another name", is_final=is_final)
        if tokens := self._tokens_of(join.name, looks):
            verify_owner(tokens, join, is_final=is_final)

    def _tokens_of(self, name: str, looks: Iterable[str]) -> set[str]:
        """The tokens by which a name may be taken; none where anybody may take it."""
        if (own := self._tokens.get(name)) is not None:
            return {own}
        return {token for look in looks for token in self._alike.get(look, ())}


def verify_owner(tokens: Iterable[str], join: Join, *, is_final: bool) -> None:
    """Let a name be taken with one of these tokens only.

    Args:
        tokens: the tokens.
        join: the JOIN, with the name and perhaps its token.
        is_final: whether the connection of whoever is refused is closed, so that a guess costs one.

    Raises:
        RefusalError: if the token is missing or another one.
    """
    given = (join.token or "").encode()
    # The time of the comparison must not tell how much of a guess is right.
    if not any(hmac.compare_digest(token.encode(), given) for token in tokens):
        expected = f"JOIN {wire_name(join.name)} token=<its token>, or another name"
        raise _kept(join, "its owner", expected, is_final=is_final)


def _kept(join: Join, owner: str, expected: str, *, is_final: bool) -> RefusalError:
    """The refusal of a name that is kept for another player."""
    sentence = f"the name {join.name} is kept for {owner}: expected {expected}"
    return RefusalError(Word.BAD_TOKEN, sentence, is_final=is_final)
