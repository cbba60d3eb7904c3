"""The shapes that callers see."""

import pytest

from karte.core.assertions import Details
from karte.core.intent import Aim, Intent
from karte.core.memories import Place, Statement, Triple, Wording
from karte.core.moments import Kind, Moment
from karte.core.origins import Origin
from karte.core.periods import EARLIEST, FOREVER, SECOND
from karte.core.results import (
    Alias,
    Chapter,
    Erased,
    Fetched,
    History,
    Hit,
    Item,
    LeftOut,
    Listing,
    Outcome,
    Recall,
    Receipt,
    Said,
    Status,
    SubjectTimeline,
    Term,
    Validity,
    Voice,
    Withdrawn,
)

MEMORY = Statement("Ada lives in paris", triple=Triple("ada", "lives in", "paris")).of("dudu").kept_as(1, "mem_1")
ITEM = Item(
    MEMORY,
    "dudu",
    Wording("Ada lives in Paris", Triple("Ada", "lives in", "Paris"), Place("Travel", None)),
    Details(tags=("家",), metadata='{"a":[1]}', expires_at=9 * SECOND, topic="t"),
    Validity(Status.IN_FORCE, 0, FOREVER, "mem_0", None),
    0.6,
    0.1 + 0.2,
    (Said(Origin("channel", "chat", "m1"), SECOND), Said(Origin("operator"), 2 * SECOND)),
    3 * SECOND,
    ("operator",),
    ("家", "집"),
    ("mem_9",),
    ("stale",),
    4,
    3,
    8 * SECOND,
)
PLAIN = Item(MEMORY, "dudu", Wording("free text"), Details(), Validity(Status.WITHDRAWN, 0, 5), 0, 0, (), 0)


def test_a_memory_has_the_keys_of_its_shape_and_what_is_absent_is_null() -> None:
    assert ITEM.to_dict() == {
        "id": "mem_1",
        "owner": "dudu",
        "layer": "semantic",
        "content": "Ada lives in Paris",
        "subject": "Ada",
        "predicate": "lives in",
        "object": "Paris",
        "domain": "Travel",
        "topic": "t",
        "repo": None,
        "memory_type": "unknown",
        "veracity": "unknown",
        "confidence": 0.3,
        "importance": 5.0,
        "trust": 0.6,
        "tags": ["家", "집"],
        "metadata": {"a": [1]},
        "session": None,
        "speaker": None,
        "valid_from": "1970-01-01T00:00:00Z",
        "valid_until": None,
        "ingested_at": "1970-01-01T00:00:03Z",
        "status": "in_force",
        "supersedes": "mem_0",
        "superseded_by": None,
        "expires_at": "1970-01-01T00:00:09Z",
        "reaffirmed_by": ["operator"],
        "mention_count": 2,
        "access_count": 4,
        "recall_count": 3,
        "last_accessed": "1970-01-01T00:00:08Z",
        "source_event": None,
        "origins": [
            {"kind": "channel", "container": "chat", "item": "m1", "observed_at": "1970-01-01T00:00:01Z"},
            {"kind": "operator", "container": None, "item": None, "observed_at": "1970-01-01T00:00:02Z"},
        ],
        "derived_from": ["mem_9"],
        "marks": ["stale"],
    }


def test_free_text_has_no_names() -> None:
    assert (PLAIN.subject, PLAIN.predicate, PLAIN.object) == (None, None, None)
    shape = PLAIN.to_dict()
    assert [shape[name] for name in ("subject", "predicate", "object", "domain")] == [None] * 4


def test_a_memory_tells_its_times_as_moments() -> None:
    assert str(ITEM.valid_from) == "1970-01-01 00:00:00+00:00"
    assert ITEM.valid_until is None
    assert str(PLAIN.valid_until) == "1970-01-01 00:00:00.000005+00:00"
    unknown = Item(MEMORY, "", Wording("x"), Details(), Validity(Status.FUTURE), 0, 0, (), 0)
    assert (unknown.valid_from, unknown.valid_until, unknown.status) == (None, None, Status.FUTURE)


