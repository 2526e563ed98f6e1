"""Saving templates: every change is a version."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.brands.repository import BrandRepository
from core.clock import utcnow
from core.database import notify_browsers
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.ids import new_id
from core.live import LiveKind
from core.media.repository import MediaRepository
from core.service import InTransaction
from core.templates.repositories.templates import TemplateRepository, Versioned
from core.templates.rules.model_settings import (
    brands_of_settings,
    logo_of_settings,
    without_brands,
    without_logo,
)
from core.templates.rules.templates import TemplateType, Visibility, parse
from core.templates.tables import Template, TemplateVersion
from core.texts.rules.tags import clean_tags, too_long_tags
from core.texts.rules.texts import is_blank


@dataclass(frozen=True)
class TemplateForm:
    type: TemplateType
    name: str
    description: str
    language: str
    tags: tuple[str, ...]
    body: str
    settings: dict[str, Any] = field(default_factory=dict)
    """`text` and `image` of `core.templates.rules.model_settings`, as JSON."""


class TemplateService(InTransaction):
    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session)
        self.templates = TemplateRepository(session)

    async def create(self, user_id: UUID, form: TemplateForm) -> Versioned:
        """Raise InvalidInput with line and column of each mistake in the body, and not_found on
        settings.image.card.logo_id if the picture is not this user's, and on settings.text.brand_id or
        settings.image.card.brand_id if the brand is not."""
        await self._validate(user_id, form)
        return await self._saved(user_id, self._add(user_id, form).id)

    async def update(self, user_id: UUID, template_id: UUID, version: int, form: TemplateForm) -> Versioned:
        """Raise Conflict: stale_version, or in_use if a new type would break pinned assistants; InvalidInput as
        `create`."""
        await self._validate(user_id, form)
        template = await self.templates.lock_at_version(user_id, template_id, version)
        await self._keep_type(template, form)
        self._apply(template, form)
        return await self._saved(user_id, template_id)

    async def versions(
        self, user_id: UUID, template_id: UUID, *, offset: int, limit: int
    ) -> tuple[list[tuple[TemplateVersion, int]], int]:
        """Newest first, each with the number of assistants pinned to it. Raise NotFound."""
        await self.templates.get(user_id, template_id)
        return await self.templates.versions(user_id, template_id, offset=offset, limit=limit)

    async def restore(self, user_id: UUID, template_id: UUID, version: int, number: int) -> Versioned:
        """Save an older version again as the newest.

        Raise Conflict (stale_version; in_use as `update`), NotFound."""
        template = await self.templates.lock_at_version(user_id, template_id, version)
        old = await self.templates.numbered(user_id, template_id, number)
        form = TemplateForm(old.type, old.name, old.description, old.language, tuple(old.tags), old.body, old.settings)
        await self._keep_type(template, form)
        self._apply(template, form, restored_from=number)
        return await self._saved(user_id, template_id)

    async def publish(self, user_id: UUID, template_id: UUID, version: int, sample_tryout_id: UUID | None) -> Versioned:
        """Let every user of this installation see and copy the template.

        The output of the try-out `sample_tryout_id` becomes its sample; None keeps the current sample. Raise Conflict
        (stale_version), NotFound if the try-out does not exist or has no output.
        """
        template = await self.templates.lock_at_version(user_id, template_id, version)
        if sample_tryout_id:
            sample = await self.templates.output_of(user_id, template_id, sample_tryout_id)
            template.sample_text, template.sample_media_id, template.sample_written_by = sample
        if template.visibility is not Visibility.public:
            template.visibility, template.published_at = Visibility.public, utcnow()
        return await self._saved(user_id, template_id)

    async def unpublish(self, user_id: UUID, template_id: UUID, version: int) -> Versioned:
        """Make the template private; copies stay. Raise Conflict (stale_version)."""
        template = await self.templates.lock_at_version(user_id, template_id, version)
        template.visibility, template.published_at = Visibility.private, None
        return await self._saved(user_id, template_id)

    async def import_all(self, user_id: UUID, forms: Sequence[TemplateForm]) -> list[Versioned]:
        """Save all forms or none as new private templates, without logos and brands that are not this user's. Raise
        InvalidInput with `templates.<index>.<field>`."""
        # parsing a thousand long texts takes seconds
        if problems := await asyncio.to_thread(_problems_of_all, forms):
            raise InvalidInput(errors=problems)
        foreign = await self._foreign_logos(user_id, forms)
        brands = await self._foreign_brands(user_id, forms)
        own = [
            replace(form, settings=without_logo(form.settings)) if logo_of_settings(form.settings) in foreign else form
            for form in forms
        ]
        own = [
            replace(form, settings=without_brands(form.settings))
            if brands.intersection(brands_of_settings(form.settings).values())
            else form
            for form in own
        ]
        if not own:
            return []
        added = [self._add(user_id, form) for form in own]
        await self.session.flush()
        await notify_browsers(self.session, user_id, LiveKind.template)
        return await self.templates.by_ids(user_id, [template.id for template in added])

    async def delete(self, user_id: UUID, template_id: UUID) -> None:
        """Raise Conflict (in_use) while an assistant is pinned to it."""
        row = await self.templates.get(user_id, template_id)
        if names := await self.templates.used_by(user_id, template_id):
            raise Conflict(ErrorCode.in_use, by=", ".join(names[:5]))
        await self.session.delete(row[0])
        await notify_browsers(self.session, user_id, LiveKind.template, template_id)

    async def _validate(self, user_id: UUID, form: TemplateForm) -> None:
        problems = _problems(form)
        if await self._foreign_logos(user_id, [form]):
            problems.append(FieldError("settings.image.card.logo_id", ErrorCode.not_found))
        foreign = await self._foreign_brands(user_id, [form])
        problems += [
            FieldError(field, ErrorCode.not_found)
            for field, brand_id in brands_of_settings(form.settings).items()
            if brand_id in foreign
        ]
        if problems:
            raise InvalidInput(errors=problems)

    async def _foreign_logos(self, user_id: UUID, forms: Sequence[TemplateForm]) -> set[UUID]:
        """Return logos that are not this user's pictures; keep the others from deletion until the forms are saved."""
        logos = {logo for form in forms if (logo := logo_of_settings(form.settings))}
        return logos - await MediaRepository(self.session).keep(user_id, logos) if logos else logos

    async def _foreign_brands(self, user_id: UUID, forms: Sequence[TemplateForm]) -> set[UUID]:
        """Return brands that are not this user's; keep the others from deletion until the forms are saved."""
        named = {brand_id for form in forms for brand_id in brands_of_settings(form.settings).values()}
        return named - await BrandRepository(self.session).filter_own(user_id, named)

    def _add(self, user_id: UUID, form: TemplateForm) -> Template:
        template = Template(id=new_id(), user_id=user_id, version=0)
        self.session.add(template)
        self._apply(template, form)
        return template

    async def _saved(self, user_id: UUID, template_id: UUID) -> Versioned:
        await self.session.flush()
        await notify_browsers(self.session, user_id, LiveKind.template, template_id)
        return await self.templates.get(user_id, template_id)

    async def _keep_type(self, template: Template, form: TemplateForm) -> None:
        """Raise Conflict (in_use) if a new type would break pinned assistants."""
        if form.type is not template.type and (names := await self.templates.used_by(template.user_id, template.id)):
            raise Conflict(ErrorCode.in_use, by=", ".join(names[:5]))

    def _apply(self, template: Template, form: TemplateForm, restored_from: int | None = None) -> None:
        template.type, template.name, template.description = form.type, form.name, form.description
        template.language, template.tags = form.language, list(clean_tags(form.tags))
        template.version += 1
        self.session.add(
            TemplateVersion(
                user_id=template.user_id,
                template_id=template.id,
                number=template.version,
                type=form.type,
                name=form.name,
                description=form.description,
                language=form.language,
                tags=template.tags,
                body=form.body,
                settings=form.settings,
                restored_from=restored_from,
            )
        )


def _problems_of_all(forms: Sequence[TemplateForm]) -> list[FieldError]:
    return [
        FieldError(f"templates.{index}.{problem.field}", problem.code, **problem.params)
        for index, form in enumerate(forms)
        for problem in _problems(form)
    ]


def _problems(form: TemplateForm) -> list[FieldError]:
    problems = [FieldError("body", error.code, **error.params) for error in parse(form.body).errors]
    if not form.name:
        problems.insert(0, FieldError("name", ErrorCode.name_required))
    if is_blank(form.body):
        problems.append(FieldError("body", ErrorCode.content_empty))
    return problems + too_long_tags(form.tags)
