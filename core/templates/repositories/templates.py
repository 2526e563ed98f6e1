from collections.abc import Sequence
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, distinct, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, load_only

from core.ai.rules.generation import GenerationState
from core.assistants.tables import Assistant
from core.errors import Conflict, NotFound
from core.templates.rules.templates import CONTENT, TemplateType, Visibility
from core.templates.tables import Template, TemplateVersion, Tryout
from core.texts.repositories.tags import has_tag, tag_counts, tag_mentions
from core.users.tables.users import User

Versioned = Row[Template, TemplateVersion, str, int]
"""A template, its newest version, its author's name and the number of assistants that use one of its versions."""


class TemplateSort(StrEnum):
    changed = "changed"
    name = "name"
    used = "used"


class TemplateRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _newest(self, user_id: UUID) -> Select[Template, TemplateVersion, str, int]:
        return (
            select(Template, TemplateVersion, User.display_name, _USED_BY)
            .join(User, User.id == Template.user_id)
            .join(TemplateVersion, _IS_NEWEST)
            .where(Template.user_id == user_id)
        )

    async def page(
        self,
        user_id: UUID,
        *,
        search: str,
        type: TemplateType | None,
        offset: int,
        limit: int,
        visibility: Visibility | None = None,
        language: str | None = None,
        tag: str | None = None,
        sort: TemplateSort = TemplateSort.changed,
    ) -> tuple[list[Versioned], int]:
        """`search` matches the name, the description, the newest body or a tag."""
        query, counted = self._newest(user_id), select(func.count(Template.id)).where(Template.user_id == user_id)
        conditions: list[ColumnElement[bool]] = []
        if search:
            fields = (Template.name, Template.description, TemplateVersion.body)
            words = (field.icontains(search, autoescape=True) for field in fields)
            conditions.append(or_(*words, tag_mentions(Template.tags, search)))
            counted = counted.join(TemplateVersion, _IS_NEWEST)
        if type:
            conditions.append(Template.type == type)
        if visibility:
            conditions.append(Template.visibility == visibility)
        if language:
            conditions.append(Template.language == language)
        if tag:
            conditions.append(has_tag(Template.tags, tag))
        total = await self.session.scalar(counted.where(*conditions))
        rows = await self.session.execute(
            query.where(*conditions)
            .options(load_only(TemplateVersion.body, TemplateVersion.settings))  # the template has the rest
            .order_by(_ORDER[sort], Template.id)
            .offset(offset)
            .limit(limit)
        )
        return list(rows.all()), total or 0

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Return each tag with its number of templates, most used first."""
        rows = await self.session.execute(tag_counts(select(Template.tags).where(Template.user_id == user_id)))
        return [(name, number) for name, number in rows]

    async def get(self, user_id: UUID, template_id: UUID) -> Versioned:
        """Return the template with its newest version. Raise NotFound."""
        row = (await self.session.execute(self._newest(user_id).where(Template.id == template_id))).one_or_none()
        if row is None:
            raise NotFound(what="template", id=str(template_id))
        return row

    async def lock_at_version(self, user_id: UUID, template_id: UUID, version: int) -> Template:
        """Raise NotFound, or Conflict (stale_version) if another version was saved since."""
        template = await self.session.scalar(
            select(Template).where(Template.id == template_id, Template.user_id == user_id).with_for_update()
        )
        if template is None:
            raise NotFound(what="template", id=str(template_id))
        if template.version != version:
            raise Conflict(current=template.version)
        return template

    async def version(self, user_id: UUID, version_id: UUID) -> TemplateVersion:
        version = await self.session.scalar(
            select(TemplateVersion).where(TemplateVersion.id == version_id, TemplateVersion.user_id == user_id)
        )
        if version is None:
            raise NotFound(what="template_version", id=str(version_id))
        return version

    async def versions(
        self, user_id: UUID, template_id: UUID, *, offset: int, limit: int
    ) -> tuple[list[tuple[TemplateVersion, int]], int]:
        """Newest first, each with the number of assistants pinned to it."""
        pinned = (
            select(func.count())
            .select_from(Assistant)
            .where(
                Assistant.user_id == user_id,
                or_(
                    Assistant.template_version_id == TemplateVersion.id,
                    Assistant.image_template_version_id == TemplateVersion.id,
                ),
            )
            .correlate(TemplateVersion)
            .scalar_subquery()
        )
        of_it = (TemplateVersion.template_id == template_id, TemplateVersion.user_id == user_id)
        total = await self.session.scalar(select(func.count()).select_from(TemplateVersion).where(*of_it))
        rows = await self.session.execute(
            select(TemplateVersion, pinned)
            .where(*of_it)
            .order_by(TemplateVersion.number.desc())
            .offset(offset)
            .limit(limit)
        )
        return [(version, count) for version, count in rows], total or 0

    async def numbered(self, user_id: UUID, template_id: UUID, number: int) -> TemplateVersion:
        version = await self.session.scalar(
            select(TemplateVersion).where(
                TemplateVersion.template_id == template_id,
                TemplateVersion.user_id == user_id,
                TemplateVersion.number == number,
            )
        )
        if version is None:
            raise NotFound(what="template_version", number=number)
        return version

    async def by_ids(self, user_id: UUID, template_ids: Sequence[UUID]) -> list[Versioned]:
        """Return this user's templates among the ids, in the order given."""
        rows = await self.session.execute(self._newest(user_id).where(Template.id.in_(template_ids)))
        rows_by_id = {row[0].id: row for row in rows}
        return [rows_by_id[id] for id in template_ids if id in rows_by_id]

    async def output_of(self, user_id: UUID, template_id: UUID, tryout_id: UUID) -> tuple[str, UUID | None, str]:
        """Return (text, picture, the text's model) of a successful try-out. For a picture, the text is the content it
        was made of and the model is empty. Raise NotFound."""
        tryout = await self.session.scalar(
            select(Tryout).where(
                Tryout.id == tryout_id,
                Tryout.template_id == template_id,
                Tryout.user_id == user_id,
                Tryout.state == GenerationState.succeeded,
            )
        )
        if tryout is None:
            raise NotFound(what="tryout", id=str(tryout_id))
        if tryout.type is TemplateType.text:
            return tryout.output, None, tryout.model
        content = next((value for name, value in tryout.inputs.items() if name.casefold() == CONTENT.casefold()), "")
        return content, tryout.media_id, ""

    async def count_use(self, user_id: UUID, version_id: UUID) -> None:
        """Count one more post made with the template. One statement, so that concurrent posts are all counted;
        `updated_at` stays."""
        template = select(TemplateVersion.template_id).where(
            TemplateVersion.id == version_id, TemplateVersion.user_id == user_id
        )
        await self.session.execute(
            update(Template)
            .where(Template.id == template.scalar_subquery(), Template.user_id == user_id)
            .values(usage_count=Template.usage_count + 1, updated_at=Template.updated_at)
            .execution_options(synchronize_session=False)
        )

    async def used_by(self, user_id: UUID, template_id: UUID) -> list[str]:
        """Return the names of the assistants pinned to one of the template's versions."""
        versions = select(TemplateVersion.id).where(TemplateVersion.template_id == template_id)
        names = await self.session.scalars(
            select(Assistant.name).where(
                Assistant.user_id == user_id,
                or_(
                    Assistant.template_version_id.in_(versions),
                    Assistant.image_template_version_id.in_(versions),
                ),
            )
        )
        return list(names)


_ANY_VERSION = aliased(TemplateVersion)
# from the versions to the assistants pinned to them, by index: there may be thousands of either
_USED_BY = (
    select(func.count(distinct(Assistant.id)))
    .select_from(_ANY_VERSION)
    .join(
        Assistant,
        or_(Assistant.template_version_id == _ANY_VERSION.id, Assistant.image_template_version_id == _ANY_VERSION.id),
    )
    .where(_ANY_VERSION.template_id == Template.id, Assistant.user_id == Template.user_id)
    .correlate(Template)
    .scalar_subquery()
)
_IS_NEWEST = (TemplateVersion.template_id == Template.id) & (TemplateVersion.number == Template.version)
_ORDER: dict[TemplateSort, ColumnElement[Any]] = {
    TemplateSort.changed: Template.updated_at.desc(),
    TemplateSort.name: func.lower(Template.name),
    TemplateSort.used: Template.usage_count.desc(),
}
