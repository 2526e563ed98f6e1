"""Text models behind one protocol."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.ai.rules.answers import Form
from core.ai.rules.post_tasks import PostTask
from core.ai.rules.usage import Usage
from core.articles.rules.outlines import Part
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.templates.rules.templates import ReasoningEffort

DEMO_MODEL = "demo-writer"
"""The built-in writer's model name; shown as a label beside its texts."""

MAX_TITLE = 200
"""Characters of a suggested topic, the limit of a topic's title."""

Progress = Callable[[str], Awaitable[None]]
"""Receives the whole text so far, longer each time. An error that it raises ends the call."""

_MARKER = re.compile(r"<(?=\s*/?\s*value\s*>)", re.IGNORECASE)


@dataclass(frozen=True)
class PartOrder:
    """`number`, from 0, and `heading` of the wanted section; `text`: the article so far."""

    part: Part
    text: str = ""
    heading: str = ""
    number: int = 0


@dataclass(frozen=True)
class TextOrder:
    """`instructions` are ours. `prompt` is the filled template; `brief` is the same with every value between the
    markers <value> and </value>, which a model is told to treat as data. `subject` is a stable hash of the user, for
    the provider's abuse detection. `seed` identifies the text's purpose: the built-in writer varies by it, and repeats
    its text when a step is retried. `model` is a wish: a writer without it uses its own, as for None. `temperature` is
    for models that accept one, `effort` for reasoning models. `notes` are the facts on the topic, also contained in
    `brief`, and `source` the page that they are from, if they are others' words; `path` are the titles above the topic,
    root first; `above` are the notes on those topics with their titles, nearest first. `shorten` is a text to be
    shortened. `passage` is a part of a post to be replaced. `unlike` is an earlier post that the new one must not
    repeat; `refused` are texts of this post that the user has rejected. `turn` is the number of earlier texts in the
    same series, None without a series, and `latest` the one before: the built-in writer never begins or ends two in a
    row in the same way. `article`: the order is for a part of an article, not a post. `markdown`: the passage is of an
    article. `more_room`: an answer to the same order was cut off. `task`: what a post's instructions were composed
    from. `networks`: with several, the answer is JSON with a text for each, by `ChannelKind`; otherwise it is one plain
    text."""

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
    source: str = ""
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
    task: PostTask | None = None
    networks: tuple[NetworkRoom, ...] = ()

    @property
    def form(self) -> Form:
        """The form of the answer; an article's summary and search texts are plain lines."""
        plain = self.article is None or self.article.part in (Part.summary, Part.search)
        return Form.post if plain and not self.markdown else Form.article

    @property
    def several(self) -> bool:
        """Whether a text for each of several networks is asked for, in one answer."""
        return len(self.networks) > 1


@dataclass(frozen=True)
class Written:
    """`text` is never empty: the requested text without a model's words around it (`core.ai.rules.answers`). `texts`:
    for an order of several, the texts by network, of which `text` is the first. A network is missing if the answer has
    no text for it; all are if the answer is not in the form that was asked for, and `text` is then the whole answer."""

    text: str
    provider: str
    model: str
    usage: Usage
    request_id: str | None
    texts: Mapping[ChannelKind, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SuggestOrder:
    """An order for subtopics of `topic`. `path` are the titles above it, root first; `siblings` and `children` are
    existing titles, which no suggestion repeats. `wanted` is the maximum number of titles."""

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
    """One to `wanted` titles, best first: one line each, at most 200 characters, without duplicates and titles that
    the order names."""

    titles: tuple[str, ...]
    provider: str
    model: str
    usage: Usage
    request_id: str | None


class Writer(Protocol):
    """`write` and `suggest` raise RetrySafe (model_unavailable), RateLimited, Refused (model_refused; for a cut off
    answer model_incomplete, model_reasoned_too_long if reasoning used it up, model_context_too_small if the prompt
    did) or Misconfigured (model_misconfigured, model_out_of_credit); `spent` is set if the call may have cost
    something."""

    provider: str
    model: str
    effort: ReasoningEffort | None
    """Reasoning effort for orders without one; None: the model's default."""
    one_for_all: bool
    """It writes one text for all networks, and none for each."""

    def writes_several(self, model: str | None) -> bool:
        """Return whether the model of an order can be asked for the texts of several networks in one answer, as far as
        is known."""
        ...

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        """`progress` is called while the text is written. The text may end at any time and restart with a retry."""
        ...

    async def suggest(self, order: SuggestOrder) -> Suggested: ...

    async def close(self) -> None: ...


def as_data(value: str) -> str:
    """Return `value` between the markers of data for a model; markers within it are made harmless."""
    return f"<value>{_MARKER.sub('‹', value)}</value>"
