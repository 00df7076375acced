"""`RemoteBlackjackEnv` over TLS, in lines and by a WebSocket."""

from __future__ import annotations

from typing import Any

import pytest

from cards import PRESETS
from tests.helpers.authority import Authority
from tests.helpers.house import open_house
from tests.helpers.remote import seated
from tests.twentyone.environments.test_remote import assert_plays_alike
from twentyone.environments.connecting import DealerGoneError
from twentyone.environments.remote import RemoteBlackjackEnv


@pytest.mark.parametrize("way", ["lines", "wss", "ws"])
def test_the_rounds_are_those_of_the_environment_here(authority: Authority, way: str) -> None:
    tls = None if way == "ws" else authority.certificate("127.0.0.1")
    ca = None if way == "ws" else authority.ca
    with open_house(rules=PRESETS["vegas"], tls=tls) as house:
        address: dict[str, Any] = {"port": None, "host": f"{way}://127.0.0.1:{house.port}/ws"}
        if way == "lines":
            address = {"port": house.port, "tls": True}
        with seated(tls_ca=ca, **address) as env:
            assert_plays_alike(env, house, PRESETS["vegas"], 100, seed=6)


def refusal(port: int, **options: Any) -> str:
    """The sentence by which no connection comes about."""
    with seated(port, tls=True, **options) as env, pytest.raises(DealerGoneError) as gone:
        env.reset()
    return str(gone.value).removeprefix(f"the dealer at 127.0.0.1 port {port} cannot be reached over TLS: ")


def test_a_certificate_that_does_not_fit_is_a_sentence(authority: Authority) -> None:
    with open_house(tls=authority.certificate("localhost")) as house:
        unknown, other = refusal(house.port), refusal(house.port, tls_ca=authority.ca)
    assert unknown.startswith("its certificate is of an authority that is not trusted here: expected tls_ca")
    assert other == "its certificate is not for 127.0.0.1: expected a name or an address that it is for"


def test_a_dealer_that_speaks_no_tls_or_does_not_answer_is_a_sentence() -> None:
    with open_house() as house:
        said = refusal(house.port)
        assert said == "it does not speak TLS: expected a dealer that does, or a connection without TLS"
        with house.held():
            assert refusal(house.port, timeout=0.1) == "it does not answer within 0.1 s"


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"tls_ca": "ca.pem"}, "tls_ca ca.pem is for TLS: expected tls=True or a wss:// address too"),
        ({"tls": True, "tls_ca": "no.pem"}, "no.pem cannot be read: no such file or directory"),
        ({"tls": True, "tls_ca": __file__}, f"{__file__} holds no certificate: expected that of an auth"),
        ({"host": "ws://a/ws", "tls": True}, "ws://a/ws is without TLS, and tls is True: expected wss://"),
        ({"host": "wss://a/ws", "port": 1}, "wss://a/ws has its port in it, and port is 1: expected one"),
        ({"host": "https://a/"}, "'https://a/' is not an address: expected ws://host:port/ws or wss"),
    ],
)
def test_keywords_that_contradict_each_other_are_refused(keywords: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError) as refused:
        RemoteBlackjackEnv(**keywords)  # type: ignore[arg-type]
    assert str(refused.value).startswith(sentence)
