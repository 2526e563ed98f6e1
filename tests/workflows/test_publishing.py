"""What a person changes about a post whose workflow sleeps: on the real parts, over the service and the messages that
the API uses."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import select, update
from temporalio import activity
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from activities.delivering import Deliver, Delivered, Delivering
from activities.post_progress import PostPlan, PostProgress, PostRef
from core.approvals import rules as approvals
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.tables import Assistant
from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode, InvalidInput, Refused
from core.ids import new_id, run_id, run_workflow
from core.networks.rules.channels import ChannelKind
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.changes import PostChange
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, DeliveryState, PostStatus, Variant
from core.posts.tables.posts import Post
from core.runs import rewriting
from core.runs.tables import Run, TextVersion
from core.users.repositories.deletion import WorkflowNames
from core.users.tables.users import User
from temporal import reconcile
from temporal.registry import Steps, groups
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.media.test_pictures import picture
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import calls, eventually, order_for, outcome, recorded_activities, soon
from workflows.messages import PostResult, RunResult
from workflows.names import CHANNELS, POST_ID, RUN_STATE, RUNS, post_workflow
from workflows.post import PostWorkflow
from workflows.run import RunWorkflow


class Story:
    """A run of an assistant with one delivery, and what a person does to it."""

    def __init__(self, stack: Stack, assistant: Assistant, slot: datetime, *, by_hand: bool = False) -> None:
        self.stack, self.assistant, self.slot = stack, assistant, slot
        more = {"address": "http://postloom.test/assistants/a", "assistant": assistant.name, "by_hand": by_hand}
        self.name, self.order = order_for(assistant, slot, **more)
        self.running: asyncio.Task[RunResult]

    async def begin(self) -> None:
        handle = await self.stack.client.start_workflow(
            RunWorkflow.run, self.order, id=self.name, task_queue=RUNS, execution_timeout=timedelta(minutes=2)
        )
        self.running = asyncio.create_task(handle.result())

    async def run(self) -> Run:
        return (await outcome(self.stack, self.assistant, self.slot))[0]

    async def post(self) -> Post:
        async with self.stack.services.sessions() as session:
            found = await PostRepository(session).find_by_run(self.assistant.user_id, run_id(self.name))
        assert found is not None
        return found

    async def in_state(self, state: RunState) -> Post:
        async def there() -> bool:
            async with self.stack.services.sessions() as session:
                row = await session.scalar(select(Run).where(Run.id == run_id(self.name)))
            return row is not None and row.state is state

        await eventually(there)
        return await self.post()

    async def told(self, changed: PostChange, confirmed: bool) -> None:
        assert confirmed
        await self.stack.services.publishing.mark_synced(changed)

    async def move(self, planned_at: datetime) -> None:
        post = await self.post()
        changed = await self.stack.services.publishing.move(post.user_id, post.id, post.version, planned_at)
        await self.told(changed, await self.stack.gateway.posts.send_move(changed))

    async def decide(self, *, approved: bool, remark: str = "") -> None:
        post = await self.post()
        changed = await self.stack.services.approvals.decide(
            post.user_id, post.id, approved=approved, content_hash=post.content_hash, remark=remark
        )
        await self.told(changed, await self.stack.gateway.posts.send_decision(changed, post.content_hash))

    async def write_again(self, remark: str) -> None:
        post, services = await self.post(), self.stack.services
        changed = await services.rewriting.request_rewrite(
            post.user_id, post.id, content_hash=post.content_hash, remark=remark
        )
        await self.told(changed, await self.stack.gateway.posts.send_decision(changed, post.content_hash))

    async def asked_about_another(self, than: str) -> Post:
        async def so() -> bool:
            post = await self.post()
            return post.content_hash != than and post.approval is not None

        await eventually(so)
        return await self.post()

    async def ended(self) -> RunResult:
        return await asyncio.wait_for(self.running, PATIENCE)


async def asking(stack: Stack, at_deadline: AtDeadline = AtDeadline.hold, **more: object) -> Assistant:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False, mode=Mode.approval)
    async with stack.services.sessions.begin() as session:
        await session.execute(
            update(Assistant).where(Assistant.id == assistant.id).values(at_deadline=at_deadline, **more)
        )
    return assistant


@asynccontextmanager
async def begun(stack: Stack, assistant: Assistant, slot: datetime) -> AsyncIterator[Story]:
    story = Story(stack, assistant, slot)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await story.begin()
        yield story


async def told_by_the_reconcile(stack: Stack, post_id: UUID) -> None:
    """Its change is old enough that whoever made it has not reached its workflow."""
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post_id).values(updated_at=soon(-60)))

    async def told() -> bool:
        # the worker's own round may be at it
        await reconcile.sync_posts(stack.services, stack.gateway)
        async with stack.services.sessions() as session:
            post = await session.get_one(Post, post_id)
            return post.told_version == post.version

    await eventually(told)


async def mails(stack: Stack, user_id: UUID) -> list[MailKind]:
    async with stack.services.sessions() as session:
        rows = await session.scalars(select(Mail.kind).where(Mail.user_id == user_id).order_by(Mail.created_at))
    return list(rows)


@pytest.fixture(autouse=True)
def _little_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline a moment before the arming: nobody here reads mails."""
    monkeypatch.setattr(approvals, "_MARGIN", timedelta(seconds=2))


# asking first


