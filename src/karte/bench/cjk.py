"""Chinese, Japanese and Korean: are passages found by questions about them (DRCD, JSQuAD), and literals by themselves?

Passages share many characters with the questions about them, so this is a gate for the text analysis, not a measure
of understanding. The literal cases are our own: words of two characters, names with signs, simplified for traditional.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.asking import Asker, compared, embed, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import mean, recall
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, Measured, Target, at_least
from karte.core.results import Hit
from karte.workspace import Chart, Workspace

DEPTHS: Final = (1, 5)
LITERAL: Final = "literals"
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
_HEADLINES: Final = tuple((corpus.name, f"recall@{depth}") for corpus in CORPORA for depth in DEPTHS)
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


@dataclass(frozen=True)
class Kept:
    """A corpus whose passages are memories: the passages behind each, and the questions with their passages."""

    corpus: Corpus
    passages: int
    behind: Mapping[str, set[str]]
    questions: Sequence[tuple[str, set[str]]]


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Store the passages of each corpus for an agent of its own and ask its questions; then the literals."""
    documents = [(corpus, data.packed(corpus.place)) for corpus in CORPORA]
    with workspace(recalling.used, recalling.server) as opened:
        corpora = [_keep(opened.agent(corpus.name), corpus, document) for corpus, document in documents]
        opened.agent(LITERAL).store_many([{"content": literal.text} for literal in LITERALS])
        embed(opened, recalling)
        found = tuple(compared(recalling, lambda asker: _figures(opened, corpora, asker), _HEADLINES))
    sizes = {each.corpus.name: {"passages": each.passages, "questions": len(each.questions)} for each in corpora}
    return Measured({"split": data.split, **stated(recalling), **sizes}, found)


def _keep(chart: Chart, corpus: Corpus, document: Any) -> Kept:
    """Store the passages of a corpus; raises `UnreadableData` for a document of another shape."""
    try:
        passages = {each["id"]: each["text"] for each in document["passages"]}
        questions = [(each["question"], set(each["gold"])) for each in document["questions"]]
    except (KeyError, TypeError) as error:
        raise UnreadableData(f"{corpus.name}: no passages and questions: {error!r}.") from None
    behind: dict[str, set[str]] = {}
    names = list(passages)
    for start in steps(range(0, len(names), _BATCH), f"{corpus.name} passages"):
        batch = names[start : start + _BATCH]
        receipts = chart.store_many([{"content": passages[name]} for name in batch])
        for name, receipt in zip(batch, receipts, strict=True):
            behind.setdefault(receipt.memory_id, set()).add(name)
    return Kept(corpus, len(passages), behind, questions)


def _figures(opened: Workspace, corpora: Sequence[Kept], asker: Asker) -> Iterator[Figure]:
    for kept in corpora:
        chart = opened.agent(kept.corpus.name, create=False)
        recalls = [
            _recalls(asker.ask(chart, question, max(DEPTHS)), kept, gold)
            for question, gold in steps(kept.questions, asker.title(kept.corpus.name))
        ]
        for depth in DEPTHS:
            target = kept.corpus.target if depth == 1 else None
            value = mean(each[depth] for each in recalls)
            yield Figure(kept.corpus.name, f"recall@{depth}", value, target=target, better=Better.MORE)
    yield from _literals(opened.agent(LITERAL, create=False), asker)


def _recalls(hits: Sequence[Hit], kept: Kept, gold: set[str]) -> Mapping[int, float]:
    ranked = [_passages(hit, kept.behind) for hit in hits]
    return {depth: recall(ranked, gold, depth) for depth in DEPTHS}


def _passages(hit: Hit, behind: Mapping[str, set[str]]) -> set[str]:
    """The passages that a hit gives, retellings named with it included."""
    return {name for memory in (hit.memory.id, *hit.also) for name in behind[memory]}


def _literals(chart: Chart, asker: Asker) -> Iterator[Figure]:
    for kind in dict.fromkeys(literal.kind for literal in LITERALS):
        cases = [literal for literal in LITERALS if literal.kind == kind]
        value = mean(_first(chart, case.query, asker) == case.text for case in cases)
        yield Figure(LITERAL, kind, value, target=at_least(1.0))


def _first(chart: Chart, query: str, asker: Asker) -> str | None:
    hits = asker.ask(chart, query, 1)
    return hits[0].memory.content if hits else None
