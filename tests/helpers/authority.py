"""A certificate authority for the tests, made by the command `openssl`."""

from __future__ import annotations

import ipaddress
import subprocess
from pathlib import Path
from typing import Final

_SETTINGS: Final = """
[req]
distinguished_name = nobody
[nobody]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""
"""Extensions as strict as any client wants them: `ssl` of Python 3.13 refuses certificates without them."""


class Authority:
    """An authority that only those trust who are told of it.

    Args:
        folder: where its files are put; it must be there.

    Attributes:
        ca: its own certificate, as clients are told of it.
    """

    def __init__(self, folder: Path) -> None:
        self.ca = folder / "ca.pem"
        self._key = folder / "ca.key"
        self._folder = folder
        self._made = 0
        self._settings = folder / "openssl.cnf"
        self._settings.write_text(_SETTINGS)
        self._request("authority of the tests", self._key, self.ca, "-x509", "-extensions", "authority")

    def certificate(self, *names: str, days: int = 1) -> tuple[Path, Path]:
        """The files of a certificate and of its key, in PEM.

        Args:
            names: the names and addresses that it is for.
            days: how long it is valid; with 0 it has expired already.
        """
        self._made += 1
        request, cert, key, told = (
            self._folder / f"server-{self._made}.{end}" for end in ("csr", "pem", "key", "cnf")
        )
        alternatives = ", ".join(f"{_kind(name)}:{name}" for name in names)
        told.write_text(f"{_SETTINGS}subjectAltName = {alternatives}\n")
        self._request("dealer of the tests", key, request)
        signed = ("-CA", self.ca, "-CAkey", self._key, "-CAcreateserial", "-days", days)
        _openssl(
            "x509", "-req", "-in", request, "-out", cert, "-extfile", told, "-extensions", "server", *signed
        )
        return cert, key

    def _request(self, subject: str, key: Path, out: Path, *options: str) -> None:
        """Make a key, and a request for a certificate, or one that signs itself."""
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        named = ("-config", self._settings, "-subj", f"/CN={subject}")
        _openssl("req", "-new", *named, *curve, "-keyout", key, "-out", out, *options)


def _openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def _kind(name: str) -> str:
    """The kind of a name in a certificate."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "DNS"
    return "IP"
