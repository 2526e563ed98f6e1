"""One person's consent at a network, by which several users of one installation post: nothing that one of them does
ends what another posts by, or tells of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
import pytest
import time_machine
from sqlalchemy import select, update

from core.container import Services
from core.errors import NeedsReconnect
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.social_accounts.tables import Account, Grant
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.channels.test_conformance import filled_in
from tests.conftest import Networks, browsing
from tests.factories import Factory

REVOKING = [one for one in NETWORKS if supports(channel(one), BaseChannel.revoke)]
"""Those that take access back: elsewhere it is only deleted here."""
Kinds = pytest.mark.parametrize("kind", REVOKING)
WHOLE = [one for one in REVOKING if not channel(one).traits.revokes_token_alone]
"""Where giving back may end all that a person has consented to."""


@pytest.fixture
async def other(services: Services, away: Gateway, make: Factory) -> AsyncIterator[httpx2.AsyncClient]:
    """Somebody else's browser."""
    async with browsing(services, away, await make.user()) as client:
        yield client


@asynccontextmanager
async def new_tokens(networks: Networks) -> AsyncIterator[None]:
    """Servers hand out another token with each consent."""
    done(await networks.client.post("/sandbox/settings", json={"mastodon_reuses_tokens": False}))
    yield
    done(await networks.client.post("/sandbox/settings", json={"mastodon_reuses_tokens": True}))


async def connect(
    api: httpx2.AsyncClient, networks: Networks, kind: ChannelKind, person: str = "mara-lind"
) -> dict[str, Any]:
    """One account of that person."""
    fields = filled_in(channel(kind), networks)
    started = done(await api.post(f"/accounts/connect/{kind}/", json={"fields": fields}))
    connected = started["connected"]
    if connected is None:
        answer = await networks.client.get(f"{started['authorize_url']}&sandbox_person={person}")
        back = {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}
        told = {name: back[name] for name in ("state", "code")}
        connected = done(await api.post(f"/accounts/connect/{kind}/callback/", json=told))
    if choice := connected["choice"]:
        chosen = {"grant_id": choice["grant_id"], "external_ids": [choice["candidates"][0]["external_id"]]}
        connected = {"accounts": done(await api.post("/accounts/connect/choice/accounts/", json=chosen))}
    found: dict[str, Any] = connected["accounts"][0]
    return found


async def disconnect(api: httpx2.AsyncClient, account: dict[str, Any]) -> str:
    return str(done(await api.delete(f"/accounts/{account['id']}/"))["access"])


async def works(services: Services, account: dict[str, Any]) -> bool:
    """Whether the network takes a call by its tokens, and renews them where it does that."""
    async with services.sessions() as session:
        row = await session.get_one(Account, UUID(account["id"]))
    network = channel(row.kind)
    try:
        await network.probe(services.connecting.credentials(row))
        if row.grant and network.traits.access_outlives_revoke:
            await network.refresh(services.connecting.grants.decrypt(row.grant))
    except NeedsReconnect:
        return False
    return True


async def grants(services: Services) -> int:
    async with services.sessions() as session:
        return len((await session.scalars(select(Grant.id))).all())


@Kinds
async def test_who_disconnects_ends_nothing_of_another_user(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind
) -> None:
    mine, theirs = await connect(api, networks, kind), await connect(other, networks, kind)
    left = await disconnect(api, mine)
    assert await works(services, theirs)
    assert [one["state"] for one in done(await other.get("/accounts/"))] == ["connected"]
    # nothing of theirs is shared with anybody, as far as they are told
    assert left in ("revoked", "refused")
    assert await grants(services) == 1, "what nobody posts by is forgotten here"
    assert await disconnect(other, theirs) == "revoked"


@pytest.mark.parametrize("kind", [one for one in NETWORKS if channel(one).traits.revokes_token_alone])
async def test_tokens_of_ones_own_are_given_back_whoever_else_posts_for_the_person(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind
) -> None:
    async with new_tokens(networks):
        mine, theirs = await connect(api, networks, kind), await connect(other, networks, kind)
    async with services.sessions() as session:
        row = await session.get_one(Account, UUID(mine["id"]))
    assert row.grant is not None
    to, grant = services.connecting.credentials(row), services.connecting.grants.decrypt(row.grant)
    assert await disconnect(api, mine) == "revoked"
    network = channel(kind)
    with pytest.raises(NeedsReconnect):
        await (network.refresh(grant) if network.traits.access_outlives_revoke else network.probe(to))
    assert await works(services, theirs)


