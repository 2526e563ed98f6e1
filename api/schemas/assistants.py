from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints, WithJsonSchema, field_validator

from api.schemas.base import MOST_VARIABLES, ONE_LINE, In, Moment, Out, Page, Tag, Value, VariableName
from api.schemas.posts import ApprovalOut, DeliveryOut
from api.schemas.problems import FieldProblem
from core.ai.tables.transactions import CallOutcome, TransactionType
from core.approvals.rules import DEFAULT_AT_DEADLINE, LONGEST_VETO, AtDeadline
from core.assistants.rules.assistants import (
    AssistantPhase,
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    RunState,
    StepKind,
    StepState,
    TextKind,
)
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.rules.limits import DEFAULT_LEAD, DEFAULT_NO_REPEAT, MAX_LEAD
from core.assistants.rules.occurrences import LeftOutReason
from core.assistants.rules.schedules import (
    MAX_CRON_LENGTH,
    MAX_EVERY_DAYS,
    MAX_LEFT_OUT,
    MAX_PER_DAY,
    DateRange,
    Frequency,
    MonthEnd,
    Schedule,
)
from core.errors import ErrorCode
from core.languages import Language
from core.networks.rules.channels import AccountState, ChannelKind
from core.texts.rules.texts import MAX_LINK, Ending, HashtagPolicy, normal_hashtag, normal_link
from core.topics.rules import PickFrom, Strategy

TimeSlot = Annotated[str, StringConstraints(max_length=40)]
_PICK_FROM = "Which enabled topics the assistant writes about: those without an enabled subtopic, or all"
_IMAGE_FALLBACK = "If no image can be made: publish without it, use a card, or keep the post as a draft"


_HOLIDAY_COUNTRY = "ISO 3166-1 code of the country whose public holidays are left out"
_HOLIDAY_REGION = "Region whose holidays are left out too; null: only those of the whole country"
_MOST_PER_DAY = "Slots per day at most; the earliest ones are kept"


class DateRangeIn(In):
    first: date
    last: date


class DateRangeOut(Out):
    first: date
    last: date


class ScheduleIn(In):
    frequency: Frequency
    time_zone: str = Field(max_length=64, description="IANA name", examples=["Europe/Berlin"])
    time_slots: list[TimeSlot] = Field(default_factory=list, max_length=MAX_PER_DAY, examples=[["09:00", "16:30"]])
    days_of_week: list[int] = Field(default_factory=list, max_length=7, description="1 is Monday")
    days_of_month: list[int] = Field(default_factory=list, max_length=31)
    month_end: MonthEnd = MonthEnd.last_day
    every_days: int | None = Field(default=None, json_schema_extra={"minimum": 1, "maximum": MAX_EVERY_DAYS})
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = Field(default=None, max_length=MAX_CRON_LENGTH, examples=["30 8 * * 1-5"])
    most_per_day: int | None = Field(
        default=None, description=_MOST_PER_DAY, json_schema_extra={"minimum": 1, "maximum": MAX_PER_DAY}
    )
    left_out_dates: list[DateRangeIn] = Field(
        default_factory=list, max_length=MAX_LEFT_OUT, description="Days without a slot, first and last included"
    )
    holiday_country: str | None = Field(default=None, max_length=2, description=_HOLIDAY_COUNTRY, examples=["DE"])
    holiday_region: str | None = Field(default=None, max_length=40, description=_HOLIDAY_REGION, examples=["BY"])

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
            most_per_day=self.most_per_day,
            left_out_dates=tuple(DateRange(one.first, one.last) for one in self.left_out_dates),
            holiday_country=self.holiday_country,
            holiday_region=self.holiday_region,
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
    most_per_day: int | None = Field(description=_MOST_PER_DAY)
    left_out_dates: list[DateRangeOut]
    holiday_country: str | None = Field(description=_HOLIDAY_COUNTRY)
    holiday_region: str | None = Field(description=_HOLIDAY_REGION)


class LeftOutDayOut(Out):
    """A day of the schedule without a post; for `day_full`, a day without one or more of its times."""

    day: date
    reason: LeftOutReason
    holiday: str = Field(description="Name of the holiday")


class RegionOut(Out):
    code: str
    name: str = Field(description="Name in the country's language")


class HolidayCalendarOut(Out):
    country: str = Field(description="ISO 3166-1 code")
    regions: list[RegionOut]


