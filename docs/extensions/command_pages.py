"""The reference of the commands, made from the commands themselves.

A page has `{command} NAME` for a whole command, with all its subcommands, and `{json-keys}` for what the help
of each command says about the keys of its `--json`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest import mock

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from twentyone.support.usage import EXAMPLE

ROOT: Final = Path(__file__).parent.parent.parent

RULES_PANEL: Final = "Rules of the table"
"""These options are the same everywhere: each command page links to the one page that describes them."""

JSON_KEYS: Final = "The keys of --json"

_KINDS: Final = {"<int": "N", "<float": "X", "<str": "TEXT", "<path": "FILE", "<bool": ""}
"""The placeholders of values in place of the names of their types."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("command", CommandDirective)
    app.add_directive("json-keys", JsonKeysDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class CommandDirective(SphinxDirective):
    """The page of a command: its help, usage and options; each subcommand has a section of its own."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the directive."""
        name = self.arguments[0]
        command = commands()[name]
        text = "\n".join(_group(name, command) if hasattr(command, "commands") else _command(name, command))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class JsonKeysDirective(SphinxDirective):
    """The keys of every command that has `--json`, as its help lists them."""

    def run(self) -> list[nodes.Node]:
        """The nodes that stand in place of the directive."""
        lines = []
        for name, command in _every_command():
            keys = [text for text in _paragraphs(command) if text.startswith(JSON_KEYS)]
            if keys:
                lines += [f"`{name}`", *[f": {_markdown(text)}" for text in keys], ""]
        return self.parse_text_to_nodes("\n".join(lines))


@cache
def commands() -> dict[str, Any]:
    """Every command that the package installs, by its name: what typer makes of it."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    return {name: typer.main.get_command(_app(entry)) for name, entry in sorted(scripts.items())}


def _app(entry: str) -> typer.Typer:
    """The application that a command's entry point runs."""
    module, _, function = entry.partition(":")
    with mock.patch.object(typer.Typer, "__call__", autospec=True, return_value=0) as call:
        try:
            getattr(import_module(module), function)()
        except SystemExit:
            app = call.call_args.args[0]
    assert isinstance(app, typer.Typer)
    return app


def _every_command() -> Iterator[tuple[str, Any]]:
    for name, command in commands().items():
        if not hasattr(command, "commands"):
            yield name, command
        for word, subcommand in getattr(command, "commands", {}).items():
            yield f"{name} {word}", subcommand


def _group(name: str, group: Any) -> Iterator[str]:
    """A command with subcommands: what they are, then each in a section."""
    yield from (_markdown(group.help or ""), "", "| command | what it does |", "|---|---|")
    for word, command in group.commands.items():
        yield f"| [`{name} {word}`](#{name}-{word}) | {_markdown(_paragraphs(command)[0])} |"
    for word, command in group.commands.items():
        yield from ("", f"({name}-{word})=", f"## `{name} {word}`", "")
        yield from _command(f"{name} {word}", command)


def _command(name: str, command: Any) -> Iterator[str]:
    """A command: its help, how it is typed, and its options by panel."""
    context = command.make_context(name, [], resilient_parsing=True)
    for text in _paragraphs(command):
        yield from (_markdown(text), "")
    yield from ("```text", " ".join([name, *command.collect_usage_pieces(context)]), "```", "")
    if command.epilog:
        yield from (f"Example: `{command.epilog.removeprefix(EXAMPLE)}`", "")
    panels: dict[str, list[Any]] = {}
    for parameter in command.params:
        if parameter.name == "version":  # all commands have it, as they have --help
            continue
        if getattr(parameter, "hidden", False):  # only refused
            continue
        is_argument = parameter.param_type_name == "argument"
        title = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
        panels.setdefault(title, []).append(parameter)
    for title in sorted(panels, key=["Arguments", "Options"].__contains__, reverse=True):
        if title == RULES_PANEL:
            names = ", ".join(f"`{parameter.opts[0]}`" for parameter in panels[title])
            yield f"It also takes the [options for the rules](/reference/rules.md): {names}."
        else:
            yield from _table(title, panels[title], context)
        yield ""


def _table(title: str, parameters: Iterable[Any], context: Any) -> Iterator[str]:
    yield from (f"| {title} | |", "|---|---|")
    for parameter in parameters:
        spelling, text = parameter.get_help_record(context)
        yield f"| `{_spelling(spelling)}` | {_meaning(text)} |"


def _spelling(text: str) -> str:
    """An option as it is typed, with a word for its value: `--seats N`."""
    name, _, value = text.partition(" <")
    kind = _KINDS.get(f"<{value.split()[0].rstrip('>')}") if value else ""
    if kind is None:  # a list of choices
        return text.replace("|", "\\|")
    return (name if name.isupper() else f"{name} {kind}".strip()).replace("|", "\\|")


def _meaning(text: str) -> str:
    """The help of an option; its default and its range as sentences."""
    text, bracket, facts = text.rstrip("]").rpartition("  [")
    if not bracket:
        return _markdown(facts)
    sentences = [_sentence(fact) for fact in facts.split("; ") if fact != "required"]
    return " ".join([_markdown(text), *sentences])


def _sentence(fact: str) -> str:
    if fact.startswith("default: "):
        return f"Default: {_markdown(fact.removeprefix('default: '))}."
    if bounds := re.fullmatch("(.+)<=x<=(.+)", fact):
        return f"{bounds[1]} to {bounds[2]}."
    if bounds := re.fullmatch("x>=(.+)", fact):
        return f"{bounds[1]} or more."
    return _markdown(fact)


def _paragraphs(command: Any) -> list[str]:
    return [paragraph for paragraph in (command.help or "").split("\n\n") if paragraph]


def _markdown(text: str) -> str:
    """Plain text with code between backticks, as Markdown."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"[\\*_<>\[\]|#]", r"\\\g<0>", part) for part in parts
    )
