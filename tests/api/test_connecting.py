"""Ways to connect that the adapter describes, by a network that answers as a test says: a form, a server of one's own
first, a choice among several accounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

import httpx2
import pytest
import time_machine
from sqlalchemy import select, update

from core.container import Services
from core.errors import Blocked, ErrorCode, Misconfigured, ProviderError, Refused, RetrySafe
from core.networks import registry as channels
from core.networks.connections import App, Connection, Grant, Granted, KnownApp, OAuthFlow, Profile, ignore_grant
from core.networks.rules.channels import NETWORKS, AccountType, ChannelKind, FieldKind, FieldName, FormField
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.tables import Account, NetworkApp
from core.social_accounts.tables import Grant as GrantRow
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import browsing
from tests.factories import Factory
from tests.scripted_network import ScriptedNetwork

START, CALLBACK = "/accounts/connect/linkedin/", "/accounts/connect/linkedin/callback/"
CHOOSE = "/accounts/connect/choice/accounts/"
SERVER = FormField(FieldName.server, FieldKind.url, "social.example")
PAGES = tuple(Profile(f"page-{at}", f"Page {at}", AccountType.organisation, None, f"of page {at}") for at in range(3))


@dataclass
class Network(ScriptedNetwork):
    """Hands out `accounts`, by consent or for the password `right`."""

    accounts: tuple[Profile, ...] = PAGES
    registered: list[str] = field(default_factory=list)
    forgets: bool = False
    ways: list[OAuthFlow] = field(default_factory=list)
    subject: str | None = "ada"
    unreadable: ProviderError | None = None
    away: bool = False
    revoked: list[Grant] = field(default_factory=list)
    revoked_as: list[list[str]] = field(default_factory=list)

    async def register(self, form: Mapping[str, str], redirect_uri: str, known: KnownApp) -> App | None:
        if "." not in form["server"]:
            raise Refused(ErrorCode.connect_server_unusable, field="server")
        base_url = f"https://{form['server']}"
        app = await known(base_url)
        if app and not self.forgets:
            return app
        self.registered.append(base_url)
        return App(base_url, f"at {base_url}" if app is None else f"again {app.client_id}", "hush")

    def authorize_url(self, way: OAuthFlow) -> str:
        self.ways.append(way)
        base_url = way.app.base_url if way.app else "https://network.test"
        return f"{base_url}/authorize?{urlencode({'state': way.state, 'code_challenge': way.challenge})}"

    def refusal(self, error: str, description: str) -> ErrorCode:
        return ErrorCode.connect_no_page if error == "no_page" else ErrorCode.connect_failed

    async def exchange(self, way: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        if way != self.ways[-1]:
            raise Refused(ErrorCode.connect_expired, detail="another way")
        base_url = way.app.base_url if way.app else ""
        grant = Grant(f"by {code}", None, None, (), subject=self.subject, base_url=base_url)
        granted(grant)
        if code == "scopeless":
            raise Refused(ErrorCode.connect_scope_missing, scopes="pages_manage_posts")
        return grant

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        if form["app_password"] != "right":
            raise Refused(ErrorCode.connect_login_refused, field="app_password")
        now = datetime.now(UTC)
        ends, renewable = now + timedelta(hours=2), now + timedelta(days=90)
        return Grant("signed in", "refreshing", ends, (), renewable, subject=form["handle"])

    async def profiles(self, grant: Grant) -> list[Profile]:
        if self.unreadable:
            raise self.unreadable
        return list(self.accounts)

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        if self.away:
            raise RetrySafe(detail="away")
        self.revoked.append(grant)
        self.revoked_as.append([one.client_id for one in apps])


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    scripted = Network()
    monkeypatch.setattr("core.social_accounts.connecting.channel", lambda kind: scripted)
    monkeypatch.setattr("core.social_accounts.grants.channel", lambda kind: scripted)
    monkeypatch.setattr("api.routes.social_accounts.networks", lambda: [scripted])
    monkeypatch.setattr("api.routes.social_accounts.channel", lambda kind: scripted)
    return scripted


async def back(api: httpx2.AsyncClient, code: str = "once", **fields: str) -> dict[str, str]:
    """What the callback's address holds."""
    address = done(await api.post(START, json={"fields": fields}))["authorize_url"]
    return {"state": dict(parse_qsl(urlsplit(address).query))["state"], "code": code}


