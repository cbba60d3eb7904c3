"""Tiny data sets of the shape that the benches read."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from karte.bench.options import Mode, Recalling

IN_KEYWORD = Recalling(Mode.KEYWORD)

SESSION_ONE = [
    {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a greyhound called Pixel last week!"},
    {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely. My sister teaches pottery in Lisbon."},
    {"speaker": "Ana", "dia_id": "D1:3", "text": "Look at this.", "blip_caption": "a lighthouse at dusk"},
]
SESSION_TWO = [
    {"speaker": "Ben", "dia_id": "D2:1", "text": "I ran the marathon in four hours."},
    {"speaker": "Ana", "dia_id": "D2:2", "text": "Well done, I only watched."},
]
CONVERSATION = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": SESSION_ONE,
        "session_2_date_time": "9:05 am on 3 June, 2023",
        "session_2": SESSION_TWO,
    },
    "qa": [
        {"question": "Who adopted a greyhound?", "category": 4, "evidence": ["D1:01"]},
        {"question": "Which lighthouse and which marathon?", "category": 1, "evidence": ["D:1:3; D2:1"]},
        {"question": "Zebra sightings?", "category": 2, "evidence": ["D2:2"]},
        {"question": "Nothing resolves here", "category": 3, "evidence": ["D", "D9:9"]},
        {"question": "Did Ana run the marathon?", "category": 5, "evidence": ["D2:1"]},
    ],
}

PASSAGES = {"p0": "臺北的圖書館每週一休館", "p1": "高雄的港口在十九世紀開放", "p2": "臺北的圖書館每週一休館"}

FACTS = [
    ("Ada Li", "playsFor", "Harbour FC", 2001, 2004),
    ("Ada Li", "playsFor", "National team", 2003, 2017),
    ("Ada Li", "wasBornIn", "Tainan", 1980, 2018),
    ("Ada Li", "owns", 'The "Blue" Shop', 2010, 2010),
]
QUESTIONS: list[dict[str, Any]] = [
    {"as_of": 2002, "expected": ["Harbour FC"], "must_not": ["National team"]},
    {"as_of": 2004, "expected": ["Harbour FC", "National team"], "must_not": []},
    {"as_of": 2005, "expected": ["National team"], "must_not": ["Harbour FC"]},
    {"as_of": 2030, "expected": ["National team"], "must_not": ["Harbour FC"]},
    {"as_of": 1999, "expected": [], "must_not": ["Harbour FC", "National team"]},
]

ORACLE = [
    {
        "question_id": "h1",
        "question_type": "single-session-user",
        "question": "Where does the greyhound sleep?",
        "question_date": "2023/03/15 (Wed) 03:53",
        "haystack_session_ids": ["s1"],
        "haystack_dates": ["2023/01/02 (Mon) 10:00"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "My greyhound sleeps in the attic.", "has_answer": True},
                {"role": "assistant", "content": "A fine place."},
            ]
        ],
        "answer_session_ids": ["s1"],
    },
    {
        "question_id": "h2",
        "question_type": "knowledge-update",
        "question": "Pottery?",
        "question_date": "2023/03/16 (Thu) 03:53",
        "haystack_session_ids": ["s2", "s3"],
        "haystack_dates": ["2023/02/01 (Wed) 10:00", "2023/03/01 (Wed) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "I go there every week.", "has_answer": True}],
            [{"role": "user", "content": "Pottery is twice a week now.", "has_answer": True}],
        ],
        "answer_session_ids": ["s2", "s3"],
    },
    {
        "question_id": "h3",
        "question_type": "multi-session",
        "question": "Zebras?",
        "question_date": "2023/03/17 (Fri) 03:53",
        "haystack_session_ids": ["s1"],
        "haystack_dates": ["2023/01/05 (Thu) 10:00"],
        "haystack_sessions": [[{"role": "user", "content": "My greyhound sleeps in the attic."}]],
        "answer_session_ids": ["s1"],
    },
]
S_LITE = {
    "haystacks": [
        {
            "question_id": "h1",
            "question_type": "single-session-user",
            "question": "Which lighthouse?",
            "haystack_sessions": [["a", "2023/05/22 (Mon) 23:57"], ["b", "2023/05/23 (Tue) 23:57"]],
            "answer_session_ids": ["a"],
        },
        {
            "question_id": "h2",
            "question_type": "single-session-user",
            "question": "Zebras?",
            "haystack_sessions": [["b", "2023/05/22 (Mon) 23:57"], ["b", "2023/05/23 (Tue) 23:57"]],
            "answer_session_ids": ["b"],
        },
    ],
    "session_user_text_first500": {"a": "I painted a lighthouse.", "b": "I ran a marathon."},
}

BEAM = {
    "1": {
        "chat": [
            {
                "batch_number": 1,
                "turns": [
                    [
                        {
                            "role": "user",
                            "id": 0,
                            "time_anchor": "March-15-2024",
                            "content": "My API key lies in the vault. ->-> 1,1",
                        },
                        {"role": "assistant", "id": 1, "content": "Noted."},
                    ],
                    [{"role": "user", "id": 2, "content": "I never obtained an API key."}],
                ],
            },
            {
                "batch_number": 2,
                "turns": [
                    [
                        {
                            "role": "user",
                            "id": 4,
                            "time_anchor": "April-10-2024",
                            "content": "The dashboard answers in 250ms now.",
                        }
                    ]
                ],
            },
        ],
        "probing_questions": {
            "abstention": [{"question": "Which festival?"}],
            "contradiction_resolution": [
                {
                    "question": "Is there an API key?",
                    "source_chat_ids": {"first_statement": [0], "second_statement": [2]},
                }
            ],
            "knowledge_update": [
                {"question": "Dashboard?", "source_chat_ids": {"original_info": [2], "updated_info": [4]}}
            ],
            "event_ordering": [{"question": "Zebras?", "source_chat_ids": [0, [2, 99]]}],
        },
    }
}

BELIEFS: list[dict[str, Any]] = [
    {"_id": "rust", "content": "Writes Rust for services.", "aliases": ["Rustlang", "language_rust"]},
    {"_id": "old", "type": "decision", "content": "Used Postgres for storage.", "superseded_by": "new"},
    {
        "_id": "new",
        "type": "decision",
        "content": "Decided on MongoDB for storage.",
        "pinned": True,
        "created_at": "2020-03-01T00:00:00Z",
    },
    {"_id": "auth", "type": "open_question", "content": "Evaluating JWT tokens.", "pinned": True},
    {"_id": "link", "type": "relation", "content": "The queue reads the parser.", "participants": ["rust", "auth"]},
    {"_id": "direct", "scope": ["user:universal"], "content": "Prefers direct answers.", "pinned": True},
    {"_id": "done", "content": "Debates Fortran.", "resolved_at": "2020-02-01T00:00:00Z"},
    {"_id": "secret", "user_id": "other-user", "content": "Uses Haskell for services.", "pinned": True},
]
CASES: list[dict[str, Any]] = [
    {"caseId": "one", "query": "Which Rust services?", "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["rust"]}}},
    {
        "caseId": "superseded",
        "query": "Postgres storage?",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}, "pinnedFacts": {"mustInclude": ["new"]}},
    },
    {
        "caseId": "relation",
        "query": "queue parser?",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["link", "rust"]}},
    },
    {
        "caseId": "question",
        "query": "JWT tokens",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}, "openQuestions": {"mustInclude": ["auth"]}},
    },
    {"caseId": "lacking", "query": "Postgres", "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["rust"]}}},
    {"caseId": "noisy", "query": "parser Rust", "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["rust"]}}},
    {
        "caseId": "cold",
        "userId": "nobody-yet",
        "query": "Rust",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}, "personaPrelude": {"isNull": True}},
    },
    {
        "caseId": "no room",
        "query": "Rust",
        "budget": {"maxBeliefs": 0},
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}},
    },
    {
        "caseId": "prelude",
        "query": "Haskell, Fortran?",
        "expect": {
            "relevantBeliefs": {"shouldOnlyInclude": [], "mustExclude": ["secret", "done"]},
            "personaPrelude": {"nonEmpty": True, "contains": ["direct"], "mustNotContain": ["Haskell"]},
        },
    },
]

OFF_TOPIC = [{"query": "Heartburn remedies?", "memories": ["Likes band shirts.", "Painted some jeans."]}]
ON_TOPIC = [
    {
        "query": "Dinner party with Chloe?",
        "memories": ["Plans a dinner party for Chloe.", "Chloe brings wine to the dinner party.", "Runs at dawn."],
    }
]


def packed(folder: Path, place: str, document: Any) -> None:
    """Write a gzipped JSON document."""
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(document, ensure_ascii=False).encode()))


def write_locomo(folder: Path, split: str = "dev") -> None:
    """One conversation of five turns with five questions, of which one has no evidence that resolves."""
    packed(folder, f"locomo/locomo_{split}.json.gz", [CONVERSATION])


def write_cjk(folder: Path) -> None:
    """Three passages, two of them equal, with two questions that find theirs and one that cannot."""
    passages = [{"id": name, "text": text} for name, text in PASSAGES.items()]
    questions = [
        {"question": "圖書館星期幾休館？", "gold": ["p2"]},
        {"question": "港口何時開放？", "gold": ["p1"]},
        {"question": "圖書館", "gold": ["p1"]},
    ]
    for name in ("drcd", "jsquad"):
        packed(folder, f"cjk/{name}_dev.json.gz", {"passages": passages, "questions": questions})


def write_yago(folder: Path, questions: Iterable[dict[str, Any]] = tuple(QUESTIONS)) -> None:
    """Four facts about a player, and questions about whom she plays for."""
    place = folder / "yago_intervals"
    place.mkdir(parents=True)
    rows = [
        "subject\tpredicate\tobject\tfrom_year\tuntil_year_inclusive",
        *("\t".join(map(str, fact)) for fact in FACTS),
    ]
    place.joinpath("yago_spo_intervals.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    named = [{"subject": "Ada Li", "predicate": "playsFor", **question} for question in questions]
    lines = "".join(json.dumps(line) + "\n" for line in named)
    place.joinpath("asof_queries_dev.jsonl").write_text(lines, encoding="utf-8")


def write_longmemeval(folder: Path) -> None:
    """Three pooled questions, of which one finds nothing, and two with sessions of their own, of which one does."""
    packed(folder, "longmemeval/oracle_dev.json.gz", ORACLE)
    packed(folder, "longmemeval/s_lite_dev.json.gz", S_LITE)


def write_beam(folder: Path) -> None:
    """One chat of four turns with three questions that have sources, of which one finds nothing."""
    packed(folder, "beam_100k/beam_dev.json.gz", BEAM)


def write_precision(folder: Path, cases: Iterable[dict[str, Any]] = tuple(CASES)) -> None:
    """Eight beliefs of two users, and cases about them."""
    place = folder / "precisionmembench" / "fixtures"
    place.mkdir(parents=True)
    filled = [
        {
            "user_id": "test-user",
            "type": "preference",
            "canonical_name": f"language_{belief['_id']}",
            "aliases": [],
            "why_it_matters": "Nothing of this is searched: Fortran.",
            "scope": ["domain:code"],
            "confidence": 0.9,
            "pinned": False,
            "resolved_at": None,
            "superseded_by": None,
            "created_at": "2020-01-01T00:00:00Z",
            "updated_at": "2020-06-01T00:00:00Z",
            **belief,
        }
        for belief in BELIEFS
    ]
    whole = [{"category": "A category", "scope": ["domain:code"], **case} for case in cases]
    for name, document in (("beliefs.seed", filled), ("retrieval.cases", whole)):
        place.joinpath(f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def write_restraint(folder: Path) -> None:
    """A query that none of its two memories fits, and one that two of its three do."""
    place = folder / "persistbench"
    place.mkdir(parents=True)
    for name, lines in (("cross_domain", OFF_TOPIC), ("beneficial_samples", ON_TOPIC)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        place.joinpath(f"{name}_dev.jsonl").write_text(text, encoding="utf-8")


MUSIQUE: dict[str, Any] = {
    "passages": [
        {
            "id": "p0",
            "title": "Harbour FC",
            "text": "It was founded by Ada Li.",
            "triples": [["Harbour FC", "founder", "Ada Li"]],
        },
        {
            "id": "p1",
            "title": "Ada Li",
            "text": "She was born in Tainan.",
            "triples": [
                ["Ada Li", "born in", "Tainan"],
                ["Ada Li", "owns", "a shop"],
                ["Ada Li", "owns", "a boat"],
                ["", "x", "y"],
            ],
        },
        {"id": "p2", "title": "Pixel", "text": "A greyhound.", "triples": [["Pixel", "is", "a greyhound"]]},
    ],
    "questions": [{"question": "Where was the founder of Harbour FC born?", "gold": ["p0", "p1"]}],
}


def write_multihop(folder: Path) -> None:
    """Passages with triples in the form of MuSiQue."""
    packed(folder, "multihop/musique_dev.json.gz", MUSIQUE)


POISON_CONTEXTS: list[dict[str, Any]] = [
    {
        "id": 0,
        "question": "Which animal escaped from the circus near Rome?",
        "correct": ["a lion"],
        "incorrect": "a bear",
        "contexts": [
            {"text": "A lion escaped from the circus near Rome on Saturday.", "has_answer": True},
            {"text": "The circus near Rome has been closed since.", "has_answer": False},
        ],
        "false_texts": ["Which animal escaped? A bear escaped from the circus near Rome."],
    },
    {
        "id": 1,
        "question": "Who hosts the quiz night in the harbour pub?",
        "correct": ["Ada Li"],
        "incorrect": "Ben Wu",
        "contexts": [{"text": "The quiz night in the harbour pub: its host is Ada Li.", "has_answer": True}],
        "false_texts": ["Ben Wu hosts the quiz night in the harbour pub."],
    },
]
POISON_SENTENCES: dict[str, dict[str, Any]] = {
    "test1": {
        "id": "test1",
        "question": "which animal lives in the harbour",
        "correct answer": "a seal",
        "incorrect answer": "a whale",
        "adv_texts": ["Animal of the harbour: in the harbour lives a whale.", "A whale lives in the harbour."],
    }
}
FALSE_FACT: dict[str, str] = {
    "subject": "Mei",
    "predicate": "lives_in",
    "true_object": "Taipei",
    "true_text": "Mei lives in Taipei.",
    "false_object": "Kaohsiung",
    "false_text": "Mei moved to Kaohsiung last month.",
    "lang": "en",
}


def write_poison(folder: Path) -> None:
    """Two questions with real contexts and a false text each, and one with false texts alone."""
    place = folder / "poison"
    place.mkdir(parents=True)
    for name, document in (("realtimeqa", POISON_CONTEXTS), ("poisonedrag_nq", POISON_SENTENCES)):
        place.joinpath(f"{name}_dev.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))


def write_false_facts(folder: Path) -> None:
    """One false fact beside a true one."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("false_facts.jsonl").write_text(json.dumps(FALSE_FACT) + "\n", encoding="utf-8")
