"""Settings: the only reader of the environment and of TOML."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs

from karte.core.guarding import INJECTION_MANNERS, SECRET_MANNERS, Guarding, Manner
from karte.core.periods import SECOND
from karte.core.ranking.profiles import BALANCED, Profile, Rankings, profile_named
from karte.core.trust import DEFAULT_TIERS, basis_points
from karte.errors import InvalidValue

WORKSPACE_VARIABLE: Final = "KARTE_WORKSPACE"
EMBEDDER_VARIABLE: Final = "KARTE_EMBEDDER"
EMBEDDER_KEY_VARIABLE: Final = "KARTE_EMBEDDER_KEY"
TOKEN_VARIABLE: Final = "KARTE_TOKEN"  # noqa: S105 - the name of a variable
WEBHOOK_SECRET_VARIABLE: Final = "KARTE_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
DEFAULT_EMBEDDER: Final = "auto"
SETTINGS_FILE: Final = "karte.toml"
LOCAL_FOLDER: Final = ".karte"
WORKSPACE_FILE: Final = "workspace.karte"
TRUSTED_FILE: Final = "trusted-workspaces"

_LONGEST_WINDOW: Final = 30 * 86_400
"""Seconds: a burst is counted over a month at most."""

_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_A_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]+)://|(?P<cut>postgres(?:ql)?):/")
_SCHEMES: Final = frozenset({"postgres", "postgresql"})
_HOST: Final = r"(?:\[[^][@/?#]*\]|[^][:@/?#,]*)(?::\d*)?"
_DATABASE_URL: Final = re.compile(
    r"(?s:(?!.*(?:[\s\0]|%(?![0-9A-Fa-f]{2}))))(?i:postgres(?:ql)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/[^@/?#]*)?)"
    r"(?:\?(?P<parameters>(?:[^=&#@]+=[^&#@]*(?:&|$))*))?"
)
_SECRETS: Final = frozenset({"oauth_client_secret", "password", "scram_client_key", "scram_server_key", "sslpassword"})
"""The parameters of a URL in which libpq takes secrets."""

_SECTIONS: Final = frozenset({"embedder", "events", "knowledge_guard", "recall", "tiers", "time_zone", "write_gate"})

Setting = TypeVar("Setting", str, int)


@dataclass(frozen=True)
class Server:
    """A server of embeddings: its address, the model to ask for, the dimensions it gives, seconds to wait."""

    base_url: str
    model: str
    dimensions: int
    timeout: float = 30.0


@dataclass(frozen=True)
class Settings:
    """What can be set: the zone of bare dates, thresholds of trust between tiers (basis points), embedder and ranking.

    `embedder` is a name, None for the one that the environment or the default names; `server` is for `endpoint`;
    `threads` is how many processors an embedder in this process may use at a time. `guarding` is how the write gate
    judges, `webhook` the URL that is told of events. `notes` say what was set wrongly and is as if it were not set.
    """

    zone: tzinfo = UTC
    tiers: tuple[int, ...] = field(default=DEFAULT_TIERS)
    embedder: str | None = None
    server: Server | None = None
    threads: int = 1
    rankings: Rankings = field(default_factory=Rankings)
    guarding: Guarding = field(default_factory=Guarding)
    webhook: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class DatabaseUrl:
    """Where a workspace is kept in a database: a URL such as `postgresql://user@host/db?workspace=team`, in its parts.

    `str` and `repr` show it without a password, `full` is for the driver alone.
    """

    user: str
    password: str | None
    place: str
    parameters: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> DatabaseUrl:
        """Read what somebody wrote; raises `InvalidValue`, which does not repeat it: it may hold a password."""
        found = _DATABASE_URL.fullmatch(text)
        if found is None:
            raise InvalidValue(
                "The URL of the database cannot be read; write it like postgresql://user@host/db?workspace=team.",
                hint="In a name or a password, write % : / ? # @ & as %25 %3A %2F %3F %23 %40 %26, and a blank as %20.",
            )
        parameters = tuple(each for each in (found["parameters"] or "").split("&") if each)
        return cls(found["user"] or "", found["password"], found["place"], parameters)

    def __str__(self) -> str:
        return _url(self.user, self.place, [each for each in self.parameters if not _is_secret(each)])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def full(self) -> str:
        """The URL as it was given, its password included."""
        user = self.user if self.password is None else f"{self.user}:{self.password}"
        return _url(user, self.place, self.parameters)

    @property
    def has_password(self) -> bool:
        """Whether a password stands in it."""
        return bool(self.password) or any(_is_secret(each) for each in self.parameters)


def _url(user: str, place: str, parameters: Collection[str]) -> str:
    return f"postgresql://{user}{'@' if user else ''}{place}{'?' if parameters else ''}{'&'.join(parameters)}"


def _is_secret(parameter: str) -> bool:
    return unquote(parameter.partition("=")[0]) in _SECRETS


Location = Path | DatabaseUrl
"""Where a workspace is kept: in a file, or in a database."""


def read_location(named: str | Location) -> Location:
    """Where a workspace is kept that somebody names by a path or a URL.

    Raises `InvalidValue` for a URL that cannot be read or names no store that there is.
    """
    if isinstance(named, DatabaseUrl):
        return named
    url = _A_URL.match(str(named))
    if url is None:
        return Path(named)
    if url["scheme"] and url["scheme"].lower() not in _SCHEMES:
        raise InvalidValue(
            f"There is no store for {url['scheme']}://; a workspace is a file or a database of PostgreSQL.",
            hint="Give the path of a file, or a URL such as postgresql://user@host/db?workspace=team.",
        )
    return DatabaseUrl.read(str(named))


def load_settings(workspace: Location) -> Settings:
    """Read the settings file beside a workspace in a file, else the user's; defaults where there is none.

    Raises `InvalidValue` for a file that cannot be read or a setting that is unknown or out of range.
    """
    beside = [workspace.parent / SETTINGS_FILE] if isinstance(workspace, Path) else []
    for path in (*beside, user_config_dir() / SETTINGS_FILE):
        if _is_file(path):
            return _read(path)
    return Settings()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except PermissionError:
        return False


def _read(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidValue(f"The settings in {path} cannot be read: {error}.") from None
    _refuse_unknown(values, _SECTIONS, f"{path}")
    tiers = _tiers(values, path)
    guarding, notes = _guarding(values, path, tiers)
    embedder = _embedder(values, path)
    return Settings(
        _zone(values, path), tiers, *embedder, _rankings(values, path), guarding, _webhook(values, path), notes
    )


def _refuse_unknown(values: Mapping[str, Any], known: Collection[str], where: str) -> None:
    if unknown := sorted(set(values).difference(known)):
        raise InvalidValue(
            f"{where}: there is no setting {unknown[0]!r}.", hint=f"Settings are: {', '.join(sorted(known))}."
        )


def _zone(values: Mapping[str, Any], path: Path) -> tzinfo:
    name = values.get("time_zone", "UTC")
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        raise InvalidValue(f"{path}: {name!r} is no time zone; use a name such as Asia/Taipei.") from None


def _tiers(values: Mapping[str, Any], path: Path) -> tuple[int, ...]:
    thresholds = values.get("tiers")
    if thresholds is None:
        return DEFAULT_TIERS
    if not isinstance(thresholds, list):
        raise InvalidValue(f"{path}: tiers is a list of thresholds such as [0.4].")
    return tuple(sorted(basis_points(threshold) for threshold in thresholds))


def _embedder(values: Mapping[str, Any], path: Path) -> tuple[str | None, Server | None, int]:
    table = values.get("embedder", {})
    where = f"{path}, embedder"
    if not isinstance(table, dict):
        raise InvalidValue(f'{path}: embedder is a table; write [embedder] and name = "minilm" below it.')
    _refuse_unknown(table, {"base_url", "dimensions", "model", "name", "threads", "timeout"}, where)
    name = _of_kind(table, "name", str, where)
    server = _server(table, path) if "base_url" in table else None
    return name or ("endpoint" if server else None), server, _of_kind(table, "threads", int, where) or 1


def _rankings(values: Mapping[str, Any], path: Path) -> Rankings:
    """The profiles of `[recall]` and, by agent, of `[recall.agents.NAME]`: each with `profile` and `weights`."""
    table = _table(values, "recall", f"{path}")
    where = f"{path}, recall"
    _refuse_unknown(table, {"agents", "profile", "weights"}, where)
    default = _profile(table, BALANCED, where)
    agents = _table(table, "agents", where)
    named = {name: _profile(_table(agents, name, where), default, f"{where}, agents, {name}") for name in agents}
    return Rankings(default, named)


def _profile(table: Mapping[str, Any], usual: Profile, where: str) -> Profile:
    _refuse_unknown(table, {"agents", "profile", "weights"}, where)
    name = _of_kind(table, "profile", str, where)
    try:
        profile = profile_named(name) if name else usual
        return profile.adjusted(_table(table, "weights", where))
    except InvalidValue as error:
        raise InvalidValue(f"{where}: {error.message}") from None


def _table(values: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    table = values.get(name, {})
    if not isinstance(table, dict):
        raise InvalidValue(f"{where}: {name} is a table.")
    return table


def _guarding(values: Mapping[str, Any], path: Path, tiers: tuple[int, ...]) -> tuple[Guarding, tuple[str, ...]]:
    """How the gate judges; a section `[knowledge_guard]` that cannot be read is noted, and the guard stays on."""
    gate = _gate(values, path)
    gate = replace(gate, untrusted=tiers[0] if tiers else gate.untrusted)
    try:
        return _bursts(values, path, gate), ()
    except InvalidValue as error:
        return gate, (f"{error.message} The guard is on, with its defaults.",)


def _gate(values: Mapping[str, Any], path: Path) -> Guarding:
    """`[write_gate]`: what is done about orders to a model, secrets and personal data in what is to be kept."""
    table, where = _table(values, "write_gate", f"{path}"), f"{path}, write_gate"
    _refuse_unknown(table, {"injection", "personal", "secrets"}, where)
    return Guarding(
        injection=_manner(table, "injection", INJECTION_MANNERS, where),
        secrets=_manner(table, "secrets", SECRET_MANNERS, where),
        personal=_manner(table, "personal", SECRET_MANNERS, where),
    )


def _manner(table: Mapping[str, Any], name: str, manners: Collection[Manner], where: str) -> Manner:
    value = table.get(name, getattr(Guarding, name))
    if value not in list(manners):
        raise InvalidValue(f"{where}: {name} is one of {', '.join(manners)}, not {value!r:.80}.")
    return Manner(value)


def _bursts(values: Mapping[str, Any], path: Path, gate: Guarding) -> Guarding:
    """`[knowledge_guard]`: how much an untrusted source may say of one subject in how long."""
    table, where = _table(values, "knowledge_guard", f"{path}"), f"{path}, knowledge_guard"
    _refuse_unknown(table, {"enabled", "max_per_subject", "window_secs"}, where)
    enabled = table.get("enabled", True)
    if not isinstance(enabled, bool):
        raise InvalidValue(f"{where}: enabled is true or false.")
    seconds, most = (_of_kind(table, name, int, where) for name in ("window_secs", "max_per_subject"))
    if seconds is not None and seconds > _LONGEST_WINDOW:
        raise InvalidValue(f"{where}: window_secs is at most {_LONGEST_WINDOW}.")
    window = gate.window if seconds is None else seconds * SECOND
    return replace(gate, enabled=enabled, window=window, most_per_subject=most or gate.most_per_subject)


def _webhook(values: Mapping[str, Any], path: Path) -> str | None:
    """The URL that is told of events; as with a server of embeddings, a foreign one only from the user's own file."""
    table, where = _table(values, "events", f"{path}"), f"{path}, events"
    _refuse_unknown(table, {"webhook"}, where)
    url = _of_kind(table, "webhook", str, where)
    if url is None:
        return None
    if not url.startswith(("http://", "https://")) or not _host(url):
        raise InvalidValue(f"{where}: webhook is a URL such as https://example.org/karte, not {url!r:.80}.")
    _refuse_foreign(url, path, f"{where}: {_host(url)} is not on this machine, and events would be sent there.")
    return url


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _refuse_foreign(url: str, path: Path, message: str) -> None:
    """Refuse a URL that is not on this machine, unless it stands in the user's own file.

    A folder from somewhere else may bring its own settings file with it.
    """
    own = user_config_dir() / SETTINGS_FILE
    if path != own and _host(url) not in _THIS_MACHINE:
        raise InvalidValue(message, hint=f"If that is meant, set it in your own settings: {own}.")


