from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, WithJsonSchema

from api.schemas.base import MOST_VARIABLES, ONE_LINE, In, Out, Page, Tag, Value, VariableName
from api.schemas.posts import DeliveryOut
from api.schemas.problems import FieldProblem
from core.domain.assistants import AssistantPhase, ImageSource, Mode, RunState, StepKind, StepState
from core.domain.budgets import BudgetUnit
from core.domain.channels import ChannelKind
from core.domain.errors import ErrorCode
from core.domain.schedules import Frequency, MonthEnd, Schedule
from core.domain.topics import PickFrom, Strategy
from core.models import CallOutcome, TransactionType

TimeSlot = Annotated[str, StringConstraints(max_length=40)]
_PICK_FROM = "Which enabled topics it writes about: those without an enabled subtopic, or all"


class ScheduleIn(In):
    frequency: Frequency
    time_zone: str = Field(max_length=64, description="IANA name", examples=["Europe/Berlin"])
    time_slots: list[TimeSlot] = Field(default_factory=list, max_length=1440, examples=[["09:00", "16:30"]])
    days_of_week: list[int] = Field(default_factory=list, max_length=7, description="1 is Monday")
    days_of_month: list[int] = Field(default_factory=list, max_length=31)
    month_end: MonthEnd = MonthEnd.last_day
    every_days: int | None = None
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = Field(default=None, max_length=200, examples=["30 8 * * 1-5"])

    def to_domain(self) -> Schedule:
        return Schedule(
            frequency=self.frequency,
            time_zone=self.time_zone,
            time_slots=tuple(self.time_slots),
            days_of_week=tuple(self.days_of_week),
            days_of_month=tuple(self.days_of_month),
            month_end=self.month_end,
            every_days=self.every_days,
            start_date=self.start_date,
            end_date=self.end_date,
            cron=self.cron,
        )


class ScheduleOut(Out):
    frequency: Frequency
    time_zone: str
    time_slots: list[str]
    days_of_week: list[int]
    days_of_month: list[int]
    month_end: MonthEnd
    every_days: int | None
    start_date: date | None
    end_date: date | None
    cron: str | None


class OccurrenceOut(Out):
    slot: datetime
    # not the format date-time, which always has an offset (RFC 3339)
    local: Annotated[datetime, WithJsonSchema({"type": "string"})] = Field(
        description="Wall time without an offset", examples=["2026-11-21T09:30:00"]
    )
    offset_minutes: int
    clock_change: int = Field(description="Minutes by which the offset differs from the occurrence before")


class SchedulePreviewOut(Out):
    occurrences: list[OccurrenceOut]
    errors: list[FieldProblem]


class BudgetIn(In):
    unit: BudgetUnit
    amount: int = Field(description="In a calendar month: millionths of the price list's currency, or tokens")


class BudgetOut(Out):
    unit: BudgetUnit
    amount: int = Field(description="Millionths of the currency, or tokens")
    currency: str


class BudgetLeftOut(BudgetOut):
    """Of the month under way."""

    used: int = Field(description="What is reserved for calls under way, too")
    estimated: int = Field(description="Of it, what is not known and taken at the most that it may be")
    left: int
    until: datetime = Field(description="The month's end, where the assistant lives")


class AssistantIn(In):
    name: Annotated[str, Field(max_length=120), ONE_LINE]
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    topic_tree_id: UUID | None = None
    strategy: Strategy = Strategy.least_recent
    pick_from: PickFrom = Field(default=PickFrom.leaves, description=_PICK_FROM)
    template_version_id: UUID | None = None
    image_source: ImageSource = ImageSource.none
    image_template_version_id: UUID | None = None
    variables: dict[VariableName, Value] = Field(default_factory=dict, max_length=MOST_VARIABLES)
    account_ids: list[UUID] = Field(default_factory=list, max_length=50)
    schedule: ScheduleIn
    mode: Mode = Mode.draft
    language: Literal["de", "en"]
    lead_minutes: int = Field(default=15, ge=1, le=10_080)
    budget: BudgetIn | None = Field(default=None, description="What it may spend on models in a month. None: no limit")


class AssistantUpdate(AssistantIn):
    version: int


class PinnedTemplateOut(Out):
    template_id: UUID
    version_id: UUID
    name: str
    number: int
    latest_number: int
    latest_version_id: UUID


class AccountRefOut(Out):
    id: UUID
    kind: ChannelKind
    name: str


class StepOut(Out):
    kind: StepKind
    state: StepState
    attempt: int
    started_at: datetime
    finished_at: datetime | None
    facts: dict[str, str | int | float | bool | None]


class RetryOut(Out):
    """A step that failed and will be tried again, as Temporal tells it."""

    step: str = Field(description="text, image, deliver, …")
    delivery_id: UUID | None
    attempt: int = Field(description="The attempt that comes next")
    max_attempts: int | None
    next_try_at: datetime | None
    code: str
    detail: str


