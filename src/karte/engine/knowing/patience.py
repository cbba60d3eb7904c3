"""Patience: the vector of a text is waited for only so long; what takes longer goes on, and is known the next time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Final
from weakref import WeakKeyDictionary

from karte.engine.embeddings import Embeddings
from karte.engine.recalling.voices.vector import Wanted

PATIENCE: Final = 0.15
"""Seconds."""

_BUSY: Final[WeakKeyDictionary[Embeddings, Thread]] = WeakKeyDictionary()
_LOCK: Final = Lock()


def at_hand(embeddings: Embeddings, texts: Sequence[Wanted], seconds: float = PATIENCE) -> bool:
    """Whether the vectors of these texts are known, after at most so many seconds of making those that are not.

    While an embedder is still busy with what was given up before, nothing more is asked of it.
    """
    missing = [text for text in texts if not text.at_hand(embeddings)]
    if not missing:
        return True
    thread = _begun(embeddings, lambda: [text.made(embeddings) for text in missing])
    if thread is not None:
        thread.join(seconds)
    return thread is not None and not thread.is_alive()


def _begun(embeddings: Embeddings, work: Callable[[], object]) -> Thread | None:
    """Work that was begun in a thread that nobody has to wait for; None where the one before it has not ended."""
    with _LOCK:
        before = _BUSY.get(embeddings)
        if before is not None and before.is_alive():
            return None
        thread = Thread(target=work, name="karte-context", daemon=True)
        _BUSY[embeddings] = thread
        thread.start()
    return thread
