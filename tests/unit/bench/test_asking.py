"""How benches ask: all voices, then each off in turn."""

import pytest

from karte.bench.asking import ABLATION, MUTE, SPOKE, VOICES, Asker, Tally, askers, compared, embed, judged, stated
from karte.bench.options import Mode, Recalling
from karte.bench.places import workspace
from karte.bench.results import Figure, at_least
from karte.core.results import Recall
from karte.engine.recalling import asked
from karte.models.embedders.hashing import HashEmbedder


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
        (SPOKE, "vector", 1.0),
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


def test_a_voice_that_cannot_speak_is_told_from_one_that_has_nothing_to_say() -> None:
    tally = Tally()
    tally.count(Recall("?", (), silent_voices=("temporal",)))
    tally.count(Recall("?", (), silent_voices=("temporal", "vector"), degraded=("vector: the embedder failed",)))
    assert [(figure.group, figure.name, figure.value) for figure in tally.figures(("vector", "temporal", "graph"))] == [
        (SPOKE, "vector", 0.5),
        (SPOKE, "temporal", 0.0),
        (SPOKE, "graph", 1.0),
        (MUTE, "vector: the embedder failed", 1),
    ]


@pytest.mark.parametrize(
    ("recalling", "words", "used"),
    [
        (Recalling(), "--mode hybrid", "auto"),
        (Recalling(Mode.KEYWORD), "--mode keyword", "none"),
        (Recalling(Mode.SEMANTIC, "hash", ablation=False), "--mode semantic --embedder hash --no-ablation", "hash"),
    ],
)
def test_the_options_are_written_as_they_are_given(recalling: Recalling, words: str, used: str) -> None:
    assert (recalling.words, recalling.used) == (words, used)


def test_a_result_names_the_mode_and_the_embedder_with_its_version() -> None:
    identity = HashEmbedder().identity
    assert stated(Recalling(Mode.KEYWORD)) == {"mode": "keyword"}
    assert stated(Recalling(Mode.HYBRID, "hash")) == {
        "mode": "hybrid",
        "embedder": f"hash {identity.version} (256 dimensions)",
    }


def test_memories_are_embedded_for_every_mode_but_keyword() -> None:
    hits = {}
    for mode in Mode:
        recalling = Recalling(mode, "hash")
        with workspace(recalling.used) as opened:
            chart = opened.agent("ana")
            chart.store("The greyhound sleeps in the attic")
            embed(opened, recalling)
            (hit,) = Asker("all", mode).ask(chart, "greyhound", 5)
            hits[mode] = "vector" in hit.parts
    assert hits == {Mode.KEYWORD: False, Mode.SEMANTIC: True, Mode.HYBRID: True}


def test_the_modes_and_their_voices_are_those_of_the_engine() -> None:
    engine = {mode.value: asked.VOICES[mode] for mode in asked.Mode}
    assert {mode.value: VOICES[mode] for mode in Mode} == engine
