"""Posts as cards: author, time, text, images and link."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import urlsplit

from sandbox.pages import moment


def card(
    *, author: str, picture: str = "", square: bool = False, permalink: str, at: float, notes: Iterable[str], body: str
) -> str:
    """Return a card. `picture`: the author's; `at`: epoch seconds; `notes` follow the time; `body` is HTML."""
    avatar = f'<img src="{escape(picture)}" alt="">' if picture else ""
    line = " · ".join([f'<a href="{permalink}">{moment(at)}</a>', *map(escape, notes)])
    return f"""<article class="card"><div class="author{" square" if square else ""}">{avatar}
<div><strong>{escape(author)}</strong> <span>{line}</span></div></div>
{body}</article>"""


def image_grid(found: Iterable[tuple[str, str]]) -> str:
    """Return images given as (address, alt text)."""
    listed = "".join(f'<img src="{escape(src)}" alt="{escape(alt)}" loading="lazy">' for src, alt in found)
    return f'<div class="images">{listed}</div>' if listed else ""


def picture_of(name: str) -> str:
    """Return the path of the picture of a person, page or account."""
    return f"/sandbox/pictures/{name}.svg"


def image_path(image_id: str) -> str:
    return f"/sandbox/images/{image_id}"


def paragraph(value: str) -> str:
    """Return a post's plain text as HTML, with links and hashtags."""
    return f'<p class="text">{linked(value, tags=True)}</p>'


def linked(value: str, *, tags: bool = False) -> str:
    """Return plain text as HTML, with links for web addresses and, with `tags`, coloured hashtags."""
    parts = re.split(r"(https?://[^\s<>\"']*[^\s<>\"'.,;:!?)])", value)
    return "".join(
        f'<a href="{escape(part)}" rel="noreferrer">{escape(part)}</a>' if number % 2 else _plain(part, tags)
        for number, part in enumerate(parts)
    )


def _plain(part: str, tags: bool) -> str:
    # "&#" begins an escaped quotation mark, not a hashtag
    escaped = escape(part)
    return re.sub(r"(?<![\w&])#(\w*[^\W\d_]\w*)", r'<span class="tag">#\1</span>', escaped) if tags else escaped


def link_card(article: Mapping[str, str] | None, picture: str = "") -> str:
    """Return a link card with title and description as sent to the network, and the link's host."""
    if article is None:
        return ""
    source = article["source"]
    host = escape(urlsplit(source).netloc)
    image = f'<img src="{escape(picture)}" alt="" loading="lazy">' if picture else ""
    title = f"<strong>{escape(article['title'])}</strong>" if article.get("title") else ""
    description = f"<span>{escape(article['description'])}</span>" if article.get("description") else ""
    return (
        f'<a class="link" href="{escape(source)}" rel="noreferrer">{image}{title}{description}<span>{host}</span></a>'
    )
