from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out, Page
from core.ai.repositories.transaction_lists import CauseKind
from core.ai.tables.transactions import CallOutcome, TransactionType


class TransactionOut(Out):
    """A model call. Unknown values are null, never 0."""

    id: UUID
    created_at: datetime = Field(description="When it was made")
    type: TransactionType
    outcome: CallOutcome = Field(description="calling: it is being made; lost: nobody heard how it ended")
    provider: str = Field(examples=["openai"])
    model: str = Field(examples=["gpt-6-luna"])
    input_tokens: int | None = Field(description="The cached ones among them", examples=[610])
    cached_tokens: int | None = Field(examples=[0])
    output_tokens: int | None = Field(examples=[142])
    images: int = Field(description="That came of it", examples=[0])
    cost_micros: int | None = Field(description="Millionths of the currency", examples=[132])
    most_micros: int | None = Field(
        description="What it was reckoned to cost at most, before it was made", examples=[1450]
    )
    currency: str = Field(description="ISO 4217", examples=["USD"])
    duration_ms: int = Field(examples=[2140])
    cause: CauseKind = Field(description="What it was for, also after that is gone")
    assistant_id: UUID | None = Field(description="On whose budget it is")
    assistant_name: str | None
    post_id: UUID | None
    post_title: str | None = Field(description="Its topic, or how it begins")
    is_article: bool | None = Field(description="The post is an article; null where it is gone", examples=[False])
    template_id: UUID | None = Field(description="That was tried out or asked for a post")
    template_name: str | None
    tree_id: UUID | None = Field(description="For which subtopics were suggested")
    tree_name: str | None


class LongContextOut(Out):
    over_input_tokens: int = Field(description="Longer input costs more", examples=[272_000])
    input_factor: str = Field(examples=["2"])
    output_factor: str = Field(examples=["1.5"])


class PriceOut(Out):
    """Price per million tokens, as decimals."""

    since: date = Field(description="From when on it counts", examples=["2026-11-01"])
    input: str = Field(examples=["0.10"])
    cached_input: str | None = Field(description="Null: as other input", examples=["0.01"])
    output: str = Field(examples=["0.50"])
    long_context: LongContextOut | None


class TransactionDetailOut(TransactionOut):
    price: PriceOut | None = Field(description="That its cost was reckoned with; null where it had none")
    request_id: str | None = Field(description="The provider's", examples=["req_8f2"])
    most_input_tokens: int | None = Field(description="Reckoned before the call", examples=[900])
    most_output_tokens: int | None = Field(description="Reckoned before the call", examples=[2700])


class TransactionPage(Page[TransactionOut]):
    first_day: date = Field(description="Of the period on the user's own clock, it included", examples=["2026-11-01"])
    last_day: date = Field(description="It included", examples=["2026-11-25"])


class SumOut(Out):
    """Sums over finished calls."""

    calls: int = Field(examples=[214])
    failed: int = Field(description="Those that brought nothing that can be used", examples=[3])
    input_tokens: int = Field(description="As far as they are known", examples=[130_540])
    cached_tokens: int = Field(description="Among the input tokens", examples=[0])
    output_tokens: int = Field(description="As far as they are known", examples=[30_388])
    images: int = Field(examples=[41])
    cost_micros: int | None = Field(
        description="As far as it is known; null where there are calls and the cost of none is", examples=[7_420_000]
    )
    uncounted: int = Field(description="Calls whose tokens are not known", examples=[0])
    unpriced: int = Field(description="Calls whose cost is not known", examples=[0])


class DaySumOut(SumOut):
    day: date = Field(description="On the user's own clock", examples=["2026-11-21"])


class TypeSumOut(SumOut):
    type: TransactionType


class ModelSumOut(SumOut):
    provider: str = Field(examples=["openai"])
    model: str = Field(examples=["gpt-6-luna"])


class AssistantSumOut(SumOut):
    assistant_id: UUID | None = Field(description="Null: no assistant, or one that is gone")
    assistant_name: str | None = Field(examples=["Commuter tips"])


class TransactionTotalsOut(SumOut):
    currency: str = Field(description="ISO 4217", examples=["USD"])
    first_day: date = Field(examples=["2026-11-01"])
    last_day: date = Field(examples=["2026-11-25"])
    days: list[DaySumOut] = Field(description="Each day of the period")
    types: list[TypeSumOut] = Field(description="The dearest first, as of models and assistants")
    models: list[ModelSumOut]
    assistants: list[AssistantSumOut]
