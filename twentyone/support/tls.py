"""TLS for those who connect: whom to trust, and why a handshake has failed."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Final

OPTION: Final = "--tls-ca FILE"

_ABOUT_CERTIFICATE: Final[Mapping[int, str]] = {
    9: "is not valid yet: expected one that is valid today",
    10: "has expired: expected one that is valid today",
    **dict.fromkeys((62, 64), "is not for {host}: expected a name or an address that it is for"),
    **dict.fromkeys(
        (2, 18, 19, 20, 21),
        "is of an authority that is not trusted here: expected {option}, the certificate of that authority",
    ),
}
"""The ends of the sentences about a certificate, by the codes of OpenSSL (X509_STORE_CTX_get_error)."""

_NO_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG")
"""The names of what OpenSSL finds, by its version, where the other side answers in plain text."""


class TlsError(ConnectionError):
    """A handshake has failed; the text is one sentence."""


def trusting(ca: Path | None) -> ssl.SSLContext:
    """A context by which a client speaks TLS: 1.2 or newer, and only to a host that the certificate names.

    Args:
        ca: the certificates of the authorities to trust, in PEM; None for those of the system.

    Raises:
        ValueError: if there are none in that file.
    """
    if ca is None:
        return ssl.create_default_context()
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise ValueError(f"{ca} holds no certificate: expected that of an authority, in PEM") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"{ca} cannot be read: {reason}: expected a certificate in PEM") from None


def explained(error: OSError, host: str, option: str = OPTION) -> OSError:
    """The error to raise for one that ended a handshake: a `TlsError`, if that went wrong, or the same.

    Args:
        error: what has happened.
        host: the host that was called.
        option: by what another authority is named.
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return TlsError(_about_certificate(error, host, option))
    if isinstance(error, ssl.SSLEOFError | ConnectionResetError | ConnectionAbortedError):
        return TlsError("it closed the connection in the handshake: expected a dealer that speaks TLS")
    if not isinstance(error, ssl.SSLError):
        return error
    if error.reason in _NO_TLS:
        return TlsError("it does not speak TLS: expected a dealer that does, or a connection without TLS")
    return TlsError(f"the handshake failed: {reason_of(error)}")


def reason_of(error: ssl.SSLError) -> str:
    """The reason that OpenSSL gives, in lower case: `tlsv1 alert protocol version`."""
    return (error.reason or error.strerror or str(error)).replace("_", " ").lower()


def _about_certificate(error: ssl.SSLCertVerificationError, host: str, option: str) -> str:
    known = _ABOUT_CERTIFICATE.get(error.verify_code)
    if known is None:
        return f"its certificate is refused: {error.verify_message}"
    return f"its certificate {known.format(host=host, option=option)}"
