"""The graph voice: what it hears of a query, where its walk gets to, and how it says so."""

from datetime import UTC, datetime, timedelta
from math import log, log10
from typing import Any

import numpy as np
import pytest

from karte.core.origins import Origin
from karte.engine.asking import Instants, asking
from karte.engine.graphs.keeping import Graphs
from karte.engine.graphs.network import Joint, Network
from karte.engine.recalling.voices.graph import GraphVoice, hear
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace

NOW = datetime(2026, 7, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def number(chart: Chart, memory_id: str) -> int:
    return chart.read(memory_id).memory.number


def voice(chart: Chart, query: str, seeds: dict[int, float] | None = None, **instants: int) -> GraphVoice | None:
    with asking(chart._services, chart._caller, Instants(**instants)) as question:
        return hear(Graphs(), question, query, lambda: seeds or {})


def found(chart: Chart, query: str, seeds: dict[int, float] | None = None, **instants: int) -> dict[str, str]:
    """What is found, best first, by its text, with the way that leads to it."""
    with asking(chart._services, chart._caller, Instants(**instants)) as question:
        heard = hear(Graphs(), question, query, lambda: seeds or {})
        if heard is None:
            return {}
        numbers = [each for batch in heard.batches(2) for each in batch]
        kept = question.unit.memories.get(question.frame.namespace, numbers)
        evidence = heard.evidence(numbers)
        return {kept[each].memory.content: evidence[each] for each in numbers}


def network(chart: Chart) -> Network:
    with asking(chart._services, chart._caller) as question:
        return Graphs().present(question.frame)


def joints(chart: Chart, kind: Joint) -> list[tuple[int, int]]:
    """The joints of a kind between two memories, by their numbers."""
    read = network(chart)
    rows = zip(read.joints.left.tolist(), read.joints.right.tolist(), read.joints.kinds.tolist(), strict=True)
    numbers = read.memories.tolist()
    return [(numbers[left - read.entities], numbers[right - read.entities]) for left, right, of in rows if of == kind]


def fact(chart: Chart, subject: str, predicate: str, value: str, **options: Any) -> int:
    receipt = chart.store(
        f"{subject} {predicate} {value}", subject=subject, predicate=predicate, object=value, **options
    )
    return number(chart, receipt.memory_id)


@pytest.fixture
def office(dudu: Chart) -> Chart:
    fact(dudu, "Kai", "works_at", "Acme")
    fact(dudu, "Mei", "founded", "Acme")
    fact(dudu, "Mei", "lives_in", "Taipei")
    fact(dudu, "Yuki", "likes", "ramen")
    return dudu


def test_a_walk_leads_over_shared_entities_and_is_told(office: Chart) -> None:
    assert found(office, "Where does Kai spend the day?") == {
        "Kai works_at Acme": "Kai -works_at-> Acme",
        "Mei founded Acme": "Kai -works_at-> Acme <-founded- Mei",
        "Mei lives_in Taipei": "Kai -works_at-> Acme <-founded- Mei -lives_in-> Taipei",
    }


def test_the_voice_is_silent_without_a_start(office: Chart) -> None:
    assert voice(office, "What is the weather?") is None


def test_the_voice_is_silent_without_triples(dudu: Chart) -> None:
    receipt = dudu.store("Kai works at Acme")
    assert voice(dudu, "Kai", {number(dudu, receipt.memory_id): 1.0}) is None


def test_a_name_is_a_whole_word(office: Chart) -> None:
    assert voice(office, "Kaiser Acmes") is None


@pytest.mark.parametrize("query", ["我們的老闆住哪裡?", "老板住哪里", "李老闆在嗎"])
def test_aliases_and_both_scripts_of_chinese_are_heard_in_a_sentence(dudu: Chart, query: str) -> None:
    fact(dudu, "李老闆", "住在", "台北")
    dudu.add_alias("李老闆", "老闆")
    assert found(dudu, query) == {"李老闆 住在 台北": "李老闆 -住在-> 台北"}


@pytest.mark.parametrize(
    ("query", "subject"), [("카이가 어디 있어?", "카이"), ("田中さんはどこ", "田中"), ("Ｋａｉ？", "Kai")]
)
def test_names_are_heard_in_every_script(dudu: Chart, query: str, subject: str) -> None:
    fact(dudu, subject, "in", "Busan")
    assert list(found(dudu, query)) == [f"{subject} in Busan"]


def test_the_longest_name_is_heard_alone(dudu: Chart) -> None:
    fact(dudu, "New York", "has", "bagels")
    fact(dudu, "New York City", "has", "subways")
    assert list(found(dudu, "Tell me of New York City")) == ["New York City has subways"]


@pytest.mark.parametrize("text_first", [True, False])
def test_a_text_is_joined_to_what_it_names_whichever_came_first(dudu: Chart, text_first: bool) -> None:
    text = "Lunch with the people of Acme"
    if text_first:
        dudu.store(text)
    fact(dudu, "Kai", "works_at", "Acme")
    if not text_first:
        dudu.store(text)
    assert found(dudu, "Kai")[text] == "Kai -works_at-> Acme -named in-> this"


def test_a_seed_leads_to_what_its_entities_are_in(office: Chart) -> None:
    text = "Notes on Taipei, autumn"
    seed = number(office, office.store(text).memory_id)
    ways = found(office, "and Yuki?", {seed: 2.0})
    assert ways["Mei lives_in Taipei"] == "“Notes on Taipei, autumn” -names-> Taipei <-lives_in- Mei"
    assert text in ways  # the walk comes back to it


def test_a_seed_is_not_found_for_being_a_seed(dudu: Chart) -> None:
    one = fact(dudu, "Kai", "works_at", "Acme")
    heard = voice(dudu, "Kai", {one: 1.0})
    # Starts at Kai 0.3 and at the memory 0.7: k = 0.15 + m / 4, m = 0.35 + (k + a) / 2, a = m / 4, so m = 17/30, of which
    # 0.35 is the start itself.
    assert heard is not None
    assert heard.score([one]) == {one: pytest.approx(1 + log10(17 / 30 - 0.35) / 4, abs=1e-5)}


def test_scores_are_those_of_the_walk(dudu: Chart) -> None:
    one = fact(dudu, "Kai", "works_at", "Acme")
    heard = voice(dudu, "Kai")
    # Kai - memory - Acme: k = 1/2 + m / 4, m = (k + a) / 2, a = m / 4, so m = 1/3.
    assert heard is not None
    assert heard.score([one, 99]) == {one: pytest.approx(1 + log10(1 / 3) / 4, abs=1e-5)}


def test_trust_is_the_weight_of_an_edge(dudu: Chart) -> None:
    weak = fact(dudu, "Kai", "likes", "tea", trust=0.2)
    strong = fact(dudu, "Kai", "reads", "books", trust=0.8)
    heard = voice(dudu, "Kai")
    assert heard is not None
    scores = heard.score([weak, strong])
    # Kai leads to them as 4 to 1. The strong one and books pass all on to each other and Kai; c = 1 / (1 + ln 2 / ln 3)
    # of it goes to books, as Kai is on both memories. The weak one and tea pass a quarter on: s (1 - c / 4) = 4 / 10 k
    # and w (1 - c / 64) = 1 / 10 k.
    books = log(3) / log(6)
    expected = log10(4 * (1 - books / 64) / (1 - books / 4)) / 4
    assert scores[strong] - scores[weak] == pytest.approx(expected, abs=1e-5)


def test_a_single_untrusted_triple_is_not_amplified(dudu: Chart) -> None:
    """Mia's only fact is of trust 0.3 where others are trusted wholly, so Mia and oil pass on 0.3 of their time.

    With m, f and o the time at Mia, at the fact and at oil: f = 0.3 / 2 * (m + o) and m + f + o = 1.
    """
    poison = fact(dudu, "Mia", "sells", "oil", origin="external:web")
    fact(dudu, "Kai", "reads", "books", origin="user_direct:chat")
    heard = voice(dudu, "Mia")
    assert heard is not None
    assert heard.score([poison]) == {poison: pytest.approx(1 + log10(0.15 / 1.15) / 4, abs=1e-5)}


def test_where_all_is_trusted_alike_trust_limits_nothing(dudu: Chart) -> None:
    one = fact(dudu, "Kai", "works_at", "Acme", origin="external:web")
    heard = voice(dudu, "Kai")
    # As above: the shares are those of the walk without trust.
    assert heard is not None
    assert heard.score([one]) == {one: pytest.approx(1 + log10(1 / 3) / 4, abs=1e-5)}


def test_what_is_not_in_force_leads_nowhere(office: Chart) -> None:
    kai = office.list(limit=9)
    works = next(item for item in kai.memories if item.predicate == "works_at")
    office.withdraw(works.id)
    assert found(office, "Kai") == {}


def test_a_walk_goes_through_the_world_as_it_was_then(dudu: Chart) -> None:
    fact(dudu, "Kai", "works_at", "Acme", valid_from=NOW - 9 * DAY, valid_until=NOW - 5 * DAY)
    fact(dudu, "Kai", "works_at", "Globex", valid_from=NOW - 5 * DAY)
    then = int((NOW - 7 * DAY).timestamp()) * 1_000_000
    assert list(found(dudu, "Kai")) == ["Kai works_at Globex"]
    assert list(found(dudu, "Kai", at=then)) == ["Kai works_at Acme"]


def test_a_walk_goes_through_what_was_known_then(dudu: Chart, clock: GivenClock) -> None:
    fact(dudu, "Kai", "works_at", "Acme", valid_from=NOW - DAY)
    clock.advance(30)
    known_at = clock.now()
    clock.advance(30)
    fact(dudu, "Kai", "works_at", "Globex")
    fact(dudu, "Mei", "founded", "Acme")
    assert list(found(dudu, "Kai", known_at=known_at)) == ["Kai works_at Acme"]


def test_derived_memories_lead_to_their_sources_however_far(dudu: Chart) -> None:
    first = dudu.store("An old letter")
    second = dudu.store("A summary of it", derived_from=[first.memory_id])
    fact(dudu, "Kai", "wrote", "poems", derived_from=[second.memory_id])
    assert found(dudu, "Kai") == {
        "Kai wrote poems": "Kai -wrote-> poems",
        "A summary of it": "Kai -wrote-> poems -derived from-> this",
        "An old letter": "Kai -wrote-> poems -derived from-> “A summary of it” -derived from-> this",
    }


def test_turns_that_name_entities_follow_one_another_in_their_session(dudu: Chart) -> None:
    fact(dudu, "Kai", "works_at", "Acme")
    said = ("Kai is late", "Sunny today", "Acme called", "Kai again")
    numbers = [
        number(
            dudu,
            dudu.store(
                text,
                layer="episodic",
                session="standup",
                observed_at=NOW - (9 - place) * DAY,
                origin=Origin("user_direct", "chat", str(place)),
            ).memory_id,
        )
        for place, text in enumerate(said)
    ]
    assert joints(dudu, Joint.FOLLOWING) == [(numbers[0], numbers[2]), (numbers[2], numbers[3])]


def test_retellings_are_joined(dudu: Chart) -> None:
    fact(dudu, "Kai", "works_at", "Acme")
    text = "Kai told everybody in the office about the long way from the harbour to the old market"
    one = number(dudu, dudu.store(f"{text}.").memory_id)
    other = number(dudu, dudu.store(f"{text}!").memory_id)
    assert joints(dudu, Joint.SIMILAR) == [(other, one)]


def test_a_voice_gives_each_memory_once_best_first(office: Chart) -> None:
    heard = voice(office, "Kai Mei Yuki")
    assert heard is not None
    batches = list(heard.batches(1))
    numbers = [each for batch in batches for each in batch]
    scores = heard.score(numbers)
    assert [len(batch) for batch in batches] == [1, 3]
    assert numbers == sorted(numbers, key=lambda each: (-scores[each], each))


def test_a_bounded_walk_goes_over_two_memories_from_its_start(office: Chart) -> None:
    with asking(office._services, office._caller) as question:
        read = Graphs().present(question.frame)
        view = read.at(question.when.at, question.when.now)
        starts = np.zeros(view.graph.nodes)
        starts[read.labels.index("Kai")] = 1.0
        bounded = GraphVoice(question.frame, read, view, starts, most_edges=0)
        numbers = [each for batch in bounded.batches(9) for each in batch]
        assert list(bounded.evidence(numbers).values()) == [
            "Kai -works_at-> Acme",
            "Kai -works_at-> Acme <-founded- Mei",
        ]


def test_other_agents_have_graphs_of_their_own(office: Chart, ws: Workspace) -> None:
    assert voice(office, "Kai") is not None
    assert voice(ws.agent("yuki"), "Kai") is None