async def grants(services: Services) -> Sequence[GrantRow]:
    async with services.sessions() as session:
        return (await session.scalars(select(GrantRow))).all()


def names(accounts: list[dict[str, Any]]) -> list[str]:
    return [account["name"] for account in accounts]


async def test_of_several_accounts_a_person_chooses_and_nothing_else_is_stored(
    api: httpx2.AsyncClient, network: Network, services: Services
) -> None:
    found = done(await api.post(CALLBACK, json=await back(api)))
    assert found["accounts"] == []
    assert [(one["name"], one["account_id"]) for one in found["choice"]["candidates"]] == [
        ("Page 0", None),
        ("Page 1", None),
        ("Page 2", None),
    ]
    assert "of page" not in str(found), "their tokens stay here"
    assert done(await api.get("/accounts/")) == []
    grant_id = found["choice"]["grant_id"]
    chosen = done(await api.post(CHOOSE, json={"grant_id": grant_id, "external_ids": ["page-0", "page-2"]}))
    assert names(chosen) == ["Page 0", "Page 2"]
    async with services.sessions() as session:
        stored = (await session.scalars(select(Account).order_by(Account.name))).all()
    assert {str(account.grant_id) for account in stored} == {grant_id}
    assert [services.connecting.credentials(one).access_token for one in stored] == ["of page 0", "of page 2"]
    # not given back: they post by it
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=True):
        assert await services.connecting.grants.retry_revocations() == 0


async def test_connecting_again_keeps_what_is_connected_and_offers_the_rest(
    api: httpx2.AsyncClient, network: Network
) -> None:
    first = done(await api.post(CALLBACK, json=await back(api)))["choice"]["grant_id"]
    [made] = done(await api.post(CHOOSE, json={"grant_id": first, "external_ids": ["page-1"]}))
    again = done(await api.post(CALLBACK, json=await back(api, "anew")))
    assert [account["id"] for account in again["accounts"]] == [made["id"]]
    assert [one["account_id"] for one in again["choice"]["candidates"]] == [None, made["id"], None]
    assert again["choice"]["grant_id"] == first, "the same person's"
    network.accounts = PAGES[1:2]
    alone = done(await api.post(CALLBACK, json=await back(api, "a third time")))
    assert alone["choice"] is None
    assert [account["id"] for account in alone["accounts"]] == [made["id"]]


async def test_who_chooses_nothing_leaves_nothing_behind(
    api: httpx2.AsyncClient, network: Network, services: Services
) -> None:
    grant_id = done(await api.post(CALLBACK, json=await back(api)))["choice"]["grant_id"]
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=31), tick=True):
        assert await services.connecting.grants.retry_revocations() == 1
    assert [grant.access_token for grant in network.revoked] == ["by once"]
    late = await api.post(CHOOSE, json={"grant_id": grant_id, "external_ids": ["page-0"]})
    refused(late, 404, ErrorCode.not_found)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (RetrySafe(detail="away"), ErrorCode.connect_failed),
        (Refused(ErrorCode.connect_no_page), ErrorCode.connect_no_page),
    ],
)
async def test_a_consent_that_leads_to_nothing_readable_is_given_back_and_the_reason_told(
    api: httpx2.AsyncClient, network: Network, services: Services, failure: ProviderError, code: ErrorCode
) -> None:
    network.unreadable = failure
    refused(await api.post(CALLBACK, json=await back(api)), 422, code)
    assert [grant.access_token for grant in network.revoked] == ["by once"]
    assert await grants(services) == []


