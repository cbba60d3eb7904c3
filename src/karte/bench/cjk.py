"""Chinese, Japanese and Korean: are passages found by questions about them (DRCD, JSQuAD), and literals by themselves?

Passages share many characters with the questions about them, so this is a gate for the text analysis, not a measure
of understanding. The literal cases are our own: words of two characters, names with signs, simplified for traditional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import mean, recall
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, Target, at_least
from karte.core.results import Hit
from karte.workspace import Chart

DEPTHS: Final = (1, 5)
_BATCH: Final = 500


@dataclass(frozen=True)
class Corpus:
    """A set of passages and questions: its name, its place among the data, and the recall@1 that it is to reach."""

    name: str
    place: str
    target: Target


@dataclass(frozen=True)
class Literal:
    """A text that has to be the first hit of a query, among all texts of these cases."""

    kind: str
    text: str
    query: str


CORPORA: Final = (
    Corpus("DRCD (zh-Hant)", "cjk/drcd_{split}.json.gz", at_least(0.93)),
    Corpus("JSQuAD (ja)", "cjk/jsquad_{split}.json.gz", at_least(0.89)),
)
LITERALS: Final = (
    Literal("two characters", "他每天早上都到公園慢跑，然後才去上班", "慢跑"),
    Literal("two characters", "她对花生过敏，点菜时要特别注意", "过敏"),
    Literal("two characters", "会議は毎週水曜日の午後に開かれます", "会議"),
    Literal("two characters", "회의는 매주 수요일 오후에 열립니다", "회의"),
    Literal("signs", "The parser is written in C++ and has no tests yet", "C++"),
    Literal("signs", "The old parser was written in C and is slow", "C"),
    Literal("signs", "Never run rm -rf in the data folder", "rm -rf"),
    Literal("signs", "後端改用 node_modules 快取，安裝快了一倍", "node_modules"),
    Literal("simplified for traditional", "資料備份每天凌晨三點執行，保留三十天", "资料备份"),
    Literal("simplified for traditional", "團隊決定從下個月起改用臺北的機房", "台北的机房"),
    Literal("traditional for simplified", "部署脚本放在仓库的根目录里", "腳本放在倉庫"),
    Literal("kana", "サーバーは東京リージョンに移しました", "さーばー"),
    Literal("width", "契約番号はＡＢＣ１２３です", "abc123"),
)
"""The texts are also each other's neighbours: each has to be told from all others."""


def measure(data: DataSets) -> Measured:
    """Store the passages of each corpus for an agent of its own and ask its questions; then the literals."""
    figures: list[Figure] = []
    parameters: dict[str, Any] = {"split": data.split, "mode": "keyword"}
    documents = [(corpus, data.packed(corpus.place)) for corpus in CORPORA]
    with workspace() as opened:
        for corpus, document in documents:
            recalls = _recalls(opened.agent(corpus.name), document, corpus.name)
            parameters[corpus.name] = {"passages": len(document["passages"]), "questions": len(recalls)}
            figures += _figures(corpus, recalls)
        figures += _literals(opened.agent("literals"))
    return Measured(parameters, tuple(figures))


def _recalls(chart: Chart, document: Any, name: str) -> list[Mapping[int, float]]:
    """For each question the recall at each depth; raises `UnreadableData` for a document of another shape."""
    try:
        passages = {each["id"]: each["text"] for each in document["passages"]}
        questions = [(each["question"], set(each["gold"])) for each in document["questions"]]
    except (KeyError, TypeError) as error:
        raise UnreadableData(f"{name}: no passages and questions: {error!r}.") from None
    kept = _keep(chart, passages)
    recalls: list[Mapping[int, float]] = []
    for question, gold in steps(questions, name):
        ranked = [_passages(hit, kept) for hit in chart.search(question, limit=max(DEPTHS)).hits]
        recalls.append({depth: recall(ranked, gold, depth) for depth in DEPTHS})
    return recalls


def _keep(chart: Chart, passages: Mapping[str, str]) -> dict[str, set[str]]:
    """Store the passages; gives the passages behind each memory, more than one where the same text comes again."""
    kept: dict[str, set[str]] = {}
    names = list(passages)
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        receipts = chart.store_many([{"content": passages[name]} for name in batch])
        for name, receipt in zip(batch, receipts, strict=True):
            kept.setdefault(receipt.memory_id, set()).add(name)
    return kept


def _passages(hit: Hit, kept: Mapping[str, set[str]]) -> set[str]:
    """The passages that a hit gives, retellings named with it included."""
    return {name for memory in (hit.memory.id, *hit.also) for name in kept[memory]}


def _figures(corpus: Corpus, recalls: Sequence[Mapping[int, float]]) -> Iterator[Figure]:
    for depth in DEPTHS:
        target = corpus.target if depth == 1 else None
        value = mean(each[depth] for each in recalls)
        yield Figure(corpus.name, f"recall@{depth}", value, target=target, better=Better.MORE)


def _literals(chart: Chart) -> Iterator[Figure]:
    chart.store_many([{"content": literal.text} for literal in LITERALS])
    for kind in dict.fromkeys(literal.kind for literal in LITERALS):
        cases = [literal for literal in LITERALS if literal.kind == kind]
        value = mean(_first(chart, case.query) == case.text for case in cases)
        yield Figure("literals", kind, value, target=at_least(1.0))


def _first(chart: Chart, query: str) -> str | None:
    hits = chart.search(query, limit=1).hits
    return hits[0].memory.content if hits else None
