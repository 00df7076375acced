"""The figures of a dealer in Prometheus's text format. This is the only module that loads its library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    GCCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from dealer.network.server import DealerServer
from dealer.tables.meter import Histogram, Meter
from dealer.watch.census import Census, census_of
from dealer.watch.turns import Turns

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4


class Metrics(Collector):
    """The figures of one dealer, and of its process.

    Args:
        server: the dealer.
        meter: what it counts.
        turns: samples of its loop.
    """

    def __init__(self, server: DealerServer, meter: Meter, turns: Turns) -> None:
        self._server = server
        self._meter = meter
        self._turns = turns
        self._census = Census()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    async def text(self) -> bytes:
        """All figures of now."""
        self._census = await census_of(self._server)
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """The dealer's own figures."""
        yield from self._of_connections()
        yield from self._of_play()
        yield from self._of_the_loop()

    def _of_connections(self) -> Iterable[Metric]:
        server, census = self._server, self._census
        yield _gauges("connections", "Connections that are open.", "framing", census.connections)
        yield _counter("connections_accepted", "Connections that were accepted.", server.accepted)
        held = {"input": census.input_held, "output": census.output_held}
        text = "Bytes that have come and wait, and bytes that the system has not taken yet."
        yield _gauges("held_bytes", text, "direction", held)
        ready = GaugeMetricFamily("twentyone_ready", "1 if the dealer takes players, otherwise 0.")
        ready.add_metric([], float(server.why_not_ready is None))
        yield ready
        events = {str(event): count for event, count in server.log.counts.items()}
        yield _counters("events", "Events of the log, written or not.", "event", events)
        errors = server.file_errors
        yield _counters("file_errors", "Files that could not be written or opened.", "file", errors)

    def _of_play(self) -> Iterable[Metric]:
        server, census, meter = self._server, self._census, self._meter
        seats = {"player": server.players, "bot": census.bots, "away": server.kept}
        yield _gauges("seats", "Seats of players, of bots, and of players who are away.", "of", seats)
        yield _gauges(
            "tables", "Tables that are open, by the preset of their rules.", "preset", census.tables
        )
        yield _counter("rounds", "Rounds that have begun.", server.rounds_here)
        text = "Clocks that ran out for somebody who was too slow."
        yield _counters("clock_timeouts", text, "clock", server.clocks)
        decisions = "Answers to DECISION that players gave in time, bets too."
        yield _counter("decisions", decisions, meter.decisions)
        yield _histogram(
            "decision", "Time that players took for an answer to DECISION.", meter.decision_times
        )
        yield _histogram(
            "answer", "Time of the dealer from reading bytes to writing an answer.", meter.answer_times
        )
        yield _counters("refusals", "Refusals, by the words of REFUSED.", "word", meter.refusals)

    def _of_the_loop(self) -> Iterable[Metric]:
        yield _histogram("loop_turn", "Length of a turn of the event loop, by samples.", self._turns.turns)
        text = "Time that something due waited for the event loop, by samples."
        yield _histogram("loop_delay", text, self._turns.delays)


def _gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"twentyone_{name}", text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"twentyone_{name}", text, value=value)


def _counters(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(f"twentyone_{name}", text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _histogram(name: str, text: str, found: Histogram) -> Metric:
    bounds = [*map(str, found.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(found.counts), strict=True))
    return HistogramMetricFamily(f"twentyone_{name}_seconds", text, buckets=buckets, sum_value=found.total)
