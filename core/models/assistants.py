from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from core.domain.assistants import AssistantPhase, ImageSource, Mode
from core.domain.budgets import Budget, BudgetUnit
from core.domain.ids import new_id
from core.domain.topics import PickFrom, Strategy
from core.models.base import Base, Timestamped, status_enum, utcnow


class Assistant(Timestamped, Base):
    """The configuration. Its workflow follows `version`."""

    __tablename__ = "assistants"
    __table_args__ = (
        CheckConstraint("lead_minutes BETWEEN 1 AND 10080", name="lead_range"),
        CheckConstraint(
            "(budget_unit IS NULL) = (budget_amount IS NULL) AND coalesce(budget_amount, 1) > 0", name="budget_whole"
        ),
        # as the list is ordered: its first page is what the index begins with
        Index("ix_assistants_named", "user_id", text("lower(name)"), "id"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(120))
    tags: Mapped[list[str]] = mapped_column(default=list)
    topic_tree_id: Mapped[UUID | None] = mapped_column(ForeignKey("topic_trees.id", ondelete="RESTRICT"))
    strategy: Mapped[Strategy] = mapped_column(status_enum(Strategy), default=Strategy.least_recent)
    pick_from: Mapped[PickFrom] = mapped_column(status_enum(PickFrom), default=PickFrom.leaves)
    template_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("template_versions.id", ondelete="RESTRICT"), index=True
    )
    image_source: Mapped[ImageSource] = mapped_column(status_enum(ImageSource), default=ImageSource.none)
    image_template_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("template_versions.id", ondelete="RESTRICT"), index=True
    )
    variables: Mapped[dict[str, Any]] = mapped_column(default=dict)
    schedule: Mapped[dict[str, Any] | None]
    """A `core.domain.schedules.Schedule` as JSON."""
    mode: Mapped[Mode] = mapped_column(status_enum(Mode), default=Mode.draft)
    language: Mapped[str] = mapped_column(String(2), default="en")
    lead_minutes: Mapped[int] = mapped_column(default=15)
    budget_unit: Mapped[BudgetUnit | None] = mapped_column(status_enum(BudgetUnit))
    budget_amount: Mapped[int | None] = mapped_column(BigInteger)
    """What it may spend in a calendar month; both NULL: as much as it takes."""
    budget_told: Mapped[date | None]
    """The first day of the newest month of which its owner was told that it cannot go on."""
    active: Mapped[bool] = mapped_column(default=False, index=True)
    version: Mapped[int] = mapped_column(default=1)
    stretches: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Each a `core.domain.schedules.Stretch` as JSON, ascending: what applies now comes last, before it what the
    workflow may not have taken over yet. Empty until it is first active."""

    @property
    def budget(self) -> Budget | None:
        if self.budget_unit is None or self.budget_amount is None:
            return None
        return Budget(self.budget_unit, self.budget_amount)

    @property
    def time_zone(self) -> str:
        """Where its months and days begin."""
        return str((self.schedule or {}).get("time_zone", "UTC"))


class AssistantAccount(Base):
    __tablename__ = "assistant_accounts"
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))


class AssistantStatus(Base):
    """What the workflow last said of itself, for screens to read. Its activities write it, and an older revision never
    overwrites a newer one; until it has spoken, the API says that it is activating or inactive."""

    __tablename__ = "assistant_statuses"
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    phase: Mapped[AssistantPhase] = mapped_column(status_enum(AssistantPhase))
    revision: Mapped[int] = mapped_column(default=0)
    applied_version: Mapped[int] = mapped_column(default=0)
    cursor: Mapped[datetime | None]
    next_slot: Mapped[datetime | None]
    next_start: Mapped[datetime | None]
    rules: Mapped[str] = mapped_column(String(64), default="")
    """Versions of the time zone data that the plan was made with."""
    as_of: Mapped[datetime] = mapped_column(default=utcnow)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An error code: why it could not plan."""
    retry_at: Mapped[datetime | None]
    """When it tries to plan again by itself."""
    restarted_at: Mapped[datetime | None]
    """When its workflow was found to be gone, and was started again."""
    told_version: Mapped[int] = mapped_column(default=0)
    told_times: Mapped[int] = mapped_column(default=0)
    told_at: Mapped[datetime | None]
    """How often, and when last, the reconcile told the workflow of a version that it has not taken over."""
