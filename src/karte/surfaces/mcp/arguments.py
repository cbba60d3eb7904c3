"""Refusing what a tool's schema does not allow, before the facade is asked.

Checked here: which arguments there are, their JSON types, and the range of numbers. The length of texts and lists, the
choices and the meaning of values are the facade's to judge, so that every surface refuses them in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from karte.errors import InvalidText, InvalidValue
from karte.surfaces.mcp.schemas import Schema

_KINDS: Final[dict[str, tuple[str, type | tuple[type, ...]]]] = {
    "string": ("text", str),
    "number": ("a number", (int, float)),
    "integer": ("a whole number", int),
    "boolean": ("true or false", bool),
    "array": ("a list", list),
    "object": ("an object", dict),
}


def read_arguments(tool: str, schema: Schema, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of a call, without those that are null: null is the same as left out.

    Raises `InvalidValue` for an argument that is unknown, missing, of the wrong type or out of its range, and
    `InvalidText` for a text, wherever it stands, that holds a lone surrogate.
    """
    found = {name: value for name, value in (given or {}).items() if value is not None}
    _check_text(found)
    return _object(tool, schema, found)


def _object(where: str, schema: Schema, found: Mapping[str, Any]) -> dict[str, Any]:
    known = schema["properties"]
    for name in found:
        if name not in known:
            raise InvalidValue(f"{where} has no argument {name!r:.80}.", hint=f"Arguments are: {', '.join(known)}.")
    for name in schema.get("required", ()):
        if name not in found:
            raise InvalidValue(f"{where} needs the argument {name}.")
    return {name: _value(name, known[name], value) for name, value in found.items()}


def _value(name: str, schema: Schema, value: Any) -> Any:
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if kinds == ["integer"] and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not any(_is(kind, value) for kind in kinds):
        wanted = " or ".join(_KINDS[kind][0] for kind in kinds)
        raise InvalidValue(f"{name} is {wanted}, not {_shown(value)}.")
    if isinstance(value, int | float):
        _check_range(name, schema, value)
    if isinstance(value, list):
        return [_value(f"An entry of {name}", schema["items"], entry) for entry in value]
    if isinstance(value, dict) and "properties" in schema:
        return _object(name, schema, value)
    return value


def _is(kind: str, value: object) -> bool:
    return isinstance(value, _KINDS[kind][1]) and (kind == "boolean" or not isinstance(value, bool))


def _check_range(name: str, schema: Schema, value: float) -> None:
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        raise InvalidValue(f"{name} is from {schema['minimum']} to {schema['maximum']}, not {value!r:.40}.")


def _shown(value: object) -> str:
    if value is None:
        return "null"
    for kind, (words, _) in reversed(_KINDS.items()):
        if _is(kind, value):
            return words if kind in ("object", "array") else f"the {kind} {value!r:.40}"
    return "that"


def _check_text(value: object) -> None:
    """Refuse lone surrogates at any depth: no answer that repeats one could be written."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidText("A text holds a lone surrogate, which is no character; remove it.") from None
    for inner in _inside(value):
        _check_text(inner)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []
