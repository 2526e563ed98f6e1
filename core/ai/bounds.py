"""The maximum tokens of a model call, estimated from its order before the call."""

import json
from typing import Final

from core.ai.pictures.base import PictureOrder
from core.ai.rules.usage import Usage
from core.ai.writers.base import SuggestOrder, TextOrder
from core.ai.writers.forms import FormOrder
from core.ai.writers.network_texts import schema_of
from core.ai.writers.titles import SCHEMA, brief, instructions
from core.templates.rules.templates import ImageQuality, ReasoningEffort

REASONING_TOKENS: Final = 5000
"""Output tokens for reasoning, which counts too: with a tight limit, a request is billed but returns no text."""
_MORE_REASONING: Final = {ReasoningEffort.medium: 10_000, ReasoningEffort.high: 25_000, ReasoningEffort.xhigh: 50_000}
MAX_OUTPUT_TOKENS: Final = 8000
"""Output tokens of a text of a post's length; longer texts have at least two characters per token."""
_TITLE_TOKENS: Final = 2000
"""More than twelve titles need."""
_FILLED_TOKENS: Final = 4000
"""More than a brand's form needs."""
_MORE_ROOM: Final = 2
"""Factor for the retry after an answer that was cut off: some models cannot write more than twice as much."""
LONGEST_PROMPT: Final = 32_000
"""Characters of an image prompt including its style."""

_FORM_TOKENS = 100
"""Output tokens for a text's place in an answer of several: its name, quotation marks and escaped characters."""
_FRAME = 200
"""Tokens that a provider adds around a prompt."""
# a request cannot limit an image's output tokens: this is the observed use of our largest size plus a margin
_IMAGE_TOKENS: Final = {
    ImageQuality.low: 500,
    ImageQuality.medium: 2000,
    ImageQuality.high: 7000,
    ImageQuality.auto: 7000,
}


def text_room(order: TextOrder, effort: ReasoningEffort | None = None) -> int:
    """Return the output tokens to request: in any script, a token is rarely less than one character. Several texts in
    one answer have the room of all of them. `effort` is the writer's, for an order that names none."""
    reasoning = _reasoning(order.effort or effort)
    characters = order.max_characters
    if order.several:
        characters = sum(room.limit + _FORM_TOKENS for room in order.networks)
    most = max(MAX_OUTPUT_TOKENS, characters // 2 + reasoning)
    return min(characters + reasoning, most) * _times(order.more_room)


def title_room(order: SuggestOrder, effort: ReasoningEffort | None = None) -> int:
    return (_TITLE_TOKENS + _reasoning(effort)) * _times(order.more_room)


def form_room(order: FormOrder, effort: ReasoningEffort | None = None) -> int:
    return (_FILLED_TOKENS + _reasoning(effort)) * _times(order.more_room)


def _times(more_room: bool) -> int:
    return _MORE_ROOM if more_room else 1


def text_bound(order: TextOrder, effort: ReasoningEffort | None = None) -> Usage:
    form = (json.dumps(schema_of(order.networks)),) if order.several else ()
    return Usage(_tokens(order.instructions, order.brief, *form), text_room(order, effort))


def titles_bound(order: SuggestOrder, effort: ReasoningEffort | None = None) -> Usage:
    return Usage(_tokens(instructions(order), brief(order), json.dumps(SCHEMA)), title_room(order, effort))


def form_bound(order: FormOrder, effort: ReasoningEffort | None = None) -> Usage:
    return Usage(_tokens(order.instructions, order.brief, json.dumps(order.schema)), form_room(order, effort))


def picture_bound(order: PictureOrder) -> Usage:
    return Usage(_tokens(image_prompt(order)), _IMAGE_TOKENS[order.quality])


def image_prompt(order: PictureOrder) -> str:
    """Return the prompt, cut if too long, and the whole style after it."""
    style = f"\n\nStyle: {order.style}" if order.style else ""
    return order.prompt[: LONGEST_PROMPT - len(style)] + style


def _reasoning(effort: ReasoningEffort | None) -> int:
    return REASONING_TOKENS if effort is None else _MORE_REASONING.get(effort, REASONING_TOKENS)


def _tokens(*parts: str) -> int:
    """Return the maximum number of tokens: no tokenizer makes more tokens than bytes."""
    return _FRAME + sum(len(part.encode()) for part in parts)
