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
from core.texts.rules.texts import Ending, HashtagPolicy, normal_hashtag, normal_link
from core.topics.rules import PickFrom, Strategy

TimeSlot = Annotated[str, StringConstraints(max_length=40)]
_PICK_FROM = "Which enabled topics it writes about: those without an enabled subtopic, or all"
_IMAGE_FALLBACK = "What becomes of a post whose image cannot be had: it goes without, gets a card, or waits as a draft"


_HOLIDAY_COUNTRY = "ISO 3166-1 code: its public holidays are left out"
_HOLIDAY_REGION = "One of the country's regions; none: what is a holiday in all of the country"
_MOST_PER_DAY = "Of a day's slots the first ones, over all of them"


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
    every_days: int | None = None
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = Field(default=None, max_length=MAX_CRON_LENGTH, examples=["30 8 * * 1-5"])
    most_per_day: int | None = Field(default=None, description=_MOST_PER_DAY)
    left_out_dates: list[DateRangeIn] = Field(
        default_factory=list, max_length=MAX_LEFT_OUT, description="Days without a slot, both ends included"
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
    holiday: str = Field(description="What is celebrated")


class RegionOut(Out):
    code: str
    name: str = Field(description="As it is called there")


class HolidayCalendarOut(Out):
    country: str = Field(description="ISO 3166-1 code")
    regions: list[RegionOut]


class OccurrenceOut(Out):
    slot: datetime
    # not the format date-time, which always has an offset (RFC 3339)
    local: Annotated[datetime, WithJsonSchema({"type": "string"})] = Field(
        description="Wall time without an offset", examples=["2026-11-21T09:30:00"]
    )
    offset_minutes: int
    clock_change: int = Field(description="Minutes by which the offset differs from the occurrence before")


class ComingOut(OccurrenceOut):
    skipped: bool = Field(description="Left out by hand")


class SchedulePreviewOut(Out):
    occurrences: list[OccurrenceOut]
    left_out: list[LeftOutDayOut] = Field(description="Up to the last of the occurrences")
    errors: list[FieldProblem]


class BudgetIn(In):
    unit: BudgetUnit
    amount: int = Field(description="In a calendar month: millionths of the price list's currency, or tokens")


class BudgetOut(Out):
    unit: BudgetUnit
    amount: int = Field(description="Millionths of the currency, or tokens")
    currency: str


class BudgetLeftOut(BudgetOut):
    """The budget of the current month."""

    used: int = Field(description="What is reserved for calls under way, too")
    estimated: int = Field(description="Of it, what is not known and taken at the most that it may be")
    left: int
    until: datetime = Field(description="The month's end, where the assistant lives")


Hashtag = Annotated[str, StringConstraints(max_length=100, strip_whitespace=True)]
_CATCH_UP = "How late a post may still go out; none: as the server has it"
_NO_REPEAT = "Posts within which no topic comes again"


class EndingIn(In):
    """How a text's hashtags are handled, and what is added below it."""

    hashtag_policy: HashtagPolicy = HashtagPolicy.as_written
    most_hashtags: int | None = Field(default=None, description="For `at_most`; those that are always there count too")
    always_hashtags: list[Hashtag] = Field(default_factory=list, max_length=50, examples=[["#bikes"]])
    link: str = Field(default="", max_length=600, examples=["https://example.org/shop"])

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
    text: str = Field(max_length=5000, description="As a model might write it")


class EndingPreviewOut(Out):
    text: str = Field(description="As it would go out")
    room: int = Field(description="Characters that the model leaves for what is put below its text")
    errors: list[FieldProblem]


class AssistantOptionsOut(Out):
    """Values that the assistant form needs for its fields."""

    currency: str = Field(description="Of budgets, and of all costs", examples=["USD"])
    catch_up_minutes: int = Field(description="The server's catch-up window")
    most_catch_up_minutes: int
    no_repeat: int
    most_no_repeat: int
    most_hashtags: int
    most_images: int
    holiday_countries: list[str] = Field(description="ISO 3166-1 codes", examples=[["DE"]])


_WEBSITE = "It writes articles for it, and publishes there alone. None: posts for networks"


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
    image_media_ids: list[UUID] = Field(default_factory=list, max_length=100, description="Its own images, in order")
    image_order: ImageOrder = Field(default=ImageOrder.in_turn, description="How it goes through its own images")
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
        default=DEFAULT_AT_DEADLINE, description="What becomes of a post that nobody has approved in time"
    )
    veto_minutes: int | None = Field(
        default=None,
        ge=1,
        le=LONGEST_VETO,
        description="So long is a post shown before it goes out by itself. None: it is not shown first",
    )
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
    by_hand: bool = Field(description="A person asked for it at `slot`, which is no occurrence of the schedule")
    planned_at: datetime | None = Field(description="When its post goes out: the slot, unless it was moved")
    decide_until: datetime | None = Field(
        description="Its post goes out once somebody approves it, until then, and not at `planned_at`"
    )
    state: RunState
    reason: str | None
    topic_title: str | None
    is_article: bool = Field(description="What it makes is one, and no social post; never of a run that did not begin")
    post_id: UUID | None
    created_at: datetime
    finished_at: datetime | None
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of the currency; None where a cost is unknown")
    cost_known: bool
    currency: str