class OccurrenceOut(Out):
    slot: datetime
    # not the format date-time, which always has an offset (RFC 3339)
    local: Annotated[datetime, WithJsonSchema({"type": "string"})] = Field(
        description="Local time without an offset", examples=["2026-11-21T09:30:00"]
    )
    offset_minutes: int
    clock_change: int = Field(description="Minutes by which the offset differs from the previous occurrence's")


class ComingOut(OccurrenceOut):
    skipped: bool = Field(description="Skipped by a person")


class SchedulePreviewOut(Out):
    occurrences: list[OccurrenceOut]
    left_out: list[LeftOutDayOut] = Field(description="Days left out before the last occurrence")
    errors: list[FieldProblem]


class BudgetIn(In):
    unit: BudgetUnit
    amount: int = Field(description="Per calendar month: millionths of the price list's currency, or tokens")


class BudgetOut(Out):
    unit: BudgetUnit
    amount: int = Field(description="Millionths of the currency, or tokens")
    currency: str


class BudgetLeftOut(BudgetOut):
    """The budget of the current month."""

    used: int = Field(description="Usage including what is reserved for calls in progress")
    estimated: int = Field(description="Part of `used` for calls of unknown usage, counted at their maximum")
    left: int
    until: datetime = Field(description="End of the month in the assistant's time zone")


Hashtag = Annotated[str, StringConstraints(max_length=100, strip_whitespace=True)]
_CATCH_UP = "Minutes after its slot in which a late post is still published; null: the server's value"
_NO_REPEAT = "Number of latest posts whose topics are not used again"


class EndingIn(In):
    """How a text's hashtags are handled, and what is added below it."""

    hashtag_policy: HashtagPolicy = HashtagPolicy.as_written
    most_hashtags: int | None = Field(default=None, description="Maximum for `at_most`, including `always_hashtags`")
    always_hashtags: list[Hashtag] = Field(default_factory=list, max_length=50, examples=[["#bikes"]])
    link: str = Field(
        default="",
        max_length=600,
        examples=["https://example.org/shop"],
        json_schema_extra={"maxLength": MAX_LINK},
    )

    def to_ending(self) -> Ending:
        """Return the ending with a # added to hashtags and a scheme to the link, if missing."""
        typed = [normal_hashtag(tag) or tag for tag in self.always_hashtags if tag]
        tags = {tag.casefold(): tag for tag in reversed(typed)}
        return Ending(
            self.hashtag_policy,
            self.most_hashtags if self.hashtag_policy is HashtagPolicy.at_most else None,
            tuple(reversed(tags.values())),
            normal_link(self.link) or self.link.strip(),
        )


class EndingPreviewIn(EndingIn):
    text: str = Field(max_length=5000, description="Text as a model might write it")


class EndingPreviewOut(Out):
    text: str = Field(description="Text as it would be published")
    room: int = Field(description="Characters reserved for what is added below the model's text")
    errors: list[FieldProblem]


class AssistantOptionsOut(Out):
    """Values that the assistant form needs for its fields."""

    currency: str = Field(description="Currency of budgets and costs, ISO 4217", examples=["USD"])
    catch_up_minutes: int = Field(description="The server's catch-up window")
    most_catch_up_minutes: int
    no_repeat: int
    most_no_repeat: int
    most_hashtags: int
    most_images: int
    holiday_countries: list[str] = Field(description="ISO 3166-1 codes", examples=[["DE"]])


_WEBSITE = "Website for which the assistant writes articles; null: it writes social posts"


class AssistantIn(EndingIn):
    name: Annotated[str, Field(max_length=120), ONE_LINE]
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    website_id: UUID | None = Field(default=None, description=_WEBSITE)
    topic_tree_id: UUID | None = None
    strategy: Strategy = Strategy.least_recent
    pick_from: PickFrom = Field(default=PickFrom.leaves, description=_PICK_FROM)
    template_version_id: UUID | None = None
    image_source: ImageSource = ImageSource.none
    image_template_version_id: UUID | None = None
    image_media_ids: list[UUID] = Field(default_factory=list, max_length=100, description="Own images, in order")
    image_order: ImageOrder = Field(default=ImageOrder.in_turn, description="Order in which own images are used")
    no_repeat: int = Field(default=DEFAULT_NO_REPEAT, description=_NO_REPEAT)
    image_fallback: ImageFallback = Field(default=ImageFallback.ask, description=_IMAGE_FALLBACK)
    variables: dict[VariableName, Value] = Field(default_factory=dict, max_length=MOST_VARIABLES)
    account_ids: list[UUID] = Field(default_factory=list, max_length=50)
    schedule: ScheduleIn
    mode: Mode = Mode.draft
    language: Language
    lead_minutes: int = Field(default=DEFAULT_LEAD, ge=1, le=MAX_LEAD)
    catch_up_minutes: int | None = Field(default=None, description=_CATCH_UP)
    at_deadline: AtDeadline = Field(
        default=DEFAULT_AT_DEADLINE, description="What happens to a post if nobody answers in time"
    )
    veto_minutes: int | None = Field(
        default=None,
        ge=1,
        le=LONGEST_VETO,
        description="Minutes for which a post is shown before it is published without an approval; null: not shown",
    )
    budget: BudgetIn | None = Field(default=None, description="Maximum usage of models per month; null: no limit")


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
    state: AccountState


