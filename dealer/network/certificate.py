"""The certificate by which a dealer speaks TLS, read again when its files have changed."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

from twentyone.support.command import USAGE, CommandError, os_reason

Signature = tuple[tuple[int, int, int], ...]
"""The time of change, the size and the inode of each file: where one differs, it is another file."""


class Certificate:
    """A certificate with its key, as files that a renewal may replace at any time.

    TLS 1.2 and newer is spoken, with the defaults of the standard library.

    Args:
        cert: the certificate, and those that lead from it to the authority, as PEM.
        key: its key as PEM, without a password.

    Attributes:
        replaced: told that the files have changed and are in use.
        broken: told in a sentence that they have changed and cannot be used; the old ones stay in use.

    Raises:
        CommandError: if the files cannot be used.
    """

    def __init__(self, cert: Path, key: Path) -> None:
        self._cert = cert
        self._key = key
        self.replaced: Callable[[], object] = _nothing
        self.broken: Callable[[str], object] = _nothing
        self._signature = self._look()
        try:
            self._context = self._load()
        except _UnusableError as error:
            raise CommandError(f"{error}: expected a certificate and its key as PEM", USAGE) from None

    def __str__(self) -> str:
        return f"the certificate {self._cert}"

    @property
    def context(self) -> ssl.SSLContext:
        """The context of the next connection."""
        signature = self._look()
        if signature != self._signature:
            self._signature = signature
            self._replace()
        return self._context

    def _replace(self) -> None:
        try:
            self._context = self._load()
        except _UnusableError as error:
            self.broken(f"{error}; the certificate that was read before stays in use")
        else:
            self.replaced()

    def _look(self) -> Signature | None:
        try:
            found = [path.stat() for path in (self._cert, self._key)]
        except OSError:
            return None
        return tuple((each.st_mtime_ns, each.st_size, each.st_ino) for each in found)

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self._cert, self._key, self._refuse_password)
        except OSError as error:  # also that of OpenSSL
            raise _UnusableError(self._fault(error)) from None
        return context

    def _refuse_password(self) -> str:
        """Fail, where the library would ask for a password on the terminal."""
        raise _UnusableError(f"the key {self._key} is encrypted")

    def _fault(self, error: OSError) -> str:
        """The sentence about files that are refused: the error names neither the file nor the fault."""
        if isinstance(error, ssl.SSLError) and error.reason == "KEY_VALUES_MISMATCH":
            return f"the key {self._key} is not that of {self}"
        for what, path, mark in (
            ("certificate", self._cert, b"-----BEGIN CERTIFICATE-----"),
            ("key", self._key, b"PRIVATE KEY-----"),
        ):
            try:
                if mark not in path.read_bytes():
                    return f"{path} has no {what} in the form of PEM"
            except OSError as own:
                return f"the {what} {path} cannot be read: {os_reason(own)}"
        return f"{self} or the key {self._key} is damaged"


class _UnusableError(Exception):
    """Files that make no certificate; the text says why."""


def _nothing(*_: object) -> None:
    """Nobody is told."""
