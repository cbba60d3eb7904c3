"""What a module of commands hands over: its commands, and groups of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """A command by its name, and the function behind it; its docstring is the help."""

    name: str
    function: Callable[..., Any]


@dataclass(frozen=True)
class Group:
    """Commands below a common name."""

    name: str
    help: str
    commands: tuple[Command, ...]


@dataclass(frozen=True)
class Section:
    """Commands that help lists together under a title."""

    title: str
    entries: tuple[Command | Group, ...]
