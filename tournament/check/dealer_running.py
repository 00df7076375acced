"""A dealer is taken through the situations, one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from cards import Rules
from tournament.check.dealer_check import DealerCheck, ask_rules
from tournament.check.dealer_situations import DealerSituation
from tournament.check.fault import Fault, NothingToCheck
from tournament.check.running import Found
from tournament.check.trial_player import Place


@dataclass(frozen=True, slots=True)
class DealerOrder:
    """Which dealer is to be checked, and how.

    Attributes:
        place: where it is.
        rules: the rules of its tables; None to ask it.
        patience: seconds for each of its messages.
        all_voices: whether it must speak in every wire format.
    """

    place: Place
    rules: Rules | None
    patience: float
    all_voices: bool


async def known_rules(order: DealerOrder) -> Rules | None:
    """The rules of the dealer's tables: those that were given, or what it says; None if it does not.

    Raises:
        OSError: if there is no dealer.
        TimeoutError: if there is no answer.
        SpeaksTlsError: if it says that it has to be spoken to by TLS.
    """
    told = await ask_rules(order.place, order.patience)
    return order.rules or told


async def check_all(
    order: DealerOrder, rules: Rules | None, situations: Sequence[DealerSituation]
) -> AsyncIterator[Found]:
    """Take a dealer through situations; yield what comes of each.

    What is only for tables of one seat is left out at others, and what is about the bytes of lines where all
    is said by a WebSocket.
    """
    table = rules or Rules()
    for situation in situations:
        if (situation.alone and table.seats > 1) or (situation.bytes and order.place.websocket):
            continue
        check = DealerCheck(order.place, order.patience, table, is_certain=rules is not None)
        fault, note, is_tried = None, "", True
        try:
            note = await situation.act(check) or ""
        except Fault as found:
            fault = str(found)
        except NothingToCheck as reason:
            must_speak = situation.voice and order.all_voices
            fault, note = (f"{reason}: --all-voices expects it", "") if must_speak else (None, str(reason))
            is_tried = must_speak
        finally:
            await check.close()
        yield Found(situation.name, situation.title, fault, note, is_tried, check.transcript.tail())
