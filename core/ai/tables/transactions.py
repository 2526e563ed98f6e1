from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.ai.rules.usage import CURRENCY
from core.clock import utcnow
from core.ids import new_id
from core.tables import Base, status_enum


class TransactionType(StrEnum):
    text = "text"
    image = "image"


class CallOutcome(StrEnum):
    """The outcome of a call that may have cost something."""

    calling = "calling"
    """The call is in progress, or its process has just died."""
    succeeded = "succeeded"
    refused = "refused"
    incomplete = "incomplete"
    failed = "failed"
    lost = "lost"
    """The call was cancelled or its process died, so its end is unknown."""


class Transaction(Base):
    """One model call, saved before it is made. Unknown tokens or costs are NULL, never 0; the `most_` columns then
    hold their maximum."""

    __tablename__ = "transactions"
    __table_args__ = (
        Index("ix_transactions_user_id_created_at", "user_id", "created_at"),
        Index("ix_transactions_assistant_id_created_at", "assistant_id", "created_at"),
        # retention finds old ones of runs by their run
        Index("ix_transactions_without_run", "created_at", postgresql_where=text("run_id IS NULL")),
        Index("ix_transactions_calling", "created_at", postgresql_where=text("outcome = 'calling'")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    run_id: Mapped[UUID | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"), index=True)
    tryout_id: Mapped[UUID | None] = mapped_column(ForeignKey("tryouts.id", ondelete="SET NULL"), index=True)
    suggestion_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("topic_suggestions.id", ondelete="SET NULL"), index=True
    )
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"))
    """The run's or try-out's assistant, whose budget pays."""
    key: Mapped[str] = mapped_column(String(120), unique=True)
    """`Cause.key` and the call's id; names the cause also after it is deleted."""
    type: Mapped[TransactionType] = mapped_column(status_enum(TransactionType))
    outcome: Mapped[CallOutcome] = mapped_column(status_enum(CallOutcome), default=CallOutcome.succeeded)
    provider: Mapped[str] = mapped_column(String(64))
    model: Mapped[str] = mapped_column(String(100))
    input_tokens: Mapped[int | None]
    cached_tokens: Mapped[int | None]
    """Part of the input. NULL also for calls of older releases."""
    output_tokens: Mapped[int | None]
    images: Mapped[int] = mapped_column(default=0)
    cost_micros: Mapped[int | None] = mapped_column(BigInteger)
    most_input_tokens: Mapped[int | None]
    most_output_tokens: Mapped[int | None]
    most_micros: Mapped[int | None] = mapped_column(BigInteger)
    """Estimated before the call from the prompt's length and the answer's limit; counts if the real cost stays
    unknown. NULL for calls of older releases and for a model without a price."""
    currency: Mapped[str] = mapped_column(String(3), default=CURRENCY)
    price: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The `core.ai.rules.prices.Price` of the cost as JSON. NULL without a price and for calls of older releases."""
    duration_ms: Mapped[int]
    request_id: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(default=utcnow)


class UsageSum(Base):
    """Removed calls of a user (`core.runs.retention`), summed by day and kind: pages show the same sums as before. A
    day and kind may have several rows."""

    __tablename__ = "usage_sums"
    __table_args__ = (Index("ix_usage_sums_user_id_at", "user_id", "at"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    at: Mapped[datetime]
    """Noon of the day in the user's time zone when it was summed up: the same day also in the zones around."""
    type: Mapped[TransactionType] = mapped_column(status_enum(TransactionType))
    outcome: Mapped[CallOutcome] = mapped_column(status_enum(CallOutcome))
    cause: Mapped[str] = mapped_column(String(16))
    """A `CauseKind`."""
    provider: Mapped[str] = mapped_column(String(64))
    model: Mapped[str] = mapped_column(String(100))
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"), index=True)
    currency: Mapped[str] = mapped_column(String(3))
    calls: Mapped[int]
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    cached_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    images: Mapped[int]
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    uncounted: Mapped[int]
    """Calls with unknown tokens."""
    unpriced: Mapped[int]
    """Calls with unknown cost: all of the row, or none."""


class AnonymousTotal(Base):
    """Usage of deleted users per month and model, so that an installation's sums stay correct.

    Tokens and cost are sums of known values; `uncounted` and `unpriced` are the numbers of calls without them.
    """

    __tablename__ = "anonymous_totals"
    month: Mapped[date] = mapped_column(primary_key=True)
    """First day of the month, UTC."""
    type: Mapped[TransactionType] = mapped_column(status_enum(TransactionType), primary_key=True)
    provider: Mapped[str] = mapped_column(String(64), primary_key=True)
    model: Mapped[str] = mapped_column(String(100), primary_key=True)
    currency: Mapped[str] = mapped_column(String(3), primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    images: Mapped[int] = mapped_column(BigInteger)
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    uncounted: Mapped[int] = mapped_column(BigInteger)
    unpriced: Mapped[int] = mapped_column(BigInteger)
