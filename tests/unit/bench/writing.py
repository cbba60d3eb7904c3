"""Tiny data sets of the shape that the benches read."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

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
