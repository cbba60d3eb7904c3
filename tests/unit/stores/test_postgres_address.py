"""The URL of a workspace in a database: libpq's own reading is the oracle, and no password is ever shown."""

from urllib.parse import quote

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from karte.errors import InvalidValue
from karte.stores.postgres import Address

SECRET = "s3cr3t"  # noqa: S105 - marks what must not be shown

ODD = "aé中한\U0001f600 !#$%&'()*+,-./:;<=>?@[]^_`{|}~\"\\"
names = st.text("ab_1é中 -.", min_size=1, max_size=8)
passwords = st.text(ODD, max_size=8).map(lambda text: SECRET + text)
hosts = st.sampled_from(
    ["", "localhost", "db.example.com", "10.0.0.1", "[::1]", "%2Ftmp%2Fkarte%20sockets", "%2Fvar%2Frun", "數據庫"]
)
ports = st.sampled_from(["", ":5432", ":6432"])
parameters = st.dictionaries(
    st.sampled_from(["application_name", "options", "sslmode", "target_session_attrs", "passfile", "user"]),
    st.text(ODD, max_size=8),
    max_size=3,
)
workspaces = st.text(max_size=200).filter(lambda name: bool(name) and name.isprintable())


@st.composite
def databases(draw: st.DrawFn) -> str:
    """URLs as libpq takes them: one host or several, sockets, none; names and passwords with whatever has to be encoded."""
    user = quote(draw(names), safe="")
    password = draw(st.none() | passwords)
    signed = draw(st.sampled_from(["", f"{user}@", f"{user}{'' if password is None else f':{quote(password)}'}@"]))
    signed = signed.replace("/", "%2F")
    place = ",".join(f"{draw(hosts)}{draw(ports)}" for _ in range(draw(st.integers(1, 3))))
    database = draw(st.just("") | names.map(lambda name: f"/{quote(name, safe='')}"))
    given = {**draw(parameters), **draw(st.dictionaries(st.just("password"), passwords, max_size=1))}
    query = "&".join(f"{name}={quote(value, safe='+')}" for name, value in given.items())
    return (
        f"{draw(st.sampled_from(['postgresql', 'postgres']))}://{signed}{place}{database}{'?' if query else ''}{query}"
    )


def named(url: str, workspace: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}workspace={quote(workspace, safe='')}"


@given(databases(), workspaces)
def test_any_url_that_libpq_takes_means_the_same_with_a_workspace(url: str, workspace: str) -> None:
    address = Address.read(named(url, workspace))
    assert conninfo_to_dict(address.database) == conninfo_to_dict(url)
    assert address.workspace == workspace


@given(databases(), workspaces)
def test_its_text_leads_to_the_same_place_and_shows_no_password(url: str, workspace: str) -> None:
    address = Address.read(named(url, workspace))
    shown = Address.read(str(address))
    signed = {name: value for name, value in conninfo_to_dict(url).items() if name != "password"}
    assert (conninfo_to_dict(shown.database), shown.workspace) == (signed, workspace)
    assert SECRET not in f"{address} {address!r}"


@given(st.text("ab1:/@?&=%,[]# +\0中é", max_size=30).map(lambda rest: f"postgresql://{rest}"))
def test_any_other_url_is_read_as_libpq_reads_it_or_refused_without_being_repeated(url: str) -> None:
    try:
        address = Address.read(url)
    except InvalidValue as error:
        assert url not in f"{error} {error.hint}"  # noqa: PT017 - only some are refused
    else:
        assert conninfo_to_dict(address.database) == conninfo_to_dict(url)


@given(st.text("ab1:/@?&=%,#+中é", max_size=30).map(lambda rest: f"postgresql://{rest}"))
def test_what_libpq_takes_is_refused_only_for_an_at_sign_out_of_place_or_a_port_that_is_no_number(url: str) -> None:
    try:
        read = conninfo_to_dict(url)
    except (ProgrammingError, UnicodeDecodeError):
        reject()
    before, at, after = url.removeprefix("postgresql://").partition("@")
    assume("@" not in (after if at and "/" not in before else f"{before}{at}{after}").partition("?")[0])
    assume(all(port.isdecimal() or not port for port in str(read.get("port", "")).split(",")))
    assert conninfo_to_dict(Address.read(url).database) == read


