"""The file of a tournament: who plays, by which rules, how long.

rounds = 10000
seed = 1
rules = "vegas"

[[entrant]]
name = "alice"
command = "python3 alice.py {host} {port} {name}"

[[entrant]]
name = "basic"
policy = "basic"
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any, Final

from cards import EveryRound, Rules, RulesError, rules_from
from dealer.network.certificate import Certificate
from protocol.messages import MAX_NAME_TOKEN, NAME_TOKEN
from protocol.names import NAME_FORM, is_name, normal
from tournament import toml_file
from tournament.settings import MAX_MATCHES, Clocks, Entrant, Limits, Settings
from tournament.toml_file import Table
from twentyone.policies import names
from twentyone.policies.names import PolicyName, PolicyNameError
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import counted
from twentyone.support.options import LONGEST, seed_or_new

ROUNDS: Final = 10_000
"""Rounds of every match where the file does not say."""

MAX_ROUNDS: Final = 10**9
MAX_RESTARTS: Final = 10**6

KINDS: Final = (*names.GRADED, names.COUNTED)
"""The kinds of policies that may take part: all but people."""

_KEYS: Final = (
    "rounds", "seed", "rules", "kept_shoe", "open", "restarts", "start", "wait", "confine", "clocks",
    "limits", "entrant",
)  # fmt: skip
_ENTRANT_KEYS: Final = (
    "name", "policy", "command", "folder", "see", "listen", "tls_cert", "tls_key", "token", "version",
)  # fmt: skip
REQUIRED: Final = "required"
_WAYS: Final = ("policy", "command", "listen")
_OF_LISTEN: Final = tuple((key, "listen") for key in ("tls_cert", "tls_key", "token", "version"))
_RULES_KEYS: Final = (
    "preset", "decks", "reshuffle", "ace", "dealer-stands", "naturals", "seats", "double",
    "double-after-split", "split", "split-aces", "surrender", "insurance", "hole-card", "bets", "bankroll",
)  # fmt: skip


def read(
    path: Path,
    rounds: int | None = None,
    seed: int | None = None,
    kept_shoe: bool = False,
    new_seed: Callable[[], int] = lambda: seed_or_new(None),
) -> Settings:
    """Read the file of a tournament.

    Args:
        path: the file.
        rounds: the rounds of every match, in place of what the file says.
        seed: the seed, in the same way.
        kept_shoe: whether shoes are kept, also if the file does not say so.
        new_seed: gives the seed if neither says one.

    Raises:
        CommandError: if the file cannot be read, or anything in it is not as expected.
    """
    table = toml_file.read(path)
    table.only(_KEYS)
    kept_shoe = table.flag("kept_shoe") or kept_shoe
    entrants = _entrants(table, path.absolute().parent)
    rules = _rules(table, kept_shoe, len(entrants))
    clocks, limits = table.table("clocks"), table.table("limits")
    if seed is None and "seed" in table:
        seed = table.whole("seed", 0, 0, 2**63 - 1)
    settings = Settings(
        rules=rules,
        rounds=table.whole("rounds", ROUNDS, 1, MAX_ROUNDS) if rounds is None else rounds,
        seed=new_seed() if seed is None else seed,
        entrants=entrants,
        clocks=_clocks(clocks),
        limits=_limits(limits),
        restarts=table.whole("restarts", 100, 0, MAX_RESTARTS),
        start=table.seconds("start", 10.0, 0.1, LONGEST),
        wait=table.seconds("wait", 600.0, 0.1, LONGEST),
        kept_shoe=kept_shoe,
        is_confined=_is_confined(table),
        is_open=table.flag("open"),
    )
    _check_policies(table, settings)
    return settings


def policy_name(entrant: Entrant) -> PolicyName:
    """The policy of an entrant, which has one.

    Raises:
        PolicyNameError: if there is none of that name.
    """
    assert entrant.policy is not None, "an entrant that is a program has no policy"
    return names.parse(entrant.policy, KINDS)


def file_of(entrant: Entrant) -> Path | None:
    """The file that an entrant's policy plays by; None if it has none."""
    from twentyone.policies.files import DEFAULT_TABLE
    from twentyone.policies.loading import PACKAGED

    name = policy_name(entrant)
    if name.kind == "qtable" and name.file is None:
        return DEFAULT_TABLE if DEFAULT_TABLE.exists() else PACKAGED
    if name.kind == names.FUNCTION:
        path = name.text.rpartition(":")[0]
        return Path(path) if path.endswith(".py") else None
    return name.file


