"""Suggested subtopics without a model, from the titles of a topic and its neighbours."""

from collections.abc import Iterator
from itertools import count
from zlib import crc32

from core.ai.writers.base import MAX_TITLE, SuggestOrder
from core.ai.writers.demo_phrases import Phrases, Picker, cut, phrases_of
from core.ai.writers.titles import new_titles


def titles(order: SuggestOrder) -> tuple[str, ...]:
    """Return exactly `order.wanted` titles; the same order always gives the same titles."""
    phrases = phrases_of(order.language)
    return new_titles(_titles(order, phrases), order)


def _titles(order: SuggestOrder, phrases: Phrases) -> Iterator[str]:
    """Yield titles without end, since the caller skips existing ones."""
    topic = _short(order.topic, 2 * MAX_TITLE // 5) or phrases.fallback
    pick = Picker(crc32(f"{order.topic}\0{order.seed}".encode()))
    plain = [pattern.format(topic=topic) for pattern in pick.shuffled(phrases.titles)]
    # titles above the topic give context, except the root, which is the name of the tree
    others = [*reversed(order.path[1:]), *order.siblings]
    beside = [
        pick.one(phrases.beside).format(topic=topic, other=_short(other, MAX_TITLE // 5))
        for other in others[:4]
        if other
    ]
    # one of `beside` after every three plain titles
    for at, title in enumerate(plain):
        yield title
        if at % 3 == 2 and beside:
            yield beside.pop(0)
    yield from beside
    for pattern in phrases.readers_of:
        yield from (pattern.format(title=title) for title in plain)
    for number in count(2):
        yield phrases.more.format(topic=topic, number=number)


def _short(title: str, room: int) -> str:
    return cut(" ".join(title.split()), room)
