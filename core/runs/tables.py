from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.assistants.rules.assistants import OPEN_RUNS, RunState, StepKind, StepState, TextKind
from core.clock import utcnow
from core.ids import new_id
from core.runs.rules.runs import RunSetup, setup_from_json, setup_to_json
from core.tables import Base, Timestamped, status_enum


class Run(Timestamped, Base):
    """One run of an assistant for a slot, or on request. Missed and skipped runs have a row too."""

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("assistant_id", "slot"),
        Index("ix_runs_user_id_slot", "user_id", "slot"),
        Index("ix_runs_in_full", "finished_at", postgresql_where=text("totals IS NULL AND finished_at IS NOT NULL")),
        Index(
            "ix_runs_open",
            "assistant_id",
            "slot",
            postgresql_where=text("state IN ('preparing', 'waiting', 'ready', 'publishing')"),
        ),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"))
    workflow_id: Mapped[str] = mapped_column(String(120))
    slot: Mapped[datetime]
    by_hand: Mapped[bool] = mapped_column(default=False)
    """A person requested it: its slot is that moment, and not one of the schedule."""
    state: Mapped[RunState] = mapped_column(status_enum(RunState), default=RunState.preparing)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode."""
    topic_id: Mapped[UUID | None] = mapped_column(ForeignKey("topics.id", ondelete="SET NULL"), index=True)
    stored_setup: Mapped[dict[str, Any]] = mapped_column("setup", default=dict)
    finished_at: Mapped[datetime | None]
    totals: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """What lists show of the steps and model calls that were removed (`core.runs.retention`): attempts and spending.
    None while they are there."""

    @property
    def is_open(self) -> bool:
        """Whether it has not ended, so that its workflow follows its post. The state alone does not tell: a run that
        has ended is publishing again while a workflow of its post delivers what a person has sent."""
        return self.state in OPEN_RUNS and self.finished_at is None

    @property
    def setup(self) -> RunSetup | None:
        """None for a run that has no topic yet, or never began."""
        return setup_from_json(self.stored_setup) if self.stored_setup else None

    @setup.setter
    def setup(self, setup: RunSetup) -> None:
        self.stored_setup = setup_to_json(setup)


class RunStep(Base):
    """The evidence of one step. It is kept as `RETENTION_DAYS` says, whereas a workflow's history is deleted after
    Temporal's own retention."""

    __tablename__ = "run_steps"
    __table_args__ = (UniqueConstraint("run_id", "kind"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    kind: Mapped[StepKind] = mapped_column(status_enum(StepKind))
    state: Mapped[StepState] = mapped_column(status_enum(StepState), default=StepState.active)
    attempt: Mapped[int] = mapped_column(default=1)
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    failures: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Failed attempts in order: attempt, code (an ErrorCode), at."""
    started_at: Mapped[datetime] = mapped_column(default=utcnow)
    finished_at: Mapped[datetime | None]


class TextVersion(Base):
    """One answer of a model while a run's text was made, without wrapping. Stored before the next call, so that no
    repeat of the step pays for it again."""

    __tablename__ = "text_versions"
    __table_args__ = (UniqueConstraint("run_id", "kind", "part"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    run_id: Mapped[UUID] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    kind: Mapped[TextKind] = mapped_column(status_enum(TextKind))
    part: Mapped[int] = mapped_column(default=0)
    """Number of an article's section, or of a network in the run's set-up, from 0. A negative number is the second
    answer for it, counted from -1: because the first had a flaw (`core.texts.rules.written_language`), or, of
    `rewritten`, because of what the second look found."""
    content: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode: why there is no content."""
    used: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Usage of its call, as returned by `core.ai.model_calls.metered`."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
