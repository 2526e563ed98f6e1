from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from core.ai.tables.generations import Generation
from core.ids import new_id
from core.languages import Language
from core.runs.rules.samples import Sample, sample_from_json
from core.tables import Base, Timestamped, status_enum
from core.templates.rules.templates import TemplateType, Visibility


class Template(Timestamped, Base):
    """What its newest version says, for lists; and what no version says: who sees it, and where it comes from."""

    __tablename__ = "templates"
    __table_args__ = (
        Index("ix_templates_public", "published_at", postgresql_where=text("visibility = 'public'")),
        Index("ix_templates_copied", "user_id", "copied_from"),
        # as the list is ordered, by change and by name: its first page is what the index begins with
        Index("ix_templates_changed", "user_id", text("updated_at DESC"), "id"),
        Index("ix_templates_named", "user_id", text("lower(name)"), "id"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    visibility: Mapped[Visibility] = mapped_column(status_enum(Visibility), default=Visibility.private)
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text, default="")
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    tags: Mapped[list[str]] = mapped_column(default=list)
    usage_count: Mapped[int] = mapped_column(default=0)
    """Posts made with it, and copies taken of it."""
    version: Mapped[int] = mapped_column(default=1)
    """Number of its newest version; also the lock against two tabs overwriting one another."""
    published_at: Mapped[datetime | None]
    sample_text: Mapped[str] = mapped_column(Text, default="")
    """What the marketplace shows as its output; of an image template: the content that the sample is made of."""
    sample_written_by: Mapped[str] = mapped_column(String(100), default="")
    """The text's model; empty where nobody noted it."""
    sample_media_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    copied_from: Mapped[UUID | None]
    """A template of the marketplace; no reference, since a copy outlives what it was made of."""
    copied_name: Mapped[str] = mapped_column(String(120), default="")
    copied_author: Mapped[str] = mapped_column(String(120), default="")


class TemplateVersion(Timestamped, Base):
    """Every saved change, whole. Assistants are pinned to one, so an edit never changes them silently."""

    __tablename__ = "template_versions"
    __table_args__ = (UniqueConstraint("template_id", "number"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    template_id: Mapped[UUID] = mapped_column(ForeignKey("templates.id", ondelete="CASCADE"))
    number: Mapped[int]
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    name: Mapped[str] = mapped_column(String(120), default="")
    description: Mapped[str] = mapped_column(Text, default="")
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    tags: Mapped[list[str]] = mapped_column(default=list)
    body: Mapped[str] = mapped_column(Text)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """`core.templates.rules.model_settings` as JSON."""
    restored_from: Mapped[int | None]
    """The older version that this one brought back."""


class Tryout(Generation, Timestamped, Base):
    """A try-out: what was tried, with what, and what came of it. It keeps the body as it was, saved or not."""

    __tablename__ = "tryouts"
    __table_args__ = (Index("ix_tryouts_template_id_created_at", "template_id", "created_at"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    template_id: Mapped[UUID | None] = mapped_column(ForeignKey("templates.id", ondelete="CASCADE"))
    """None of a passage that is written anew: that needs none."""
    number: Mapped[int | None]
    """The version that was tried; None for changes that were not saved."""
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    body: Mapped[str] = mapped_column(Text)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    language: Mapped[str] = mapped_column(String(2))
    inputs: Mapped[dict[str, Any]] = mapped_column(default=dict)
    detail: Mapped[str] = mapped_column(Text, default="")
    """What the provider said, redacted."""
    next_try_at: Mapped[datetime | None]
    output: Mapped[str] = mapped_column(Text, default="")
    """While it runs: as far as the text has come."""
    media_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    image_width: Mapped[int | None]
    image_height: Mapped[int | None]
    image_mime: Mapped[str | None] = mapped_column(String(64))
    duration_ms: Mapped[int | None]
    prompt_cut: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The model has not read all of its prompt."""
    request_id: Mapped[str | None] = mapped_column(String(200))
    started_at: Mapped[datetime | None]
    sample: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.runs.rules.samples.Sample` as JSON, where it is a dry run of an assistant's form: text and image; or
    what a template makes for a post that somebody composes: text or image."""
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"), index=True)
    """On whose budget it is; None but for a dry run of one that is saved, and a post that one has made."""
    post_id: Mapped[UUID | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), index=True)
    """The post that somebody composes, where it is made for one."""
    part: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.outlines.WantedPart` as JSON: a part of the article that it is made for."""
    passage: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.passages.Passage` as JSON with the characters there are for it, `limit`: a part of the
    post that is written anew by a remark."""

    @property
    def sampled(self) -> Sample:
        """Of a dry run, or by a template for a post."""
        assert self.sample is not None
        return sample_from_json(self.sample)


class StarterTemplate(Timestamped, Base):
    """One of the bundled set, nobody's. Written from the files of this release when it starts."""

    __tablename__ = "starter_templates"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(80), unique=True)
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(2))
    tags: Mapped[list[str]] = mapped_column(default=list)
    body: Mapped[str] = mapped_column(Text)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    sample_text: Mapped[str] = mapped_column(Text, default="")
    """As `Template.sample_text`; of an image template: the words of its card."""
    sample_written_by: Mapped[str] = mapped_column(String(100), default="")
    usage_count: Mapped[int] = mapped_column(default=0)
    """Copies taken of it."""
