"""Reading memories by id, and listing the newest ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.core.assertions import MemoryType
from karte.core.memories import Layer, check_name
from karte.core.namespaces import Principal
from karte.core.periods import FOREVER
from karte.core.results import Fetched, Item, Listing
from karte.core.text import fold_name
from karte.engine.asking import Asking, Instants, asking
from karte.engine.given import read_choice, read_layer, read_limit, read_texts
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import InvalidValue, TooManyIds

MOST_IDS: Final = 100
MOST_LISTED: Final = 1_000


@dataclass(frozen=True)
class Filters:
    """Which memories are wanted: of this layer, domain, repository, with all of these tags, of one of these types, of a session."""

    layer: Layer | None = None
    domain: str | None = None
    repo: str | None = None
    tags: frozenset[str] = frozenset()
    types: frozenset[MemoryType] = frozenset()
    session: str | None = None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers that these filters open: what belongs to a session is shown to who asks for that session."""
        return () if self.session is None else (Layer.SESSION,)

    def accept(self, item: Item) -> bool:
        """Tell whether a memory is wanted."""
        place = item.memory.place
        return (
            self.layer in (None, item.memory.layer)
            and _same(self.domain, place.domain)
            and _same(self.repo, place.repo)
            and self.tags <= set(item.tags)
            and (not self.types or item.details.memory_type in self.types)
            and self.session in (None, item.details.session)
        )


def read_filters(options: Mapping[str, Any]) -> Filters:
    """Read filters from plain values; raises `InvalidValue` for an unknown layer or type."""
    for name in ("domain", "repo", "session"):
        if options.get(name) is not None:
            check_name(name, options[name])
    layer = options.get("layer")
    return Filters(
        None if layer is None else read_layer(layer),
        options.get("domain"),
        options.get("repo"),
        frozenset(read_texts("tags", options.get("tags") or ())),
        frozenset(read_choice(MemoryType, name, "type") for name in read_texts("types", options.get("types") or ())),
        options.get("session"),
    )


def _same(wanted: str | None, name: str | None) -> bool:
    return wanted is None or (name is not None and fold_name(wanted) == fold_name(name))


@repeated
def fetch(services: Services, caller: Principal, ids: Sequence[str]) -> Fetched:
    """Read 1 to 100 memories by id, in the order asked; a duplicate is answered once.

    What is missing, expired or another agent's is named in `missing_ids`. Raises `TooManyIds` for more, `InvalidValue`
    for none.
    """
    wanted = list(dict.fromkeys(_checked(ids)))
    with asking(services, caller, layers=[Layer.SESSION]) as question:
        kept = question.named(wanted)
        numbers = [k.memory.number for k in kept.values() if not k.memory.nothing]
        items = Describing(question.frame, question.when).items(numbers)
    found = {k.memory.id: items[k.memory.number] for k in kept.values() if k.memory.number in items}
    missing = tuple(memory_id for memory_id in wanted if memory_id not in found)
    return Fetched(tuple(found[memory_id] for memory_id in wanted if memory_id in found), missing)


def _checked(ids: Sequence[str]) -> Sequence[str]:
    if isinstance(ids, str) or not all(isinstance(memory_id, str) for memory_id in ids):
        raise InvalidValue("ids is a list of ids.")
    if not ids:
        raise InvalidValue("Give at least one id.")
    if len(ids) > MOST_IDS:
        raise TooManyIds
    return ids


@repeated
def recent(
    services: Services, caller: Principal, limit: int, filters: Filters, instants: Instants | None = None
) -> Listing:
    """The memories in force that were kept last, newest first, at most `limit` (1..1,000)."""
    read_limit(limit, MOST_LISTED)
    found: dict[str, Item] = {}
    with asking(services, caller, instants, filters.layers) as question:
        for numbers in _pages(lambda before: question.unit.memories.recent(caller.namespace, before, 2 * limit)):
            found |= {item.id: item for item in _current(question, numbers) if filters.accept(item)}
            if len(found) >= limit:
                break
    return Listing(tuple(list(found.values())[:limit]))


def _pages(read_below: Callable[[int], list[int]]) -> Iterator[list[int]]:
    before = FOREVER
    while numbers := read_below(before):
        yield numbers
        before = numbers[-1]


def _current(question: Asking, numbers: Collection[int]) -> list[Item]:
    holding = question.holding(numbers)
    items = Describing(question.frame, question.when).items([n for n in numbers if n in holding])
    return [item for item in items.values() if not item.memory.nothing]
