"""Drafts of a brand, which a model makes from a page of its website or from its posts. Nothing is stored."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeVar
from uuid import UUID

from core.ai.model_calls import Meter
from core.ai.model_texts import fill_form, form_request
from core.ai.prompts import DRAFT_BRAND, brand_brief
from core.ai.repositories.transactions import Cause
from core.ai.tables.transactions import TransactionType
from core.ai.writers.base import Writer
from core.ai.writers.forms import FormOrder, FormWriter
from core.brands.brands import clean_voice
from core.brands.rules import (
    MAX_EXAMPLE,
    MAX_EXAMPLES,
    MAX_LINE,
    MAX_NAME,
    MAX_TEXT,
    Address,
    BrandVoice,
    EmojiUse,
    Example,
    HashtagUse,
)
from core.database import Sessions
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.i18n import english_name
from core.ids import new_id
from core.languages import Language
from core.outgoing.pages import PageReader
from core.runs.text_orders import provider_subject_id
from core.texts.rules.texts import cut_text, is_blank
from core.texts.rules.web_pages import WebPage

_MOST_RULES: Final = 6
_MOST_ENTRIES: Final = 10
"""Entries of a list, as the prompt says."""
_NUMBER: Final = re.compile(r"\d+")
_Value = TypeVar("_Value", bound=StrEnum)


def _text() -> dict[str, Any]:
    return {"type": "string"}


def _one_of(kind: type[StrEnum]) -> dict[str, Any]:
    return {"type": "string", "enum": [member.value for member in kind]}


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_PROPERTIES: Final = {
    "name": _text(),
    "about": _text(),
    "audience": _text(),
    "voice": _text(),
    "dos": _list_of(_text()),
    "donts": _list_of(_text()),
    "address": _one_of(Address),
    "emoji": _one_of(EmojiUse),
    "hashtags": _one_of(HashtagUse),
    "words_to_use": _list_of(_text()),
    "words_to_avoid": _list_of(_text()),
    "facts": _list_of(_text()),
    "languages": _list_of(_one_of(Language)),
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": _PROPERTIES,
    "required": list(_PROPERTIES),
    "additionalProperties": False,
}


@dataclass(frozen=True)
class DraftRequest:
    """`address` of a page, empty if there is none. `language` of the descriptions."""

    address: str
    posts: tuple[str, ...]
    language: Language


@dataclass(frozen=True)
class BrandDraft:
    """`voice`: its examples are the posts of the request. `emoji` and `hashtags`: as in the voice, None if the model
    did not answer. `accent`: the page's `theme-color`."""

    voice: BrandVoice
    emoji: EmojiUse | None
    hashtags: HashtagUse | None
    languages: tuple[Language, ...]
    accent: str | None
    model: str
    cost_micros: int | None


@dataclass(frozen=True)
class BrandDraftService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    pages: PageReader

    async def draft(self, user_id: UUID, request: DraftRequest) -> BrandDraft:
        """Read the page and call the model, which is booked as any call of a user. No page is read for a user whose
        subscription would refuse even a call without one.

        Raise Conflict (brand_needs_model) without a model; InvalidInput: field_required on `address` without page and
        posts, content_too_long on `posts.<index>`, and as `PageReader.read`; SubscriptionRequired; errors of
        `Meter.call`."""
        if not isinstance(self.writer, FormWriter):
            raise Conflict(ErrorCode.brand_needs_model)
        posts = _checked_posts(request.posts)
        if not posts and is_blank(request.address):
            raise InvalidInput(errors=[FieldError("address", ErrorCode.field_required)])
        page, order = WebPage(), _order(user_id, request.language, WebPage(), posts)
        await self._admit(user_id, order)
        if not is_blank(request.address):
            page = await self.pages.read(request.address)
            order = _order(user_id, request.language, page, posts)
            await self._admit(user_id, order)
        cause = Cause(user_id, TransactionType.text, draft_id=new_id())
        filled, used = await fill_form(self.meter, cause, self.writer, order)
        voice = _voice_of(filled.values, known=f"{order.brief} {page.title}")
        return BrandDraft(
            replace(voice, name=voice.name or page.site_name[:MAX_NAME], examples=tuple(map(Example, posts))),
            _member(filled.values.get("emoji"), EmojiUse),
            _member(filled.values.get("hashtags"), HashtagUse),
            tuple(dict.fromkeys(_members(filled.values.get("languages"), Language))),
            page.colour,
            used["model"],
            used["cost_micros"],
        )

    async def _admit(self, user_id: UUID, order: FormOrder) -> None:
        async with self.sessions() as session:
            await self.meter.admit(session, user_id, form_request(self.writer, order))


