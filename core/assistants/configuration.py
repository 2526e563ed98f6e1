"""Saving assistants, and the rules for activating them."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.rules import DEFAULT_AT_DEADLINE, AtDeadline
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules.assistants import (
    AssistantParts,
    AssistantPhase,
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    Pause,
    SecondLook,
    TextPer,
    TopicLink,
    missing,
)
from core.assistants.rules.budgets import MOST, Budget
from core.assistants.rules.limits import DEFAULT_NO_REPEAT, MAX_CATCH_UP, MAX_HASHTAGS, MAX_NO_REPEAT
from core.assistants.rules.own_images import MAX_OWN_IMAGES
from core.assistants.rules.planning import MAX_AHEAD, ScheduleVersion, append_schedule_version, max_slots_ahead
from core.assistants.rules.schedules import Schedule, validate
from core.assistants.tables import Assistant
from core.billing.entitlements import UNCHARGED, Allowance, Entitlements
from core.billing.rules import Limit
from core.brands.repository import BrandRepository
from core.clock import utcnow
from core.database import notify_browsers, replan_queries, wake_reconcile
from core.database_clock import database_now
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound, Unavailable
from core.ids import new_id
from core.live import LiveKind
from core.networks.registry import channel
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.runs.outcomes import cancel_prepared, ensure_no_run_in_flight
from core.service import InTransaction
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.templates import TemplateType
from core.texts.rules.endings import MAX_ENDING, Ending, HashtagPolicy, normal_hashtag, normal_link, room_for
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import PickFrom, Strategy
from core.websites.repositories.websites import WebsiteRepository

_SCHEDULE = TypeAdapter(Schedule)
_SCHEDULE_VERSIONS = TypeAdapter(tuple[ScheduleVersion, ...])
# schedules that an unreachable workflow may not know; beyond that the oldest but the first are dropped
_MAX_SCHEDULE_VERSIONS = 100
LONGEST_ASSISTANT_PAUSE = timedelta(days=366)
"""Of a pause with an end."""


def schedule_to_json(schedule: Schedule) -> dict[str, Any]:
    stored: dict[str, Any] = _SCHEDULE.dump_python(schedule, mode="json")
    return stored


def schedule_from_json(stored: dict[str, Any] | None) -> Schedule | None:
    return None if stored is None else _SCHEDULE.validate_python(stored)


def schedule_versions_of(row: Assistant) -> tuple[ScheduleVersion, ...]:
    return _SCHEDULE_VERSIONS.validate_python(row.stretches)


@dataclass(frozen=True)
class AssistantForm:
    name: str
    tags: tuple[str, ...]
    topic_tree_id: UUID | None
    strategy: Strategy
    pick_from: PickFrom
    template_version_id: UUID | None
    image_source: ImageSource
    image_template_version_id: UUID | None
    variables: dict[str, str]
    account_ids: tuple[UUID, ...]
    schedule: Schedule
    mode: Mode
    language: str
    lead_minutes: int
    website_id: UUID | None = None
    """It writes articles for this website, whatever its `account_ids`."""
    budget: Budget | None = None
    image_media_ids: tuple[UUID, ...] = ()
    """In order."""
    image_order: ImageOrder = ImageOrder.in_turn
    ending: Ending = Ending()
    catch_up_minutes: int | None = None
    no_repeat: int = DEFAULT_NO_REPEAT
    image_fallback: ImageFallback = ImageFallback.ask
    at_deadline: AtDeadline = DEFAULT_AT_DEADLINE
    veto_minutes: int | None = None
    brand_id: UUID | None = None
    text_per: TextPer = TextPer.network
    second_look: SecondLook = SecondLook.revision
    topic_link: TopicLink = TopicLink.none


def missing_fields(full: FullAssistant) -> list[FieldError]:
    """Return what the assistant lacks for its activation."""
    row, limits = full.row, [channel(account.kind).limits for account in full.accounts]
    return missing(
        AssistantParts(
            name=row.name,
            schedule=schedule_from_json(row.schedule),
            topic_tree=row.topic_tree_id is not None,
            enabled_topics=full.enabled_topics,
            template_body=full.template.body if full.template else None,
            image_source=row.image_source,
            image_template_body=full.image_template.body if full.image_template else None,
            variables=row.variables,
            accounts=len(full.accounts),
            needs_image=[limit.image_missing for limit in limits if limit.needs_image],
            publishes=row.mode.publishes,
            own_images=sum(not image.removed for image in full.own_images),
        )
    )


class AssistantConfigurationService(InTransaction):
    """Every change increases the row's version; the caller notifies the workflow after the commit. `allowing` checks
    limits where an assistant starts to run: activating, pausing with an end, resuming and running now."""

    def __init__(self, session: AsyncSession, entitlements: Entitlements = UNCHARGED) -> None:
        super().__init__(session)
        self.entitlements = entitlements
        self.assistants = AssistantRepository(session)

    async def create(self, user_id: UUID, form: AssistantForm) -> FullAssistant:
        """Save an assistant, which may be incomplete. Raises InvalidInput with all wrong fields."""
        await self._validate(user_id, form)
        row = Assistant(id=new_id(), user_id=user_id)
        site = await self._site_account(user_id, row.id, form.website_id)
        _apply_form(row, form)
        self.session.add(row)
        await self.session.flush()
        await self._set_accounts(row, form, site)
        await self.assistants.set_images(user_id, row.id, form.image_media_ids)
        await notify_browsers(self.session, user_id, LiveKind.assistant, row.id)
        return await self.assistants.get(user_id, row.id)

    async def update(
        self, user_id: UUID, assistant_id: UUID, version: int, form: AssistantForm, *, keeps: Collection[str] = ()
    ) -> FullAssistant:
        """Save the form, except the fields that the assistant `keeps` as they are. Raises InvalidInput
        (assistant_incomplete) if an active assistant would become incomplete."""
        await self._validate(user_id, form)
        row = await self.assistants.lock_at_version(user_id, assistant_id, version)
        form = replace(form, **{name: getattr(row, name) for name in keeps})
        site = await self._site_account(user_id, row.id, form.website_id)
        _apply_form(row, form)
        row.version += 1
        await self.session.flush()
        await self._set_accounts(row, form, site)
        await self.assistants.set_images(user_id, row.id, form.image_media_ids)
        full = await self.assistants.get(user_id, row.id)
        if row.active and (problems := missing_fields(full)):
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
        await self._update_schedule_versions(full)
        await self._notify_changed(row)
        return full

    async def activate(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """Raises InvalidInput (assistant_incomplete) with all missing fields, SubscriptionRequired."""
        allowance = await self._hold_allowance(user_id)
        row = await self.assistants.lock(user_id, assistant_id)
        if not row.active:
            full = await self.assistants.get(user_id, assistant_id)
            if problems := missing_fields(full):
                raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
            await self._ensure_within_limit(allowance, 1)
            row.active = True
            row.version += 1
            row.failures_from = await database_now(self.session)
            await self.session.flush()
            await self._update_schedule_versions(full)
            await self.assistants.set_phase(user_id, assistant_id, AssistantPhase.activating)
            await self._notify_changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def deactivate(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        row = await self.assistants.lock(user_id, assistant_id)
        if row.active:
            row.active = False
            row.version += 1
            _end_pause(row)
            await self._resolve_notifications(row)
            await self.session.flush()
            await self._update_schedule_versions(await self.assistants.get(user_id, assistant_id))
            await self.assistants.set_phase(user_id, assistant_id, AssistantPhase.inactive)
            await self._notify_changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def pause(
        self, user_id: UUID, assistant_id: UUID, until: datetime | None, reason: ErrorCode | None = None
    ) -> FullAssistant:
        """Start nothing until `until`, and catch up nothing afterwards. A paused assistant gets the new end and
        `reason` (None: a person).

        Raises Conflict (assistant_inactive), InvalidInput unless the end is ahead, SubscriptionRequired if the
        assistant would go on at the end although the limit does not allow it, or is paused because the subscription has
        ended.
        """
        allowance = await self._hold_allowance(user_id) if reason is None else None
        row = await self.assistants.lock(user_id, assistant_id)
        if not row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        now = await database_now(self.session)
        if until and not now < until <= now + LONGEST_ASSISTANT_PAUSE:
            limits = {"minimum": now.isoformat(), "maximum": (now + LONGEST_ASSISTANT_PAUSE).isoformat()}
            raise InvalidInput(errors=[FieldError("until", ErrorCode.invalid_input, **limits)])
        held = row.pause(now)
        if held and (until or _is_outside_limit(held)):
            await self._ensure_within_limit(allowance, int(_is_outside_limit(held)))
        if held is None or (held.until, held.reason) != (until, reason):
            row.paused_at, row.paused_until, row.pause_reason = held.since if held else now, until, reason
            row.version += 1
            if reason is None:
                await self._resolve_notifications(row)
            await self.session.flush()
            await self._update_schedule_versions(await self.assistants.get(user_id, assistant_id))
            await self._notify_changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def resume(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """End the pause; does nothing without one. Raises Conflict (assistant_inactive), SubscriptionRequired."""
        allowance = await self._hold_allowance(user_id)
        row = await self.assistants.lock(user_id, assistant_id)
        if not row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        now = await database_now(self.session)
        if held := row.pause(now):
            await self._ensure_within_limit(allowance, int(_is_outside_limit(held)))
            _end_pause(row)
            row.version += 1
            row.failures_from = now
            await self._resolve_notifications(row)
            await self.session.flush()
            await self._update_schedule_versions(await self.assistants.get(user_id, assistant_id))
            await self._notify_changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def _resolve_notifications(self, row: Assistant) -> None:
        """Resolve notifications that it has paused itself or could not plan."""
        kinds = (NotificationKind.assistant_paused_itself, NotificationKind.planning_failed)
        await NotifyingService(self.session).resolve(row.user_id, About(assistant_id=row.id), *kinds)

    async def get_active(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """Raises Conflict (assistant_inactive)."""
        full = await self.assistants.get(user_id, assistant_id)
        if not full.row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        return full

    async def ensure_can_run_now(self, user_id: UUID, assistant_id: UUID) -> None:
        """Raises Conflict (assistant_inactive), InvalidInput (assistant_incomplete) with all missing fields,
        SubscriptionRequired if it is paused because the subscription has ended and could not be resumed."""
        full = await self.get_active(user_id, assistant_id)
        held = full.row.pause(await database_now(self.session))
        if held and _is_outside_limit(held):
            await self._ensure_within_limit(
                await self.entitlements.look(self.session, user_id, Limit.active_assistants), 1
            )
        if problems := missing_fields(full):
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)

    async def cancel_prepared(self, user_id: UUID, assistant_id: UUID) -> list[str]:
        """Return the ids of the workflows to be cancelled after the commit. Raises NotFound."""
        await self.assistants.lock(user_id, assistant_id)
        return await cancel_prepared(self.session, user_id, assistant_id)

    async def delete(self, user_id: UUID, assistant_id: UUID) -> None:
        """Raises Conflict (in_use) while it is active, (run_armed) while a post is being published, Unavailable while
        its workflow does not know that it has to end, since nobody could notify it without the row."""
        row = await self.assistants.lock(user_id, assistant_id)
        if row.active:
            raise Conflict(ErrorCode.in_use)
        status = (await self.assistants.get(user_id, assistant_id)).status
        if status is not None and status.applied_version < row.version:
            raise Unavailable(ErrorCode.temporal_unavailable)
        await ensure_no_run_in_flight(self.session, user_id, assistant_id)
        await replan_queries(self.session)  # deletes years of runs
        await self.session.delete(row)
        await notify_browsers(self.session, user_id, LiveKind.assistant, assistant_id)

    async def _hold_allowance(self, user_id: UUID) -> Allowance | None:
        return await self.entitlements.hold(self.session, user_id, Limit.active_assistants)

    async def _ensure_within_limit(self, allowance: Allowance | None, more: int) -> None:
        """Raises SubscriptionRequired if `more` assistants in addition to the active ones exceed the limit."""
        if allowance and (refusal := await allowance.place_refusal(more)):
            raise refusal

    async def _update_schedule_versions(self, full: FullAssistant) -> None:
        update_schedule_versions(
            full.row, full.status.applied_version if full.status else 0, await database_now(self.session)
        )
        await self.session.flush()

    async def _notify_changed(self, row: Assistant) -> None:
        await notify_browsers(self.session, row.user_id, LiveKind.assistant, row.id)
        if row.active or row.version > 1:
            await wake_reconcile(self.session)

    async def _site_account(self, user_id: UUID, assistant_id: UUID, website_id: UUID | None) -> UUID | None:
        """Return the account of the website that it writes for. Raises NotFound; InvalidInput at `website_id`:
        account_disconnected, or website_has_assistant with the other assistant's name in `by`."""
        if website_id is None:
            return None
        website = await WebsiteRepository(self.session).find(user_id, website_id, lock=True)
        if website is None:
            raise NotFound(what="website", id=str(website_id))
        code, params = None, dict[str, str]()
        if website.account.disconnected_at is not None:
            code = ErrorCode.account_disconnected
        elif other := await self.assistants.find_by_website(user_id, website_id, beside=assistant_id):
            code, params = ErrorCode.website_has_assistant, {"by": other.name}
        if code:
            raise InvalidInput(errors=[FieldError("website_id", code, **params)])
        return website.account_id

    async def _set_accounts(self, row: Assistant, form: AssistantForm, site: UUID | None) -> None:
        account_ids = (site,) if site else form.account_ids
        await self.assistants.set_accounts(row.user_id, row.id, account_ids, site=site is not None)
        if site:
            assert row.website_id is not None  # the site is its account
            await notify_browsers(self.session, row.user_id, LiveKind.website, row.website_id)

    async def _validate(self, user_id: UUID, form: AssistantForm) -> None:
        problems = [problem for problem in validate(form.schedule) if not _is_unfilled(form.schedule, problem)]
        if not validate(form.schedule) and max_slots_ahead(form.schedule, form.lead_minutes * 60, utcnow()) > MAX_AHEAD:
            problems.append(FieldError("lead_minutes", ErrorCode.too_many_ahead, maximum=MAX_AHEAD))
        if form.budget and not 0 < form.budget.amount <= MOST[form.budget.unit]:
            problems.append(FieldError("budget.amount", ErrorCode.budget_out_of_range))
        problems += _range_problems("catch_up_minutes", form.catch_up_minutes, 0, MAX_CATCH_UP)
        problems += _range_problems("no_repeat", form.no_repeat, 0, MAX_NO_REPEAT)
        problems += ending_problems(form.ending)
        if len(form.image_media_ids) > MAX_OWN_IMAGES:
            problems.append(FieldError("image_media_ids", ErrorCode.invalid_input, maximum=MAX_OWN_IMAGES))
        if form.veto_minutes is not None and not 1 <= form.veto_minutes <= form.lead_minutes:
            problems.append(FieldError("veto_minutes", ErrorCode.veto_too_long, maximum=form.lead_minutes))
        if problems:
            raise InvalidInput(errors=problems)
        await BrandRepository(self.session).ensure_own(user_id, form.brand_id)
        if form.topic_tree_id:
            await TopicRepository(self.session).get(user_id, form.topic_tree_id)
        templates = TemplateRepository(self.session)
        for field, version_id, kind in (
            ("template_version_id", form.template_version_id, TemplateType.text),
            ("image_template_version_id", form.image_template_version_id, TemplateType.image),
        ):
            if version_id:
                version = await templates.version(user_id, version_id)
                template, *_ = await templates.get(user_id, version.template_id)
                if template.type is not kind:
                    raise InvalidInput(errors=[FieldError(field, ErrorCode.invalid_input, wanted=kind)])


