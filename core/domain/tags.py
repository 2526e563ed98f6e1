"""Tags: short words that people sort their things by."""

from collections.abc import Iterable

MAX_TAGS = 20
MAX_TAG = 40


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """As they were typed, without space around or doubled inside; the first of those that differ in case alone.
    At most 20 of 40 characters: what is over is cut."""
    kept: dict[str, str] = {}
    for tag in tags:
        if short := " ".join(tag.replace("\0", "").split())[:MAX_TAG].strip():
            kept.setdefault(short.casefold(), short)
    return tuple(kept.values())[:MAX_TAGS]
