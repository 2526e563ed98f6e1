"""One occurrence on the real parts: PostgreSQL, Temporal, the networks' stand-in."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, event, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import Usage
from core.ai.tables.transactions import CallOutcome, Transaction, TransactionType
from core.ai.writers.base import Written
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import ImageSource, Mode, RunState, StepKind
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.tables import Assistant
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.errors import Ambiguous, Conflict, ErrorCode, NotFound
from core.ids import new_id, run_id, run_workflow
from core.networks.connections import Credentials
from core.networks.linkedin import CHANNEL
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.rules import MailKind, NotificationKind
from core.notifications.tables.mails import Mail
from core.notifications.tables.notifications import Notification
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostStatus
from core.runs.repositories.run_lists import RunListRepository
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending, HashtagPolicy
from core.topics.repositories.topics import TopicRepository
from core.topics.tables import Topic
from temporal import reconcile
from temporal.gateway import Gateway, PendingRetry
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.http_server import Answer, Server
from tests.media.test_pictures import picture
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import (
    activities_of,
    automatic,
    calls,
    drafted,
    eventually,
    order_for,
    outcome,
    run_once,
    soon,
    with_model,
    written,
)
from workflows.names import DELIVERY, RUN_STATE, RUNS, owned_by
from workflows.run import RunWorkflow


async def test_a_run_writes_draws_and_posts_once_at_its_slot(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,))
    slot = soon()
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.published
    [posted] = await stack.networks.posts()
    # how late to the millisecond is what `make bench` measures
    assert 0 <= float(str(posted["arrived_at"])) - slot.timestamp() < 10
    run, post, delivery = await outcome(stack, assistant, slot)
    assert run.state is RunState.published
    assert post.status is PostStatus.published
    assert post.topic_title == "Rain without drama"
    assert len(post.files) == 1
    assert delivery.state is DeliveryState.published
    assert delivery.permalink
    async with stack.services.sessions() as session:
        [listed], _ = await RunListRepository(session).list_page(user.id, assistant.id, offset=0, limit=5)
    assert (listed.full.spent.cost_micros, listed.full.spent.known) == (0, True)
    await record("run.published-with-image", run.workflow_id)


@pytest.mark.parametrize("kind", [ChannelKind.linkedin, ChannelKind.mastodon])
async def test_a_text_takes_three_steps(stack: Stack, record: Record, kind: ChannelKind) -> None:
    """LinkedIn stages images alone, Mastodon's key can wait, and the last receipt ends the run."""
    assistant, slot = await automatic(stack, kind), soon(10)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    run, post, delivery = await outcome(stack, assistant, slot)
    assert result.state == RunState.published
    assert (run.state, run.reason, post.status) == (RunState.published, None, PostStatus.published)
    assert delivery.settled_at is not None
    assert run.finished_at is not None
    assert abs(run.finished_at - delivery.settled_at) < timedelta(seconds=1)
    events = (await stack.client.get_workflow_handle(run.workflow_id).fetch_history()).events
    assert [name for name, _ in activities_of(events)] == ["begin", "write_checked", "deliver"]
    assert len(events) < 40  # 32, and three more for each workflow task that the machine was too busy for
    await record("run.text-in-three-steps", run.workflow_id)


async def test_what_has_to_be_on_time_goes_before_what_is_written_ahead(stack: Stack) -> None:
    """By the server's own priorities, and of two users' texts neither waits for all of the other's."""
    assistant = await automatic(stack)
    await stack.networks.fail(on="posts", kind="status", status=422)  # else the receipt ends the run, and no step
    async with stack.services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(assistant.user_id, assistant.id)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        async with stack.services.sessions() as session:
            saved = await AssistantRepository(session).get(assistant.user_id, assistant.id)
        await eventually(lambda: stack.gateway.assistants.configure(saved.row, saved.status, ()))
        started = await stack.gateway.assistants.run_now(assistant.id, new_id())
        async with stack.services.sessions() as session:
            name = (await eventually_run(session, assistant, started)).workflow_id
        handle = stack.client.get_workflow_handle(name)
        await asyncio.wait_for(handle.result(), PATIENCE)
        events = (await handle.fetch_history()).events
    owner = owned_by(assistant.user_id, DELIVERY).fairness_key
    assert owner not in (None, str(assistant.user_id))  # no codec encrypts it
    begun = events[0].workflow_execution_started_event_attributes
    assert (begun.priority.priority_key, begun.priority.fairness_key) == (1, owner)
    steps = dict(activities_of(events))
    assert {name: priority.priority_key for name, priority in steps.items()} == {
        "begin": 3,
        "write_checked": 3,
        "deliver": 1,
        "finish": 4,
    }
    assert steps["write_checked"].fairness_key == owner


