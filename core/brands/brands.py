"""Saving brands."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.brands.repository import BrandRepository, CountedBrand
from core.brands.rules import (
    MAX_EXAMPLE,
    MAX_EXAMPLES,
    MAX_LINE,
    MAX_LINES,
    MAX_NAME,
    MAX_TEXT,
    MAX_UTM,
    MAX_UTM_NAME,
    MAX_UTM_VALUE,
    BrandVoice,
    Example,
)
from core.brands.tables import Brand
from core.database import notify_browsers
from core.errors import ErrorCode, FieldError, InvalidInput
from core.ids import new_id
from core.languages import Language
from core.live import LiveKind
from core.media.repository import MediaRepository
from core.media.rules.cards import CardLook
from core.service import InTransaction
from core.texts.rules.texts import is_blank, normal, one_line

_LISTS: Final = ("dos", "donts", "words_to_use", "words_to_avoid", "facts")
_TEXTS: Final = ("about", "audience", "voice")
_UTM_NAME: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_.-]{{0,{MAX_UTM_NAME - 1}}}")


@dataclass(frozen=True)
class BrandForm:
    voice: BrandVoice
    languages: tuple[Language, ...] = ()
    look: CardLook = CardLook()


class BrandService(InTransaction):
    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session)
        self.brands = BrandRepository(session)

    async def create(self, user_id: UUID, form: BrandForm) -> CountedBrand:
        """Raise InvalidInput with all wrong fields: name_required, content_too_long, invalid_input with a `maximum` of
        entries, utm_name_malformed at `utm.<name>`, not_found at `logo_id` if the picture is not this user's."""
        cleaned = await self._checked(user_id, form)
        brand = Brand(id=new_id(), user_id=user_id)
        _apply(brand, cleaned)
        self.session.add(brand)
        return await self._saved(user_id, brand.id)

    async def update(self, user_id: UUID, brand_id: UUID, version: int, form: BrandForm) -> CountedBrand:
        """Raise NotFound, Conflict (stale_version), InvalidInput as `create`."""
        cleaned = await self._checked(user_id, form)
        brand = await self.brands.lock_at_version(user_id, brand_id, version)
        _apply(brand, cleaned)
        brand.version += 1
        return await self._saved(user_id, brand_id)

    async def delete(self, user_id: UUID, brand_id: UUID) -> None:
        """Delete the brand. Assistants, templates and cards that have chosen it go on without it. Raise NotFound."""
        brand = await self.brands.lock(user_id, brand_id)
        await self.brands.forget(user_id, brand_id)
        await self.session.delete(brand)
        for kind in (LiveKind.brand, LiveKind.assistant, LiveKind.template):
            await notify_browsers(self.session, user_id, kind)

    async def _checked(self, user_id: UUID, form: BrandForm) -> BrandForm:
        cleaned = replace(form, voice=clean_voice(form.voice), languages=tuple(dict.fromkeys(form.languages)))
        problems = _problems(cleaned.voice, form.voice)
        if (logo := form.look.logo_id) and not await MediaRepository(self.session).keep(user_id, {logo}):
            problems.append(FieldError("logo_id", ErrorCode.not_found))
        if problems:
            raise InvalidInput(errors=problems)
        return cleaned

    async def _saved(self, user_id: UUID, brand_id: UUID) -> CountedBrand:
        await self.session.flush()
        await notify_browsers(self.session, user_id, LiveKind.brand, brand_id)
        return await self.brands.get(user_id, brand_id)


def clean_voice(voice: BrandVoice) -> BrandVoice:
    """Return the voice with trimmed texts, without empty and repeated entries in its lists."""
    return replace(
        voice,
        name=_short(voice.name),
        about=normal(voice.about).strip(),
        audience=normal(voice.audience).strip(),
        voice=normal(voice.voice).strip(),
        dos=_clean_lines(voice.dos),
        donts=_clean_lines(voice.donts),
        words_to_use=_clean_lines(voice.words_to_use),
        words_to_avoid=_clean_lines(voice.words_to_avoid),
        facts=_clean_lines(voice.facts),
        examples=_clean_examples(voice.examples),
        utm=_clean_utm(voice.utm),
    )


def _clean_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Keep the first of lines that differ only in case."""
    lines_by_key: dict[str, str] = {}
    for short in map(_short, lines):
        if short:
            lines_by_key.setdefault(short.casefold(), short)
    return tuple(lines_by_key.values())


def _short(line: str) -> str:
    return " ".join(normal(one_line(line)).split())


def _clean_examples(examples: Iterable[Example]) -> tuple[Example, ...]:
    examples_by_text: dict[str, Example] = {}
    for example in examples:
        if not is_blank(text := normal(example.text).strip()):
            examples_by_text.setdefault(text, Example(text, example.network))
    return tuple(examples_by_text.values())


def _clean_utm(utm: Mapping[str, str]) -> dict[str, str]:
    """Leave out parameters without a value."""
    return {name.strip(): shown for name, value in utm.items() if (shown := _short(value))}


def _problems(voice: BrandVoice, typed: BrandVoice) -> list[FieldError]:
    """Return the errors of a cleaned voice; in lists at the entries that were typed."""
    problems: list[FieldError] = []
    if not voice.name:
        problems.append(FieldError("name", ErrorCode.name_required))
    problems += _too_long("name", voice.name, MAX_NAME)
    for name in _TEXTS:
        problems += _too_long(name, getattr(voice, name), MAX_TEXT)
    for name in _LISTS:
        problems += _too_many(name, len(getattr(voice, name)), MAX_LINES)
        for index, line in enumerate(getattr(typed, name)):
            problems += _too_long(f"{name}.{index}", _short(line), MAX_LINE)
    problems += _too_many("examples", len(voice.examples), MAX_EXAMPLES)
    for index, example in enumerate(typed.examples):
        problems += _too_long(f"examples.{index}.text", normal(example.text).strip(), MAX_EXAMPLE)
    problems += _too_many("utm", len(voice.utm), MAX_UTM)
    for name, value in voice.utm.items():
        if not _UTM_NAME.fullmatch(name):
            problems.append(FieldError(f"utm.{name}", ErrorCode.utm_name_malformed))
        problems += _too_long(f"utm.{name}", value, MAX_UTM_VALUE)
    return problems


def _too_long(field: str, text: str, limit: int) -> list[FieldError]:
    if len(text) <= limit:
        return []
    return [FieldError(field, ErrorCode.content_too_long, length=len(text), limit=limit)]


def _too_many(field: str, count: int, maximum: int) -> list[FieldError]:
    return [FieldError(field, ErrorCode.invalid_input, maximum=maximum)] if count > maximum else []


def _apply(brand: Brand, form: BrandForm) -> None:
    for name, value in form.voice.to_json().items():
        setattr(brand, name, value)
    brand.address, brand.emoji, brand.hashtags = form.voice.address, form.voice.emoji, form.voice.hashtags
    brand.languages = [language.value for language in form.languages]
    look = form.look
    brand.logo_id, brand.font = look.logo_id, look.font
    brand.ground, brand.ink, brand.accent = look.ground, look.ink, look.accent