async def test_what_is_approved_goes_out_at_its_slot(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(30)) as story:
        post = await story.in_state(RunState.waiting)
        assert post.status is PostStatus.draft
        assert post.approval is not None
        assert post.approval.state is ApprovalState.waiting
        assert post.approval.deadline_at < story.slot
        assert await mails(stack, assistant.user_id) == [MailKind.approval_needed]
        handle = stack.client.get_workflow_handle(story.name)
        told = (await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)).current_details
        assert "**waits for a person" in told
        assert re.search(r"- since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", told)
        assert "what to do: nothing: its owner approves or declines it on the post's page" in told
        assert f"assistant Commuter tips ({assistant.id})" in told
        assert f"owner {assistant.user_id}" in told
        assert f"post {post.id}" in told
        assert f"in the app: http://postloom.test/assistants/a?tab=runs&run={story.order.run_id}" in told
        attributes = (await handle.describe()).typed_search_attributes
        assert (attributes[RUN_STATE], attributes[POST_ID]) == (RunState.waiting, str(post.id))
        await story.decide(approved=True)
        assert (await story.post()).status is PostStatus.complete
        await story.move(soon(4))
        result = await story.ended()
        assert (result.state, result.reason, result.post_id) == (RunState.published, "", post.id)
        told = (await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)).current_details
        assert f"- linkedin ({post.deliveries[0].id}): published" in told
    run, post, delivery = await outcome(stack, assistant, story.slot)
    assert (run.state, post.status, delivery.state) == (
        RunState.published,
        PostStatus.published,
        DeliveryState.published,
    )
    assert await calls(stack) == 1
    await record("run.approved-and-moved", story.name)


async def test_what_is_edited_while_it_is_asked_about_goes_out_as_it_is_then(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    async with stack.services.sessions() as session:
        user = await session.get_one(User, assistant.user_id)
    more = await stack.make.account(user, stack.networks.url, "jonas-weber")
    async with begun(stack, assistant, soon(40)) as story:
        post = await story.in_state(RunState.waiting)
        asked = post.content_hash
        assert post.planned_at is not None
        wanted = Composition(
            content="The common text",
            account_ids=(post.deliveries[0].account_id, more.id),
            variants=(Variant(ChannelKind.linkedin, more.id, "Jonas says it in his words"),),
            planned_at=post.planned_at,
        )
        edited = await stack.services.composing.edit(post.user_id, post.id, post.version, wanted)
        assert edited.waiting
        await story.told(edited.changed, await stack.gateway.posts.send_edit(edited.changed))
        post = await story.post()
        assert (post.status, len(post.deliveries)) == (PostStatus.draft, 2)
        with pytest.raises(Conflict) as other:
            await stack.services.approvals.decide(post.user_id, post.id, approved=True, content_hash=asked, remark="")
        assert other.value.code == ErrorCode.approval_outdated
        await story.decide(approved=True)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    post = await story.post()
    assert {one.state for one in post.deliveries} == {DeliveryState.published}
    assert {one["text"] for one in await stack.networks.posts()} == {"The common text", "Jonas says it in his words"}
    await record("run.edited-while-asked", story.name)


async def test_another_text_is_asked_about_and_goes_out_once_it_is_approved(
    stack: Stack, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewriting, "WRITING_TIME", timedelta(0))
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(45)) as story:
        first = await story.in_state(RunState.waiting)
        await story.write_again("Name the street")
        second = await story.asked_about_another(first.content_hash)
        assert second.content != first.content
        await story.write_again("Shorter")
        third = await story.asked_about_another(second.content_hash)
        assert len({first.content, second.content, third.content}) == 3
        assert await mails(stack, assistant.user_id) == [MailKind.approval_needed] * 3
        await story.decide(approved=True)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    assert [one["text"] for one in await stack.networks.posts()] == [third.content]
    await record("run.written-again", story.name)


async def test_without_another_text_the_old_one_is_asked_about_once_more(
    stack: Stack, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewriting, "WRITING_TIME", timedelta(0))
    assistant = await asking(stack, AtDeadline.publish)
    async with begun(stack, assistant, soon(30)) as story:
        first = await story.in_state(RunState.waiting)

        async def refuse(*_: object, **__: object) -> None:
            raise Refused(ErrorCode.model_refused)

        monkeypatch.setattr(type(stack.services.writer), "write", refuse)
        await story.write_again("Name the street")

        async def asked_again() -> bool:
            approval = (await story.post()).approval
            return approval is not None and approval.rewrite_error == ErrorCode.model_refused

        await eventually(asked_again)
        post = await story.post()
        assert post.approval is not None
        assert (post.content, post.approval.state) == (first.content, ApprovalState.waiting)
        assert post.approval.at_deadline is AtDeadline.hold  # it was objected to
        await story.decide(approved=False)
        assert (await story.ended()).reason == ErrorCode.approval_declined
    await record("run.not-written-again", story.name)


@pytest.mark.parametrize("by_hand", [False, True])
async def test_a_run_called_off_while_it_writes_another_text_ends_without_being_told(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, by_hand: bool
) -> None:
    monkeypatch.setattr(rewriting, "WRITING_TIME", timedelta(0))
    story = Story(stack, await asking(stack), soon(60), by_hand=by_hand)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await story.begin()
        await story.in_state(RunState.waiting)

        async def call_off(*_: object, **__: object) -> None:
            post = await story.post()
            await stack.services.publishing.cancel(post.user_id, post.id, post.version)
            raise Refused(ErrorCode.model_refused)

        monkeypatch.setattr(type(stack.services.writer), "write", call_off)
        await story.write_again("Name the street")
        result = await story.ended()
    assert (result.state, result.reason) == (RunState.skipped, ErrorCode.run_cancelled)
    run, post, delivery = await outcome(stack, story.assistant, story.slot)
    assert (run.state, delivery.state) == (RunState.skipped, DeliveryState.cancelled)
    assert post.approval is not None
    assert post.approval.state is ApprovalState.withdrawn


