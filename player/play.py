"""What the `player` command does around a connection: the policy, what is shown, and the summary."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from cards import Card, Decision, Hand, Outcome, Payoff, RandBelow, Rules, Tally, seeded
from cards.rules import exact
from player.address import Address, parse_address
from player.bets import BetPlan, Better, better_for, check_bet, parse_bet
from player.client import Client, connect
from player.counting import CardCount, CountedPlay, about_count
from player.human import Human
from player.local import local_dealer
from player.recovery import PastRound
from player.returning import ReturningClient
from player.score import NO_ROUND, Played, Record, grade_play
from player.tries import Notices, ReturnTries
from policies import chances, makers, names
from policies.action_values import ActionValues
from policies.chances import MixedPolicy
from policies.chart import Chart
from policies.counted_values import CountedValues
from policies.decisions import DecisionTable
from policies.files import kind_of_file
from policies.loading import load_counted, load_learned, own_table
from policies.makers import Source
from policies.names import PolicyName, PolicyNameError
from policies.policy import Observation, Policy
from policies.qtable import QTable
from policies.written import written
from protocol import BetRequest, HandResult, OtherHand, payoff_text
from protocol.messages import MAX_NAME_TOKEN, NAME_TOKEN
from protocol.names import NAME_FORM, is_name, normal
from support.command import FAILED, OK, USAGE, CommandError, os_reason
from support.counts import counted
from support.interrupts import ending_signals
from support.loop import run
from support.options import seed_or_new
from support.paint import printer_for
from support.progress import Progress
from support.summary import Report, tally_table
from support.terminal import notice, tell

SHOW_EVERY: Final = 0.1
KINDS: Final = (*names.TABLES, names.COUNTED, "human")


@dataclass(frozen=True, slots=True)
class Config:
    """The options of the command, as typed."""

    host: str | None
    port: int | None
    name: str
    token: str | None
    policy: str
    table: Path | None
    rounds: int | None
    bet: str | None
    local: bool
    rules: Rules | None
    seed: int | None
    show: bool
    as_json: bool


def play(config: Config) -> int:
    """Play, and report; return the status of the command.

    Raises:
        CommandError: if there is no dealer, no such policy, or no table to play by.
    """
    config = replace(config, name=normal(config.name))
    if not is_name(config.name):
        raise CommandError(f"{config.name!r} is not a name: expected {NAME_FORM}", USAGE)
    if config.token is not None and not NAME_TOKEN.fullmatch(config.token):
        raise CommandError(
            f"this is not the token of a name: expected 1 to {MAX_NAME_TOKEN} printable ASCII characters,"
            " no blanks",
            USAGE,
        )
    address = _address(config)
    policy = chosen_policy(config)
    plan = None if config.bet is None else parse_bet(config.bet)
    if plan is not None and config.local:
        check_bet(plan, config.rules or Rules())
    if address is not None:
        return _play_at(address, config, policy, plan)
    with local_dealer(config.rules or Rules(), config.seed) as port:
        return _play_at(Address("127.0.0.1", port), config, policy, plan)


def _address(config: Config) -> Address | None:
    """Where the dealer is; None for one that is started for this."""
    if config.local:
        if config.host is not None:
            raise CommandError("--local starts its own dealer: expected no HOST and PORT with it", USAGE)
        return None
    if config.host is None:
        raise CommandError(
            "the dealer's address is missing: expected HOST PORT, such as 0.0.0.0 8088, or --local", USAGE
        )
    return parse_address(config.host, config.port)


class ChosenPolicy:
    """A policy that was chosen to play by; what it decides may depend on the rules, and so come later.

    Args:
        name: the policy.
        source: what it plays by, if that is in a file.
        rand_below: the random source of a policy that leaves decisions to chance.
        counted: the table by true count that it is, in place of a source.
    """

    def __init__(
        self,
        name: PolicyName,
        source: Source | None,
        rand_below: RandBelow,
        counted: CountedValues | None = None,
    ) -> None:
        self.name = name
        self.source = source
        self.counted = counted
        self._rand_below = rand_below
        self._makers = dict.fromkeys(names.COMPUTED, self._computed)
        self._made: dict[Rules, DecisionTable | Chart] = {}

    def decisions(self, rules: Rules) -> DecisionTable:
        """The policy as a table, to be valued exactly. One that is computed takes a second the first time.

        It is not for a table by true count, which has no such value.

        Raises:
            CommandError: if there is no such policy for these rules.
        """
        return makers.table_of(self.name, rules, self._makers, self.source)

    def whole(self, rules: Rules) -> Chart | MixedPolicy | None:
        """The policy for rules of the whole game, to be valued exactly: a chart, or else the chances.

        A table of action values decides on insurance itself, which no chart does. None for a table by true
        count, which has no such value.

        Raises:
            CommandError: as `decisions`.
        """
        if self.counted is not None:
            return None
        if self.name.kind == "random":
            return chances.at_random
        decide = self.decide(rules)
        chart = None if isinstance(self.source, ActionValues) else written(decide, rules, self.name.text)
        return chances.sure(decide) if chart is None else chart

    def decide(self, rules: Rules) -> Policy:
        """What decides under these rules, without a count.

        Raises:
            CommandError: as `decisions`.
        """
        return makers.policy_of(self.name, rules, self._makers, self._rand_below, self.source)

    def about_rules(self, rules: Rules) -> str | None:
        """What to say where the policy is one for other rules than those that are played."""
        source = self.source
        made_for = self.counted.origin.rules if self.counted else source.rules if source else None
        if made_for is None or made_for.plays_like(rules):
            return None
        others = f"other rules ({made_for}) than those played ({rules})"
        if isinstance(source, Chart):
            return f"the chart is made for {others}"
        if self.counted is not None:
            return f"the table was learned under {others}: `analysis learn --count` makes one for them"
        is_learned = isinstance(source, QTable | ActionValues)
        more = ": `training` with another --table makes one for them" if is_learned else ""
        return f"the table was learned under {others}{more}"

    def _computed(self, rules: Rules) -> DecisionTable | Chart:
        from exact.named import computed

        if rules not in self._made:
            self._made[rules] = computed(self.name, rules)
        return self._made[rules]


def chosen_policy(config: Config) -> ChosenPolicy | None:
    """What decides: a policy, or None for a person.

    Raises:
        CommandError: if there is no such policy, or its table cannot be read.
    """
    try:
        name = names.parse(config.policy, KINDS)
    except PolicyNameError as error:
        raise CommandError(str(error), USAGE) from None
    if name.kind == "human":
        return None
    if name.file is not None and config.table is not None:
        raise CommandError(
            f"--policy {name.text} and --table {config.table} are two tables: expected one of them", USAGE
        )
    rand_below = seeded(seed_or_new(config.seed))
    if (counted := _counted(name, config.table)) is not None:
        return ChosenPolicy(name, None, rand_below, counted)
    source = _table(name.file or config.table) if name.kind == "qtable" else makers.source_of(name)
    policy = ChosenPolicy(name, source, rand_below)
    if name.kind in (*names.COMPUTED, "chart", "actions"):
        # For the likely rules it is made now: a dealer that does not tell its own may not wait for it either.
        policy.decide(config.rules or Rules())
    return policy


def _table(path: Path | None) -> QTable | ActionValues:
    """The table that was asked for, else the user's own, else the one that comes with the package."""
    table, called = own_table() if path is None else (load_learned(path), str(path))
    _notice(f"playing by the table {called}")
    return table


