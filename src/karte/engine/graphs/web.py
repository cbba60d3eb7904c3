"""A namespace's graph in the making: read once, and then only what changed.

What a memory says never changes, and a memory is gone only by erasure. So a new reading takes in the memories that are
new, and what may be different of the others: when they are in force, what they were derived from, and their turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from karte.core.assertions import Link, LinkKind
from karte.core.bulk import Fact
from karte.core.standing import acting_links
from karte.engine.conversations import Conversations
from karte.engine.gathering import Frame
from karte.engine.graphs.entities import Entities
from karte.engine.graphs.mentioning import Mentions
from karte.engine.graphs.network import NEVER, Joint, Network, Parts
from karte.ports import Facts


def aliases_of(frame: Frame, known_at: int = NEVER) -> tuple[Link, ...]:
    """The aliases that act, in a fixed order, as of a system time."""
    links = [link for link in frame.unit.records.all_name_links(frame.namespace) if link.kind is LinkKind.ALIAS]
    links = [link for link in links if link.learned_at <= known_at]
    withdrawals = frame.unit.records.withdrawals(frame.namespace, [link.identity for link in links]) if links else []
    acting = acting_links(links, [w for w in withdrawals if w.learned_at <= known_at], (), frame.tiers)
    return tuple(sorted(acting, key=lambda link: (link.left, link.right, link.identity)))


@dataclass
class Web:
    """What was read of a namespace up to the memory `last`; `changed_at` is the system time up to which it is true."""

    aliases: Sequence[Link]
    erasures: int
    entities: Entities = field(init=False)
    mentions: Mentions = field(default_factory=Mentions)
    parts: Parts = field(default_factory=Parts)
    nodes: set[int] = field(default_factory=set)
    sessions: dict[str, int] = field(default_factory=dict)
    last: int = 0
    read_at: int = -1

    def __post_init__(self) -> None:
        self.entities = Entities(self.aliases)

    def read(self, frame: Frame, facts: Facts) -> bool:
        """Take in what is new and what changed; tells whether anything of the graph may be different."""
        following = frame.unit.lexicon.size(frame.namespace).following
        changed = None if self.read_at < 0 else facts.changed(frame.namespace, self.read_at)
        self.read_at = frame.unit.last_learned()
        if changed == []:
            return False
        said = facts.triples(frame.namespace, changed)
        fresh = self._state(fact for fact in said if fact.number > self.last)
        fresh |= self._mention(frame, changed)
        self.last = following - 1
        self._surround(frame, facts, fresh - self.nodes, self.nodes.intersection(changed or ()))
        return True

    @property
    def size(self) -> int:
        """How much there was to read: triples and texts."""
        return len(self.parts.facts) + self.last

    def _state(self, facts: Iterable[Fact]) -> set[int]:
        number, stated = self.entities.number, set()
        for fact in facts:
            subject = number(fact.names.subject, fact.triple.subject)
            value = -1 if fact.names.object is None else number(fact.names.object, fact.triple.object or "")
            self.parts.facts.extend([(fact.number, subject, -1 if value == subject else value)])
            stated.add(fact.number)
        return stated

    def _mention(self, frame: Frame, changed: Sequence[int] | None) -> set[int]:
        """Search the known texts for new names, then the new texts for all names."""
        unit, namespace = frame.unit, frame.namespace
        sought = self.entities.seek_new()
        known = frame.unit.lexicon.size(namespace).following - 1 if changed is None else self.last
        found = self.mentions.look_up(unit, namespace, sought, known) if sought.names else set()
        new = [number for number in changed or () if number > self.last]
        texts = unit.facts.texts(namespace, new) if new and self.entities.labels else ()
        return found | self.mentions.search(self.entities.names, texts)

    def _surround(self, frame: Frame, facts: Facts, fresh: set[int], touched: set[int]) -> None:
        """Read what is around new memories and anew what is around those that were touched, and their ancestors."""
        parts = self.parts
        parts.spells.drop(touched)
        parts.turns.drop(touched)
        waiting = fresh | touched
        while waiting:
            self.nodes |= waiting
            self._read_around(frame, facts, waiting)
            parents = facts.parents(frame.namespace, waiting)
            parts.kin.extend((child, parent, Joint.DERIVED) for child, parent in parents)
            waiting = {parent for _, parent in parents} - self.nodes

    def _read_around(self, frame: Frame, facts: Facts, numbers: Collection[int]) -> None:
        unit, namespace, parts = frame.unit, frame.namespace, self.parts
        spells = facts.spells(namespace, numbers)
        parts.spells.extend(
            (s.number, s.start, s.end, NEVER if s.expires_at is None else s.expires_at, s.trust) for s in spells
        )
        turns = Conversations(unit.episodes, namespace, frame.tiers).turns(numbers)
        parts.turns.extend(
            (number, self.sessions.setdefault(turn.session, len(self.sessions)), turn.observed_at)
            for number, turn in turns.items()
            if turn.session is not None
        )
        likenesses = unit.likenesses.of(namespace, numbers)
        parts.kin.extend((max(like.one, like.other), min(like.one, like.other), Joint.SIMILAR) for like in likenesses)

    def network(self) -> Network:
        """The graph of what was read."""
        return self.parts.put_together(list(self.entities.labels), self.entities.names, self.mentions.telling())
