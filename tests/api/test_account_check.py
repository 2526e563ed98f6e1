"""'Check this account', by the stand-ins: each point for itself, with what is wrong and what is done about it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import httpx2
import pytest
from fastapi import FastAPI

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.networks.base import Clock
from core.networks.connections import Credentials
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.networks.wordpress import WordPressChannel
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.test_accounts import consent
from tests.api.test_websites import a_form
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.serving import serve

Points = list[tuple[str, str, str | None]]


async def connected(api: httpx2.AsyncClient, networks: Networks, kind: ChannelKind, person: str = "mara-lind") -> str:
    back = await consent(api, networks, f"sandbox_person={person}", kind)
    made = done(await api.post(f"/accounts/connect/{kind}/callback/", json=back))
    return str(made["accounts"][0]["id"])


async def check(api: httpx2.AsyncClient, account_id: str) -> Points:
    rows = done(await api.post(f"/accounts/{account_id}/check/"))
    return [(row["point"], row["result"], row["error"] and row["error"]["code"]) for row in rows]


async def test_a_person_with_everything_in_order(api: httpx2.AsyncClient, networks: Networks) -> None:
    account = await connected(api, networks, ChannelKind.linkedin)
    assert await check(api, account) == [("access", "fine", None), ("permissions", "fine", None)]


async def test_a_page_has_a_role_too(api: httpx2.AsyncClient, networks: Networks) -> None:
    account = await connected(api, networks, ChannelKind.facebook)
    assert await check(api, account) == [
        ("access", "fine", None),
        ("permissions", "fine", None),
        ("role", "fine", None),
        ("quota", "fine", None),
    ]


async def test_a_network_that_fetches_says_whether_it_can_and_how_much_is_left(
    api: httpx2.AsyncClient, networks: Networks
) -> None:
    """Nobody listens at the test's own address."""
    account = await connected(api, networks, ChannelKind.instagram)
    assert await check(api, account) == [
        ("access", "fine", None),
        ("permissions", "fine", None),
        ("quota", "fine", None),
        ("media", "broken", "media_unreachable"),
    ]


async def test_an_address_of_this_machine_is_reached_by_nobody_else(
    services: Services, away: Gateway, user: User, networks: Networks
) -> None:
    app = FastAPI()

    @app.get("/healthz")
    async def _() -> None:
        """As ours answers."""

    async with serve(app) as url, browsing(services, away, user) as browser:
        account = await connected(browser, networks, ChannelKind.instagram)
        here = replace(services, account_checks=replace(services.account_checks, public_url=url))
        async with browsing(here, away, user) as again:
            assert ("media", "unsure", "media_local") in await check(again, account)
        # nor is a bucket of this machine, though any answer of its server will do
        bucket = replace(services, account_checks=replace(services.account_checks, bucket_url=f"{url}/storage"))
        async with browsing(bucket, away, user) as again:
            assert ("media", "unsure", "media_local") in await check(again, account)


async def test_access_that_was_taken_back_is_told_and_marked(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    account = await connected(api, networks, ChannelKind.linkedin)
    assert (await networks.client.delete("/sandbox/people/mara-lind/tokens")).is_success
    assert (await check(api, account))[0] == ("access", "broken", "delivery_needs_reconnect")
    async with services.sessions() as session:
        kept = await session.get_one(Account, UUID(account))
    assert kept.state is AccountState.needs_reconnecting
    [listed] = done(await api.get("/accounts/"))
    assert listed["state"] == "needs_reconnecting"


@pytest.mark.parametrize("kind", [ChannelKind.facebook, ChannelKind.instagram])
async def test_access_that_was_taken_back_is_found_by_the_daily_look(
    api: httpx2.AsyncClient, networks: Networks, services: Services, user: User, kind: ChannelKind
) -> None:
    account = await connected(api, networks, kind)
    async with services.sessions() as session:
        kept = await session.get_one(Account, UUID(account))
    assert kept.grant_id is not None
    seen = await services.renewals.check(user.id, kept.grant_id)
    assert seen.expires_at is not None
    assert seen.again_at is not None
    assert timedelta(days=89) < seen.expires_at - utcnow() < timedelta(days=91)
    assert seen.again_at - utcnow() <= timedelta(days=1)
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["connected"]
    assert (await networks.client.delete("/sandbox/people/mara-lind/tokens")).is_success
    await services.renewals.check(user.id, kept.grant_id)
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["needs_reconnecting"]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"kind": "status", "status": 503}, ("access", "unsure", "provider_unavailable")),
        ({"kind": "rate_limited", "seconds": 5}, ("access", "unsure", "rate_limited")),
        ({"kind": "status", "status": 426}, ("access", "broken", "api_version_retired")),
    ],
)
async def test_what_is_not_the_accounts_fault_marks_nothing(
    api: httpx2.AsyncClient, networks: Networks, fault: dict[str, object], told: tuple[str, str, str]
) -> None:
    account = await connected(api, networks, ChannelKind.linkedin)
    await networks.fail(on="reads", **fault)
    try:
        assert (await check(api, account))[0] == told
    finally:
        await networks.calm()
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["connected"]


