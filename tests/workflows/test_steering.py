"""An assistant steered while it sleeps: paused and resumed, by hand and by itself, run now, the next slot skipped."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update
from temporalio.api.enums.v1 import EventType
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import WorkflowExecutionStatus

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import FullAssistant
from core.assistants.rules.assistants import OPEN_RUNS, AssistantPhase, Mode, RunState
from core.assistants.rules.planning import ScheduleVersion
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.errors import Conflict, ErrorCode, Unavailable
from core.ids import new_id, run_id, run_now_workflow, run_workflow
from core.networks.rules.channels import AccountState
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostStatus
from core.runs.repositories.run_lists import FullRun
from core.runs.repositories.runs import RunRepository
from core.social_accounts.tables import Account
from temporal import reconcile
from temporal.client import data_converter
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import automatic, calls, eventually, outcome
from tests.workflows.test_assistant import (
    LATER,
    OneSoon,
    asleep,
    daily,
    edit,
    events,
    full,
    handle_of,
    runs,
    shown,
    switch,
    tell,
    workers,
)
from workflows.assistant import AssistantWorkflow
from workflows.messages import AssistantState, RunResult, Setup
from workflows.names import ASSISTANTS, CHANNELS, PHASE, assistant_workflow

EVERY_MINUTE = Schedule(Frequency.cron, "UTC", cron="* * * * *")


async def pause(stack: Stack, assistant: Assistant, until: datetime | None = None) -> FullAssistant:
    async with stack.services.sessions.begin() as session:
        await AssistantConfigurationService(session).pause(assistant.user_id, assistant.id, until)
    return await full(stack, assistant)


async def resume(stack: Stack, assistant: Assistant) -> FullAssistant:
    async with stack.services.sessions.begin() as session:
        await AssistantConfigurationService(session).resume(assistant.user_id, assistant.id)
    return await full(stack, assistant)


async def details(stack: Stack, assistant: Assistant) -> str:
    told = await handle_of(stack, assistant).query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    return str(told.current_details)


async def labelled(stack: Stack, assistant: Assistant, phase: AssistantPhase) -> None:
    """Lists of workflows can be filtered by it."""

    async def so() -> bool:
        query = f"AssistantPhase = '{phase}' AND WorkflowId = '{assistant_workflow(assistant.id)}'"
        return [found async for found in stack.client.list_workflows(query)] != []

    await eventually(so)


async def test_a_pause_without_an_end_outlives_a_roll_and_an_edit(stack: Stack, record: Record) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        handle = handle_of(stack, assistant)
        assert (await handle.describe()).typed_search_attributes[PHASE] == AssistantPhase.asleep
        before = (await handle.describe()).run_id

        saved = await pause(stack, assistant)
        await tell(stack, saved)
        paused = await shown(stack, assistant, AssistantPhase.paused, saved.row.version, 3)
        assert (paused.next_slot, paused.reason) == (None, None)
        assert len(await events(handle, EventType.EVENT_TYPE_TIMER_STARTED)) == 1  # of before
        said = await details(stack, assistant)
        assert "**Commuter tips: paused**" in said
        assert "paused until somebody resumes it" in said
        assert "why: somebody paused it" in said
        assert "what to do: nothing: its owner resumes it" in said
        assert f"in the app: http://postloom.test/assistants/{assistant.id}" in said
        await labelled(stack, assistant, AssistantPhase.paused)

        await handle.signal(AssistantWorkflow.roll)

        async def rolled() -> bool:
            status = (await full(stack, assistant)).status
            return (await handle.describe()).run_id != before and bool(status and status.revision > paused.revision)

        await eventually(rolled)
        after = (await handle.describe()).run_id
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        saved = await edit(stack, assistant, daily(LATER / 2), account_ids=(), mode=Mode.draft)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        assert (await handle.describe()).typed_search_attributes.get(CHANNELS) in (None, [])
        assert await events(handle, EventType.EVENT_TYPE_TIMER_STARTED) == []

        saved = await resume(stack, assistant)
        await tell(stack, saved)
        resumed = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version, 3)
        assert resumed.next_slot is not None
        assert first.next_slot is not None
        assert abs(resumed.next_slot - (first.next_slot - LATER / 2)) < timedelta(minutes=2)
        assert (await handle.describe()).status is WorkflowExecutionStatus.RUNNING
        await labelled(stack, assistant, AssistantPhase.asleep)
    assert await runs(stack, assistant) == []
    await record("assistant.paused-and-rolled", handle.id, before)
    await record("assistant.edited-while-paused", handle.id, after)


async def test_a_pause_with_an_end_ends_by_itself(stack: Stack, record: Record) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        handle = handle_of(stack, assistant)
        until = datetime.now(UTC) + timedelta(seconds=6)
        saved = await pause(stack, assistant, until)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version, 3)
        assert f"paused until {until:%Y-%m-%d %H:%M} UTC" in await details(stack, assistant)
        timers = await events(handle, EventType.EVENT_TYPE_TIMER_STARTED)
        named = data_converter().payload_converter.from_payload(timers[-1].user_metadata.summary, str)
        assert named == f"paused until {until:%Y-%m-%d %H:%M} UTC"
        # nobody resumes it, and nothing is saved
        resumed = await shown(stack, assistant, AssistantPhase.asleep, saved.row.version, 15)
        assert resumed.as_of >= until
        assert resumed.cursor == until
        assert resumed.next_slot == first.next_slot
    assert await runs(stack, assistant) == []
    await record("assistant.paused-until", handle.id)


async def test_of_a_pause_that_nobody_heard_of_nothing_runs_and_nothing_is_missed(stack: Stack, record: Record) -> None:
    assistant = await automatic(stack)
    saved = await switch(stack, assistant, on=True)
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    minutes = ",".join(str((now - timedelta(minutes=ago)).minute) for ago in (10, 20, 30, 40, 50))
    schedule = Schedule(Frequency.cron, "UTC", cron=f"{minutes} * * * *")
    version = saved.row.version
    setup = Setup(version, schedule, lead_seconds=0, since=now - timedelta(days=1), catch_up_seconds=60)
    state = AssistantState(assistant.user_id, assistant.id, setup, cursor=now - timedelta(minutes=55))
    handle = await stack.client.start_workflow(
        AssistantWorkflow.run, state, id=assistant_workflow(assistant.id), task_queue=ASSISTANTS
    )
    # paused and over again while no worker was there
    until = now - timedelta(minutes=25)
    former = (ScheduleVersion(version + 1, now - timedelta(minutes=45), schedule, active=False),)
    paused = Setup(
        version + 1,
        schedule,
        lead_seconds=0,
        since=until,
        former=former,
        paused=True,
        paused_until=until,
        catch_up_seconds=60,
    )
    await handle.signal(AssistantWorkflow.configured, paused)
    async with workers(stack):
        await shown(stack, assistant, AssistantPhase.asleep, version + 1)

        async def written() -> bool:
            return len(await runs(stack, assistant)) == 3

        await eventually(written)
    rows = await runs(stack, assistant)
    assert [(now - found.row.slot, found.row.state) for found in rows] == [
        (timedelta(minutes=10), RunState.missed),  # since its end
        (timedelta(minutes=20), RunState.missed),
        (timedelta(minutes=50), RunState.missed),  # until its begin
    ]
    await record("assistant.paused-while-away", handle.id)


async def test_what_a_pause_prepared_goes_out_and_nothing_else_begins(stack: Stack) -> None:
    given: dict[str, datetime] = {}
    async with workers(stack, OneSoon(12, given)):
        assistant, _ = await asleep(stack, daily(LATER))
        saved = await pause(stack, assistant)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version, 3)
        run = stack.client.get_workflow_handle(run_workflow(assistant.id, given["slot"]), result_type=RunResult)
        assert (await asyncio.wait_for(run.result(), PATIENCE)).state == RunState.published
    assert len(await runs(stack, assistant)) == 1


async def of_hand(stack: Stack, assistant: Assistant) -> FullRun:
    [found] = [found for found in await runs(stack, assistant) if found.row.by_hand]
    return found


async def test_run_now_is_one_run_for_each_request_even_in_a_pause(stack: Stack, record: Record) -> None:
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        handle, request = handle_of(stack, assistant), uuid4()
        asked = datetime.now(UTC)
        wanted = run_id(run_now_workflow(assistant.id, request))
        same = await asyncio.gather(*(stack.gateway.assistants.run_now(assistant.id, request) for _ in range(3)))
        assert set(same) == {wanted}
        run = stack.client.get_workflow_handle(run_now_workflow(assistant.id, request), result_type=RunResult)
        assert (await asyncio.wait_for(run.result(), PATIENCE)).state == RunState.published
        row = (await of_hand(stack, assistant)).row
        assert (row.id, row.state) == (wanted, RunState.published)
        assert abs(row.slot - asked) < timedelta(seconds=3)

        async def told() -> bool:
            said = await details(stack, assistant)
            return f"{RunState.published} ({run.id})" in said and "UTC, asked for by hand" in said

        await eventually(told)

        saved = await pause(stack, assistant)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        again = uuid4()
        second, third = await asyncio.gather(
            stack.gateway.assistants.run_now(assistant.id, again),
            stack.gateway.assistants.run_now(assistant.id, uuid4()),
        )
        assert second != third  # asked for in one moment, and two all the same

        async def over() -> bool:
            return [found.row.state not in OPEN_RUNS for found in await runs(stack, assistant)] == [True] * 3

        await eventually(over)
        ended = [found.row for found in await runs(stack, assistant)]
        # two texts of one moment may be the same by chance, which the network takes once
        assert {row.reason for row in ended if row.state is not RunState.published} <= {ErrorCode.delivery_duplicate}
        assert len({row.slot for row in ended}) == 3
        await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        await record("assistant.run-now", handle.id)
        await record("run.asked-for", run.id)

        await tell(stack, await switch(stack, assistant, on=False))
        await asyncio.wait_for(handle.result(), PATIENCE)
        with pytest.raises(Unavailable):  # there is no workflow any more; the API refuses it before
            await stack.gateway.assistants.run_now(assistant.id, uuid4())
    assert await calls(stack) == 3


async def test_what_is_asked_for_and_asks_first_goes_out_once_it_is_approved(stack: Stack) -> None:
    async with workers(stack):
        assistant, _ = await asleep(stack, daily(LATER))
        saved = await edit(stack, assistant, daily(LATER), mode=Mode.approval)
        await tell(stack, saved)
        request = uuid4()
        await stack.gateway.assistants.run_now(assistant.id, request)
        posts: list[UUID] = []

        async def waiting() -> bool:
            posts[:] = [
                found.post_id
                for found in await runs(stack, assistant)
                if found.row.state is RunState.waiting and found.post_id
            ]
            return bool(posts)

        await eventually(waiting)
        async with stack.services.sessions() as session:
            post, *_ = await PostRepository(session).get(assistant.user_id, posts[0])
        assert post.approval is not None
        assert post.approval.deadline_at - datetime.now(UTC) > timedelta(hours=23)
        changed = await stack.services.approvals.decide(
            assistant.user_id, post.id, approved=True, content_hash=post.content_hash, remark=""
        )
        assert await stack.gateway.posts.send_decision(changed, post.content_hash)
        await stack.services.publishing.mark_synced(changed)
        run = stack.client.get_workflow_handle(run_now_workflow(assistant.id, request), result_type=RunResult)
        assert (await asyncio.wait_for(run.result(), PATIENCE)).state == RunState.published
    assert await calls(stack) == 1


async def test_the_next_slot_is_skipped_and_taken_back(stack: Stack, record: Record) -> None:
    async with workers(stack):
        now = datetime.now(UTC)
        assistant, first = await asleep(stack, daily(LATER, LATER * 2, since=now))
        handle = handle_of(stack, assistant)
        slot, start = first.next_slot, first.next_start
        assert slot is not None
        second = slot + LATER

        with pytest.raises(Conflict) as refused:
            await stack.gateway.assistants.skip(assistant.id, second)
        assert (refused.value.code, refused.value.params) == (ErrorCode.skip_not_next, {"slot": slot.isoformat()})
        assert await runs(stack, assistant) == []

        assert await stack.gateway.assistants.skip(assistant.id, slot) == start
        assert await stack.gateway.assistants.skip(assistant.id, slot) == start  # asked again, it is the same

        async def planned(next_slot: datetime) -> bool:
            status = (await full(stack, assistant)).status
            return status is not None and status.next_slot == next_slot

        await eventually(lambda: planned(second), 3)
        [row] = await runs(stack, assistant)
        assert (row.row.slot, row.row.state, row.row.reason) == (slot, RunState.skipped, ErrorCode.skipped_by_hand)

        # what is skipped stays so, whatever is saved and whatever rolls
        saved = await edit(stack, assistant, daily(LATER, LATER * 2, LATER * 3, since=now))
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        assert await planned(second)
        await handle.signal(AssistantWorkflow.roll)
        assert await stack.gateway.assistants.skip(assistant.id, second) is not None
        await eventually(lambda: planned(second + LATER), 5)
        before = (await handle.describe()).run_id

        await stack.gateway.assistants.unskip(assistant.id, slot)
        await stack.gateway.assistants.unskip(assistant.id, slot)
        await eventually(lambda: planned(slot), 3)
        assert [found.row.slot for found in await runs(stack, assistant)] == [second]
        await record("assistant.skipped-next", handle.id, before)


async def test_a_prepared_run_that_is_skipped_ends_with_that_reason(stack: Stack, record: Record) -> None:
    given: dict[str, datetime] = {}
    async with workers(stack, OneSoon(40, given)):
        assistant, _ = await asleep(stack, daily(LATER))
        name = run_workflow(assistant.id, given["slot"])

        async def waiting() -> bool:
            return any(found.row.state is RunState.ready for found in await runs(stack, assistant))

        await eventually(waiting)
        assert await stack.gateway.assistants.skip(assistant.id, given["slot"]) is None
        await stack.gateway.cancel_runs([name])
        run = stack.client.get_workflow_handle(name, result_type=RunResult)
        result = await asyncio.wait_for(run.result(), PATIENCE)
        assert result.state == RunState.skipped
        row, post, delivery = await outcome(stack, assistant, given["slot"])
        assert (row.state, row.reason) == (RunState.skipped, ErrorCode.skipped_by_hand)
        assert (post.status, delivery.state) == (PostStatus.draft, DeliveryState.cancelled)
        with pytest.raises(Conflict) as refused:  # it cannot be had back
            await stack.gateway.assistants.unskip(assistant.id, given["slot"])
        assert refused.value.code is ErrorCode.undo_expired
        await record("assistant.skipped-prepared", handle_of(stack, assistant).id)
    assert await calls(stack) == 0


async def test_what_is_armed_cannot_be_skipped(stack: Stack) -> None:
    given: dict[str, datetime] = {}
    settings = stack.services.settings.model_copy(update={"arm_seconds": 20})
    stack.gateway._settings = settings
    async with workers(stack, OneSoon(14, given)):
        assistant, _ = await asleep(stack, daily(LATER))

        async def armed() -> bool:
            found = await runs(stack, assistant)
            if not found or found[0].post_id is None:
                return False
            async with stack.services.sessions() as session:
                post, _ = await PostRepository(session).get(assistant.user_id, found[0].post_id)
            return [delivery.state for delivery in post.deliveries] == [DeliveryState.publishing]

        await eventually(armed)
        with pytest.raises(Conflict) as refused:
            await stack.gateway.assistants.skip(assistant.id, given["slot"])
        assert refused.value.code is ErrorCode.run_armed
        run = stack.client.get_workflow_handle(run_workflow(assistant.id, given["slot"]), result_type=RunResult)
        assert (await asyncio.wait_for(run.result(), PATIENCE)).state == RunState.published


async def failed(stack: Stack, assistant: Assistant, code: ErrorCode) -> UUID:
    """A run that ends so."""
    run, services = new_id(), stack.services
    await services.drafting.begin(
        assistant.user_id, assistant.id, run, f"run-{run}", datetime.now(UTC) - timedelta(minutes=1), by_hand=True
    )
    await services.projecting.fail(assistant.user_id, run, code)
    return run


async def mails(stack: Stack, assistant: Assistant) -> list[Mail]:
    async with stack.services.sessions() as session:
        found = await session.scalars(select(Mail).where(Mail.user_id == assistant.user_id))
        return [mail for mail in found if mail.kind is MailKind.assistant_paused_itself]


async def test_after_three_failures_for_the_same_lasting_reason_it_pauses_itself(stack: Stack, record: Record) -> None:
    lasting = ErrorCode.delivery_needs_reconnect
    async with workers(stack):
        assistant, _ = await asleep(stack, daily(LATER))
        version = (await full(stack, assistant)).row.version
        for code in (lasting, ErrorCode.model_unavailable, lasting, lasting):
            await failed(stack, assistant, code)
        assert (await full(stack, assistant)).row.version == version
        assert await mails(stack, assistant) == []

        third = await failed(stack, assistant, lasting)
        await stack.services.projecting.fail(assistant.user_id, third, lasting)  # its step is repeated
        saved = await full(stack, assistant)
        assert saved.row.version == version + 1
        assert (saved.row.paused_until, saved.row.pause_reason) == (None, lasting)
        [mail] = await mails(stack, assistant)
        assert mail.params == {"assistant_id": str(assistant.id), "assistant": "Commuter tips", "reason": lasting}
        assert await reconcile.sync_assistants(stack.services, stack.gateway) == 1
        status = await shown(stack, assistant, AssistantPhase.paused, saved.row.version)
        assert status.reason == lasting
        said = await details(stack, assistant)
        assert f"why: it paused itself, {lasting}" in said
        assert saved.row.paused_at is not None
        assert f"since: {saved.row.paused_at:%Y-%m-%d %H:%M:%S} UTC" in said
        assert "; then its owner resumes the assistant" in said

        # resumed, it may fail as often again before it does so once more
        saved = await resume(stack, assistant)
        await tell(stack, saved)
        await shown(stack, assistant, AssistantPhase.asleep, saved.row.version)
        for _ in range(2):
            await failed(stack, assistant, lasting)
        assert (await full(stack, assistant)).row.version == saved.row.version
        await failed(stack, assistant, lasting)
        assert (await full(stack, assistant)).row.pause_reason == lasting
        assert len(await mails(stack, assistant)) == 2
        await record("assistant.paused-itself", handle_of(stack, assistant).id)


async def test_real_runs_that_keep_waiting_in_vain_pause_their_assistant_through_the_reconcile(
    stack: Stack, short_window: None
) -> None:
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assistant, _ = await asleep(stack, daily(LATER))
        async with stack.services.sessions.begin() as session:
            lost = update(Account).where(Account.user_id == assistant.user_id)
            await session.execute(lost.values(own_state=AccountState.needs_reconnecting))
            await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(catch_up_minutes=0))
        requests = [uuid4() for _ in range(3)]
        for request in requests:
            await stack.gateway.assistants.run_now(assistant.id, request)
        for request in requests:
            run = stack.client.get_workflow_handle(run_now_workflow(assistant.id, request), result_type=RunResult)
            result = await asyncio.wait_for(run.result(), PATIENCE)
            assert (result.state, result.reason) == (RunState.missed, ErrorCode.delivery_needs_reconnect)
        version = (await full(stack, assistant)).row.version
        status = await shown(stack, assistant, AssistantPhase.paused, version, 20)
        assert status.reason == ErrorCode.delivery_needs_reconnect
    assert len(await mails(stack, assistant)) == 1
    assert await calls(stack) == 0


async def test_a_slot_of_a_workflow_that_was_lost_stays_skipped(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its row says so, also to a run that was begun all the same."""
    async with workers(stack):
        assistant, first = await asleep(stack, daily(LATER))
        assert first.next_slot is not None
        await stack.gateway.assistants.skip(assistant.id, first.next_slot)
        name = run_workflow(assistant.id, first.next_slot)
        with pytest.raises(Conflict):
            await stack.services.drafting.begin(assistant.user_id, assistant.id, run_id(name), name, first.next_slot)
        state = await stack.services.projecting.fail(assistant.user_id, run_id(name), ErrorCode.run_cancelled)
        async with stack.services.sessions() as session:
            row = await RunRepository(session).get(assistant.user_id, run_id(name))
        assert (state, row.reason) == (RunState.skipped, ErrorCode.skipped_by_hand)