async def eventually_run(session: AsyncSession, assistant: Assistant, wanted: UUID) -> Run:
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(NotFound):
                return await RunRepository(session).get(assistant.user_id, wanted)
            await asyncio.sleep(0.1)


async def test_draft_only_keeps_the_post_and_calls_no_network(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    assistant = await stack.make.assistant(user, mode=Mode.draft)
    slot = soon()
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.drafted
    assert await calls(stack) == 0
    async with stack.services.sessions() as session:
        post = await PostRepository(session).find_by_run(user.id, run_id(run_workflow(assistant.id, slot)))
    assert post is not None
    assert (post.status, post.deliveries, len(post.files)) == (PostStatus.draft, [], 1)
    await record("run.draft-only", run_workflow(assistant.id, slot))


# the model


async def test_a_model_that_is_away_is_asked_until_it_is_back(stack: Stack, model: Server) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    model.answers("/v1/responses", Answer(drop=True))
    slot = soon(0)
    name = run_workflow(assistant.id, slot)
    gateway = Gateway(stack.client, stack.services.settings)
    seen: list[PendingRetry] = []

    async def tried_twice() -> bool:
        seen[:] = [retry for retry in await gateway.list_retries(name) if retry.attempt > 2]
        return bool(seen)

    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        running = asyncio.create_task(run_once(stack, assistant, slot))
        await eventually(tried_twice)
        [retry] = seen
        assert (retry.step, retry.code, retry.delivery_id) == ("text", ErrorCode.model_unavailable, None)
        assert retry.next_try_at is not None
        assert abs(retry.next_try_at - soon(0)) < timedelta(seconds=20)
        assert not running.done()
        model.answers("/v1/responses", written("The lights are on again."))
        assert (await running).state == RunState.published
        assert await gateway.list_retries(name) == []
    [posted] = await stack.networks.posts()
    assert "The lights are on again" in str(posted)
    async with stack.services.sessions() as session:
        steps = await RunRepository(session).list_steps(assistant.user_id, run_id(name))
    [text] = [step for step in steps if step.kind is StepKind.text]
    # for good: the workflow's history is gone after its retention
    assert [(one["attempt"], one["code"]) for one in text.failures] == [
        (attempt, ErrorCode.model_unavailable) for attempt in range(1, text.attempt)
    ]


async def test_a_model_that_refuses_ends_the_run_with_its_reason(stack: Stack, model: Server, record: Record) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    model.answers("/v1/responses", Answer(400, {"error": {"message": "no", "code": "content_policy_violation"}}))
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.model_refused)
    assert len(model.requests) == 1
    async with stack.services.sessions() as session:
        run = await RunRepository(session).get(assistant.user_id, run_id(run_workflow(assistant.id, slot)))
    assert (run.state, run.reason) == (RunState.failed, ErrorCode.model_refused)
    assert await calls(stack) == 0
    await record("run.failed-at-text", run_workflow(assistant.id, slot))


async def test_a_model_that_takes_money_for_nothing_is_not_asked_until_the_slot_is_over(
    stack: Stack, model: Server, record: Record
) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    slot = soon(0)
    name, order = order_for(assistant, slot)
    await stack.services.drafting.begin(order.user_id, order.assistant_id, order.run_id, name, slot)

    async def died() -> Written:
        raise KeyboardInterrupt

    cause = Cause(order.user_id, TransactionType.text, run_id=order.run_id)
    for _ in range(3):  # of a workflow that an operator has reset since
        with pytest.raises(KeyboardInterrupt):
            await stack.services.meter.call(cause, ModelRequest("openai", "test-model", Usage(10, 10)), died)
    empty = written(" ")
    model.answers("/v1/responses", empty, empty, empty, empty)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.text_attempts_used)
    assert len(model.requests) == 2
    async with stack.services.sessions() as session:
        [listed], _ = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=5)
        evidence = await RunListRepository(session).evidence(assistant.user_id, assistant.id, order.run_id, None)
    assert (listed.full.row.state, listed.full.row.reason) == (RunState.failed, ErrorCode.text_attempts_used)
    assert [call.outcome for call in evidence.calls] == [CallOutcome.lost] * 3 + [CallOutcome.failed] * 2
    [text] = [step for step in evidence.steps if step.kind is StepKind.text]
    # what was not attempted is no failed attempt
    assert [failure["code"] for failure in text.failures] == [ErrorCode.model_unavailable] * 2
    await record("run.paid-for-nothing", name)


