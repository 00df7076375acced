"""The options about the world outside, read and verified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from dealer.network.addresses import network_of
from dealer.tables.config import HOST, Network
from protocol.public_url import PublicUrl, parse_public_url
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import is_host


def public_urls(texts: Sequence[str]) -> tuple[PublicUrl, ...]:
    """The addresses of --public-url.

    Raises:
        CommandError: if one is none.
    """
    try:
        return tuple(map(parse_public_url, texts))
    except ValueError as error:
        raise CommandError(f"--public-url: {error}", USAGE) from None


def networks(option: str, texts: Sequence[str]) -> tuple[Network, ...]:
    """The networks that an option names.

    Raises:
        CommandError: if one is none.
    """
    return tuple(_network(option, text) for text in texts)


def _network(option: str, text: str) -> Network:
    try:
        return network_of(text)
    except ValueError:
        raise CommandError(
            f"{option} is {text!r}: expected an address, such as 192.0.2.1, or a network, such as 10.0.0.0/8",
            USAGE,
        ) from None


def files_of_tls(certificate: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """The files of --tls-cert and --tls-key; None if TLS is not asked for.

    Raises:
        CommandError: if only one of them is there.
    """
    if certificate is not None and key is not None:
        return certificate, key
    if certificate is not None:
        raise CommandError("--tls-cert needs the key of the certificate: expected --tls-key FILE too", USAGE)
    if key is not None:
        raise CommandError("--tls-key needs its certificate: expected --tls-cert FILE too", USAGE)
    return None


def admin_address(text: str) -> tuple[str, int]:
    """The host, without brackets, and the port of --admin.

    Raises:
        CommandError: if it names none.
    """
    found = re.fullmatch(r"(?:(?P<host>\[[^\]]*\]|[^:\[\]]*):)?(?P<port>[0-9]{1,5})", text)
    if found is not None and int(found["port"]) <= 65535:
        host = HOST if found["host"] is None else found["host"].removeprefix("[").removesuffix("]")
        if is_host(host):
            return host, int(found["port"])
    raise CommandError(
        f"--admin is {text!r}: expected a port, 0 to 65535, or a host and a port, such as 192.0.2.1:9121"
        " or [::1]:9121",
        USAGE,
    )
