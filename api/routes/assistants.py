import asyncio
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Reading, Session, Workflows
from api.errors import problems
from api.paging import Pages
from api.presenters import (
    approval_out,
    assistant_out,
    budget_left_out,
    coming_out,
    delivery_out,
    first_file_of,
    left_out_day_out,
    run_out,
)
from api.routes.schedules import SHOWN_OCCURRENCES
from api.schemas.assistants import (
    ActivationOut,
    AssistantIn,
    AssistantLiveOut,
    AssistantOptionsOut,
    AssistantOut,
    AssistantUpdate,
    PauseIn,
    RunNowIn,
    RunNowOut,
    SkipIn,
    SkipOut,
)
from api.schemas.base import Page
from api.schemas.runs import RetryOut, RunDetail, StepOut
from api.schemas.schedules import ComingOut
from core.ai.rules.usage import CURRENCY
from core.assistants.budgets import BudgetService
from core.assistants.configuration import AssistantConfigurationService, AssistantForm, schedule_from_json
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules import public_holidays
from core.assistants.rules.assistants import OPEN_RUNS, PreparedRuns
from core.assistants.rules.budgets import Budget
from core.assistants.rules.limits import DEFAULT_NO_REPEAT, MAX_CATCH_UP, MAX_HASHTAGS, MAX_NO_REPEAT
from core.assistants.rules.occurrences import LeftOutDay, Occurrence, preview
from core.assistants.rules.own_images import MAX_OWN_IMAGES
from core.assistants.rules.schedules import validate
from core.assistants.skipping import next_slot
from core.container import Services
from core.errors import ErrorCode, Unavailable
from core.ids import run_workflow
from core.media.pictures import MediaService
from core.posts.repositories.posts import PostRepository
from core.runs.repositories.run_lists import FullRun, RunListRepository
from core.runs.repositories.runs import RunRepository
from core.runs.tables import RunStep

router = Router(tags=["assistants"])

_VALUES = up_to(MEGABYTE)  # for the template's variables
_NEWER = frozenset({"brand_id", "text_per", "second_look"})
"""Fields that clients of an older release do not know."""


def assistant_form(body: AssistantIn) -> AssistantForm:
    return AssistantForm(
        name=body.name,
        tags=tuple(dict.fromkeys(tag for tag in body.tags if tag)),
        website_id=body.website_id,
        topic_tree_id=body.topic_tree_id,
        strategy=body.strategy,
        pick_from=body.pick_from,
        template_version_id=body.template_version_id,
        image_source=body.image_source,
        image_template_version_id=body.image_template_version_id,
        image_fallback=body.image_fallback,
        variables=body.variables,
        account_ids=tuple(body.account_ids),
        schedule=body.schedule.to_domain(),
        mode=body.mode,
        language=body.language,
        lead_minutes=body.lead_minutes,
        budget=Budget(body.budget.unit, body.budget.amount) if body.budget else None,
        image_media_ids=tuple(dict.fromkeys(body.image_media_ids)),
        image_order=body.image_order,
        ending=body.to_ending(),
        catch_up_minutes=body.catch_up_minutes,
        no_repeat=body.no_repeat,
        at_deadline=body.at_deadline,
        veto_minutes=body.veto_minutes,
        brand_id=body.brand_id,
        text_per=body.text_per,
        second_look=body.second_look,
        topic_link=body.topic_link,
    )


async def _assistant_out(full: FullAssistant, runs: RunListRepository, services: Services) -> AssistantOut:
    ids = [full.row.id]
    newest, under_way = await runs.latest(full.row.user_id, ids)
    return assistant_out(full, newest.get(full.row.id), under_way.get(full.row.id), services.demo_texts)


@router.get("/assistants/options/")
async def read_assistant_options(user: CurrentUser, services: Core) -> AssistantOptionsOut:
    """Defaults and limits of an assistant's fields on this server."""
    await asyncio.to_thread(public_holidays.load)
    return AssistantOptionsOut(
        currency=CURRENCY,
        catch_up_minutes=services.settings.catch_up_seconds // 60,
        most_catch_up_minutes=MAX_CATCH_UP,
        no_repeat=DEFAULT_NO_REPEAT,
        most_no_repeat=MAX_NO_REPEAT,
        most_hashtags=MAX_HASHTAGS,
        most_images=MAX_OWN_IMAGES,
        holiday_countries=list(public_holidays.countries()),
    )


