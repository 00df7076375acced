"""The faults of test_faults once more, through TLS and from a proxy that announces who comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from ipaddress import ip_network
from typing import Any

import pytest

from tests.dealer import test_faults
from tests.dealer.conftest import Open
from tests.dealer.ways import Way, announced, binary_header, encrypted
from tests.helpers.authority import Authority
from tests.helpers.house import RUNS, House, open_house

pytestmark = pytest.mark.check

globals().update(
    {name: test for name, test in vars(test_faults).items() if name.startswith("test_")},
    house=test_faults.house,
    twin=test_faults.twin,
)


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[Way, dict[str, Any]]]:
    """The ways, each with what its dealer is told."""
    authority = Authority(tmp_path_factory.mktemp("authority"))
    proxy = {"proxies_with_header": [ip_network("127.0.0.1")]}
    return {
        "TLS": (encrypted(authority.ca), {"tls": authority.certificate("localhost")}),
        "PROXY": (announced(binary_header("192.0.2.7")), proxy),
    }


@pytest.fixture(params=["TLS", "PROXY"])
def way(request: pytest.FixtureRequest, ways: Mapping[str, tuple[Way, dict[str, Any]]]) -> Any:
    return ways[request.param]


@pytest.fixture
def opened(request: pytest.FixtureRequest, way: tuple[Way, dict[str, Any]]) -> Iterator[Open]:
    """As in the other tests of this folder, but by another way."""
    run, (by, told) = RUNS[getattr(request, "param", "uvloop")], way
    with ExitStack() as stack:

        def open_one(**options: Any) -> House:
            return stack.enter_context(open_house(run, way=by, **told | options))

        yield open_one
