from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Row, String, func, literal, select, union_all
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.searching import SearchKind
from core.models import Assistant, Media, Post, Template, TopicTree

SearchHit = Row[str, UUID, str]
"""Kind, id and name."""

_LETTERS = "äöüàáâãåæçèéêëìíîïñòóôõøùúûýÿ"
_PLAIN = "aouaaaaaaceeeeiiiinooooouuuyy"
_OPENING = 200  # characters of a post that are searched beside its topic


class SearchRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def find(self, user_id: UUID, words: Sequence[str], most: int) -> Sequence[SearchHit]:
        """At most so many of each kind that mention every word, whatever the case and the accents: those whose name
        begins with the first word before the others, then the newest. `words` must not be empty."""
        opening = func.left(Post.content, _OPENING)
        topic_or_line = _first_of(Post.topic_title, func.split_part(opening, "\n", 1))
        name_or_alt = _first_of(Media.name, Media.alt)
        mine = [
            (SearchKind.assistant, Assistant, Assistant.name, Assistant.name, Assistant.user_id == user_id),
            (SearchKind.template, Template, Template.name, Template.name, Template.user_id == user_id),
            (SearchKind.topic_tree, TopicTree, TopicTree.name, TopicTree.name, TopicTree.user_id == user_id),
            (SearchKind.post, Post, topic_or_line, Post.topic_title + " " + opening, Post.user_id == user_id),
            (
                SearchKind.image,
                Media,
                name_or_alt,
                Media.name + " " + Media.alt,
                (Media.user_id == user_id) & Media.deleted_at.is_(None),
            ),
        ]
        found = [
            select(literal(kind, String).label("kind"), table.id, name.label("name"))
            .where(owned, *(_place(word, text) > 0 for word in words))
            .order_by((_place(words[0], name) == 1).desc(), table.updated_at.desc(), table.id)
            .limit(most)
            .subquery()
            for kind, table, name, text, owned in mine
        ]
        return (await self.session.execute(union_all(*(select(one) for one in found)))).all()


def _first_of(text: ColumnElement[str], otherwise: ColumnElement[str]) -> ColumnElement[str]:
    """The first of them that is not empty."""
    return func.coalesce(func.nullif(text, ""), otherwise)


def _place(word: str, text: ColumnElement[str]) -> ColumnElement[int]:
    """Where it stands, from 1; 0 where it does not. A position, not a pattern: `%` and `_` are letters like others."""
    return func.strpos(_folded(text), _folded(literal(word)))


def _folded(text: ColumnElement[str]) -> ColumnElement[str]:
    """As somebody types it who cares neither for case nor for accents, or has none on the keyboard."""
    return func.replace(func.translate(func.lower(text), _LETTERS, _PLAIN), "ß", "ss")