def _counted(name: PolicyName, table: Path | None) -> CountedValues | None:
    """The table by true count that was asked for, if it is one."""
    path = name.file or (table if name.kind == "qtable" else None)
    if path is None or name.kind not in (names.COUNTED, "qtable"):
        return None
    is_counted = path.is_file() and kind_of_file(str(path)) == names.COUNTED  # a pipe may never end
    if not is_counted and name.kind == "qtable":
        return None
    counted = load_counted(path)
    _notice(f"playing by the table {path}, and counting by {counted.system.name}")
    return counted


def _play_at(address: Address, config: Config, policy: ChosenPolicy | None, plan: BetPlan | None) -> int:
    show = printer_for(sys.stderr if config.as_json else sys.stdout)

    def say(text: str, end: str = "\n") -> None:
        show(text, end)

    player: Human | PolicyPlayer
    if policy is None:
        player = Human(say, config.rules, None if plan is None else partial(better_for, plan, _notice))
    else:
        player = PolicyPlayer(policy, config.rules, say if config.show else None, plan)
    started = time.monotonic()
    fault = run(_play(address, config, player))
    seconds = time.monotonic() - started
    score = _score(config, player, policy)
    if config.as_json:
        print(json.dumps(report(config, player, seconds, score)))
    else:
        tell(report_text(config, player, seconds, score))
    if fault is not None:
        _notice(fault)
        return FAILED
    return OK