def _order(user_id: UUID, language: Language, page: WebPage, posts: Sequence[str]) -> FormOrder:
    return FormOrder(
        DRAFT_BRAND.format(language=english_name(language)),
        brand_brief(_parts(page), posts),
        SCHEMA,
        provider_subject_id(user_id),
    )


def _checked_posts(posts: Iterable[str]) -> list[str]:
    typed = [post.strip() for post in posts]
    shown = list(dict.fromkeys(post for post in typed if not is_blank(post)))
    problems = [
        FieldError(f"posts.{index}", ErrorCode.content_too_long, length=len(post), limit=MAX_EXAMPLE)
        for index, post in enumerate(typed)
        if len(post) > MAX_EXAMPLE
    ]
    if len(shown) > MAX_EXAMPLES:
        problems.append(FieldError("posts", ErrorCode.invalid_input, maximum=MAX_EXAMPLES))
    if problems:
        raise InvalidInput(errors=problems)
    return shown


def _parts(page: WebPage) -> list[tuple[str, str]]:
    return [
        ("Name of the website", page.site_name),
        ("Title of the page", page.title),
        ("Description of the page", page.description),
        ("Text of the page", page.text),
    ]


def _voice_of(values: dict[str, Any], known: str) -> BrandVoice:
    """Return the fields of the answer, as far as they are what was asked for. A fact with a number that is not in
    `known` is left out."""
    numbers = set(_NUMBER.findall(known))
    facts = _lines(values.get("facts"), _MOST_ENTRIES)
    return clean_voice(
        BrandVoice(
            name=cut_text(_string(values.get("name")), MAX_NAME),
            about=cut_text(_string(values.get("about")), MAX_TEXT),
            audience=cut_text(_string(values.get("audience")), MAX_TEXT),
            voice=cut_text(_string(values.get("voice")), MAX_TEXT),
            address=_member(values.get("address"), Address) or Address.any,
            emoji=_member(values.get("emoji"), EmojiUse) or EmojiUse.sparing,
            hashtags=_member(values.get("hashtags"), HashtagUse) or HashtagUse.network,
            dos=_lines(values.get("dos"), _MOST_RULES),
            donts=_lines(values.get("donts"), _MOST_RULES),
            words_to_use=_lines(values.get("words_to_use"), _MOST_ENTRIES),
            words_to_avoid=_lines(values.get("words_to_avoid"), _MOST_ENTRIES),
            facts=tuple(fact for fact in facts if numbers.issuperset(_NUMBER.findall(fact))),
        )
    )


def _string(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _lines(values: object, most: int) -> tuple[str, ...]:
    """Leave out what is no line: a list's entry that is too long is an essay, not a rule."""
    found = values if isinstance(values, list) else []
    return tuple(line for value in found if 0 < len(line := _string(value)) <= MAX_LINE)[:most]


def _member(value: object, kind: type[_Value]) -> _Value | None:
    return next(iter(_members([value], kind)), None)


def _members(values: object, kind: type[_Value]) -> list[_Value]:
    found = values if isinstance(values, list) else []
    return [member for value in found for member in kind if member.value == value]
