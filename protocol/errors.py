"""Errors by whose fault it was, ours or the peer's. Bad input raises no others."""

from __future__ import annotations


class ProtocolError(Exception):
    """A message that the protocol does not allow here."""


class LocalProtocolError(ProtocolError):
    """This side was about to break the protocol: a fault of the program, not of the peer."""


class RemoteProtocolError(ProtocolError):
    """The peer broke the protocol. The text is a sentence fit to be sent to it."""


class LineTooLongError(RemoteProtocolError):
    """The peer sent more bytes than a line may have; what follows them cannot be trusted."""


class BrokenFramingError(RemoteProtocolError):
    """The peer broke the framing (WebSocket frames, HTTP): nothing can be read any more."""