async def test_a_consent_without_all_that_is_needed_is_given_back(api: httpx2.AsyncClient, network: Network) -> None:
    refused(await api.post(CALLBACK, json=await back(api, "scopeless")), 422, ErrorCode.connect_scope_missing)
    assert [grant.access_token for grant in network.revoked] == ["by scopeless"]


async def test_what_a_form_led_to_in_vain_is_given_back(api: httpx2.AsyncClient, network: Network) -> None:
    password = FormField(FieldName.app_password, FieldKind.password)
    network.connection = Connection(False, (FormField(FieldName.handle, FieldKind.text, "ada.example"), password))
    network.unreadable = RetrySafe()
    form = {"fields": {"handle": "ada", "app_password": "right"}}
    refused(await api.post(START, json=form), 422, ErrorCode.connect_failed)
    assert [grant.refresh_token for grant in network.revoked] == ["refreshing"]


async def test_what_a_network_does_not_take_back_at_once_it_is_asked_again(
    api: httpx2.AsyncClient, network: Network, services: Services
) -> None:
    network.unreadable, network.away = RetrySafe(), True
    refused(await api.post(CALLBACK, json=await back(api)), 422, ErrorCode.connect_failed)
    network.away = False
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6), tick=True):
        assert await services.connecting.grants.retry_revocations() == 1
    assert [grant.access_token for grant in network.revoked] == ["by once"]
    assert await grants(services) == []


@pytest.mark.parametrize(("subject", "kept"), [("ada", True), (None, True), ("somebody else", False)])
async def test_what_posts_by_the_same_persons_consent_is_left_alone(
    api: httpx2.AsyncClient, network: Network, services: Services, subject: str | None, kept: bool
) -> None:
    """A network may know one consent of each person: given back, all that posts by it would stop."""
    network.accounts = PAGES[:1]
    [account] = done(await api.post(CALLBACK, json=await back(api)))["accounts"]
    network.unreadable, network.subject = RetrySafe(), subject
    refused(await api.post(CALLBACK, json=await back(api, "again")), 422, ErrorCode.connect_failed)
    assert [grant.access_token for grant in network.revoked] == ([] if kept else ["by again"])
    assert [one["id"] for one in done(await api.get("/accounts/"))] == [account["id"]]
    assert [services.connecting.grants.decrypt(row).access_token for row in await grants(services)] == ["by once"]


@pytest.mark.parametrize(
    ("theirs", "mine", "kept"),
    [("ada", "ada", True), ("ada", None, True), (None, "ada", True), ("ada", "somebody else", False)],
)
async def test_so_is_what_another_user_posts_by(
    services: Services,
    away: Gateway,
    make: Factory,
    api: httpx2.AsyncClient,
    network: Network,
    theirs: str | None,
    mine: str | None,
    kept: bool,
) -> None:
    """And who is told nothing of the other is told the same as ever."""
    network.accounts, network.subject = PAGES[:1], theirs
    async with browsing(services, away, await make.user()) as other:
        done(await other.post(CALLBACK, json=await back(other)))
    network.unreadable, network.subject = RetrySafe(), mine
    refused(await api.post(CALLBACK, json=await back(api, "again")), 422, ErrorCode.connect_failed)
    assert [grant.access_token for grant in network.revoked] == ([] if kept else ["by again"])
    assert len(await grants(services)) == 1


async def test_who_connects_while_the_same_consent_is_given_back_is_looked_at_again(
    standing: Services, away: Gateway, network: Network
) -> None:
    """Their tokens may have ended with it: the workflow of their grant finds out now, and not in a day."""
    make, revoke = Factory(standing.sessions, standing.vault), network.revoke
    network.accounts = PAGES[:1]
    async with browsing(standing, away, await make.user()) as one, browsing(standing, away, await make.user()) as other:
        [account] = done(await one.post(CALLBACK, json=await back(one)))["accounts"]

        async def meanwhile(grant: Grant, apps: Sequence[App] = ()) -> None:
            done(await other.post(CALLBACK, json=await back(other, "meanwhile")))
            [found] = [row for row in await grants(standing) if row.revoke_due_at is None]
            await told(found.version)
            await revoke(grant, apps)

        async def told(version: int) -> None:
            """Its workflow has heard of it, and looked."""
            async with standing.sessions.begin() as session:
                await session.execute(update(GrantRow).values(told_version=version))

        network.revoke = meanwhile  # type: ignore[method-assign]
        assert done(await one.delete(f"/accounts/{account['id']}/")) == {"access": "revoked"}
    [row] = await grants(standing)
    assert row.told_version < row.version
    async with standing.sessions() as session:
        assert [behind.id for behind in await GrantRepository(session).list_unsynced(limit=10)] == [row.id]