class TestWorkspaces:
    def test_one_that_is_not_named_is_the_default(self) -> None:
        assert Address.read("postgresql://me@host/db") == Address("postgresql://me@host/db", "default")

    @pytest.mark.parametrize("url", ["postgresql:///?workspace=團隊", "postgresql:///?workspace=%E5%9C%98%E9%9A%8A"])
    def test_a_name_may_be_written_as_it_is_or_encoded(self, url: str) -> None:
        address = Address.read(url)
        assert (address.workspace, address.database) == ("團隊", "postgresql:///")
        assert str(address) == "postgresql:///?workspace=%E5%9C%98%E9%9A%8A"

    def test_a_plus_is_a_plus_as_everywhere_in_such_a_url(self) -> None:
        assert Address.read("postgresql:///?workspace=a+b").workspace == "a+b"

    def test_it_may_stand_anywhere_among_the_parameters(self) -> None:
        address = Address.read("postgresql://host/db?port=6432&workspace=team&sslmode=require")
        assert (address.database, address.workspace) == ("postgresql://host/db?port=6432&sslmode=require", "team")

    @pytest.mark.parametrize(
        "written", ["", "%00", "%0A", "a%", "%zz", "a b", "a=b", "%ED%A0%80", "%FF", "x" * 201, "a&workspace=b"]
    )
    def test_a_name_that_is_none_is_refused(self, written: str) -> None:
        with pytest.raises(InvalidValue):
            Address.read(f"postgresql://host/db?workspace={written}")

    def test_numbers_are_made_of_names_and_fit_63_bits(self) -> None:
        """BLAKE2b of 8 bytes, big endian, without its last bit; `printf team | b2sum -l 64`."""
        assert Address.read("postgresql:///?workspace=team").workspace_id == 0xDD68AB534A96F7F9 >> 1


class TestSecrets:
    @pytest.mark.parametrize(
        "url",
        [
            f"postgresql://me:{SECRET}@host/db",
            f"postgresql://me:{SECRET}?x#y[z@host/db",
            f"postgresql://host/db?password={SECRET}",
            f"postgresql://host/db?pass%77ord={SECRET}&port=1",
            f"postgresql://host/db?sslpassword={SECRET}",
            f"postgresql://host/db?oauth_client_secret={SECRET}",
            f"postgresql://host/db?scram_client_key={SECRET}",
        ],
    )
    def test_what_signs_in_is_for_the_driver_alone(self, url: str) -> None:
        address = Address.read(url)
        assert SECRET in address.database
        assert SECRET not in f"{address} {address!r}"

    @pytest.mark.parametrize(
        "url",
        [
            f"postgresql://me:{SECRET}/x@host/db",
            f"postgresql://me:a/{SECRET}@host/db",
            f"postgresql://me:a@{SECRET}@host/db",
            f"postgresql://me:a@host:{SECRET}/db",
            f"postgresql://me:a/{SECRET}?{SECRET}=b@host/db",
            f"postgresql://[{SECRET}/db",
            f"postgresql://host/db?password=%{SECRET}",
            f"postgresql://host/db?password={SECRET}={SECRET}",
            f"mysql://me:{SECRET}@host/db",
        ],
    )
    def test_what_is_refused_is_not_repeated(self, url: str) -> None:
        with pytest.raises(InvalidValue) as raised:
            Address.read(url)
        assert SECRET not in f"{raised.value} {raised.value.hint} {raised.value.__cause__} {raised.value.__context__}"
        assert raised.value.exit_code == 2

    def test_a_parameter_that_is_not_known_is_named(self) -> None:
        with pytest.raises(InvalidValue, match="not known: sslmod"):
            Address.read("postgresql://me:x@host/db?sslmod=require")


def test_a_reader_of_web_addresses_would_not_do() -> None:
    """A control: what these URLs may hold is torn apart by rules that are not libpq's."""
    from urllib.parse import urlsplit

    assert urlsplit(f"postgresql://me:{SECRET}#x@host/db").hostname != "host"
    assert conninfo_to_dict(f"postgresql://me:{SECRET}#x@host/db")["host"] == "host"
