"""SQL for tags in a JSON list, ignoring case."""

from typing import Any

from sqlalchemy import ColumnElement, Select, TableValuedAlias, exists, func, literal, select
from sqlalchemy.sql.elements import SQLCoreOperations

Tags = SQLCoreOperations[Any]
"""A column of tags."""
Words = str | ColumnElement[str]


def has_tag(tags: Tags, tag: Words) -> ColumnElement[bool]:
    element = _each(tags)
    return exists().where(func.lower(element.c.value) == func.lower(tag))


def tag_mentions(tags: Tags, words: Words) -> ColumnElement[bool]:
    """Return whether a tag contains these words."""
    return exists().where(func.strpos(func.lower(_each(tags).c.value), func.lower(words)) > 0)


def tag_counts(rows: Select[Any]) -> Select[str, int]:
    """Return each tag in its most frequent spelling with its number of rows, most used first. `rows` selects only the
    column `tags`."""
    tagged = rows.subquery()
    element = _each(tagged.c.tags)
    folded, count = func.lower(element.c.value), func.count()
    return (
        select(func.mode().within_group(element.c.value), count)
        .select_from(tagged)
        .join(element, literal(True))
        .group_by(folded)
        .order_by(count.desc(), folded)
    )


def _each(tags: Tags) -> TableValuedAlias:
    """Return the tags as rows."""
    return func.jsonb_array_elements_text(tags).table_valued("value").render_derived()