def _server(table: Mapping[str, Any], path: Path) -> Server:
    """The server in a table of settings; one that is not on this machine only from the user's own file."""
    where = f"{path}, embedder"
    base_url, model = (_of_kind(table, name, str, where) for name in ("base_url", "model"))
    dimensions = _of_kind(table, "dimensions", int, where)
    if not (base_url and model and dimensions):
        raise InvalidValue(f"{where}: a server needs base_url, model and dimensions.")
    _refuse_foreign(base_url, path, f"{where}: {base_url} is not on this machine, and every text would be sent there.")
    timeout = table.get("timeout", Server.timeout)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        raise InvalidValue(f"{where}: timeout is a number of seconds above 0.")
    return Server(base_url, model, dimensions, float(timeout))


def _of_kind(table: Mapping[str, Any], name: str, kind: type[Setting], where: str) -> Setting | None:
    """A setting of the given kind, above 0 where it is a number; None where it is not set."""
    value = table.get(name)
    if value is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool) or (isinstance(value, int) and value < 1):
        raise InvalidValue(f"{where}: {name} is {'a text' if kind is str else 'a whole number of at least 1'}.")
    return value


def choose_embedder(settings: Settings) -> str:
    """The name of the embedder to use: that of the settings, that of `KARTE_EMBEDDER`, or the default."""
    return settings.embedder or os.environ.get(EMBEDDER_VARIABLE) or DEFAULT_EMBEDDER