async def test_a_run_beyond_the_months_budget_is_skipped_and_stops_nothing_else(
    stack: Stack, model: Server, record: Record
) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    async with stack.services.sessions.begin() as session:
        change = update(Assistant).where(Assistant.id == assistant.id)
        await session.execute(change.values(budget_unit=BudgetUnit.tokens, budget_amount=100))
    model.answers("/v1/responses", written("There is room again."))
    first, second = soon(-90), soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, first)
        assert (result.state, result.reason) == (RunState.skipped, ErrorCode.budget_spent)
        assert model.requests == []
        name = run_workflow(assistant.id, first)
        described = await stack.client.get_workflow_handle(name).describe()
        assert described.typed_search_attributes[RUN_STATE] == RunState.skipped
        async with stack.services.sessions.begin() as session:
            await session.execute(change.values(budget_amount=100_000))
        later = asyncio.create_task(run_once(stack, assistant, second))
        assert (await later).state == RunState.published
    async with stack.services.sessions() as session:
        _, counts = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=5)
    assert counts == {RunState.skipped: 1, RunState.published: 1}
    await record("run.skipped-by-budget", name)


async def test_a_run_of_an_assistant_that_became_incomplete_fails_and_its_user_is_notified(
    stack: Stack, record: Record
) -> None:
    assistant = await automatic(stack)
    root = update(Topic).where(Topic.tree_id == assistant.topic_tree_id, Topic.parent_id.is_(None))
    async with stack.services.sessions.begin() as session:
        await session.execute(root.values(enabled=False))
    slot = soon(2)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.assistant_incomplete)
    name = run_workflow(assistant.id, slot)
    async with stack.services.sessions() as session:
        run = await RunRepository(session).get(assistant.user_id, run_id(name))
        kinds = await session.scalars(select(Notification.kind).where(Notification.user_id == assistant.user_id))
        mails = await session.scalars(select(Mail.kind).where(Mail.user_id == assistant.user_id))
    assert (run.state, run.reason) == (RunState.failed, ErrorCode.assistant_incomplete)
    assert list(kinds) == [NotificationKind.run_failed]
    assert list(mails) == [MailKind.run_failed]
    await record("run.incomplete", name)


async def test_a_run_whose_assistant_is_deleted_before_it_begins_ends(stack: Stack) -> None:
    assistant = await automatic(stack)
    async with stack.services.sessions.begin() as session:
        await session.execute(delete(Assistant).where(Assistant.id == assistant.id))
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, soon(2))
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.not_found)


async def test_a_card_without_its_letters_keeps_the_text_as_a_draft_instead_of_showing_the_foot(
    stack: Stack, model: Server
) -> None:
    stack = with_model(stack, model.url)
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), topics="- 自転車で通勤")
    model.answers("/v1/responses", written("暗い朝でも安全に走るコツ。"))
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.drafted
    ref = run_id(run_workflow(assistant.id, slot))
    async with stack.services.sessions() as session:
        run = await RunRepository(session).get(user.id, ref)
        post = await PostRepository(session).find_by_run(user.id, ref)
    assert (run.state, run.reason) == (RunState.drafted, ErrorCode.card_letters_missing)
    assert post is not None
    assert (post.status, post.content) == (PostStatus.draft, "暗い朝でも安全に走るコツ。")
    assert await calls(stack) == 0


# what the network answers to the publishing call


