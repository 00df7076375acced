"""A dealer that speaks TLS itself, as the guide says, with everybody who can come to its one port."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from tests.helpers.browser import Browser
from tests.helpers.peer import LOCALHOST, BlockingPeer
from tests.proxies import guide
from tests.proxies.by_hand import played_by_command, played_through_tls, visited_by_curl
from tests.proxies.guide import NAME
from tests.proxies.programs import Certificate, dealing, kept_ports


def test_everybody_comes_to_the_one_port(tmp_path: Path, certificate: Certificate, browser: Browser) -> None:
    (command,) = guide.dealers("--tls-cert")
    with kept_ports(1) as (port,):
        page_of_dealer = f"https://{NAME}:{port}/"
        put_in = {
            "0.0.0.0": LOCALHOST,
            f"https://{NAME}/": page_of_dealer,
            "fullchain.pem": str(certificate.chain),
            "privkey.pem": str(certificate.key),
        }
        options = [put_in.get(word, word) for word in command[2:]]
        with dealing(tmp_path, port, *options, "--log", "people.jsonl"):
            page = browser.visit(page_of_dealer)
            page.sit("ada")
            page.until_asked()
            assert visited_by_curl(tmp_path, page_of_dealer, certificate.ca) == {"200": 200, "426": 426}
            assert played_by_command(tmp_path, page_of_dealer, certificate.ca, "dora") == 3
            for heard in played_through_tls(port).values():
                assert (heard[0], heard[-1]) == ("BEGIN", "QUIT")
            with BlockingPeer(port) as plain:
                plain.say("JOIN eve")
                assert plain.rest()[0].startswith("ERROR this dealer speaks TLS: ")
            asked = http.client.HTTPConnection(LOCALHOST, port)
            asked.request("GET", "/")
            answer = asked.getresponse()
            assert (answer.status, answer.headers["Location"]) == (308, page_of_dealer)
            asked.close()
            page.leave()
        lines = (tmp_path / "people.jsonl").read_text().splitlines()
        joined = [entry["name"] for entry in map(json.loads, lines) if entry["event"] == "joined"]
        assert joined == ["ada", "dora", "ncat", "openssl"]
    assert browser.hosts() == {NAME}
    assert browser.errors() == []