def embedder_key() -> str | None:
    """The key for a server of embeddings, from `KARTE_EMBEDDER_KEY`; it has no place in a file of settings."""
    return os.environ.get(EMBEDDER_KEY_VARIABLE) or None


def caller_token() -> str | None:
    """The token that says who calls, from `KARTE_TOKEN`."""
    return os.environ.get(TOKEN_VARIABLE) or None


def webhook_secret() -> str | None:
    """The secret with which events are signed, from `KARTE_WEBHOOK_SECRET`; it has no place in a file of settings."""
    return os.environ.get(WEBHOOK_SECRET_VARIABLE) or None


def user_config_dir() -> Path:
    """The folder of the user's settings."""
    return Path(platformdirs.user_config_dir("karte", appauthor=False))


def user_data_dir() -> Path:
    """The folder of the user's own workspace."""
    return Path(platformdirs.user_data_dir("karte", appauthor=False))


def home() -> Path:
    """The user's home folder."""
    return Path.home()


def choose_workspace(named: str | None, folder: Path) -> Location:
    """Find the workspace to use: the one named, that of `KARTE_WORKSPACE`, the nearest local one, or the user's own.

    In this order. A local one is `.karte/workspace.karte` in `folder` or above, used only if it was created or trusted on this
    machine: a cloned repository must not bring its own memory unasked. Raises what `read_location` raises.
    """
    if chosen := named or os.environ.get(WORKSPACE_VARIABLE):
        location = read_location(chosen)
        return location.expanduser() if isinstance(location, Path) else location
    trusted = _trusted()
    for parent in (folder, *folder.parents):
        local = parent / LOCAL_FOLDER / WORKSPACE_FILE
        if local.is_file() and str(local.resolve()) in trusted:
            return local
    return user_data_dir() / WORKSPACE_FILE


def trust_workspace(workspace: Path) -> None:
    """Remember that a local workspace was created or trusted on this machine."""
    name = str(workspace.resolve())
    if name not in _trusted():
        path = _trusted_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")


def _trusted_path() -> Path:
    return user_data_dir() / TRUSTED_FILE


def _trusted() -> frozenset[str]:
    path = _trusted_path()
    return frozenset(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else frozenset()