@pytest.mark.parametrize("by_hand", [False, True])
async def test_a_declined_post_that_is_edited_while_no_worker_is_there_is_not_asked_about(
    stack: Stack, by_hand: bool
) -> None:
    story = Story(stack, await asking(stack), soon(60), by_hand=by_hand)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await story.begin()
        post = await story.in_state(RunState.waiting)
    declined = await stack.services.approvals.decide(
        post.user_id, post.id, approved=False, content_hash=post.content_hash, remark=""
    )
    account_ids = (post.deliveries[0].account_id,)
    draft = Composition(content="In my words", account_ids=account_ids, planned_at=declined.planned_at)
    await stack.services.composing.edit(post.user_id, post.id, declined.version, draft)
    await stack.client.get_workflow_handle(story.name).signal(RunWorkflow.changed)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert (await story.ended()).state == RunState.skipped
    run, post, delivery = await outcome(stack, story.assistant, story.slot)
    assert (run.state, run.reason) == (RunState.skipped, ErrorCode.approval_declined)
    assert (post.content, post.status, post.approval) == ("In my words", PostStatus.draft, None)
    assert delivery.state is DeliveryState.cancelled


async def test_what_is_declined_never_goes_out_and_says_why(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(40)) as story:
        await story.in_state(RunState.waiting)
        await story.decide(approved=False, remark="Too loud")
        result = await story.ended()
        assert (result.state, result.reason) == (RunState.skipped, ErrorCode.approval_declined)
        with pytest.raises(Conflict) as again:
            await story.decide(approved=True)
        assert again.value.code == ErrorCode.approval_outdated
    run, post, delivery = await outcome(stack, assistant, story.slot)
    assert (run.state, run.reason) == (RunState.skipped, ErrorCode.approval_declined)
    assert (post.status, delivery.state) == (PostStatus.draft, DeliveryState.cancelled)
    assert post.approval is not None
    assert (post.approval.state, post.approval.remark) == (ApprovalState.declined, "Too loud")
    assert await calls(stack) == 0
    await record("run.declined", story.name)


@pytest.mark.parametrize(
    ("policy", "state", "status"),
    [
        (AtDeadline.hold, RunState.held, PostStatus.draft),
        (AtDeadline.skip, RunState.skipped, PostStatus.draft),
        (AtDeadline.publish, RunState.published, PostStatus.published),
    ],
)
async def test_without_an_answer_the_deadline_does_what_was_set(
    stack: Stack, record: Record, policy: AtDeadline, state: RunState, status: PostStatus
) -> None:
    assistant = await asking(stack, policy)
    async with begun(stack, assistant, soon(9)) as story:  # the deadline is three seconds before it
        assert (await story.ended()).state == state
        if policy is AtDeadline.hold:
            with pytest.raises(Conflict) as late:
                await story.decide(approved=True)
            assert late.value.code == ErrorCode.approval_expired
    run, post, _ = await outcome(stack, assistant, story.slot)
    assert (run.state, post.status) == (state, status)
    assert post.approval is not None
    assert post.approval.by_deadline
    assert await calls(stack) == (1 if policy is AtDeadline.publish else 0)
    await record(f"run.deadline-{policy}", story.name)


async def test_what_was_held_can_be_published_by_hand(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    services, gateway = stack.services, stack.gateway
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        post = await story.post()
        changed = await services.publishing.publish(post.user_id, post.id, post.version, None)
        assert await gateway.posts.send_deliveries(changed)

        async def published() -> bool:
            return (await story.post()).status is PostStatus.published

        await eventually(published)
        await stack.client.get_workflow_handle(post_workflow(post.id)).result()
    run, post, delivery = await outcome(stack, assistant, story.slot)
    assert (run.state, delivery.state) == (RunState.published, DeliveryState.published)
    assert post.approval
    assert not post.approval.by_deadline  # a person decided, after the deadline
    assert await calls(stack) == 1
    await record("post.published-by-hand", post_workflow(post.id))


async def test_an_approval_holds_for_exactly_what_was_shown(stack: Stack) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(40)) as story:
        post = await story.in_state(RunState.waiting)
        with pytest.raises(Conflict) as other:
            await stack.services.approvals.decide(
                post.user_id, post.id, approved=True, content_hash="0" * 64, remark=""
            )
        assert other.value.code == ErrorCode.approval_outdated
        # whatever a workflow does, the fence lets nothing pass that nobody has approved
        delivery = post.deliveries[0]

        async def at_once() -> None:
            return None

        await stack.services.delivering.deliver(post.user_id, delivery.id, wait=at_once)
    assert await calls(stack) == 0


async def test_a_veto_window_shows_the_post_and_then_publishes(stack: Stack) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(veto_minutes=1))
    async with begun(stack, assistant, soon(5)) as story:
        post = await story.in_state(RunState.waiting)
        # made late: it is shown as long as was promised, and goes out later instead
        assert post.planned_at is not None
        assert post.approval is not None
        assert post.planned_at > story.slot
        assert post.approval.deadline_at - post.approval.created_at >= timedelta(seconds=59)
        assert post.approval.at_deadline is AtDeadline.publish
        await story.decide(approved=False)
        assert (await story.ended()).state == RunState.skipped
    assert await calls(stack) == 0


# moving and cancelling