@pytest.mark.parametrize(
    ("fault", "arrived", "there"),
    [
        ({"kind": "lost_answer"}, 1, True),
        # a server error may come after the effect as well as before it
        ({"kind": "status", "status": 500}, 0, False),
    ],
    ids=["answer lost", "server error"],
)
async def test_an_unknown_outcome_is_never_repeated_and_a_person_decides(
    stack: Stack,
    monkeypatch: pytest.MonkeyPatch,
    record: Record,
    fault: dict[str, object],
    arrived: int,
    there: bool,
) -> None:
    # the network is asked only when a call can no longer be under way
    monkeypatch.setattr(CHANNEL, "call_timeout", timedelta(seconds=2))
    assistant = await automatic(stack)
    await stack.networks.fail(on="posts", **fault)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.unknown
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason) == (RunState.unknown, ErrorCode.delivery_unknown)
    assert (post.status, delivery.state) == (PostStatus.complete, DeliveryState.unknown)
    assert await calls(stack) == 1
    assert len(await stack.networks.posts()) == arrived

    answering = stack.services.delivery_decisions
    await answering.decide(assistant.user_id, delivery.id, there=there)
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, post.status, delivery.state) == (
        (RunState.published, PostStatus.published, DeliveryState.published)
        if there
        else (RunState.failed, PostStatus.failed, DeliveryState.failed)
    )
    with pytest.raises(Conflict):
        await answering.decide(assistant.user_id, delivery.id, there=not there)
    assert await calls(stack) == 1
    if there:
        await record("run.unknown-after-lost-answer", run.workflow_id)


async def test_a_rate_limit_is_waited_for_and_then_posted_once(stack: Stack) -> None:
    assistant = await automatic(stack)
    await stack.networks.fail(on="posts", kind="rate_limited", seconds=1, times=2)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.published
    run, _, delivery = await outcome(stack, assistant, slot)
    assert (run.reason, delivery.state, delivery.attempts) == (None, DeliveryState.published, 3)
    assert delivery.error_code is None
    assert [(one["attempt"], one["code"]) for one in delivery.failures] == [
        (1, ErrorCode.rate_limited),
        (2, ErrorCode.rate_limited),
    ]
    assert (await calls(stack), len(await stack.networks.posts())) == (3, 1)


