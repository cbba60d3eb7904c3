"""A memory: one immutable statement, text and optionally a triple.

Two writings of the same statement are one memory: its `key` is a digest of everything that says what is
stated and by whom it is kept, in normal form. The key is also the last tie-break of the fold, so it depends on
nothing but content. Words as they were written belong to the assertion that wrote them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.text import fold_content, fold_name
from karte.errors import EmptyText, IncompleteTriple, InvalidText, InvalidValue, TextTooLong

MEMORY_PREFIX: Final = "mem_"
"""What the ids of memories begin with."""

LONGEST_CONTENT: Final = 64 * 1024
LONGEST_NAME: Final = 1_024
_SEPARATOR: Final = "\x1f"
_ABSENT: Final = "\x1e"


class Layer(StrEnum):
    """Whether a memory is something that happened or something that holds, or else what it is for.

    What is neither is kept, folded and forgotten like every memory, but is not recalled: a policy is pushed, a note is
    its agent's pad, a mistake is warned of, and what belongs to a session is found inside it only.
    """

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    POLICY = "policy"
    NOTE = "note"
    MISTAKE = "mistake"
    SESSION = "session"

    @property
    def recalled(self) -> bool:
        """Whether it is found by searching, whoever asks."""
        return self in RECALLED


RECALLED: Final = (Layer.EPISODIC, Layer.SEMANTIC)
"""The layers that are recalled: those that callers name."""

_PREFIX_OF: Final = {Layer.POLICY: "pol_", Layer.NOTE: "note_", Layer.MISTAKE: "mis_"}
PREFIXES: Final = (MEMORY_PREFIX, *_PREFIX_OF.values())
"""What ids of memories of any layer begin with."""

_BOUND: Final = frozenset({Layer.EPISODIC, Layer.SESSION})
"""The layers whose memories are bound to what they were told in: the same text told elsewhere is another memory."""

_BETWEEN_LAYERS: Final = "\x02"


def prefix_of(layer: Layer) -> str:
    """What the ids of memories of a layer begin with."""
    return _PREFIX_OF.get(layer, MEMORY_PREFIX)


@dataclass(frozen=True, slots=True)
class Triple:
    """Subject, predicate and perhaps object, as written or in normal form."""

    subject: str
    predicate: str
    object: str | None = None

    @property
    def folded(self) -> Triple:
        """The triple in the normal form in which names are compared."""
        folded = None if self.object is None else fold_name(self.object)
        return Triple(fold_name(self.subject), fold_name(self.predicate), folded)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory belongs inside its namespace: a domain, within the workspace or one repository."""

    domain: str | None = None
    repo: str | None = None

    @property
    def scope(self) -> str:
        """The scope in normal form; statements of two scopes never answer one question."""
        domain = fold_name(self.domain or "")
        return f"repo:{fold_name(self.repo)}/{domain}" if self.repo else domain


NOWHERE: Final = Place()
"""No domain and no repository."""


def scope_of(layer: Layer, place: Place) -> str:
    """The scope of memories of a layer in a place."""
    return place.scope if layer.recalled else f"{layer}{_BETWEEN_LAYERS}{place.scope}"