@pytest.mark.parametrize(
    ("said", "recalled_at", "used_at"),
    [((2, 1), None, 2), ((2, 1), 8, 8), ((9, 1), 8, 9), ((), None, 3), ((), 8, 8)],
    ids=["said last", "recalled last", "said since it was recalled", "only learned", "learned and recalled"],
)
def test_a_memory_was_used_when_it_was_last_said_or_recalled(
    said: tuple[int, ...], recalled_at: int | None, used_at: int
) -> None:
    memory = Item(
        MEMORY,
        "",
        Wording("x"),
        Details(),
        Validity(Status.IN_FORCE),
        0,
        0,
        tuple(Said(Origin("operator"), seconds * SECOND) for seconds in said),
        3 * SECOND,
        recalled_at=None if recalled_at is None else recalled_at * SECOND,
    )
    assert memory.used_at == used_at * SECOND
    assert memory.to_dict()["last_accessed"] == f"1970-01-01T00:00:0{used_at}Z"


def test_a_receipt_is_read_back_from_its_shape() -> None:
    receipt = Receipt(
        Outcome.SUPERSEDED, "mem_2", "chn_1", ("mem_1",), ("mem_0",), ("mem_3",), ("x",), "rev_1", ("redacted",)
    )
    assert Receipt.from_dict(receipt.to_dict()) == receipt
    assert receipt.to_dict() == {
        "status": "superseded",
        "memory_id": "mem_2",
        "chain_id": "chn_1",
        "superseded": ["mem_1"],
        "revived": ["mem_0"],
        "similar": ["mem_3"],
        "conflicts": ["x"],
        "review_id": "rev_1",
        "marks": ["redacted"],
    }


def test_a_receipt_of_what_was_not_kept_has_no_ids() -> None:
    receipt = Receipt(Outcome.BLOCKED, "", "", marks=("blocked",))
    assert Receipt.from_dict(receipt.to_dict()) == receipt
    assert [receipt.to_dict()[name] for name in ("memory_id", "chain_id", "marks")] == [None, None, ["blocked"]]


HIT = Hit(
    ITEM,
    0.48,
    {"lexical": Voice(1.5, 0.5, 1, 1.0)},
    {"trust": 0.96},
    (Term("ada", 1.25, 2, 1.5),),
    3,
    {"temporal": "last May", "graph": "Ada - lives in - Paris"},
    ("mem_4",),
    (PLAIN,),
)


def test_a_hit_says_why_it_was_found() -> None:
    shape = HIT.to_dict()
    assert shape.pop("memory") == ITEM.to_dict()
    assert shape == {
        "score": 0.48,
        "parts": {"lexical": {"raw": 1.5, "normalised": 0.5, "rank": 1, "weight": 1.0}},
        "standing": {"trust": 0.96},
        "terms": [{"term": "ada", "idf": 1.25, "count": 2, "score": 1.5}],
        "why": "1 of 3 query terms: ada; temporal: last May; graph: Ada - lives in - Paris",
        "evidence": {"temporal": "last May", "graph": "Ada - lives in - Paris"},
        "snippet": "Ada lives in Paris",
        "highlights": [[0, 3]],
        "also": ["mem_4"],
        "around": [PLAIN.to_dict()],
    }


def test_a_hit_without_a_term_of_the_query_says_only_what_other_voices_said() -> None:
    hit = Hit(PLAIN, 0.5, {"vector": Voice(0.7, 0.5, 1, 1.0)}, {}, (), 3, {"vector": "cosine 0.70 by words"})
    assert hit.why == "vector: cosine 0.70 by words"
    shape = hit.to_dict()
    assert [shape[name] for name in ("standing", "terms", "also", "around")] == [{}, [], [], []]
    assert (shape["snippet"], shape["highlights"]) == ("free text", [])


