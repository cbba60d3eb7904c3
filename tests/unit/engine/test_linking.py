"""Aliases and predicates of many values."""

import pytest

from karte.core.origins import Origin
from karte.errors import EmptyText, InvalidValue, UnknownLink
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace


def lives(chart: Chart, subject: str, value: str, start: str = "2026-01-01") -> str:
    text = f"{subject} lives in {value}"
    return chart.store(text, subject=subject, predicate="lives in", object=value, valid_from=start).memory_id


def city(chart: Chart, subject: str, at: str | None = None) -> list[str | None]:
    return [memory.object for memory in chart.at(subject, "lives in", at).memories]


class TestAliases:
    def test_two_names_of_one_thing_share_their_facts(self, dudu: Chart) -> None:
        lives(dudu, "Ada", "Paris")
        lives(dudu, "Countess of Lovelace", "London", "2026-03-01")
        alias = dudu.add_alias("Ada", "Countess of  Lovelace")
        assert (alias.canonical, alias.alias) == ("ada", "countess of lovelace")
        assert city(dudu, "Ada") == city(dudu, "Countess of Lovelace") == ["London"]
        assert city(dudu, "Ada", "2026-02-01") == ["Paris"]
        assert len(dudu.history("Ada", "lives in").chain) == 2

    def test_what_is_stored_later_under_either_name_joins_the_chain(self, dudu: Chart) -> None:
        dudu.add_alias("Ada", "Countess")
        lives(dudu, "Ada", "Paris")
        lives(dudu, "Countess", "London", "2026-03-01")
        assert city(dudu, "Ada") == ["London"]

    def test_when_it_is_removed_they_part_again(self, dudu: Chart) -> None:
        lives(dudu, "Ada", "Paris")
        lives(dudu, "Countess", "London", "2026-03-01")
        dudu.add_alias("Ada", "Countess")
        dudu.remove_alias("countess", "ADA")
        assert (city(dudu, "Ada"), city(dudu, "Countess")) == (["Paris"], ["London"])
        assert dudu.aliases() == []

    def test_as_of_before_it_was_known_the_names_are_two(self, dudu: Chart, clock: GivenClock) -> None:
        lives(dudu, "Ada", "Paris")
        lives(dudu, "Countess", "London", "2026-03-01")
        clock.advance(60)
        dudu.add_alias("Ada", "Countess")
        known_at = "2026-07-01T00:00:30Z"
        assert [m.object for m in dudu.at("Ada", "lives in", known_at=known_at).memories] == ["Paris"]
        assert len(dudu.history("Ada", "lives in", known_at=known_at).chain) == 1

    def test_equal_values_under_an_alias_are_one_statement_of_two_sources(self, dudu: Chart) -> None:
        for subject, origin in (("Ada", "import:a"), ("Countess", "import:b")):
            dudu.store(
                "In Paris", subject=subject, predicate="is", object="Paris", origin=origin, valid_from="2026-01-01"
            )
        before = [len(dudu.at(name, "is").memories[0].said) for name in ("Ada", "Countess")]
        dudu.add_alias("Ada", "Countess")
        (item,) = dudu.at("Ada", "is").memories
        assert (before, len(item.said), len(dudu.list().memories)) == ([1, 1], 2, 1)

    def test_an_alias_of_objects_joins_equal_values(self, dudu: Chart) -> None:
        for value in ("Paris", "巴黎"):
            dudu.store("There", subject="Ada", predicate="is", object=value, valid_from="2026-01-01")
        dudu.add_alias("Paris", "巴黎")
        assert len(dudu.at("Ada", "is").memories[0].said) == 2

    def test_aliases_are_listed_by_canonical_name_with_the_first_source(self, dudu: Chart) -> None:
        dudu.add_alias("zoe", "z")
        dudu.acting(origin=Origin("operator", "a")).add_alias("ada", "countess")
        dudu.acting(origin=Origin("operator", "b")).add_alias("ada", "countess")
        shown = [alias.to_dict() for alias in dudu.aliases()]
        assert shown == [
            {"canonical": "ada", "alias": "countess", "origin": "operator:a"},
            {"canonical": "zoe", "alias": "z", "origin": "operator:python"},
        ]

    def test_the_same_alias_again_changes_nothing(self, dudu: Chart) -> None:
        dudu.add_alias("ada", "countess")
        dudu.add_alias("ADA", "Countess")
        dudu.remove_alias("ada", "countess")
        assert dudu.aliases() == []

    def test_an_alias_that_was_removed_can_be_added_again(self, dudu: Chart) -> None:
        for _ in range(2):
            dudu.add_alias("ada", "countess")
            dudu.remove_alias("ada", "countess")
        dudu.add_alias("ada", "countess")
        assert len(dudu.aliases()) == 1

    def test_an_untrusted_alias_does_not_act(self, dudu: Chart) -> None:
        lives(dudu, "Ada", "Paris")
        dudu.acting(trust_ceiling=3_000).add_alias("Ada", "Countess")
        assert (dudu.aliases(), city(dudu, "Countess")) == ([], [])

    def test_a_name_is_no_alias_of_itself(self, dudu: Chart) -> None:
        with pytest.raises(InvalidValue):
            dudu.add_alias("Ada", " ADA ")
        with pytest.raises(EmptyText):
            dudu.add_alias("Ada", "")

    def test_an_alias_that_is_not_there_cannot_be_removed(self, dudu: Chart) -> None:
        with pytest.raises(UnknownLink):
            dudu.remove_alias("Ada", "Countess")

    def test_a_chain_of_derived_trust_follows_when_names_part(self, dudu: Chart) -> None:
        parent = lives(dudu, "Countess", "London", "2026-03-01")
        lives(dudu, "Ada", "Paris", "2026-04-01")
        child = dudu.store("She sees the Thames", derived_from=[parent]).memory_id
        before = dudu.read(child).marks
        dudu.add_alias("Ada", "Countess")
        assert (before, dudu.read(child).marks) == ((), ("stale",))