async def test_what_is_not_ready_yet_is_asked_for_by_a_timer_until_it_is(
    stack: Stack, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a network does it that fetches and checks pictures in its own time."""
    answers, asked = [timedelta(seconds=2), timedelta(seconds=1), None], list[tuple[str, ...]]()

    async def ready(_: object, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        asked.append(refs)
        return answers.pop(0) if answers else None

    monkeypatch.setattr(type(CHANNEL), "ready", ready)
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,))
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.published
    # three times by the timer, and once more before the call
    assert (len(asked), len(set(asked)), len(asked[0])) == (4, 1, 1)
    assert len(await stack.networks.posts()) == 1
    run, _, _ = await outcome(stack, assistant, slot)
    await record("run.asked-until-ready", run.workflow_id)


async def test_a_final_refusal_fails_the_run_with_its_reason(stack: Stack) -> None:
    assistant = await automatic(stack)
    await stack.networks.fail(on="posts", kind="status", status=422)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.failed
    run, post, delivery = await outcome(stack, assistant, slot)
    code = ErrorCode.delivery_refused
    assert (run.state, run.reason, post.status) == (RunState.failed, code, PostStatus.failed)
    assert (delivery.state, delivery.error_code) == (DeliveryState.failed, code)
    assert delivery.account.state is AccountState.connected
    assert (await calls(stack), await stack.networks.posts()) == (1, [])


async def held(stack: Stack, assistant: Assistant, slot: datetime) -> None:
    """Returns once it is."""

    async def so() -> bool:
        with suppress(NotFound, AssertionError, ValueError):
            _, _, delivery = await outcome(stack, assistant, slot)
            return delivery.state is DeliveryState.held
        return False

    await eventually(so)


async def test_a_lost_connection_holds_its_post_until_it_is_made_again(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    await stack.networks.fail(on="posts", kind="revoked", times=1)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        running = asyncio.create_task(run_once(stack, assistant, slot))
        await held(stack, assistant, slot)
        run, post, delivery = await outcome(stack, assistant, slot)
        assert (run.state, post.status) == (RunState.publishing, PostStatus.complete)
        assert delivery.account.state is AccountState.needs_reconnecting
        await reconcile.sync_posts(stack.services, stack.gateway)
        await held(stack, assistant, slot)
        assert not running.done()
        handle = stack.client.get_workflow_handle(run.workflow_id)

        async def labelled() -> bool:
            return (await handle.describe()).typed_search_attributes.get(RUN_STATE) == RunState.held

        await eventually(labelled)
        again = await stack.make.account(user, stack.networks.url)
        assert again.id == account.id
        # nobody tells it but the worker's own round
        assert (await running).state == RunState.published
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason, post.status) == (RunState.published, None, PostStatus.published)
    assert (delivery.state, delivery.error_code) == (DeliveryState.published, None)
    assert (await calls(stack), len(await stack.networks.posts())) == (2, 1)
    await record("run.held-reconnected-published", run.workflow_id)
    await record("run.held-labelled-published", run.workflow_id)


async def waits_for(stack: Stack, name: str, code: ErrorCode) -> None:
    """Returns once its text is tried again for that."""
    gateway = Gateway(stack.client, stack.services.settings)

    async def so() -> bool:
        return [(retry.step, retry.code) for retry in await gateway.list_retries(name)] == [("text", code)]

    await eventually(so)


async def test_what_is_mended_in_time_is_written_then_and_goes_out(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    async with stack.services.sessions.begin() as session:
        lost = update(Account).where(Account.id == account.id)
        await session.execute(lost.values(own_state=AccountState.needs_reconnecting))
    slot = soon(0)
    name = run_workflow(assistant.id, slot)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        running = asyncio.create_task(run_once(stack, assistant, slot))
        await waits_for(stack, name, ErrorCode.delivery_needs_reconnect)
        async with stack.services.sessions() as session:
            run = await RunRepository(session).get(user.id, run_id(name))
            assert await PostRepository(session).find_by_run(user.id, run.id) is None
        assert (run.state, await calls(stack)) == (RunState.preparing, 0)
        await stack.make.account(user, stack.networks.url)
        assert (await running).state == RunState.published
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason, post.status) == (RunState.published, None, PostStatus.published)
    assert (delivery.state, await calls(stack)) == (DeliveryState.published, 1)
    await record("run.waited-for-its-account", name)


async def test_what_nobody_mends_in_time_is_missed_for_that(
    stack: Stack, record: Record, model: Server, short_window: None
) -> None:
    """Its owner is told once, however many assistants wait."""
    stack = with_model(stack, model.url)
    user = await stack.make.user()
    waiting = [await stack.make.assistant(user, mode=Mode.draft, image=False) for _ in range(2)]
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.user_id == user.id).values(catch_up_minutes=0))
    model.answers("/v1/responses", Answer(401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}}))
    slot = soon(0)
    names = [run_workflow(assistant.id, slot) for assistant in waiting]
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        first = asyncio.create_task(run_once(stack, waiting[0], slot))
        await waits_for(stack, names[0], ErrorCode.model_misconfigured)
        results = [await run_once(stack, waiting[1], slot), await first]
    assert {(result.state, result.reason) for result in results} == {(RunState.missed, ErrorCode.model_misconfigured)}
    assert len(model.requests) == 1
    async with stack.services.sessions() as session:
        runs = [await RunRepository(session).get(user.id, run_id(name)) for name in names]
        mails = list(await session.scalars(select(Mail.kind).where(Mail.user_id == user.id)))
        paid = await session.scalar(select(func.count()).where(Transaction.user_id == user.id))
    assert {(run.state, run.reason) for run in runs} == {(RunState.missed, ErrorCode.model_misconfigured)}
    assert (mails, paid) == ([MailKind.run_failed], 0)
    await record("run.missed-for-what-nobody-mended", names[0])


async def test_a_limit_that_ends_too_late_fails_a_run_at_once(stack: Stack) -> None:
    """Not in a day, when it is asked again in vain."""
    assistant = await automatic(stack)
    await stack.networks.fail(on="posts", kind="rate_limited", seconds=25 * 3600)
    slot = soon(4)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await asyncio.wait_for(run_once(stack, assistant, slot), PATIENCE)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.limited_too_long)
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason) == (RunState.failed, ErrorCode.limited_too_long)
    assert (post.status, delivery.state) == (PostStatus.failed, DeliveryState.failed)
    assert (await calls(stack), await stack.networks.posts()) == (1, [])


async def test_held_past_its_deadline_a_run_fails_for_that(stack: Stack, record: Record, short_window: None) -> None:
    assistant = await automatic(stack)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(catch_up_minutes=0))
    await stack.networks.fail(on="posts", kind="revoked")
    slot = soon(4)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.reconnected_too_late)
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason) == (RunState.failed, ErrorCode.reconnected_too_late)
    assert (post.status, delivery.state) == (PostStatus.failed, DeliveryState.failed)
    assert (await calls(stack), await stack.networks.posts()) == (1, [])
    await record("run.held-past-its-deadline", run.workflow_id)


async def test_what_its_network_is_away_for_until_it_is_too_late_fails_for_that(
    stack: Stack, short_window: None
) -> None:
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,))
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(catch_up_minutes=0))
    await stack.networks.fail(on="upload", kind="status", status=503, times=50)
    slot = soon(2)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.failed, ErrorCode.unavailable_too_long)
    run, post, delivery = await outcome(stack, assistant, slot)
    assert (run.state, run.reason) == (RunState.failed, ErrorCode.unavailable_too_long)
    assert (post.status, delivery.state, delivery.called_at) == (PostStatus.failed, DeliveryState.failed, None)
    assert {one["code"] for one in delivery.failures} == {ErrorCode.provider_unavailable}
    assert (await calls(stack), await stack.networks.posts()) == (0, [])


# the ledger, without Temporal: what workers that die or overlap do to it


class Armed:
    """A wait that says when it has begun and ends on a word."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.begun.set()
        await self.over.wait()


async def at_once() -> None:
    return


async def test_an_attempt_that_died_while_armed_is_taken_over(stack: Stack) -> None:
    assistant = await automatic(stack)
    slot = soon(0)
    delivery_id = await drafted(stack, assistant, slot)
    delivering, armed = stack.services.delivering, Armed()
    dying = asyncio.create_task(delivering.deliver(assistant.user_id, delivery_id, wait=armed))
    await asyncio.wait_for(armed.begun.wait(), PATIENCE)
    dying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dying
    assert await calls(stack) == 0
    done = await delivering.deliver(assistant.user_id, delivery_id, wait=at_once)
    assert done is DeliveryOutcome.published
    # and once more: the receipt is found, nothing is called
    again = await delivering.deliver(assistant.user_id, delivery_id, wait=at_once)
    assert again is DeliveryOutcome.published
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)


