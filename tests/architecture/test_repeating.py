"""Every use case that opens a transaction is made again when the connection to the store is lost in it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import karte.engine

ENGINE = Path(karte.engine.__file__).parent

WITHIN_A_CALL = {
    "asking.asking": "a view for its callers, which are repeated",
    "keeping.decay": "a step of maintain, which is repeated",
    "keeping.leasing.only_runner": "as keeping.decay",
    "learning.consolidating": "the steps of consolidate, which is repeated as a whole",
    "learning.harmonising": "the steps of harmonise, which is repeated as a whole",
    "recalling.tally.write": "counts of recall may be lost, and no call waits for them",
}


def openers(source: str) -> Iterator[tuple[str, bool]]:
    """The functions that open a transaction, and whether each is repeated."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(_opens(item) for item in ast.walk(node)):
            yield node.name, any(isinstance(d, ast.Name) and d.id == "repeated" for d in node.decorator_list)


def _opens(node: ast.AST) -> bool:
    if not isinstance(node, ast.withitem) or not isinstance(node.context_expr, ast.Call):
        return False
    called = node.context_expr.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in {"asking", "reading", "writing"}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ENGINE).with_suffix("").parts)


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=module_of)
def test_what_opens_a_transaction_is_repeated(path: Path) -> None:
    module = module_of(path)
    bare = [name for name, repeated in openers(path.read_text(encoding="utf-8")) if not repeated]
    assert [name for name in bare if not {module, f"{module}.{name}"} & WITHIN_A_CALL.keys()] == []


FACADE = [ENGINE.with_name("workspace.py"), *sorted(ENGINE.with_name("verbs").glob("*.py"))]


@pytest.mark.parametrize("path", FACADE, ids=lambda path: path.stem)
def test_the_facade_opens_none(path: Path) -> None:
    assert list(openers(path.read_text(encoding="utf-8"))) == []


class TestControls:
    def test_a_use_case_that_is_not_repeated_is_seen(self) -> None:
        assert list(openers("def f(s):\n    with s.store.writing() as unit:\n        unit.x()")) == [("f", False)]

    def test_a_repeated_one_passes(self) -> None:
        source = "@repeated\ndef f(s):\n    with asking(s) as question:\n        question.x()"
        assert list(openers(source)) == [("f", True)]
