from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import MOST_VARIABLES, ONE_LINE, In, Moment, Out, Tag, Value, VariableName
from api.schemas.problems import FieldProblem
from api.schemas.runs import RunDetail, RunOut
from api.schemas.schedules import ComingOut, LeftOutDayOut, ScheduleIn, ScheduleOut
from core.approvals.rules import DEFAULT_AT_DEADLINE, LONGEST_VETO, AtDeadline
from core.assistants.rules.assistants import (
    AssistantPhase,
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    SecondLook,
    TextPer,
    TopicLink,
)
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.rules.limits import DEFAULT_LEAD, DEFAULT_NO_REPEAT, MAX_LEAD
from core.errors import ErrorCode
from core.languages import Language
from core.networks.rules.channels import AccountState, ChannelKind
from core.texts.rules.endings import MAX_LINK, Ending, HashtagPolicy, normal_hashtag, normal_link
from core.topics.rules import PickFrom, Strategy

_PICK_FROM = "Which enabled topics the assistant writes about: those without an enabled subtopic, or all"
_IMAGE_FALLBACK = "If no image can be made: publish without it, use a card, or keep the post as a draft"


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


_BRAND = "Brand that the assistant writes for; null: the template's, if that has one"
_TEXT_PER = "Whether all networks get the same text, or each its own with the same message"
_TOPIC_LINK = "Whether the link of a topic from a feed stands below the text, in place of the assistant's own link"
_SECOND_LOOK = "What happens to a text once it is written: nothing, a check by rules, or also one revision by the model"
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
    brand_id: UUID | None = Field(default=None, description=_BRAND)
    text_per: TextPer = Field(default=TextPer.network, description=_TEXT_PER)
    second_look: SecondLook = Field(default=SecondLook.revision, description=_SECOND_LOOK)
    topic_link: TopicLink = Field(default=TopicLink.none, description=_TOPIC_LINK)
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
    brand_id: UUID | None = Field(description=_BRAND)
    text_per: TextPer = Field(description=_TEXT_PER)
    second_look: SecondLook = Field(description=_SECOND_LOOK)
    topic_link: TopicLink = Field(description=_TOPIC_LINK)
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
