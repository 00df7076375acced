"""The QR code of a link to a table (dealer/web/invitation.py), without a browser."""

from __future__ import annotations

import re
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

import pytest
import segno

from dealer.web.invitation import LONGEST_LINK, MASK, QUIET, qr_page
from tests.helpers.patience import PATIENCE
from tests.web.conftest import Open

HOST: Final = "ten:8088"
LINK: Final = f"http://{HOST}/#table=12"
LONGEST_HOST: Final = "t" * (LONGEST_LINK - len("http:///"))


def is_drawn(*texts: str, host: str = HOST) -> bool:
    """Whether there is a code for a query with these texts, at a dealer of this name."""
    return qr_page(urlencode([("text", text) for text in texts]), host) is not None


def dark_modules(svg: str) -> set[tuple[int, int]]:
    """The dark squares of a code, by row and column, from the lines that draw it."""
    path = re.search(r'stroke="#000"[^>]* d="([^"]+)"', svg)
    assert path is not None, svg[:300]
    dark, x, y = set(), 0.0, 0.0
    for letter, numbers in re.findall(r"([Mmh])([-0-9. ]+)", path[1]):
        values = [float(one) for one in re.findall(r"-?[0-9.]+", numbers)]
        if letter == "M":
            x, y = values
        elif letter == "m":
            x, y = x + values[0], y + values[1]
        else:
            dark |= {(int(y), column) for column in range(int(x), int(x + values[0]))}
            x += values[0]
    return dark


def test_the_code_is_that_of_the_link_with_a_margin_of_four_modules(opened: Open) -> None:
    port = opened().port
    link = f"http://127.0.0.1:{port}/#table=12"
    address = f"http://127.0.0.1:{port}/qr.svg?{urlencode({'text': link})}"
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        assert answer.headers["Content-Type"] == "image/svg+xml"
        drawn = answer.read().decode()
    rows = segno.make_qr(link, error="m", mask=MASK).matrix
    assert QUIET == 4  # ISO/IEC 18004
    expected = {(r + 4, c + 4) for r, row in enumerate(rows) for c, module in enumerate(row) if module & 1}
    assert dark_modules(drawn) == expected
    width = len(rows) + 8
    assert f'viewBox="0 0 {width} {width}"' in drawn
    assert 'fill="#fff"' in drawn


@pytest.mark.parametrize(
    ("link", "host"),
    [
        (LINK, HOST),
        (f"https://{HOST}/#table=123456789", HOST),
        (f"http://{HOST}/?dealer=abcdefghijklmn16&table=123456789", HOST),
        (f"http://{HOST}/cards/?dealer=a", HOST),
        (f"http://{HOST}/", HOST.upper()),
        ("http://10.0.0.7/", "10.0.0.7"),
        ("http://[::1]:8088/", "[::1]:8088"),
        (f"http://{LONGEST_HOST}/", LONGEST_HOST),
    ],
)
def test_there_is_a_code_for_a_link_to_this_dealer(link: str, host: str) -> None:
    assert is_drawn(link, host=host)


@pytest.mark.parametrize(
    ("links", "host"),
    [
        (["http://example.org/"], HOST),
        ([f"http://{HOST}/#table=0"], HOST),
        ([f"http://{HOST}/#table=1234567890"], HOST),
        ([f"http://{HOST}/?dealer=abcdefghijklmno17"], HOST),
        ([f"http://{HOST}/?table=1"], HOST),
        ([f"http://{HOST}/?dealer=a&table=0"], HOST),
        ([f"http://{HOST}/?dealer=a#table=1"], HOST),
        ([f"http://{HOST}/trainer.html"], HOST),
        ([f"ftp://{HOST}/"], HOST),
        (["http://ten:0088/"], "ten:0088"),
        (["http://ten:123456/"], "ten:123456"),
        ([f"http://{LONGEST_HOST}t/"], f"{LONGEST_HOST}t"),
        ([], HOST),
        ([LINK, LINK], HOST),
    ],
)
def test_there_is_none_for_another_link_without_one_or_for_two(links: list[str], host: str) -> None:
    assert not is_drawn(*links, host=host)


def test_a_dealer_refuses_a_code_for_another_host(opened: Open) -> None:
    address = f"http://127.0.0.1:{opened().port}/qr.svg?{urlencode({'text': 'http://example.org/'})}"
    with pytest.raises(HTTPError, match="400"):
        build_opener(ProxyHandler({})).open(address, timeout=PATIENCE)