class WebsiteRefOut(Out):
    id: UUID
    name: str


class StepOut(Out):
    kind: StepKind
    state: StepState
    attempt: int
    started_at: datetime
    finished_at: datetime | None
    facts: dict[str, str | int | float | bool | None]

    @field_validator("facts", mode="before")
    @classmethod
    def _without_texts(cls, facts: dict[str, Any]) -> dict[str, Any]:
        """Leave out refused texts: they are kept for the writer, and the prompt shows the last one."""
        return {name: fact for name, fact in facts.items() if name != "refused"}


class RetryOut(Out):
    """A failed step that will be retried, as reported by Temporal."""

    step: str = Field(description="Step such as text, image or deliver")
    delivery_id: UUID | None
    attempt: int = Field(description="Number of the next attempt")
    max_attempts: int | None
    next_try_at: datetime | None
    code: str
    detail: str


class RunOut(Out):
    id: UUID
    assistant_id: UUID
    slot: datetime
    by_hand: bool = Field(description="Whether a person started the run, so that `slot` is not in the schedule")
    planned_at: datetime | None = Field(description="When the post is published: at the slot, unless it was moved")
    decide_until: datetime | None = Field(
        description="Deadline of an approval that publishes the post at once instead of at `planned_at`"
    )
    state: RunState
    reason: str | None
    topic_title: str | None
    is_article: bool = Field(description="Whether the run makes an article; false for a run that did not begin")
    post_id: UUID | None
    created_at: datetime
    finished_at: datetime | None
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of the currency; null: at least one cost is unknown")
    cost_known: bool
    currency: str


class RunFiguresOut(RunOut):
    """A run with its results."""

    time_zone: str = Field(description="IANA name of the slot's time zone")
    attempts: int | None = Field(
        description="Highest number of attempts of a step or delivery; null: nothing was attempted"
    )
    published_at: datetime | None = Field(description="When the last publishing call was sent")
    lateness_ms: int | None = Field(
        description="Milliseconds from `planned_at` to `published_at`; null: not published, or started by a person"
    )


class ListedRunOut(RunFiguresOut):
    deliveries: list[DeliveryOut]


class RunPage(Page[ListedRunOut]):
    counts: dict[RunState, int] = Field(description="Number of runs per state, without the state filter")


class RunDetail(RunOut):
    approval: ApprovalOut | None = Field(description="Approval of the post's current content")
    content_hash: str | None = Field(description="Hash that an approval has to name")
    steps: list[StepOut]
    deliveries: list[DeliveryOut]
    retries: list[RetryOut]
    image_url: str | None
    content: str | None


class FailureOut(Out):
    attempt: int = Field(description="Number of the attempt, from 1; 0: preparing the delivery failed")
    code: str
    at: datetime
    detail: str = Field(default="", description="The provider's message, if known")


class StepEvidenceOut(StepOut):
    failures: list[FailureOut]


class DeliveryEvidenceOut(DeliveryOut):
    failures: list[FailureOut]


class UsedTemplateOut(Out):
    template_id: UUID
    version_id: UUID
    name: str = Field(description="The template's current name")
    number: int = Field(description="Number of the version")


class CallOut(Out):
    """One model call that cost something, or may have."""

    type: TransactionType
    outcome: CallOutcome
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    images: int
    cost_micros: int | None
    most_micros: int | None = Field(description="Estimated maximum cost if the cost is unknown, in millionths")
    currency: str
    duration_ms: int
    request_id: str | None
    created_at: datetime


class TextVersionOut(Out):
    """A model's answer during the writing, without its surrounding data."""

    kind: TextKind
    part: int = Field(
        description="Section of an article, from 0; negative: the second answer for a section, counted from -1"
    )
    content: str | None = Field(description="null: no usable answer")
    reason: ErrorCode | None
    created_at: datetime