async def test_an_account_that_may_post_and_not_read_is_told_as_that(
    api: httpx2.AsyncClient, networks: Networks
) -> None:
    account = await connected(api, networks, ChannelKind.linkedin_pages)
    await networks.fail(on="own_posts", kind="status", status=403)
    try:
        points = await check(api, account)
    finally:
        await networks.calm()
    assert points == [
        ("access", "fine", None),
        ("permissions", "unsure", "account_write_only"),
        ("role", "fine", None),
    ]
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["connected"]


async def test_what_the_server_of_an_account_takes_is_known_from_connecting_and_from_checking(
    api: httpx2.AsyncClient, networks: Networks
) -> None:
    async def takes(characters: int) -> None:
        await networks.client.post("/sandbox/settings", json={"mastodon_characters": characters})

    async def fits(account: str, text: str) -> tuple[int, list[str]]:
        asked = {"content": text, "variants": [], "media_ids": [], "account_ids": [account]}
        [found] = done(await api.post("/social-media-posts/fit/", json=asked))
        return found["limit"], [one["code"] for one in found["problems"]]

    await takes(1000)
    try:
        start = {"fields": {"server": networks.url}}
        address = done(await api.post("/accounts/connect/mastodon/", json=start))["authorize_url"]
        answer = await networks.client.get(f"{address}&sandbox_person=mara-lind")
        back = dict(parse_qsl(urlsplit(answer.headers["location"]).query))
        [account] = done(await api.post("/accounts/connect/mastodon/callback/", json=back))["accounts"]
        assert account["max_characters"] == 1000
        assert await fits(account["id"], "x" * 800) == (1000, [])
        await takes(700)
        assert await check(api, account["id"]) == [("access", "fine", None)]
        assert [one["max_characters"] for one in done(await api.get("/accounts/"))] == [700]
        assert await fits(account["id"], "x" * 800) == (700, ["content_too_long"])
        await networks.fail(on="reads", kind="status", status=503)
        await check(api, account["id"])
        assert (await fits(account["id"], "x"))[0] == 700, "what cannot be asked is as it was"
    finally:
        await networks.calm()
        await takes(500)


async def test_what_the_network_will_refuse_is_told_and_not_asked(
    standing: Services, away: Gateway, networks: Networks
) -> None:
    user = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, user) as api:
        account = await connected(api, networks, ChannelKind.facebook)
        await networks.fail(on="reads", kind="usage", percent=100, minutes=7, times=9)
        try:
            await check(api, account)
            told = done(await api.post(f"/accounts/{account}/check/"))
        finally:
            await networks.calm()
    access, quota = told[0], told[-1]
    assert (access["point"], access["result"], access["error"]["code"]) == ("access", "unsure", "rate_limited")
    assert (quota["point"], quota["result"], quota["error"]["code"]) == ("quota", "broken", "quota_used")
    assert_ends_in(timedelta(minutes=7), access, quota)


async def test_no_end_is_told_that_the_network_did_not_name(
    standing: Services, away: Gateway, networks: Networks
) -> None:
    """Neither right after its answer nor by what was kept of it."""
    user = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, user) as api:
        account = await connected(api, networks, ChannelKind.facebook)
        await networks.fail(on="reads", kind="usage", percent=100, times=9)
        try:
            _, *checks = [done(await api.post(f"/accounts/{account}/check/")) for _ in range(3)]
        finally:
            await networks.calm()
    for told in checks:
        errors = [point["error"] for point in told if point["error"]]
        assert errors[-1]["code"] == "quota_used"
        assert all(error["params"] == {} for error in errors)


def assert_ends_in(wait: timedelta, *points: dict[str, Any]) -> None:
    """Of each is told when, in whole minutes and none too early."""
    for point in points:
        until = datetime.fromisoformat(point["error"]["params"]["until"])
        assert (until.second, until.microsecond) == (0, 0)
        assert wait - timedelta(minutes=1) < until - utcnow() <= wait + timedelta(minutes=1)


