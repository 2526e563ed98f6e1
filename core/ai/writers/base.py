"""Text models behind one protocol."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from core.ai.rules.answers import Form
from core.ai.rules.usage import Usage
from core.articles.rules.outlines import Part
from core.templates.rules.templates import ReasoningEffort

DEMO_MODEL = "demo-writer"
"""What the built-in writer signs with; shown as a label wherever its text stands."""

MAX_TITLE = 200
"""Characters of a suggested topic: as long as a topic's title may be."""

Progress = Callable[[str], Awaitable[None]]
"""Gets the whole text as far as it has come, each time longer than before. What it raises ends the call."""

_MARKER = re.compile(r"<(?=\s*/?\s*value\s*>)", re.IGNORECASE)


@dataclass(frozen=True)
class PartOrder:
    """`number`, from 0, and `heading` of a section that is wanted; `text`: the article as far as it is there."""

    part: Part
    text: str = ""
    heading: str = ""
    number: int = 0


@dataclass(frozen=True)
class TextOrder:
    """`instructions` are ours. `prompt` is the filled template as it reads; `brief` the same with every value between
    the markers <value> and </value>, which a model is told to take as data. `subject` is a stable hash of the user,
    for the provider's abuse detection. `seed` is what the text is for: the built-in writer varies by it, and writes the
    same again when a step is repeated. `model` is a wish: a writer that cannot have it takes its own, as for None.
    `temperature` goes to models that take one, and `effort` to those that think before they write. `notes` are the
    facts on the topic, which are in `brief` too, and `path`
    are the titles above it, from the root down; `above` are the notes on those, each with its title, nearest first.
    `shorten` is a text that is too long: what is asked for is that one, shorter. `passage` is a part of a post: what is
    asked for is what comes in its place. `unlike` is an earlier post that the new one must not repeat, and `refused`
    are texts of this very post that a person has read and wanted another for. `turn` is how many texts there were
    before in the same series, None outside of any, and `latest` the one before this: the built-in writer never begins
    or ends two in a row in the same way. `article`: a part of one is wanted, and no post. `markdown`: the
    passage that is wanted is of an article. `more_room`: an answer to the same order was cut off."""

    instructions: str
    prompt: str
    brief: str
    language: str
    max_characters: int
    topic: str
    subject: str
    seed: str = ""
    model: str | None = None
    temperature: float | None = None
    effort: ReasoningEffort | None = None
    notes: str = ""
    path: tuple[str, ...] = ()
    turn: int | None = None
    latest: str = ""
    above: tuple[tuple[str, str], ...] = ()
    shorten: str = ""
    passage: str = ""
    unlike: str = ""
    refused: tuple[str, ...] = ()
    article: PartOrder | None = None
    markdown: bool = False
    more_room: bool = False

    @property
    def form(self) -> Form:
        """What the answer is read as: a summary and what search results show are plain lines."""
        plain = self.article is None or self.article.part in (Part.summary, Part.search)
        return Form.post if plain and not self.markdown else Form.article


@dataclass(frozen=True)
class Written:
    """`text` is never empty: what was asked for, without what a model says around it (`core.ai.rules.answers`)."""

    text: str
    provider: str
    model: str
    usage: Usage
    request_id: str | None


@dataclass(frozen=True)
class SuggestOrder:
    """Subtopics of `topic`. `path` are the titles above it, from the root down; `siblings` and `children` what is
    there already, which no suggestion repeats. `wanted` is how many titles at most."""

    topic: str
    path: tuple[str, ...]
    siblings: tuple[str, ...]
    children: tuple[str, ...]
    notes: str
    wanted: int
    language: str
    subject: str
    seed: str = ""
    more_room: bool = False


@dataclass(frozen=True)
class Suggested:
    """One to `wanted` titles, best first: on one line each, at most 200 characters, none twice and none of the titles
    that the order named."""

    titles: tuple[str, ...]
    provider: str
    model: str
    usage: Usage
    request_id: str | None


class Writer(Protocol):
    """Raise RetrySafe (model_unavailable), RateLimited, Refused (model_refused; model_incomplete for an answer that
    was cut off, model_reasoned_too_long where thinking took its room, model_context_too_small where the prompt did) or
    Misconfigured (model_misconfigured, model_out_of_credit); `spent` is set where the call may have cost something."""

    provider: str
    model: str
    effort: ReasoningEffort | None
    """How much it thinks before it writes where an order does not say; None: that is left to the model."""

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        """`progress` is told while the text is being written. It may stop at any time and begin anew with a repeat."""
        ...

    async def suggest(self, order: SuggestOrder) -> Suggested: ...

    async def close(self) -> None: ...


def as_data(value: str) -> str:
    """`value` between the markers that tell a model where data begins and ends; none in it ends them early."""
    return f"<value>{_MARKER.sub('‹', value)}</value>"
