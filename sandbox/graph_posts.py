"""Posts of Facebook pages and Instagram accounts as cards and as JSON."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, link_card, linked, paragraph, picture_of
from sandbox.pages import iso
from sandbox.people import INSTAGRAM, PAGES, GraphPage, InstagramAccount
from sandbox.state import Row, State
from sandbox.texts import Text
from sandbox.videos import Video, video_players, videos_as_json


@dataclass(frozen=True)
class PagePost(Row):
    """A post of a Facebook page or an Instagram account. `images` are (id, alt text). Times are epoch seconds;
    `published_at` None: not published."""

    table: ClassVar[str] = "page_posts"
    id: str
    page: str
    text: str
    images: list[list[str]]
    created_at: float
    arrived_at: float
    published_at: float | None = None
    deleted: bool = False
    link: str = ""
    """A link, shown as a card."""
    video: str = ""
    """The id of its video."""
    comments: list[dict[str, Any]] = field(default_factory=list)
    """Comments with id, from (a page's id), text and at (epoch seconds), oldest first."""

    @property
    def key(self) -> str:
        return self.id


def live(state: State) -> list[PagePost]:
    """Return the published posts, newest first."""
    found = [post for post in state.table(PagePost).values() if post.published_at is not None and not post.deleted]
    return sorted(found, key=lambda post: post.published_at or 0, reverse=True)


def author_of(post: PagePost) -> GraphPage | InstagramAccount:
    return INSTAGRAM.get(post.page) or PAGES[post.page]


def network_of(post: PagePost) -> str:
    return "Instagram" if post.page in INSTAGRAM else "Facebook"


def code_of(post: PagePost) -> str:
    """Return the short code in the address of an Instagram post."""
    return f"C{int(post.id):x}"


def path_of(post: PagePost) -> str:
    return f"/p/{code_of(post)}/" if post.page in INSTAGRAM else f"/{post.id}"


def _videos(state: State, post: PagePost) -> list[Video]:
    return [state.table(Video)[post.video]] if post.video else []


def post_card(post: PagePost, state: State) -> str:
    author = author_of(post)
    comments = "".join(
        f'<p class="text comment"><strong>{Text.escape(author.name)}</strong> {linked(one["text"], tags=True)}</p>'
        for one in post.comments
    )
    return card(
        author=author.name,
        picture=picture_of(author.slug),
        permalink=path_of(post),
        at=post.published_at or post.created_at,
        notes=[network_of(post)],
        body=paragraph(post.text)
        + image_grid((image_path(one), alt) for one, alt in post.images)
        + video_players(_videos(state, post))
        + link_card({"source": post.link} if post.link else None)
        + comments,
    )


def _as_json(state: State, post: PagePost, base: str) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.page,
        "author_name": author_of(post).name,
        "text": post.text,
        "commentary": post.text,
        "visibility": "PUBLIC",
        "images": [{"id": one, "alt_text": alt, "url": base + image_path(one)} for one, alt in post.images],
        "videos": videos_as_json(_videos(state, post), base),
        "article": {"source": post.link} if post.link else None,
        "comments": [one["text"] for one in post.comments],
        "created_at": iso(post.published_at or post.created_at),
        "arrived_at": post.arrived_at,
        "permalink": base + path_of(post),
        "deleted": post.deleted,
    }


NETWORK = Network(
    cards=lambda state, _: [(post.published_at or post.created_at, post_card(post, state)) for post in live(state)],
    as_json=lambda state, base: [
        _as_json(state, post, base) for post in state.table(PagePost).values() if post.published_at is not None
    ],
)