def files_named(word: str) -> list[Path]:
    """The files that a word of a command names: `/home/ann/bot.py` or `--table=/home/ann/table.txt`."""
    paths = [Path(os.path.normpath(text)) for text in (word, word.partition("=")[2])]
    return [path for path in paths if path.is_absolute() and _is(Path.is_file, path)]


def _clocks(table: Table) -> Clocks:
    usual = Clocks()
    table.only(("decision", "bank", "refill"))
    return Clocks(
        table.seconds("decision", usual.decision, 0.001, LONGEST),
        table.seconds("bank", usual.bank, 0, LONGEST),
        table.seconds("refill", usual.refill, 0, LONGEST),
    )


def _is_confined(table: Table) -> bool:
    """Whether every program has to be confined."""
    given = table.text("confine")
    if given not in (None, REQUIRED):
        raise table.fault(
            f'confine is {given!r}: expected "{REQUIRED}", or no such key to confine where that works'
        )
    return given is not None


def _limits(table: Table) -> Limits:
    usual = Limits()
    table.only(("memory", "files", "processes", "file_size"))
    return Limits(
        table.size("memory", usual.memory),
        table.whole("files", usual.files, 8, 1 << 20),
        table.whole("processes", usual.processes, 1, 1 << 20),
        table.size("file_size", usual.file_size),
    )


def _rules(table: Table, kept_shoe: bool, entrants: int) -> Rules:
    given = table.members.get("rules", "course")
    if isinstance(given, str):
        fields: Mapping[str, str] = {"preset": given}
        where = table
    else:
        where = table.table("rules")
        where.only(_RULES_KEYS)
        fields = {name: _as_typed(value) for name, value in where.members.items()}
    try:
        rules = rules_from(fields)
        rules = rules if kept_shoe else replace(rules, reshuffle=EveryRound())
    except RulesError as error:
        raise where.fault(str(error)) from None
    _check_rules(where, rules, kept_shoe, entrants, "seats" in fields)
    return rules


