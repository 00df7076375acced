"""The programs of entrants: started with limits in folders of their own, ended with all their children."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from protocol.names import wire_name
from tournament.playing import confine
from tournament.settings import Entrant, Limits
from twentyone.support.command import CommandError, os_reason

LOG_SIZE: Final = 10 << 20
"""Bytes of a program's output that are kept, of all its starts together."""

PLAYER: Final = "from player.cli import player_main; player_main()"
"""The project's own player, as Python that is started with it."""

GRACE: Final = 1.0
"""Seconds that a program gets to end by itself after QUIT, to save what it has."""

LONGEST_NAME: Final = 200
"""Characters of the name of a folder, which may have 255 bytes, and is longer while it is made."""

KILL_LIMIT: Final = 10.0
"""Seconds in which a supervisor has ended all that it started: longer than any system takes."""


Returned = TypeVar("Returned")


class Program:
    """A program that runs.

    Args:
        supervisor: the process that started it and ends it.
        folder: the folder that it runs in.
    """

    def __init__(self, supervisor: asyncio.subprocess.Process, folder: Path) -> None:
        self._supervisor = supervisor
        self._folder = folder

    @classmethod
    async def start(
        cls, words: Sequence[str], folder: Path, log: Path, limits: Limits, box: Sequence[str] = ()
    ) -> Program:
        """Start a program.

        Args:
            words: the command.
            folder: the folder that it runs in.
            log: the file that its standard output and standard error are added to.
            limits: what it may use.
            box: the words of a sandbox, which go before the command; none for no sandbox.

        Raises:
            CommandError: if the system starts no further process. A command that does not exist is a program
                that ends at once.
        """
        spec = {
            "words": list(words),
            "box": list(box),
            "folder": str(folder),
            "log": str(log),
            "log_size": LOG_SIZE,
            "memory": limits.memory,
            "files": limits.files,
            "processes": limits.processes,
            "file_size": limits.file_size,
        }
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-S",
                confine.__file__,
                json.dumps(spec),
                stdin=asyncio.subprocess.PIPE,  # its end ends the program, also if this process is killed
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # an interrupt at the terminal is for the tournament alone
            )
        )
        try:
            supervisor = await _to_its_end(starting)
        except OSError as error:
            raise CommandError(f"no further program can be started: {os_reason(error)}") from None
        except asyncio.CancelledError:
            if not starting.exception():  # it has been started for nobody
                await cls(starting.result(), folder).stop()
            raise
        return cls(supervisor, folder)

    @property
    def pid(self) -> int:
        """The number of the process that started it."""
        return self._supervisor.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, with all its children."""
        return self._supervisor.returncode is not None

    async def wait(self) -> int:
        """Wait until it has ended, with all its children; its status."""
        return await self._supervisor.wait()

    async def stop(self, grace: float = 0.0) -> None:
        """End it with all its children, after some seconds in which it may end by itself."""
        try:
            if grace > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._supervisor.wait(), grace)
        finally:
            await _to_its_end(asyncio.ensure_future(self._end()))

    async def _end(self) -> None:
        """End it with all its children."""
        self.release()
        try:
            await asyncio.wait_for(asyncio.shield(self._supervisor.wait()), KILL_LIMIT)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._supervisor.kill()
        if self._supervisor.returncode is None or self._supervisor.returncode < 0:
            end_left_in(self._folder)

    def release(self) -> None:
        """Let its supervisor end it, without waiting for that."""
        if self._supervisor.stdin is not None:
            self._supervisor.stdin.close()


async def _to_its_end(task: asyncio.Future[Returned]) -> Returned:
    """Wait for a task to its end. A cancellation waits for it too: nothing is left half begun."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def end_left_in(folder: Path) -> None:
    """End what is left of a program whose supervisor was killed, as by the program itself.

    Its descendants have the folder as HOME in their environment. They are found where the system tells the
    environments of processes, which is Linux.
    """
    mark = b"HOME=" + os.fsencode(folder)
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it is somebody else's, or has just ended
            if mark in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)


def file_name(name: str) -> str:
    """The name of an entrant as that of a file."""
    quoted = quote(name, safe="")
    return quoted.replace(".", "%2E") if quoted.startswith(".") else quoted


def versioned(entrant: Entrant) -> str:
    """The name of an entrant as that of a folder, another one for each version: no name has a plain `@`."""
    name = file_name(entrant.played_as)
    return name if entrant.edition == 1 else f"{name}@{entrant.edition}"


def against(others: Sequence[Entrant]) -> tuple[str, ...]:
    """The folder within that of an entrant for its match with others; none where it is alone."""
    if not others:
        return ()
    name = "+".join(map(versioned, others))
    return (name if len(name) <= LONGEST_NAME else hashlib.sha256(name.encode()).hexdigest(),)


def folder_of(entrant: Entrant, folder: Path, *parts: str) -> Path:
    """The folder in which an entrant's program runs, with what it was given in it.

    Args:
        entrant: the entrant.
        folder: the tournament's folder.
        parts: folders within the entrant's, where it has several.

    Raises:
        CommandError: if it cannot be made.
    """
    place = folder / "programs" / Path(versioned(entrant), *parts)
    if place.exists():
        return place
    making = place.with_name(f"{place.name}.{os.getpid()}.new")  # never a folder that is half copied
    try:
        shutil.rmtree(making, ignore_errors=True)
        if entrant.folder is None:
            making.mkdir(parents=True)
        else:
            making.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(entrant.folder, making)
        with suppress(FileExistsError):
            making.rename(place)
    except (OSError, shutil.Error) as error:
        reason = os_reason(error) if isinstance(error, OSError) and error.errno else str(error)
        raise CommandError(f"the folder {place} cannot be made: {reason}") from None
    return place


def log_of(entrant: Entrant, folder: Path) -> Path:
    """The file of what an entrant's program prints.

    Raises:
        CommandError: if its folder cannot be made.
    """
    errors = folder / "errors"
    try:
        errors.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"the folder {errors} cannot be made: {os_reason(error)}") from None
    return errors / f"{file_name(entrant.name)}.log"


def command_of(entrant: Entrant, host: str, port: int, seed: int) -> tuple[str, ...]:
    """The words that start an entrant's program; a policy by name is played by the project's own player.

    Args:
        entrant: the entrant.
        host: where its program finds the dealer.
        port: the same.
        seed: what a policy that draws its decisions draws them from.
    """
    if entrant.policy is not None:
        player = ("-c", PLAYER, host, str(port), "--name", entrant.name, "--policy", entrant.policy)
        return (sys.executable, *player, "--seed", str(seed))
    values = {"{host}": host, "{port}": str(port), "{name}": wire_name(entrant.name)}
    return tuple(filled(word, values) for word in entrant.command)


def player_seed(seed: int, names: Sequence[str], name: str) -> int:
    """The seed of the project's own player in a match: 63 bits.

    It is a hash, as others can read the words that start a program: the seed does not follow from it.

    Args:
        seed: that of the tournament.
        names: the names of all entrants of the match, in order.
        name: that of the entrant.
    """
    digest = hashlib.sha256(f"player {seed} {json.dumps([*names, name])}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def filled(word: str, values: Mapping[str, str]) -> str:
    """A word with values in place of what stands for them."""
    for name, value in values.items():
        word = word.replace(name, value)
    return word
