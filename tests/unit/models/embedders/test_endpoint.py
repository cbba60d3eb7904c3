"""A server of embeddings, asked over a real connection."""

import socket
from collections.abc import Iterator

import numpy as np
import pytest

from karte.errors import EmbedderFailed, InvalidValue
from karte.models.embedders.endpoint import BATCH, LONGEST, Address, EndpointEmbedder
from karte.ports import Identity
from tests.unit.models.embedders.servers import Answer, Server, half, lengths, nothing, saying, serving, status


def embedder(server: Server, key: str | None = None, dimensions: int = 2) -> EndpointEmbedder:
    return EndpointEmbedder(Address(server.url, "small-model", dimensions, key, timeout=5.0))


class TestAnswers:
    def test_each_text_gets_its_own_vector_at_unit_length_whatever_the_order_of_the_answer(self) -> None:
        with serving(lengths) as server:
            rows = embedder(server).embed(["七", "four"])
        expected = np.array([[0.5**0.5, 0.5**0.5], [4 / 17**0.5, 1 / 17**0.5]])
        assert (str(rows.dtype), rows.shape, bool(np.abs(rows - expected).max() < 1e-6)) == ("float32", (2, 2), True)

    def test_the_request_names_the_model_the_texts_and_the_key(self) -> None:
        with serving(lengths) as server:
            embedder(server, key="secret").embed(["お茶"])
        assert server.paths == ["/v1/embeddings"]
        assert server.asked == [{"model": "small-model", "input": ["お茶"], "encoding_format": "float"}]
        assert (server.headers[0]["authorization"], server.headers[0]["content-type"]) == (
            "Bearer secret",
            "application/json",
        )

    def test_without_a_key_none_is_sent(self) -> None:
        with serving(lengths) as server:
            embedder(server).embed(["tea"])
        assert "authorization" not in server.headers[0]

    def test_many_texts_are_sent_in_batches(self) -> None:
        with serving(lengths) as server:
            rows = embedder(server).embed(["tea"] * (2 * BATCH + 1))
        assert ([len(asked["input"]) for asked in server.asked], len(rows)) == ([64, 64, 1], 129)

    def test_no_text_needs_no_request(self) -> None:
        with serving(lengths) as server:
            assert (embedder(server).embed([]).shape, server.asked) == ((0, 2), [])

    def test_a_text_of_64_kib_is_cut_and_an_empty_one_is_a_blank(self) -> None:
        with serving(lengths) as server:
            embedder(server).embed(["a" * 65_536, "", "\ud800"])
        assert [asked["input"] for asked in server.asked] == [["a" * LONGEST, " ", "?"]]

    def test_zeros_stay_zeros(self) -> None:
        with serving(saying({"data": [{"index": 0, "embedding": [0, 0]}]})) as server:
            assert embedder(server).embed(["?"]).tolist() == [[0.0, 0.0]]

    def test_its_identity_is_the_model_and_needs_no_request(self) -> None:
        with serving(lengths) as server:
            assert embedder(server).identity == Identity("endpoint", "small-model", 2)
        assert server.asked == []


