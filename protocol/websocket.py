"""The third wire format, WebSocket and the little HTTP around it, by the sans-I/O layer of `websockets`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from http import HTTPStatus
from typing import Final, NamedTuple

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidStatus, InvalidURI, PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Protocol as WebSocketProtocol
from websockets.protocol import State as WebSocketState
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from protocol.errors import BrokenFramingError, LineTooLongError, RemoteProtocolError
from protocol.framing import MAX_DEALER_LINE, MAX_LINE, too_long
from protocol.public_url import with_query, without_prefix
from protocol.site import Admit, Closed, Site, admit_all, page_response
from protocol.target import METHODS, BadTargetError, Target, has_other_method, is_handshake, target_of

MAX_HEAD: Final = 8192
"""Bytes of an HTTP request's or answer's head, its empty line counted: what common servers allow for one
header line, ample for a browser."""

WEBSOCKET_PATH: Final = "/ws"

BINARY_FRAME: Final = b"(binary frame)"
"""The line that stands for a binary frame: no message, so that it is refused like any other."""

NORMAL_CLOSURE: Final = 1000

MAX_REQUESTS: Final = 100
"""HTTP requests that are answered on one connection: a page and all its files are fewer than half."""

_FOREIGN: Final = (
    "this dealer does not go by the name in the address of the page, or the page is another's:"
    " expected a name that it knows, which its operator tells it by --public-url\n"
)

PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)
"""A dealer's ping, which every WebSocket answers by itself (RFC 6455, 5.5.2)."""

MAX_REASON: Final = 300
"""Characters that a client shows of the reason for which a WebSocket is refused."""

_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")


class _WebSocketFraming:
    """The shared part of both ends: frames in, lines out; the lines to send become one frame each."""

    pace = 0.0

    def __init__(self, max_line: int) -> None:
        self.error: RemoteProtocolError | None = None
        self.ended = False
        self._max_line = max_line
        self._fragments = b""
        self._is_binary = False
        self._control = b""
        self._closing = b""

    def receive_eof(self) -> list[bytes]:
        """A frame is whole or nothing, so no line comes of it."""
        self.ended = True
        return []

    def control(self) -> bytes:
        """Bytes that the framing itself wants sent now: the handshake, pongs."""
        control, self._control = self._control, b""
        return control

    def _read(self, protocol: WebSocketProtocol, data: bytes) -> list[bytes]:
        protocol.receive_data(data)
        frames = [event for event in protocol.events_received() if isinstance(event, Frame)]
        lines = [line for frame in frames if (line := self._line_of(frame)) is not None]
        writes = [write for write in protocol.data_to_send() if write]
        if protocol.close_sent is not None and writes:
            # A close frame comes last, and nothing may follow it: it waits for the dealer's last lines.
            self._closing = writes.pop()
        self._control += b"".join(writes)
        if protocol.parser_exc is not None:
            self.error = self._fault(protocol.parser_exc)
            _forget_where(protocol.parser_exc)
        for number, line in enumerate(lines):
            if len(line) > self._max_line:  # by the byte that is there for an LF
                self.error = self._too_long()
                return lines[:number]
        return lines

    def _line_of(self, frame: Frame) -> bytes | None:
        if frame.opcode is Opcode.CLOSE:
            self.ended = True
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return None
        if frame.opcode is not Opcode.CONT:
            self._is_binary = frame.opcode is Opcode.BINARY
        line = self._fragments + frame.data
        self._fragments = b"" if frame.fin else line
        if not frame.fin:
            return None
        return BINARY_FRAME if self._is_binary else line.removesuffix(b"\n")

    def _fault(self, reason: Exception) -> RemoteProtocolError:
        if isinstance(reason, PayloadTooBig):
            return self._too_long()
        return BrokenFramingError(f"the WebSocket frames are broken: {reason}")

    def _too_long(self) -> LineTooLongError:
        return too_long(self._max_line)

    def _last_words(self, protocol: WebSocketProtocol) -> bytes:
        """The close frame: the one that answers the peer's, or one of our own; once."""
        if protocol.state is WebSocketState.OPEN:
            protocol.send_close(NORMAL_CLOSURE)
            return b"".join(protocol.data_to_send())
        closing, self._closing = self._closing, b""
        return closing


