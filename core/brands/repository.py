from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Row, Select, Text, cast, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.tables import Assistant
from core.brands.rules import MAX_TEXT, BrandUse, BrandUseKind, BrandVoice
from core.brands.tables import Brand
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.media.rules.cards import CardLook
from core.media.tables import CardPreset, Media
from core.templates.tables import Template, TemplateVersion
from core.texts.rules.texts import cut_text

CountedBrand = Row[Brand, int]
"""A brand and the number of assistants that have chosen it."""

IN_TEMPLATE = (("text", "brand_id"), ("image", "card", "brand_id"))
"""Where the settings of a template name a brand."""
_IN_PRESET = (("brand_id",),)
_IN_CARD = (("settings", "brand_id"),)


@dataclass(frozen=True)
class BrandRepository:
    session: AsyncSession

    async def page(self, user_id: UUID, *, search: str, offset: int, limit: int) -> tuple[list[CountedBrand], int]:
        """Return the user's brands by name. `search` matches the name, what it does and the voice."""
        conditions: list[ColumnElement[bool]] = [Brand.user_id == user_id]
        if search:
            fields = (Brand.name, Brand.about, Brand.voice)
            conditions.append(or_(*(field.icontains(search, autoescape=True) for field in fields)))
        total = await self.session.scalar(select(func.count()).select_from(Brand).where(*conditions))
        rows = await self.session.execute(
            _counted(user_id).where(*conditions).order_by(func.lower(Brand.name), Brand.id).offset(offset).limit(limit)
        )
        return list(rows.all()), total or 0

    async def get(self, user_id: UUID, brand_id: UUID) -> CountedBrand:
        """Raise NotFound."""
        row = (await self.session.execute(_counted(user_id).where(Brand.id == brand_id))).one_or_none()
        if row is None:
            raise NotFound(what="brand", id=str(brand_id))
        return row

    async def lock(self, user_id: UUID, brand_id: UUID) -> Brand:
        """Raise NotFound."""
        brand = await self.session.scalar(
            select(Brand).where(Brand.id == brand_id, Brand.user_id == user_id).with_for_update()
        )
        if brand is None:
            raise NotFound(what="brand", id=str(brand_id))
        return brand

    async def lock_at_version(self, user_id: UUID, brand_id: UUID, version: int) -> Brand:
        """Raise NotFound, or Conflict (stale_version) if another version was saved since."""
        brand = await self.lock(user_id, brand_id)
        if brand.version != version:
            raise Conflict(current=brand.version)
        return brand

    async def filter_own(self, user_id: UUID, brand_ids: set[UUID]) -> set[UUID]:
        """Return this user's brands among the ids, and keep them from deletion until the transaction ends, in which a
        use of them is saved."""
        if not brand_ids:
            return set()
        rows = await self.session.scalars(
            select(Brand.id)
            .where(Brand.user_id == user_id, Brand.id.in_(brand_ids))
            .with_for_update(read=True, key_share=True)
        )
        return set(rows)

    async def ensure_own(self, user_id: UUID, brand_id: UUID | None) -> None:
        """Keep the chosen brand, if any, as `filter_own`. Raise InvalidInput with not_found on brand_id."""
        if brand_id and not await self.filter_own(user_id, {brand_id}):
            raise InvalidInput(errors=[FieldError("brand_id", ErrorCode.not_found)])

    async def voice(self, user_id: UUID, brand_id: UUID | None) -> BrandVoice | None:
        """Return what a writer is told of the brand. None also if it was deleted, or is another user's."""
        brand = await self._find(user_id, brand_id)
        return brand.to_voice() if brand else None

    async def voice_of_text(
        self, user_id: UUID, chosen: UUID | None, of_template: UUID | None, own_voice: str
    ) -> BrandVoice | None:
        """Return the voice of the chosen brand, or else of the template's, in which a voice of the assistant's or the
        post's own replaces the brand's. None as `voice`."""
        if chosen:
            return await self.voice(user_id, chosen)
        brand = await self.voice(user_id, of_template)
        return replace(brand, voice=cut_text(own_voice, MAX_TEXT)) if brand and own_voice else brand

    async def look(self, user_id: UUID, brand_id: UUID | None) -> CardLook | None:
        """Return the look of the brand's cards. None as `voice`."""
        brand = await self._find(user_id, brand_id)
        return CardLook(brand.font, brand.ground, brand.ink, brand.accent, brand.logo_id) if brand else None

    async def _find(self, user_id: UUID, brand_id: UUID | None) -> Brand | None:
        if brand_id is None:
            return None
        return await self.session.scalar(select(Brand).where(Brand.id == brand_id, Brand.user_id == user_id))

    async def uses(self, user_id: UUID, brand_id: UUID) -> list[BrandUse]:
        """Return by kind and name what `forget` and the deletion take the brand from, and the assistants whose template
        version has it. Raise NotFound."""
        await self.get(user_id, brand_id)
        versions = select(TemplateVersion.id).where(
            TemplateVersion.user_id == user_id, _names_brand(TemplateVersion, IN_TEMPLATE, brand_id)
        )
        pinned = (Assistant.template_version_id.in_(versions), Assistant.image_template_version_id.in_(versions))
        assistants = select(Assistant.name).where(
            Assistant.user_id == user_id, or_(Assistant.brand_id == brand_id, *pinned)
        )
        templates = select(Template.name).where(
            Template.user_id == user_id,
            Template.id.in_(versions.with_only_columns(TemplateVersion.template_id)),
        )
        presets = select(CardPreset.name).where(
            CardPreset.user_id == user_id, _names_brand(CardPreset, _IN_PRESET, brand_id)
        )
        queries = (
            (BrandUseKind.assistant, assistants.order_by(Assistant.name)),
            (BrandUseKind.template, templates.order_by(Template.name)),
            (BrandUseKind.card_preset, presets.order_by(CardPreset.name)),
        )
        return [BrandUse(kind, name) for kind, query in queries for name in await self.session.scalars(query)]

    async def forget(self, user_id: UUID, brand_id: UUID) -> None:
        """Take the brand out of the settings of the user's templates, in all versions, and of saved looks and of
        cards, which can be drawn again. Assistants lose it by their foreign key."""
        for table, column, paths in (
            (TemplateVersion, TemplateVersion.settings, IN_TEMPLATE),
            (CardPreset, CardPreset.settings, _IN_PRESET),
            (Media, Media.design, _IN_CARD),
        ):
            for path in paths:
                chosen = column[path].astext == str(brand_id)
                rest = column.op("#-")(cast(list(path), ARRAY(Text)))
                await self.session.execute(
                    update(table)
                    .where(table.user_id == user_id, chosen)
                    .values({column: rest, table.updated_at: table.updated_at})
                    .execution_options(synchronize_session=False)
                )