class TestTroubles:
    @pytest.mark.parametrize("first", [status(500), status(503), status(429), half, nothing])
    def test_what_may_pass_is_tried_once_more(self, first: Answer) -> None:
        with serving(first, lengths) as server:
            rows = embedder(server).embed(["tea"])
        assert (rows.shape, len(server.asked)) == ((1, 2), 2)

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (status(500, "out of\nmemory"), "it refuses the request (500 Internal Server Error: out of memory)"),
            (half, "the connection broke"),
            (nothing, "the connection broke"),
        ],
    )
    def test_what_does_not_pass_is_told_after_the_second_time(self, answer: Answer, said: str) -> None:
        with serving(answer) as server, pytest.raises(EmbedderFailed) as caught:
            embedder(server).embed(["tea"])
        assert (len(server.asked), f"The embedder at {server.url} failed: {said}" in caught.value.message) == (2, True)

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (status(400, "too long"), "it refuses the request (400 Bad Request: too long)"),
            (status(401), "it refuses the key, see KARTE_EMBEDDER_KEY (401 Unauthorized: no)"),
            (status(404), "it knows no such address or model (404 Not Found: no)"),
            (status(404, ""), "it knows no such address or model (404 Not Found: no more is said)"),
            (saying({"data": [{"index": 0, "embedding": [1, 2, 3]}]}), "it gives 3 dimensions where 2 are expected"),
            (saying({"data": []}), "the answer is not a list of embeddings, one for each text"),
            (saying({"data": [{"index": 1, "embedding": [1, 2]}]}), "the answer is not a list of embeddings"),
            (saying({"data": [{"index": 0, "embedding": 1}]}), "the answer is not a list of embeddings"),
            (saying({"data": [{"index": 0, "embedding": ["a", 1]}]}), "the answer is not a list of embeddings"),
            (saying({"data": [{"embedding": [1, 2]}]}), "the answer is not a list of embeddings"),
            (saying([1]), "the answer is not a list of embeddings"),
            (saying({"data": [{"index": 0, "embedding": [float("nan"), 1]}]}), "it gives what is no number"),
            (status(200, "<html>"), "the answer is not a list of embeddings"),
        ],
    )
    def test_what_will_not_pass_is_told_at_once(self, answer: Answer, said: str) -> None:
        with serving(answer) as server, pytest.raises(EmbedderFailed) as caught:
            embedder(server).embed(["tea"])
        assert (len(server.asked), f"The embedder at {server.url} failed: {said}" in caught.value.message) == (1, True)

    def test_two_texts_with_the_same_place_are_not_taken_for_two_answers(self) -> None:
        doubled = {"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [2, 1]}]}
        with serving(saying(doubled)) as server, pytest.raises(EmbedderFailed):
            embedder(server).embed(["tea", "rain"])

    def test_a_redirect_is_not_followed_so_that_texts_and_key_stay_where_they_were_sent(self) -> None:
        with serving(lengths) as other:

            def away(handler: object, _: object) -> None:
                handler.send_response(307)  # type: ignore[attr-defined]  # a request handler
                handler.send_header("Location", f"{other.url}/embeddings")  # type: ignore[attr-defined]  # as above
                handler.send_header("Content-Length", "0")  # type: ignore[attr-defined]  # as above
                handler.end_headers()  # type: ignore[attr-defined]  # as above

            with serving(away) as server, pytest.raises(EmbedderFailed, match="307"):
                embedder(server, key="secret").embed(["tea"])
        assert (len(server.asked), other.asked) == (1, [])

    def test_the_key_is_in_no_message_and_in_no_representation(self) -> None:
        with serving(status(401)) as server, pytest.raises(EmbedderFailed) as caught:
            embedder(server, key="secret").embed(["tea"])
        assert "secret" not in f"{caught.value!r}{caught.value.to_dict()}{Address(server.url, 'm', 2, 'secret')!r}"


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def test_a_server_that_does_not_answer_is_waited_for_once(silent: str) -> None:
    with pytest.raises(EmbedderFailed, match=r"no answer within 0\.05 s"):
        EndpointEmbedder(Address(silent, "m", 2, timeout=0.05)).embed(["tea"])


def test_a_server_that_is_not_there_is_told_by_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    with pytest.raises(EmbedderFailed, match=f"The embedder at {url} failed: the connection broke"):
        EndpointEmbedder(Address(url, "m", 2)).embed(["tea"])


@pytest.mark.parametrize("url", ["localhost:11434", "file:///etc/passwd", "ftp://host/v1", "http://", ""])
def test_an_address_that_no_request_can_be_sent_to_is_refused(url: str) -> None:
    with pytest.raises(InvalidValue):
        Address(url, "m", 2)
