"""Deleting on a network, answer by answer."""

from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
import time_machine
from sqlalchemy import select

from core.clock import utcnow
from core.container import Services
from core.deliveries import removal as removing
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    Conflict,
    ErrorCode,
    InvalidInput,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
)
from core.ids import new_id
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.rules import MailKind, NotificationKind
from core.notifications.tables.mails import Mail
from core.posts.bulk_changes import BulkAction, BulkOrder, PickedPost
from core.posts.rules.posts import DeliveryState, PostStatus, Removable, RemovalState
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.follow_ups import attempt
from tests.scripted_network import ScriptedNetwork, connected_anew

URN = "urn:li:share:7"


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> ScriptedNetwork:
    scripted = ScriptedNetwork()
    monkeypatch.setattr(removing, "channel", {ChannelKind.linkedin: scripted}.__getitem__)
    return scripted


class Out:
    """A post that went out through one account."""

    def __init__(self, services: Services, user: User, account: Account) -> None:
        self.services, self.user, self.account = services, user, account
        self.post_id, self.delivery_id = new_id(), new_id()

    async def save(self, state: DeliveryState = DeliveryState.published, provider_id: str | None = URN) -> "Out":
        status = PostStatus.published if state is DeliveryState.published else PostStatus.complete
        async with self.services.sessions.begin() as session:
            session.add(Post(id=self.post_id, user_id=self.user.id, content="Rain.", status=status))
            await session.flush()
            session.add(
                Delivery(
                    id=self.delivery_id,
                    user_id=self.user.id,
                    post_id=self.post_id,
                    account_id=self.account.id,
                    channel=self.account.kind,
                    state=state,
                    content_hash="",
                    provider_id=provider_id,
                )
            )
        return self

    async def ask(self, *delivery_ids: UUID, here: bool = False) -> None:
        wanted = delivery_ids or (self.delivery_id,)
        await self.services.removals.request_removal(self.user.id, self.post_id, wanted, here=here)

    async def round(self) -> list[bool]:
        return await attempt(self.services, FollowUpKind.removal)

    async def waits(self, services: Services) -> list[NotificationKind]:
        """What the bell has of it; as long as it has that, the post waits for a person."""
        rows, _, _ = await services.notifications.list_page(self.user.id, unread=True, offset=0, limit=9)
        kinds = [found.row.kind for found in rows]
        waiting = (await services.account_stats.waiting(self.user.id)).posts
        assert waiting == (NotificationKind.removal_failed in kinds)
        return kinds

    async def row(self) -> Delivery:
        async with self.services.sessions() as session:
            return await session.get_one(Delivery, self.delivery_id)

    async def post(self) -> Post:
        async with self.services.sessions() as session:
            return await session.get_one(Post, self.post_id)


@pytest.fixture
async def out(services: Services, make: Factory, user: User, networks: Networks) -> Out:
    return Out(services, user, await make.account(user, networks.url))


async def test_it_is_deleted_there_and_then_here(out: Out, network: ScriptedNetwork) -> None:
    await out.save()
    await out.ask(here=True)
    row, post = await out.row(), await out.post()
    assert (row.removal, post.pending_deletion, post.deleted_at) == (RemovalState.waiting, True, None)
    network.deletes.append(None)
    assert await out.round() == [True]
    [(to, provider_id)] = network.deleted
    assert (to.external_id, provider_id) == (out.account.external_id, URN)
    row, post = await out.row(), await out.post()
    assert (row.removal, row.state) == (RemovalState.removed, DeliveryState.published), "that it was out stays true"
    assert row.removed_at is not None
    assert (post.pending_deletion, post.deleted_at is not None) == (False, True)
    assert await out.round() == []


async def test_a_refusal_of_the_token_before_says_nothing_of_the_one_that_came_meanwhile(
    out: Out, network: ScriptedNetwork, services: Services
) -> None:
    await out.save()
    await out.ask()
    network.meanwhile = partial(connected_anew, services, out.account)
    network.deletes.append(NeedsReconnect())
    assert await out.round() == [False]
    row = await out.row()
    assert (row.removal, row.removal_error_code) == (RemovalState.waiting, ErrorCode.access_renewing)
    async with services.sessions() as session:
        assert (await session.get_one(Account, out.account.id)).state is AccountState.connected


async def test_only_there_keeps_it_here(out: Out, network: ScriptedNetwork) -> None:
    await out.save()
    await out.ask()
    network.deletes.append(None)
    assert await out.round() == [True]
    assert (await out.post()).deleted_at is None
    with pytest.raises(InvalidInput):
        await out.ask()