async def _play(address: Address, config: Config, player: Human | PolicyPlayer) -> str | None:
    """Play to the end; return the sentence that says what went wrong, if it did."""
    client = ReturningClient(
        player,
        config.name,
        config.rounds,
        address.websocket,
        token=config.token,
        whole=player,
        shows=isinstance(player, Human),
        tries=ReturnTries(address, Notices(_notice)),
    )
    player.sit_down(client)
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, player.interrupt if isinstance(player, Human) else client.leave)
    try:
        await connect(client, address.host, address.port)
    except OSError as error:
        raise CommandError(
            f"cannot connect to {address}: {os_reason(error)}; is a dealer running there?"
        ) from None
    if isinstance(player, Human):
        player.listen()
        fault = await _until_over(client, player)
    else:
        fault = await _play_by_policy(client, player, config)
    if client.ruin is not None:
        _notice(client.ruin)
    return fault


async def _play_by_policy(client: Client, player: PolicyPlayer, config: Config) -> str | None:
    with Progress("playing", config.rounds, "rounds") as progress:
        return await _until_over(
            client, player, lambda: None if config.show else progress.show(client.played)
        )


async def _until_over(
    client: Client, player: Human | PolicyPlayer, show: Callable[[], None] = lambda: None
) -> str | None:
    """Wait for the end; `show` is called again and again meanwhile."""
    while not client.over.done():
        await asyncio.wait((client.over,), timeout=SHOW_EVERY)
        if player.refusal is not None:
            client.leave()
            raise player.refusal
        show()
    return client.over.result()


class PolicyPlayer:
    """Plays by a policy, and keeps the score.

    Args:
        policy: what decides.
        given: the rules of the command line, for a dealer that does not tell its own.
        say: where to print every hand, if anywhere.
        plan: what to bet where bets are asked; None for the least bet.

    Attributes:
        chips: what was won in all, where bets are asked; else None.
        lost: how many rounds have no result, since the connection was lost.
        refusal: why the policy cannot play by the dealer's rules, if it cannot; no question is answered then.
    """

    def __init__(
        self,
        policy: ChosenPolicy,
        given: Rules | None,
        say: Callable[[str], None] | None = None,
        plan: BetPlan | None = None,
    ) -> None:
        self.tally = Tally()
        self.record = Record()
        self.lost = 0
        self.rules: Rules | None = None
        self.refusal: CommandError | None = None
        self._policy = policy
        self._decide: Policy | None = None
        self._given = given
        self._say = say
        self._plan = plan
        self._better: Better | None = None
        self._counts: list[CardCount] = []
        self._client: Client | None = None
        self._upcard: Card | None = None
        self._shown: list[str] = []
        self.chips: Payoff | None = None

    def sit_down(self, client: Client) -> None:
        """Take the connection that is played on, before anything is said on it."""
        self._client = client

    def rules_told(self, rules: Rules | None) -> Rules:
        """Take the dealer's rules, else the given ones; say so if the table was learned under others."""
        self.rules = rules or self._given or Rules()
        if (sentence := self._policy.about_rules(self.rules)) is not None:
            _notice(sentence)
        if self.rules.bets is not None:
            self.chips = 0
        try:
            self._decide = self._decide_under(self.rules, is_told=rules is not None)
            if self._plan is not None:
                self._better = better_for(self._plan, _notice, self.rules)
                self._counts.append(self._better)
        except CommandError as error:
            self.refusal = error
        return self.rules

    def _decide_under(self, rules: Rules, *, is_told: bool) -> Policy:
        if self._policy.counted is None:
            return self._policy.decide(rules)
        play = CountedPlay(self._policy.counted, rules, is_told=is_told)
        if (sentence := about_count(rules, is_told=is_told)) is not None:
            _notice(sentence)
        self._counts.append(play)
        return play.decide

    def asked_for_bet(self, request: BetRequest) -> int | None:
        """Bet by the plan."""
        if self.refusal is not None:
            return None
        return request.minimum if self._better is None else self._better.bet(request)

    def shuffled(self) -> None:
        """Begin to count again."""
        for count in self._counts:
            count.shuffled()

    def saw_dealer(self, card: Card) -> None:
        """Count the card."""
        for count in self._counts:
            count.saw_dealer(card)

    def hand_begun(self, number: int, hands: int) -> None:
        """Note which hand is played now."""
        if self._say:
            self._shown.append(f"hand {number + 1} of {hands}")

    def hand_settled(self, message: HandResult) -> None:
        """Note how one of several hands ended."""
        if self._say:
            paid = payoff_text(message.payoff)
            self._shown.append(f"hand {message.hand + 1} {message.outcome.value} {paid}")

    def saw_other(self, message: OtherHand) -> None:
        """Nothing: this player has not asked for it."""

    def began(self) -> None:
        """Begin an empty line to show."""
        for count in self._counts:
            count.began()
        self._shown = []
        self._upcard = None

    def dealt(self, card: Card, hand: Hand) -> None:
        """Note the card."""
        for count in self._counts:
            count.saw(card)
        if self._say:
            self._shown.append(str(card))

    def saw_upcard(self, card: Card) -> None:
        """Note the upcard."""
        for count in self._counts:
            count.saw_upcard(card)
        self._upcard = card

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        """Decide by the policy."""
        if self._decide is None or self.refusal is not None:
            return None
        decision = self._decide(observation)
        if self._say:
            self._shown.append(f"({describe(hand)}) {decision.value}")
        return decision

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        """Count the round, and show it."""
        client = self._client
        payoff, chips = (None, None) if client is None else (client.payoff, client.chips)
        self.tally.add(outcome, payoff)
        if client is not None and self.rules is not None and self.rules.is_whole:
            self.record.add_whole(client.decided)
        elif payoff is None:
            self.record.add(self._upcard, hand)
        if chips is not None:
            self.chips = exact((self.chips or 0) + chips)
        if self._say:
            against = f" against {self._upcard}" if self._upcard else ""
            paid = "" if payoff is None else f" {payoff_text(payoff if chips is None else chips)}"
            end = f"{outcome.value}{paid}, {describe(hand)}"
            self._say(f"{self.tally.rounds}{against}: {', '.join(self._shown)}: {end}")

    def interrupted(self) -> None:
        """Begin to count again: cards were missed, and the shoe may be fresh."""
        self.shuffled()

    def recovered(self, past: PastRound) -> None:
        """Count a round that was not seen to its end; it is in no figure of EV lost."""
        if past.outcome is None:
            self.lost += 1
            return
        self.tally.add(past.outcome, past.payoff)
        if past.chips is not None:
            self.chips = exact((self.chips or 0) + past.chips)
        if self._say:
            paid = "" if past.chips is None else f" {payoff_text(past.chips)}"
            self._say(f"{self.tally.rounds}: not seen to its end: {past.outcome.value}{paid}")

    def refused(self, reason: str) -> None:
        """Pass on what the dealer says."""
        _notice(f"the dealer says: {reason}")