class RunFiguresOut(RunOut):
    """A run with its results."""

    time_zone: str = Field(description="IANA name; the slot was meant in it")
    attempts: int | None = Field(
        description="The most that one of its steps or deliveries took; None where nothing was tried"
    )
    published_at: datetime | None = Field(description="When the last of its publishing calls left")
    lateness_ms: int | None = Field(
        description="From `planned_at` to `published_at`; None where nothing went out, and of a run asked for by hand"
    )


class ListedRunOut(RunFiguresOut):
    deliveries: list[DeliveryOut]


class RunPage(Page[ListedRunOut]):
    counts: dict[RunState, int] = Field(description="How many there are in each state, whatever the filter")


class RunDetail(RunOut):
    approval: ApprovalOut | None = Field(description="What a person is asked about its post as it is now")
    content_hash: str | None = Field(description="What an approval is bound to")
    steps: list[StepOut]
    deliveries: list[DeliveryOut]
    retries: list[RetryOut]
    image_url: str | None
    content: str | None


class FailureOut(Out):
    attempt: int = Field(description="From 1; 0 for a delivery that failed while it was staged")
    code: str
    at: datetime
    detail: str = Field(default="", description="What the provider said, where that is known")


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
    """One model call that cost something, or may have."""

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


class TextVersionOut(Out):
    """A model's answer during the writing, without its surrounding data."""

    kind: TextKind
    part: int = Field(
        description="Which of an article's sections, from 0; below 0 the second answer for it, counted from -1"
    )
    content: str | None = Field(description="None where there was no answer that could be used")
    reason: ErrorCode | None
    created_at: datetime


class RunEvidenceOut(RunFiguresOut):
    """All stored data of a run, including its prompts."""

    approval: ApprovalOut | None = Field(description="What a person is asked about its post as it is now")
    mode: Mode | None = Field(description="None for a run that never began")
    wants_image: bool
    topic_path: list[str]
    content: str | None
    image_url: str | None
    steps: list[StepEvidenceOut]
    texts: list[TextVersionOut] = Field(description="In the order in which they came")
    deliveries: list[DeliveryEvidenceOut]
    calls: list[CallOut]
    text_template: UsedTemplateOut | None
    image_template: UsedTemplateOut | None
    earlier_id: UUID | None = Field(description="The run of the slot before, among those in the asked state")
    later_id: UUID | None


class PauseIn(In):
    until: Moment | None = Field(default=None, description="At most 366 days ahead. None: until it is resumed")


class PauseOut(Out):
    since: datetime
    until: datetime | None
    reason: ErrorCode | None = Field(description="It paused itself for it; None where a person did")


class RunNowIn(In):
    request_id: UUID = Field(description="The client's own: asked again with the same, it is the same run")


class RunNowOut(Out):
    run_id: UUID


class SkipIn(In):
    slot: Moment = Field(description="The next one, as the client saw it")


class SkipOut(Out):
    slot: datetime
    undo_until: datetime | None = Field(description="When its run would have begun; None where that had, and ended")


class AssistantStatusOut(Out):
    phase: AssistantPhase
    next_slot: datetime | None
    next_start: datetime | None
    applied_version: int
    pending_change: bool = Field(description="A saved change that the workflow has not taken over yet")
    reason: ErrorCode | None = Field(description="Why it could not plan, or why it paused itself")
    retry_at: datetime | None = Field(description="When it tries to plan again by itself")
    restarted_at: datetime | None = Field(description="When its workflow was found to be gone, and was started again")
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
    image_media_ids: list[UUID] = Field(description="Its own images in order, also those removed from the gallery")
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
    pause: PauseOut | None = Field(description="The one that holds now; None of an inactive one")
    version: int
    status: AssistantStatusOut
    last_run: RunOut | None
    open_run: RunOut | None = Field(description="The run that is being worked on, if there is one")
    missing: list[FieldProblem] = Field(description="What keeps it from being activated")
    demo_writer: bool = Field(description="Its texts are sample texts: no model is configured")
    asks_about_demo: bool = Field(
        description="A person is asked before such a text goes to a real network, whatever `mode` says"
    )
    created_at: datetime
    updated_at: datetime


class AssistantLiveOut(Out):
    """The assistant's current work, when it wakes, and what comes next."""

    assistant: AssistantOut
    run: RunDetail | None = Field(description="The run under way, else the newest one")
    budget_left: BudgetLeftOut | None = Field(description="None of one without a budget")
    earlier_unclear: list[UUID] = Field(
        description="Posts of other runs that nobody knows the outcome of, newest first", examples=[[]]
    )
    occurrences: list[ComingOut] = Field(description="From the end of a pause on; none in one without an end")
    left_out: list[LeftOutDayOut] = Field(description="Up to the last of the occurrences")
    next_slot: datetime | None = Field(description="The earliest that is not published: what skipping would leave out")
    now: datetime = Field(description="The server's clock, for countdowns")
    live: bool = Field(description="False where Temporal could not be asked about retries")


class ActivationOut(Out):
    assistant: AssistantOut
    confirmed: bool = Field(description="False: saved, takes effect when the worker is back")
