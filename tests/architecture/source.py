"""Python source as the architecture tests see it: one parsed module, and the functions in it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "karte"

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One module: its path inside the package (`core/periods.py`) and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text, self.path)

    @property
    def lines(self) -> int:
        """How many lines the module has."""
        return len(self.text.splitlines())

    def at(self, node: ast.AST) -> str:
        """Where a node stands, as an editor understands it."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


@dataclass(frozen=True)
class Function:
    """One function or method, nested ones included, with its name as `Class.method`."""

    source: Source
    name: str
    node: FunctionNode

    @property
    def place(self) -> str:
        """Where it stands and what it is called."""
        return f"{self.source.at(self.node)} {self.name}"

    @property
    def lines(self) -> int:
        """From `def` to the last line of the body; decorators do not count."""
        return (self.node.end_lineno or self.node.lineno) - self.node.lineno + 1

    @property
    def arguments(self) -> int:
        """How many arguments a caller may give: without self and cls, with *args and **kwargs."""
        given = self.node.args
        positional = [*given.posonlyargs, *given.args]
        bound = bool(positional) and positional[0].arg in {"self", "cls"}
        gathered = [a for a in (given.vararg, given.kwarg) if a is not None]
        return len(positional) - bound + len(given.kwonlyargs) + len(gathered)


def read_package(folder: Path = PACKAGE) -> list[Source]:
    """Every module of a package, by path."""
    return [
        Source(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
    ]


def functions(source: Source) -> Iterator[Function]:
    """All functions of a module, methods and nested functions included."""
    for name, node in named_definitions(source):
        if isinstance(node, FunctionNode):
            yield Function(source, name, node)


def named_definitions(source: Source) -> Iterator[tuple[str, FunctionNode | ast.ClassDef]]:
    """All functions and classes of a module, each with its dotted name."""
    yield from _definitions(source.tree, "")


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, FunctionNode | ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}{child.name}"
            yield name, child
            yield from _definitions(child, f"{name}.")
        else:
            yield from _definitions(child, prefix)
