"""What a network granted, kept alive by its workflow, on the real parts."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle
from temporalio.service import RPCError, RPCStatusCode

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.container import Services
from core.networks import connections
from core.networks.linkedin import CHANNEL
from core.networks.rules.channels import AccountState
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.settings import Settings
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.social_accounts.rules import GrantState
from core.social_accounts.tables import Account, Grant
from temporal import reconcile
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Networks, Stack
from tests.factories import Factory
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import calls, eventually, run_once, soon
from tests.workflows.world import world
from workflows.grant import GrantWorkflow
from workflows.names import grant_workflow

Handle = WorkflowHandle[Any, Any]
EXCHANGE = "/oauth/v2/accessToken"
DAY = timedelta(days=1)


@pytest.fixture
async def partner(stack: Stack) -> Stack:
    """The same, where the network gives us refresh tokens."""
    (await stack.networks.client.post("/sandbox/settings", json={"refresh_tokens": True})).raise_for_status()
    return stack


async def connected(stack: Stack) -> Account:
    return await stack.make.account(await stack.make.user(), stack.networks.url)


def name_of(account: Account) -> str:
    assert account.grant_id is not None
    return grant_workflow(account.grant_id)


def handle_of(stack: Stack, account: Account) -> Handle:
    return stack.client.get_workflow_handle(name_of(account))


async def row(services: Services, grant_id: UUID | None) -> Grant:
    async with services.sessions() as session:
        return await session.get_one(Grant, grant_id)


async def ends_in(stack: Stack, account: Account, left: timedelta, *, lived: timedelta) -> None:
    async with stack.services.sessions.begin() as session:
        found = await session.get_one(Grant, account.grant_id)
        found.expires_at, found.token_since = utcnow() + left, utcnow() - lived
        await GrantRepository(session).mark_changed(found)


async def exchanges(stack: Stack) -> int:
    """How often tokens were asked for, by a code or by a refresh token."""
    found = await stack.networks.client.get("/sandbox/requests", params={"path": EXCHANGE, "method": "POST"})
    return len(found.json())


async def mails(services: Services, user_id: UUID) -> list[tuple[MailKind, datetime]]:
    async with services.sessions() as session:
        found = await session.execute(
            select(Mail.kind, Mail.created_at).where(Mail.user_id == user_id).order_by(Mail.created_at, Mail.id)
        )
        return [(kind, created_at) for kind, created_at in found]


async def details(handle: Handle) -> str:
    told: WorkflowMetadata = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    return str(told.current_details)


async def says(handle: Handle, words: str) -> None:
    async def so() -> bool:
        try:
            return words in await details(handle)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # it was not told of yet
                raise
            return False

    await eventually(so)


async def listed(stack: Stack, account: Account, state: GrantState) -> None:
    query = f"GrantState = '{state}' AND UserId = '{account.user_id}' AND Channels = 'linkedin'"

    async def so() -> bool:
        return [found.id async for found in stack.client.list_workflows(query)] == [name_of(account)]

    await eventually(so)


async def test_it_is_renewed_ahead_and_ends_with_its_account(partner: Stack, record: Record) -> None:
    services = partner.services
    account = await connected(partner)
    before = await row(services, account.grant_id)
    async with run_worker(partner.client, services, graceful=GRACEFUL):
        handle = handle_of(partner, account)
        await listed(partner, account, GrantState.connected)
        await says(handle, "asleep until")
        assert await exchanges(partner) == 1
        # the network has done it, and nobody hears of it: asked once more
        await partner.networks.fail(on="token", kind="lost_answer")
        await ends_in(partner, account, 9 * DAY, lived=51 * DAY)

        async def renewed() -> bool:
            return (await row(services, account.grant_id)).token_id != before.token_id

        await eventually(renewed)
        after = await row(services, account.grant_id)
        assert after.expires_at is not None
        assert after.expires_at > utcnow() + 59 * DAY
        kept = [services.connecting.grants.decrypt(one).refresh_token for one in (before, after)]
        assert kept[0] == kept[1] is not None
        assert after.state is AccountState.connected
        assert await exchanges(partner) == 3
        await says(handle, "asleep until")
        assert await mails(services, account.user_id) == []
        async with services.sessions() as session:
            [(found, _)] = await AccountRepository(session).list_connected(account.user_id)
        assert (found.id, found.grant_id) == (account.id, account.grant_id)
        over = await services.connecting.disconnect(account.user_id, account.id)
        assert over.grant_id == account.grant_id
        assert over.grant_id is not None
        assert await partner.gateway.end_grant(over.grant_id)
        assert await partner.gateway.end_grant(over.grant_id), "there may be none"
        await asyncio.wait_for(handle.result(), PATIENCE)
        await record("grant.renewed-and-given-back", handle.id)
        history = (await handle.fetch_history()).to_json()
        assert services.connecting.grants.decrypt(after).access_token not in history


async def test_what_no_call_renews_is_told_ends_and_goes_on_with_a_new_consent(stack: Stack, record: Record) -> None:
    services = stack.services
    account = await connected(stack)
    async with run_worker(stack.client, services, graceful=GRACEFUL):
        handle = handle_of(stack, account)
        await says(handle, "asleep until")
        await ends_in(stack, account, timedelta(seconds=6), lived=60 * DAY)
        await listed(stack, account, GrantState.expires_soon)
        await listed(stack, account, GrantState.needs_reconnecting)
        assert "what to do: its owner connects the account again" in await details(handle)
        assert [kind for kind, _ in await mails(services, account.user_id)] == [
            MailKind.account_expires,
            MailKind.account_reconnect,
        ]
        async with services.sessions() as session:
            user = await session.get_one(type(await stack.make.user()), account.user_id)
        again = await stack.make.account(user, stack.networks.url)
        assert (again.id, again.grant_id) == (account.id, account.grant_id)
        await listed(stack, account, GrantState.connected)
        await record("grant.ended-and-consented-anew", handle.id)
        first = (await handle.describe()).run_id
        await handle.signal(GrantWorkflow.roll)

        async def rolled() -> bool:
            return (await handle.describe()).run_id != first

        await eventually(rolled)
        await says(handle, "asleep until")
        await record("grant.rolled", handle.id, first)


async def test_a_refused_token_makes_one_call_for_a_new_one_and_the_posts_go_out(partner: Stack) -> None:
    services = partner.services
    user = await partner.make.user()
    account = await partner.make.account(user, partner.networks.url)
    made = [
        await partner.make.assistant(user, accounts=(account.id,), image=False, topics=f"- Bikes\n-- {name}")
        for name in ("Weather", "Money")
    ]
    await partner.networks.fail(on="posts", kind="revoked", times=2)
    slot = soon(6)
    async with run_worker(partner.client, services, graceful=GRACEFUL):
        results = await asyncio.gather(*(run_once(partner, assistant, slot) for assistant in made))
    assert [result.state for result in results] == [RunState.published, RunState.published]
    assert (await exchanges(partner), len(await partner.networks.posts())) == (2, 2)
    assert await calls(partner) in (3, 4), "refused, one or both, then each once"
    assert (await row(services, account.grant_id)).state is AccountState.connected
    assert await mails(services, user.id) == []


async def test_one_that_somebody_ended_is_brought_back_and_one_without_a_grant_ends(stack: Stack) -> None:
    services, gateway = stack.services, stack.gateway
    kept, gone = await connected(stack), await connected(stack)
    async with run_worker(stack.client, services, graceful=GRACEFUL):
        for account in (kept, gone):
            await says(handle_of(stack, account), "asleep until")
        assert await reconcile.restart_lost_grants(services, gateway) == 0
        await handle_of(stack, kept).terminate("by an operator")
        async with services.sessions.begin() as session:
            await session.execute(update(Account).where(Account.id == gone.id).values(grant_id=None))
            await session.delete(await session.get_one(Grant, gone.grant_id))
        assert await reconcile.restart_lost_grants(services, gateway) == 1
        await says(handle_of(stack, kept), "asleep until")
        assert gone.grant_id is not None
        await gateway.notify_unused_grant(gone.grant_id)  # as it does itself, at the latest a month later
        await asyncio.wait_for(handle_of(stack, gone).result(), PATIENCE)
        assert (await handle_of(stack, kept).describe()).status is WorkflowExecutionStatus.RUNNING


async def test_while_temporal_is_away_nothing_is_lost(stack: Stack, away: Any) -> None:
    account = await connected(stack)
    assert await reconcile.sync_grants(stack.services, away) == 0
    assert (await row(stack.services, account.grant_id)).told_version == 0
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await says(handle_of(stack, account), "asleep until")
    assert await reconcile.sync_grants(stack.services, stack.gateway) == 0


@pytest.mark.slow
async def test_a_year_of_a_grant(
    database: str, settings: Settings, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New tokens before each end for as long as that moves, then two weeks, one week and a day ahead a word, and the
    end."""
    await networks.calm()
    asked: list[datetime] = []

    async def refresh(grant: connections.Grant) -> connections.Grant:
        """As the network does it: the end of the refresh token does not move, and no token outlives it."""
        asked.append(now := utcnow())
        assert grant.refresh_expires_at is not None
        ends = min(now + 60 * DAY, grant.refresh_expires_at)
        return replace(grant, access_token=f"the {len(asked)}.", expires_at=ends)

    monkeypatch.setattr(CHANNEL, "refresh", refresh, raising=False)
    async with world(database, settings) as made:
        services = made.services
        make = Factory(services.sessions, services.vault)
        account = await make.account(await make.user(), networks.url)
        began = await made.now()
        async with services.sessions.begin() as session:
            found = await session.get_one(Grant, account.grant_id)
            found.refresh_token_encrypted = services.vault.encrypt("refreshing")
            found.refresh_expires_at, found.token_since = began + 365 * DAY, began
            found.expires_at = began + 60 * DAY
        await made.worker_comes()
        assert await reconcile.sync_grants(services, made.gateway) == 1
        for day in range(20, 400, 20):
            await made.until(began + day * DAY)
        days = [(at - began) / DAY for at in asked]
        apart = [later - earlier for earlier, later in zip([0.0, *days], days, strict=False)]
        assert len(days) == 7
        assert all(47 < gap < 51 for gap in apart)
        assert [(kind, round((at - began) / DAY, 1)) for kind, at in await mails(services, account.user_id)] == [
            (MailKind.account_expires, 351.0),
            (MailKind.account_expires, 358.0),
            (MailKind.account_expires, 364.0),
            (MailKind.account_reconnect, 365.0),
        ]
        assert (await row(services, account.grant_id)).state is AccountState.needs_reconnecting
