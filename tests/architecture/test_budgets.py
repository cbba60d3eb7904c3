"""The size budgets: short functions, modules one can read in a sitting, few arguments."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from tests.architecture.source import Function, Source, functions, read_package

LONGEST_FUNCTION = 100
LONGEST_MODULE = 600
MOST_ARGUMENTS = 7


@dataclass(frozen=True)
class Shape:
    """How long the members of a group are, in lines."""

    median: float
    p90: int
    over_50: float

    @classmethod
    def of(cls, lengths: Iterable[int]) -> "Shape":
        """Measure a group of at least one member."""
        ordered = sorted(lengths)
        return cls(
            statistics.median(ordered),
            ordered[int(len(ordered) * 0.9)],
            sum(length > 50 for length in ordered) / len(ordered),
        )


@pytest.fixture(scope="module")
def package() -> list[Source]:
    return read_package()


@pytest.fixture(scope="module")
def shape(package: list[Source]) -> Shape:
    return Shape.of(function.lines for source in package for function in functions(source))


def too_long(source: Source) -> list[str]:
    found = [f"{f.place}: {f.lines} lines" for f in functions(source) if f.lines > LONGEST_FUNCTION]
    return [*found, *([f"{source.path}: {source.lines} lines"] if source.lines > LONGEST_MODULE else [])]


def too_wide(source: Source) -> list[str]:
    return [f"{f.place}: {f.arguments} arguments" for f in functions(source) if f.arguments > MOST_ARGUMENTS]


def test_half_of_the_functions_have_at_most_8_lines(shape: Shape) -> None:
    assert shape.median <= 8


def test_nine_in_ten_functions_have_at_most_32_lines(shape: Shape) -> None:
    assert shape.p90 <= 32


def test_at_most_four_in_a_hundred_functions_have_more_than_50_lines(shape: Shape) -> None:
    assert shape.over_50 <= 0.04


def test_nine_in_ten_modules_have_at_most_300_lines(package: list[Source]) -> None:
    assert Shape.of(source.lines for source in package).p90 <= 300


def test_no_function_has_more_than_100_lines_and_no_module_more_than_600(package: list[Source]) -> None:
    assert [found for source in package for found in too_long(source)] == []


def test_no_function_takes_more_than_7_arguments(package: list[Source]) -> None:
    assert [found for source in package for found in too_wide(source)] == []


class TestControls:
    """Each count bites on a source made to break it."""

    def test_a_function_is_counted_from_def_to_its_last_line(self) -> None:
        source = Source(
            "a.py", "@decorated\ndef f():\n    x = (\n        1\n    )\n\n\nclass C:\n    def g(self): ...\n"
        )
        assert [(f.name, f.lines) for f in functions(source)] == [("f", 4), ("C.g", 1)]

    def test_a_function_inside_a_function_is_counted_too(self) -> None:
        source = Source("a.py", "def f():\n    if True:\n        async def g():\n            pass\n")
        assert [f.name for f in functions(source)] == ["f", "f.g"]

    def test_a_function_of_101_lines_is_too_long_and_one_of_100_is_not(self) -> None:
        def with_lines(count: int) -> Source:
            return Source("a.py", "def f():\n" + "    pass\n" * (count - 1))

        assert too_long(with_lines(101)) == ["a.py:1 f: 101 lines"]
        assert too_long(with_lines(100)) == []

    def test_a_module_of_601_lines_is_too_long_and_one_of_600_is_not(self) -> None:
        assert too_long(Source("a.py", "x = 1\n" * 601)) == ["a.py: 601 lines"]
        assert too_long(Source("a.py", "x = 1\n" * 600)) == []

    @pytest.mark.parametrize(
        ("signature", "arguments"),
        [
            ("def f(a, b, c, d, e, f, g): ...", 7),
            ("def f(a, b, c, d, /, e, f, *, g, h): ...", 8),
            ("class C:\n    def f(self, a, b, c, d, e, f, g): ...", 7),
            ("class C:\n    @classmethod\n    def f(cls, a, b, c, d, e, f, g, h): ...", 8),
            ("def f(a, *rest, b, **more): ...", 4),
            ("def f(): ...", 0),
        ],
    )
    def test_arguments_are_counted_without_self_and_cls(self, signature: str, arguments: int) -> None:
        (function,) = functions(Source("a.py", signature))
        assert function.arguments == arguments

    def test_an_eighth_argument_is_too_many(self) -> None:
        assert too_wide(Source("a.py", "def f(a, b, c, d, e, f, g): ...")) == []
        assert too_wide(Source("a.py", "def f(a, b, c, d, e, f, g, h): ...")) == ["a.py:1 f: 8 arguments"]

    def test_a_shape_is_the_median_the_ninth_tenth_and_the_share_over_50(self) -> None:
        assert Shape.of([1, 2, 3, 4, 5, 6, 7, 8, 51, 60]) == Shape(median=5.5, p90=60, over_50=0.2)

    def test_the_package_is_really_read(self, package: list[Source]) -> None:
        read: list[Function] = [function for source in package for function in functions(source)]
        assert "core/periods.py" in [source.path for source in package]
        assert len(read) > 50
