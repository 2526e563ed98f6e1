"""Saving assistants, and the rules for activating them."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.rules import AtDeadline
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules.assistants import (
    AssistantPhase,
    Configured,
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    Pause,
    missing,
)
from core.assistants.rules.budgets import MOST, Budget
from core.assistants.rules.own_images import MAX_OWN_IMAGES
from core.assistants.rules.planning import MAX_AHEAD, Stretch, most_ahead, stretched
from core.assistants.rules.schedules import Schedule, validate
from core.assistants.tables import Assistant
from core.billing.entitlements import UNCHARGED, Allowance, Allowing
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import notify_browsers, plan_anew, wake_reconcile
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
from core.texts.rules.texts import MAX_ENDING, Ending, HashtagPolicy, normal_hashtag, normal_link, room_for
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import PickFrom, Strategy
from core.websites.repositories.websites import WebsiteRepository

_SCHEDULE = TypeAdapter(Schedule)
_STRETCHES = TypeAdapter(tuple[Stretch, ...])
# edits that a workflow away may not have heard of; beyond it the oldest but the first are let go
_MOST_STRETCHES = 100
DEFAULT_NO_REPEAT = 10
"""Posts within which no topic comes again."""
MAX_NO_REPEAT = 100
MAX_CATCH_UP = 360
"""Minutes: after that a delivery is given up in any case."""
MAX_HASHTAGS = 30
LONGEST_PAUSE = timedelta(days=366)
"""To a moment; without an end it may last for ever."""


def schedule_to_json(schedule: Schedule) -> dict[str, Any]:
    stored: dict[str, Any] = _SCHEDULE.dump_python(schedule, mode="json")
    return stored


def schedule_from_json(stored: dict[str, Any] | None) -> Schedule | None:
    return None if stored is None else _SCHEDULE.validate_python(stored)


def stretches_of(row: Assistant) -> tuple[Stretch, ...]:
    return _STRETCHES.validate_python(row.stretches)


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
    """It writes articles for it, whatever its `account_ids`."""
    budget: Budget | None = None
    image_media_ids: tuple[UUID, ...] = ()
    """In their order."""
    image_order: ImageOrder = ImageOrder.in_turn
    ending: Ending = Ending()
    catch_up_minutes: int | None = None
    no_repeat: int = DEFAULT_NO_REPEAT
    image_fallback: ImageFallback = ImageFallback.ask
    at_deadline: AtDeadline = AtDeadline.hold
    veto_minutes: int | None = None


def what_is_missing(full: FullAssistant) -> list[FieldError]:
    row, limits = full.row, [channel(account.kind).limits for account in full.accounts]
    return missing(
        Configured(
            name=row.name,
            schedule=schedule_from_json(row.schedule),
            topic_tree=row.topic_tree_id is not None,
            enabled_topics=full.enabled_topics,
            template_body=full.template.body if full.template else None,
            image_source=row.image_source,
            image_template_body=full.image_template.body if full.image_template else None,
            variables=row.variables,
            accounts=len(full.accounts),
            needs_image=[one.image_missing for one in limits if one.needs_image],
            publishes=row.mode.publishes,
            own_images=sum(not image.removed for image in full.own_images),
        )
    )


class ConfiguringService(InTransaction):
    """Every change raises the row's version; whoever called tells the workflow after the commit. `allowing` is for what
    makes an assistant go on: activating, pausing to a moment, resuming and running now."""

    def __init__(self, session: AsyncSession, allowing: Allowing = UNCHARGED) -> None:
        super().__init__(session)
        self.allowing = allowing
        self.assistants = AssistantRepository(session)

    async def create(self, user_id: UUID, form: AssistantForm) -> FullAssistant:
        """An incomplete one may be saved, a wrong one may not: raises InvalidInput with all that is wrong."""
        await self._check(user_id, form)
        row = Assistant(id=new_id(), user_id=user_id)
        site = await self._site(user_id, row.id, form.website_id)
        _apply(row, form)
        self.session.add(row)
        await self.session.flush()
        await self._set_accounts(row, form, site)
        await self.assistants.set_images(user_id, row.id, form.image_media_ids)
        await notify_browsers(self.session, user_id, LiveKind.assistant, row.id)
        return await self.assistants.get(user_id, row.id)

    async def update(self, user_id: UUID, assistant_id: UUID, version: int, form: AssistantForm) -> FullAssistant:
        """An active one must stay complete: raises InvalidInput (assistant_incomplete) with what would be missing."""
        await self._check(user_id, form)
        row = await self.assistants.locked_at_version(user_id, assistant_id, version)
        site = await self._site(user_id, row.id, form.website_id)
        _apply(row, form)
        row.version += 1
        await self.session.flush()
        await self._set_accounts(row, form, site)
        await self.assistants.set_images(user_id, row.id, form.image_media_ids)
        full = await self.assistants.get(user_id, row.id)
        if row.active and (problems := what_is_missing(full)):
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
        await self._begin_stretch(full)
        await self._changed(row)
        return full

    async def activate(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """Raises InvalidInput (assistant_incomplete) with everything that is missing, SubscriptionRequired."""
        allowance = await self._held(user_id)
        row = await self.assistants.locked(user_id, assistant_id)
        if not row.active:
            full = await self.assistants.get(user_id, assistant_id)
            if problems := what_is_missing(full):
                raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
            await self._must_have_place(allowance, 1)
            row.active = True
            row.version += 1
            row.failures_from = await database_now(self.session)
            await self.session.flush()
            await self._begin_stretch(full)
            await self.assistants.set_phase(user_id, assistant_id, AssistantPhase.activating)
            await self._changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def deactivate(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        row = await self.assistants.locked(user_id, assistant_id)
        if row.active:
            row.active = False
            row.version += 1
            _end_pause(row)
            await self._looked_after(row)
            await self.session.flush()
            await self._begin_stretch(await self.assistants.get(user_id, assistant_id))
            await self.assistants.set_phase(user_id, assistant_id, AssistantPhase.inactive)
            await self._changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def pause(
        self, user_id: UUID, assistant_id: UUID, until: datetime | None, reason: ErrorCode | None = None
    ) -> FullAssistant:
        """From now to `until` nothing is begun, nor caught up afterwards. One that pauses already does so to the new
        end, and from now on because of `reason` (None: a person wants it).

        Raises Conflict (assistant_inactive), InvalidInput where the end is not to come, SubscriptionRequired for one
        that a person lets go on at that end though they may not now, or that pauses since the subscription has ended.
        """
        allowance = await self._held(user_id) if reason is None else None
        row = await self.assistants.locked(user_id, assistant_id)
        if not row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        now = await database_now(self.session)
        if until and not now < until <= now + LONGEST_PAUSE:
            limits = {"minimum": now.isoformat(), "maximum": (now + LONGEST_PAUSE).isoformat()}
            raise InvalidInput(errors=[FieldError("until", ErrorCode.invalid_input, **limits)])
        held = row.pause(now)
        if held and (until or _has_no_place(held)):
            await self._must_have_place(allowance, int(_has_no_place(held)))
        if held is None or (held.until, held.reason) != (until, reason):
            row.paused_at, row.paused_until, row.pause_reason = held.since if held else now, until, reason
            row.version += 1
            if reason is None:
                await self._looked_after(row)
            await self.session.flush()
            await self._begin_stretch(await self.assistants.get(user_id, assistant_id))
            await self._changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def resume(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """It goes on from now; one that does not pause is left alone. Raises Conflict (assistant_inactive),
        SubscriptionRequired."""
        allowance = await self._held(user_id)
        row = await self.assistants.locked(user_id, assistant_id)
        if not row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        now = await database_now(self.session)
        if held := row.pause(now):
            await self._must_have_place(allowance, int(_has_no_place(held)))
            _end_pause(row)
            row.version += 1
            row.failures_from = now
            await self._looked_after(row)
            await self.session.flush()
            await self._begin_stretch(await self.assistants.get(user_id, assistant_id))
            await self._changed(row)
        return await self.assistants.get(user_id, assistant_id)

    async def _looked_after(self, row: Assistant) -> None:
        """That it has paused itself, or could not plan, is nobody's news any more."""
        kinds = (NotificationKind.assistant_paused_itself, NotificationKind.planning_failed)
        await NotifyingService(self.session).over(row.user_id, About(assistant_id=row.id), *kinds)

    async def must_be_active(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """Raises Conflict (assistant_inactive)."""
        full = await self.assistants.get(user_id, assistant_id)
        if not full.row.active:
            raise Conflict(ErrorCode.assistant_inactive)
        return full

    async def can_run_now(self, user_id: UUID, assistant_id: UUID) -> None:
        """Raises Conflict (assistant_inactive), InvalidInput (assistant_incomplete) with everything that is missing,
        SubscriptionRequired for one that pauses since the subscription has ended, where it could not be resumed."""
        full = await self.must_be_active(user_id, assistant_id)
        held = full.row.pause(await database_now(self.session))
        if held and _has_no_place(held):
            await self._must_have_place(await self.allowing.look(self.session, user_id, Limit.active_assistants), 1)
        if problems := what_is_missing(full):
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)

    async def cancel_prepared(self, user_id: UUID, assistant_id: UUID) -> list[str]:
        """Returns the ids of the workflows that are to be cancelled after the commit. Raises NotFound."""
        await self.assistants.locked(user_id, assistant_id)
        return await cancel_prepared(self.session, user_id, assistant_id)

    async def delete(self, user_id: UUID, assistant_id: UUID) -> None:
        """Raises Conflict (in_use) while it is active, (run_armed) while a post goes out, Unavailable while its
        workflow does not know yet that it has to end: nothing would tell it once the row is gone."""
        row = await self.assistants.locked(user_id, assistant_id)
        if row.active:
            raise Conflict(ErrorCode.in_use)
        status = (await self.assistants.get(user_id, assistant_id)).status
        if status is not None and status.applied_version < row.version:
            raise Unavailable(ErrorCode.temporal_unavailable)
        await ensure_no_run_in_flight(self.session, user_id, assistant_id)
        await plan_anew(self.session)  # years of runs go with it
        await self.session.delete(row)
        await notify_browsers(self.session, user_id, LiveKind.assistant, assistant_id)

    async def _held(self, user_id: UUID) -> Allowance | None:
        return await self.allowing.hold(self.session, user_id, Limit.active_assistants)

    async def _must_have_place(self, allowance: Allowance | None, more: int) -> None:
        """Whether so many more may be active beside those that count already."""
        if allowance and (refusal := await allowance.place_refusal(more)):
            raise refusal

    async def _begin_stretch(self, full: FullAssistant) -> None:
        restretch(full.row, full.status.applied_version if full.status else 0, await database_now(self.session))
        await self.session.flush()

    async def _changed(self, row: Assistant) -> None:
        await notify_browsers(self.session, row.user_id, LiveKind.assistant, row.id)
        if row.active or row.version > 1:
            await wake_reconcile(self.session)

    async def _site(self, user_id: UUID, assistant_id: UUID, website_id: UUID | None) -> UUID | None:
        """The account of the website that it writes for. Raises NotFound; InvalidInput at `website_id`:
        account_disconnected, or website_has_assistant, with that one's name in `by`."""
        if website_id is None:
            return None
        website = await WebsiteRepository(self.session).find(user_id, website_id, lock=True)
        if website is None:
            raise NotFound(what="website", id=str(website_id))
        code, params = None, dict[str, str]()
        if website.account.disconnected_at is not None:
            code = ErrorCode.account_disconnected
        elif other := await self.assistants.of_website(user_id, website_id, beside=assistant_id):
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

    async def _check(self, user_id: UUID, form: AssistantForm) -> None:
        problems = [problem for problem in validate(form.schedule) if not _is_open(form.schedule, problem)]
        if not validate(form.schedule) and most_ahead(form.schedule, form.lead_minutes * 60, utcnow()) > MAX_AHEAD:
            problems.append(FieldError("lead_minutes", ErrorCode.too_many_ahead, maximum=MAX_AHEAD))
        if form.budget and not 0 < form.budget.amount <= MOST[form.budget.unit]:
            problems.append(FieldError("budget.amount", ErrorCode.budget_out_of_range))
        problems += _range("catch_up_minutes", form.catch_up_minutes, 0, MAX_CATCH_UP)
        problems += _range("no_repeat", form.no_repeat, 0, MAX_NO_REPEAT)
        problems += ending_problems(form.ending)
        if len(form.image_media_ids) > MAX_OWN_IMAGES:
            problems.append(FieldError("image_media_ids", ErrorCode.invalid_input, maximum=MAX_OWN_IMAGES))
        if form.veto_minutes is not None and not 1 <= form.veto_minutes <= form.lead_minutes:
            problems.append(FieldError("veto_minutes", ErrorCode.veto_too_long, maximum=form.lead_minutes))
        if problems:
            raise InvalidInput(errors=problems)
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


