"""The most that a call of a model may use, from what it is asked: known before anything is spent."""

import json
from typing import Final

from core.ai.pictures.base import PictureOrder
from core.ai.rules.usage import Usage
from core.ai.writers.base import SuggestOrder, TextOrder
from core.ai.writers.titles import SCHEMA, brief, instructions
from core.templates.rules.templates import ImageQuality, ReasoningEffort

REASONING_TOKENS: Final = 5000
"""Reasoning counts too: a tight limit costs the whole request and returns nothing."""
_MORE_REASONING: Final = {ReasoningEffort.medium: 10_000, ReasoningEffort.high: 25_000, ReasoningEffort.xhigh: 50_000}
MAX_OUTPUT_TOKENS: Final = 8000
"""Of a text that may be as long as a post; a longer one has two characters a token at least."""
_TITLE_TOKENS: Final = 2000
"""Twelve titles, generously."""
_MORE_ROOM: Final = 2
"""Times as much as before, after an answer that was cut off: more than twice is more than some models write at all."""
LONGEST_PROMPT: Final = 32_000
"""Characters of an image's prompt with its style."""

_FRAME = 200
"""Tokens that a provider puts around a prompt."""
# an image has no limit of its output that could be asked for: what the largest of our sizes was seen to take, and some
_IMAGE_TOKENS: Final = {
    ImageQuality.low: 500,
    ImageQuality.medium: 2000,
    ImageQuality.high: 7000,
    ImageQuality.auto: 7000,
}


def text_room(order: TextOrder, effort: ReasoningEffort | None = None) -> int:
    """Output tokens that are asked for: one is rarely less than a character, whatever the script. `effort` is the
    writer's, for an order that names none."""
    reasoning = _reasoning(order.effort or effort)
    most = max(MAX_OUTPUT_TOKENS, order.max_characters // 2 + reasoning)
    return min(order.max_characters + reasoning, most) * _times(order.more_room)


def title_room(order: SuggestOrder, effort: ReasoningEffort | None = None) -> int:
    return (_TITLE_TOKENS + _reasoning(effort)) * _times(order.more_room)


def _times(more_room: bool) -> int:
    return _MORE_ROOM if more_room else 1


def text_bound(order: TextOrder, effort: ReasoningEffort | None = None) -> Usage:
    return Usage(_tokens(order.instructions, order.brief), text_room(order, effort))


def titles_bound(order: SuggestOrder, effort: ReasoningEffort | None = None) -> Usage:
    return Usage(_tokens(instructions(order), brief(order), json.dumps(SCHEMA)), title_room(order, effort))


def picture_bound(order: PictureOrder) -> Usage:
    return Usage(_tokens(image_prompt(order)), _IMAGE_TOKENS[order.quality])


def image_prompt(order: PictureOrder) -> str:
    """The style last and always whole."""
    style = f"\n\nStyle: {order.style}" if order.style else ""
    return order.prompt[: LONGEST_PROMPT - len(style)] + style


def _reasoning(effort: ReasoningEffort | None) -> int:
    return REASONING_TOKENS if effort is None else _MORE_REASONING.get(effort, REASONING_TOKENS)


def _tokens(*parts: str) -> int:
    """At most: no tokenizer makes more of a text than it has bytes."""
    return _FRAME + sum(len(part.encode()) for part in parts)