async def test_what_a_person_still_chooses_from_is_left_alone(api: httpx2.AsyncClient, network: Network) -> None:
    grant_id = done(await api.post(CALLBACK, json=await back(api)))["choice"]["grant_id"]
    network.unreadable = RetrySafe()
    refused(await api.post(CALLBACK, json=await back(api, "again")), 422, ErrorCode.connect_failed)
    assert network.revoked == []
    network.unreadable = None
    assert names(done(await api.post(CHOOSE, json={"grant_id": grant_id, "external_ids": ["page-0"]}))) == ["Page 0"]


@pytest.mark.parametrize(
    ("account", "subject"),
    [
        (Profile("x" * 201, "Ada", AccountType.person, None), "ada"),
        (Profile("ada", "Ada", AccountType.person, None), "x" * 201),
    ],
)
async def test_a_server_whose_ids_nobody_keeps_connects_nothing(
    api: httpx2.AsyncClient, network: Network, services: Services, account: Profile, subject: str
) -> None:
    network.accounts, network.subject = (account,), subject
    refused(await api.post(CALLBACK, json=await back(api)), 422, ErrorCode.connect_failed)
    assert len(network.revoked) == 1
    assert await grants(services) == []


async def test_what_else_is_too_long_is_cut(api: httpx2.AsyncClient, network: Network) -> None:
    network.accounts = (
        Profile("ada", "A" * 300, AccountType.person, f"https://x.test/{'x' * 2000}", handle="a" * 300),
    )
    [account] = done(await api.post(CALLBACK, json=await back(api)))["accounts"]
    assert (account["name"], account["picture_url"]) == ("A" * 200, None)


@pytest.mark.parametrize("failure", [Misconfigured(detail="hush"), Blocked(detail="hush")])
async def test_what_another_try_would_not_mend_says_so(
    api: httpx2.AsyncClient, network: Network, failure: ProviderError
) -> None:
    network.unreadable = failure
    problem = refused(await api.post(CALLBACK, json=await back(api)), 502, failure.code)
    assert "hush" not in str(problem)


async def test_what_is_about_to_be_given_back_is_not_chosen_from_any_more(
    api: httpx2.AsyncClient, network: Network, services: Services
) -> None:
    """Its network may be asked in that very moment: what was connected by it would post nothing."""
    grant_id = done(await api.post(CALLBACK, json=await back(api)))["choice"]["grant_id"]
    chosen = {"grant_id": grant_id, "external_ids": ["page-0"]}
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=29, seconds=30), tick=True):
        refused(await api.post(CHOOSE, json=chosen), 422, ErrorCode.connect_expired)
    network.away = True
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=31), tick=True):
        await services.connecting.grants.retry_revocations()  # and is to be asked again later
        refused(await api.post(CHOOSE, json=chosen), 422, ErrorCode.connect_expired)
    assert done(await api.get("/accounts/")) == []


async def test_only_what_was_found_is_connected_and_only_by_whose_it_is(
    api: httpx2.AsyncClient, network: Network, services: Services, make: Factory
) -> None:
    grant_id = done(await api.post(CALLBACK, json=await back(api)))["choice"]["grant_id"]
    problem = refused(
        await api.post(CHOOSE, json={"grant_id": grant_id, "external_ids": ["page-0", "somebody's"]}),
        422,
        ErrorCode.invalid_input,
    )
    assert [(one["field"], one["code"]) for one in problem["errors"]] == [("external_ids", "not_found")]
    assert done(await api.get("/accounts/")) == []
    other = await make.user()
    async with services.sessions.begin() as session:
        (await session.get_one(GrantRow, UUID(grant_id))).user_id = other.id
    strange = await api.post(CHOOSE, json={"grant_id": grant_id, "external_ids": ["page-0"]})
    refused(strange, 404, ErrorCode.not_found)


