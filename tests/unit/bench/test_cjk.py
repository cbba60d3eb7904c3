"""The bench for Chinese and Japanese on three passages."""

from pathlib import Path

import pytest

from karte.bench import cjk
from karte.bench.datasets import DataSets, UnreadableData
from tests.unit.bench.writing import IN_KEYWORD, packed, write_cjk


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("data")
    write_cjk(folder)
    return {(figure.group, figure.name): figure.value for figure in cjk.measure(DataSets(folder), IN_KEYWORD).figures}


@pytest.mark.parametrize("group", ["DRCD (zh-Hant)", "JSQuAD (ja)"])
@pytest.mark.parametrize("depth", [1, 5])
def test_a_passage_counts_where_it_is_found_also_under_the_name_of_its_double(
    figures: dict[tuple[str, str], float], group: str, depth: int
) -> None:
    assert figures[group, f"recall@{depth}"] == pytest.approx(2 / 3)


def test_every_literal_finds_its_text_first(figures: dict[tuple[str, str], float]) -> None:
    literals = {name: value for (group, name), value in figures.items() if group == "literals"}
    assert literals == dict.fromkeys(dict.fromkeys(literal.kind for literal in cjk.LITERALS), 1.0)


def test_data_of_another_shape_is_incorrect(tmp_path: Path) -> None:
    for name in ("drcd", "jsquad"):
        packed(tmp_path, f"cjk/{name}_dev.json.gz", {"texts": []})
    with pytest.raises(UnreadableData):
        cjk.measure(DataSets(tmp_path), IN_KEYWORD)
