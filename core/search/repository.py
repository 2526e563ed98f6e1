from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    DateTime,
    Row,
    Select,
    SQLColumnExpression,
    String,
    case,
    cast,
    func,
    literal,
    null,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.tables import Assistant
from core.media.tables import Media
from core.posts.tables.posts import Post
from core.runs.repositories.run_lists import decide_until
from core.search.rules import SearchKind
from core.templates.tables import Template
from core.topics.tables import TopicTree

Text = SQLColumnExpression[str]
SearchHit = Row[str, UUID, str, datetime | None]
"""kind, id, name, and a post's planned_at unless that is only the deadline of its approval."""

_NO_TIME: Final = cast(null(), DateTime(timezone=True))
_MARKS = "\u0300\u0301\u0302\u0303\u0308\u030a\u0327"  # combining marks of decomposed letters
_LETTERS = "äöüàáâãåæçèéêëìíîïñòóôõøùúûýÿ"
_PLAIN = "aouaaaaaaceeeeiiiinooooouuuyy"
_OPENING = 200  # characters of a post that are searched in addition to its topic


class SearchRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def find(self, user_id: UUID, words: Sequence[str], most: int) -> Sequence[SearchHit]:
        """Return up to `most` hits of each kind that contain every word, ignoring case and accents: first those whose
        name begins with the first word, then the newest. `words` must not be empty."""
        opening = func.left(Post.content, _OPENING)
        topic_or_line = _first_of(Post.topic_title, func.split_part(opening, "\n", 1))
        posts = _hits(
            user_id,
            SearchKind.post,
            Post,
            words,
            name=topic_or_line,
            text=Post.topic_title + " " + opening,
            at=case((decide_until().is_(None), Post.planned_at)),
        )
        images = _hits(
            user_id,
            SearchKind.image,
            Media,
            words,
            name=_first_of(Media.name, Media.alt),
            text=Media.name + " " + Media.alt,
        )
        kinds = (
            _hits(user_id, SearchKind.assistant, Assistant, words, name=Assistant.name),
            _hits(user_id, SearchKind.template, Template, words, name=Template.name),
            _hits(user_id, SearchKind.topic_tree, TopicTree, words, name=TopicTree.name),
            posts.where(Post.deleted_at.is_(None)),
            images.where(Media.deleted_at.is_(None)),
        )
        subqueries = [hits.limit(most).subquery() for hits in kinds]
        return (await self.session.execute(union_all(*(select(subquery) for subquery in subqueries)))).all()


def _hits(
    user_id: UUID,
    kind: SearchKind,
    table: type[Assistant | Template | TopicTree | Post | Media],
    words: Sequence[str],
    *,
    name: Text,
    text: Text | None = None,
    at: SQLColumnExpression[Any] = _NO_TIME,
) -> Select[str, UUID, str, datetime | None]:
    """`text`: the searched text, if it is more than the name."""
    return (
        select(
            literal(kind, String).label("kind"),
            table.id,
            type_coerce(name, String).label("name"),
            at.label("planned_at"),
        )
        .where(table.user_id == user_id, *(_place(word, name if text is None else text) > 0 for word in words))
        .order_by((_place(words[0], name) == 1).desc(), table.updated_at.desc(), table.id)
    )


def _first_of(text: Text, otherwise: Text) -> ColumnElement[str]:
    """Return `text`, or `otherwise` if it is empty."""
    return func.coalesce(func.nullif(text, ""), otherwise)


def _place(word: str, text: Text) -> ColumnElement[int]:
    """Return the word's position from 1, or 0. Uses strpos, so `%` and `_` are ordinary characters."""
    return func.strpos(_folded(text), _folded(literal(word)))


def _folded(text: Text) -> ColumnElement[str]:
    """Return the text in lower case without accents."""
    return func.replace(func.translate(func.lower(text), _LETTERS + _MARKS, _PLAIN), "ß", "ss")
