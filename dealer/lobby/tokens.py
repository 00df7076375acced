"""Names that are kept for their owners, who show it by a token: the file of `dealer --tokens`."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from pathlib import Path

from protocol import Join, RefusalError, Word, wire_name
from protocol.messages import MAX_NAME_TOKEN, NAME_TOKEN
from protocol.names import NAME_FORM
from support.command import CommandError, os_reason
from support.files import read_whole


def read_tokens(path: Path) -> dict[str, str]:
    """The token of each name in a file: a name and a token on a line, which may be empty or begin with #.

    The last word of a line is the token; a name is the text before it, which may have blanks and any letters.

    Raises:
        CommandError: if it cannot be read, a line is something else, or a name is there twice. No sentence
            says a token.
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
                f"{path}, line {number}: expected a name of {NAME_FORM}, and behind it a blank and a token of"
                f" 1 to {MAX_NAME_TOKEN} printable ASCII characters"
            ) from None
        yield number, (join.name, token)


def verify_owner(tokens: Mapping[str, str], join: Join, *, is_final: bool) -> None:
    """Let a name that has a token only be taken with it; any other name needs none.

    Args:
        tokens: the token of each name that has one.
        join: who wants to play under which name.
        is_final: whether the connection of whoever is refused is closed, so that a guess costs one.

    Raises:
        RefusalError: if the token is missing or another one.
    """
    token = tokens.get(join.name)
    # The time of the comparison must not tell how much of a guess is right.
    if token is not None and not hmac.compare_digest(token.encode(), (join.token or "").encode()):
        raise RefusalError(
            Word.BAD_TOKEN,
            f"the name {join.name} is kept for its owner:"
            f" expected JOIN {wire_name(join.name)} token=<its token>,"
            " or another name",
            is_final=is_final,
        )