async def test_a_planned_post_is_moved_at_once_and_its_slot_stays(stack: Stack, record: Record) -> None:
    assistant = await asking(stack, AtDeadline.publish)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.automatic))
    async with begun(stack, assistant, soon(60)) as story:
        await story.in_state(RunState.ready)
        began = asyncio.get_running_loop().time()
        await story.move(soon(5))
        assert asyncio.get_running_loop().time() - began < 2
        assert (await story.ended()).state == RunState.published
    run, post, delivery = await outcome(stack, assistant, story.slot)
    assert run.slot == story.slot
    assert post.planned_at is not None
    assert delivery.called_at is not None
    assert timedelta(0) <= delivery.called_at - post.planned_at < timedelta(seconds=5)
    await record("run.moved", story.name)


async def test_a_post_moved_while_its_workflow_hears_nothing_goes_out_at_the_new_time(stack: Stack) -> None:
    assistant = await asking(stack, AtDeadline.publish)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.automatic))
    async with begun(stack, assistant, soon(7)) as story:
        post = await story.in_state(RunState.ready)
        later = story.slot + timedelta(seconds=3)
        await stack.services.publishing.move(post.user_id, post.id, post.version, later)  # nobody is told
        assert (await story.ended()).state == RunState.published
    _, post, delivery = await outcome(stack, assistant, story.slot)
    assert delivery.called_at is not None
    assert delivery.called_at >= later


async def test_the_reconcile_brings_what_was_moved_while_temporal_was_away(stack: Stack) -> None:
    assistant = await asking(stack, AtDeadline.publish)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.automatic))
    async with begun(stack, assistant, soon(90)) as story:
        post = await story.in_state(RunState.ready)
        await stack.services.publishing.move(post.user_id, post.id, post.version, soon(8))
        await told_by_the_reconcile(stack, post.id)
        assert (await story.ended()).state == RunState.published


async def test_what_is_moved_while_it_is_staged_goes_out_at_its_new_time(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,))
    await stack.networks.fail(on="upload", kind="slow", seconds=5)
    async with begun(stack, assistant, soon(90)) as story:

        async def staging() -> bool:
            return bool((await stack.networks.client.get("/sandbox/requests", params={"path": "/rest/images"})).json())

        await eventually(staging)
        post = await story.post()
        await stack.services.publishing.move(post.user_id, post.id, post.version, soon(12))
        await told_by_the_reconcile(stack, post.id)
        assert (await story.ended()).state == RunState.published
    await record("run.moved-while-staging", story.name)


async def test_an_image_added_by_an_edit_is_staged_before_the_slot(stack: Stack, record: Record) -> None:
    assistant = await asking(stack, AtDeadline.publish)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.automatic))
    image = await stack.services.media.store(assistant.user_id, picture("#334455"), name="Shop", alt="Our shop")
    async with begun(stack, assistant, soon(90)) as story:
        post = await story.in_state(RunState.ready)
        wanted = Composition(
            content="Now with a picture",
            account_ids=(post.deliveries[0].account_id,),
            files=(ComposedFile(image.id, "Our shop"),),
            planned_at=post.planned_at,
        )
        edited = await stack.services.composing.edit(post.user_id, post.id, post.version, wanted)
        await story.told(edited.changed, await stack.gateway.posts.send_deliveries(edited.changed))

        async def staged() -> bool:
            return (await outcome(stack, assistant, story.slot))[2].staged_ready_at is not None

        await eventually(staged)
        await story.move(soon(6))
        assert (await story.ended()).state == RunState.published
    [posted] = await stack.networks.posts()
    assert posted["text"] == "Now with a picture"
    steps = dict(await recorded_activities(stack, story.name))
    assert (list(steps), steps["stage"].priority_key) == (["begin", "write_checked", "stage", "ready", "deliver"], 2)
    await record("run.edited-to-have-an-image", story.name)


async def test_what_is_edited_after_it_was_staged_is_staged_anew_at_once(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,))
    async with begun(stack, assistant, soon(90)) as story:
        handle = stack.client.get_workflow_handle(story.name)

        async def asleep() -> bool:
            told = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
            return "**asleep until slot" in told.current_details

        async def staged() -> bool:
            return (await outcome(stack, assistant, story.slot))[2].is_staged

        post = await story.in_state(RunState.ready)
        await eventually(asleep)
        wanted = Composition(
            content="In other words",
            account_ids=(account.id,),
            files=tuple(ComposedFile(file.media_id, file.alt) for file in post.files),
            planned_at=post.planned_at,
        )
        edited = await stack.services.composing.edit(post.user_id, post.id, post.version, wanted)
        assert not await staged()
        await story.told(edited.changed, await stack.gateway.posts.send_deliveries(edited.changed))
        await eventually(staged)
        await eventually(asleep)
        await story.move(soon(6))
        assert (await story.ended()).state == RunState.published
    [posted] = await stack.networks.posts()
    assert posted["text"] == "In other words"
    steps = [name for name, _ in await recorded_activities(stack, story.name)]
    assert steps[steps.index("stage") :] == ["stage", "ready", "stage", "ready", "deliver"]
    await record("run.edited-after-staging", story.name)


async def test_a_cancelled_post_stays_as_a_draft(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(60)) as story:
        post = await story.in_state(RunState.waiting)
        changed = await stack.services.publishing.cancel(post.user_id, post.id, post.version)
        assert await stack.gateway.posts.send_cancel(changed)
        assert (await story.ended()).reason == ErrorCode.run_cancelled
    _, post, delivery = await outcome(stack, assistant, story.slot)
    assert (post.status, delivery.state) == (PostStatus.draft, DeliveryState.cancelled)
    assert post.approval is not None
    assert post.approval.state is ApprovalState.withdrawn
    await record("run.cancelled-by-message", story.name)


