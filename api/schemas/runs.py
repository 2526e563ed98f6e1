from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field, field_validator

from api.schemas.base import Out, Page
from api.schemas.posts import ApprovalOut, DeliveryOut, FirstFileOut, ReviewNoteOut
from core.ai.tables.transactions import CallOutcome, TransactionType
from core.assistants.rules.assistants import Mode, RunState, StepKind, StepState, TextKind
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind


def single_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts without lists and objects: refused texts are kept for the writer, and what concerns single
    networks or passages has fields of its own."""
    return {name: fact for name, fact in facts.items() if not isinstance(fact, list | dict)}


class StepOut(Out):
    kind: StepKind
    state: StepState
    attempt: int
    started_at: datetime
    finished_at: datetime | None
    facts: dict[str, str | int | float | bool | None]

    @field_validator("facts", mode="before")
    @classmethod
    def _only_single(cls, facts: dict[str, Any]) -> dict[str, Any]:
        return single_facts(facts)


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
    moved: bool = Field(description="Whether a person has set another time than the slot, which may have been now")
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
        description=(
            "Milliseconds from `planned_at` to `published_at`; null: not published, or a person has started the run or "
            "set another time"
        )
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
    first_file: FirstFileOut | None = Field(description="Of its post; null: no files")
    content: str | None


class FailureOut(Out):
    attempt: int = Field(description="Number of the attempt, from 1; 0: preparing the delivery failed")
    code: str
    at: datetime
    detail: str = Field(default="", description="The provider's message, if known")


class NetworkFactsOut(Out):
    """How the text of one network was made."""

    channel: ChannelKind
    facts: dict[str, str | int | float | bool | None]


class StepEvidenceOut(StepOut):
    failures: list[FailureOut]
    networks: list[NetworkFactsOut] = Field(
        default=[], description="By network, if each has a text of its own; `facts` are of all texts"
    )


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
        description=(
            "Section of an article, or network of a post, from 0; negative: the second answer for it, counted from -1"
        )
    )
    channel: ChannelKind | None = Field(
        default=None, description="The network that the text is for; null: all, or a part of an article"
    )
    content: str | None = Field(description="null: no usable answer")
    reason: ErrorCode | None
    created_at: datetime


class RunEvidenceOut(RunFiguresOut):
    """All stored data of a run, including its prompts."""

    approval: ApprovalOut | None = Field(description="Approval of the post's current content")
    by_link: bool = Field(description="Whether the approval was answered by the link of its mail")
    edited: bool = Field(description="Whether a person has changed the post's text; false for articles")
    brand: str | None = Field(description="Name of the brand that the text was written for; null: none")
    mode: Mode | None = Field(description="null: the run never began")
    wants_image: bool
    topic_path: list[str]
    content: str | None
    first_file: FirstFileOut | None = Field(description="Of its post; null: no files")
    steps: list[StepEvidenceOut]
    texts: list[TextVersionOut] = Field(description="The model's answers, earliest first")
    found: list[ReviewNoteOut] = Field(description="What the second look found in the texts before they were revised")
    deliveries: list[DeliveryEvidenceOut]
    calls: list[CallOut]
    text_template: UsedTemplateOut | None
    image_template: UsedTemplateOut | None
    earlier_id: UUID | None = Field(description="Run of the previous slot that matches the `state` filter")
    later_id: UUID | None
