from uuid import UUID

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from core.domain.ids import new_id
from core.domain.templates import TemplateType, Visibility
from core.models.base import Base, Timestamped, status_enum


class Template(Timestamped, Base):
    __tablename__ = "templates"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    type: Mapped[TemplateType] = mapped_column(status_enum(TemplateType))
    visibility: Mapped[Visibility] = mapped_column(status_enum(Visibility), default=Visibility.private)
    name: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text, default="")
    language: Mapped[str] = mapped_column(String(2), default="en")
    tags: Mapped[list[str]] = mapped_column(default=list)
    usage_count: Mapped[int] = mapped_column(default=0)
    version: Mapped[int] = mapped_column(default=1)
    """Number of its newest version; also the lock against two tabs overwriting one another."""


class TemplateVersion(Timestamped, Base):
    """Every saved change. Assistants are pinned to one, so an edit never changes them silently."""

    __tablename__ = "template_versions"
    __table_args__ = (UniqueConstraint("template_id", "number"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    template_id: Mapped[UUID] = mapped_column(ForeignKey("templates.id", ondelete="CASCADE"))
    number: Mapped[int]
    body: Mapped[str] = mapped_column(Text)