async def test_a_form_alone_connects(api: httpx2.AsyncClient, network: Network, services: Services) -> None:
    handle = FormField(FieldName.handle, FieldKind.text, "ada.example")
    network.connection = Connection(False, (handle, FormField(FieldName.app_password, FieldKind.password)))
    network.accounts = (Profile("ada", "Ada", AccountType.person, None),)
    [told] = done(await api.get("/channels/"))
    assert told["connection"] == {
        "consent": False,
        "settings": [],
        "fields": [
            {"name": "handle", "kind": "text", "example": "ada.example", "max_length": 200, "initial": ""},
            {"name": "app_password", "kind": "password", "example": "", "max_length": 200, "initial": ""},
        ],
    }

    def at(problem: dict[str, Any]) -> list[tuple[str, str]]:
        return [(one["field"], one["code"]) for one in problem["errors"]]

    empty = refused(await api.post(START, json={}), 422, ErrorCode.invalid_input)
    assert at(empty) == [("fields.handle", "field_required"), ("fields.app_password", "field_required")]
    fields = {"handle": "x" * 201, "app_password": "right"}
    long = refused(await api.post(START, json={"fields": fields}), 422, ErrorCode.invalid_input)
    assert at(long) == [("fields.handle", "field_too_long")]
    fields = {"handle": "ada", "app_password": "wrong"}
    wrong = refused(await api.post(START, json={"fields": fields}), 422, ErrorCode.connect_login_refused)
    assert at(wrong) == [("fields.app_password", "connect_login_refused")]
    assert "wrong" not in str(wrong)
    copied = {"handle": " \u202aada\u202c\u200b ", "app_password": "\ufeffright"}
    made = done(await api.post(START, json={"fields": copied}))
    assert made["authorize_url"] is None
    assert names(made["connected"]["accounts"]) == ["Ada"]
    ends = datetime.fromisoformat(made["connected"]["accounts"][0]["expires_at"])
    assert ends > datetime.now(UTC) + timedelta(days=89), "until then it is renewed without a person"
    async with services.sessions() as session:
        row = await session.scalar(select(GrantRow))
    assert row is not None
    assert (row.subject, services.connecting.grants.decrypt(row).refresh_token) == ("ada", "refreshing")


async def test_what_is_known_of_an_account_stands_in_its_form_when_it_is_connected_again(
    api: httpx2.AsyncClient, network: Network
) -> None:
    secret = FormField(FieldName.app_password, FieldKind.password)
    network.connection = Connection(False, (FormField(FieldName.handle, FieldKind.text), secret))
    network.accounts = (Profile("did:plc:7", "Ada", AccountType.person, None, handle="ada.example"),)
    fields = {"handle": "ada", "app_password": "right"}
    [made] = done(await api.post(START, json={"fields": fields}))["connected"]["accounts"]
    assert made["form"] == {"handle": "ada.example"}
    network.connection, network.accounts = Connection(True, (SERVER,)), PAGES[:1]
    [made] = done(await api.post(CALLBACK, json=await back(api, server="one.example")))["accounts"]
    assert made["form"] == {"server": "one.example"}
    network.connection = Connection(True)
    assert [one["form"] for one in done(await api.get("/accounts/"))] == [{}, {}]


