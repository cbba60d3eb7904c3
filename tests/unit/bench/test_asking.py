"""How benches ask: all voices, then each off in turn."""

import pytest

from karte.bench.asking import ABLATION, Asker, askers, compared, judged, stated
from karte.bench.options import Mode, Recalling
from karte.bench.results import Figure, at_least


@pytest.mark.parametrize(
    ("recalling", "expected"),
    [
        (
            Recalling(),
            {
                "all voices": None,
                "without lexical": ("vector", "temporal", "graph"),
                "without vector": ("lexical", "temporal", "graph"),
                "without temporal": ("lexical", "vector", "graph"),
                "without graph": ("lexical", "vector", "temporal"),
            },
        ),
        (
            Recalling(Mode.SEMANTIC),
            {"all voices": None, "without lexical": ("vector",), "without vector": ("lexical",)},
        ),
        (Recalling(Mode.KEYWORD), {"all voices": None}),
        (Recalling(Mode.HYBRID, ablation=False), {"all voices": None}),
    ],
    ids=["hybrid", "semantic", "keyword", "no ablation"],
)
def test_each_voice_of_a_mode_is_off_once(recalling: Recalling, expected: dict[str, tuple[str, ...] | None]) -> None:
    assert {asker.name: asker.voices for asker in askers(recalling)} == expected


def test_an_ablation_repeats_the_headlines_and_nothing_else() -> None:
    values = {"all voices": 0.75, "without lexical": 0.25, "without vector": 0.5}

    def measure(asker: Asker) -> list[Figure]:
        return [Figure("all", "recall@10", values[asker.name]), Figure("all", "recall@5", 0.125)]

    figures = compared(Recalling(Mode.SEMANTIC), measure, [("all", "recall@10")])
    assert [(figure.group, figure.name, figure.value) for figure in figures] == [
        ("all", "recall@10", 0.75),
        ("all", "recall@5", 0.125),
        (f"{ABLATION}all voices", "all: recall@10", 0.75),
        (f"{ABLATION}without lexical", "all: recall@10", 0.25),
        (f"{ABLATION}without vector", "all: recall@10", 0.5),
    ]


def test_one_voice_alone_has_no_ablation() -> None:
    figure = Figure("all", "recall@10", 0.5)
    assert list(compared(Recalling(Mode.KEYWORD), lambda _: [figure], [("all", "recall@10")])) == [figure]


@pytest.mark.parametrize(("mode", "expected"), [(Mode.HYBRID, 1), (Mode.SEMANTIC, 0), (Mode.KEYWORD, 0)])
def test_only_hybrid_is_judged_by_the_targets(mode: Mode, expected: int) -> None:
    assert len(judged(Recalling(mode), {("all", "recall@10"): at_least(0.5)})) == expected


@pytest.mark.parametrize(
    ("recalling", "words", "parameters"),
    [
        (Recalling(), "--mode hybrid", {"mode": "hybrid", "embedder": "default"}),
        (Recalling(Mode.KEYWORD), "--mode keyword", {"mode": "keyword"}),
        (
            Recalling(Mode.SEMANTIC, "hash", ablation=False),
            "--mode semantic --embedder hash --no-ablation",
            {"mode": "semantic", "embedder": "hash"},
        ),
    ],
)
def test_a_result_says_how_it_was_asked(recalling: Recalling, words: str, parameters: dict[str, str]) -> None:
    assert (recalling.words, stated(recalling)) == (words, parameters)