async def test_two_attempts_at_once_publish_once(stack: Stack) -> None:
    assistant = await automatic(stack)
    slot = soon(0)
    delivery_id = await drafted(stack, assistant, slot)
    older, newer = Armed(), Armed()
    attempts = []
    for armed in (older, newer):
        attempts.append(
            asyncio.create_task(stack.services.delivering.deliver(assistant.user_id, delivery_id, wait=armed))
        )
        await asyncio.wait_for(armed.begun.wait(), PATIENCE)
    for armed in (older, newer):
        armed.over.set()
    lost, won = await asyncio.wait_for(asyncio.gather(*attempts, return_exceptions=True), PATIENCE)
    # the older one lost its claim when the newer one took over, and says nothing to the ledger
    assert isinstance(lost, Ambiguous)
    assert won is DeliveryOutcome.published
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)
    _, _, delivery = await outcome(stack, assistant, slot)
    assert delivery.state is DeliveryState.published


async def test_an_attempt_during_anothers_call_waits_for_its_outcome(stack: Stack) -> None:
    assistant = await automatic(stack)
    slot = soon(0)
    delivery_id = await drafted(stack, assistant, slot)
    await stack.networks.fail(on="posts", kind="slow", seconds=5)
    delivering = stack.services.delivering

    async def deliver() -> DeliveryOutcome:
        return await delivering.deliver(assistant.user_id, delivery_id, wait=at_once)

    async def calling() -> bool:
        return await calls(stack) == 1

    first = asyncio.create_task(deliver())
    await eventually(calling)
    with pytest.raises(Exception, match=ErrorCode.ambiguous_outcome):
        await deliver()
    assert await asyncio.wait_for(first, PATIENCE) is DeliveryOutcome.published
    assert await deliver() is DeliveryOutcome.published
    assert await calls(stack) == 1


# stopped by hand, and one channel beside another


