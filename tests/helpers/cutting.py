"""A proxy that breaks connections where a test says, as one in a network does."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.helpers.peer import LOCALHOST


class Cut(NamedTuple):
    """Where a connection is cut.

    Attributes:
        side: who says the line, `<` the dealer and `>` the player.
        verb: its first word.
        number: which line of this side with this verb it is, from 1.
        passed: how many of its bytes still arrive; None for all, with the end of the line.
    """

    side: str
    verb: str
    number: int = 1
    passed: int | None = 0


@asynccontextmanager
async def cutting(
    port: int, cuts: Sequence[Cut | None], tls: tuple[Path, Path] | None = None
) -> AsyncIterator[int]:
    """A proxy before a dealer of this machine that speaks in lines; gives its port.

    Args:
        port: the dealer's.
        cuts: where each connection is cut, in their order; None, and any further one, is not.
        tls: the files of the certificate and the key by which it speaks TLS with players; None for no TLS.
    """
    context = None
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*tls)
    tasks: list[asyncio.Task[None]] = []
    left = list(cuts)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        cut = left.pop(0) if left else None
        far_reader, far_writer = await asyncio.open_connection(LOCALHOST, port)
        both = (writer, far_writer)
        tasks.append(asyncio.ensure_future(_pass_on(">", reader, far_writer, cut, both)))
        tasks.append(asyncio.ensure_future(_pass_on("<", far_reader, writer, cut, both)))

    server = await asyncio.start_server(serve, LOCALHOST, 0, ssl=context)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in tasks:
            task.cancel()


async def _pass_on(
    side: str,
    source: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    cut: Cut | None,
    both: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
) -> None:
    said: Counter[str] = Counter()
    while line := await source.readline():
        verb = line.split()[0].decode()
        said[verb] += 1
        if cut is not None and (side, verb, said[verb]) == cut[:3]:
            sink.write(line if cut.passed is None else line[: cut.passed])
            break
        sink.write(line)
    for writer in both:
        writer.close()