class RunEvidenceOut(RunFiguresOut):
    """All stored data of a run, including its prompts."""

    approval: ApprovalOut | None = Field(description="Approval of the post's current content")
    mode: Mode | None = Field(description="null: the run never began")
    wants_image: bool
    topic_path: list[str]
    content: str | None
    image_url: str | None
    steps: list[StepEvidenceOut]
    texts: list[TextVersionOut] = Field(description="The model's answers, earliest first")
    deliveries: list[DeliveryEvidenceOut]
    calls: list[CallOut]
    text_template: UsedTemplateOut | None
    image_template: UsedTemplateOut | None
    earlier_id: UUID | None = Field(description="Run of the previous slot that matches the `state` filter")
    later_id: UUID | None


class PauseIn(In):
    until: Moment | None = Field(default=None, description="At most 366 days ahead; null: until a person resumes")


class PauseOut(Out):
    since: datetime
    until: datetime | None
    reason: ErrorCode | None = Field(description="Why the assistant paused itself; null: a person paused it")


class RunNowIn(In):
    request_id: UUID = Field(description="Id chosen by the client; a repeated call starts no second run")


class RunNowOut(Out):
    run_id: UUID


class SkipIn(In):
    slot: Moment = Field(description="The next slot, as the client saw it")


class SkipOut(Out):
    slot: datetime
    undo_until: datetime | None = Field(description="When the slot's run would have begun; null: it had begun")


class AssistantStatusOut(Out):
    phase: AssistantPhase
    next_slot: datetime | None
    next_start: datetime | None
    applied_version: int
    pending_change: bool = Field(description="Whether a saved change has not reached the workflow yet")
    reason: ErrorCode | None = Field(description="Why planning failed, or why the assistant paused itself")
    retry_at: datetime | None = Field(description="When planning is retried")
    restarted_at: datetime | None = Field(description="When the lost workflow was started again")
    as_of: datetime


class AssistantOut(Out):
    id: UUID
    name: str
    tags: list[str]
    website: WebsiteRefOut | None = Field(description=_WEBSITE)
    topic_tree_id: UUID | None
    topic_tree_name: str | None
    strategy: Strategy
    pick_from: PickFrom = Field(description=_PICK_FROM)
    template: PinnedTemplateOut | None
    image_source: ImageSource
    image_template: PinnedTemplateOut | None
    image_media_ids: list[UUID] = Field(description="Own images in order, including those removed from the gallery")
    image_order: ImageOrder
    no_repeat: int = Field(description=_NO_REPEAT)
    hashtag_policy: HashtagPolicy
    most_hashtags: int | None
    always_hashtags: list[str]
    link: str
    image_fallback: ImageFallback = Field(description=_IMAGE_FALLBACK)
    variables: dict[str, str]
    accounts: list[AccountRefOut]
    schedule: ScheduleOut
    mode: Mode
    language: Language
    lead_minutes: int
    catch_up_minutes: int | None = Field(description=_CATCH_UP)
    at_deadline: AtDeadline
    veto_minutes: int | None
    budget: BudgetOut | None
    active: bool
    pause: PauseOut | None = Field(description="The current pause; null if the assistant is inactive")
    version: int
    status: AssistantStatusOut
    last_run: RunOut | None
    open_run: RunOut | None = Field(description="The run in progress")
    missing: list[FieldProblem] = Field(description="What has to be completed before activation")
    demo_writer: bool = Field(description="Whether the texts are sample texts because no model is configured")
    asks_about_demo: bool = Field(
        description="Whether sample texts for a real network need an approval, whatever `mode` says"
    )
    created_at: datetime
    updated_at: datetime


class AssistantLiveOut(Out):
    """The assistant's current work, when it wakes, and what comes next."""

    assistant: AssistantOut
    run: RunDetail | None = Field(description="The run in progress, else the newest one")
    budget_left: BudgetLeftOut | None = Field(description="null: no budget")
    earlier_unclear: list[UUID] = Field(
        description="Posts of other runs whose outcome is unknown, newest first", examples=[[]]
    )
    occurrences: list[ComingOut] = Field(description="Occurrences after the end of a pause; none if it has no end")
    left_out: list[LeftOutDayOut] = Field(description="Days left out before the last occurrence")
    next_slot: datetime | None = Field(description="The earliest unpublished slot, which a skip would leave out")
    now: datetime = Field(description="The server's time, for countdowns")
    live: bool = Field(description="false: Temporal could not be asked about retries")


class ActivationOut(Out):
    assistant: AssistantOut
    confirmed: bool = Field(description="false: saved, takes effect when the worker is available")
