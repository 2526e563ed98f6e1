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
    """A template: fields of its newest version, for lists, plus its visibility and origin, which have no versions."""

    __tablename__ = "templates"
    __table_args__ = (
        Index("ix_templates_public", "published_at", postgresql_where=text("visibility = 'public'")),
        Index("ix_templates_copied", "user_id", "copied_from"),
        # the list's two orders, by change and by name: its first page is read from the start of the index
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
    """Posts made with the template plus copies of it."""
    version: Mapped[int] = mapped_column(default=1)
    """Number of the newest version; also the optimistic lock between two tabs."""
    published_at: Mapped[datetime | None]
    sample_text: Mapped[str] = mapped_column(Text, default="")
    """The sample output in the marketplace; for an image template, the content that the sample image is made of."""
    sample_written_by: Mapped[str] = mapped_column(String(100), default="")
    """The model that wrote the sample text; empty if unknown."""
    sample_media_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    tone_converted: Mapped[bool] = mapped_column(default=True, server_default=false())
    """Whether its tone has become a brand, if it had one. Only templates of older releases wait for that."""
    copied_from: Mapped[UUID | None]
    """Id of the marketplace template; no foreign key, since a copy outlives its source."""
    copied_name: Mapped[str] = mapped_column(String(120), default="")
    copied_author: Mapped[str] = mapped_column(String(120), default="")


class TemplateVersion(Timestamped, Base):
    """A full copy of every saved change. Assistants are pinned to one version, so an edit never changes them."""

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
    """Number of the older version that this version restored."""


class Tryout(Generation, Timestamped, Base):
    """A try-out: body, settings, inputs and result. It keeps the tried body, whether that was saved or not."""

    __tablename__ = "tryouts"
    __table_args__ = (Index("ix_tryouts_template_id_created_at", "template_id", "created_at"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    template_id: Mapped[UUID | None] = mapped_column(ForeignKey("templates.id", ondelete="CASCADE"))
    """None for a rewritten passage, which needs no template."""
    number: Mapped[int | None]
    """The version that was tried; None for unsaved changes."""
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    body: Mapped[str] = mapped_column(Text)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    language: Mapped[str] = mapped_column(String(2))
    inputs: Mapped[dict[str, Any]] = mapped_column(default=dict)
    detail: Mapped[str] = mapped_column(Text, default="")
    """The provider's error message, redacted."""
    next_try_at: Mapped[datetime | None]
    output: Mapped[str] = mapped_column(Text, default="")
    """The text; while the try-out runs, the part written so far."""
    media_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    page_ids: Mapped[list[str]] = mapped_column(default=list, server_default=text("'[]'::jsonb"))
    """Ids of the pages of a carousel, whose first is `media_id`. Empty for a single image."""
    structured: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The pages of a carousel (`core.runs.carousels.StructuredPages` as JSON) until they are drawn, so that no repeated
    attempt pays for them again."""
    image_width: Mapped[int | None]
    image_height: Mapped[int | None]
    image_mime: Mapped[str | None] = mapped_column(String(64))
    duration_ms: Mapped[int | None]
    prompt_cut: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the model read only part of its prompt."""
    request_id: Mapped[str | None] = mapped_column(String(200))
    started_at: Mapped[datetime | None]
    sample: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.runs.rules.samples.Sample` as JSON: for a dry run of an assistant's form (text and image), or for a post
    that a user composes with a template (text or image)."""
    assistant_id: Mapped[UUID | None] = mapped_column(ForeignKey("assistants.id", ondelete="SET NULL"), index=True)
    """The assistant whose budget pays: set for a dry run of a saved assistant and for a post made by an assistant."""
    post_id: Mapped[UUID | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), index=True)
    """The post that a user composes, if the try-out is for one."""
    part: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.outlines.WantedPart` as JSON, if the try-out is for a part of an article."""
    passage: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """A `core.articles.rules.passages.Passage` as JSON plus `limit` in characters, if the try-out rewrites a part of
    the post after a remark."""

    @property
    def sampled(self) -> Sample:
        """The sample of a dry run or of a composed post."""
        assert self.sample is not None
        return sample_from_json(self.sample)


class StarterTemplate(Timestamped, Base):
    """A bundled template without an owner. Written from this release's files when the worker starts."""

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
    """As `Template.sample_text`; for an image template, the words of its card."""
    sample_written_by: Mapped[str] = mapped_column(String(100), default="")
    usage_count: Mapped[int] = mapped_column(default=0)
    """Number of copies."""
