"""First comments, answer by answer: never twice, and never at the post's expense."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
import time_machine
from sqlalchemy import select

from core.clock import utcnow
from core.container import Services
from core.deliveries import first_comments as commenting
from core.deliveries import ledger
from core.deliveries.ledger import Ledger, Proof
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    Ambiguous,
    Conflict,
    ErrorCode,
    NeedsReconnect,
    NotFound,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
)
from core.ids import new_id
from core.networks.posts import Finding, Receipt
from core.networks.rules.channels import AccountState, ChannelKind, ChannelLimits
from core.notifications.rules import MailKind, NotificationKind
from core.notifications.tables.mails import Mail
from core.posts.rules.posts import CommentAnswer, CommentState, DeliveryState, PostStatus, RemovalState
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.follow_ups import attempt
from tests.scripted_network import ScriptedNetwork, connected_anew

TEXT = "More on it: https://lindhof.example"
THERE = Receipt("7_8", None)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedNetwork]:
    scripted = ScriptedNetwork(
        limits=ChannelLimits(max_characters=3000, max_images=20, max_first_comment=500),
    )
    monkeypatch.setattr(commenting, "channel", {ChannelKind.linkedin: scripted}.__getitem__)
    monkeypatch.setattr(ledger, "channels", lambda: [scripted])
    ledger._comment_channels.cache_clear()
    yield scripted
    ledger._comment_channels.cache_clear()


class Out:
    """A post with a first comment on its way through one account."""

    def __init__(self, services: Services, user: User, account: Account) -> None:
        self.services, self.user, self.account = services, user, account
        self.post_id, self.delivery_id = new_id(), new_id()

    async def save(self, comment: str = TEXT) -> None:
        async with self.services.sessions.begin() as session:
            post = Post(
                id=self.post_id,
                user_id=self.user.id,
                content="Rain.",
                status=PostStatus.complete,
                first_comment=comment,
            )
            session.add(post)
            await session.flush()
            session.add(
                Delivery(
                    id=self.delivery_id,
                    user_id=self.user.id,
                    post_id=self.post_id,
                    account_id=self.account.id,
                    channel=self.account.kind,
                    state=DeliveryState.publishing,
                    content_hash="",
                )
            )

    async def publish(self, provider_id: str | None = "7") -> None:
        book = Ledger(self.services.sessions, timedelta(hours=1))
        await book.settle(Proof(self.user.id, self.delivery_id, Receipt(provider_id, None)))

    async def round(self) -> list[bool]:
        return await attempt(self.services, FollowUpKind.first_comment)

    async def answer(self, answer: CommentAnswer, delivery_id: UUID | None = None) -> None:
        service = self.services.first_comments
        await service.resolve_comment(self.user.id, self.post_id, delivery_id or self.delivery_id, answer)

    async def row(self) -> Delivery:
        async with self.services.sessions() as session:
            return await session.get_one(Delivery, self.delivery_id)

    async def told(self) -> list[NotificationKind]:
        """What the bell has of it; as long as it has that, the post waits for a person."""
        rows, _, _ = await self.services.notifications.list_page(self.user.id, unread=True, offset=0, limit=9)
        kinds = [found.row.kind for found in rows]
        waiting = (await self.services.account_stats.waiting(self.user.id)).posts
        assert waiting == (NotificationKind.comment_failed in kinds)
        return kinds


@pytest.fixture
async def out(services: Services, make: Factory, user: User, networks: Networks, network: ScriptedNetwork) -> Out:
    found = Out(services, user, await make.account(user, networks.url))
    await found.save()
    return found


async def test_a_refusal_of_the_token_before_says_nothing_of_the_one_that_came_meanwhile(
    services: Services, make: Factory, user: User, networks: Networks, network: ScriptedNetwork
) -> None:
    out = Out(services, user, await make.account(user, networks.url))
    await out.save()
    await out.publish()
    network.meanwhile = partial(connected_anew, services, out.account)
    network.comments.append(NeedsReconnect())
    assert await out.round() == [False]
    row = await out.row()
    assert (row.comment, row.comment_error_code) == (CommentState.waiting, ErrorCode.access_renewing)
    async with services.sessions() as session:
        assert (await session.get_one(Account, out.account.id)).state is AccountState.connected


async def test_the_receipt_asks_for_it_and_the_next_round_puts_it(out: Out, network: ScriptedNetwork) -> None:
    assert await out.round() == [], "not before the post is out"
    await out.publish()
    assert (await out.row()).comment is CommentState.waiting
    network.comments.append(THERE)
    assert await out.round() == [True]
    [(to, provider_id, text)] = network.commented
    assert (to.external_id, provider_id, text) == (out.account.external_id, "7", TEXT)
    row = await out.row()
    assert (row.comment, row.comment_id, row.state) == (CommentState.published, "7_8", DeliveryState.published)
    await out.publish()  # whoever has proof settles it once more
    assert await out.round() == []
    assert await out.told() == []


async def test_without_a_comment_nobody_is_called(
    services: Services, make: Factory, user: User, networks: Networks, network: ScriptedNetwork
) -> None:
    plain = Out(services, user, await make.account(user, networks.url))
    await plain.save(comment="")
    await plain.publish()
    assert (await plain.row()).comment is None
    assert await plain.round() == []


async def test_a_network_without_comments_is_not_asked_for_one(
    out: Out, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(ScriptedNetwork, "comment")
    ledger._comment_channels.cache_clear()
    await out.publish()
    assert (await out.row()).comment is None


@pytest.mark.parametrize(
    ("said", "pause"),
    [
        (RetrySafe(detail="away"), timedelta(seconds=30)),
        (RateLimited(retry_after=timedelta(hours=5)), timedelta(hours=5)),
    ],
)
async def test_what_had_no_effect_is_called_again(
    out: Out, network: ScriptedNetwork, said: ProviderError, pause: timedelta
) -> None:
    await out.publish()
    network.comments.extend([said, THERE])
    assert await out.round() == [False]
    row = await out.row()
    assert (row.comment, row.comment_called_at, row.comment_error_code) == (CommentState.waiting, None, said.code)
    assert await out.round() == [], "not before its time"
    with time_machine.travel(utcnow() + pause + timedelta(seconds=1)):
        assert await out.round() == [True]
    assert (await out.row()).comment_error_code is None
    assert network.comments_sought == []


@pytest.mark.parametrize("there", [True, False])
async def test_a_lost_answer_is_asked_about_before_anything_is_put(
    out: Out, network: ScriptedNetwork, there: bool
) -> None:
    await out.publish()
    network.comments.append(Ambiguous(detail="no answer"))
    assert await out.round() == [False]
    network.comment_finds.append(Finding(THERE) if there else Finding(absent=True))
    with time_machine.travel(utcnow() + timedelta(seconds=70)):
        assert await out.round() == [there]
        assert network.comments_sought == [("7", TEXT)]
        if not there:
            network.comments.append(THERE)
            assert await out.round() == [True]
    assert len(network.commented) == (1 if there else 2)
    assert (await out.row()).comment is CommentState.published


async def test_a_worker_that_dies_in_the_call_leaves_a_question_and_no_second_call(
    out: Out, network: ScriptedNetwork
) -> None:
    await out.publish()
    with pytest.raises(IndexError):  # it calls, and is gone
        await out.round()
    row = await out.row()
    assert row.comment_called_at is not None
    assert await out.round() == [], "for as long as a call may take it is that one's"
    network.comment_finds.append(Finding(THERE))
    with time_machine.travel(utcnow() + timedelta(seconds=61)):
        assert await out.round() == [True]
    assert len(network.commented) == 1


@pytest.mark.parametrize("stale", ["look-up", "call"])
async def test_an_attempt_that_ends_after_another_one_has_called_leaves_its_fence(
    out: Out, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch, stale: str
) -> None:
    """A worker that stands still for longer than its lease."""
    await out.publish()
    now, absent, lost = utcnow(), Finding(absent=True), Ambiguous(detail="no answer")
    later = now
    if stale == "look-up":
        network.comments.append(lost)
        assert await out.round() == [False]
        later += timedelta(seconds=70)
    step = "find_comment" if stale == "look-up" else "comment"
    asked: Callable[..., Awaitable[Finding | Receipt]] = getattr(network, step)

    async def stands_still(*more: Any, **named: Any) -> Finding | Receipt:
        monkeypatch.setattr(network, step, asked)
        with time_machine.travel(later + timedelta(seconds=70)):
            network.comment_finds.append(absent)
            assert await out.round() == [False]
            network.comments.append(lost)
            assert await out.round() == [False]
        network.comment_finds.append(absent)
        network.comments.append(RetrySafe(detail="away"))
        return await asked(*more, **named)

    monkeypatch.setattr(network, step, stands_still)
    with time_machine.travel(later):
        assert await out.round() == [False]
    assert (await out.row()).comment_called_at is not None
    network.comment_finds.clear()
    network.comment_finds.append(Finding(THERE))
    calls = len(network.commented)
    with time_machine.travel(later + timedelta(seconds=300)):
        assert await out.round() == [True]
    assert len(network.commented) == calls, "it is looked up, not published again"


async def test_where_nobody_can_tell_a_person_says(out: Out, network: ScriptedNetwork, services: Services) -> None:
    await out.publish()
    network.comments.append(Ambiguous(detail="no answer"))
    await out.round()
    network.comment_finds.append(Finding())
    with time_machine.travel(utcnow() + timedelta(seconds=70)):
        assert await out.round() == [False]
        assert (await out.row()).comment is CommentState.unknown
        assert await out.told() == [NotificationKind.comment_failed]
        async with services.sessions() as session:
            mail = (await session.scalars(select(Mail).where(Mail.kind == MailKind.comment_failed))).one()
        assert mail.params["post_id"] == str(out.post_id)
        await out.answer(CommentAnswer.there)
        assert (await out.row()).comment is CommentState.published
        assert await out.told() == []
        with pytest.raises(Conflict):
            await out.answer(CommentAnswer.again)
        assert await out.round() == []


async def test_a_refusal_is_told_once_and_put_again_where_a_person_wants_it(out: Out, network: ScriptedNetwork) -> None:
    await out.publish()
    network.comments.extend([Refused(ErrorCode.comment_not_allowed, detail="(#200)"), THERE])
    assert await out.round() == [False]
    row = await out.row()
    assert (row.comment, row.state) == (CommentState.failed, DeliveryState.published), "the post is out all the same"
    assert (row.comment_error_code, row.comment_error_detail) == (ErrorCode.comment_not_allowed, "(#200)")
    assert await out.told() == [NotificationKind.comment_failed]
    assert await out.round() == []
    with pytest.raises(NotFound):
        await out.answer(CommentAnswer.again, new_id())
    await out.answer(CommentAnswer.again)
    assert await out.told() == []
    assert await out.round() == [True]


async def test_a_refusal_is_told_as_one_of_the_comment(out: Out, network: ScriptedNetwork) -> None:
    await out.publish()
    network.comments.append(Refused(detail="(#100) Invalid parameter"))
    await out.round()
    assert (await out.row()).comment_error_code == ErrorCode.comment_refused


async def test_tried_often_enough_it_fails(out: Out, network: ScriptedNetwork) -> None:
    await out.publish()
    network.comments.extend([RetrySafe(detail="away")] * 10)
    now = utcnow()
    for hour in range(10):
        with time_machine.travel(now + timedelta(hours=2 * hour)):
            assert await out.round() == [False]
    assert (await out.row()).comment is CommentState.failed
    assert await out.told() == [NotificationKind.comment_failed]


async def test_a_login_that_ends_meanwhile_is_the_accounts_trouble(
    out: Out, network: ScriptedNetwork, services: Services
) -> None:
    await out.publish()
    network.comments.append(NeedsReconnect(detail="ended"))
    assert await out.round() == [False]
    assert (await out.row()).comment is CommentState.failed
    async with services.sessions() as session:
        account = await session.get_one(Account, out.account.id)
        kinds = set(await session.scalars(select(Mail.kind)))
    assert account.own_state is AccountState.needs_reconnecting or account.state is AccountState.needs_reconnecting
    assert MailKind.comment_failed not in kinds, "its account's own mail tells of it"


@pytest.mark.parametrize("why", ["unnamed", "removed", "disconnected"])
async def test_below_what_is_not_there_nothing_is_put(
    out: Out, network: ScriptedNetwork, services: Services, why: str
) -> None:
    await out.publish(None if why == "unnamed" else "7")
    async with services.sessions.begin() as session:
        if why == "removed":
            (await session.get_one(Delivery, out.delivery_id)).removal = RemovalState.removed
        if why == "disconnected":
            (await session.get_one(Account, out.account.id)).disconnected_at = utcnow()
    assert await out.round() == [False]
    row = await out.row()
    assert (row.comment, row.comment_error_code) == (CommentState.failed, ErrorCode.comment_not_possible)
    assert network.commented == []


async def test_what_is_not_due_yet_is_left_for_later(out: Out, network: ScriptedNetwork) -> None:
    """As when its workflow is begun anew while an earlier attempt is still at it, or its network asked for a pause."""
    await out.publish()
    network.comments.append(RateLimited(retry_after=timedelta(hours=5)))
    assert await out.round() == [False]
    with pytest.raises(RetrySafe) as raised:
        await out.services.first_comments.publish_comment(
            out.user.id, out.post_id, out.delivery_id, timedelta(seconds=30)
        )
    assert raised.value.retry_after is not None
    assert timedelta(hours=4, minutes=59) < raised.value.retry_after <= timedelta(hours=5)
    assert (len(network.commented), (await out.row()).comment_attempts) == (1, 1)


async def test_a_failure_is_retried_no_sooner_than_temporal_would(out: Out, network: ScriptedNetwork) -> None:
    await out.publish()
    network.comments.append(RateLimited(retry_after=timedelta(seconds=2)))
    with pytest.raises(RateLimited) as raised:
        await out.services.first_comments.publish_comment(
            out.user.id, out.post_id, out.delivery_id, timedelta(minutes=8)
        )
    assert raised.value.retry_after == timedelta(minutes=8)
