"""Rules of saving that no single screen shows."""

from dataclasses import replace
from uuid import UUID

import pytest

from core.assistants.configuration import (
    AssistantConfigurationService,
    AssistantForm,
    schedule_from_json,
    schedule_to_json,
)
from core.assistants.rules.assistants import ImageSource, Mode
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.container import Services
from core.errors import Conflict, ErrorCode, InvalidInput, NotFound
from core.templates.rules.templates import TemplateType
from core.topics.rules import PickFrom, Strategy
from core.users.tables.users import User
from tests.factories import Factory

FORM = AssistantForm(
    name="Tips",
    tags=(),
    topic_tree_id=None,
    strategy=Strategy.least_recent,
    pick_from=PickFrom.leaves,
    template_version_id=None,
    image_source=ImageSource.none,
    image_template_version_id=None,
    variables={},
    account_ids=(),
    schedule=Schedule(Frequency.daily, "UTC", time_slots=("09:00",)),
    mode=Mode.draft,
    language="en",
    lead_minutes=15,
)


async def created(services: Services, user: User, form: AssistantForm) -> UUID:
    async with services.sessions.begin() as session:
        return (await AssistantConfigurationService(session).create(user.id, form)).row.id


@pytest.mark.parametrize("what", ["tree", "text", "image"])
async def test_nothing_of_another_user_can_be_used(services: Services, make: Factory, user: User, what: str) -> None:
    other = await make.user()
    if what == "tree":
        form = replace(FORM, topic_tree_id=await make.tree(other))
    elif what == "text":
        form = replace(FORM, template_version_id=await make.template(other))
    else:
        form = replace(FORM, image_template_version_id=await make.template(other, type=TemplateType.image))
    with pytest.raises(NotFound):
        await created(services, user, form)


async def test_activating_twice_changes_once(services: Services, make: Factory, user: User) -> None:
    assistant = await make.assistant(user, mode=Mode.draft)
    versions = []
    for _ in range(2):
        async with services.sessions.begin() as session:
            versions.append((await AssistantConfigurationService(session).activate(user.id, assistant.id)).row.version)
    assert versions == [2, 2]
    async with services.sessions.begin() as session:
        with pytest.raises(Conflict) as raised:
            await AssistantConfigurationService(session).delete(user.id, assistant.id)
    assert raised.value.code is ErrorCode.in_use


async def test_what_fails_leaves_nothing_behind(services: Services, user: User) -> None:
    assistant = await created(services, user, FORM)

    async def update(version: int, form: AssistantForm) -> Assistant:
        async with services.sessions.begin() as session:
            return (await AssistantConfigurationService(session).update(user.id, assistant, version, form)).row

    with pytest.raises(NotFound):
        await update(1, replace(FORM, name="Changed", account_ids=(user.id,)))
    changed = await update(1, replace(FORM, name="Next"))
    assert (changed.name, changed.version) == ("Next", 2)


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(Frequency.daily, "UTC"),
        Schedule(Frequency.weekly, "UTC"),
        Schedule(Frequency.monthly, "UTC", time_slots=("09:00",)),
        Schedule(Frequency.interval, "UTC"),
        Schedule(Frequency.cron, "UTC", cron=""),
    ],
)
async def test_an_unfinished_schedule_is_saved_and_keeps_it_from_being_activated(
    services: Services, user: User, schedule: Schedule
) -> None:
    assistant = await created(services, user, replace(FORM, schedule=schedule))
    async with services.sessions.begin() as session:
        changed = await AssistantConfigurationService(session).update(
            user.id, assistant, 1, replace(FORM, schedule=schedule)
        )
        assert schedule_from_json(changed.row.schedule) == schedule
        with pytest.raises(InvalidInput) as raised:
            await AssistantConfigurationService(session).activate(user.id, assistant)
    assert raised.value.code is ErrorCode.assistant_incomplete
    assert any(error.field.startswith("schedule.") for error in raised.value.errors)


async def test_an_active_one_keeps_its_days_and_times(services: Services, make: Factory, user: User) -> None:
    assistant = await make.assistant(user, mode=Mode.draft)
    form = AssistantForm(
        name=assistant.name,
        tags=(),
        topic_tree_id=assistant.topic_tree_id,
        strategy=assistant.strategy,
        pick_from=assistant.pick_from,
        template_version_id=assistant.template_version_id,
        image_source=ImageSource.none,
        image_template_version_id=None,
        variables={},
        account_ids=(),
        schedule=Schedule(Frequency.weekly, "UTC"),
        mode=Mode.draft,
        language="en",
        lead_minutes=15,
    )
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    with pytest.raises(InvalidInput) as raised:
        async with services.sessions.begin() as session:
            await AssistantConfigurationService(session).update(user.id, assistant.id, 2, form)
    assert raised.value.code is ErrorCode.assistant_incomplete


async def test_everything_wrong_is_told_at_once(services: Services, user: User) -> None:
    form = replace(FORM, schedule=Schedule(Frequency.weekly, "Mars", time_slots=("25:00",), days_of_week=(8,)))
    with pytest.raises(InvalidInput) as raised:
        await created(services, user, form)
    assert [problem.field for problem in raised.value.errors] == [
        "schedule.time_zone",
        "schedule.days_of_week.0",
        "schedule.time_slots.0",
    ]


def test_a_stored_schedule_is_read_as_it_was_saved() -> None:
    for schedule in (
        FORM.schedule,
        Schedule(Frequency.cron, "Europe/Berlin", cron="30 8 * * 1-5"),
        Schedule(Frequency.monthly, "Asia/Kathmandu", ("00:00", "23:59"), days_of_month=(1, 31)),
    ):
        assert schedule_from_json(schedule_to_json(schedule)) == schedule