def _range(field: str, value: int | None, minimum: int, maximum: int) -> list[FieldError]:
    if value is None or minimum <= value <= maximum:
        return []
    return [FieldError(field, ErrorCode.invalid_input, minimum=minimum, maximum=maximum)]


def ending_problems(ending: Ending) -> list[FieldError]:
    """What is wrong with it, by field; hashtags and link are normal already, where they can be."""
    problems = [
        FieldError(f"always_hashtags.{index}", ErrorCode.hashtag_not_usable, value=tag)
        for index, tag in enumerate(ending.always)
        if normal_hashtag(tag) != tag
    ]
    if ending.link and normal_link(ending.link) != ending.link:
        problems.append(FieldError("link", ErrorCode.link_not_usable))
    if ending.hashtags is HashtagPolicy.at_most:
        most = -1 if ending.most_hashtags is None else ending.most_hashtags
        problems += _range("most_hashtags", most, min(len(ending.always), MAX_HASHTAGS), MAX_HASHTAGS)
    if room_for(ending) > MAX_ENDING or len(ending.always) > MAX_HASHTAGS:
        problems.append(FieldError("always_hashtags", ErrorCode.ending_too_long, limit=MAX_ENDING))
    return problems


def _has_no_place(pause: Pause) -> bool:
    """Whether an assistant that pauses so is not among those that count."""
    return pause.reason is ErrorCode.subscription_ended


