"""Where a workspace is kept: which texts are paths, which are URLs, and that a password is never shown."""

from pathlib import Path

import pytest

from karte.config import DatabaseUrl, Settings, choose_workspace, load_settings, read_location
from karte.errors import InvalidValue

SECRET = "s3cret"  # noqa: S105 - what must not be shown


def read(text: str) -> DatabaseUrl:
    location = read_location(text)
    assert isinstance(location, DatabaseUrl)
    return location


@pytest.mark.parametrize(
    "named", ["team.karte", "a/b/team.karte", "postgresql", "c:/team.karte", "病歷/筆記.karte", "x:y"]
)
def test_what_is_no_url_is_a_path(named: str) -> None:
    assert (read_location(named), read_location(Path(named))) == (Path(named), Path(named))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://host", "postgresql://host"),
        ("postgres://host/db", "postgresql://host/db"),
        ("PostgreSQL://host/db", "postgresql://host/db"),
        ("postgresql:///db?workspace=team", "postgresql:///db?workspace=team"),
        ("postgresql://dudu@host:5433/db?workspace=研發&sslmode=require", None),
        ("postgresql://dudu@one:5432,two,[::1]:5434/db?target_session_attrs=read-write", None),
        ("postgresql://dudu@/db?host=%2Fvar%2Frun&port=5432&workspace=my%20team", None),
        ("postgresql://dudu@host/db?workspace=a%26b&", "postgresql://dudu@host/db?workspace=a%26b"),
    ],
)
def test_a_url_is_shown_and_handed_on_as_it_was_written(text: str, shown: str | None) -> None:
    url = read(text)
    assert (str(url), url.full, url.has_password) == (shown or text, shown or text, False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"postgresql://dudu:{SECRET}@host/db?workspace=team", "postgresql://dudu@host/db?workspace=team"),
        (f"postgresql://:{SECRET}@host/db", "postgresql://host/db"),
        (f"postgresql://dudu:a:{SECRET}%40b@host:5432/db", "postgresql://dudu@host:5432/db"),
        (f"postgresql://dudu@host/db?password={SECRET}", "postgresql://dudu@host/db"),
        (f"postgresql://dudu@host/db?a=b&pass%77ord={SECRET}&workspace=x", "postgresql://dudu@host/db?a=b&workspace=x"),
        (f"postgresql://dudu@host/db?sslpassword={SECRET}&sslkey=k", "postgresql://dudu@host/db?sslkey=k"),
    ],
)
def test_a_password_is_handed_on_and_never_shown(text: str, shown: str) -> None:
    url = read(text)
    assert (str(url), repr(url), f"{url}", url.has_password) == (shown, f"DatabaseUrl({shown!r})", shown, True)
    assert url.full == text


def test_an_empty_password_is_none() -> None:
    assert read("postgresql://dudu:@host/db").has_password is False


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql:/dudu:{SECRET}@host/db",
        f"postgresql://dudu:a@{SECRET}@host/db",
        f"postgresql://dudu:{SECRET}/x@host/db",
        f"postgresql://dudu:1/{SECRET}@host/db",
        f"postgresql://dudu:a?{SECRET}@host/db",
        f"postgresql://dudu:1?x={SECRET}@host/db",
        f"postgresql://dudu:1#{SECRET}@host/db",
        f"postgresql://dudu:100%{SECRET}@host/db",
        f"postgresql://dudu: {SECRET}@host/db",
        f"postgresql://dudu:{SECRET}@host/db\0",
        f"postgresql://dudu:{SECRET}@host:port/db",
        f"postgresql://dudu:{SECRET}@[::1/db",
        f"postgresql://dudu:{SECRET}@host/db?workspace",
        f"postgresql://dudu:{SECRET}@host/db?=x",
        f"postgresql://dudu:{SECRET}@host/db/team",
        f"mysql://dudu:{SECRET}@host/db",
        f"postgresql+psycopg://dudu:{SECRET}@host/db",
        f"sqlite://{SECRET}",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        read_location(text)
    assert SECRET not in f"{caught.value} {caught.value.hint}"
    assert "postgresql://user@host/db?workspace=team" in f"{caught.value} {caught.value.hint}"


def test_a_url_that_lost_a_stroke_on_its_way_through_a_path_is_refused() -> None:
    with pytest.raises(InvalidValue, match="cannot be read"):
        read_location(Path("postgresql://host/db"))


class TestChoosing:
    @pytest.fixture(autouse=True)
    def nobody(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A user without settings, and a home that is a folder of this test."""
        monkeypatch.delenv("KARTE_WORKSPACE", raising=False)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.setattr("karte.config.user_config_dir", lambda: tmp_path / "config")

    def test_the_variable_may_hold_a_url_and_an_option_goes_before_it(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("KARTE_WORKSPACE", "postgres://host/db?workspace=team")
        assert choose_workspace(None, tmp_path) == read("postgresql://host/db?workspace=team")
        assert choose_workspace("~/a.karte", tmp_path) == tmp_path / "home" / "a.karte"
        assert choose_workspace("postgres://other/db", tmp_path) == read("postgres://other/db")

    def test_the_settings_of_a_workspace_in_a_database_are_the_users_own(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("karte.toml").write_text('[embedder]\nname = "hash"', encoding="utf-8")
        assert load_settings(Path("a.karte")) == Settings(embedder="hash")
        assert load_settings(read("postgresql://host/db")) == Settings()
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "karte.toml").write_text('[embedder]\nname = "none"', encoding="utf-8")
        assert load_settings(read("postgresql://host/db")) == Settings(embedder="none")
