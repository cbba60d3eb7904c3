"""Nothing is left out silently: every part of a store, every column and every field of a record is carried, or named."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from karte.core.assertions import Assertion, Details, Link, LinkKind, MemoryType, Veracity, Withdrawal
from karte.core.granting import Grantee, Level
from karte.core.memories import Layer, Memory, Place, Triple, Wording
from karte.core.origins import Origin
from karte.core.periods import EARLIEST, FOREVER, LATEST
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.moving import carried
from karte.engine.moving.dumping import line
from karte.engine.moving.filling import FILL
from karte.engine.rows import decisions, knowing, records
from karte.ports import (
    Agent,
    AuditEntry,
    Block,
    Domain,
    Grant,
    KeptPlan,
    KeptReceipt,
    Likeness,
    Reading,
    Usage,
    VectorSet,
)
from karte.stores.sqlite import SQLiteStore

PARTS = {name for name, value in vars(Reading).items() if isinstance(value, property)}


class TestParts:
    def test_every_part_of_a_store_is_carried_or_named_with_the_reason_why_not(self) -> None:
        assert unnamed(PARTS) == set()
        assert carried.CARRIED.keys() & carried.DERIVED.keys() == set()
        assert all(len(reason.split()) > 5 for reason in carried.DERIVED.values())

    def test_a_part_that_is_added_to_the_contract_is_missed(self) -> None:
        assert unnamed(PARTS | {"policies"}) == {"policies"}

    def test_every_table_is_named_by_a_part_and_filled(self) -> None:
        named = {member for members in carried.CARRIED.values() for member in members}
        assert named == {*carried.TABLES, carried.vectors_member(1)}
        assert set(FILL) == set(carried.TABLES)


def unnamed(parts: set[str]) -> set[str]:
    return parts ^ (carried.CARRIED.keys() | carried.DERIVED.keys())


CARRIED_COLUMNS = {
    "memory": "id key content_key layer content is_nothing domain repo subject predicate object subject_name "
    "predicate_name object_name number",
    "source": "kind container",
    "assertion": "number identity item observed_at valid_from valid_until trust learned_at expires_at veracity "
    "memory_type importance confidence topic tags metadata source_event session speaker wording parents rests_on",
    "link": "identity kind left_end right_end item observed_at trust learned_at",
    "withdrawal": "target item trust reason event learned_at",
    "namespace": "agent role created_at following",
    "likeness": "one other difference",
    "receipt": "key request receipt number assertion",
    "usage": "number recalls last",
    "archived": "number at",
    "vector_set": "name version dimensions active",
    "vector": "number vector",
    "vector_reach": "reached",
    "vector_missing": "number",
    "review": "id kind memory_id number target item writer opened_at expires_at why held state decided_by decided_at "
    "against",
    "block": "digest kind plan blocked_by at",
    "forget_plan": "id digest plan state made_at expires_at made_by approved_by receipt",
    "audit": "sequence at actor action owner target detail previous digest",
    "domain": "name repo label description confidential usual created_by created_at",
    "domain_grant": "scope kind name level",
    "meta": "name value",
}
"""What is carried of the tables of SQLite; of `meta` the last system time, and the secret of the blocks."""

DERIVED_COLUMNS = {
    "memory": "ns scope chain statement changed_at tier",
    "source": "source",
    "assertion": "ns source",
    "link": "ns source",
    "withdrawal": "ns source",
    "namespace": "ns documents length compacted erasures",
    "likeness": "ns",
    "receipt": "ns",
    "usage": "ns",
    "archived": "ns",
    "vector_set": "vector_set",
    "vector": "ns vector_set",
    "vector_reach": "ns vector_set",
    "vector_missing": "ns vector_set",
    "vector_generation": "ns generation",
    "derivation": "ns parent number identity",
    "dependency": "ns base number identity",
    "review": "ns source",
    "burst": "ns bucket identity learned_at number",
    "token": "id digest name agent scopes created_at expires_at revoked_at",
    "segment": "ns chain free valid_from valid_until statement expires_at tier said_from observed_at trust tie mark "
    "is_nothing",
    "document": "ns number length hashes counts",
    "lease": "name holder until",
    "posting": "ns chunk term places codes",
    "band": "ns band number",
    "domain": "scope",
}
"""What is not: numbers of this one store, the scope (of the place), folds, indexes, who was derived from whom, what is
counted within an hour, and credentials."""


class TestColumns:
    def test_every_column_of_sqlite_is_carried_or_derived(self, tmp_path: Path) -> None:
        SQLiteStore(tmp_path / "workspace.karte").close()
        connection = apsw.Connection(str(tmp_path / "workspace.karte"))
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = {
            (table, column[1])
            for table in tables
            if not table.startswith("sqlite_")
            for column in connection.execute(f"PRAGMA table_info({table})")
        }
        connection.close()
        assert columns == pairs(CARRIED_COLUMNS) | pairs(DERIVED_COLUMNS)
        assert pairs(CARRIED_COLUMNS) & pairs(DERIVED_COLUMNS) == set()


def pairs(columns: dict[str, str]) -> set[tuple[str, str]]:
    return {(table, column) for table, names in columns.items() for column in names.split()}


ORIGIN, OTHER_ORIGIN = Origin("user_direct", "聊天:42", "m1"), Origin("channel", "", "m2")
TRIPLE, NAMES = Triple("Ada", "lives in", "Paris"), Triple("ada", "lives in", "paris")
MEMORY = Memory(
    7, "mem_7", b"\x00" * 16, b"\x01" * 8, Layer.SEMANTIC, Place("Work", "karte"), "text", TRIPLE, NAMES, nothing=False
)
OTHER_MEMORY = Memory(
    8, "mem_8", b"\xff" * 16, b"\x02" * 8, Layer.EPISODIC, Place(), '小雨\n\u2028"\\ゆき 서울', None, None, nothing=True
)
DETAILS = Details(
    Veracity.TOOL, MemoryType.EVENT, 0.1, 1 / 3, "茶", ("家", ""), '{"a": 1e3}', "call", LATEST, "s", "小雨"
)
OTHER_DETAILS = Details(Veracity.STATED, MemoryType.FACT, 10.0, None, None, (), "{}", None, None, None, None)
WORDING = Wording("ADA", Triple("ADA", "lives in", None), Place("work"))
ASSERTION = Assertion(
    MEMORY.key,
    ORIGIN,
    EARLIEST,
    EARLIEST + 1,
    FOREVER,
    1,
    DETAILS,
    WORDING,
    (b"\x01\x02", b"\x03"),
    123,
    b"\x09" * 16,
    (b"\x04", b"\x05\x06"),
)
OTHER_ASSERTION = Assertion(
    MEMORY.key, OTHER_ORIGIN, -1, 0, LATEST, 9_999, OTHER_DETAILS, None, (), LATEST, b"\x0a" * 16
)
LINK = Link(LinkKind.SAME_AS, "aa", "bb", ORIGIN, 1, 2, 3, b"\x01")
OTHER_LINK = Link(LinkKind.ALIAS, "小雨", "", OTHER_ORIGIN, 4, 5, 6, b"\x02")
WITHDRAWAL = Withdrawal(b"\x01", ORIGIN, 7, "見間違い", "corrected", 8)
OTHER_WITHDRAWAL = Withdrawal(b"\x02", OTHER_ORIGIN, 9, "", "withdrawn", 10)

REVIEW = Review(
    "rev_1",
    ReviewKind.SHADOWED,
    "mem_7",
    7,
    b"\x01",
    ORIGIN,
    "小雨",
    1,
    2,
    '{"規則": 1}',
    None,
    ReviewState.DENIED,
    "ゆき",
    3,
)
OTHER_REVIEW = Review(
    "rev_2", ReviewKind.QUARANTINE, "mem_8", None, b"", OTHER_ORIGIN, "", 4, FOREVER, "{}", '{"content": "家"}',
    ReviewState.OPEN, None, None, 7,
)  # fmt: skip
BLOCK, OTHER_BLOCK = Block(b"\x00\x01", "channel", "plan_1", "操作員", 5), Block(b"\x02", "import", "", "", LATEST)
PLAN = KeptPlan("plan_1", b"\x00" * 32, '{"源": 1e3}', "done", 5, 9, "操作員", "ゆき", '{"removed": 3}')
OTHER_PLAN = KeptPlan("plan_2", b"\xff" * 32, "{}", "planned", 6, LATEST, "", None, None)
LINE = AuditEntry(1, 5, "操作員", "forget", "dudu", "來源", '{"n": 1e3}', b"", b"\x00" * 32)
OTHER_LINE = AuditEntry(2, LATEST, "", "erase", "", "x", "{}", b"\x00" * 32, b"\xff" * 32)
DOMAIN = Domain(
    Place("決策"), "決策 🗳", "誰が決めたか", confidential=True, usual=Level.NONE, created_by="小雨", created_at=5
)
OTHER_DOMAIN = Domain(
    Place("Builds", "karte"), "", "", confidential=False, usual=Level.WRITE, created_by="", created_at=LATEST
)
GRANT, OTHER_GRANT = Grant("決策", Grantee.agent("小雨"), Level.READ), Grant("b", Grantee.role("엔지니어"), Level.NONE)

Write = Callable[[Any], Any]
RECORDS: dict[type, tuple[Any, Any, Write, Callable[[Any], Any]]] = {
    Memory: (MEMORY, OTHER_MEMORY, lambda m: records.write_memory("a", m), records.read_memory),
    Assertion: (
        ASSERTION,
        OTHER_ASSERTION,
        lambda a: records.write_assertion("a", 7, a),
        lambda row: records.read_assertion(MEMORY.key, row),
    ),
    Details: (
        DETAILS,
        OTHER_DETAILS,
        lambda d: records.write_assertion("a", 7, replace(ASSERTION, details=d)),
        lambda row: records.read_assertion(MEMORY.key, row).details,
    ),
    Link: (LINK, OTHER_LINK, lambda each: records.write_link("a", each), records.read_link),
    Withdrawal: (WITHDRAWAL, OTHER_WITHDRAWAL, lambda w: records.write_withdrawal("a", w), records.read_withdrawal),
    Likeness: (
        Likeness(2, 1, ""),
        Likeness(4, 3, "值"),
        lambda each: records.write_likeness("a", each),
        records.read_likeness,
    ),
    KeptReceipt: (
        KeptReceipt(b"\x00", "{}"),
        KeptReceipt(b"\xff", '{"家": 1}', b"\x07" * 16),
        lambda kept: records.write_receipt("a", 7, "鍵", kept),
        records.read_receipt,
    ),
    Review: (REVIEW, OTHER_REVIEW, lambda each: decisions.write_review("a", each), decisions.read_review),
    Block: (BLOCK, OTHER_BLOCK, decisions.write_block, decisions.read_block),
    KeptPlan: (PLAN, OTHER_PLAN, decisions.write_plan, decisions.read_plan),
    AuditEntry: (LINE, OTHER_LINE, decisions.write_audit, decisions.read_audit),
    Domain: (DOMAIN, OTHER_DOMAIN, knowing.write_domain, knowing.read_domain),
    Grant: (GRANT, OTHER_GRANT, knowing.write_grant, knowing.read_grant),
    Usage: (Usage(1, 2), Usage(3, LATEST), lambda usage: records.write_usage("a", 7, usage), records.read_usage),
}


class TestFields:
    @pytest.mark.parametrize(
        ("kind", "name"), [(kind, field.name) for kind in RECORDS for field in fields(kind)], ids=str
    )
    def test_every_field_of_a_record_is_in_its_row_and_read_back(self, kind: type, name: str) -> None:
        one, other, write, read = RECORDS[kind]
        changed = replace(one, **{name: getattr(other, name)})
        assert read(write(one)) == one
        assert read(write(other)) == other
        assert read(write(changed)) == changed
        assert (kind, name) == (Assertion, "key") or line(write(changed)) != line(write(one))

    def test_the_fields_of_agents_and_sets_are_those_that_the_owners_and_the_manifest_have(self) -> None:
        assert [field.name for field in fields(Agent)] == ["name", "role", "created_at"]
        assert [field.name for field in fields(VectorSet)] == ["number", "identity", "active"]

    def test_a_row_is_written_for_people_to_read(self) -> None:
        """By hand: times with microseconds and Z, open ends null, keys in hexadecimal, words as they are."""
        assert line(records.write_withdrawal(None, WITHDRAWAL)).decode() == (
            '{"agent":null,"target":"01",'
            '"origin":{"kind":"user_direct","container":"聊天:42","item":"m1"},'
            '"learned_at":"1970-01-01T00:00:00.000008Z","trust":7,"reason":"見間違い","event":"corrected"}\n'
        )
        row = records.write_assertion("ゆき", 7, replace(ASSERTION, details=OTHER_DETAILS))
        assert (row["observed_at"], row["valid_until"]) == ("0001-01-01T00:00:00.000000Z", None)
        assert (row["agent"], row["parents"]) == ("ゆき", ["0102", "03"])
