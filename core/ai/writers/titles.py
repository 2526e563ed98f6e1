"""Suggested subtopics: the prompt for a model, and reading its answer."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.ai import prompts
from core.ai.writers.base import MAX_TITLE, SuggestOrder, as_data
from core.i18n import english_name

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"titles": {"type": "array", "items": {"type": "string"}}},
    "required": ["titles"],
    "additionalProperties": False,
}

_MAX_KNOWN = 200
"""Titles of each kind in the prompt: a topic may have ten thousand children."""
_MAX_PATH = 20

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]+")
_FENCE = re.compile(r"\A\s*`{3,}\w*\s*|\s*`{3,}\s*\Z")
_BULLET = re.compile(r"^\s*(?:[-*•–—]+\s*|\d{1,3}[.)]\s+)+")
_HYPHENS = re.compile(r"^[\s\-*•–—]+")
_INK = re.compile(r"\w")
_AROUND = " \t\"'“”„‘’‚«»‹›`*_"


def instructions(order: SuggestOrder) -> str:
    return prompts.SUGGEST_TOPICS.format(wanted=order.wanted, language=english_name(order.language))


def brief(order: SuggestOrder) -> str:
    path = order.path if len(order.path) <= _MAX_PATH else (order.path[0], "…", *order.path[1 - _MAX_PATH :])
    fields = [
        ("Topic", order.topic),
        ("It belongs to", " / ".join(path)),
        ("Notes of the author on it", order.notes),
        ("Subtopics that are there already", "\n".join(order.children[-_MAX_KNOWN:])),
        ("Topics beside it", "\n".join(order.siblings[-_MAX_KNOWN:])),
    ]
    return "\n\n".join(f"{name}: {as_data(value)}" for name, value in fields if value)


def read_titles(answer: str, order: SuggestOrder) -> tuple[str, ...]:
    """Return the titles in a model's answer: from the requested JSON, or else from its lines. May be empty."""
    text = _FENCE.sub("", answer)
    in_json = _titles_in_json(text)
    titles = (
        in_json if in_json is not None else (_BULLET.sub("", line) for line in text.splitlines() if _is_title(line))
    )
    return new_titles(titles, order)


def new_titles(titles: Iterable[str], order: SuggestOrder) -> tuple[str, ...]:
    """Return the first `order.wanted` titles, cleaned, without duplicates and titles that the order names."""
    known = {_key(title) for title in (order.topic, *order.path, *order.siblings, *order.children)}
    chosen: list[str] = []
    for title in map(_tidy, titles):
        if len(chosen) == order.wanted:
            break
        if _INK.search(title) and _key(title) not in known:
            known.add(_key(title))
            chosen.append(title)
    return tuple(chosen)


def _titles_in_json(text: str) -> list[str] | None:
    """Return the titles if `text` is or contains the requested JSON or just its list, else None."""
    for start, end in ((0, len(text)), (text.find("{"), text.rfind("}") + 1), (text.find("["), text.rfind("]") + 1)):
        if not 0 <= start < end:
            continue
        try:
            found = json.loads(text[start:end])
        except (ValueError, RecursionError):
            continue
        titles = found.get("titles") if isinstance(found, dict) else found
        if isinstance(titles, list):
            return list(_texts(titles))
    return None


def _texts(titles: list[Any]) -> Iterator[str]:
    """Yield the titles; some models send each as an object."""
    for title in titles:
        text = title.get("title") if isinstance(title, dict) else title
        if isinstance(text, str):
            yield text


def _is_title(line: str) -> bool:
    """Return False for a model's announcement of its list: "Here are six subtopics:"."""
    return not line.rstrip().endswith(":")


def _tidy(title: str) -> str:
    """Return the title as one line without bullets, quotes and markup, cut at a word if too long."""
    line = " ".join(_HYPHENS.sub("", _CONTROL.sub(" ", title)).split()).strip(_AROUND).rstrip(",;")
    if len(line) <= MAX_TITLE:
        return line
    head, _, _ = line[:MAX_TITLE].rpartition(" ")
    return (head or line[: MAX_TITLE - 1]).rstrip(" ,;:.–-") + "…"


def _key(title: str) -> str:
    return " ".join(title.split()).casefold().rstrip(".!…")