@pytest.mark.parametrize("kind", WHOLE)
async def test_the_last_of_them_gives_it_back(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind
) -> None:
    mine, theirs = await connect(api, networks, kind), await connect(other, networks, kind)
    assert await disconnect(api, mine) == "refused"
    async with services.sessions() as session:
        to = services.connecting.credentials(await session.get_one(Account, UUID(theirs["id"])))
    assert await disconnect(other, theirs) == "revoked"
    with pytest.raises(NeedsReconnect):
        await channel(kind).probe(to)


@pytest.mark.parametrize("kind", WHOLE)
async def test_another_person_of_the_network_is_nobody_to_heed(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, kind: ChannelKind
) -> None:
    mine = await connect(api, networks, kind)
    await connect(other, networks, kind, "jonas-weber" if kind is ChannelKind.linkedin else "ada-lindqvist")
    assert await disconnect(api, mine) == "revoked"


async def test_networks_of_one_app_are_one_consent_for_all_users(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    mine = await connect(api, networks, ChannelKind.facebook)
    theirs = await connect(other, networks, ChannelKind.instagram)
    assert await disconnect(api, mine) == "refused"
    assert await works(services, theirs)


@Kinds
async def test_who_deletes_their_account_ends_nothing_of_another_user(
    api: httpx2.AsyncClient,
    other: httpx2.AsyncClient,
    user: User,
    networks: Networks,
    services: Services,
    kind: ChannelKind,
) -> None:
    await connect(api, networks, kind)
    theirs = await connect(other, networks, kind)
    await services.account_deletion.revoke_tokens(user.id)
    assert await works(services, theirs)
    assert await grants(services) == 1


@pytest.mark.parametrize("kind", WHOLE)
async def test_of_two_who_leave_at_once_none_waits_for_the_other(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, user: User, networks: Networks, services: Services, kind: Any
) -> None:
    mine = await connect(api, networks, kind)
    await connect(other, networks, kind)
    async with services.sessions() as session:
        to = services.connecting.credentials(await session.get_one(Account, UUID(mine["id"])))
    async with services.sessions.begin() as session:
        await session.execute(update(User).values(deletion_requested_at=datetime.now(UTC)))
    await services.account_deletion.revoke_tokens(user.id)
    with pytest.raises(NeedsReconnect):
        await channel(kind).probe(to)


async def test_what_waited_for_its_network_is_left_once_somebody_else_posts_by_it(
    api: httpx2.AsyncClient, other: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    mine = await connect(api, networks, ChannelKind.facebook)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=503)
    assert await disconnect(api, mine) == "waiting"
    theirs = await connect(other, networks, ChannelKind.facebook)
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6), tick=True):
        assert await services.connecting.grants.retry_revocations() == 1
        assert await works(services, theirs)
    assert await grants(services) == 1


async def test_a_server_that_hands_out_one_token_is_not_asked_to_end_it_while_somebody_posts_by_it(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    """Mastodon does: whoever connects again while the server was away has the token that waits to be given back."""
    mine = await connect(api, networks, ChannelKind.mastodon)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=503)
    assert await disconnect(api, mine) == "waiting"
    again = await connect(api, networks, ChannelKind.mastodon)
    assert again["id"] == mine["id"]
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1), tick=True):
        await services.connecting.grants.retry_revocations()
        assert await works(services, again)


async def test_of_two_who_disconnect_at_once_one_gives_it_back(
    standing: Services, away: Gateway, networks: Networks
) -> None:
    make, kind = Factory(standing.sessions, standing.vault), ChannelKind.facebook
    await networks.calm()
    for _ in range(5):
        async with (
            browsing(standing, away, await make.user()) as one,
            browsing(standing, away, await make.user()) as two,
        ):
            mine, theirs = await connect(one, networks, kind), await connect(two, networks, kind)
            async with standing.sessions() as session:
                to = standing.connecting.credentials(await session.get_one(Account, UUID(mine["id"])))
            left = await asyncio.gather(disconnect(one, mine), disconnect(two, theirs))
        assert "revoked" in left
        with pytest.raises(NeedsReconnect):
            await channel(kind).probe(to)
    assert await grants(standing) == 0
