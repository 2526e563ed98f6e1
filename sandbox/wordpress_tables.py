"""Rows of the stand-in for a WordPress site."""

from dataclasses import dataclass
from typing import ClassVar

from sandbox.state import Row, State


@dataclass(frozen=True)
class Media(Row):
    table: ClassVar[str] = "wordpress_media"
    id: int
    person: str
    slug: str
    image: str
    alt: str = ""

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Tag(Row):
    table: ClassVar[str] = "wordpress_tags"
    id: int
    name: str

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Article(Row):
    """Times are epoch seconds; `published_at` None: never published. In the bin its status is `trash`."""

    table: ClassVar[str] = "wordpress_posts"
    id: int
    person: str
    title: str
    content: str
    excerpt: str
    slug: str
    status: str
    featured_media: int
    categories: list[int]
    tags: list[int]
    created_at: float
    arrived_at: float
    published_at: float | None = None
    dated_at: float | None = None
    """The date by which WordPress decides whether it is shown; None: the time of publication."""

    @property
    def key(self) -> str:
        return str(self.id)


def taken_slugs(state: State, own: int = 0) -> set[str]:
    """Return the slugs of pictures and of other published articles."""
    published = {one.slug for one in state.table(Article).values() if one.status == "publish" and one.id != own}
    return published | {one.slug for one in state.table(Media).values()}
