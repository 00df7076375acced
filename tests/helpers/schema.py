"""JSON Schema, as much of it as the schemas of this project use: any other keyword is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any] | bool

_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


_KINDS: Final[Mapping[str, str]] = {
    "pattern": "string",
    **dict.fromkeys(("minimum", "maximum"), "number"),
    **dict.fromkeys(("minItems", "maxItems", "prefixItems", "items"), "array"),
    **dict.fromkeys(("required", "properties", "additionalProperties"), "object"),
}
"""What a keyword says something about; it says nothing about other values."""


def faults(value: object, schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with a value, as sentences that name the place; none if it is valid."""
    return list(_faults(value, schema, schema, "$"))


def _faults(value: Any, schema: Schema, root: Mapping[str, Any], at: str) -> Iterator[str]:
    if isinstance(schema, bool):
        if not schema:
            yield f"{at} must not be there"
        return
    for keyword, limit in schema.items():
        kind = _KINDS.get(keyword)
        if kind is None or _TYPES[kind](value):
            yield from _KEYWORDS[keyword](value, limit, schema, root, at)


Check = Callable[[Any, Any, Mapping[str, Any], Mapping[str, Any], str], Iterator[str]]


def _says(is_valid: Callable[[Any, Any], bool], fault: str) -> Check:
    """A check of a value against what a keyword says."""

    def check(value: Any, limit: Any, *place: Any) -> Iterator[str]:
        if not is_valid(value, limit):
            yield f"{place[-1]} is {value!r}: {fault} {limit!r}"

    return check


def _ref(value: Any, name: str, _: Any, root: Mapping[str, Any], at: str) -> Iterator[str]:
    yield from _faults(value, root["$defs"][name.removeprefix("#/$defs/")], root, at)


def _any_of(value: Any, schemas: list[Schema], _: Any, root: Mapping[str, Any], at: str) -> Iterator[str]:
    found = [list(_faults(value, schema, root, at)) for schema in schemas]
    if all(found):
        yield f"{at} is {value!r}, which is none of what it may be: {found}"


def _properties(
    value: Any, schemas: Mapping[str, Schema], _: Any, root: Mapping[str, Any], at: str
) -> Iterator[str]:
    for key in value.keys() & schemas.keys():
        yield from _faults(value[key], schemas[key], root, f"{at}.{key}")


def _additional(
    value: Any, other: Schema, schema: Mapping[str, Any], root: Mapping[str, Any], at: str
) -> Iterator[str]:
    for key in value.keys() - schema.get("properties", {}).keys():
        yield from _faults(value[key], other, root, f"{at}.{key}")


def _prefix(value: Any, schemas: list[Schema], _: Any, root: Mapping[str, Any], at: str) -> Iterator[str]:
    for index, (each, schema) in enumerate(zip(value, schemas, strict=False)):
        yield from _faults(each, schema, root, f"{at}[{index}]")


def _items(
    value: Any, other: Schema, schema: Mapping[str, Any], root: Mapping[str, Any], at: str
) -> Iterator[str]:
    start = len(schema.get("prefixItems", []))
    for index, each in enumerate(value[start:], start):
        yield from _faults(each, other, root, f"{at}[{index}]")


_KEYWORDS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(("$schema", "$defs", "title", "description"), lambda *_: iter(())),  # for people
    "type": _says(lambda value, name: _TYPES[name](value), "expected the type"),
    "const": _says(lambda value, only: type(value) is type(only) and bool(value == only), "expected"),
    "enum": _says(lambda value, values: value in values, "expected one of"),
    "pattern": _says(lambda value, pattern: re.search(pattern, value) is not None, "expected to match"),
    "minimum": _says(lambda value, least: bool(value >= least), "expected at least"),
    "maximum": _says(lambda value, most: bool(value <= most), "expected at most"),
    "minItems": _says(lambda value, fewest: len(value) >= fewest, "expected at least so many:"),
    "maxItems": _says(lambda value, most: len(value) <= most, "expected at most so many:"),
    "required": _says(lambda value, keys: set(keys) <= value.keys(), "expected the keys"),
    "$ref": _ref,
    "anyOf": _any_of,
    "properties": _properties,
    "additionalProperties": _additional,
    "prefixItems": _prefix,
    "items": _items,
}
