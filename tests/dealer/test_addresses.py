"""How many connections there may be from one address."""

from __future__ import annotations

import pytest

from dealer.network.addresses import Addresses, Proxies, Source, address_of
from tests.dealer.conftest import Open
from tests.helpers.patience import eventually


def test_a_peer_is_counted_by_what_it_has_to_itself() -> None:
    """In IPv6 that is a network of 64 bits."""
    for host, address in {
        "192.0.2.7": "192.0.2.7",
        "::ffff:192.0.2.7": "192.0.2.7",
        "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
        "fe80::1%eth0": "fe80::/64",
        "::1": "::1",
        "elsewhere": "elsewhere",
    }.items():
        assert address_of((host, 40_000)) == address
    assert address_of(None) == ""  # gone already


def test_an_address_has_so_many_connections_and_gets_back_what_it_leaves_and_this_machine_is_free() -> None:
    addresses, one, other = Addresses(2), Source("192.0.2.7"), Source("2001:db8::/64")
    assert [addresses.admit(one) for _ in range(3)] == [True, True, False]
    assert addresses.admit(other)
    addresses.leave(one)
    assert [addresses.admit(one) for _ in range(2)] == [True, False]
    for own in ("127.0.0.1", "127.9.9.9", "::1"):
        assert all(addresses.admit(Proxies().of_peer((own, 40_000))) for _ in range(3))


def test_one_too_many_from_an_address_is_told_so_and_takes_nobodys_place(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.addresses.Proxies.of_peer", lambda *_: Source("192.0.2.7"))
    house = opened(max_per_address=2)
    first, second = house.seat(), house.seat()
    for _ in range(2):
        assert house.connect().rest() == ["ERROR too many connections from your address"]
    first.close()
    assert eventually(lambda: house.server.players == 1)  # the loss was noticed
    back = house.join("JOIN a 1", "STAND")
    assert back.rest()[-1] == "QUIT"
    second.say("STAND")
    assert second.hear().startswith("RESULT")