async def test_what_is_sent_out_before_its_cancelled_run_has_ended_goes_out(stack: Stack) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(60)) as story:
        post = await story.in_state(RunState.waiting)
        cancelled = await stack.services.publishing.cancel(post.user_id, post.id, post.version)
        sent = await stack.services.publishing.publish(post.user_id, post.id, cancelled.version, None)
        assert await stack.gateway.posts.send_cancel(cancelled)
        assert (await story.ended()).reason == ErrorCode.run_cancelled
        assert await stack.gateway.posts.send_deliveries(sent)

        async def published() -> bool:
            return (await story.post()).status is PostStatus.published

        await eventually(published)


async def test_what_is_planned_by_hand_after_its_run_stays_planned(stack: Stack) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        post, at = await story.post(), soon(600)
        assert await stack.gateway.posts.send_deliveries(
            await stack.services.publishing.publish(post.user_id, post.id, post.version, at)
        )
        run = await story.run()
        assert run.state is RunState.held
        async with stack.services.sessions.begin() as session:
            await session.execute(update(Run).where(Run.id == run.id).values(updated_at=soon(-90)))
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0
        post = await story.post()
        assert (post.status, post.planned_at) == (PostStatus.complete, at)


async def lost(stack: Stack, story: Story) -> None:
    """As after a start of Temporal with an empty database: it knows nothing of the run, and nobody was told."""
    await forgotten(stack, story)
    with pytest.raises((WorkflowFailureError, RPCError)):
        await story.ended()


async def forgotten(stack: Stack, story: Story) -> None:
    handle = stack.client.get_workflow_handle(story.name)
    await stack.gateway.delete_workflows(
        story.assistant.user_id, WorkflowNames((), (story.name,), (), (), (), (), (), (), ())
    )

    async def unknown() -> bool:
        try:
            await handle.describe()
        except RPCError as error:
            return error.status is RPCStatusCode.NOT_FOUND
        return False

    await eventually(unknown)


async def carried_on(stack: Stack, story: Story) -> None:
    assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 1
    story.running = asyncio.create_task(stack.client.get_workflow_handle(story.name, result_type=RunResult).result())


async def written(stack: Stack, run: UUID) -> list[tuple[UUID, str | None]]:
    async with stack.services.sessions() as session:
        rows = await session.execute(select(TextVersion.id, TextVersion.content).where(TextVersion.run_id == run))
    return [(row.id, row.content) for row in rows]


