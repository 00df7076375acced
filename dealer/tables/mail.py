"""What the seats of a table are to be told."""

from __future__ import annotations

from dealer.tables.seat import Seat
from protocol import DealerMessage

Mail = dict[Seat, list[DealerMessage]]
"""What each seat is to be told, in order. After QUIT the seat is free."""
