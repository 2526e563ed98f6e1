from uuid import UUID

from sqlalchemy import Row, Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import Conflict, NotFound
from core.domain.templates import TemplateType
from core.models import Assistant, Template, TemplateVersion

Versioned = Row[Template, TemplateVersion]


class TemplateRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _newest(self, user_id: UUID) -> Select[Template, TemplateVersion]:
        return (
            select(Template, TemplateVersion)
            .join(
                TemplateVersion,
                (TemplateVersion.template_id == Template.id) & (TemplateVersion.number == Template.version),
            )
            .where(Template.user_id == user_id)
        )

    async def page(
        self, user_id: UUID, *, search: str, type: TemplateType | None, offset: int, limit: int
    ) -> tuple[list[Versioned], int]:
        query = self._newest(user_id)
        if search:
            names = Template.name.icontains(search, autoescape=True)
            query = query.where(or_(names, Template.description.icontains(search, autoescape=True)))
        if type:
            query = query.where(Template.type == type)
        total = await self.session.scalar(select(func.count()).select_from(query.subquery()))
        rows = await self.session.execute(
            query.order_by(Template.updated_at.desc(), Template.id).offset(offset).limit(limit)
        )
        return list(rows.all()), total or 0

    async def get(self, user_id: UUID, template_id: UUID) -> Versioned:
        """The template with its newest version."""
        row = (await self.session.execute(self._newest(user_id).where(Template.id == template_id))).one_or_none()
        if row is None:
            raise NotFound(what="template", id=str(template_id))
        return row

    async def locked(self, user_id: UUID, template_id: UUID, version: int) -> Template:
        """Raises Conflict (stale_version) where another version was saved since."""
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

    async def used_by(self, user_id: UUID, template_id: UUID) -> list[str]:
        """Names of the assistants that are pinned to one of its versions."""
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
