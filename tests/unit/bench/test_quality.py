"""The benches on the public data: the figures of quality that a release has to reach."""

from pathlib import Path

import pytest

from karte.bench import asof, cjk, locomo
from karte.bench.datasets import DataSets
from karte.bench.results import Measured

pytestmark = pytest.mark.slow


def missed(measured: Measured) -> list[tuple[str, str, float]]:
    """The figures that miss their target, of at least one that has one."""
    assert any(figure.target for figure in measured.figures)
    return [(figure.group, figure.name, figure.value) for figure in measured.figures if figure.met is False]


def test_locomo_reaches_its_recall_and_agrees_with_exact_bm25(data_dir: Path) -> None:
    assert missed(locomo.measure(DataSets(data_dir))) == []


def test_chinese_and_japanese_passages_and_all_literals_are_found(data_dir: Path) -> None:
    assert missed(cjk.measure(DataSets(data_dir))) == []


def test_what_held_in_a_year_is_always_exact(data_dir: Path) -> None:
    assert missed(asof.measure(DataSets(data_dir), 7)) == []