def _as_typed(value: Any) -> str:
    """A value of TOML as it would be typed: `decks = 6`, `insurance = true`."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _check_rules(where: Table, rules: Rules, kept_shoe: bool, entrants: int, says_seats: bool) -> None:
    if rules.has_dealer and rules.seats != 1:
        raise where.fault(
            f"seats is {rules.seats}: expected 1, since against a dealer everybody has a table of its own"
        )
    if kept_shoe and rules.decks is None:
        raise where.fault("an infinite deck is never used up: expected 1 to 8 decks with kept_shoe")
    if kept_shoe and not rules.has_dealer:
        raise where.fault(
            f"{rules.preset} has no dealer, and there the same cards are dealt to every order of the seats:"
            " expected no kept_shoe"
        )
    if kept_shoe and rules.reshuffle == EveryRound():
        raise where.fault(
            "reshuffle is round, so no shoe is kept: expected cutoff:N or penetration:F with kept_shoe"
        )
    matches = comb(entrants, rules.seats)
    if not matches:
        hint = "" if says_seats else f'; [rules] with preset = "{rules.preset}" and seats says how many'
        raise where.fault(f"a table has {counted(rules.seats, 'seat')}: expected {entrants} or fewer{hint}")
    if matches > MAX_MATCHES:
        raise where.fault(
            f"{counted(entrants, 'entrant')} at tables of {rules.seats} are {counted(matches, 'match')}:"
            f" expected {MAX_MATCHES:,} or fewer"
        )


def _entrants(table: Table, folder: Path) -> tuple[Entrant, ...]:
    given = table.members.get("entrant")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise table.fault("there are no entrants: expected [[entrant]] for each, with a name")
    entrants = tuple(_entrant(table, number, each, folder) for number, each in enumerate(given, 1))
    if len(entrants) < 2:
        raise table.fault(f"there is {len(entrants)} entrant: expected two or more")
    _check_alone(table, [(each.name.casefold(), each) for each in entrants], "the name")
    ports = [(f"{each.listen[1]}", each) for each in entrants if each.listen]
    _check_alone(table, ports, "the port")
    return entrants


def _check_alone(table: Table, keyed: list[tuple[str, Entrant]], what: str) -> None:
    """See that no two entrants have the same; names become folders, where capitals may not count."""
    seen: dict[str, Entrant] = {}
    for key, entrant in keyed:
        other = seen.setdefault(key, entrant)
        if other is not entrant:
            raise table.fault(f"entrant {entrant.name}: {other.name} has {what} {key} too: expected another")


def _entrant(table: Table, number: int, members: Mapping[str, Any], folder: Path) -> Entrant:
    unnamed = Table(members, f"{table.where}: entrant {number}")
    given = unnamed.text("name")
    if given is None:
        raise unnamed.fault("it has no name: expected one, such as alice")
    name = normal(given)
    if not is_name(name):
        raise unnamed.fault(f"the name is {given!r}: expected {NAME_FORM}")
    own = Table(members, f"{table.where}: entrant {name}")
    own.only(_ENTRANT_KEYS)
    ways = [way for way in _WAYS if way in own]
    if len(ways) != 1:
        told = f"has {' and '.join(ways)}" if ways else "has no policy, command or listen"
        raise own.fault(f"it {told}: expected one of policy, command and listen")
    way = ways[0]
    for key, needs in (("folder", "command"), ("see", "command"), *_OF_LISTEN):
        if key in own and way != needs:
            raise own.fault(f"it has {key}, which goes with {needs}: expected {needs} in place of {way}")
    if way == "policy":
        return Entrant(name, policy=_policy(own, folder))
    if way == "listen":
        tls, version = _tls(own, folder), own.text("version")
        return Entrant(name, listen=_address(own), tls=tls, token=_token(own), version=version)
    where = _folder(own, folder)
    see = _seen(own, folder)
    return Entrant(name, command=_command(own, folder, where), folder=where, see=see)


def _policy(own: Table, folder: Path) -> str:
    """The name of a policy, with the path of its file made absolute."""
    text = own.text("policy") or ""
    text = _with_path(text, folder)
    try:
        names.parse(text, KINDS)
    except PolicyNameError as error:
        raise own.fault(str(error)) from None
    return text


def _with_path(text: str, folder: Path) -> str:
    """A policy's name whose file, if it has one, is found from any folder."""
    kind, colon, rest = text.partition(":")
    if kind in ("chart", "actions", "counted", "qtable") and rest:
        return f"{kind}:{folder / rest}"
    path, _, member = text.rpartition(":")
    if colon and path.endswith(".py"):
        return f"{folder / path}:{member}"
    return str(folder / text) if _is(Path.is_file, folder / text) else text


def _address(own: Table) -> tuple[str, int]:
    text = own.text("listen") or ""
    found = re.fullmatch(r"(?:(.+):)?([0-9]{1,5})", text)
    if found is None or not 1 <= int(found[2]) <= 65535:
        raise own.fault(f"listen is {text!r}: expected an address and a port, such as 0.0.0.0:9001")
    return (found[1] or "127.0.0.1").strip("[]"), int(found[2])