@pytest.mark.parametrize("when", ["writing", "asleep", "armed", "calling"])
async def test_a_run_cancelled_by_hand_says_so_in_every_row(
    stack: Stack, model: Server, record: Record, when: str
) -> None:
    if when == "writing":
        stack = with_model(stack, model.url)
        model.answers("/v1/responses", written("Too late.", delay=3))
    if when == "calling":
        await stack.networks.fail(on="posts", kind="slow", seconds=4)
    assistant = await automatic(stack)
    slot = soon({"asleep": 90, "armed": 12}.get(when, 0))
    name, order = order_for(assistant, slot, arm_seconds=30 if when == "armed" else 1)

    async def there() -> bool:
        if when == "writing":
            return bool(model.requests)
        if when == "calling":
            return await calls(stack) == 1
        with suppress(NotFound, AssertionError, ValueError):
            run, _, delivery = await outcome(stack, assistant, slot)
            wanted = DeliveryState.pending if when == "asleep" else DeliveryState.publishing
            return run.state is not RunState.preparing and delivery.state is wanted
        return False

    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        handle = await stack.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)
        await eventually(there)
        await handle.cancel()
        result = await asyncio.wait_for(handle.result(), PATIENCE)
        async with stack.services.sessions() as session:
            run = await RunRepository(session).get(assistant.user_id, run_id(name))
            post = await PostRepository(session).find_by_run(assistant.user_id, run.id)
        assert (result.state, run.reason) == (run.state, ErrorCode.run_cancelled)
        if when == "calling":
            # what was on its way is waited for, and followed
            assert run.state is RunState.unknown

            async def followed() -> bool:
                later, found, delivery = await outcome(stack, assistant, slot)
                return (later.state, found.status, delivery.state) == (
                    RunState.published,
                    PostStatus.published,
                    DeliveryState.published,
                )

            await eventually(followed)
            assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)
            return
        assert run.state is RunState.skipped
        if when == "writing":
            assert post is None
        else:
            assert post is not None
            assert (post.status, [one.state for one in post.deliveries]) == (
                PostStatus.draft,
                [DeliveryState.cancelled],
            )
        await asyncio.sleep(max(0.0, (slot - soon(0)).total_seconds()) + 1 if when == "armed" else 0)
        assert await calls(stack) == 0
    await record(f"run.cancelled-while-{when}", name)


async def test_a_run_whose_workflow_somebody_ended_does_not_stay_open(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    assistant = await automatic(stack)
    slot = soon(90)
    name, order = order_for(assistant, slot)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        handle = await stack.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)

        async def ready() -> bool:
            with suppress(NotFound, AssertionError, ValueError):
                run, _, _ = await outcome(stack, assistant, slot)
                return run.state is RunState.ready
            return False

        await eventually(ready)
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0
        await handle.terminate("by an operator")
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 1
        run, post, delivery = await outcome(stack, assistant, slot)
        assert (run.state, run.reason) == (RunState.failed, ErrorCode.run_ended)
        assert (post.status, delivery.state) == (PostStatus.failed, DeliveryState.cancelled)
        assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0
    assert await calls(stack) == 0


async def test_one_channels_upload_holds_no_other_up(stack: Stack, record: Record) -> None:
    user = await stack.make.user()
    accounts = [await stack.make.account(user, stack.networks.url, person) for person in ("mara-lind", "jonas-weber")]
    assistant = await stack.make.assistant(user, accounts=tuple(account.id for account in accounts))
    await stack.networks.fail(on="upload", kind="slow", seconds=12)
    slot = soon(4)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.published
    first, second = sorted(float(str(posted["arrived_at"])) for posted in await stack.networks.posts())
    assert second - first > 3
    await record("run.each-channel-alone", run_workflow(assistant.id, slot))


# too late


async def test_past_the_catch_up_window_nothing_is_paid_or_posted(stack: Stack, model: Server, record: Record) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    slot = soon(-3700)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert (result.state, result.reason) == (RunState.missed, ErrorCode.missed_outage)
    name = run_workflow(assistant.id, slot)
    async with stack.services.sessions() as session:
        run = await RunRepository(session).get(assistant.user_id, run_id(name))
        assert await PostRepository(session).find_by_run(assistant.user_id, run.id) is None
    assert (run.state, run.reason) == (RunState.missed, ErrorCode.missed_outage)
    assert (await calls(stack), model.requests) == (0, [])
    await record("run.too-late-to-write", name)