class ServerWebSocketFraming(_WebSocketFraming):
    """The dealer's end: HTTP requests first, then frames once one has asked for the WebSocket.

    Any other request is answered (a page, or a refusal). After a page another request may follow, up to
    `MAX_REQUESTS`, unless the client wants no more, does not wait for its answer or speaks HTTP/1.0;
    otherwise the exchange has `ended`.

    Args:
        site: what is answered.
        max_line: the most bytes of a line.
        admit: asked about each request that is whole, before it is answered.

    Attributes:
        foreign: the Host and the Origin of a request that was refused for them, as printable ASCII.
        requests: how many heads of requests were read to their ends.
        unanswered: how many pings were sent since anything has come.
        visited: the path of the page that was got last, as long as that is not told; a file of one is none.
    """

    def __init__(self, site: Site, max_line: int = MAX_LINE, admit: Admit = admit_all) -> None:
        super().__init__(max_line)
        self._site = site
        self._admit = admit
        self._head = b""
        self._is_head = False  # whether it was a HEAD that is answered
        self._is_hasty = False  # whether more came with it than its head
        self.requests = 0
        self.foreign: str | None = None
        self.unanswered = 0
        self.visited: str | None = None
        self._protocol = self._fresh()

    @property
    def held(self) -> int:
        """The number of bytes of the head, or of an unfinished frame, that are kept."""
        return len(self._head) + len(self._fragments) + len(self._protocol.reader.buffer)

    def receive(self, data: bytes) -> list[bytes]:
        """The lines of the frames that these bytes complete."""
        if self.error is not None or self.ended:
            return []
        self.unanswered = 0  # a message shows as well as a pong that the peer is there
        if self._protocol.state is WebSocketState.CONNECTING:
            data = self._receive_head(data)
        return self._read(self._protocol, data) if data and not self.ended else []

    def frame(self, lines: Sequence[bytes]) -> list[bytes]:
        """One segment of one text frame for each line; nothing if this is not a WebSocket (yet)."""
        if self._protocol.state is WebSocketState.CONNECTING:
            return []
        return [b"".join(map(_text_frame, lines))]

    @property
    def is_open(self) -> bool:
        """Whether the handshake is done, and neither side has said that it closes."""
        return self._protocol.state is WebSocketState.OPEN

    @property
    def is_between_requests(self) -> bool:
        """Whether a request has been answered, and no other one has begun."""
        is_http = self._protocol.state is WebSocketState.CONNECTING and not self.ended
        return is_http and self.requests > 0 and not self._head

    def forget_admit(self) -> None:
        """Ask nobody any more: the connection is gone."""
        self._admit = admit_all

    def ping(self) -> None:
        """Ask the peer for a sign of life; nothing is asked unless the WebSocket is open."""
        if self.is_open:
            self._control += PING
            self.unanswered += 1

    def closing(self) -> bytes:
        """The close frame, or the answer to a request that never became whole; nothing between requests."""
        if self.is_between_requests:
            return b""
        if self._protocol.state is WebSocketState.CONNECTING and not self.ended:
            self._answer(self._protocol.reject(HTTPStatus.REQUEST_TIMEOUT, "the request never ended\n"))
            return self.control()
        return self._last_words(self._protocol)

    def _receive_head(self, data: bytes) -> bytes:
        """Take the bytes of the request's head; return those after it."""
        head = self._head + data
        if self.requests:
            head = head.lstrip(b"\r\n")  # RFC 9112, 2.2: empty lines before a request are passed over
        self._is_head = head.startswith(b"HEAD ")
        end = _END_OF_HEAD.search(head)
        if (end.end() if end else len(head)) > MAX_HEAD:
            self._head = b""
            self._answer(self._protocol.reject(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too long\n"))
            return b""
        if end is None:
            self._head = head
            return b""
        self._head = b""
        self.requests += 1
        self._is_hasty = len(head) > end.end()
        self._answer(self._response(head[: end.start()]))
        return head[end.end() :]

    def _response(self, head: bytes) -> Response:
        """The answer to a request, given its head without the empty line."""
        lines = head.split(b"\n")
        normal = b"\r\n".join(line.rstrip(b"\r") for line in lines)  # a person's nc sends bare LFs
        if has_other_method(normal):  # whether it has a body or not
            response = self._protocol.reject(HTTPStatus.METHOD_NOT_ALLOWED, "expected GET or HEAD\n")
            response.headers["Allow"] = ", ".join(METHODS)
            return response
        self._protocol.receive_data(normal + b"\r\n\r\n")
        requests = [event for event in self._protocol.events_received() if isinstance(event, Request)]
        if not requests:
            _forget_where(self._protocol.handshake_exc)
            self._protocol.parser.close()  # it leads back to the protocol as well
            return self._protocol.reject(HTTPStatus.BAD_REQUEST, "this is not an HTTP request\n")
        request = requests[0]
        try:
            target = target_of(request, is_encrypted=self._site.is_encrypted)
        except BadTargetError as error:
            return self._protocol.reject(error.status, f"{error.sentence}\n")
        closed = self._admit(request.headers.get_all("X-Forwarded-For"))
        if closed is not None:
            return self._closed_response(closed, target, request)
        if WEBSOCKET_PATH in self._site.paths(target.path) and not is_handshake(request):
            target = target.of_page()
        if not self._site.knows(target):
            self.foreign = str(target)
            return self._protocol.reject(HTTPStatus.FORBIDDEN, _FOREIGN)
        folder = None if target.path == WEBSOCKET_PATH else self._site.folder(target.path)
        if folder is not None:
            return self._moved_response(with_query(folder, target.query))
        return self._response_at(target, request)

    def _response_at(self, target: Target, request: Request) -> Response:
        """The answer to a request for a path of this dealer."""
        for path in self._site.paths(target.path):
            response = self._found(path, target, request)
            if response is not None:
                return response
        return self._protocol.reject(HTTPStatus.NOT_FOUND, "there is no such page\n")

    def _found(self, path: str, target: Target, request: Request) -> Response | None:
        """The answer for a path, if there is something."""
        if path == WEBSOCKET_PATH and not self._site.is_meant(target):
            sentence = f"this is dealer {self._site.name}: expected its name, or none\n"
            return self._protocol.reject(HTTPStatus.MISDIRECTED_REQUEST, sentence)
        if path == WEBSOCKET_PATH:
            if request.method == "GET" and is_handshake(request):
                return self._protocol.accept(request)
            response = self._protocol.reject(HTTPStatus.UPGRADE_REQUIRED, "expected a WebSocket handshake\n")
            response.headers["Upgrade"] = "websocket"
            return response
        make = self._site.made.get(path)
        page = (
            make(target.query, target.host or "")
            if make
            else self._site.pages.get("/" if path == "/index.html" else path)
        )
        if page is not None:
            if page.is_document and request.method == "GET":
                self.visited = path
            return page_response(page, request, stays=self._stays_after(request))
        if make is not None:
            return self._protocol.reject(HTTPStatus.BAD_REQUEST, "expected a link to this dealer\n")
        return None

    def _closed_response(self, closed: Closed, target: Target, request: Request) -> Response:
        """The answer where nobody is let in."""
        if closed.moved_to is not None:
            path = without_prefix(target.path, self._site.public_urls)
            where = closed.moved_to.at(path, target.query)
            return self._moved_response(where.replace("http", "ws", 1) if is_handshake(request) else where)
        return self._protocol.reject(closed.status, f"{closed.sentence}\n")

    def _moved_response(self, where: str) -> Response:
        response = self._protocol.reject(HTTPStatus.PERMANENT_REDIRECT, f"it is at {where}\n")
        response.headers["Location"] = where
        return response

    def _stays_after(self, request: Request) -> bool:
        """Whether another request may follow this one (RFC 9112, section 9.3).

        Answers to requests that do not wait for each other would take memory without a bound; a client asks
        again for what is not answered when the connection closes (9.3.2).
        """
        options = ",".join(request.headers.get_all("Connection")).lower().replace(" ", "").split(",")
        is_wanted = request.protocol == "HTTP/1.1" and "close" not in options
        return is_wanted and self.requests < MAX_REQUESTS and not self._is_hasty

    def _answer(self, response: Response) -> None:
        if self._is_head:
            response = replace(response, body=b"")
        self._control += response.serialize()
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self._protocol.send_response(response)
            self._protocol.data_to_send()  # the answer once more
        elif response.headers.get("Connection") == "keep-alive":
            self._protocol = self._fresh()
        else:
            self.ended = True

    def _fresh(self) -> ServerProtocol:
        """The protocol of the next request. A trailing LF is allowed in a frame, beyond the line."""
        return ServerProtocol(max_size=self._max_line + 1)


class ClientWebSocketFraming(_WebSocketFraming):
    """The player's end: the handshake is in `control` from the start; `is_open` says when it is done.

    Raises:
        ValueError: if `address` is not of the form ws://host:port/path or wss://host:port/path.
    """

    def __init__(self, address: str, max_line: int = MAX_DEALER_LINE) -> None:
        super().__init__(max_line)
        try:
            self._protocol = ClientProtocol(parse_uri(address), max_size=max_line + 1)
        except InvalidURI as error:
            raise ValueError(str(error)) from None
        self._protocol.send_request(self._protocol.connect())
        self._control = b"".join(self._protocol.data_to_send())
        self._answered = 0  # bytes of the answer to that, as long as it is not whole

    @property
    def is_open(self) -> bool:
        """Whether the handshake is done and lines can be sent."""
        return self._protocol.state is WebSocketState.OPEN

    @property
    def is_refused(self) -> bool:
        """Whether the handshake has failed."""
        is_connecting = self._protocol.state is WebSocketState.CONNECTING
        return self._protocol.handshake_exc is not None or (self.error is not None and is_connecting)

    @property
    def held(self) -> int:
        """The number of bytes of an unfinished frame that are kept."""
        return len(self._fragments) + len(self._protocol.reader.buffer)

    def receive(self, data: bytes) -> list[bytes]:
        """The lines of the frames that these bytes complete."""
        if self.error is not None or self.ended:
            return []
        lines = self._read(self._protocol, data)
        if self._protocol.handshake_exc is not None:
            reason = _refusal(self._protocol.handshake_exc)
            self.error = BrokenFramingError(f"no WebSocket opened: {reason}")
        elif self._protocol.state is WebSocketState.CONNECTING:
            self._answered += len(data)
            if self._answered > MAX_HEAD:
                self.error = BrokenFramingError(f"no WebSocket opened after {MAX_HEAD} bytes")
        return lines

    def frame(self, lines: Sequence[bytes]) -> list[bytes]:
        """One segment of one masked text frame for each line; nothing unless the WebSocket is open."""
        if not self.is_open:
            return []
        for line in lines:
            self._protocol.send_text(line)
        return [b"".join(self._protocol.data_to_send())]

    def closing(self) -> bytes:
        """The close frame."""
        return self._last_words(self._protocol)


class Location(NamedTuple):
    """The place of a WebSocket, and whether it is spoken over TLS."""

    host: str
    port: int
    is_secure: bool


def locate(address: str) -> Location:
    """The place that a ws:// or a wss:// address names, by default at port 80 or 443.

    Raises:
        ValueError: if the address is invalid.
    """
    try:
        uri = parse_uri(address)
    except (InvalidURI, ValueError):
        raise ValueError(
            f"{address!r} is not an address: expected ws://host:port/ws or wss://host/ws"
        ) from None
    return Location(uri.host, uri.port, uri.secure)


def _refusal(error: Exception) -> str:
    """Why a handshake has failed: in the words of the answer, if it has a sentence in plain text."""
    if isinstance(error, InvalidStatus):
        response = error.response
        is_plain = any(kind.startswith("text/plain") for kind in response.headers.get_all("Content-Type"))
        if is_plain and response.body:
            sentence = " ".join(bytes(response.body).decode(errors="replace").split())
            return f"{sentence[:MAX_REASON]} (HTTP {response.status_code})"
    return str(error)


def _forget_where(error: BaseException | None) -> None:
    """Drop the tracebacks of an error that is kept: they lead back to whoever keeps it."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


@lru_cache(maxsize=512)
def _text_frame(line: bytes) -> bytes:
    """A dealer's text frame; nearly all its lines are one of 115, so they are kept ready-made."""
    return Frame(Opcode.TEXT, line).serialize(mask=False)