def _end_pause(row: Assistant) -> None:
    row.paused_at = row.paused_until = row.pause_reason = None


def restretch(row: Assistant, applied_version: int, now: datetime) -> None:
    """Where its schedule, or whether it posts, is another now, this is the moment from which that applies. What its
    workflow has taken over, the last of it excepted, goes."""
    if (pause := row.pause(now)) is None:
        _end_pause(row)  # one that is over
    schedule = schedule_from_json(row.schedule)
    assert schedule is not None  # saving refuses an assistant without one
    known = stretches_of(row)
    goes_on = pause.until if pause else None
    new = stretched(known, row.version, now, schedule, posts=row.active and pause is None, goes_on=goes_on)
    if new == known:
        return
    heard = sum(1 for stretch in new if stretch.version <= applied_version)
    kept = list(new[max(0, heard - 1) :])
    del kept[1 : len(kept) - _MOST_STRETCHES]
    row.stretches = _STRETCHES.dump_python(tuple(kept), mode="json")


def _is_open(schedule: Schedule, problem: FieldError) -> bool:
    """Not filled in yet, which keeps it from being activated but not from being saved; a wrong value does both."""
    if problem.code in (ErrorCode.day_required, ErrorCode.time_slot_required, ErrorCode.time_zone_required):
        return True
    empty = {"schedule.cron": not schedule.cron, "schedule.every_days": schedule.every_days is None}
    empty["schedule.start_date"] = schedule.start_date is None
    return empty.get(problem.field, False)


def _apply(row: Assistant, form: AssistantForm) -> None:
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
