"""Who connects an account once more has other tokens: the old ones are given back, where that ends nothing else."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx2
import pytest
import time_machine
from sqlalchemy import select

from core.container import Services
from core.crypto import Vault
from core.errors import NeedsReconnect
from core.networks.connections import Credentials, Grant
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.social_accounts.tables import Account, ReplacedToken
from core.users.tables.users import User
from tests.api.conftest import done
from tests.api.test_shared_consents import connect, disconnect, new_tokens, works
from tests.conftest import Networks
from tests.factories import Factory

MASTODON = ChannelKind.mastodon
ALONE = [one for one in NETWORKS if channel(one).traits.revokes_token_alone]
HOUR = timedelta(hours=1)


async def waiting(services: Services) -> Sequence[ReplacedToken]:
    async with services.sessions() as session:
        return (await session.scalars(select(ReplacedToken))).all()


async def reconnected(
    api: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind = MASTODON
) -> tuple[dict[str, str], Credentials, Grant]:
    """The account, connected twice, and what it had before."""
    async with new_tokens(networks):
        made = await connect(api, networks, kind)
        async with services.sessions() as session:
            row = await session.get_one(Account, UUID(made["id"]))
            assert row.grant is not None
            before, grant = services.connecting.credentials(row), services.connecting.grants.decrypt(row.grant)
        again = await connect(api, networks, kind)
    assert again["id"] == made["id"]
    return again, before, grant


async def round_in(services: Services, after: timedelta) -> int:
    with time_machine.travel(datetime.now(UTC) + after, tick=True):
        return await services.connecting.grants.retry_revocations()


async def is_over(to: Credentials) -> bool:
    try:
        await channel(MASTODON).probe(to)
    except NeedsReconnect:
        return True
    return False


@pytest.mark.parametrize("kind", ALONE)
async def test_the_old_token_is_given_back_once_no_call_by_it_is_under_way(
    api: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind
) -> None:
    again, before, old = await reconnected(api, networks, services, kind)
    [row] = await waiting(services)
    assert before.access_token not in row.access_token_encrypted
    assert services.vault.decrypt(row.access_token_encrypted) == before.access_token
    assert await round_in(services, timedelta(minutes=4)) == 0, "a step may be at it"
    assert await round_in(services, timedelta(minutes=6)) == 1
    network = channel(kind)
    with pytest.raises(NeedsReconnect):
        await (network.refresh(old) if network.traits.access_outlives_revoke else network.probe(before))
    assert await works(services, again)
    assert await waiting(services) == []


@pytest.mark.parametrize("kind", [one for one in NETWORKS if one not in ALONE])
async def test_where_giving_back_may_end_the_consent_nothing_is(
    api: httpx2.AsyncClient, networks: Networks, services: Services, kind: ChannelKind
) -> None:
    again, *_ = await reconnected(api, networks, services, kind)
    assert await waiting(services) == []
    assert await round_in(services, HOUR) == 0
    assert await works(services, again)


async def test_a_server_that_hands_out_the_same_token_again_keeps_it(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    await connect(api, networks, MASTODON)
    again = await connect(api, networks, MASTODON)
    assert await waiting(services) == []
    assert await works(services, again)


async def test_nothing_is_lost_while_the_server_is_away(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    _, before, _ = await reconnected(api, networks, services)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=503, times=9)
    asked = 0
    for minutes in range(6, 66):
        asked += await round_in(services, timedelta(minutes=minutes))
    assert 3 <= asked <= 9, "less and less often"
    assert not await is_over(before)
    await networks.calm()
    assert await round_in(services, 3 * HOUR) == 1
    assert await is_over(before)
    assert await waiting(services) == []


async def test_a_server_that_does_not_take_it_is_not_asked_for_ever(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    again, *_ = await reconnected(api, networks, services)
    await networks.calm()
    await networks.fail(on="revoke", kind="status", status=403, times=9)
    assert await round_in(services, timedelta(minutes=6)) == 1
    await networks.calm()
    assert await waiting(services) == []
    assert await works(services, again)


async def test_one_that_has_ended_already_is_forgotten(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    """Such as by a call whose answer was lost."""
    _, before, _ = await reconnected(api, networks, services)
    await networks.calm()
    await networks.fail(on="revoke", kind="lost_answer")
    assert await round_in(services, timedelta(minutes=6)) == 1
    assert await is_over(before)
    assert len(await waiting(services)) == 1, "nobody knows that"
    assert await round_in(services, HOUR) == 1
    assert await waiting(services) == []


async def test_it_goes_out_also_after_its_account_was_removed(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    again, before, _ = await reconnected(api, networks, services)
    assert await disconnect(api, again) == "revoked"
    assert not await is_over(before)
    assert await round_in(services, timedelta(minutes=6)) == 1
    assert await is_over(before)


@pytest.mark.parametrize("is_there", [True, False], ids=["there", "away"])
async def test_with_its_user_it_goes_at_once_or_is_forgotten(
    api: httpx2.AsyncClient,
    networks: Networks,
    services: Services,
    user: User,
    is_there: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.social_accounts.grants._AT_ONCE", (0.0, 0.0))
    _, before, _ = await reconnected(api, networks, services)
    await networks.calm()
    if not is_there:
        await networks.fail(on="revoke", kind="status", status=503, times=9)
    await services.account_deletion.revoke_tokens(user.id)
    await networks.calm()
    assert await is_over(before) is is_there
    assert await waiting(services) == [], "nothing of a person who left is kept"


async def test_one_that_another_user_has_got_as_well_is_not_given_back(
    api: httpx2.AsyncClient, networks: Networks, services: Services, make: Factory
) -> None:
    await connect(api, networks, MASTODON)
    stranger = await make.account(await make.user(), networks.url, kind=MASTODON)
    async with new_tokens(networks):
        await connect(api, networks, MASTODON)
    assert len(await waiting(services)) == 1
    assert await round_in(services, timedelta(minutes=6)) == 1
    assert not await is_over(services.connecting.credentials(stranger))
    assert await waiting(services) == []


async def test_a_token_that_nobody_can_read_any_more_waits_for_nothing(
    api: httpx2.AsyncClient, networks: Networks, services: Services
) -> None:
    async with new_tokens(networks):
        made = await connect(api, networks, MASTODON)
        lost = Vault.from_secrets(["a key that nobody has any more, alas, ever"])
        async with services.sessions.begin() as session:
            row = await session.get_one(Account, UUID(made["id"]))
            assert row.grant is not None
            row.grant.access_token_encrypted = lost.encrypt("old")
        again = await connect(api, networks, MASTODON)
    assert await waiting(services) == []
    assert await works(services, again)
    assert [one["state"] for one in done(await api.get("/accounts/"))] == ["connected"]
