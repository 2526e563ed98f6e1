"""Connecting over the stand-in's own pages."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import time_machine
from sqlalchemy import func, select
from sqlalchemy.orm import joinedload

from core.container import Services
from core.errors import ErrorCode, NeedsReconnect
from core.ids import new_id
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, AccountState, AccountType, ChannelKind
from core.settings import Settings
from core.social_accounts.tables import Account, ConnectAttempt, Grant
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import Networks, browsing
from tests.factories import Factory

START, FINISH = "/accounts/connect/linkedin/", "/accounts/connect/linkedin/callback/"
META = ChannelKind.facebook


async def consent(
    api: httpx2.AsyncClient,
    networks: Networks,
    choice: str = "sandbox_person=mara-lind",
    kind: ChannelKind = ChannelKind.linkedin,
) -> dict[str, str]:
    """What the callback's address holds after the person has decided at the network."""
    address = done(await api.post(f"/accounts/connect/{kind}/", json={}))["authorize_url"]
    answer = await networks.client.get(f"{address}&{choice}")
    back = urlsplit(answer.headers["location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"http://postloom.test/account/connect/{kind}/callback/"
    found = {name: values[0] for name, values in parse_qs(back.query).items()}
    return {name: found[name] for name in ("state", "code", "error") if name in found}


async def test_an_account_is_connected_and_its_token_stays_here(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    [made] = done(await api.post(FINISH, json=await consent(api, networks)))["accounts"]
    assert (made["kind"], made["type"], made["state"], made["used_by"]) == ("linkedin", "person", "connected", 0)
    listed = await api.get("/accounts/")
    assert done(listed) == [made]
    async with services.sessions() as session:
        account = await session.scalar(select(Account))
    assert account is not None
    assert account.grant is not None
    token = services.connecting.credentials(account).access_token
    assert token
    assert token not in listed.text
    assert token not in account.grant.access_token_encrypted


async def test_a_person_may_say_no(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(api, networks, "sandbox_cancel=1")
    problem = refused(await api.post(FINISH, json=back), 422, ErrorCode.connect_denied)
    assert problem["params"] == {"error": "user_cancelled_login"}
    assert done(await api.get("/accounts/")) == []


async def test_a_state_works_once(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(api, networks)
    # also where the browser has not forgotten it
    held = {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in api.cookies.jar)}
    done(await api.post(FINISH, json=back))
    for headers in ({}, held):
        refused(await api.post(FINISH, json=back, headers=headers), 422, ErrorCode.connect_used)
    assert len(done(await api.get("/accounts/"))) == 1
    refused(await api.post(f"/accounts/connect/{META}/callback/", json=back), 422, ErrorCode.connect_expired)


async def test_another_user_is_not_told_that_a_state_was_used(
    api: httpx2.AsyncClient, networks: Networks, services: Services, away: Gateway, make: Factory
) -> None:
    back = await consent(api, networks)
    done(await api.post(FINISH, json=back))
    async with browsing(services, away, await make.user()) as other:
        refused(await other.post(FINISH, json=back), 422, ErrorCode.connect_expired)


async def test_that_a_state_was_used_is_known_also_where_it_led_to_nothing(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    back = await consent(api, networks, "sandbox_cancel=1")
    refused(await api.post(FINISH, json=back), 422, ErrorCode.connect_denied)
    refused(await api.post(FINISH, json=back), 422, ErrorCode.connect_used)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1)):
        await services.connecting.delete_expired_attempts()
    assert await attempts(services) == 0


@pytest.mark.parametrize("late", [timedelta(minutes=30, seconds=1), timedelta(hours=1), timedelta(days=2)])
async def test_a_state_expires(api: httpx2.AsyncClient, networks: Networks, late: timedelta) -> None:
    back = await consent(api, networks)
    # also where the browser has not forgotten it
    held = {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in api.cookies.jar)}
    with time_machine.travel(datetime.now(UTC) + late):
        refused(await api.post(FINISH, json=back, headers=held), 422, ErrorCode.connect_expired)
    assert len(done(await api.post(FINISH, json=back, headers=held))["accounts"]) == 1, "it was for its age alone"


async def test_another_users_state_is_worth_nothing_and_stays_theirs(
    api: httpx2.AsyncClient, networks: Networks, services: Services, away: Gateway, make: Factory
) -> None:
    """Who sends somebody a link to the callback must not get their own account connected for them."""
    back = await consent(api, networks)
    async with browsing(services, away, await make.user()) as other:
        refused(await other.post(FINISH, json=back), 422, ErrorCode.connect_expired)
        # nor in the same browser, where somebody else has logged in since
        for cookie in api.cookies.jar:
            other.cookies.set(cookie.name, cookie.value or "")
        refused(await other.post(FINISH, json=back), 422, ErrorCode.connect_expired)
        assert done(await other.get("/accounts/")) == []
    assert len(done(await api.post(FINISH, json=back))["accounts"]) == 1


async def test_a_state_is_for_the_network_that_it_was_made_for(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(api, networks)
    refused(await api.post(f"/accounts/connect/{META}/callback/", json=back), 422, ErrorCode.connect_expired)
    assert len(done(await api.post(FINISH, json=back))["accounts"]) == 1


async def test_another_browser_of_the_same_user_finishes_nothing(
    api: httpx2.AsyncClient, networks: Networks, services: Services, away: Gateway, user: User
) -> None:
    """Whoever lures somebody to the callback with a state and code of their own has no cookie in that browser."""
    back = await consent(api, networks)
    async with browsing(services, away, user) as other:
        refused(await other.post(FINISH, json=back), 422, ErrorCode.connect_expired)
        for cookie in api.cookies.jar:
            other.cookies.set(cookie.name, "made-up")
        refused(await other.post(FINISH, json=back), 422, ErrorCode.connect_expired)
    assert len(done(await api.post(FINISH, json=back))["accounts"]) == 1
    assert not api.cookies, "it is used up"


async def test_two_tabs_on_their_way_do_not_disturb_each_other(api: httpx2.AsyncClient, networks: Networks) -> None:
    first, second = await consent(api, networks), await consent(api, networks)
    assert len(done(await api.post(FINISH, json=first))["accounts"]) == 1
    assert len(done(await api.post(FINISH, json=second))["accounts"]) == 1


@pytest.mark.parametrize(("site", "prefix"), [("https://post.example.org", "__Host-"), ("http://localhost:8000", "")])
async def test_the_cookie_is_for_this_host_and_its_server_alone(
    services: Services, away: Gateway, user: User, settings: Settings, site: str, prefix: str
) -> None:
    served = replace(services, settings=settings.model_copy(update={"public_url": site}))
    async with browsing(served, away, user) as browser:
        said = (await browser.post(START, json={})).headers.get_list("set-cookie")
    [cookie] = said
    name, *attributes = cookie.split("; ")
    assert re.fullmatch(rf"{prefix}connect-[0-9a-f]{{16}}=[\w-]{{43}}", name)
    always = {"HttpOnly", "Max-Age=1800", "Path=/", "SameSite=lax"}
    assert set(attributes) == (always | {"Secure"} if prefix else always)


@pytest.mark.parametrize("back", [{"state": "made up", "code": "x"}, {"state": "", "code": ""}])
async def test_a_made_up_state_is_refused(api: httpx2.AsyncClient, back: dict[str, str]) -> None:
    refused(await api.post(FINISH, json=back), 422, ErrorCode.connect_expired)


async def test_a_code_that_the_network_refuses(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(api, networks)
    problem = refused(await api.post(FINISH, json={**back, "code": "made-up"}), 422, ErrorCode.connect_expired)
    assert "made-up" not in str(problem)


async def test_the_network_is_away(api: httpx2.AsyncClient, networks: Networks) -> None:
    await networks.calm()
    back = await consent(api, networks)
    await networks.fail(on="token", kind="html", status=502)
    refused(await api.post(FINISH, json=back), 422, ErrorCode.connect_failed)
    assert done(await api.get("/accounts/")) == []


async def test_removing_an_account_forgets_its_token_and_frees_its_assistants(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    assert done(await api.get("/accounts/"))[0]["used_by"] == 1
    token = services.connecting.credentials(account)
    assert done(await api.delete(f"/accounts/{account.id}/")) == {"access": "revoked"}
    with pytest.raises(NeedsReconnect):
        await channel(ChannelKind.linkedin).probe(token)
    assert done(await api.get("/accounts/")) == []
    assert done(await api.get(f"/assistants/{assistant.id}/"))["accounts"] == []
    async with services.sessions() as session:
        kept = await session.get(Account, account.id)
    assert kept is not None
    assert services.connecting.credentials(kept).access_token == ""
    assert await grants(services) == []
    refused(await api.delete(f"/accounts/{account.id}/"), 404, ErrorCode.not_found)


async def test_what_the_network_does_not_take_back_at_once_it_is_asked_again(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    token = services.connecting.credentials(account)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=503)
    assert done(await api.delete(f"/accounts/{account.id}/")) == {"access": "waiting"}
    assert done(await api.get("/accounts/")) == []
    await channel(ChannelKind.linkedin).probe(token)  # it allows everything still
    assert await services.connecting.grants.retry_revocations() == 0, "not before its time"
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6), tick=True):
        assert await services.connecting.grants.retry_revocations() == 1
    with pytest.raises(NeedsReconnect):
        await channel(ChannelKind.linkedin).probe(token)
    assert await grants(services) == []


async def test_who_connects_again_meanwhile_keeps_what_they_got(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=503)
    assert done(await api.delete(f"/accounts/{account.id}/")) == {"access": "waiting"}
    [again] = done(await api.post(FINISH, json=await consent(api, networks)))["accounts"]
    assert again["id"] == str(account.id)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=True):
        await services.connecting.grants.retry_revocations()
    async with services.sessions() as session:
        kept = await session.get_one(Account, account.id)
    await channel(ChannelKind.linkedin).probe(services.connecting.credentials(kept))


async def test_a_consent_is_given_back_with_the_last_of_its_accounts(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    page = Account(
        id=new_id(),
        user_id=user.id,
        kind=account.kind,
        type=AccountType.organisation,
        external_id="page",
        name="A page",
        grant_id=account.grant_id,
        access_token_encrypted=services.vault.encrypt("its own"),
        own_token_id=new_id(),
    )
    async with services.sessions.begin() as session:
        session.add(page)
    assert services.connecting.credentials(page).access_token == "its own"
    token = services.connecting.credentials(account)
    assert done(await api.delete(f"/accounts/{account.id}/")) == {"access": "shared"}
    await channel(ChannelKind.linkedin).probe(token)
    assert done(await api.delete(f"/accounts/{page.id}/")) == {"access": "revoked"}
    with pytest.raises(NeedsReconnect):
        await channel(ChannelKind.linkedin).probe(token)
    async with services.sessions() as session:
        kept = await session.get_one(Account, page.id)
    assert (kept.access_token_encrypted, kept.own_token_id, kept.grant_id) == (None, None, None)


async def test_networks_of_one_app_share_a_persons_consent_and_the_last_one_gives_it_back(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    """Taken back for one of them it would be gone for all."""
    kinds = [one for one in NETWORKS if channel(one).connection.settings == channel(META).connection.settings]
    made = {}
    for kind in kinds:
        back = await consent(api, networks, kind=kind)
        [account] = done(await api.post(f"/accounts/connect/{kind}/callback/", json=back))["accounts"]
        made[kind] = account["id"]
    assert len(made) > 1
    *first, last = kinds
    async with services.sessions() as session:
        rows = [await session.get_one(Account, made[last], options=[joinedload(Account.grant)])]
    token = services.connecting.credentials(rows[0])
    for kind in first:
        assert done(await api.delete(f"/accounts/{made[kind]}/")) == {"access": "shared"}
        await channel(last).probe(token)
    assert done(await api.delete(f"/accounts/{made[last]}/")) == {"access": "revoked"}
    with pytest.raises(NeedsReconnect):
        await channel(last).probe(token)


async def test_a_reconnect_never_stores_an_empty_refresh_token_over_a_good_one(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    async with services.sessions.begin() as session:
        row = await session.get_one(Grant, account.grant_id)
        token, row.refresh_token_encrypted = row.token_id, services.vault.encrypt("still good")
        row.state = AccountState.needs_reconnecting
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["needs_reconnecting"]
    [again] = done(await api.post(FINISH, json=await consent(api, networks)))["accounts"]
    assert (again["id"], again["state"]) == (str(account.id), "connected")
    [row] = await grants(services)
    assert row.id == account.grant_id
    assert row.token_id != token
    assert services.connecting.grants.decrypt(row).refresh_token == "still good"


async def grants(services: Services) -> Sequence[Grant]:
    async with services.sessions() as session:
        return (await session.scalars(select(Grant))).all()


async def test_connecting_again_keeps_the_account_and_who_uses_it(
    api: httpx2.AsyncClient, networks: Networks, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    await make.assistant(user, accounts=(account.id,))
    [again] = done(await api.post(FINISH, json=await consent(api, networks)))["accounts"]
    assert (again["id"], again["used_by"]) == (str(account.id), 1)
    assert len(done(await api.get("/accounts/"))) == 1


async def test_of_the_pages_at_linkedin_a_person_chooses(api: httpx2.AsyncClient, networks: Networks) -> None:
    kind = ChannelKind.linkedin_pages
    callback = f"/accounts/connect/{kind}/callback/"
    for person, why in (
        ("nora-feld", ErrorCode.connect_no_page),
        ("tom-okafor", ErrorCode.connect_role_too_low),
    ):
        refused(await api.post(callback, json=await consent(api, networks, f"sandbox_person={person}", kind)), 422, why)
    found = done(await api.post(callback, json=await consent(api, networks, "sandbox_person=ada-lindqvist", kind)))
    names = [one["name"] for one in found["choice"]["candidates"]]
    assert (found["accounts"], names) == ([], ["Lindqvist Coffee", "Radwerk Weber"])
    chosen = {"grant_id": found["choice"]["grant_id"], "external_ids": ["2414183"]}
    [made] = done(await api.post("/accounts/connect/choice/accounts/", json=chosen))
    assert (made["kind"], made["type"], made["name"]) == (kind, "organisation", "Lindqvist Coffee")
    assert made["picture_url"] == f"{networks.url}/sandbox/pictures/lindqvist-coffee.svg"
    # another person's consent for one of the same pages leaves the first one's grant to the others
    jonas = done(await api.post(callback, json=await consent(api, networks, "sandbox_person=jonas-weber", kind)))
    assert [one["name"] for one in jonas["accounts"]] == ["Radwerk Weber"]
    assert {one["name"]: one["state"] for one in done(await api.get("/accounts/"))} == {
        "Lindqvist Coffee": "connected",
        "Radwerk Weber": "connected",
    }


async def test_a_channel_says_what_is_to_be_set(api: httpx2.AsyncClient) -> None:
    told = {one["kind"]: one for one in done(await api.get("/channels/"))}
    assert list(told) == list(NETWORKS)
    linkedin = told["linkedin"]
    assert linkedin["connection"]["settings"] == ["LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET"]
    assert linkedin["configured"] is True
    assert linkedin["limits"]["max_characters"] == 3000
    for unknown in ("myspace", ChannelKind.wordpress):
        for path in (f"/accounts/connect/{unknown}/", f"/accounts/connect/{unknown}/callback/"):
            body = {"state": "s", "code": "c"} if path.endswith("callback/") else {}
            refused(await api.post(path, json=body), 422, ErrorCode.invalid_input)


async def test_a_way_to_a_network_that_nobody_came_back_from_is_forgotten(
    services: Services, api: httpx2.AsyncClient
) -> None:
    done(await api.post(START, json={}))
    assert await attempts(services) == 1
    await services.connecting.delete_expired_attempts()
    assert await attempts(services) == 1
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1)):
        await services.connecting.delete_expired_attempts()
    assert await attempts(services) == 0


async def attempts(services: Services) -> int:
    async with services.sessions() as session:
        return await session.scalar(select(func.count()).select_from(ConnectAttempt)) or 0