async def test_a_pause_that_the_network_asks_for_is_told(api: httpx2.AsyncClient, networks: Networks) -> None:
    account = await connected(api, networks, ChannelKind.linkedin)
    await networks.fail(on="reads", kind="rate_limited", seconds=600)
    try:
        access = done(await api.post(f"/accounts/{account}/check/"))[0]
    finally:
        await networks.calm()
    assert access["error"]["code"] == "rate_limited"
    assert_ends_in(timedelta(minutes=10), access)


async def test_a_quota_that_is_used_up_is_told(api: httpx2.AsyncClient, networks: Networks) -> None:
    account = await connected(api, networks, ChannelKind.instagram)
    await networks.client.post("/sandbox/settings", json={"instagram_posts_a_day": 0})
    try:
        [quota] = [row for row in done(await api.post(f"/accounts/{account}/check/")) if row["point"] == "quota"]
        assert (quota["result"], quota["error"]["code"]) == ("broken", "quota_used")
        assert quota["error"]["params"] == {}, "nobody says when its oldest post is a day old"
    finally:
        await networks.client.post("/sandbox/settings", json={"instagram_posts_a_day": 100})


async def test_a_permission_that_was_taken_away_is_named(
    api: httpx2.AsyncClient, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await connected(api, networks, ChannelKind.facebook)
    network = channel(ChannelKind.facebook)
    monkeypatch.setattr(type(network), "scopes", ("pages_show_list", "pages_manage_metadata"))
    rows = done(await api.post(f"/accounts/{account}/check/"))
    [permissions] = [row for row in rows if row["point"] == "permissions"]
    assert (permissions["result"], permissions["error"]["params"]) == ("broken", {"scopes": "pages_manage_metadata"})


async def test_another_users_account_is_not_there(
    services: Services, away: Gateway, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    async with browsing(services, away, await make.user()) as stranger:
        refused(await stranger.post(f"/accounts/{account.id}/check/"), 404, ErrorCode.not_found)


@pytest.fixture
async def site(api: httpx2.AsyncClient, networks: Networks) -> AsyncIterator[str]:
    """The account of a WordPress site."""
    made = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    yield made["account_id"]
    usual = {"wordpress_time_zone": "UTC"}
    done(await networks.client.post("/sandbox/settings", json=usual))


async def test_a_site_that_shows_times_of_another_zone_says_so(
    api: httpx2.AsyncClient, networks: Networks, site: str
) -> None:
    """Nothing is wrong with it: an article goes out at its user's time all the same."""
    done(await api.patch("/users/me/", json={"time_zone": "Asia/Kolkata"}))
    done(await networks.client.post("/sandbox/settings", json={"wordpress_time_zone": "Asia/Colombo"}))
    assert (await check(api, site))[-1] == ("clock", "fine", None), "it is the same time there"
    done(await networks.client.post("/sandbox/settings", json={"wordpress_time_zone": "America/Los_Angeles"}))
    rows = done(await api.post(f"/accounts/{site}/check/"))
    assert (rows[-1]["result"], rows[-1]["error"]["code"]) == ("fine", ErrorCode.site_zone_differs)
    assert rows[-1]["error"]["params"] == {"zone": "America/Los_Angeles", "yours": "Asia/Kolkata"}


@pytest.mark.parametrize(
    ("told", "point"),
    [
        (Clock(timedelta(minutes=-42), "UTC", timedelta(0)), ("broken", ErrorCode.site_clock_wrong)),
        (Clock(timedelta(minutes=7)), ("broken", ErrorCode.site_clock_wrong)),
        (Clock(timedelta(minutes=2)), ("fine", None)),
        (Clock(None), ("unsure", None)),
    ],
    ids=str,
)
async def test_a_clock_that_goes_wrong_is_told_in_minutes(
    api: httpx2.AsyncClient, site: str, monkeypatch: pytest.MonkeyPatch, told: Clock, point: tuple[str, str | None]
) -> None:
    async def clock(self: WordPressChannel, to: Credentials) -> Clock:
        return told

    monkeypatch.setattr(WordPressChannel, "clock", clock)
    row = done(await api.post(f"/accounts/{site}/check/"))[-1]
    assert (row["point"], row["result"], row["error"] and row["error"]["code"]) == ("clock", *point)
    if row["error"]:
        assert told.off is not None
        assert row["error"]["params"] == {"minutes": abs(told.off) / timedelta(minutes=1)}
