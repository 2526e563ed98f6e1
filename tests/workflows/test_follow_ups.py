"""What follows a publication, from its row to the network and back, on the real parts."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, update
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle
from temporalio.common import RetryPolicy
from temporalio.service import RPCError

from core.clock import utcnow
from core.deliveries.ledger import Ledger, Proof
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.posts import Outgoing
from core.networks.registry import channel
from core.networks.rules.channels import AccountState, ChannelKind
from core.posts.rules.posts import CommentAnswer, CommentState, DeliveryState, PostStatus, RemovalState
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal import account_deletion, reconcile
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack, browsing
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually, refusing
from workflows import options
from workflows.names import follow_up_workflow

COMMENT = "More on it: https://lindhof.example"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries come after a second instead of half a minute."""
    quick = options.FOLLOW_UP_STEP | {"retry_policy": RetryPolicy(initial_interval=timedelta(seconds=1))}
    monkeypatch.setattr(options, "FOLLOW_UP_STEP", quick)


class Out:
    """A post at Facebook, which its ledger does not know yet."""

    def __init__(self, stack: Stack, user: User, account: Account) -> None:
        self.stack, self.user, self.account = stack, user, account
        self.post_id, self.delivery_id = new_id(), new_id()
        self.text = f"Rain {self.post_id}"

    async def publish(self, comment: str = COMMENT, *, settle: bool = True) -> "Out":
        """As a delivery does: the call, and the receipt, which asks for the comment."""
        services = self.stack.services
        network, to = channel(self.account.kind), services.connecting.credentials(self.account)
        post = Outgoing(self.text, ())
        refs = (await network.stage(to, post)).refs
        self.receipt = await network.prepare(to, post, refs).publish()
        async with services.sessions.begin() as session:
            status = PostStatus.complete
            session.add(
                Post(id=self.post_id, user_id=self.user.id, content=self.text, status=status, first_comment=comment)
            )
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
        if settle:
            await self.settle()
        return self

    async def settle(self) -> None:
        book = Ledger(self.stack.services.sessions, timedelta(hours=1))
        await book.settle(Proof(self.user.id, self.delivery_id, self.receipt))

    async def row(self) -> Delivery:
        async with self.stack.services.sessions() as session:
            return await session.get_one(Delivery, self.delivery_id)

    async def change(self, **values: object) -> None:
        async with self.stack.services.sessions.begin() as session:
            await session.execute(update(Delivery).where(Delivery.id == self.delivery_id).values(**values))

    async def commented(self, state: CommentState) -> None:
        async def so() -> bool:
            return (await self.row()).comment is state

        await eventually(so)

    async def is_left(self, reason: ErrorCode) -> bool:
        row = await self.row()
        return row.comment_is_left and row.comment_error_code == reason

    def workflow(self, kind: FollowUpKind) -> WorkflowHandle[Any, Any]:
        return self.stack.client.get_workflow_handle(follow_up_workflow(kind, self.delivery_id))

    async def remove(self, *, here: bool = False) -> None:
        """As a person asks for it."""
        await self.stack.services.removals.request_removal(self.user.id, self.post_id, [self.delivery_id], here=here)

    async def removed(self, state: RemovalState) -> None:
        async def so() -> bool:
            return (await self.row()).removal is state

        await eventually(so)

    async def result(self, kind: FollowUpKind) -> dict[str, str]:
        return dict(await asyncio.wait_for(self.workflow(kind).result(), PATIENCE))

    async def shown(self) -> dict[str, Any]:
        """As it is at the network."""
        [found] = [one for one in await self.all_posts() if one["text"] == self.text]
        return found

    async def is_shown(self) -> bool:
        return any(one["text"] == self.text and not one["deleted"] for one in await self.all_posts())

    async def all_posts(self) -> list[dict[str, Any]]:
        return list(await self.stack.networks.posts())


@pytest.fixture
async def page(stack: Stack) -> tuple[User, Account]:
    user = await stack.make.user()
    return user, await stack.make.account(user, stack.networks.url, kind=ChannelKind.facebook)


@pytest.fixture
async def at_work(stack: Stack) -> AsyncIterator[Stack]:
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        yield stack


