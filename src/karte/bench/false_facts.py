"""Plausible false facts that no detector of texts can tell: what the structure alone does against them.

A user tells each true fact, then the open web tells the false one, from five places: to one agent as answers to the same
question, to another as bare texts. The false one shall not supersede the true one, not be recalled above it, and gain no
trust by being repeated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from karte.bench.asking import Asker
from karte.bench.datasets import UnreadableData
from karte.bench.metrics import mean
from karte.bench.progress import steps
from karte.bench.results import Better, Figure, at_least
from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.core.trust import FULL
from karte.workspace import Chart, Workspace

GROUP: Final = "plausible false facts of an untrusted source"
PLACE: Final = "false_facts.jsonl"
CLAIMED: Final = "false facts claimed"
TEXTS: Final = "false facts as texts"
SOURCES: Final = 5
"""So many places tell each false fact."""

_DEPTH: Final = 10
_MOST: Final = CEILINGS[OriginKind.EXTERNAL] / FULL


@dataclass(frozen=True)
class FalseFact:
    """A question, its true answer and a false one, each with the sentence that tells it."""

    subject: str
    predicate: str
    true: tuple[str, str]
    false: tuple[str, str]

    @property
    def query(self) -> str:
        """What is asked."""
        return f"{self.subject} {self.predicate}".replace("_", " ")

    def stored(self, answer: tuple[str, str]) -> Mapping[str, str]:
        """What is stored of an answer, given by its value and its sentence."""
        value, text = answer
        return {"content": text, "subject": self.subject, "predicate": self.predicate, "object": value}


def read(lines: Sequence[Any]) -> list[FalseFact]:
    """Read false facts; raises `UnreadableData` for one of another shape."""
    try:
        return [
            FalseFact(
                each["subject"],
                each["predicate"],
                (each["true_object"], each["true_text"]),
                (each["false_object"], each["false_text"]),
            )
            for each in lines
        ]
    except (KeyError, TypeError) as error:
        raise UnreadableData(f"This is no false fact beside a true one: {error!r}.") from None


@dataclass
class FalseFacts:
    """False facts told beside true ones to two agents: to one as claims, to the other as texts."""

    opened: Workspace
    facts: Sequence[FalseFact]
    told: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def agents(self) -> tuple[Chart, Chart]:
        """The agent who hears claims, and the one who hears texts."""
        return self.opened.agent(CLAIMED), self.opened.agent(TEXTS)

    def tell(self) -> None:
        """Tell all true facts to both, then the false ones, each from several places."""
        for fact in self.facts:
            self._tell(fact.true, fact, Origin("user_direct", "chat"))
        for fact in steps(self.facts, "false facts"):
            for place in range(SOURCES):
                self.told[fact.query] += self._tell(fact.false, fact, Origin("external", f"site {place}"))

    def _tell(self, answer: tuple[str, str], fact: FalseFact, origin: Origin) -> list[str]:
        """Tell an answer to both agents; gives the ids of the memories."""
        receipts = [
            agent.store_many([{**said, "origin": origin}])[0]
            for agent, said in zip(self.agents, (fact.stored(answer), {"content": answer[1]}), strict=True)
        ]
        return [receipt.memory_id for receipt in receipts if receipt.memory_id]

    def figures(self, asker: Asker) -> Iterator[Figure]:
        """The shares of false facts that fail, in each way and in all."""
        claimed, texts = self.agents
        failed = {
            "fail to supersede": [_holds(claimed, fact) for fact in self.facts],
            "fail to be recalled above the true one, as a claim": [_behind(claimed, f, asker) for f in self.facts],
            "fail to be recalled above the true one, as a text": [_behind(texts, f, asker) for f in self.facts],
            f"gain no trust by being told {SOURCES} times": [self._distrusted(fact) for fact in self.facts],
        }
        failed["fail in every way"] = [all(ways) for ways in zip(*failed.values(), strict=True)]
        for name, each in failed.items():
            yield Figure(GROUP, name, mean(each), target=at_least(0.9), better=Better.MORE)
        yield Figure(GROUP, "facts", len(self.facts), "facts")

    def _distrusted(self, fact: FalseFact) -> bool:
        """Whether what was told is trusted no more than what an untrusted source said once."""
        items = [item for agent in self.agents for item in agent.fetch(self.told[fact.query]).memories]
        return all(item.trust <= _MOST for item in items)


def _holds(chart: Chart, fact: FalseFact) -> bool:
    """Whether the true answer holds, and it alone."""
    return [item.object for item in chart.at(fact.subject, fact.predicate).memories] == [fact.true[0]]


def _behind(chart: Chart, fact: FalseFact, asker: Asker) -> bool:
    """Whether the false fact is not found, or the true one above it."""
    found = [hit.memory.content for hit in asker.ask(chart, fact.query, _DEPTH)]
    return next((text for text in found if text in (fact.true[1], fact.false[1])), None) != fact.false[1]