@router.get("/assistants/")
async def list_assistants(
    user: CurrentUser,
    session: Reading,
    services: Core,
    pages: Pages,
    active: Annotated[bool | None, Query()] = None,
    paused: Annotated[bool | None, Query()] = None,
) -> Page[AssistantOut]:
    """Assistants with their current activity, next wake-up and last result."""
    rows, total = await AssistantRepository(session).list_page(
        user.id, search=pages.search, active=active, paused=paused, offset=pages.offset, limit=pages.limit
    )
    runs = RunListRepository(session)
    ids = [full.row.id for full in rows]
    newest, under_way = await runs.latest(user.id, ids)
    items = [
        assistant_out(full, newest.get(full.row.id), under_way.get(full.row.id), services.demo_texts) for full in rows
    ]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.post(
    "/assistants/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.not_found, ErrorCode.bad_cron, ErrorCode.budget_out_of_range),
    openapi_extra=_VALUES,
)
async def create_assistant(body: AssistantIn, user: CurrentUser, session: Session, services: Core) -> AssistantOut:
    """Create an assistant, which may be incomplete; activating it checks that nothing is missing."""
    full = await AssistantConfigurationService(session).create(user.id, assistant_form(body))
    return await _assistant_out(full, RunListRepository(session), services)


@router.get("/assistants/{assistant_id}/", responses=problems(ErrorCode.not_found))
async def read_assistant(assistant_id: UUID, user: CurrentUser, session: Reading, services: Core) -> AssistantOut:
    full = await AssistantRepository(session).get(user.id, assistant_id)
    return await _assistant_out(full, RunListRepository(session), services)


@router.put(
    "/assistants/{assistant_id}/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.stale_version,
        ErrorCode.bad_cron,
        ErrorCode.budget_out_of_range,
        ErrorCode.assistant_incomplete,
    ),
    openapi_extra=_VALUES,
)
async def update_assistant(
    assistant_id: UUID, body: AssistantUpdate, user: CurrentUser, services: Core, workflows: Workflows
) -> ActivationOut:
    """Takes effect at once on a sleeping workflow; started runs keep their configuration. `brand_id`, `text_per` and
    `second_look` stay as they are if they are left out."""
    async with services.sessions.begin() as session:
        configuration, keeps = AssistantConfigurationService(session), _NEWER - body.model_fields_set
        await configuration.update(user.id, assistant_id, body.version, assistant_form(body), keeps=keeps)
    return await _send_configuration(assistant_id, user.id, services, workflows)


@router.post(
    "/assistants/{assistant_id}/activate/",
    responses=problems(ErrorCode.not_found, ErrorCode.assistant_incomplete, ErrorCode.subscription_required),
)
async def activate_assistant(
    assistant_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> ActivationOut:
    """Start the assistant's workflow. If it is incomplete, the refusal lists everything that is missing."""
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session, services.entitlements).activate(user.id, assistant_id)
    return await _send_configuration(assistant_id, user.id, services, workflows)


_Prepared = Annotated[PreparedRuns, Query(description="What happens to runs that are prepared or being prepared")]


@router.post("/assistants/{assistant_id}/deactivate/", responses=problems(ErrorCode.not_found))
async def deactivate_assistant(
    assistant_id: UUID,
    user: CurrentUser,
    services: Core,
    workflows: Workflows,
    prepared: _Prepared = PreparedRuns.publish,
) -> ActivationOut:
    """End the assistant's workflow. `prepared` decides about runs in progress; a post being published is published."""
    async with services.sessions.begin() as session:
        configuring = AssistantConfigurationService(session)
        await configuring.deactivate(user.id, assistant_id)
        cancelled = await configuring.cancel_prepared(user.id, assistant_id) if prepared is PreparedRuns.cancel else []
    await workflows.cancel_runs(cancelled)
    return await _send_configuration(assistant_id, user.id, services, workflows)


