from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.approvals.rules import DEFAULT_AT_DEADLINE, LONGEST_VETO, AtDeadline
from core.assistants.rules.assistants import (
    AssistantPhase,
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    Pause,
    SecondLook,
    TextPer,
    TopicLink,
)
from core.assistants.rules.budgets import Budget, BudgetUnit
from core.assistants.rules.limits import (
    DEFAULT_LEAD,
    DEFAULT_NO_REPEAT,
    MAX_CATCH_UP,
    MAX_HASHTAGS,
    MAX_LEAD,
    MAX_NO_REPEAT,
)
from core.clock import utcnow
from core.errors import ErrorCode
from core.ids import new_id
from core.languages import Language
from core.tables import Base, Timestamped, status_enum
from core.texts.rules.endings import Ending, HashtagPolicy
from core.topics.rules import PickFrom, Strategy
from core.websites.tables.websites import Website


class Assistant(Timestamped, Base):
    """An assistant's configuration. Its workflow follows `version`."""

    __tablename__ = "assistants"
    __table_args__ = (
        CheckConstraint(f"lead_minutes BETWEEN 1 AND {MAX_LEAD}", name="lead_range"),
        CheckConstraint(f"veto_minutes BETWEEN 1 AND {LONGEST_VETO}", name="veto_range"),
        CheckConstraint(
            "(budget_unit IS NULL) = (budget_amount IS NULL) AND coalesce(budget_amount, 1) > 0", name="budget_whole"
        ),
        CheckConstraint(f"catch_up_minutes BETWEEN 0 AND {MAX_CATCH_UP}", name="catch_up_range"),
        CheckConstraint(f"no_repeat BETWEEN 0 AND {MAX_NO_REPEAT}", name="no_repeat_range"),
        CheckConstraint(f"most_hashtags BETWEEN 0 AND {MAX_HASHTAGS}", name="hashtags_range"),
        CheckConstraint("paused_at IS NOT NULL OR (paused_until IS NULL AND pause_reason IS NULL)", name="pause_whole"),
        # the order of the list: its first page is the start of the index
        Index("ix_assistants_named", "user_id", text("lower(name)"), "id"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(120))
    tags: Mapped[list[str]] = mapped_column(default=list)
    website_id: Mapped[UUID | None] = mapped_column(ForeignKey("websites.id", ondelete="RESTRICT"), unique=True)
    """The website whose articles it writes and publishes, only through the website's account. None: posts for
    networks."""
    topic_tree_id: Mapped[UUID | None] = mapped_column(ForeignKey("topic_trees.id", ondelete="RESTRICT"))
    strategy: Mapped[Strategy] = mapped_column(status_enum(Strategy), default=Strategy.least_recent)
    pick_from: Mapped[PickFrom] = mapped_column(status_enum(PickFrom), default=PickFrom.leaves)
    template_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("template_versions.id", ondelete="RESTRICT"), index=True
    )
    brand_id: Mapped[UUID | None] = mapped_column(ForeignKey("brands.id", ondelete="SET NULL"))
    """The brand that it writes for. None: the template's, if that has one."""
    text_per: Mapped[TextPer] = mapped_column(
        status_enum(TextPer), default=TextPer.network, server_default=TextPer.post.value
    )
    second_look: Mapped[SecondLook] = mapped_column(
        status_enum(SecondLook), default=SecondLook.revision, server_default=SecondLook.rules.value
    )
    topic_link: Mapped[TopicLink] = mapped_column(
        status_enum(TopicLink), default=TopicLink.none, server_default=TopicLink.none.value
    )
    image_source: Mapped[ImageSource] = mapped_column(status_enum(ImageSource), default=ImageSource.none)
    image_template_version_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("template_versions.id", ondelete="RESTRICT"), index=True
    )
    image_order: Mapped[ImageOrder] = mapped_column(status_enum(ImageOrder), default=ImageOrder.in_turn)
    """For its own images, which are rows of `assistant_images`."""
    no_repeat: Mapped[int] = mapped_column(default=DEFAULT_NO_REPEAT)
    """Number of posts within which no topic is repeated."""
    hashtag_policy: Mapped[HashtagPolicy] = mapped_column(status_enum(HashtagPolicy), default=HashtagPolicy.as_written)
    most_hashtags: Mapped[int | None]
    always_hashtags: Mapped[list[str]] = mapped_column(default=list)
    link: Mapped[str] = mapped_column(String(500), default="")
    image_fallback: Mapped[ImageFallback] = mapped_column(status_enum(ImageFallback), default=ImageFallback.ask)
    variables: Mapped[dict[str, Any]] = mapped_column(default=dict)
    schedule: Mapped[dict[str, Any] | None]
    """A `core.assistants.rules.schedules.Schedule` as JSON."""
    mode: Mapped[Mode] = mapped_column(status_enum(Mode), default=Mode.draft)
    at_deadline: Mapped[AtDeadline] = mapped_column(status_enum(AtDeadline), default=DEFAULT_AT_DEADLINE)
    """What happens to a post that nobody has approved in time, in mode approval."""
    veto_minutes: Mapped[int | None]
    """How long a post is shown before it is published automatically. None: it is not shown first."""
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    lead_minutes: Mapped[int] = mapped_column(default=DEFAULT_LEAD)
    catch_up_minutes: Mapped[int | None]
    """How late a post may still be published; NULL: the server's default."""
    budget_unit: Mapped[BudgetUnit | None] = mapped_column(status_enum(BudgetUnit))
    budget_amount: Mapped[int | None] = mapped_column(BigInteger)
    """Limit for a calendar month; both NULL: no limit."""
    budget_told: Mapped[date | None]
    """The first day of the last month in which the owner was notified of the reached budget."""
    active: Mapped[bool] = mapped_column(default=False, index=True)
    paused_at: Mapped[datetime | None]
    """Start of the pause. A pause whose end has passed is over, although the row still has it."""
    paused_until: Mapped[datetime | None]
    pause_reason: Mapped[str | None] = mapped_column(String(64))
    """An ErrorCode if the assistant paused itself."""
    failures_from: Mapped[datetime | None]
    """Runs that failed before this do not count for pausing itself."""
    version: Mapped[int] = mapped_column(default=1)
    stretches: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Each a `core.assistants.rules.planning.ScheduleVersion` as JSON, ascending: the current one comes last, after
    those that the workflow may not have applied yet. Empty until the first activation."""

    website: Mapped[Website | None] = relationship(foreign_keys=website_id, lazy="raise")

    @property
    def budget(self) -> Budget | None:
        if self.budget_unit is None or self.budget_amount is None:
            return None
        return Budget(self.budget_unit, self.budget_amount)

    def pause(self, now: datetime) -> Pause | None:
        """Return the current pause, if any."""
        if self.paused_at is None:
            return None
        reason = ErrorCode(self.pause_reason) if self.pause_reason else None
        pause = Pause(self.paused_at, self.paused_until, reason)
        return pause if self.active and pause.holds(now) else None

    @property
    def time_zone(self) -> str:
        """The zone in which its months and days begin."""
        return str((self.schedule or {}).get("time_zone") or "UTC")

    @property
    def ending(self) -> Ending:
        return Ending(self.hashtag_policy, self.most_hashtags, tuple(self.always_hashtags), self.link)

    def ending_for(self, topic_link: str) -> Ending:
        """Return the ending of a post about a topic with that link."""
        return self.ending.with_topic_link(topic_link) if self.topic_link is TopicLink.append else self.ending


class AssistantImage(Base):
    """One of an assistant's own images. Deleted when the image is finally removed from the gallery."""

    __tablename__ = "assistant_images"
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), primary_key=True)
    media_id: Mapped[UUID] = mapped_column(ForeignKey("media.id", ondelete="CASCADE"), primary_key=True, index=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
    round: Mapped[int] = mapped_column(default=0)
    """The last round that used it: each round uses each image once."""
    used_at: Mapped[datetime | None]


class AssistantAccount(Base):
    __tablename__ = "assistant_accounts"
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))


