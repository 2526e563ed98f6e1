from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    String,
    Subquery,
    Uuid,
    delete,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from core.templates.rules.templates import Origin, TemplateType, Visibility
from core.templates.tables import StarterTemplate, Template, TemplateVersion
from core.texts.repositories.tags import has_tag, tag_counts, tag_mentions
from core.users.tables.users import User

HOUSE = "Postloom"
"""The author of the bundled templates."""


class MarketSort(StrEnum):
    popular = "popular"
    newest = "newest"


class MarketRow(NamedTuple):
    """A template in the marketplace. `own`: the reader owns it; `copied`: the reader has a copy of it."""

    id: UUID
    origin: str
    type: str
    name: str
    description: str
    language: str
    tags: list[str]
    author: str
    usage_count: int
    own: bool
    copied: bool
    body: str
    settings: dict[str, Any]
    sample_text: str
    sample_written_by: str
    sample_media_id: UUID | None
    updated_at: datetime


@dataclass(frozen=True)
class MarketFilter:
    """Conditions that a template has to match, without its tags. Empty or None means any."""

    search: str = ""
    type: TemplateType | None = None
    language: str | None = None
    origin: Origin | None = None


class MarketplaceRepository:
    """Queries without an owner: each template here is published to every user or bundled."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, filter: MarketFilter, tag: str | None, sort: MarketSort, *, offset: int, limit: int
    ) -> tuple[list[MarketRow], int]:
        market = _market(user_id)
        conditions = _conditions(market, filter)
        if tag:
            conditions.append(has_tag(market.c.tags, tag))
        total = await self.session.scalar(select(func.count()).select_from(market).where(*conditions))
        order = (
            (market.c.usage_count.desc(), market.c.updated_at.desc())
            if sort is MarketSort.popular
            else (market.c.updated_at.desc(),)
        )
        rows = await self.session.execute(
            select(market).where(*conditions).order_by(*order, market.c.id).offset(offset).limit(limit)
        )
        return [MarketRow(*row) for row in rows], total or 0

    async def get(self, user_id: UUID, template_id: UUID) -> MarketRow | None:
        market = _market(user_id)
        row = (await self.session.execute(select(market).where(market.c.id == template_id))).one_or_none()
        return MarketRow(*row) if row else None

    async def tags(self, user_id: UUID, filter: MarketFilter) -> list[tuple[str, int]]:
        """Return the tags of the matching templates with their counts, most used first."""
        market = _market(user_id)
        rows = await self.session.execute(tag_counts(select(market.c.tags).where(*_conditions(market, filter))))
        return [(name, number) for name, number in rows]

    async def count_copy(self, template_id: UUID) -> None:
        """Count one more copy of a bundled or a user's template. No owner is checked: any user may copy it."""
        for kind in (StarterTemplate, Template):
            # `updated_at` is the last edit; copying does not change it
            await self.session.execute(
                update(kind)
                .where(kind.id == template_id)
                .values(usage_count=kind.usage_count + 1, updated_at=kind.updated_at)
            )

    async def write_starters(self, rows: Sequence[dict[str, Any]]) -> None:
        """Save the bundled templates by id. Known ones keep their count; ones no longer bundled are deleted."""
        await self.session.execute(
            delete(StarterTemplate).where(StarterTemplate.id.not_in([row["id"] for row in rows]))
        )
        if not rows:
            return
        statement = insert(StarterTemplate).values(list(rows))
        content = (
            "key",
            "type",
            "name",
            "description",
            "language",
            "tags",
            "body",
            "settings",
            "sample_text",
            "sample_written_by",
        )
        new = {name: statement.excluded[name] for name in content}
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[StarterTemplate.id],
                set_={**new, "updated_at": statement.excluded.updated_at},
                # an unchanged template keeps its date
                where=or_(*(getattr(StarterTemplate, name).is_distinct_from(value) for name, value in new.items())),
            )
        )


def _conditions(market: Subquery, filter: MarketFilter) -> list[ColumnElement[bool]]:
    values = (("type", filter.type), ("language", filter.language), ("origin", filter.origin))
    conditions: list[ColumnElement[bool]] = [market.c[name] == value for name, value in values if value]
    if filter.search:
        fields = (market.c.name, market.c.description, market.c.author)
        words = (field.icontains(filter.search, autoescape=True) for field in fields)
        conditions.append(or_(*words, tag_mentions(market.c.tags, filter.search)))
    return conditions


def _market(user_id: UUID) -> Subquery:
    return union_all(_starters(user_id), _published(user_id)).subquery("market")


def _starters(user_id: UUID) -> Select[*tuple[Any, ...]]:
    return select(
        StarterTemplate.id,
        literal(Origin.starter.value).label("origin"),
        StarterTemplate.type.cast(String).label("type"),
        StarterTemplate.name,
        StarterTemplate.description,
        StarterTemplate.language,
        StarterTemplate.tags,
        literal(HOUSE).label("author"),
        StarterTemplate.usage_count,
        false().label("own"),
        _has_copy(user_id, StarterTemplate.id).label("copied"),
        StarterTemplate.body,
        StarterTemplate.settings,
        StarterTemplate.sample_text,
        StarterTemplate.sample_written_by,
        null().cast(Uuid).label("sample_media_id"),
        StarterTemplate.updated_at,
    )


def _published(user_id: UUID) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Template.id,
            literal(Origin.community.value).label("origin"),
            Template.type.cast(String).label("type"),
            Template.name,
            Template.description,
            Template.language,
            Template.tags,
            User.display_name.label("author"),
            Template.usage_count,
            (Template.user_id == user_id).label("own"),
            _has_copy(user_id, Template.id).label("copied"),
            TemplateVersion.body,
            TemplateVersion.settings,
            Template.sample_text,
            Template.sample_written_by,
            Template.sample_media_id,
            Template.updated_at,
        )
        .join(User, User.id == Template.user_id)
        .join(
            TemplateVersion,
            (TemplateVersion.template_id == Template.id) & (TemplateVersion.number == Template.version),
        )
        .where(
            Template.visibility == Visibility.public,
            User.disabled_at.is_(None),
            User.deletion_requested_at.is_(None),
        )
    )


def _has_copy(user_id: UUID, template_id: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
    copy = aliased(Template)
    return exists().where(copy.user_id == user_id, copy.copied_from == template_id)
