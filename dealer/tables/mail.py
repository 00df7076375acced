"""The messages to the seats of a table."""

from __future__ import annotations

from collections import defaultdict

from dealer.tables.seat import Seat
from protocol import DealerMessage

Mail = defaultdict[Seat, list[DealerMessage]]
"""The messages to each seat, in order. After QUIT the seat is free."""