class AssistantStatus(Base):
    """The workflow's last status, for screens. Its activities write it, and an older revision never overwrites a newer
    one; until the first status, the API says that the assistant is activating or inactive."""

    __tablename__ = "assistant_statuses"
    __table_args__ = (Index("ix_assistant_statuses_phase", "phase"),)
    assistant_id: Mapped[UUID] = mapped_column(ForeignKey("assistants.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    phase: Mapped[AssistantPhase] = mapped_column(status_enum(AssistantPhase))
    revision: Mapped[int] = mapped_column(default=0)
    applied_version: Mapped[int] = mapped_column(default=0)
    cursor: Mapped[datetime | None]
    next_slot: Mapped[datetime | None]
    next_start: Mapped[datetime | None]
    rules: Mapped[str] = mapped_column(String(64), default="")
    """Versions of the time zone data used for the plan."""
    as_of: Mapped[datetime] = mapped_column(default=utcnow)
    reason: Mapped[str | None] = mapped_column(String(64))
    """An error code: why planning failed, or why the assistant paused itself."""
    retry_at: Mapped[datetime | None]
    """When planning is retried."""
    restarted_at: Mapped[datetime | None]
    """When its workflow was found missing and was restarted."""
    told_version: Mapped[int] = mapped_column(default=0)
    told_times: Mapped[int] = mapped_column(default=0)
    told_at: Mapped[datetime | None]
    """How often, and when last, the reconcile told the workflow of a version that it has not applied."""