@pytest.mark.parametrize(
    ("said", "pause"),
    [
        (RetrySafe(detail="away"), timedelta(seconds=30)),
        (RateLimited(retry_after=timedelta(hours=5)), timedelta(hours=5)),
    ],
)
async def test_what_may_pass_is_asked_again(
    out: Out, network: ScriptedNetwork, said: ProviderError, pause: timedelta
) -> None:
    await out.save()
    await out.ask(here=True)
    network.deletes.extend([said, None])
    assert await out.round() == [False]
    row = await out.row()
    assert (row.removal, row.removal_attempts, row.removal_error_code) == (RemovalState.waiting, 1, said.code)
    assert await out.round() == [], "not before its time"
    with time_machine.travel(utcnow() + pause + timedelta(seconds=1)):
        assert await out.round() == [True]
    assert (await out.row()).removal_error_code is None


async def test_asked_often_enough_a_person_is_told_and_asks_for_more(out: Out, network: ScriptedNetwork) -> None:
    await out.save()
    await out.ask(here=True)
    network.deletes.extend([RetrySafe(detail="away")] * 10)
    for hours in range(10):
        with time_machine.travel(utcnow() + timedelta(hours=2 * hours)):
            assert await out.round() == [False]
    row, post = await out.row(), await out.post()
    assert (row.removal, row.removal_due_at, row.removal_error_detail) == (RemovalState.failed, None, "away")
    assert post.deleted_at is None, "it is still out"
    network.deletes.append(None)
    await out.ask(here=True)
    assert await out.round() == [True]
    assert (await out.post()).deleted_at is not None


async def test_a_refusal_is_final_and_a_dead_token_concerns_the_account(
    out: Out, network: ScriptedNetwork, services: Services
) -> None:
    await out.save()
    await out.ask(here=True)
    network.deletes.append(Refused(ErrorCode.removal_refused, detail="403 no"))
    assert await out.round() == [False]
    row = await out.row()
    assert (row.removal, row.removal_error_code, row.removal_error_detail) == (
        RemovalState.failed,
        ErrorCode.removal_refused,
        "403 no",
    )
    # it waits for a person, who may leave it there
    assert await out.waits(services) == [NotificationKind.removal_failed]
    await services.delivery_decisions.acknowledge(out.user.id, out.post_id)
    assert await out.waits(services) == []
    network.deletes.append(NeedsReconnect())
    await out.ask(here=True)
    assert await out.round() == [False]
    async with services.sessions() as session:
        assert (await session.get_one(Account, out.account.id)).state is AccountState.needs_reconnecting
        kinds = list(await session.scalars(select(Mail.kind).order_by(Mail.created_at)))
    assert kinds == [MailKind.removal_failed, MailKind.account_reconnect], "one for the login, and no more"
    assert NotificationKind.removal_failed in await out.waits(services)
    network.deletes.append(None)
    await out.ask()
    assert NotificationKind.removal_failed not in await out.waits(services)
    await out.round()
    with pytest.raises(Conflict):
        await services.delivery_decisions.acknowledge(out.user.id, out.post_id)


@pytest.mark.parametrize(
    ("state", "provider_id", "reason"),
    [
        (DeliveryState.published, None, Removable.unnamed),
        (DeliveryState.failed, None, Removable.not_there),
        (DeliveryState.unknown, None, Removable.not_there),
    ],
)
async def test_only_what_we_published_under_a_known_id_is_deleted(
    out: Out, network: ScriptedNetwork, state: DeliveryState, provider_id: str | None, reason: Removable
) -> None:
    await out.save(state, provider_id)
    with pytest.raises(InvalidInput) as raised:
        await out.ask()
    [problem] = raised.value.errors
    assert (problem.field, problem.params) == ("delivery_ids.0", {"reason": reason})
    assert await out.round() == []


async def test_an_account_that_was_disconnected_meanwhile_is_not_asked(
    out: Out, network: ScriptedNetwork, services: Services
) -> None:
    await out.save()
    await out.ask()
    await services.connecting.disconnect(out.user.id, out.account.id)
    assert await out.round() == [False]
    assert ((await out.row()).removal, network.deleted) == (RemovalState.failed, [])


async def test_deleted_here_meanwhile_it_is_deleted_there_all_the_same(
    out: Out, network: ScriptedNetwork, services: Services
) -> None:
    await out.save()
    await out.ask()
    order = BulkOrder(BulkAction.delete)
    assert (await services.post_bulk.apply(out.user.id, order, PickedPost(out.post_id, 1, ""))).refusal is None
    network.deletes.append(None)
    assert await out.round() == [True]


async def test_what_may_still_go_out_is_not_deleted_here(out: Out, network: ScriptedNetwork) -> None:
    await out.save(DeliveryState.pending, None)
    with pytest.raises(Conflict) as raised:
        await out.ask(here=True)
    assert raised.value.code is ErrorCode.post_on_its_way
