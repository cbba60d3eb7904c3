"""Any server that answers `POST BASE/embeddings` as OpenAI's does: Ollama, llama.cpp, vLLM, a service on the net."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from karte.errors import EmbedderFailed, InvalidValue
from karte.ports import Identity

BATCH: Final = 64
"""Texts in one request."""

LONGEST: Final = 6_000
"""Characters of a text that are sent: about what models read, and servers refuse a text that is far too long."""

TIMEOUT: Final = 30.0
"""Seconds to wait for a connection, and for each part of an answer."""

UNRELATED: Final = (
    "The meeting starts at nine on Monday.",
    "She keeps two parrots and an old tortoise.",
    "請在部署之前備份資料庫。",
    "京都の紅葉は十一月が見頃です。",
    "어머니는 매주 김치를 담그신다.",
    "The recipe needs three eggs and a lemon.",
    "Jupiter has more moons than Mars.",
    "他把旧自行车送给了邻居。",
)
"""Texts that have nothing to do with each other: how near their vectors are tells where a model's nearness begins."""

_MOST_REST: Final = 0.95
_ATTEMPTS: Final = 2
_LARGEST_ANSWER: Final = 64 * 1024 * 1024
_SHOWN: Final = 200
_OVERLOADED: Final = 429
_FIRST_FAULT: Final = 500
_REASONS: Final = {
    401: "it refuses the key, see KARTE_EMBEDDER_KEY",
    403: "it refuses the key, see KARTE_EMBEDDER_KEY",
    404: "it knows no such address or model",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and what it is asked for.

    `/embeddings` is appended to `url`; `dimensions` is how long each vector of the model is; `key` is sent as a bearer
    token; `timeout` is in seconds. Raises `InvalidValue` for another scheme than http or https.
    """

    url: str
    model: str
    dimensions: int
    key: str | None = field(default=None, repr=False)
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        """Refuse what no request can be sent to."""
        if not (self.url.startswith(("http://", "https://")) and urlsplit(self.url).hostname):
            raise InvalidValue(
                f"{self.url!r} is no address of an embedder; give one such as http://localhost:11434/v1."
            )


class _Trouble(Exception):
    """Why a request failed; `passing` where the next one may not."""

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


class EndpointEmbedder:
    """Asks a server for vectors: in batches, once more where it failed, never at another address than the given one."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._opener = build_opener(_NoRedirect)

    @property
    def identity(self) -> Identity:
        """The model and its dimensions, wherever it is served."""
        return Identity("endpoint", self._address.model, self._address.dimensions)

    @cached_property
    def rest(self) -> float:
        """The mean cosine of some texts that have nothing to do with each other; asked of the server once."""
        vectors = self.embed(UNRELATED)
        count = len(vectors)
        cosines = float((vectors @ vectors.T).sum()) - count
        return min(max(cosines / (count * (count - 1)), 0.0), _MOST_REST)

    @property
    def full(self) -> float:
        """A text is its own best answer: questions are embedded like texts."""
        return 1.0

    def reads(self, text: str) -> bool:  # noqa: ARG002 - the protocol's
        """Every script, as far as is known of a model that is only named."""
        return True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - the protocol knows no queries
        """One row of unit length for each text, of zeros where the server gives zeros; raises `EmbedderFailed`."""
        batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
        nothing = np.empty((0, self._address.dimensions), np.float32)
        return np.concatenate([nothing, *(self._ask(each) for each in batches)])

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        body = {"model": self._address.model, "input": [_sendable(text) for text in texts], "encoding_format": "float"}
        request = self._request(json.dumps(body).encode())
        for left in reversed(range(_ATTEMPTS)):
            try:
                return _unit(_vectors(self._send(request), len(texts)), self._address.dimensions)
            except _Trouble as trouble:
                if not (trouble.passing and left):
                    raise EmbedderFailed(f"The embedder at {self._address.url} failed: {trouble}.") from trouble
        raise AssertionError  # the last attempt has returned or raised

    def _request(self, body: bytes) -> Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._address.key:
            headers["Authorization"] = f"Bearer {self._address.key}"
        return Request(f"{self._address.url.rstrip('/')}/embeddings", body, headers)  # noqa: S310 - `Address` allows http and https only

    def _send(self, request: Request) -> bytes:
        try:
            with self._opener.open(request, timeout=self._address.timeout) as answer:
                return _read(answer)
        except HTTPError as error:
            raise _refusal(error) from error
        except (HTTPException, OSError) as error:
            cause = error.reason if isinstance(error, URLError) else error
            if isinstance(cause, TimeoutError):
                raise _Trouble(f"no answer within {self._address.timeout:g} s") from error
            raise _Trouble(f"the connection broke ({cause or type(cause).__name__})", passing=True) from error


class _NoRedirect(HTTPRedirectHandler):
    """Leaves a redirect an error: texts and the key are for the address that was set, and for no other."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Follow nothing."""


def _refusal(error: HTTPError) -> _Trouble:
    with error:
        try:
            said = " ".join(error.read(_SHOWN).decode("utf-8", "replace").split())
        except (HTTPException, OSError):
            said = ""
    reason = _REASONS.get(error.code, "it refuses the request")
    passing = error.code == _OVERLOADED or error.code >= _FIRST_FAULT
    return _Trouble(f"{reason} ({error.code} {error.reason}: {said or 'no more is said'})", passing=passing)


def _read(answer: HTTPResponse) -> bytes:
    body = answer.read(_LARGEST_ANSWER + 1)
    if len(body) > _LARGEST_ANSWER:
        raise _Trouble("the answer is longer than 64 MiB")
    if answer.length:  # what is still to come where the end has come already
        raise _Trouble(f"the connection broke ({answer.length} bytes are missing)", passing=True)
    return body


def _vectors(body: bytes, count: int) -> NDArray[np.float64]:
    """The vectors of an answer, in the order of the texts."""
    try:
        found = {int(each["index"]): each["embedding"] for each in json.loads(body)["data"]}
        rows = np.array([found[place] for place in range(count)], np.float64)
    except (ValueError, KeyError, TypeError) as error:
        raise _Trouble("the answer is not a list of embeddings, one for each text") from error
    if rows.ndim != 2 or len(found) != count:  # noqa: PLR2004 - texts and dimensions
        raise _Trouble("the answer is not a list of embeddings, one for each text")
    return rows


def _unit(rows: NDArray[np.float64], dimensions: int) -> NDArray[np.float32]:
    if rows.shape[1] != dimensions:
        raise _Trouble(f"it gives {rows.shape[1]} dimensions where {dimensions} are expected")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise _Trouble("it gives what is no number")
    unit: NDArray[np.float32] = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return unit


def _sendable(text: str) -> str:
    """A text that is valid UTF-8 and not too long; a server may refuse an empty one."""
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8") or " "