@dataclass(frozen=True, slots=True)
class Wording:
    """Content, triple and place as one source wrote them."""

    content: str
    triple: Triple | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Memory:
    """One statement as kept: `key` and `content_key` compare it, the rest shows it.

    `nothing` marks the statement that there is no value; its content is empty and it is never recalled.
    `names` is the triple in normal form; `number` is its place in its namespace, given by the store.
    """

    number: int
    id: str
    key: bytes
    content_key: bytes
    layer: Layer
    place: Place
    content: str
    triple: Triple | None
    names: Triple | None
    nothing: bool = False

    def kept_as(self, number: int, memory_id: str) -> Memory:
        """The same memory under the number and id that it is kept by."""
        return Memory(
            number,
            memory_id,
            self.key,
            self.content_key,
            self.layer,
            self.place,
            self.content,
            self.triple,
            self.names,
            self.nothing,
        )

    @property
    def wording(self) -> Wording:
        """How the memory itself writes what it states."""
        return Wording(self.content, self.triple, self.place)

    @property
    def indexed(self) -> bool:
        """Whether its words are in the lexical index."""
        return not self.nothing and (self.layer.recalled or self.layer is Layer.SESSION)

    @property
    def scope(self) -> str:
        """The domain scope in normal form; what is not recalled has one of its own, so that it answers no question."""
        return scope_of(self.layer, self.place)

    @property
    def tie(self) -> int:
        """The last tie-break of the fold: the first 63 bits of the key."""
        return int.from_bytes(self.key[:8], "big") >> 1


@dataclass(frozen=True, slots=True)
class Statement:
    """What a caller wants to be remembered, before it has an id.

    `told_in` is the origin item that an episodic memory is bound to, or the session of one that is remembered for a
    session; `ends` is the key of the free-text memory
    whose end is stated (with `nothing`).
    """

    content: str
    layer: Layer = Layer.SEMANTIC
    triple: Triple | None = None
    place: Place = NOWHERE
    told_in: str = ""
    nothing: bool = False
    ends: bytes = b""

    def __post_init__(self) -> None:
        if not self.nothing:
            check_content(self.content)
        if self.triple is not None:
            _check_triple(self.triple)
        for name in (self.place.domain, self.place.repo):
            if name is not None:
                check_name("A domain or repository", name)

    def of(self, owner: str) -> Memory:
        """The memory of this statement by its owner, before it is kept: without a number and an id."""
        names = None if self.triple is None else self.triple.folded
        content_key = hashlib.blake2b(fold_content(self.content).encode(), digest_size=8).digest()
        key = self._digest(owner, names, content_key)
        return Memory(0, "", key, content_key, self.layer, self.place, self.content, self.triple, names, self.nothing)

    def _digest(self, owner: str, names: Triple | None, content_key: bytes) -> bytes:
        told_in = self.told_in if self.layer in _BOUND else ""
        subject, predicate, value = ("", "", None) if names is None else (names.subject, names.predicate, names.object)
        parts = (
            owner,
            self.place.scope,
            self.layer.value,
            subject,
            predicate,
            _ABSENT if value is None else value,
            told_in,
            f"{self.nothing:d}{self.ends.hex()}",
        )
        text = _SEPARATOR.join(parts).encode()
        return hashlib.blake2b(text + content_key, digest_size=16).digest()


def check_content(content: str) -> None:
    """Raise `EmptyText`, `TextTooLong` or `InvalidText` for what no memory may hold."""
    _check_text("The text", content)
    if not content.strip():
        raise EmptyText
    if len(content) > LONGEST_CONTENT or len(content.encode()) > LONGEST_CONTENT:
        raise TextTooLong


def check_name(what: str, name: str) -> None:
    """Raise for a name that is empty, over 1,024 characters, or not text that a store can keep."""
    _check_text(what, name)
    if not fold_name(name):
        raise EmptyText(f"{what} is empty.")
    if len(name) > LONGEST_NAME:
        raise InvalidValue(f"{what} is longer than {LONGEST_NAME} characters.")


def _check_text(what: str, text: str) -> None:
    if not isinstance(text, str):
        raise InvalidValue(f"{what} is text, not {type(text).__name__}.")
    if "\0" in text:
        raise InvalidText(f"{what} holds a NUL character, which no store can keep; remove it.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidText(f"{what} holds a lone surrogate, which is no character; remove it.") from None


def _check_triple(triple: Triple) -> None:
    if triple.subject is None or triple.predicate is None:
        raise IncompleteTriple
    check_name("The subject", triple.subject)
    check_name("The predicate", triple.predicate)
    if triple.object is not None:
        check_name("The object", triple.object)