async def test_the_receipt_of_a_post_brings_its_comment_there(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    out = await Out(at_work, *page).publish()
    await out.commented(CommentState.published)
    assert await out.result(FollowUpKind.first_comment) == {"state": "published", "reason": ""}
    assert (await out.shown())["comments"] == [COMMENT]
    described = await out.workflow(FollowUpKind.first_comment).describe()
    assert await described.static_summary() == "first comment at facebook"
    for told in (out.user.id, out.post_id, "facebook"):
        assert str(told) in str(described.search_attributes)
    history = (await out.workflow(FollowUpKind.first_comment).fetch_history()).to_json()
    assert "lindhof" not in history, "ids, and no content"
    await record("first-comment.published", follow_up_workflow(FollowUpKind.first_comment, out.delivery_id))


async def test_a_lost_answer_is_asked_about_and_the_comment_is_there_once(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    await at_work.networks.fail(on="comments", kind="lost_answer", times=1)
    out = await Out(at_work, *page).publish()
    await out.commented(CommentState.published)
    assert (await out.shown())["comments"] == [COMMENT]
    assert (await out.row()).comment_attempts == 2
    await record("first-comment.answer-lost", follow_up_workflow(FollowUpKind.first_comment, out.delivery_id))


async def test_what_never_reached_the_network_is_put_after_it_was_asked(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    await at_work.networks.fail(on="comments", kind="reset", times=1)
    out = await Out(at_work, *page).publish()
    await out.commented(CommentState.published)
    assert (await out.shown())["comments"] == [COMMENT]
    await record("first-comment.put-after-asking", follow_up_workflow(FollowUpKind.first_comment, out.delivery_id))


async def test_a_refused_comment_ends_with_its_reason_and_is_put_once_a_person_wants_it(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    await at_work.networks.fail(on="comments", kind="status", status=403, times=1)
    out = await Out(at_work, *page).publish()
    await out.commented(CommentState.failed)
    refused = await out.result(FollowUpKind.first_comment)
    assert (refused["state"], refused["reason"]) == ("failed", (await out.row()).comment_error_code)
    await record("first-comment.refused", follow_up_workflow(FollowUpKind.first_comment, out.delivery_id))
    await at_work.services.first_comments.resolve_comment(
        out.user.id, out.post_id, out.delivery_id, CommentAnswer.again
    )
    await out.commented(CommentState.published)
    assert (await out.shown())["comments"] == [COMMENT]


async def test_a_comment_that_the_app_may_not_publish_is_left_to_the_person(at_work: Stack, record: Record) -> None:
    user = await at_work.make.user()
    out = await Out(at_work, user, await at_work.make.account(user, at_work.networks.url)).publish()
    left = {"state": "left_to_person", "reason": ErrorCode.first_comment_not_granted}
    await eventually(lambda: out.is_left(ErrorCode.first_comment_not_granted))
    assert await out.result(FollowUpKind.first_comment) == left
    assert (await out.shown())["comments"] == []
    async with browsing(at_work.services, at_work.gateway, user) as client:
        post = (await client.get(f"/social-media-posts/{out.post_id}/")).json()
        [delivery] = post["deliveries"]
        assert (delivery["state"], delivery["comment"], post["first_comment"]) == ("published", None, COMMENT)
        assert delivery["comment_left"]["code"] == ErrorCode.first_comment_not_granted
        assert (await client.get("/notifications/")).json()["items"] == [], "nothing has failed"
        answer = await client.post(
            f"/social-media-posts/{out.post_id}/deliveries/{out.delivery_id}/comment/", json={"answer": "there"}
        )
        assert answer.is_success
        post = (await client.get(f"/social-media-posts/{out.post_id}/")).json()
    [delivery] = post["deliveries"]
    assert (delivery["comment"]["state"], delivery["comment_left"]) == ("published", None)
    await record("first-comment.left-to-person", follow_up_workflow(FollowUpKind.first_comment, out.delivery_id))


async def test_a_refused_call_tells_what_the_role_at_a_page_allows(at_work: Stack) -> None:
    """Ada is administrator of one page, and content administrator of the other."""
    user, kind = await at_work.make.user(), ChannelKind.linkedin_pages
    found = await at_work.make.accounts(user, at_work.networks.url, "ada-lindqvist", kind)
    able, unable = sorted(found, key=lambda account: account.name)
    assert (able.name, unable.name) == ("Lindqvist Coffee", "Radwerk Weber")
    published, refused = await Out(at_work, user, able).publish(), await Out(at_work, user, unable).publish()
    await published.commented(CommentState.published)
    assert (await published.shown())["comments"] == [COMMENT]
    await eventually(lambda: refused.is_left(ErrorCode.first_comment_refused))
    assert (await refused.shown())["comments"] == []
    async with at_work.services.sessions() as session:
        rows = [await session.get_one(Account, one.id) for one in (able, unable)]
        assert [row.comments_refused_at is not None for row in rows] == [False, True]
        assert {row.state for row in rows} == {AccountState.connected}, "their posts still go out"


async def test_one_that_fails_unexpectedly_keeps_no_other_waiting(
    at_work: Stack, page: tuple[User, Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, broken = channel(ChannelKind.facebook), Out(at_work, *page)
    comment = network.comment

    async def sometimes(to: Any, provider_id: str, text: str) -> Any:
        if text == "broken":
            raise ZeroDivisionError
        return await comment(to, provider_id, text)

    monkeypatch.setattr(network, "comment", sometimes)
    await broken.publish("broken")
    others = [await Out(at_work, *page).publish() for _ in range(3)]
    for one in others:
        await one.commented(CommentState.published)
    await others[0].remove()
    await others[0].removed(RemovalState.removed)
    described = await broken.workflow(FollowUpKind.first_comment).describe()
    assert described.status is WorkflowExecutionStatus.RUNNING


async def test_a_post_is_deleted_at_its_network_and_then_here(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    out = await Out(at_work, *page).publish("")
    assert await out.is_shown()
    await out.remove(here=True)
    await out.removed(RemovalState.removed)
    assert not await out.is_shown()
    assert await out.result(FollowUpKind.removal) == {"state": "removed", "reason": ""}
    async with at_work.services.sessions() as session:
        assert (await session.get_one(Post, out.post_id)).deleted_at is not None
    await record("removal.removed", follow_up_workflow(FollowUpKind.removal, out.delivery_id))


async def test_a_removal_whose_answer_was_lost_is_asked_for_again(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    await at_work.networks.fail(on="deletes", kind="lost_answer", times=1)
    out = await Out(at_work, *page).publish("")
    await out.remove()
    await out.removed(RemovalState.removed)
    assert not await out.is_shown()
    assert (await out.row()).removal_attempts == 2
    await record("removal.answer-lost", follow_up_workflow(FollowUpKind.removal, out.delivery_id))


async def test_a_refused_removal_ends_with_its_reason_and_is_tried_once_a_person_wants_it(
    at_work: Stack, page: tuple[User, Account], record: Record
) -> None:
    await at_work.networks.fail(on="deletes", kind="status", status=403, times=1)
    out = await Out(at_work, *page).publish("")
    await out.remove()
    await out.removed(RemovalState.failed)
    refused = await out.result(FollowUpKind.removal)
    assert (refused["state"], refused["reason"]) == ("failed", (await out.row()).removal_error_code)
    assert await out.is_shown()
    await record("removal.refused", follow_up_workflow(FollowUpKind.removal, out.delivery_id))
    await out.remove()
    await out.removed(RemovalState.removed)
    assert not await out.is_shown()


async def test_a_pause_that_a_network_asks_for_is_kept(at_work: Stack, page: tuple[User, Account]) -> None:
    await at_work.networks.fail(on="deletes", kind="rate_limited", seconds=5, times=1)
    out = await Out(at_work, *page).publish("")
    began = utcnow()
    await out.remove()

    async def refused() -> bool:
        return (await out.row()).removal_error_code is not None

    await eventually(refused)
    row = await out.row()
    assert (row.removal, row.removal_error_code) == (RemovalState.waiting, ErrorCode.rate_limited)
    assert row.removal_due_at is not None
    assert row.removal_due_at > began + timedelta(seconds=4), "which its owner reads"
    await out.removed(RemovalState.removed)
    row = await out.row()
    assert row.removed_at is not None
    assert row.removed_at > began + timedelta(seconds=4)


async def test_removals_that_the_rounds_of_earlier_releases_left_are_taken_over(
    stack: Stack, page: tuple[User, Account]
) -> None:
    """As they stood when the old worker stopped: not begun, its process killed in the call, before its next try, and
    while its network asked for a pause."""
    fresh, killed, waiting, paused = [await Out(stack, *page).publish("") for _ in range(4)]
    now = utcnow()
    for one in (fresh, killed, waiting, paused):
        await one.change(removal=RemovalState.waiting, removal_due_at=now)
    await killed.change(removal_attempts=1, removal_due_at=now - timedelta(seconds=5))
    network, to = channel(ChannelKind.facebook), stack.services.connecting.credentials(killed.account)
    assert killed.receipt.provider_id
    await network.delete(to, killed.receipt.provider_id)
    failed = {"removal_attempts": 3, "removal_error_code": ErrorCode.provider_unavailable}
    await waiting.change(**failed, removal_due_at=now - timedelta(seconds=1))
    await paused.change(**failed, removal_due_at=now + timedelta(hours=5))
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        for one in (fresh, killed, waiting):
            await one.removed(RemovalState.removed)
            assert not await one.is_shown()
        assert (await paused.row()).removal is RemovalState.waiting
        assert await paused.is_shown()
        await paused.change(removal_due_at=utcnow())
        await paused.removed(RemovalState.removed)


async def test_what_the_rounds_of_earlier_releases_left_is_taken_over(stack: Stack, page: tuple[User, Account]) -> None:
    """Rows as they stood when the old worker stopped: one that nobody had begun, one whose call was lost with its
    process though the network has it, one that waits for its next try, and one whose network asked for a pause."""
    fresh, killed, waiting, paused = [await Out(stack, *page).publish() for _ in range(4)]
    now = utcnow()
    network, to = channel(ChannelKind.facebook), stack.services.connecting.credentials(killed.account)
    assert killed.receipt.provider_id
    await network.comment(to, killed.receipt.provider_id, COMMENT)
    await killed.change(
        comment_attempts=1, comment_called_at=now - timedelta(seconds=70), comment_due_at=now - timedelta(seconds=10)
    )
    failed = {"comment_attempts": 3, "comment_error_code": ErrorCode.provider_unavailable}
    await waiting.change(**failed, comment_due_at=now - timedelta(seconds=1))
    await paused.change(**failed, comment_due_at=now + timedelta(hours=5))
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        for one in (fresh, killed, waiting):
            await one.commented(CommentState.published)
            assert (await one.shown())["comments"] == [COMMENT]
        assert (await waiting.row()).comment_attempts == 4
        assert await reconcile.start_follow_ups(stack.services, stack.gateway) == 0
        assert (await paused.shown())["comments"] == [], "its network asked for a pause"
        await paused.change(comment_due_at=utcnow())
        await paused.commented(CommentState.published)


async def test_one_that_runs_is_left_alone_and_a_lost_one_is_started_again(
    stack: Stack, page: tuple[User, Account]
) -> None:
    """Without a worker: nothing moves but what the reconcile does."""
    out = await Out(stack, *page).publish()
    handle = out.workflow(FollowUpKind.first_comment)

    async def status() -> tuple[str, WorkflowExecutionStatus | None]:
        described = await handle.describe()
        return described.run_id, described.status

    assert await reconcile.start_follow_ups(stack.services, stack.gateway) == 1
    first = await status()
    await reconcile.start_follow_ups(stack.services, stack.gateway)
    assert await status() == first

    async def listed() -> bool:
        return await reconcile.start_follow_ups(stack.services, stack.gateway) == 0

    await eventually(listed)
    await handle.terminate("an operator's slip")

    async def again() -> bool:
        await reconcile.start_follow_ups(stack.services, stack.gateway)
        return (await status())[1] is WorkflowExecutionStatus.RUNNING

    await eventually(again)
    assert (await status())[0] != first[0]


async def test_one_that_cannot_be_started_does_not_stop_the_others(
    stack: Stack, page: tuple[User, Account], caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = await Out(stack, *page).publish(), await Out(stack, *page).publish()
    name = follow_up_workflow(FollowUpKind.first_comment, bad.delivery_id)
    assert await reconcile.start_follow_ups(stack.services, refusing(stack, name)) == 1
    await good.workflow(FollowUpKind.first_comment).describe()
    assert [line for line in caplog.messages if str(bad.delivery_id) in line] == [
        f"reconcile: first_comment of delivery {bad.delivery_id} could not be repaired (INVALID_ARGUMENT)"
    ]


async def test_one_whose_post_is_gone_ends(stack: Stack, page: tuple[User, Account]) -> None:
    out = await Out(stack, *page).publish()
    assert await reconcile.start_follow_ups(stack.services, stack.gateway) == 1
    async with stack.services.sessions.begin() as session:
        await session.execute(delete(Post).where(Post.id == out.post_id))
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert await out.result(FollowUpKind.first_comment) == {"state": "gone", "reason": ""}


async def test_of_who_leaves_nothing_is_tried_and_no_workflow_stays(stack: Stack, page: tuple[User, Account]) -> None:
    services, out = stack.services, await Out(stack, *page).publish()
    assert await reconcile.start_follow_ups(services, stack.gateway) == 1
    async with services.sessions.begin() as session:
        (await session.get_one(User, out.user.id)).deletion_requested_at = utcnow()
    assert await services.account_deletion.withdraw(out.user.id)
    assert await account_deletion.erase(services, stack.gateway, out.user.id)
    with pytest.raises(RPCError):
        await out.workflow(FollowUpKind.first_comment).describe()
    assert await reconcile.start_follow_ups(services, stack.gateway) == 0
    assert (await out.shown())["comments"] == []


async def test_what_a_receipt_asks_for_meanwhile_begins_the_deletion_anew(
    stack: Stack, page: tuple[User, Account]
) -> None:
    deletion, out = stack.services.account_deletion, await Out(stack, *page).publish(settle=False)
    async with stack.services.sessions.begin() as session:
        (await session.get_one(User, out.user.id)).deletion_requested_at = utcnow()
    assert await deletion.withdraw(out.user.id)
    await out.settle()
    assert not await deletion.remove_rows(out.user.id)
    assert await deletion.withdraw(out.user.id)
    assert await deletion.remove_rows(out.user.id)
