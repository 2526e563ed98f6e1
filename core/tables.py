"""Base classes and column types of all tables."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import DateTime, Enum, MetaData
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from core.clock import utcnow


def status_enum(kind: type[StrEnum]) -> Enum:
    """A status: text with a check constraint, so that the database refuses unknown values."""
    return _enum(kind, constraint=f"{kind.__name__.lower()}_known")


def open_enum(kind: type[StrEnum]) -> Enum:
    """Text without a constraint: adding a member (a network) needs no migration."""
    return _enum(kind, constraint=None)


def _enum(kind: type[StrEnum], *, constraint: str | None) -> Enum:
    return Enum(
        kind,
        native_enum=False,
        create_constraint=constraint is not None,
        length=32,
        values_callable=lambda members: [member.value for member in members],
        name=constraint,
    )


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[str]: JSONB,
        list[dict[str, Any]]: JSONB,
    }


class Timestamped:
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    updated_at: Mapped[datetime] = mapped_column(default=utcnow, onupdate=utcnow)
