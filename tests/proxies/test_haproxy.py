"""HAProxy with the file of the guide: everything on one port, and two dealers of which one is stopped."""

from __future__ import annotations

import http.client
import json
import os
import ssl
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import parse_qs

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.helpers.browser import Browser, Page
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import finish, start
from tests.proxies.by_hand import played_by_command, played_by_lines, played_through_tls, visited_by_curl
from tests.proxies.guide import NAME
from tests.proxies.programs import SECOND, Certificate, needed
from tests.proxies.several import Several, several

MOST: Final = 12
"""Connections from one address: more than a browser has while it loads a page."""

PROGRAMS, ROUNDS = (50, 2000) if "EVERY_PROGRAM" in os.environ else (5, 500)
"""How many programs play, and how many rounds each of them; `make long` has all of them."""

SEED: Final = int(os.environ.get("EVERY_PROGRAM", 39))
"""Of the cards, of how each program comes, and of which dealer is killed."""


def socket(
    found: Several, trusting: ssl.SSLContext, query: str = "", address: str = LOCALHOST
) -> ClientConnection:
    """A WebSocket of a visitor who comes from this address, and claims to come from elsewhere."""
    return connect(
        f"wss://localhost:{found.ports.https}/ws{query}",
        ssl=trusting,
        source_address=(address, 0),
        additional_headers={"X-Forwarded-For": "203.0.113.9"},
        proxy=None,
    )


def dealer_of(page: Page) -> str:
    """The name of the dealer in the address of a page."""
    (name,) = parse_qs(page.ask("location.search.slice(1)"))["dealer"]
    return str(name)


def test_everybody_comes_through_one_port(
    tmp_path: Path, certificate: Certificate, trusting: ssl.SSLContext, browser: Browser
) -> None:
    needed("nc")
    with several(tmp_path, certificate, "--max-per-address", str(MOST)) as found, ExitStack() as stack:
        page = browser.visit(found.page)
        page.sit("ada")
        page.until_asked()
        assert visited_by_curl(tmp_path, found.page, certificate.ca) == {"200": 200, "426": 426}
        assert played_by_command(tmp_path, found.page, certificate.ca, "dora") == 3
        heard = played_through_tls(found.ports.https)
        heard["nc"] = played_by_lines(f"nc {LOCALHOST} {found.ports.http}", "nc")
        assert {(lines[0], lines[-1]) for lines in heard.values()} == {("BEGIN", "QUIT")}
        joined = [*found.joined("a"), *found.joined("b")]
        assert {entry["name"] for entry in joined} == {"ada", "dora", "ncat", "openssl", "nc"}
        assert {entry["address"] for entry in joined} == {LOCALHOST}

        named = [stack.enter_context(socket(found, trusting, "?dealer=b", SECOND)) for _ in range(MOST)]
        with pytest.raises(InvalidStatus, match="429"):
            socket(found, trusting, "?dealer=b", SECOND)
        named[0].send("JOIN bob")
        assert str(named[0].recv(PATIENCE)).startswith("BEGIN")
        assert [entry["address"] for entry in found.joined("b") if entry["name"] == "bob"] == [SECOND]
        stack.enter_context(socket(found, trusting, "?dealer=a", SECOND))

        asked = http.client.HTTPConnection(SECOND, found.ports.http)
        asked.request("GET", "/", headers={"Host": NAME})
        assert asked.getresponse().headers["Location"] == f"https://{NAME}/"
        asked.close()
        page.leave()
    assert browser.hosts() == {NAME}
    assert browser.errors() == []


def test_friends_share_a_table_at_one_dealer_and_play_at_the_other_once_that_is_gone(
    tmp_path: Path, certificate: Certificate, browser: Browser
) -> None:
    with several(tmp_path, certificate) as found:
        ada = browser.visit(found.page)
        ada.click("#play-friends")
        ada.until("!one('#waiting').hidden")
        link = ada.ask("one('#waiting .link').value")
        first = dealer_of(ada)
        (other,) = {"a", "b"} - {first}
        assert link.startswith(f"{found.page}?dealer={first}&table=")
        bob = browser.visit(link)
        bob.click("#play-now")
        assert eventually(lambda: len(found.joined(first)) == 2)
        assert len({entry["table"] for entry in found.joined(first)}) == 1
        assert dealer_of(bob) == first

        found.dealers[first].kill()
        for page in (ada, bob):
            page.until_text("#start-note", "The dealer of this table is gone")
            page.click("#play-now")
            page.until("new URLSearchParams(location.search).get('dealer') === arguments[0]", other)
        assert eventually(lambda: len(found.joined(other)) == 2)
        for page in (ada, bob):
            page.leave()
    assert browser.hosts() == {NAME}


def test_programs_play_to_the_end_though_one_of_two_dealers_is_killed(
    tmp_path: Path, certificate: Certificate
) -> None:
    random = Random(SEED)
    with several(tmp_path, certificate, "--seed", str(SEED)) as found:
        addresses: list[tuple[object, ...]] = [
            (f"wss://localhost:{found.ports.https}/ws", "--tls-ca", certificate.ca),
            ("localhost", found.ports.https, "--tls", "--tls-ca", certificate.ca),
            (LOCALHOST, found.ports.http),
        ]
        how = ("--policy", "threshold:17", "--rounds", ROUNDS, "--json")
        playing = [
            start("player", *random.choice(addresses), "--name", f"p{number}", *how, cwd=tmp_path)
            for number in range(PROGRAMS)
        ]
        assert eventually(lambda: len(found.joined("a")) + len(found.joined("b")) >= PROGRAMS)
        gone, left = random.sample(("a", "b"), 2)
        found.dealers[gone].kill()
        found.dealers[gone].wait()
        over = {entry["name"] for entry in found.log(gone) if entry["event"] == "left"}
        cut = {entry["name"] for entry in found.joined(gone)} - over
        ended = [finish(each) for each in playing]
        assert [each.status for each in ended] == [0] * PROGRAMS, ended
        results = [json.loads(each.out) for each in ended]
        assert [result["rounds"] for result in results] == [ROUNDS] * PROGRAMS
        assert cut
        assert cut <= {entry["name"] for entry in found.joined(left)}
    lost = sum(result.get("without_result", 0) for result in results)
    print(f"{PROGRAMS} programs, {len(cut)} cut; {lost} of {PROGRAMS * ROUNDS:,} rounds without a result")
