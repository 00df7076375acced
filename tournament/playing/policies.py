"""Matches of one policy against the dealer.

A policy that is a table of decisions is played by compiled code, any other one by the engine, from the same
cards: both give the same rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from cards import Rules
from player.counting import CountedPlay
from tournament.playing.deciding import Asking, Blind, Chance, Counting, Decider
from tournament.playing.engine import EnginePlay
from tournament.playing.kernel import CompiledPlay
from tournament.rounds.costs import costs_for
from tournament.settings import Block, Match, Settings, State
from twentyone.exact import named
from twentyone.kernels.decisions import CompiledPolicy, compile_policy
from twentyone.policies import makers, names
from twentyone.policies.action_values import ActionValues
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.functions import Function
from twentyone.policies.loading import load_counted
from twentyone.policies.makers import Source
from twentyone.policies.names import PolicyName
from twentyone.policies.qtable import is_by_hand
from twentyone.support.command import USAGE, CommandError

KINDS: Final = (*names.GRADED, names.COUNTED)
"""The kinds of policies that can take part."""

MAX_PREPARED: Final = 64
"""Policies that are kept ready."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A policy that is ready to play by some rules.

    Attributes:
        name: the policy.
        source: what it plays by, if that is a file or a Python object.
        counted: the table by true count that it is, in place of a source.
        table: its decisions, if they are a table that leaves nothing to chance.
    """

    name: PolicyName
    source: Source | None
    counted: ActionValues | None
    table: CompiledPolicy | None


def prepare(settings: Settings, match: Match) -> None:
    """Do what a match of a policy needs once in a process: read its file, work out its table and the costs.

    The first time on a machine the kernel is compiled, which takes some seconds.

    Raises:
        CommandError: if there is no such policy, not for these rules, or its file cannot be read.
    """
    policy = prepared(settings.rules, _policy(settings, match))
    if (costs := costs_for(settings.rules)) is not None:
        costs.prepare()
    if _is_compiled(settings, policy):
        _compiled(settings.rules, policy.name.text).play(settings.seed, 0, 1)


def play(settings: Settings, match: Match, state: State, rounds: int) -> Block:
    """Play rounds of a match of one policy.

    It makes no difference whether rounds are played by one call or by several.

    Args:
        settings: the tournament.
        match: the match, of one entrant, which is a policy.
        state: where it stands.
        rounds: how many rounds to play.

    Raises:
        CommandError: as `prepare`, and if a function of the user's own fails.
    """
    policy, rules = prepared(settings.rules, _policy(settings, match)), settings.rules
    if not _is_compiled(settings, policy):
        return by_engine(settings, match, state, rounds)
    played = _compiled(rules, policy.name.text).play(settings.seed, state.round, rounds)
    for place in np.flatnonzero(~played.is_told).tolist():
        here = replace(state, round=state.round + place)
        block = by_engine(settings, match, here, 1)
        played.scripts[place], played.payoffs[place] = block.scripts[0], block.payoffs[0, 0]
        if block.lost is not None:
            played.lost[place] = block.lost[0, 0]
    return Block(
        match=match.number,
        before=state,
        after=replace(state, round=state.round + rounds),
        scripts=played.scripts,
        payoffs=played.payoffs[:, np.newaxis],
        lost=None if costs_for(rules) is None else played.lost[:, np.newaxis],
    )


@lru_cache(maxsize=MAX_PREPARED)
def prepared(rules: Rules, text: str) -> Prepared:
    """A policy, ready to play.

    Args:
        rules: the rules.
        text: its name.

    Raises:
        CommandError: as `prepare`.
    """
    name = named.parsed(text, KINDS)
    if not rules.has_dealer or rules.seats != 1:
        raise CommandError("policies play alone against a dealer: expected rules of one seat", USAGE)
    if name.kind == names.COUNTED:
        assert name.file is not None
        return Prepared(name, None, load_counted(name.file), None)
    source = makers.source_of(name)
    return Prepared(name, source, None, _table_of(name, source, rules))


def _table_of(name: PolicyName, source: Source | None, rules: Rules) -> CompiledPolicy | None:
    """The decisions of a policy; None if it draws, or is a function that sees more than a table has."""
    if name.kind == "random":
        return None
    if isinstance(source, Function):
        chances = source.table(rules) if not is_by_hand(rules) else None
        if chances is None or not _is_sure(chances):
            return None
    return compile_policy(named.decider(name, rules, named.no_chance, source), rules, name.text)


def _is_sure(table: DecisionTable) -> bool:
    return bool(np.isin(table.hit, (0, 1)).all())


def _is_compiled(settings: Settings, policy: Prepared) -> bool:
    """Whether the kernel plays a policy: a table, with a fresh shoe every round and without bets."""
    return policy.table is not None and not settings.kept_shoe and settings.rules.bets is None


@lru_cache(maxsize=MAX_PREPARED)
def _compiled(rules: Rules, text: str) -> CompiledPlay:
    table = prepared(rules, text).table
    assert table is not None, "a policy that is a table"
    return CompiledPlay(rules, table)


def _policy(settings: Settings, match: Match) -> str:
    """The policy of a match."""
    (number,) = match.entrants
    policy = settings.entrants[number].policy
    assert policy is not None, "an entrant that is a policy"
    return policy


def by_engine(settings: Settings, match: Match, state: State, rounds: int) -> Block:
    """Play rounds by the engine."""
    policy, rules = prepared(settings.rules, _policy(settings, match)), settings.rules
    (number,) = match.entrants
    chance = Chance(settings.seed, settings.entrants[number].played_as)
    return EnginePlay(settings, match, state, _decider(policy, rules, chance), chance).play(rounds)


def _decider(policy: Prepared, rules: Rules, chance: Chance) -> Decider:
    if policy.counted is not None:
        return Counting(CountedPlay(policy.counted, rules, is_told=True))
    if isinstance(policy.source, Function) and is_by_hand(rules):
        return Asking(policy.source, chance)
    return Blind(named.decider(policy.name, rules, chance.below, policy.source))
