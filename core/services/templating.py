"""Saving templates: every change is a version."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.domain.ids import new_id
from core.domain.templates import TemplateType, parse
from core.models import Template, TemplateVersion
from core.repositories.templates import TemplateRepository, Versioned


@dataclass(frozen=True)
class TemplateForm:
    type: TemplateType
    name: str
    description: str
    language: str
    tags: tuple[str, ...]
    body: str


class TemplatingService:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session
        self.templates = TemplateRepository(session)

    async def create(self, user_id: UUID, form: TemplateForm) -> Versioned:
        """Raises InvalidInput with line and column of what is wrong in the body."""
        _validate(form)
        template = Template(id=new_id(), user_id=user_id, version=0)
        self.session.add(template)
        self._apply(template, form)
        await self.session.flush()
        return await self.templates.get(user_id, template.id)

    async def update(self, user_id: UUID, template_id: UUID, version: int, form: TemplateForm) -> Versioned:
        """Raises Conflict: stale_version, or in_use where another type would break assistants pinned to it."""
        _validate(form)
        template = await self.templates.locked(user_id, template_id, version)
        if form.type is not template.type and (names := await self.templates.used_by(user_id, template_id)):
            raise Conflict(ErrorCode.in_use, by=", ".join(names[:5]))
        self._apply(template, form)
        await self.session.flush()
        return await self.templates.get(user_id, template_id)

    async def delete(self, user_id: UUID, template_id: UUID) -> None:
        """Raises Conflict (in_use) while an assistant is pinned to it."""
        row = await self.templates.get(user_id, template_id)
        if names := await self.templates.used_by(user_id, template_id):
            raise Conflict(ErrorCode.in_use, by=", ".join(names[:5]))
        await self.session.delete(row[0])

    def _apply(self, template: Template, form: TemplateForm) -> None:
        template.type, template.name, template.description = form.type, form.name, form.description
        template.language, template.tags = form.language, list(form.tags)
        template.version += 1
        self.session.add(
            TemplateVersion(
                user_id=template.user_id,
                template_id=template.id,
                number=template.version,
                body=form.body,
            )
        )


def _validate(form: TemplateForm) -> None:
    problems = [FieldError("body", found.code, **found.params) for found in parse(form.body).errors]
    if not form.name:
        problems.insert(0, FieldError("name", ErrorCode.name_required))
    if not form.body.strip():
        problems.append(FieldError("body", ErrorCode.content_empty))
    if problems:
        raise InvalidInput(errors=problems)
