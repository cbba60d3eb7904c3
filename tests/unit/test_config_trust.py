"""Settings of the write gate, the burst guard and the webhook; a broken guard stays on, and a folder sends nothing away."""

import logging
from pathlib import Path

import pytest

import karte
from karte.config import Settings, caller_token, load_settings, webhook_secret
from karte.core.guarding import Guarding, Manner
from karte.errors import InvalidValue


def read(beside: Path, text: str) -> Settings:
    """The settings of a workspace beside which `text` stands."""
    beside.write_text(text, encoding="utf-8")
    return load_settings(beside.with_name("memory.karte"))


class TestGuard:
    def test_without_a_section_it_is_on_for_five_facts_an_hour(self, beside: Path) -> None:
        guarding = read(beside, "").guarding
        assert (guarding.enabled, guarding.window, guarding.most_per_subject) == (True, 3_600_000_000, 5)

    def test_a_section_sets_it(self, beside: Path) -> None:
        text = "[knowledge_guard]\nenabled = false\nwindow_secs = 60\nmax_per_subject = 2"
        assert read(beside, text).guarding == Guarding(enabled=False, window=60_000_000, most_per_subject=2)

    @pytest.mark.parametrize(
        "text",
        [
            'knowledge_guard = "off"',
            "[knowledge_guard]\nenabled = 0",
            '[knowledge_guard]\nenabled = "false"',
            "[knowledge_guard]\nenabled = false\nwindow_secs = 0",
            "[knowledge_guard]\nenabled = false\nwindow_secs = -1",
            "[knowledge_guard]\nenabled = false\nwindow_secs = 2592001",
            "[knowledge_guard]\nenabled = false\nmax_per_subject = 0",
            "[knowledge_guard]\nenabled = false\nmax_per_subject = 1.5",
            "[knowledge_guard]\nenabled = false\nmax_per_subjekt = 5",
        ],
    )
    def test_a_broken_section_leaves_it_on_with_its_defaults_and_says_so(self, beside: Path, text: str) -> None:
        settings = read(beside, text)
        (note,) = settings.notes
        assert settings.guarding == Guarding()
        assert (note.startswith(f"{beside}"), note.endswith("The guard is on, with its defaults.")) == (True, True)

    def test_the_note_is_logged_when_the_workspace_is_opened(
        self, beside: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        beside.write_text("[knowledge_guard]\nenabled = 7", encoding="utf-8")
        with caplog.at_level(logging.WARNING), karte.open(str(beside.with_name("memory.karte"))):
            assert [record.getMessage().partition(", ")[2] for record in caplog.records] == [
                "knowledge_guard: enabled is true or false. The guard is on, with its defaults."
            ]

    def test_whom_it_counts_is_whoever_is_below_the_first_tier(self, beside: Path) -> None:
        assert read(beside, "tiers = [0.5, 0.9]").guarding.untrusted == 5_000
        assert read(beside, "tiers = []").guarding.untrusted == 4_000


class TestGate:
    def test_what_is_done_about_finds_is_set(self, beside: Path) -> None:
        text = '[write_gate]\ninjection = "reject"\nsecrets = "quarantine"\npersonal = "redact"'
        assert read(beside, text).guarding == Guarding(Manner.REJECT, Manner.QUARANTINE, Manner.REDACT)

    @pytest.mark.parametrize(
        "line",
        ['injection = "allow"', 'injection = "redact"', 'secrets = "reject"', "personal = true", "personal = []"],
    )
    def test_what_is_not_to_be_had_is_refused_with_the_choices(self, beside: Path, line: str) -> None:
        with pytest.raises(InvalidValue, match=f"write_gate: {line.partition(' ')[0]} is one of"):
            read(beside, f"[write_gate]\n{line}")

    def test_an_unknown_setting_is_refused(self, beside: Path) -> None:
        with pytest.raises(InvalidValue, match="there is no setting 'injektion'"):
            read(beside, '[write_gate]\ninjektion = "reject"')


class TestWebhook:
    @pytest.mark.parametrize("url", ["http://localhost:8000/karte", "http://127.0.0.1/", "https://[::1]/x"])
    def test_one_on_this_machine_may_stand_beside_the_workspace(self, beside: Path, url: str) -> None:
        assert read(beside, f'[events]\nwebhook = "{url}"').webhook == url

    @pytest.mark.parametrize("url", ["https://example.org/karte", "http://localhost.example.org", "http://a@evil.org"])
    def test_one_elsewhere_is_taken_from_the_users_own_settings_only(self, beside: Path, own: Path, url: str) -> None:
        text = f'[events]\nwebhook = "{url}"'
        with pytest.raises(InvalidValue, match="is not on this machine, and events would be sent there"):
            read(beside, text)
        beside.unlink()
        own.write_text(text, encoding="utf-8")
        assert load_settings(beside.with_name("memory.karte")).webhook == url

    @pytest.mark.parametrize("url", ["ftp://localhost/x", "localhost", "http://", "http://[::1", "file:///etc/passwd"])
    def test_what_is_no_url_of_a_server_is_refused(self, beside: Path, url: str) -> None:
        with pytest.raises(InvalidValue, match="webhook is a URL such as"):
            read(beside, f'[events]\nwebhook = "{url}"')


def test_secrets_come_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, ask in (("KARTE_TOKEN", caller_token), ("KARTE_WEBHOOK_SECRET", webhook_secret)):
        monkeypatch.delenv(name, raising=False)
        assert ask() is None
        monkeypatch.setenv(name, "")
        assert ask() is None
        monkeypatch.setenv(name, "s3cret")
        assert ask() == "s3cret"
