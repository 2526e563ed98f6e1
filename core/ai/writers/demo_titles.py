"""Suggested subtopics without a model: a topic's own words and those around it."""

from collections.abc import Iterator
from itertools import count
from zlib import crc32

from core.ai.writers.base import MAX_TITLE, SuggestOrder
from core.ai.writers.demo_phrases import Phrases, Picker, cut, phrases_of
from core.ai.writers.titles import new_titles


def titles(order: SuggestOrder) -> tuple[str, ...]:
    """The same order gives the same. Always as many as are wanted."""
    phrases = phrases_of(order.language)
    return new_titles(_titles(order, phrases), order)


def _titles(order: SuggestOrder, phrases: Phrases) -> Iterator[str]:
    """Without an end: titles that are there already are passed over."""
    topic = _short(order.topic, 2 * MAX_TITLE // 5) or phrases.fallback
    pick = Picker(crc32(f"{order.topic}\0{order.seed}".encode()))
    plain = [pattern.format(topic=topic) for pattern in pick.shuffled(phrases.titles)]
    # the topic above says what it is about; the one above all is the name of the whole tree
    others = [*reversed(order.path[1:]), *order.siblings]
    beside = [
        pick.one(phrases.beside).format(topic=topic, other=_short(other, MAX_TITLE // 5))
        for other in others[:4]
        if other
    ]
    # one of them after every three
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