def _range_problems(field: str, value: int | None, minimum: int, maximum: int) -> list[FieldError]:
    if value is None or minimum <= value <= maximum:
        return []
    return [FieldError(field, ErrorCode.invalid_input, minimum=minimum, maximum=maximum)]


def ending_problems(ending: Ending) -> list[FieldError]:
    """Return the problems by field; hashtags and link are normalised already, where possible."""
    problems = [
        FieldError(f"always_hashtags.{index}", ErrorCode.hashtag_not_usable, value=tag)
        for index, tag in enumerate(ending.always)
        if normal_hashtag(tag) != tag
    ]
    if ending.link and normal_link(ending.link) != ending.link:
        problems.append(FieldError("link", ErrorCode.link_not_usable))
    if ending.hashtags is HashtagPolicy.at_most:
        most = -1 if ending.most_hashtags is None else ending.most_hashtags
        problems += _range_problems("most_hashtags", most, min(len(ending.always), MAX_HASHTAGS), MAX_HASHTAGS)
    if room_for(ending) > MAX_ENDING or len(ending.always) > MAX_HASHTAGS:
        problems.append(FieldError("always_hashtags", ErrorCode.ending_too_long, limit=MAX_ENDING))
    return problems


def _is_outside_limit(pause: Pause) -> bool:
    """Return whether a paused assistant is not counted as active."""
    return pause.reason is ErrorCode.subscription_ended