@router.post(
    "/assistants/{assistant_id}/pause/",
    responses=problems(
        ErrorCode.not_found, ErrorCode.assistant_inactive, ErrorCode.invalid_input, ErrorCode.subscription_required
    ),
)
async def pause_assistant(
    assistant_id: UUID,
    body: PauseIn,
    user: CurrentUser,
    services: Core,
    workflows: Workflows,
    prepared: _Prepared = PreparedRuns.publish,
) -> ActivationOut:
    """Start no runs from now on, until a given time or until resumed; missed slots are not caught up. `prepared`
    decides about runs in progress; a post being published is published."""
    async with services.sessions.begin() as session:
        configuring = AssistantConfigurationService(session, services.entitlements)
        await configuring.pause(user.id, assistant_id, body.until)
        cancelled = await configuring.cancel_prepared(user.id, assistant_id) if prepared is PreparedRuns.cancel else []
    await workflows.cancel_runs(cancelled)
    return await _send_configuration(assistant_id, user.id, services, workflows)


@router.post(
    "/assistants/{assistant_id}/resume/",
    responses=problems(ErrorCode.not_found, ErrorCode.assistant_inactive, ErrorCode.subscription_required),
)
async def resume_assistant(
    assistant_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> ActivationOut:
    """Resume from now. Slots in the pause are neither caught up nor counted as missed."""
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session, services.entitlements).resume(user.id, assistant_id)
    return await _send_configuration(assistant_id, user.id, services, workflows)


@router.post(
    "/assistants/{assistant_id}/run/",
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.assistant_inactive,
        ErrorCode.assistant_incomplete,
        ErrorCode.subscription_required,
        ErrorCode.temporal_unavailable,
    ),
)
async def run_assistant_now(
    assistant_id: UUID, body: RunNowIn, user: CurrentUser, services: Core, workflows: Workflows
) -> RunNowOut:
    """Start a run outside of the schedule, also in a pause: it begins at once and publishes when it is ready. Confirmed
    by the workflow; if that is unreachable, nothing starts."""
    async with services.sessions() as session:
        await AssistantConfigurationService(session, services.entitlements).ensure_can_run_now(user.id, assistant_id)
    return RunNowOut(run_id=await workflows.assistants.run_now(assistant_id, body.request_id))


_SKIPS = problems(
    ErrorCode.not_found,
    ErrorCode.assistant_inactive,
    ErrorCode.nothing_to_skip,
    ErrorCode.run_armed,
    ErrorCode.skip_not_next,
    ErrorCode.temporal_unavailable,
)


@router.post("/assistants/{assistant_id}/skip/", responses=_SKIPS)
async def skip_next_slot(
    assistant_id: UUID, body: SkipIn, user: CurrentUser, services: Core, workflows: Workflows
) -> SkipOut:
    """Skip the next slot; a run prepared for it ends. Confirmed by the workflow; if that is unreachable, nothing is
    skipped. Idempotent per slot."""
    async with services.sessions() as session:
        await AssistantConfigurationService(session).get_active(user.id, assistant_id)
    undo_until = await workflows.assistants.skip(assistant_id, body.slot.astimezone(UTC))
    if undo_until is None:
        await workflows.cancel_runs([run_workflow(assistant_id, body.slot.astimezone(UTC))])
    return SkipOut(slot=body.slot, undo_until=undo_until)


@router.post(
    "/assistants/{assistant_id}/unskip/",
    responses=problems(
        ErrorCode.not_found, ErrorCode.assistant_inactive, ErrorCode.undo_expired, ErrorCode.temporal_unavailable
    ),
)
async def unskip_slot(
    assistant_id: UUID, body: SkipIn, user: CurrentUser, services: Core, workflows: Workflows
) -> SkipOut:
    """Undo a skip until the slot's run would have begun. Confirmed by the workflow."""
    async with services.sessions() as session:
        await AssistantConfigurationService(session).get_active(user.id, assistant_id)
    await workflows.assistants.unskip(assistant_id, body.slot.astimezone(UTC))
    return SkipOut(slot=body.slot, undo_until=None)


async def _send_configuration(assistant_id: UUID, user_id: UUID, services: Core, workflows: Workflows) -> ActivationOut:
    """Notify the workflow after the commit. If that fails, the reconcile does it later."""
    async with services.sessions() as session:
        full = await AssistantRepository(session).get(user_id, assistant_id)
    confirmed = await workflows.assistants.configure(full.row, full.status, {account.kind for account in full.accounts})
    async with services.sessions() as session:
        full = await AssistantRepository(session).get(user_id, assistant_id)
        assistant = await _assistant_out(full, RunListRepository(session), services)
    return ActivationOut(assistant=assistant, confirmed=confirmed)


