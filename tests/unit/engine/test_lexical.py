"""The lexical voice: exact BM25 of every text, the same before and after its tail is compacted."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.bootstrap import Parts, open_workspace
from karte.core.text import terms
from karte.engine.indexing import TAIL
from karte.ports import Store
from karte.stores.memory import MemoryStore
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart
from tests.stores import STORES
from tests.unit.engine.conftest import NOW

WORDS = ("apple", "pear", "plum", "fig", "京都", "비가", "茶", "v1.2", "C++", "rm")
K1, B = 0.9, 0.4

texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)
queries = st.lists(st.sampled_from([*WORDS, "nowhere"]), min_size=1, max_size=4, unique=True).map(" ".join)


def chart_over(store: Store) -> Chart:
    parts = Parts(store=store, clock=GivenClock(NOW), ids=CountedIds())
    return open_workspace(":memory:", parts=parts).agent("dudu")


def scores_by_hand(told: Sequence[str], query: str) -> dict[str, float]:
    """BM25 of each text that shares a term with the query, from the definition."""
    documents = {text: Counter(terms(text)) for text in told}
    lengths = {text: sum(counts.values()) for text, counts in documents.items()}
    average = sum(lengths.values()) / len(documents)
    scores = dict.fromkeys(documents, 0.0)
    for term in set(terms(query)):
        frequency = sum(term in counts for counts in documents.values())
        idf = math.log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
        for text, counts in documents.items():
            saturation = counts[term] + K1 * (1 - B + B * lengths[text] / average)
            scores[text] += idf * counts[term] * (K1 + 1) / saturation
    return {text: score for text, score in scores.items() if score}


@given(texts, queries)
def test_every_text_has_the_score_of_the_definition(told: list[str], query: str) -> None:
    told = list({text.casefold(): text for text in told}.values())
    dudu = chart_over(MemoryStore())
    dudu.store_many([{"content": text, "layer": "episodic"} for text in told])
    hits = dudu.search(query, limit=100, mode="keyword").hits
    expected = scores_by_hand(told, query)
    assert {hit.memory.content: hit.parts["lexical"].raw for hit in hits} == pytest.approx(expected)
    raw = [hit.parts["lexical"].raw for hit in hits]
    assert raw == sorted(raw, reverse=True)


def note(number: int) -> str:
    return f"{WORDS[number % 7]} note {number} {WORDS[number % 3]} {'pear ' * (number % 5)}"


@pytest.mark.parametrize("erased", [(), (3, 200, 400)])
def test_compacting_the_tail_changes_no_answer(tmp_path: Path, erased: Sequence[int]) -> None:
    """The oracle never compacts; the other stores do, twice on the way."""
    answers = []
    for making in STORES.values():
        store = making(tmp_path)
        dudu = chart_over(store)
        ids = []
        for start in range(0, 2 * TAIL + 50, 50):
            batch = [{"content": note(number), "layer": "episodic"} for number in range(start, start + 50)]
            ids += [receipt.memory_id for receipt in dudu.store_many(batch)]
        dudu.erase([ids[number] for number in erased])
        found = [
            dudu.search(query, limit=40, mode="keyword").hits
            for query in ("pear", "京都 fig", "note 401", "茶 비가 apple")
        ]
        answers.append([[(hit.memory.id, round(hit.parts["lexical"].raw, 9)) for hit in hits] for hits in found])
        store.close()
    assert answers == [answers[0]] * len(STORES)
    assert all(answers[0])


def test_the_best_are_found_among_more_than_are_looked_at_first() -> None:
    dudu = chart_over(MemoryStore())
    dudu.store_many(
        [{"content": f"pear {'and so on ' * (number % 9 + 1)}{number}", "layer": "episodic"} for number in range(300)]
    )
    best = dudu.store("pear pear pear").memory_id
    hits = dudu.search("pear", limit=200, mode="keyword").hits
    assert (hits[0].memory.id, len(hits)) == (best, 200)