def test_a_recall_has_the_keys_of_its_shape() -> None:
    recall = Recall(
        "paris?",
        (HIT,),
        "semantic",
        "cognitive",
        Intent(Aim.TEMPORAL, 0.5, ("when", "哪天")),
        (
            Moment(0, 9 * SECOND, "then", Kind.SPAN, 0.25),
            Moment(EARLIEST, FOREVER, "いつも", Kind.SPAN),
            Moment(-1, 0, "last session", Kind.SESSION),
        ),
        ("vector",),
        ("vector: the embedder failed",),
        (LeftOut("mem_5", "not in force as asked"),),
        timings_ms={"total": 1.0},
    )
    assert recall.to_dict() == {
        "query": "paris?",
        "mode": "semantic",
        "profile": "cognitive",
        "intent": {"name": "temporal", "confidence": 0.5, "cues": ["when", "哪天"]},
        "times": [
            {
                "text": "then",
                "kind": "span",
                "weight": 0.25,
                "from": "1970-01-01T00:00:00Z",
                "until": "1970-01-01T00:00:09Z",
            },
            {"text": "いつも", "kind": "span", "weight": 1.0, "from": None, "until": None},
            {"text": "last session", "kind": "session", "weight": 1.0, "from": -1, "until": 0},
        ],
        "silent_voices": ["vector"],
        "degraded": ["vector: the embedder failed"],
        "left_out": [{"memory_id": "mem_5", "reason": "not in force as asked"}],
        "hits": [HIT.to_dict()],
        "nothing_relevant": False,
        "policies": [],
        "timings_ms": {"total": 1.0},
    }


def test_a_recall_that_found_nothing_says_so() -> None:
    assert Recall("x", ()).to_dict() == {
        "query": "x",
        "mode": "hybrid",
        "profile": "balanced",
        "intent": None,
        "times": [],
        "silent_voices": [],
        "degraded": [],
        "left_out": [],
        "hits": [],
        "nothing_relevant": True,
        "policies": [],
        "timings_ms": {},
    }


@pytest.mark.parametrize(
    ("result", "shape"),
    [
        (
            Fetched((PLAIN,), ("mem_8", "mem_9")),
            {"memories": [PLAIN.to_dict()], "missing_ids": ["mem_8", "mem_9"], "total_found": 1, "total_missing": 2},
        ),
        (Listing((PLAIN,)), {"memories": [PLAIN.to_dict()]}),
        (
            Withdrawn(2, 1, ("mem_1",), ("mem_0",), "rev_1"),
            {"assertions": 2, "standing": 1, "memory_ids": ["mem_1"], "revived": ["mem_0"], "review_id": "rev_1"},
        ),
        (Erased(("mem_1",), (), scrubbed=True), {"memory_ids": ["mem_1"], "missing_ids": [], "scrubbed": True}),
        (
            Alias("ada", "countess", Origin("operator", "x")),
            {"canonical": "ada", "alias": "countess", "origin": "operator:x"},
        ),
    ],
)
def test_each_other_answer_has_its_shape(
    result: Fetched | Listing | Withdrawn | Erased | Alias, shape: dict[str, object]
) -> None:
    assert result.to_dict() == shape


def test_a_history_lists_chapters_with_their_segments() -> None:
    chapter = Chapter(PLAIN, ((0, 2 * SECOND), (3 * SECOND, FOREVER)), 4 * SECOND, "corrected")
    shape = {
        **PLAIN.to_dict(),
        "segments": [
            {"from": "1970-01-01T00:00:00Z", "until": "1970-01-01T00:00:02Z"},
            {"from": "1970-01-01T00:00:03Z", "until": None},
        ],
        "invalidated_at": "1970-01-01T00:00:04Z",
        "invalidated_by_event": "corrected",
    }
    history = History("Ada", "lives in", (chapter,))
    assert history.to_dict() == {"subject": "Ada", "predicate": "lives in", "chain": [shape]}
    assert SubjectTimeline("Ada", (history,)).to_dict() == {"subject": "Ada", "chains": [history.to_dict()]}
