"""Opening a dealer's files again and reading its tokens again, as after their rotation by logrotate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from dealer.lobby.log import Entry
from dealer.lobby.tokens import read_tokens
from dealer.network.server import DealerServer
from twentyone.support.command import CommandError


def reopen(server: DealerServer, tokens_file: Path | None, cause: str) -> None:
    """Open the log and the history again, then read the tokens again.

    Whatever fails stays as it was. The log says what was done, and what failed, which is also a notice.

    Args:
        server: the dealer.
        tokens_file: the file of the tokens; None if there is none.
        cause: the name of the signal.
    """
    done, failed = [], []
    for name, act in _acts(server, tokens_file):
        try:
            act()
            done.append(name)
        except CommandError as error:
            failed.append(f"{error}; the dealer goes on with what it had")
    if done or not failed:
        server.log.note_dealer(Entry.REOPENED, f"{cause}: {', '.join(done) or 'there is no file'}")
    for sentence in failed:
        server.log.note_dealer(Entry.NOT_REOPENED, f"{cause}: {sentence}")
        server.notice(sentence)


def _acts(server: DealerServer, tokens_file: Path | None) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each file that is opened or read again: its name, and the function that does it."""
    for file in server.files:
        yield file.name, file.reopen
    if tokens_file is not None:
        yield f"the tokens file {tokens_file}", lambda: server.keep_names(read_tokens(tokens_file))
