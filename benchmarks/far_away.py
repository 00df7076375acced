"""A line to a dealer that is far away: bytes are half a round trip on their way, connections a whole one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

SIZE: Final = 65_536


@contextmanager
def far_away(port: int, round_trip: float) -> Iterator[int]:
    """The port of 127.0.0.1 that leads to another one as if over a line with this round trip, in seconds.

    A new connection waits for the handshake of TCP, and then bytes go half a round trip each way. There is no
    limit of how many go at once.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError, ConnectionError):  # the end of all, or of the browser
            await asyncio.sleep(round_trip)
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(_carry(reader, back, round_trip / 2), _carry(there, writer, round_trip / 2))

    async def end() -> None:
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(accept, "127.0.0.1", 0), loop).result()
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Take bytes over, each as long after it came; then the end."""
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

    async def read() -> None:
        while data := await reader.read(SIZE):
            arrived.put_nowait((loop.time() + delay, data))
        arrived.put_nowait((loop.time() + delay, b""))

    reading = asyncio.create_task(read())
    while True:
        due, data = await arrived.get()
        await asyncio.sleep(due - loop.time())
        if not data:
            break
        writer.write(data)
        await writer.drain()
    await reading
    writer.close()