async def test_of_runs_that_waited_for_the_model_only_the_newest_is_paid_and_goes_out(
    stack: Stack, model: Server
) -> None:
    stack = with_model(stack, model.url)
    assistant = await automatic(stack)
    model.answers("/v1/responses", Answer(503))
    slots = [soon(-60 * minutes) for minutes in (30, 20, 10)]
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        running = [asyncio.create_task(run_once(stack, assistant, slot)) for slot in slots]

        async def all_asked() -> bool:
            async with stack.services.sessions() as session:
                found, _ = await RunListRepository(session).list_page(
                    assistant.user_id, assistant.id, offset=0, limit=5
                )
            return len(found) == len(slots)

        await eventually(all_asked)
        model.answers("/v1/responses", written("The lights are on again."))
        results = await asyncio.gather(*running)
    assert [(result.state, result.reason) for result in results] == [
        (RunState.missed, ErrorCode.missed_overtaken),
        (RunState.missed, ErrorCode.missed_overtaken),
        (RunState.published, ""),
    ]
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)
    async with stack.services.sessions() as session:
        listed, _ = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=5)
    assert sum(one.full.post_id is not None for one in listed) == 1  # one text was written and paid


async def test_the_same_slot_never_runs_twice(stack: Stack) -> None:
    assistant = await automatic(stack)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        first = await run_once(stack, assistant, slot)
        name, order = order_for(assistant, slot)
        # even where the workflow's id is forgotten by now, the rows know the run
        again = await asyncio.wait_for(
            stack.client.execute_workflow(RunWorkflow.run, order, id=f"{name}-again", task_queue=RUNS), 60
        )
    assert (first.state, again.state) == (RunState.published, RunState.published)
    assert (await calls(stack), len(await stack.networks.posts())) == (1, 1)


async def test_runs_that_begin_at_once_with_one_topic_wait_for_each_other(stack: Stack) -> None:
    """Each locks what the others refer to: in the wrong order that was a deadlock."""
    user = await stack.make.user()
    assistant = await stack.make.assistant(user, mode=Mode.draft, topics="- Cargo bikes", image=False)
    slots = [soon(60 * number) for number in range(1, 21)]

    async def begin(slot: datetime) -> None:
        name = run_workflow(assistant.id, slot)
        await stack.services.drafting.begin(user.id, assistant.id, run_id(name), name, slot)

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(begin, slots))
    async with stack.services.sessions() as session:
        [topic] = await TopicRepository(session).nodes(user.id, assistant.topic_tree_id or new_id())
    assert topic.times_used == len(slots)


async def test_several_accounts_of_one_network_each_get_the_post(stack: Stack) -> None:
    """With an image of the assistant's own, and its link and hashtags below the text."""
    user = await stack.make.user()
    accounts = [await stack.make.account(user, stack.networks.url, person) for person in ("mara-lind", "jonas-weber")]
    image = await stack.services.media.store(user.id, picture("#334455"), name="Shop", alt="Our shop")
    assistant = await stack.make.assistant(
        user,
        accounts=tuple(account.id for account in accounts),
        image=False,
        image_source=ImageSource.own,
        image_media_ids=(image.id,),
        ending=Ending(HashtagPolicy.none, always=("#Lindhof",), link="https://example.org/shop"),
    )
    slot = soon(4)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        result = await run_once(stack, assistant, slot)
    assert result.state == RunState.published
    posted = await stack.networks.posts()
    assert len({str(one["author"]) for one in posted}) == len(posted) == 2
    assert all(str(one["commentary"]).endswith("https://example.org/shop\n\n#Lindhof") for one in posted)
    async with stack.services.sessions() as session:
        post = await PostRepository(session).find_by_run(user.id, run_id(run_workflow(assistant.id, slot)))
    assert post is not None
    assert {delivery.account_id for delivery in post.deliveries} == {account.id for account in accounts}
    assert {delivery.state for delivery in post.deliveries} == {DeliveryState.published}
    assert len({delivery.permalink for delivery in post.deliveries}) == 2
    assert [(file.media_id, file.alt) for file in post.files] == [(image.id, "Our shop")]


async def test_at_its_moment_a_delivery_costs_two_transactions_and_the_one_call(stack: Stack) -> None:
    assistant = await automatic(stack)
    delivery_id = await drafted(stack, assistant, soon(0))
    begun: list[str] = []
    calls_before = len((await stack.networks.client.get("/sandbox/requests")).json())

    async def its_moment() -> None:
        event.listen(stack.services.engine.sync_engine, "begin", lambda connection: begun.append("begin"))

    outcome = await stack.services.delivering.deliver(assistant.user_id, delivery_id, wait=its_moment)
    assert outcome is DeliveryOutcome.published
    assert len(begun) == 2
    asked = (await stack.networks.client.get("/sandbox/requests")).json()[calls_before:]
    assert [(one["method"], one["path"]) for one in asked] == [("POST", "/rest/posts")]