@pytest.mark.parametrize("moved", [False, True], ids=["as planned", "moved"])
async def test_a_prepared_run_that_temporal_has_lost_is_carried_on(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, *, moved: bool
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    async with begun(stack, assistant, soon(60 if moved else 20)) as story:
        post = await story.in_state(RunState.ready)
        texts = await written(stack, story.order.run_id)
        await lost(stack, story)
        if moved:  # and its workflow hears nothing of it
            await stack.services.publishing.move(post.user_id, post.id, post.version, soon(6))
        await carried_on(stack, story)
        assert (await story.ended()).state == RunState.published
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0
        assert await written(stack, story.order.run_id) == texts
    run, after, delivery = await outcome(stack, assistant, story.slot)
    assert (run.state, after.status, after.id) == (RunState.published, PostStatus.published, post.id)
    assert delivery.settled_at is not None
    assert after.planned_at is not None
    assert timedelta(0) <= delivery.settled_at - after.planned_at < timedelta(seconds=10)
    assert await calls(stack) == 1


async def test_a_run_lost_while_it_asks_goes_on_asking(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(40)) as story:
        post = await story.in_state(RunState.waiting)
        await lost(stack, story)
        await carried_on(stack, story)
        await asyncio.sleep(2)
        assert (await story.in_state(RunState.waiting)).content_hash == post.content_hash
        assert await mails(stack, assistant.user_id) == [MailKind.approval_needed]
        await story.decide(approved=True)
        await story.move(soon(4))
        assert (await story.ended()).state == RunState.published
    assert await calls(stack) == 1


async def test_an_ended_run_is_not_carried_on_while_its_post_is_delivered(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The delivery of what a person has sent says at the run that it is publishing."""
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        await forgotten(stack, story)
        await stack.networks.fail(on="posts", kind="slow", seconds=5)
        post = await story.post()
        sent = await stack.services.publishing.publish(post.user_id, post.id, post.version, None)
        assert await stack.gateway.posts.send_deliveries(sent)
        await story.in_state(RunState.publishing)
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0

        async def published() -> bool:
            return (await story.post()).status is PostStatus.published

        await eventually(published)
        assert (await story.run()).state is RunState.published
    assert await calls(stack) == 1


async def test_one_run_that_cannot_be_carried_on_does_not_hold_up_the_others(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    broken, whole = await asking(stack), await asking(stack)
    slot = soon(60)
    orders = {}
    for assistant in (broken, whole):
        name, orders[assistant.id] = order_for(assistant, slot)
        await stack.services.drafting.begin(assistant.user_id, assistant.id, run_id(name), name, slot)
    async with stack.services.sessions.begin() as session:
        bad = orders[broken.id].run_id
        await session.execute(update(Run).where(Run.id == bad).values(stored_setup={"nothing": "known"}))
    assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 1
    assert await stack.gateway.find_status(run_workflow(whole.id, slot)) is WorkflowExecutionStatus.RUNNING
    [logged] = [record for record in caplog.records if record.exc_info]
    assert str(bad) in logged.getMessage()


async def test_what_is_sent_out_before_its_cancelled_workflow_has_ended_goes_out(stack: Stack, record: Record) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        post = await story.post()
        planned = await stack.services.publishing.publish(post.user_id, post.id, post.version, soon(600))
        assert await stack.gateway.posts.send_deliveries(planned)
        cancelled = await stack.services.publishing.cancel(post.user_id, post.id, planned.version)
        sent = await stack.services.publishing.publish(post.user_id, post.id, cancelled.version, None)
        assert await stack.gateway.posts.send_cancel(cancelled)
        await stack.gateway.posts.send_deliveries(
            sent
        )  # refused where the other one is just ending, which sends it out

        async def published() -> bool:
            return (await story.post()).status is PostStatus.published

        await eventually(published)
    await record("post.sent-after-cancelled", post_workflow(post.id))


async def test_what_is_armed_can_neither_be_moved_nor_cancelled(stack: Stack) -> None:
    assistant = await asking(stack, AtDeadline.publish)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.automatic))
    story = Story(stack, assistant, soon(8))
    story.name, story.order = order_for(assistant, story.slot, arm_seconds=5)
    publishing = stack.services.publishing
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await story.begin()
        post = await story.in_state(RunState.publishing)
        with pytest.raises(Conflict) as moved:
            await publishing.move(post.user_id, post.id, post.version, soon(60))
        with pytest.raises(Conflict) as cancelled:
            await publishing.cancel(post.user_id, post.id, post.version)
        assert moved.value.code == cancelled.value.code == ErrorCode.post_going_out
        assert (await story.ended()).state == RunState.published
        post = await story.post()
        with pytest.raises(Conflict) as over:
            await publishing.cancel(post.user_id, post.id, post.version)
        assert over.value.code == ErrorCode.post_ended


async def test_a_move_into_the_past_or_of_an_older_version_is_refused(stack: Stack) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(60)) as story:
        post = await story.in_state(RunState.waiting)
        with pytest.raises(InvalidInput) as past:
            await stack.services.publishing.move(post.user_id, post.id, post.version, soon(-1))
        assert past.value.errors[0].code == ErrorCode.slot_past
        with pytest.raises(Conflict) as stale:
            await stack.services.publishing.move(post.user_id, post.id, post.version - 1, soon(60))
        assert stale.value.code == ErrorCode.stale_version


# without a run


async def test_by_hand_it_is_held_and_goes_out_once_its_account_is_connected_again(
    stack: Stack, record: Record
) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    post_id = new_id()
    await stack.services.composing.create(user.id, post_id, Composition("Held by hand.", (account.id,)))
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    await stack.networks.fail(on="posts", kind="revoked", times=1)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        changed = await stack.services.publishing.publish(user.id, post_id, post.version, None)
        assert await stack.gateway.posts.send_deliveries(changed)
        handle = stack.client.get_workflow_handle(post_workflow(post_id), result_type=PostResult)

        async def held() -> bool:
            return (await handle.describe()).typed_search_attributes.get(RUN_STATE) == RunState.held

        await eventually(held)
        told = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
        assert "held until" in told.current_details
        # nobody tells it but the worker's own round
        await stack.make.account(user, stack.networks.url)
        assert await asyncio.wait_for(handle.result(), PATIENCE) == PostResult("published")
        labels = (await handle.describe()).typed_search_attributes
    assert labels[RUN_STATE] == RunState.published
    assert len(await stack.networks.posts()) == 1
    await record("post.held-reconnected", post_workflow(post_id))


async def test_after_its_run_has_ended_it_is_held_and_goes_out_once_its_account_is_connected_again(
    stack: Stack,
) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        post = await story.post()
        await stack.networks.fail(on="posts", kind="revoked", times=1)
        sent = await stack.services.publishing.publish(post.user_id, post.id, post.version, None)
        assert await stack.gateway.posts.send_deliveries(sent)

        async def held() -> bool:
            [delivery] = (await story.post()).deliveries
            return delivery.state is DeliveryState.held

        await eventually(held)
        # nobody tells its workflow but the worker's own round
        async with stack.services.sessions() as session:
            owner = await session.get_one(User, assistant.user_id)
        await stack.make.account(owner, stack.networks.url)
        handle = stack.client.get_workflow_handle(post_workflow(post.id), result_type=PostResult)
        assert await asyncio.wait_for(handle.result(), PATIENCE) == PostResult("published")
        assert (await story.run()).state is RunState.published
    assert len(await stack.networks.posts()) == 1


async def test_a_sibling_that_is_being_called_is_seen_through_where_another_cannot_go_on(
    stack: Stack, record: Record
) -> None:
    user = await stack.make.user()
    accounts = [await stack.make.account(user, stack.networks.url, name) for name in ("mara-lind", "jonas-weber")]
    post_id = new_id()
    both = Composition("One is held, one is slow.", tuple(account.id for account in accounts))
    await stack.services.composing.create(user.id, post_id, both)
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)

    class ReadsOnce(PostProgress):
        @activity.defn
        async def outline(self, ref: PostRef) -> PostPlan:
            if await states() == {DeliveryState.pending}:
                return await super().outline(ref)
            raise ApplicationError("its rows cannot be read", non_retryable=True)

    async def states() -> set[DeliveryState]:
        async with stack.services.sessions() as session:
            return set(await session.scalars(select(Delivery.state).where(Delivery.post_id == post_id)))

    async def one_is_held_while_the_other_is_called() -> bool:
        return await states() == {DeliveryState.held, DeliveryState.publishing}

    services = stack.services
    steps = replace(Steps.of(services), post_progress=ReadsOnce(services.publishing, services.approvals))
    await stack.networks.fail(on="posts", kind="revoked", times=1)
    await stack.networks.fail(on="posts", kind="slow", seconds=6, times=1)
    async with run_worker(stack.client, services, all_groups=groups(steps), graceful=GRACEFUL):
        changed = await services.publishing.publish(user.id, post_id, post.version, None)
        assert await stack.gateway.posts.send_deliveries(changed)
        await eventually(one_is_held_while_the_other_is_called)
        handle = stack.client.get_workflow_handle(post_workflow(post_id), result_type=PostResult)
        await handle.signal(PostWorkflow.changed)
        await asyncio.wait_for(handle.result(), PATIENCE)
        assert await states() == {DeliveryState.failed, DeliveryState.published}
    await record("post.sibling-seen-through", post_workflow(post_id))


# trying again


async def test_only_the_channel_that_failed_is_tried_again(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    good = await stack.make.account(user, stack.networks.url)
    bad = await stack.make.account(user, stack.networks.url, "jonas-weber")
    assistant = await stack.make.assistant(user, accounts=(good.id, bad.id), image=False)
    await stack.networks.fail(on="posts", kind="status", status=422, times=1)
    async with begun(stack, assistant, soon(8)) as story:
        result = await story.ended()
        assert (result.state, result.reason) == (RunState.failed, ErrorCode.delivery_refused)
        name = run_workflow(assistant.id, story.slot)
        async with stack.services.sessions() as session:
            post = await PostRepository(session).find_by_run(user.id, run_id(name))
        assert post is not None
        assert sorted(one.state for one in post.deliveries) == [DeliveryState.failed, DeliveryState.published]
        before = await calls(stack)
        again = stack.client.get_workflow_handle(post_workflow(post.id), result_type=PostResult)
        await stack.networks.fail(on="posts", kind="status", status=422, times=1)
        for ended in (PostResult("failed", ErrorCode.delivery_refused), PostResult("published")):
            changed = await stack.services.publishing.retry(user.id, post.id)
            assert await stack.gateway.posts.send_deliveries(changed)
            assert await asyncio.wait_for(again.result(), PATIENCE) == ended
            told = await again.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
            assert f"**{ended.status}{': ' if ended.reason else ''}{ended.reason}**" in told.current_details
            assert ("what to do: its owner reads" in told.current_details) is bool(ended.reason)
            [failed] = [one.id for one in post.deliveries if one.state is DeliveryState.failed]
            line = f"linkedin ({failed}): {ended.status}{': ' if ended.reason else ''}{ended.reason}"
            assert line in told.current_details
            described = await again.describe()
            assert await described.static_summary() == f"post for linkedin, due {changed.planned_at:%Y-%m-%d %H:%M} UTC"
            labels = described.typed_search_attributes
            assert (labels[RUN_STATE], labels[CHANNELS]) == (ended.status, ["linkedin"])
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post.id)
        run = await session.scalar(select(Run).where(Run.id == run_id(name)))
        waiting = (await session.scalars(select(Approval).where(Approval.post_id == post.id))).all()
    assert post.status is PostStatus.published
    assert run is not None
    assert run.state is RunState.published
    assert waiting == []
    assert await calls(stack) == before + 2
    with pytest.raises(Conflict):
        await stack.services.publishing.retry(user.id, post.id)
    await record("post.tried-again", post_workflow(post.id))


class ReportsLate(Delivering):
    """Deliveries with the outcome `held_back` return only after `may_return`: their result is in the ledger before."""

    held_back: DeliveryOutcome
    may_return: asyncio.Event

    @classmethod
    def of(cls, services: Services, held_back: DeliveryOutcome) -> "ReportsLate":
        one = cls(services.delivering, services.staging)
        one.__dict__.update(held_back=held_back, may_return=asyncio.Event())
        return one

    @activity.defn
    async def deliver(self, step: Deliver) -> Delivered:
        delivered = await super().deliver(step)
        if delivered.outcome == self.held_back:
            await self.may_return.wait()
        return delivered


async def sent_by_hand(stack: Stack, *accounts: str) -> Post:
    """A post that is published now, which its workflow knows."""
    user = await stack.make.user()
    ids = [(await stack.make.account(user, stack.networks.url, name)).id for name in accounts]
    post_id = new_id()
    await stack.services.composing.create(user.id, post_id, Composition("By hand.", tuple(ids)))
    sent = await stack.services.publishing.publish(user.id, post_id, 1, None)
    assert await stack.gateway.posts.send_deliveries(sent)
    await stack.services.publishing.mark_synced(sent)
    return await read(stack, user.id, post_id)


async def read(stack: Stack, user_id: UUID, post_id: UUID) -> Post:
    async with stack.services.sessions() as session:
        return (await PostRepository(session).get(user_id, post_id))[0]


@pytest.mark.parametrize("lost", [True, False], ids=["lost", "late"])
async def test_a_retry_that_is_not_heard_before_a_later_one_is_made_all_the_same(
    stack: Stack, record: Record, lost: bool
) -> None:
    services, posts = stack.services, stack.gateway.posts
    reports_late = ReportsLate.of(services, DeliveryOutcome.published)
    steps = replace(Steps.of(services), delivering=reports_late)
    await stack.networks.fail(on="posts", kind="status", status=422, times=2)
    async with run_worker(stack.client, services, all_groups=groups(steps), graceful=GRACEFUL):
        post = await sent_by_hand(stack, "mara-lind", "jonas-weber", "nora-feld")
        handle = stack.client.get_workflow_handle(post_workflow(post.id), result_type=PostResult)

        async def only_one_is_under_way() -> bool:
            deliveries = (await read(stack, post.user_id, post.id)).deliveries
            pending = (await handle.describe()).raw_description.pending_activities
            return sum(one.state is DeliveryState.failed for one in deliveries) == 2 and len(pending) == 1

        await eventually(only_one_is_under_way)
        failed = [
            one.id for one in (await read(stack, post.user_id, post.id)).deliveries if one.state is DeliveryState.failed
        ]
        earlier = await services.publishing.retry(post.user_id, post.id, failed[:1])
        later = await services.publishing.retry(post.user_id, post.id, failed[1:])
        assert await posts.send_deliveries(later)
        await services.publishing.mark_synced(later)
        if not lost:
            assert not await posts.send_deliveries(earlier)
        assert (await read(stack, post.user_id, post.id)).told_version < earlier.version
        reports_late.may_return.set()
        assert await asyncio.wait_for(handle.result(), PATIENCE) == PostResult("published")
    deliveries = (await read(stack, post.user_id, post.id)).deliveries
    assert {one.state for one in deliveries} == {DeliveryState.published}
    assert len(await stack.networks.posts()) == 3
    if lost:
        await record("post.earlier-retry-lost", post_workflow(post.id))


async def test_what_is_tried_again_before_the_failed_attempt_has_reported_goes_out(
    stack: Stack, record: Record
) -> None:
    services = stack.services
    reports_late = ReportsLate.of(services, DeliveryOutcome.failed)
    steps = replace(Steps.of(services), delivering=reports_late)
    await stack.networks.fail(on="posts", kind="status", status=422, times=1)
    async with run_worker(stack.client, services, all_groups=groups(steps), graceful=GRACEFUL):
        post = await sent_by_hand(stack, "mara-lind")

        async def failed() -> bool:
            [delivery] = (await read(stack, post.user_id, post.id)).deliveries
            return delivery.state is DeliveryState.failed

        await eventually(failed)
        changed = await services.publishing.retry(post.user_id, post.id)
        assert await stack.gateway.posts.send_deliveries(changed)
        await services.publishing.mark_synced(changed)
        reports_late.may_return.set()
        handle = stack.client.get_workflow_handle(post_workflow(post.id), result_type=PostResult)
        assert await asyncio.wait_for(handle.result(), PATIENCE) == PostResult("published")
    assert len(await stack.networks.posts()) == 1
    await record("post.tried-again-before-it-had-failed", post_workflow(post.id))


@asynccontextmanager
async def one_failed_while_the_other_is_called(stack: Stack) -> AsyncIterator[tuple[User, Story]]:
    """Yield the user and the run of a post for two accounts, once the network has refused it for one of them."""
    user = await stack.make.user()
    accounts = [(await stack.make.account(user, stack.networks.url, name)).id for name in ("mara-lind", "jonas-weber")]
    assistant = await stack.make.assistant(user, accounts=tuple(accounts), image=False)
    await stack.networks.fail(on="posts", kind="status", status=422, times=1)
    await stack.networks.fail(on="posts", kind="slow", seconds=6, times=1)
    async with begun(stack, assistant, soon(8)) as story:

        async def one_has_failed_while_the_other_is_called() -> bool:
            async with stack.services.sessions() as session:
                post = await PostRepository(session).find_by_run(user.id, run_id(story.name))
            pending = (await stack.client.get_workflow_handle(story.name).describe()).raw_description.pending_activities
            states = {one.state for one in post.deliveries} if post else set()
            return states == {DeliveryState.failed, DeliveryState.publishing} and len(pending) == 1

        await eventually(one_has_failed_while_the_other_is_called)
        yield user, story


async def test_a_retry_that_the_reconcile_brings_while_a_sibling_is_called_is_made(
    stack: Stack, record: Record
) -> None:
    async with one_failed_while_the_other_is_called(stack) as (user, story):
        post = await story.post()
        await stack.services.publishing.retry(user.id, post.id)  # nobody is told
        await told_by_the_reconcile(stack, post.id)
        result = await story.ended()
        assert (result.state, result.reason) == (RunState.published, "")
    assert {one.state for one in (await story.post()).deliveries} == {DeliveryState.published}
    assert len(await stack.networks.posts()) == 2
    await record("run.retry-brought-by-the-reconcile", story.name)


async def test_a_retry_that_a_run_never_hears_of_stays_open_when_the_run_ends(
    stack: Stack, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def tells_nobody(*_: object) -> int:
        return 0

    monkeypatch.setattr(reconcile, "sync_posts", tells_nobody)
    async with one_failed_while_the_other_is_called(stack) as (user, story):
        post = await story.post()
        changed = await stack.services.publishing.retry(user.id, post.id)
        assert (await story.ended()).state == RunState.publishing
        post = await story.in_state(RunState.publishing)
        async with stack.services.sessions() as session:
            run = await session.get_one(Run, run_id(story.name))
        assert {one.state for one in post.deliveries} == {DeliveryState.pending, DeliveryState.published}
        assert post.status is PostStatus.complete
        assert run.finished_at is not None
        assert await stack.gateway.posts.send_deliveries(changed)

        await story.in_state(RunState.published)
        assert (await story.post()).status is PostStatus.published
    assert len(await stack.networks.posts()) == 2
    await record("run.retry-never-heard-of", story.name)


async def test_a_post_whose_workflow_is_gone_gets_it_back(stack: Stack) -> None:
    assistant = await asking(stack)
    async with begun(stack, assistant, soon(6)) as story:
        assert (await story.ended()).state == RunState.held
        post = await story.post()
        await stack.services.publishing.publish(post.user_id, post.id, post.version, soon(5))  # nobody is told
        async with stack.services.sessions.begin() as session:
            await session.execute(update(Post).where(Post.id == post.id).values(updated_at=soon(-90)))
        assert await reconcile.restart_lost_posts(stack.services, stack.gateway) == 1

        async def published() -> bool:
            return (await story.post()).status is PostStatus.published

        await eventually(published)
        assert await reconcile.restart_lost_posts(stack.services, stack.gateway) == 0