async def test_a_server_of_its_own_is_registered_at_once_and_consent_asked_there_with_pkce(
    api: httpx2.AsyncClient, network: Network, services: Services, user: User
) -> None:
    network.connection = Connection(True, (SERVER,))
    network.accounts = (Profile("1", "Ada", AccountType.person, None),)
    problem = refused(
        await api.post(START, json={"fields": {"server": "nowhere"}}), 422, ErrorCode.connect_server_unusable
    )
    assert [(one["field"], one["code"]) for one in problem["errors"]] == [
        ("fields.server", ErrorCode.connect_server_unusable)
    ]
    for server in ("one.example", "two.example", "one.example"):
        [account] = done(await api.post(CALLBACK, json=await back(api, server=server)))["accounts"]
        assert account["name"] == "Ada"
    assert network.registered == ["https://one.example", "https://two.example"], "at each server once"
    assert len({way.verifier for way in network.ways}) == 3
    assert all(43 <= len(way.verifier) <= 128 for way in network.ways)
    assert all(way.verifier not in network.authorize_url(way) for way in tuple(network.ways))
    async with services.sessions() as session:
        stored = (await session.scalars(select(Account).order_by(Account.base_url))).all()
        apps = (await session.scalars(select(NetworkApp))).all()
    # the same number at two servers is two people
    assert [(one.base_url, one.external_id) for one in stored] == [
        ("https://one.example", "1"),
        ("https://two.example", "1"),
    ]
    assert [services.connecting.credentials(one).base_url for one in stored] == [one.base_url for one in stored]
    done(await api.delete(f"/accounts/{stored[1].id}/"))
    assert network.revoked_as == [["at https://two.example"]], "by the app that its token was made for"
    assert all("hush" not in app.client_secret_encrypted for app in apps)


async def test_a_server_that_has_forgotten_us_gets_another_app_of_ours(
    api: httpx2.AsyncClient, network: Network, services: Services
) -> None:
    network.connection, network.accounts = Connection(True, (SERVER,)), PAGES[:1]
    done(await api.post(CALLBACK, json=await back(api, server="one.example")))
    network.forgets = True
    [account] = done(await api.post(CALLBACK, json=await back(api, server="one.example")))["accounts"]
    network.forgets = False
    assert done(await api.post(CALLBACK, json=await back(api, server="one.example")))["accounts"] == [account]
    assert network.registered == ["https://one.example"] * 2
    assert [way.app and way.app.client_id for way in network.ways] == [
        "at https://one.example",
        "again at https://one.example",
        "again at https://one.example",
    ]
    async with services.sessions() as session:
        [row] = (await session.scalars(select(NetworkApp))).all()
    assert row.client_id == "again at https://one.example"


async def test_of_two_that_are_registered_at_once_the_first_stays(
    api: httpx2.AsyncClient, network: Network, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    network.connection, network.accounts = Connection(True, (SERVER,)), PAGES[:1]
    done(await api.post(CALLBACK, json=await back(api, server="one.example")))

    async def meanwhile(form: Mapping[str, str], redirect_uri: str, known: KnownApp) -> App:
        return App("https://one.example", "second", "hush")  # asked before the first was kept

    monkeypatch.setattr(network, "register", meanwhile)
    [_] = done(await api.post(CALLBACK, json=await back(api, server="one.example")))["accounts"]
    assert network.ways[-1].app == App("https://one.example", "at https://one.example", "hush")


@pytest.mark.parametrize(
    ("held", "code", "params"),
    [
        ({"error": "no_page", "error_description": "none"}, ErrorCode.connect_no_page, {"error": "no_page"}),
        ({"error": "new"}, ErrorCode.connect_failed, {"error": "new"}),
        ({"code": "scopeless"}, ErrorCode.connect_scope_missing, {"error": "", "scopes": "pages_manage_posts"}),
    ],
)
async def test_a_refusal_has_its_code(
    api: httpx2.AsyncClient, network: Network, held: dict[str, str], code: ErrorCode, params: dict[str, str]
) -> None:
    state = (await back(api))["state"]
    assert refused(await api.post(CALLBACK, json={"state": state, **held}), 422, code)["params"] == params


def test_every_kind_has_an_adapter() -> None:
    assert [one.kind for one in channels.channels()] == list(ChannelKind)
    assert [one.kind for one in channels.networks()] == list(NETWORKS)
