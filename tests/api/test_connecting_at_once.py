"""Who connects twice at the same moment: on connections of their own, which a test's one transaction would put in a
row."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update

from core.container import Services
from core.errors import ErrorCode
from core.networks.connections import Connection, Grant, Granted, OAuthFlow, Profile, ignore_grant
from core.networks.rules.channels import AccountState, AccountType, FieldKind, FieldName, FormField
from core.social_accounts.tables import Account, ConnectAttempt
from core.social_accounts.tables import Grant as GrantRow
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.test_connecting import CALLBACK, CHOOSE, PAGES, START, Network, back
from tests.conftest import browsing
from tests.factories import Factory

ONE = (Profile("ada", "Ada", AccountType.person, None),)


@dataclass
class Slow(Network):
    """Nobody gets a token before all of them have asked for one, and each is told the accounts in another order."""

    exchanged: int = 0
    barrier: asyncio.Barrier | None = None

    async def exchange(self, way: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        self.exchanged += 1
        if self.barrier:
            await self.barrier.wait()
        return Grant(f"by {code}", None, None, (), subject="ada")

    async def profiles(self, grant: Grant) -> list[Profile]:
        self.accounts = tuple(reversed(self.accounts))
        return list(self.accounts)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Slow:
    scripted = Slow()
    monkeypatch.setattr("core.social_accounts.connecting.channel", lambda kind: scripted)
    monkeypatch.setattr("core.social_accounts.grants.channel", lambda kind: scripted)
    return scripted


@pytest.fixture
async def ada(standing: Services, away: Gateway) -> AsyncIterator[httpx2.AsyncClient]:
    user = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, user) as client:
        yield client


async def rows(standing: Services) -> tuple[list[Account], list[GrantRow]]:
    async with standing.sessions() as session:
        accounts = (await session.scalars(select(Account).order_by(Account.external_id))).all()
        return list(accounts), list((await session.scalars(select(GrantRow))).all())


async def at_once(ada: httpx2.AsyncClient, network: Slow, *codes: str) -> list[Any]:
    """Each by a way of its own."""
    ways = [await back(ada, code) for code in codes]
    network.barrier = asyncio.Barrier(len(codes))
    return [done(one) for one in await asyncio.gather(*(ada.post(CALLBACK, json=way) for way in ways))]


async def test_a_callback_that_comes_five_times_at_once_connects_once(
    ada: httpx2.AsyncClient, network: Slow, standing: Services
) -> None:
    network.accounts = ONE
    way = await back(ada)
    answers = await asyncio.gather(*(ada.post(CALLBACK, json=way) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200] + [422] * 4
    for answer in answers:
        if answer.status_code != 200:
            refused(answer, 422, ErrorCode.connect_used)
    assert network.exchanged == 1, "a code works once"
    assert [len(found) for found in await rows(standing)] == [1, 1]


async def test_two_who_connect_the_same_account_at_once_get_one(
    ada: httpx2.AsyncClient, network: Slow, standing: Services
) -> None:
    network.accounts = ONE
    first, second = await at_once(ada, network, "first", "second")
    assert first["accounts"][0]["id"] == second["accounts"][0]["id"]
    [account], [grant] = await rows(standing)
    assert (account.grant_id, account.state) == (grant.id, AccountState.connected)
    assert standing.connecting.credentials(account).access_token in ("by first", "by second")


async def test_two_reconnects_at_once_leave_all_pages_connected_by_one_of_both(
    ada: httpx2.AsyncClient, network: Slow, standing: Services
) -> None:
    [found] = await at_once(ada, network, "before")
    chosen = {"grant_id": found["choice"]["grant_id"], "external_ids": [page.external_id for page in PAGES]}
    made = done(await ada.post(CHOOSE, json=chosen))
    async with standing.sessions.begin() as session:
        await session.execute(update(GrantRow).values(state=AccountState.needs_reconnecting))
    for round in range(5):
        answers = await at_once(ada, network, f"{round} first", f"{round} second")
        assert [len(one["accounts"]) for one in answers] == [3, 3]
    accounts, [grant] = await rows(standing)
    assert {str(account.id) for account in accounts} == {one["id"] for one in made}
    assert {account.grant_id for account in accounts} == {grant.id}
    assert {account.state for account in accounts} == {AccountState.connected}
    assert standing.connecting.grants.decrypt(grant).access_token in ("by 4 first", "by 4 second")
    async with standing.sessions() as session:
        assert all(one.used_hash for one in await session.scalars(select(ConnectAttempt)))


async def test_a_form_that_is_sent_twice_connects_once(
    ada: httpx2.AsyncClient, network: Slow, standing: Services
) -> None:
    network.connection = Connection(
        False, (FormField(FieldName.handle, FieldKind.text), FormField(FieldName.app_password, FieldKind.password))
    )
    network.accounts = ONE
    form = {"fields": {"handle": "ada", "app_password": "right"}}
    answers = [done(one) for one in await asyncio.gather(*(ada.post(START, json=form) for _ in range(4)))]
    assert len({one["connected"]["accounts"][0]["id"] for one in answers}) == 1
    assert [len(found) for found in await rows(standing)] == [1, 1]


async def test_who_connects_again_while_it_is_disconnected_ends_with_one_of_both(
    ada: httpx2.AsyncClient, network: Slow, standing: Services
) -> None:
    network.accounts = ONE
    [found] = await at_once(ada, network, "before")
    account_id = found["accounts"][0]["id"]
    for round in range(5):
        way = await back(ada, f"{round}")
        network.barrier = None
        answers = await asyncio.gather(ada.post(CALLBACK, json=way), ada.delete(f"/accounts/{account_id}/"))
        assert answers[0].status_code == 200
        assert answers[1].status_code in (200, 404)
        [account], grants = await rows(standing)
        if account.disconnected_at is None:
            assert standing.connecting.credentials(account).access_token == f"by {round}"
            assert [(one.id, one.revoke_due_at) for one in grants] == [(account.grant_id, None)]
        else:
            assert account.grant_id is None
            assert all(one.revoke_due_at for one in grants)
