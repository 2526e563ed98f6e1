"""Saving assistants, and the rules for activating them."""

from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from core.database import notify_browsers, plan_anew, wake_reconcile
from core.domain.assistants import AssistantPhase, Configured, ImageSource, Mode, missing
from core.domain.budgets import MOST, Budget
from core.domain.errors import Conflict, ErrorCode, FieldError, InvalidInput, Unavailable
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.schedules import MAX_AHEAD, Schedule, Stretch, most_ahead, validate
from core.domain.templates import TemplateType
from core.domain.topics import PickFrom, Strategy
from core.models import Assistant
from core.models.base import utcnow
from core.providers.channels import channel
from core.repositories.assistants import AssistantRepository, FullAssistant
from core.repositories.templates import TemplateRepository
from core.repositories.topics import TopicRepository
from core.services.base import InTransaction
from core.services.outcomes import cancel_prepared, must_not_be_armed

_SCHEDULE = TypeAdapter(Schedule)
_STRETCHES = TypeAdapter(tuple[Stretch, ...])
# edits that a workflow away may not have heard of; beyond it the oldest but the first are let go
_MOST_STRETCHES = 100


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
    budget: Budget | None = None


def what_is_missing(full: FullAssistant) -> list[FieldError]:
    row = full.row
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
            needs_image=any(channel(account.kind).limits.needs_image for account in full.accounts),
            publishes=row.mode is Mode.automatic,
        )
    )


class ConfiguringService(InTransaction):
    """Every change raises the row's version; whoever called tells the workflow after the commit."""

    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session)
        self.assistants = AssistantRepository(session)

    async def create(self, user_id: UUID, form: AssistantForm) -> FullAssistant:
        """An incomplete one may be saved, a wrong one may not: raises InvalidInput with all that is wrong."""
        await self._check(user_id, form)
        row = Assistant(id=new_id(), user_id=user_id)
        _apply(row, form)
        self.session.add(row)
        await self.session.flush()
        await self.assistants.set_accounts(user_id, row.id, form.account_ids)
        await notify_browsers(self.session, user_id, LiveKind.assistant, row.id)
        return await self.assistants.get(user_id, row.id)

    async def update(self, user_id: UUID, assistant_id: UUID, version: int, form: AssistantForm) -> FullAssistant:
        """An active one must stay complete: raises InvalidInput (assistant_incomplete) with what would be missing."""
        await self._check(user_id, form)
        row = await self.assistants.locked_at_version(user_id, assistant_id, version)
        _apply(row, form)
        row.version += 1
        await self.session.flush()
        await self.assistants.set_accounts(user_id, row.id, form.account_ids)
        full = await self.assistants.get(user_id, row.id)
        if row.active and (problems := what_is_missing(full)):
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
        await self._begin_stretch(full)
        await self._changed(row)
        return full

    async def activate(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        """Raises InvalidInput (assistant_incomplete) with everything that is missing."""
        row = await self.assistants.locked(user_id, assistant_id)
        if not row.active:
            full = await self.assistants.get(user_id, assistant_id)
            if problems := what_is_missing(full):
                raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
            row.active = True
            row.version += 1
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
            await self.session.flush()
            await self._begin_stretch(await self.assistants.get(user_id, assistant_id))
            await self.assistants.set_phase(user_id, assistant_id, AssistantPhase.inactive)
            await self._changed(row)
        return await self.assistants.get(user_id, assistant_id)

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
        await must_not_be_armed(self.session, user_id, assistant_id)
        await plan_anew(self.session)  # years of runs go with it
        await self.session.delete(row)
        await notify_browsers(self.session, user_id, LiveKind.assistant, assistant_id)

    async def _begin_stretch(self, full: FullAssistant) -> None:
        """Where its schedule or activity is another now, this is the moment from which it applies."""
        row, known = full.row, list(full.row.stretches)
        if not row.active and not (known and known[-1]["active"]):
            return  # it was not to post before, and it is not now
        if known and (known[-1]["schedule"], known[-1]["active"]) == (row.schedule, row.active):
            return
        schedule = schedule_from_json(row.schedule)
        assert schedule is not None  # saving refuses an assistant without one
        new = Stretch(row.version, await self.assistants.now(), schedule, row.active)
        applied = full.status.applied_version if full.status else 0
        heard = sum(1 for stretch in known if stretch["version"] <= applied)
        known = [*known[max(0, heard - 1) :], *_STRETCHES.dump_python((new,), mode="json")]
        del known[1 : len(known) - _MOST_STRETCHES]
        row.stretches = known
        await self.session.flush()

    async def _changed(self, row: Assistant) -> None:
        await notify_browsers(self.session, row.user_id, LiveKind.assistant, row.id)
        if row.active or row.version > 1:
            await wake_reconcile(self.session)

    async def _check(self, user_id: UUID, form: AssistantForm) -> None:
        problems = [problem for problem in validate(form.schedule) if not _is_open(form.schedule, problem)]
        if not form.name:
            problems.insert(0, FieldError("name", ErrorCode.name_required))
        if not validate(form.schedule) and most_ahead(form.schedule, form.lead_minutes * 60, utcnow()) > MAX_AHEAD:
            problems.append(FieldError("lead_minutes", ErrorCode.too_many_ahead, maximum=MAX_AHEAD))
        if form.budget and not 0 < form.budget.amount <= MOST[form.budget.unit]:
            problems.append(FieldError("budget.amount", ErrorCode.budget_out_of_range))
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


def _is_open(schedule: Schedule, problem: FieldError) -> bool:
    """Not filled in yet, which keeps it from being activated but not from being saved; a wrong value does both."""
    if problem.code in (ErrorCode.day_required, ErrorCode.time_slot_required):
        return True
    empty = {"schedule.cron": not schedule.cron, "schedule.every_days": schedule.every_days is None}
    empty["schedule.start_date"] = schedule.start_date is None
    return empty.get(problem.field, False)


def _apply(row: Assistant, form: AssistantForm) -> None:
    values = asdict(form)
    for name in ("account_ids", "budget", "schedule", "tags"):
        del values[name]
    for name, value in values.items():
        setattr(row, name, value)
    row.budget_unit = form.budget.unit if form.budget else None
    row.budget_amount = form.budget.amount if form.budget else None
    row.tags = list(form.tags)
    row.schedule = schedule_to_json(form.schedule)
