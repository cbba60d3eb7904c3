"""The contract for domains and for the memories that are not recalled."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from karte.core.granting import Grantee, GranteeKind, Level
from karte.core.memories import LONGEST_NAME, Layer, Place
from karte.ports import Domain, Grant, Store
from karte.testing.conformance.making import DUDU, STRANGER, WORKSPACE, YUKI, found, keep, memory

DECISIONS: Final = Domain(
    Place("決策"),
    "決策 🗳",
    "Wer hat was entschieden?\n誰が決めたか",
    confidential=True,
    usual=Level.NONE,
    created_by="dudu",
    created_at=5,
)
BUILDS: Final = Domain(
    Place("Builds", "karte"), "", "", confidential=False, usual=Level.READ, created_by="", created_at=-7
)
_LONG: Final = Place("部" * LONGEST_NAME, "署" * LONGEST_NAME)
ASIDE: Final = (Layer.POLICY, Layer.NOTE, Layer.MISTAKE, Layer.SESSION)


class KnowingConformance:
    """Domains and grants belong to the workspace and come back whole; what is not recalled is told by its layer."""

    def test_a_domain_is_found_by_its_scope_as_it_was_kept_last(self, store: Store) -> None:
        opened = replace(DECISIONS, label="Decisions", confidential=False, usual=Level.WRITE, created_by="ゆき")
        with store.writing() as unit:
            assert unit.domains.find("決策") is None
            unit.domains.keep(DECISIONS)
            unit.domains.keep(BUILDS)
            assert unit.domains.find("決策") == DECISIONS
        with store.writing() as unit:
            assert unit.domains.find("決策") == DECISIONS
            unit.domains.keep(opened)
            assert unit.domains.find("決策") == opened
        with store.reading() as unit:
            assert unit.domains.find("決策") == opened
            assert unit.domains.find("repo:karte/builds") == BUILDS
            assert [unit.domains.find(scope) for scope in ("builds", "Builds", "决策", "decisions", "")] == [None] * 5

    def test_domains_are_listed_by_scope_by_code_point(self, store: Store) -> None:
        domains = {name: replace(BUILDS, place=Place(name)) for name in ("決策", "b-2", "b", "決", "b1", "🗳", "ﾊ", "é")}
        with store.writing() as unit:
            assert unit.domains.all() == []
            for domain in domains.values():
                unit.domains.keep(domain)
        with store.reading() as unit:
            assert [domain.scope for domain in unit.domains.all()] == sorted(d.scope for d in domains.values())
            assert unit.domains.all() == sorted(domains.values(), key=lambda domain: domain.scope)

    def test_a_domain_without_a_name_is_that_of_its_repository(self, store: Store) -> None:
        whole = replace(BUILDS, place=Place(None, "Karte"))
        with store.writing() as unit:
            unit.domains.keep(whole)
        with store.reading() as unit:
            assert (unit.domains.find("repo:karte/"), unit.domains.all()) == (whole, [whole])

    def test_a_grant_takes_the_place_of_the_one_to_the_same_grantee_in_that_domain(self, store: Store) -> None:
        agent, role = Grantee.agent("小雨"), Grantee.role("小雨")
        with store.writing() as unit:
            assert unit.domains.grants() == []
            unit.domains.grant(Grant("決策", agent, Level.READ))
            unit.domains.grant(Grant("決策", role, Level.NONE))
            unit.domains.grant(Grant("決", agent, Level.READ))
        with store.writing() as unit:
            unit.domains.grant(Grant("決策", agent, Level.WRITE))
            assert Grant("決策", agent, Level.WRITE) in unit.domains.grants()
        with store.reading() as unit:
            assert unit.domains.grants() == [
                Grant("決", agent, Level.READ),
                Grant("決策", agent, Level.WRITE),
                Grant("決策", role, Level.NONE),
            ]

    def test_grants_are_listed_by_scope_kind_of_grantee_and_name(self, store: Store) -> None:
        names = [(scope, kind, name) for scope in ("b", "決") for kind in GranteeKind for name in ("Z", "a", "é", "部")]
        grants = [Grant(scope, Grantee(kind, name), Level.READ) for scope, kind, name in names]
        with store.writing() as unit:
            for grant in reversed(grants):
                unit.domains.grant(grant)
        with store.reading() as unit:
            assert unit.domains.grants() == grants

    def test_names_of_any_length_that_a_memory_may_have_are_kept(self, store: Store) -> None:
        long = replace(DECISIONS, place=_LONG)
        granted = Grant(long.scope, Grantee.role("엔" * LONGEST_NAME), Level.READ)
        with store.writing() as unit:
            for _ in range(2):
                unit.domains.keep(long)
                unit.domains.grant(granted)
        with store.reading() as unit:
            assert (unit.domains.find(long.scope), unit.domains.all(), unit.domains.grants()) == (
                long,
                [long],
                [granted],
            )

    def test_domains_outlive_the_memories_in_them(self, store: Store) -> None:
        inside, granted = memory(1, place=DECISIONS.place), Grant("決策", Grantee.agent("dudu"), Level.WRITE)
        with found(store).writing() as unit:
            keep(unit, inside)
            unit.domains.keep(DECISIONS)
            unit.domains.grant(granted)
        with store.writing() as unit:
            unit.memories.erase(DUDU, [1])
        with store.reading() as unit:
            assert (unit.domains.all(), unit.domains.grants()) == ([DECISIONS], [granted])

    def test_what_is_not_recalled_is_told_with_its_layer_by_namespace(self, store: Store) -> None:
        layers = dict(enumerate(Layer, 1))
        with found(store).writing() as unit:
            keep(unit, *(memory(number, layer=layer) for number, layer in layers.items()))
            keep(unit, memory(1, layer=Layer.POLICY), namespace=WORKSPACE)
            assert unit.memories.aside(DUDU).keys() == {n for n, layer in layers.items() if layer in ASIDE}
        with store.reading() as unit:
            aside = unit.memories.aside(DUDU)
            assert aside == {number: layer for number, layer in layers.items() if layer in ASIDE}
            assert unit.memories.aside(WORKSPACE) == {1: Layer.POLICY}
            assert unit.memories.aside(YUKI) == unit.memories.aside(STRANGER) == {}
            assert unit.memories.aside(DUDU) == aside

    def test_the_newest_of_a_domain_are_told_by_its_scope(self, store: Store) -> None:
        inside = [memory(number, place=DECISIONS.place) for number in (1, 3, 4)]
        rule = memory(5, place=DECISIONS.place, layer=Layer.POLICY)
        with found(store).writing() as unit:
            keep(unit, *inside, rule, memory(2, place=BUILDS.place), memory(6))
            keep(unit, memory(1, place=DECISIONS.place), namespace=WORKSPACE)
        with store.reading() as unit:
            assert unit.memories.in_scope(DUDU, "決策", 2) == [4, 3]
            assert unit.memories.in_scope(DUDU, "決策", 9) == [4, 3, 1]
            assert unit.memories.in_scope(DUDU, rule.scope, 9) == [5]
            assert unit.memories.in_scope(DUDU, BUILDS.scope, 9) == [2]
            assert unit.memories.in_scope(WORKSPACE, "決策", 9) == [1]
            assert unit.memories.in_scope(STRANGER, "決策", 9) == unit.memories.in_scope(DUDU, "none", 9) == []

    def test_what_was_erased_is_not_told_of_any_more(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1, layer=Layer.NOTE), memory(2, layer=Layer.MISTAKE))
        with store.writing() as unit:
            unit.memories.erase(DUDU, [1])
            assert unit.memories.aside(DUDU) == {2: Layer.MISTAKE}
        with store.reading() as unit:
            assert unit.memories.aside(DUDU) == {2: Layer.MISTAKE}

    def test_a_layer_that_is_not_recalled_comes_back_with_its_memory(self, store: Store) -> None:
        notes = [memory(number, layer=layer) for number, layer in enumerate(ASIDE, 1)]
        with found(store).writing() as unit:
            keep(unit, *notes)
        with store.reading() as unit:
            kept = unit.memories.get(DUDU, range(1, len(notes) + 1))
            assert [kept[note.number].memory for note in notes] == notes