class RunOut(Out):
    id: UUID
    assistant_id: UUID
    slot: datetime
    state: RunState
    reason: str | None
    topic_title: str | None
    post_id: UUID | None
    created_at: datetime
    finished_at: datetime | None
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of the currency; None where a cost is unknown")
    cost_known: bool
    currency: str


class RunFiguresOut(RunOut):
    """What a run came to."""

    time_zone: str = Field(description="IANA name; the slot was meant in it")
    attempts: int | None = Field(
        description="The most that one of its steps or deliveries took; None where nothing was tried"
    )
    published_at: datetime | None = Field(description="When the last of its publishing calls left")
    lateness_ms: int | None = Field(description="From the slot to `published_at`; None where nothing went out")


class ListedRunOut(RunFiguresOut):
    deliveries: list[DeliveryOut]


class RunPage(Page[ListedRunOut]):
    counts: dict[RunState, int] = Field(description="How many there are in each state, whatever the filter")


class RunDetail(RunOut):
    steps: list[StepOut]
    deliveries: list[DeliveryOut]
    retries: list[RetryOut]
    image_url: str | None
    content: str | None


class FailureOut(Out):
    attempt: int = Field(description="From 1; 0 for a delivery that failed while it was staged")
    code: str
    at: datetime


class StepEvidenceOut(StepOut):
    failures: list[FailureOut]


class DeliveryEvidenceOut(DeliveryOut):
    failures: list[FailureOut]


class UsedTemplateOut(Out):
    template_id: UUID
    version_id: UUID
    name: str = Field(description="Its name of today")
    number: int = Field(description="The version's")


class CallOut(Out):
    """One call of a model that cost something, or may have."""

    type: TransactionType
    outcome: CallOutcome
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    images: int
    cost_micros: int | None
    most_micros: int | None = Field(
        description="The most that it may have cost, estimated before it was made: where its cost is not known"
    )
    currency: str
    duration_ms: int
    request_id: str | None
    created_at: datetime


class RunEvidenceOut(RunFiguresOut):
    """All that is kept of a run, its prompts too."""

    mode: Mode | None = Field(description="None for a run that never began")
    wants_image: bool
    topic_path: list[str]
    content: str | None
    image_url: str | None
    steps: list[StepEvidenceOut]
    deliveries: list[DeliveryEvidenceOut]
    calls: list[CallOut]
    text_template: UsedTemplateOut | None
    image_template: UsedTemplateOut | None
    earlier_id: UUID | None = Field(description="The run of the slot before, among those in the asked state")
    later_id: UUID | None


class AssistantStatusOut(Out):
    phase: AssistantPhase
    next_slot: datetime | None
    next_start: datetime | None
    applied_version: int
    pending_change: bool = Field(description="A saved change that the workflow has not taken over yet")
    reason: ErrorCode | None = Field(description="Why it could not plan")
    retry_at: datetime | None = Field(description="When it tries to plan again by itself")
    restarted_at: datetime | None = Field(description="When its workflow was found to be gone, and was started again")
    as_of: datetime


class AssistantOut(Out):
    id: UUID
    name: str
    tags: list[str]
    topic_tree_id: UUID | None
    topic_tree_name: str | None
    strategy: Strategy
    pick_from: PickFrom = Field(description=_PICK_FROM)
    template: PinnedTemplateOut | None
    image_source: ImageSource
    image_template: PinnedTemplateOut | None
    variables: dict[str, str]
    accounts: list[AccountRefOut]
    schedule: ScheduleOut
    mode: Mode
    language: Literal["de", "en"]
    lead_minutes: int
    budget: BudgetOut | None
    active: bool
    version: int
    status: AssistantStatusOut
    last_run: RunOut | None
    open_run: RunOut | None = Field(description="The run that is being worked on, if there is one")
    missing: list[FieldProblem] = Field(description="What keeps it from being activated")
    created_at: datetime
    updated_at: datetime


class AssistantLiveOut(Out):
    """What it does now, when it wakes, and what comes next."""

    assistant: AssistantOut
    run: RunDetail | None = Field(description="The run under way, else the newest one")
    budget_left: BudgetLeftOut | None = Field(description="None of one without a budget")
    earlier_unclear: list[UUID] = Field(
        description="Posts of other runs that nobody knows the outcome of, newest first", examples=[[]]
    )
    occurrences: list[OccurrenceOut]
    now: datetime = Field(description="The server's clock, for countdowns")
    live: bool = Field(description="False where Temporal could not be asked about retries")


class ActivationOut(Out):
    assistant: AssistantOut
    confirmed: bool = Field(description="False: saved, takes effect when the worker is back")