class TestPredicates:
    @pytest.fixture(autouse=True)
    def _told(self, dudu: Chart) -> None:
        for value, start in (("茶", "2026-01-01"), ("咖啡", "2026-03-01")):
            dudu.store(f"小雨喜歡{value}", subject="小雨", predicate="喜歡", object=value, valid_from=start)

    def liked(self, dudu: Chart, at: str | None = None) -> list[str]:
        return sorted(str(memory.object) for memory in dudu.at("小雨", "喜歡", at).memories)

    def test_a_predicate_has_one_value_unless_it_is_declared(self, dudu: Chart) -> None:
        assert (self.liked(dudu), dudu.multi_valued()) == (["咖啡"], [])

    def test_values_of_a_declared_predicate_live_side_by_side(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        assert (self.liked(dudu), self.liked(dudu, "2026-02-01")) == (["咖啡", "茶"], ["茶"])
        assert dudu.multi_valued() == ["喜歡"]

    def test_when_the_declaration_is_withdrawn_they_compete_again(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        dudu.set_predicate("喜歡", multi_valued=False)
        assert (self.liked(dudu), dudu.multi_valued()) == (["咖啡"], [])

    def test_declaring_what_stands_already_changes_nothing(self, dudu: Chart) -> None:
        for many in (False, True, True):
            dudu.set_predicate("喜歡", multi_valued=many)
        assert dudu.multi_valued() == ["喜歡"]

    def test_values_without_an_object_are_a_chain_of_their_own(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        dudu.store("小雨喜歡的不多", subject="小雨", predicate="喜歡", valid_from="2026-01-01")
        assert len(dudu.at("小雨", "喜歡").memories) == 3

    def test_a_value_without_an_object_hides_nothing_of_the_others(self, dudu: Chart) -> None:
        dudu.set_predicate("likes", multi_valued=True)
        ids = [
            dudu.store(text, subject="Ada", predicate="likes", object=value, valid_from=start).memory_id
            for text, value, start in (
                ("Ada likes little", None, "2026-01-01"),
                ("Ada likes tea", "tea", "2026-01-01"),
                ("Ada still likes tea", "tea", "2026-05-01"),
            )
        ]
        both = ids[:2]
        found = [[m.status.value for m in dudu.fetch(ids).memories] for ids in (both, both[::-1])]
        assert found == [["in_force", "historical"], ["historical", "in_force"]]

    def test_an_alias_of_two_values_makes_them_one(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        dudu.add_alias("茶", "咖啡")
        assert self.liked(dudu) == ["咖啡"]


def test_after_all_of_this_the_doctor_finds_nothing(dudu: Chart, ws: Workspace) -> None:
    lives(dudu, "Ada", "Paris")
    lives(dudu, "Countess", "London", "2026-03-01")
    dudu.add_alias("Ada", "Countess")
    dudu.set_predicate("lives in", multi_valued=True)
    dudu.add_alias("Paris", "London")
    dudu.remove_alias("Ada", "Countess")
    assert ws.doctor().differences == ()
