"""Commands whose outcome must not depend on the order in which they come: each a small program told in all orders."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from karte.core.origins import Origin
from karte.core.results import Status
from karte.testing.programs import day
from karte.workspace import Chart
from tests.laws.opening import Desk, opened
from tests.stores import STORES, Making

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with opened(request.param) as desk:
        yield desk


def speaking_for(chart: Chart, source: str, trust: int = 10_000) -> Chart:
    return chart.acting(origin=Origin("operator", source), trust_ceiling=trust)


def lives(chart: Chart, subject: str) -> str:
    receipt = chart.store(
        f"{subject} lives in Paris",
        subject=subject,
        predicate="lives in",
        object="Paris",
        observed_at=day(0),
        valid_from=day(0),
    )
    return receipt.memory_id


def test_a_withdrawal_that_was_too_weak_does_not_shut_out_a_strong_one_of_the_same_source(desk: Desk) -> None:
    memory_id = lives(desk.chart, "Ada")
    speaking_for(desk.chart, "chat:1", 3_000).withdraw(memory_id)
    speaking_for(desk.chart, "chat:1").withdraw(memory_id)
    assert desk.chart.read(memory_id).status is Status.WITHDRAWN


def test_a_parting_of_names_that_was_too_weak_does_not_shut_out_a_strong_one_of_the_same_source(desk: Desk) -> None:
    desk.chart.add_alias("Ada", "Countess")
    speaking_for(desk.chart, "chat:1", 3_000).remove_alias("Ada", "Countess")
    speaking_for(desk.chart, "chat:1").remove_alias("Ada", "Countess")
    assert desk.chart.aliases() == []


def test_withdrawals_of_two_sources_are_both_kept(desk: Desk) -> None:
    memory_id = lives(desk.chart, "Ada")
    for source in ("chat:1", "chat:2"):
        speaking_for(desk.chart, source).withdraw(memory_id)
    chart = desk.chart
    with chart._services.store.reading() as unit:
        (said,) = unit.records.assertions(chart._caller.namespace, [1])
        kept = unit.records.withdrawals(chart._caller.namespace, [said.identity])
    assert sorted(w.origin.container for w in kept) == ["chat:1", "chat:2"]


def test_an_alias_of_two_sources_is_kept_for_both(desk: Desk) -> None:
    for source in ("chat:1", "chat:2"):
        speaking_for(desk.chart, source).add_alias("Ada", "Countess")
    chart = desk.chart
    with chart._services.store.reading() as unit:
        kept = unit.records.all_name_links(chart._caller.namespace)
    assert sorted(link.origin.container for link in kept) == ["chat:1", "chat:2"]


@each_store
def test_an_alias_that_two_tiers_gave_outlives_its_removal_by_the_lower_whoever_came_first(making: Making) -> None:
    found = []
    for trusts in permutations([5_000, 10_000]):
        with opened(making, (4_000, 9_000)) as desk:
            for trust in trusts:
                speaking_for(desk.chart, f"chat:{trust}", trust).add_alias("Ada", "Countess")
            speaking_for(desk.chart, "chat:5000", 5_000).remove_alias("Ada", "Countess")
            found.append([alias.canonical for alias in desk.chart.aliases()])
    assert found == [["ada"], ["ada"]]


@each_store
def test_an_end_is_of_the_subject_that_was_named_also_when_an_alias_goes_again(making: Making) -> None:
    def told(subjects: tuple[str, ...]) -> dict[str, int]:
        with opened(making) as desk:
            for subject in subjects:
                lives(desk.chart, subject)
            desk.chart.add_alias("Ada", "Countess")
            desk.chart.end_fact("Countess", "lives in", at=day(5))
            desk.chart.remove_alias("Ada", "Countess")
            return {
                subject: len(desk.chart.at(subject, "lives in", day(6)).memories) for subject in ("Ada", "Countess")
            }

    assert [told(subjects) for subjects in permutations(["Ada", "Countess"])] == [{"Ada": 1, "Countess": 0}] * 2


@each_store
@pytest.mark.parametrize(
    ("name", "writings"), [("domain", ("Work", "work")), ("subject", ("Ada", "ADA")), ("object", ("Café", "CAFÉ"))]
)
def test_names_are_shown_as_the_first_to_observe_wrote_them_whoever_was_learned_first(
    making: Making, name: str, writings: tuple[str, str]
) -> None:
    def shown(order: tuple[int, ...]) -> object:
        with opened(making) as desk:
            for place in order:
                options = {"subject": "Ada", "predicate": "likes", "object": "Café", name: writings[place]}
                told = {"observed_at": day(place), "valid_from": day(0)}
                receipt = desk.chart.store("Ada likes it", **{**options, **told})  # type: ignore[arg-type]  # by name
            return desk.chart.read(receipt.memory_id).to_dict()[name]

    assert [shown(order) for order in permutations([0, 1])] == [writings[0]] * 2


@each_store
@pytest.mark.parametrize("order", list(permutations(["paris", "london", "office"])), ids=" ".join)
def test_the_office_that_superseded_a_city_is_a_guest_there_in_every_order(making: Making, order: list[str]) -> None:
    facts = {"paris": ("Ada", "Paris", 0), "london": ("Ada", "London", 8), "office": ("office", "Lyon", 2)}
    ids: dict[str, str] = {}
    with opened(making) as desk:
        for name in order:
            subject, value, start = facts[name]
            receipt = desk.chart.store(
                f"{subject} is in {value}",
                subject=subject,
                predicate="is in",
                object=value,
                observed_at=day(0),
                valid_from=day(start),
            )
            ids[name] = receipt.memory_id
            if set(ids) == {"paris", "office"} or (len(ids) == len(facts) and name != "london"):
                desk.chart.supersede(ids["paris"], ids["office"], effective=day(5))
        city = [[m.object for m in desk.chart.at("Ada", "is in", day(at)).memories] for at in (0, 5, 8)]
        office = [m.object for m in desk.chart.at("office", "is in", day(9)).memories]
    assert (city, office) == ([["Paris"], ["Lyon"], ["London"]], ["Lyon"])