@router.delete(
    "/assistants/{assistant_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use, ErrorCode.temporal_unavailable, ErrorCode.run_armed),
)
async def delete_assistant(
    assistant_id: UUID,
    user: CurrentUser,
    services: Core,
    workflows: Workflows,
    prepared: _Prepared = PreparedRuns.publish,
) -> None:
    """Only while the assistant is inactive and publishes nothing. Its posts stay; a prepared one is still published
    unless it is cancelled."""
    async with services.sessions.begin() as session:
        configuring = AssistantConfigurationService(session)
        cancelled = await configuring.cancel_prepared(user.id, assistant_id) if prepared is PreparedRuns.cancel else []
        await configuring.delete(user.id, assistant_id)
    await workflows.cancel_runs(cancelled)


@router.get("/assistants/{assistant_id}/live/", responses=problems(ErrorCode.not_found))
async def read_assistant_live(
    assistant_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> AssistantLiveOut:
    """The data of the live page in one call. Without Temporal `live` is false."""
    async with services.sessions() as session:
        runs = RunListRepository(session)
        full = await AssistantRepository(session).get(user.id, assistant_id)
        newest, under_way = await runs.latest(user.id, [assistant_id])
        assistant = assistant_out(full, newest.get(assistant_id), under_way.get(assistant_id), services.demo_texts)
        run = under_way.get(assistant_id) or newest.get(assistant_id)
        detail = await _run_detail(run, user.id, session, services.media) if run else None
        budget = await BudgetService(session).left(full.row, datetime.now(UTC))
        unclear = await PostRepository(session).list_unknown(user.id, assistant_id, beside=run.row.id if run else None)
        coming, left, next_one = await _next_occurrences(full, session, user.language)
    live = True
    if run and detail and run.row.state in OPEN_RUNS:
        try:
            detail.retries = [
                RetryOut.model_validate(retry) for retry in await workflows.list_retries(run.row.workflow_id)
            ]
        except Unavailable:
            live = False
    return AssistantLiveOut(
        assistant=assistant,
        run=detail,
        budget_left=budget_left_out(budget) if budget else None,
        earlier_unclear=unclear,
        occurrences=coming,
        left_out=[left_out_day_out(day) for day in left],
        next_slot=next_one,
        now=datetime.now(UTC),
        live=live,
    )


async def _next_occurrences(
    full: FullAssistant, session: Reading, language: str
) -> tuple[list[ComingOut], list[LeftOutDay], datetime | None]:
    """Return the next occurrences, the days left out between them, and the slot that skipping would skip."""
    row, now = full.row, datetime.now(UTC)
    schedule, pause = schedule_from_json(row.schedule), row.pause(now)
    coming: list[Occurrence] = []
    left: list[LeftOutDay] = []
    if schedule and not validate(schedule) and not (pause and pause.until is None):
        after = pause.until if pause and pause.until else now
        coming, left = preview(schedule, after, SHOWN_OCCURRENCES, language)
    slots = [occurrence.slot for occurrence in coming]
    runs = await RunRepository(session).list_at(row.user_id, row.id, slots)
    shown = [coming_out(occurrence, runs.get(occurrence.slot)) for occurrence in coming]
    following = await next_slot(session, row.user_id, row.id, iter(slots)) if row.active else None
    return shown, left, following[0] if following else None


async def _run_detail(run: FullRun, user_id: UUID, session: Reading, media: MediaService) -> RunDetail:
    steps = await RunRepository(session).list_steps(user_id, run.row.id)
    post = await PostRepository(session).find_by_run(user_id, run.row.id, deleted=False)
    return RunDetail(
        **run_out(run).model_dump(),
        approval=approval_out(post) if post else None,
        content_hash=post.content_hash if post else None,
        steps=[_step_out(step) for step in steps],
        deliveries=[delivery_out(delivery) for delivery in post.deliveries] if post else [],
        retries=[],
        first_file=first_file_of(post, media) if post else None,
        content=post.content if post else None,
    )


def _step_out(step: RunStep) -> StepOut:
    """Leave out the prompt: the live page is read again and again."""
    out = StepOut.model_validate(step)
    out.facts.pop("prompt", None)
    return out
