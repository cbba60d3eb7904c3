"""Comparing the command line with its reference page, in both directions.

The page has a heading for each command, with its whole name (`## karte domain create`), and the text up to the next
heading names each of its options. `karte` itself has a section too, for the options before the command.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from markdown_it import MarkdownIt


class Parameter(Protocol):
    """What this needs to know of a parameter."""

    @property
    def opts(self) -> Sequence[str]: ...

    @property
    def secondary_opts(self) -> Sequence[str]: ...


class Command(Protocol):
    """What this needs to know of a command; a group has `commands` as well."""

    @property
    def params(self) -> Sequence[Parameter]: ...


def differences(root: Command, name: str, page: str) -> list[str]:
    """What the page does not say of the commands below and including `root`, and what it says of none."""
    described = _sections(page)
    offered = dict(_commands(root, name))
    missing = [f"{each}: no section" for each in offered if each not in described]
    invented = [f"{title}: no such command" for title in described if _is_command(title, name) and title not in offered]
    options = [
        f"{each}: {option} is not described"
        for each, command in offered.items()
        for option in _options(command)
        if each in described and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", described[each])
    ]
    return missing + options + invented


def _commands(command: Command, name: str) -> Iterator[tuple[str, Command]]:
    yield name, command
    children: Mapping[str, Command] = getattr(command, "commands", {})
    for child, each in children.items():
        if not getattr(each, "hidden", False):
            yield from _commands(each, f"{name} {child}")


def _options(command: Command) -> list[str]:
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    return [option for each in shown for option in (*each.opts, *each.secondary_opts) if option.startswith("-")]


def _is_command(title: str, name: str) -> bool:
    return title == name or title.startswith(f"{name} ")


def _sections(page: str) -> dict[str, str]:
    """The text below each heading, up to the next one of any level."""
    lines = page.splitlines()
    headings = [
        (token.map[0], following.content.replace("`", ""))
        for token, following in itertools.pairwise(MarkdownIt().parse(page))
        if token.type == "heading_open" and token.map is not None
    ]
    ends = [start for start, _ in headings[1:]] + [len(lines)]
    return {title: "\n".join(lines[start + 1 : end]) for (start, title), end in zip(headings, ends, strict=True)}