def _tls(own: Table, beside: Path) -> tuple[Path, Path] | None:
    """The files by which TLS is spoken with a program from elsewhere, if they can be used."""
    cert, key = own.text("tls_cert"), own.text("tls_key")
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        there, missing = ("tls_key", "tls_cert") if cert is None else ("tls_cert", "tls_key")
        raise own.fault(f"it has {there} and no {missing}: expected both, or none")
    files = beside / cert, beside / key
    try:
        Certificate(*files)
    except CommandError as error:
        raise own.fault(str(error)) from None
    return files


def _token(own: Table) -> str:
    token = own.text("token")
    if token is None or not NAME_TOKEN.fullmatch(token):
        raise own.fault(
            f"{'there is no token' if token is None else 'the token is not one'}: expected 1 to"
            f" {MAX_NAME_TOKEN} printable ASCII characters without blanks, which its program sends in JOIN"
        )
    return token


def _folder(own: Table, beside: Path) -> Path | None:
    text = own.text("folder")
    if text is None:
        return None
    if not _is(Path.is_dir, beside / text):
        raise own.fault(f"folder is {text!r}, and there is no such folder beside the file")
    return beside / text


def _seen(own: Table, beside: Path) -> tuple[Path, ...]:
    """Further paths that a program may see, in full."""
    given = own.members.get("see", [])
    if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
        raise own.fault(f'see is {given!r}: expected a list of files and folders, such as ["tables"]')
    for text in given:
        if not _is(Path.exists, beside / text):
            raise own.fault(f"see names {text!r}, and there is no such file or folder beside the file")
    return tuple(Path(os.path.normpath(beside / text)) for text in given)


def _command(own: Table, beside: Path, folder: Path | None) -> tuple[str, ...]:
    """The words of a command; without a folder of its own, files beside the file get their full path.

    So does what is in `see`.
    """
    given = own.members["command"]
    try:
        words = shlex.split(given) if isinstance(given, str) else given
    except ValueError as error:
        raise own.fault(f"command is {given!r}: {str(error).lower()}") from None
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise own.fault(f"command is {given!r}: expected a text, or a list of words")
    if not any("{port}" in word for word in words):
        raise own.fault(
            "its command has no {port}: expected {host} and {port} where its program takes the address"
        )
    if folder is None:
        seen = own.members.get("see", [])
        words = [
            os.path.normpath(beside / word) if word in seen or _is(Path.is_file, beside / word) else word
            for word in words
        ]
    _check_program(own, words[0], folder or beside)
    return tuple(words)


def _check_program(own: Table, program: str, folder: Path) -> None:
    path = folder / program if "/" in program else None  # without a slash it is looked for in PATH
    if not (_is(Path.is_file, path) and os.access(path, os.X_OK) if path else shutil.which(program)):
        what = "may not be run" if path and _is(Path.is_file, path) else "is not there"
        raise own.fault(f"its program {program} {what}: expected one that can be started")


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    """Whether there is something of a kind at a path; not at one that is none, as it is too long for one."""
    try:
        return kind(path)
    except (OSError, ValueError):
        return False


def _check_policies(table: Table, settings: Settings) -> None:
    """See that every policy can be read, and plays by the rules."""
    for entrant in settings.entrants:
        if entrant.policy is not None:
            try:
                _check_policy(policy_name(entrant), settings.rules)
            except (CommandError, PolicyNameError) as error:
                raise CommandError(f"{table.where}: entrant {entrant.name}: {error}", USAGE) from None


def _check_policy(name: PolicyName, rules: Rules) -> None:
    from twentyone.exact.named import MAKERS
    from twentyone.policies.loading import load_counted
    from twentyone.policies.makers import policy_of

    if name.kind == names.COUNTED:
        assert name.file is not None, "the grammar asks for it"
        load_counted(name.file)
        return
    policy_of(name, rules, MAKERS, lambda _: 0)
