"""Brands from the tones of templates, which older releases had in place of brands.

The worker does this once for each template of an older release when it starts, and not the migration: a web app of the
older release refuses settings that name a brand, and only when workers are replaced are there none of those left.
"""

import logging
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.brands.brands import BrandForm, BrandService
from core.brands.repository import ToneRepository
from core.brands.rules import MAX_NAME, BrandVoice, EmojiUse
from core.database import Sessions, log_failure_of_one, notify_browsers
from core.languages import language_of
from core.live import LiveKind
from core.runs.text_orders import own_voice
from core.templates.rules.model_settings import text_from_json
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.texts.rules.texts import cut_text, is_blank, normal

logger = logging.getLogger(__name__)

_PORTION: Final = 100
"""Templates in one transaction."""
_LONGEST_NAME: Final = 40
"""Characters of a tone that become the brand's name."""


@dataclass(frozen=True)
class ToneService:
    sessions: Sessions

    async def convert(self) -> int:
        """Make a brand of each distinct tone of a user's templates, and choose it in the newest version of those
        templates and in the assistants that use another version with it. Other versions keep their tone, which is the
        voice where there is no brand. Return the number of templates; nothing is done twice. One that cannot be
        converted is logged, keeps its tone, and is tried again at the next start. One caller at a time."""
        done = 0
        after: UUID | None = None
        while True:
            async with self.sessions.begin() as session:
                templates = await ToneRepository(session).list_unconverted(after, _PORTION)
                for template in templates:
                    after = template.id
                    with log_failure_of_one(logger, f"brands: the tone of template {after}"):
                        async with session.begin_nested():
                            await _convert(session, template)
                        done += 1
            if len(templates) < _PORTION:
                return done


async def _convert(session: AsyncSession, template: Template) -> None:
    tones = ToneRepository(session)
    newest, pinned = await tones.list_versions_in_use(template)
    if template.type is TemplateType.text and (tone := _tone_of(newest)) and not _brand_of(newest):
        brand_id = await _brand_with(session, template, tone)
        await tones.choose_in_version(newest, brand_id)
    for assistant, version in pinned:
        # a voice that the assistant has among its values replaces the template's
        own = assistant.brand_id or own_voice(assistant.variables)
        if not own and version.id != newest.id and not _brand_of(version) and (tone := _tone_of(version)):
            await tones.choose_in_assistant(assistant, await _brand_with(session, template, tone))
    await tones.mark_converted(template)


def _tone_of(version: TemplateVersion) -> str:
    tone = normal(text_from_json(version.settings.get("text") or {}).tone).strip()
    return "" if is_blank(tone) else tone


def _brand_of(version: TemplateVersion) -> UUID | None:
    return text_from_json(version.settings.get("text") or {}).brand_id


async def _brand_with(session: AsyncSession, template: Template, tone: str) -> UUID:
    """Return the user's brand with this voice; create it if there is none."""
    if found := await ToneRepository(session).find_brand(template.user_id, tone):
        return found
    # the tone has said nothing about emoji
    voice = BrandVoice(name=_name_of(tone) or template.name[:MAX_NAME], voice=tone, emoji=EmojiUse.free)
    brand, _ = await BrandService(session).create(
        template.user_id, BrandForm(voice, languages=(language_of(template.language),))
    )
    await notify_browsers(session, template.user_id, LiveKind.brand, brand.id)
    return brand.id


def _name_of(tone: str) -> str:
    name = cut_text(" ".join(tone.split()), _LONGEST_NAME).strip(" .,;:")
    return name[:1].upper() + name[1:]