def describe(hand: Hand) -> str:
    """`soft 17`, `hard 20`: a hand in two words."""
    return f"{'soft' if hand.is_soft else 'hard'} {hand.total}"


def report(config: Config, player: Human | PolicyPlayer, seconds: float, score: Report) -> dict[str, Any]:
    """The result as JSON.

    The keys: `name`, `policy`, `rules` (every field, or null if no round was played), the tally's `rounds`,
    `wins`, `pushes`, `losses` (busts included), `busts`, `mean_payoff` and `standard_error` (in initial
    bets), `seconds` and `rounds_per_second`, and those of `player.score.grade_play`. A hand that a person
    leaves open is a loss in the tally, and in no figure of EV lost: it was not played to its end. Where bets
    are asked there is also `chips`, what was won in all. `rounds` has those rounds too of which no result is
    known after a lost connection; if there are any, `without_result` is their number.
    """
    rounds = player.tally.rounds + player.lost
    without_result = {"rounds": rounds, "without_result": player.lost} if player.lost else {}
    chips = {} if player.chips is None else {"chips": _number(player.chips)}
    return {
        "name": config.name,
        "policy": config.policy,
        "rules": player.rules.fields() if player.rules else None,
        **player.tally.as_json(),
        **without_result,
        **chips,
        "seconds": seconds,
        "rounds_per_second": rounds / seconds,
        **score.members,
    }


def report_text(config: Config, player: Human | PolicyPlayer, seconds: float, score: Report) -> str:
    """The result as a person reads it."""
    rounds = player.tally.rounds + player.lost
    lines = [tally_table([(config.name, player.tally)])]
    if player.lost:
        lines.append(f"{counted(player.lost, 'round')} more without a result: the connection was lost")
    if player.chips is not None:
        lines.append(f"won in all: {counted(payoff_text(player.chips), 'chip')}")
    if not isinstance(player, Human):
        lines.append(f"{counted(rounds, 'round')} in {seconds:z.1f} s ({rounds / seconds:,.0f} rounds/s)")
    return "\n".join([*lines, score.text] if score.text else lines)


def _number(chips: Payoff) -> int | float:
    return chips if isinstance(chips, int) else float(chips)


def _score(config: Config, player: Human | PolicyPlayer, policy: ChosenPolicy | None) -> Report:
    """How good the play was."""
    if player.rules is None or not player.tally.rounds:
        return NO_ROUND
    rules, name = player.rules, config.policy
    if policy is None or policy.counted is not None:
        played: Played | None = None
    else:
        played = policy.whole(rules) if rules.is_whole else policy.decisions(rules)
    return grade_play(rules, name, played, player.record)


def _notice(sentence: str) -> None:
    notice("player", sentence)