def _names_brand(
    table: type[TemplateVersion] | type[CardPreset], paths: Iterable[tuple[str, ...]], brand_id: UUID
) -> ColumnElement[bool]:
    return or_(*(table.settings[path].astext == str(brand_id) for path in paths))


def _counted(user_id: UUID) -> Select[Brand, int]:
    return select(Brand, _USED_BY).where(Brand.user_id == user_id)


_USED_BY = (
    select(func.count(Assistant.id))
    .where(Assistant.brand_id == Brand.id, Assistant.user_id == Brand.user_id)
    .correlate(Brand)
    .scalar_subquery()
)


@dataclass(frozen=True)
class ToneRepository:
    """Templates of older releases, whose tone becomes a brand."""

    session: AsyncSession

    async def list_unconverted(self, after: UUID | None, limit: int) -> Sequence[Template]:
        """Return templates of all users by id, starting after `after`, locked."""
        query = select(Template).where(~Template.tone_converted)
        if after:
            query = query.where(Template.id > after)
        return (await self.session.scalars(query.order_by(Template.id).limit(limit).with_for_update())).all()

    async def list_versions_in_use(
        self, template: Template
    ) -> tuple[TemplateVersion, Sequence[tuple[Assistant, TemplateVersion]]]:
        """Return the newest version, and the assistants with the version whose texts they write."""
        of_it = (TemplateVersion.template_id == template.id, TemplateVersion.user_id == template.user_id)
        newest = await self.session.scalars(
            select(TemplateVersion).where(*of_it, TemplateVersion.number == template.version)
        )
        pinned = await self.session.execute(
            select(Assistant, TemplateVersion)
            .join(TemplateVersion, TemplateVersion.id == Assistant.template_version_id)
            .where(*of_it, Assistant.user_id == template.user_id)
            .order_by(Assistant.id)
        )
        return newest.one(), [(assistant, version) for assistant, version in pinned]

    async def find_brand(self, user_id: UUID, voice: str) -> UUID | None:
        """Return the oldest brand with exactly this voice, and keep it from deletion as `filter_own`."""
        return await self.session.scalar(
            select(Brand.id)
            .where(Brand.user_id == user_id, Brand.voice == voice)
            .order_by(Brand.created_at)
            .limit(1)
            .with_for_update(read=True, key_share=True)
        )

    async def choose_in_version(self, version: TemplateVersion, brand_id: UUID) -> None:
        """Choose the brand. The version stays otherwise as it was saved."""
        text = {**version.settings["text"], "brand_id": str(brand_id)}
        await self.session.execute(
            update(TemplateVersion)
            .where(TemplateVersion.id == version.id, TemplateVersion.user_id == version.user_id)
            .values(settings={**version.settings, "text": text}, updated_at=TemplateVersion.updated_at)
        )

    async def choose_in_assistant(self, assistant: Assistant, brand_id: UUID) -> None:
        await self.session.execute(
            update(Assistant)
            .where(Assistant.id == assistant.id, Assistant.user_id == assistant.user_id)
            .values(brand_id=brand_id, updated_at=Assistant.updated_at)
        )

    async def mark_converted(self, template: Template) -> None:
        """The template's place in lists by change stays."""
        await self.session.execute(
            update(Template)
            .where(Template.id == template.id, Template.user_id == template.user_id)
            .values(tone_converted=True, updated_at=Template.updated_at)
        )
