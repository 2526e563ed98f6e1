from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out, Page
from core.ai.repositories.transaction_lists import CauseKind
from core.ai.tables.transactions import CallOutcome, TransactionType


class TransactionOut(Out):
    """A model call. Unknown values are null, never 0."""

    id: UUID
    created_at: datetime = Field(description="When the call began")
    type: TransactionType
    outcome: CallOutcome = Field(description="calling: in progress; lost: the outcome is unknown")
    provider: str = Field(examples=["openai"])
    model: str = Field(examples=["gpt-6-luna"])
    input_tokens: int | None = Field(description="Including cached tokens", examples=[610])
    cached_tokens: int | None = Field(examples=[0])
    output_tokens: int | None = Field(examples=[142])
    images: int = Field(description="Number of images made", examples=[0])
    cost_micros: int | None = Field(description="Millionths of the currency", examples=[132])
    most_micros: int | None = Field(
        description="Estimated maximum cost before the call, in millionths", examples=[1450]
    )
    currency: str = Field(description="ISO 4217", examples=["USD"])
    duration_ms: int = Field(examples=[2140])
    cause: CauseKind = Field(description="What the call was for, even if that was deleted")
    assistant_id: UUID | None = Field(description="Assistant whose budget pays")
    assistant_name: str | None
    post_id: UUID | None
    post_title: str | None = Field(description="The topic, or the beginning of the text")
    is_article: bool | None = Field(description="Whether the post is an article; null: deleted", examples=[False])
    template_id: UUID | None = Field(description="Template tried out or used for a post")
    template_name: str | None
    tree_id: UUID | None = Field(description="Topic tree for which subtopics were suggested")
    tree_name: str | None


class LongContextOut(Out):
    over_input_tokens: int = Field(description="The factors apply above this number", examples=[272_000])
    input_factor: str = Field(examples=["2"])
    output_factor: str = Field(examples=["1.5"])


class PriceOut(Out):
    """Price per million tokens, as decimals."""

    since: date = Field(description="First day of the price", examples=["2026-11-01"])
    input: str = Field(examples=["0.10"])
    cached_input: str | None = Field(description="null: same as input", examples=["0.01"])
    output: str = Field(examples=["0.50"])
    long_context: LongContextOut | None


class TransactionDetailOut(TransactionOut):
    price: PriceOut | None = Field(description="Price used for the cost; null: no price was known")
    request_id: str | None = Field(description="The provider's id of the call", examples=["req_8f2"])
    most_input_tokens: int | None = Field(description="Estimate before the call", examples=[900])
    most_output_tokens: int | None = Field(description="Estimate before the call", examples=[2700])


class TransactionPage(Page[TransactionOut]):
    first_day: date = Field(description="First day of the period, in the user's time zone", examples=["2026-11-01"])
    last_day: date = Field(description="Last day of the period, included", examples=["2026-11-25"])


class SumOut(Out):
    """Sums over finished calls."""

    calls: int = Field(examples=[214])
    failed: int = Field(description="Calls without a usable result", examples=[3])
    input_tokens: int = Field(description="Known input tokens", examples=[130_540])
    cached_tokens: int = Field(description="Cached tokens among the input tokens", examples=[0])
    output_tokens: int = Field(description="Known output tokens", examples=[30_388])
    images: int = Field(examples=[41])
    cost_micros: int | None = Field(
        description="Known cost in millionths; null: there are calls, and none has a known cost", examples=[7_420_000]
    )
    uncounted: int = Field(description="Calls with unknown tokens", examples=[0])
    unpriced: int = Field(description="Calls with unknown cost", examples=[0])


class DaySumOut(SumOut):
    day: date = Field(description="Day in the user's time zone", examples=["2026-11-21"])


class TypeSumOut(SumOut):
    type: TransactionType


class ModelSumOut(SumOut):
    provider: str = Field(examples=["openai"])
    model: str = Field(examples=["gpt-6-luna"])


class AssistantSumOut(SumOut):
    assistant_id: UUID | None = Field(description="null: no assistant, or a deleted one")
    assistant_name: str | None = Field(examples=["Commuter tips"])


class TransactionTotalsOut(SumOut):
    currency: str = Field(description="ISO 4217", examples=["USD"])
    first_day: date = Field(examples=["2026-11-01"])
    last_day: date = Field(examples=["2026-11-25"])
    days: list[DaySumOut] = Field(description="Every day of the period")
    types: list[TypeSumOut] = Field(description="Most expensive first, like models and assistants")
    models: list[ModelSumOut]
    assistants: list[AssistantSumOut]
