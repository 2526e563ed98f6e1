"""The projection: newest revision wins, whatever the order of arrival."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import AssistantPhase, Mode, RunState
from core.assistants.tables import AssistantStatus
from core.database import Sessions
from core.errors import ErrorCode
from core.runs.repositories.run_lists import RunListRepository
from core.runs.repositories.runs import RunRepository
from core.users.tables.users import User
from tests.factories import Factory

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)


async def project(sessions: Sessions, user_id: UUID, assistant_id: UUID, revision: int, phase: AssistantPhase) -> None:
    async with sessions.begin() as session:
        await AssistantRepository(session).project(
            user_id,
            assistant_id,
            phase=phase,
            revision=revision,
            applied_version=revision,
            cursor=NOW,
            next_slot=NOW,
            next_start=NOW,
            rules="tzdata",
            reason=None,
            retry_at=None,
            now=NOW,
        )


async def status(sessions: Sessions, user_id: UUID, assistant_id: UUID) -> AssistantStatus:
    async with sessions() as session:
        found = (await AssistantRepository(session).get(user_id, assistant_id)).status
    assert found is not None
    return found


async def test_an_older_revision_that_arrives_later_changes_nothing(
    sessions: Sessions, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user)
    for revision, phase in [(3, AssistantPhase.asleep), (2, AssistantPhase.finished), (3, AssistantPhase.finished)]:
        await project(sessions, user.id, assistant.id, revision, phase)
    found = await status(sessions, user.id, assistant.id)
    assert (found.revision, found.phase) == (3, AssistantPhase.asleep)


async def test_the_reconcile_finds_what_is_behind(sessions: Sessions, make: Factory, user: User) -> None:
    assistant = await make.assistant(user, mode=Mode.draft)

    async def behind() -> list[UUID]:
        async with sessions() as session:
            return [full.row.id for full in await AssistantRepository(session).list_unsynced(NOW)]

    assert await behind() == []  # never was active
    async with sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    assert await behind() == [assistant.id]
    await project(sessions, user.id, assistant.id, 2, AssistantPhase.asleep)
    assert await behind() == []
    async with sessions.begin() as session:
        await AssistantConfigurationService(session).deactivate(user.id, assistant.id)
    assert await behind() == [assistant.id]
    async with sessions.begin() as session:
        await AssistantRepository(session).mark_applied(assistant.id, 3)
    assert await behind() == []


async def test_a_workflow_that_does_not_take_over_is_told_ever_more_seldom(
    sessions: Sessions, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft)
    async with sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    moments, now = [], NOW
    while now < NOW + timedelta(hours=12):
        async with sessions.begin() as session:
            repository = AssistantRepository(session)
            if await repository.list_unsynced(now):
                moments.append(now)
                await repository.mark_synced(user.id, assistant.id, 2, now)
        # every 15 s, as rounds are, and more seldom where nothing is to happen for long
        now += max(timedelta(seconds=15), (now - moments[-1]) / 10 if moments else timedelta(0))
    pauses = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    assert pauses[:3] == [45, 75, 135]  # twice as long each time, seen every 15 s
    assert all(earlier <= later for earlier, later in pairwise(pauses))
    assert 3600 < pauses[-1] < 3600 * 1.2

    async with sessions.begin() as session:  # what is saved anew is told at once
        await AssistantConfigurationService(session).deactivate(user.id, assistant.id)
    async with sessions() as session:
        assert await AssistantRepository(session).list_unsynced(now)


async def test_a_missed_slot_is_written_once(sessions: Sessions, make: Factory, user: User) -> None:
    assistant = await make.assistant(user)
    for slots in ([NOW], [NOW, NOW + timedelta(hours=1)]):
        async with sessions.begin() as session:
            await RunRepository(session).record_missed(user.id, assistant.id, slots, ErrorCode.missed_outage)
    async with sessions() as session:
        found, counts = await RunListRepository(session).list_page(user.id, assistant.id, offset=0, limit=10)
    assert [run.full.row.slot for run in found] == [NOW + timedelta(hours=1), NOW]
    assert counts == {RunState.missed: 2}
