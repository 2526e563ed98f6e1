"""Tags: short words with which people sort things."""

from collections.abc import Iterable, Sequence

from core.errors import ErrorCode, FieldError, InvalidInput
from core.texts.rules.texts import normal, one_line

MAX_TAGS = 20
MAX_TAG = 40


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags as typed, with normalized spaces, keeping the first of those that differ only in case. At most 20
    tags of 40 characters: the rest is cut."""
    tags_by_key: dict[str, str] = {}
    for tag in tags:
        if short := _spaced(tag)[:MAX_TAG].strip():
            tags_by_key.setdefault(short.casefold(), short)
    return tuple(tags_by_key.values())[:MAX_TAGS]


def too_long_tags(tags: Sequence[str]) -> list[FieldError]:
    """Return content_too_long on `tags.<index>` for each tag that is too long."""
    lengths = [len(_spaced(tag)) for tag in tags]
    return [
        FieldError(f"tags.{at}", ErrorCode.content_too_long, length=length, limit=MAX_TAG)
        for at, length in enumerate(lengths)
        if length > MAX_TAG
    ]


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """As `clean_tags`, but raise InvalidInput for tags that are too long."""
    if too_long := too_long_tags(tags):
        raise InvalidInput(errors=too_long)
    return clean_tags(tags)


def with_tags(tags: Iterable[str], add: Sequence[str], remove: Iterable[str]) -> list[str]:
    """Add and remove tags, ignoring case; a tag in both is added. Raise InvalidInput (too_many_tags) if there is no
    room for the added ones."""
    removed = {tag.casefold() for tag in clean_tags(remove)}
    remaining = [tag for tag in tags if tag.casefold() not in removed]
    folded = {tag.casefold() for tag in remaining}
    new = [tag for tag in clean_tags(add) if tag.casefold() not in folded]
    if new and len(remaining) + len(new) > MAX_TAGS:
        raise InvalidInput(ErrorCode.too_many_tags, limit=MAX_TAGS)
    return [*remaining, *new]


def _spaced(tag: str) -> str:
    return " ".join(normal(one_line(tag)).split())