def _end_pause(row: Assistant) -> None:
    row.paused_at = row.paused_until = row.pause_reason = None


def update_schedule_versions(row: Assistant, applied_version: int, now: datetime) -> None:
    """Append a schedule version from `now` on if the schedule, or whether the assistant posts, has changed. Drop
    versions that the workflow has applied, except the last of them."""
    if (pause := row.pause(now)) is None:
        _end_pause(row)  # the pause has ended
    schedule = schedule_from_json(row.schedule)
    assert schedule is not None  # saving refuses an assistant without a schedule
    versions = schedule_versions_of(row)
    goes_on = pause.until if pause else None
    new = append_schedule_version(
        versions, row.version, now, schedule, posts=row.active and pause is None, goes_on=goes_on
    )
    if new == versions:
        return
    applied = sum(1 for stretch in new if stretch.version <= applied_version)
    remaining = list(new[max(0, applied - 1) :])
    del remaining[1 : len(remaining) - _MAX_SCHEDULE_VERSIONS]
    row.stretches = _SCHEDULE_VERSIONS.dump_python(tuple(remaining), mode="json")


def _is_unfilled(schedule: Schedule, problem: FieldError) -> bool:
    """Return whether the problem is an empty field, which prevents activating but not saving."""
    if problem.code in (ErrorCode.day_required, ErrorCode.time_slot_required, ErrorCode.time_zone_required):
        return True
    empty = {"schedule.cron": not schedule.cron, "schedule.every_days": schedule.every_days is None}
    empty["schedule.start_date"] = schedule.start_date is None
    return empty.get(problem.field, False)


def _apply_form(row: Assistant, form: AssistantForm) -> None:
    values = asdict(form)
    for name in ("account_ids", "budget", "ending", "image_media_ids", "schedule", "tags"):
        del values[name]
    for name, value in values.items():
        setattr(row, name, value)
    row.budget_unit = form.budget.unit if form.budget else None
    row.budget_amount = form.budget.amount if form.budget else None
    row.hashtag_policy = form.ending.hashtags
    row.most_hashtags = form.ending.most_hashtags
    row.always_hashtags = list(form.ending.always)
    row.link = form.ending.link
    row.tags = list(form.tags)
    row.schedule = schedule_to_json(form.schedule)
