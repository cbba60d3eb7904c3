"""The benches on the public data: the figures of quality that a release has to reach."""

from pathlib import Path

import pytest

from karte.bench import asof, running
from karte.bench.datasets import DataSets
from karte.bench.options import Mode, Recalling
from karte.bench.results import Measured

pytestmark = pytest.mark.slow


def missed(measured: Measured) -> list[tuple[str, str, float]]:
    """The figures that miss their target, of at least one that has one."""
    assert any(figure.target for figure in measured.figures)
    return [(figure.group, figure.name, figure.value) for figure in measured.figures if figure.met is False]


@pytest.mark.parametrize("bench", ["locomo", "cjk"])
def test_the_lexical_voice_alone_reaches_its_recall(data_dir: Path, bench: str) -> None:
    assert missed(running.RANKINGS[bench](DataSets(data_dir), Recalling(Mode.KEYWORD))) == []


@pytest.mark.parametrize("bench", sorted(running.RANKINGS))
def test_all_voices_together_reach_what_a_release_has_to(data_dir: Path, bench: str) -> None:
    assert missed(running.RANKINGS[bench](DataSets(data_dir), Recalling(Mode.HYBRID, ablation=False))) == []


def test_what_held_in_a_year_is_always_exact(data_dir: Path) -> None:
    assert missed(asof.measure(DataSets(data_dir), 7)) == []
