"""Posts of Facebook pages and Instagram accounts as cards and as JSON."""

from typing import Any

from sandbox.graph import INSTAGRAM, PAGES, GraphPage, InstagramAccount
from sandbox.pages import Text, iso, link_card, linked, moment
from sandbox.state import PagePost


def author_of(post: PagePost) -> GraphPage | InstagramAccount:
    return INSTAGRAM.get(post.page) or PAGES[post.page]


def network_of(post: PagePost) -> str:
    return "Instagram" if post.page in INSTAGRAM else "Facebook"


def code_of(post: PagePost) -> str:
    """Return the short code in the address of an Instagram post."""
    return f"C{int(post.id):x}"


def path_of(post: PagePost) -> str:
    return f"/p/{code_of(post)}/" if post.page in INSTAGRAM else f"/{post.id}"


def as_json(post: PagePost, base: str) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.page,
        "author_name": author_of(post).name,
        "text": post.text,
        "commentary": post.text,
        "visibility": "PUBLIC",
        "images": [
            {"id": found, "alt_text": alt, "url": f"{base}/sandbox/images/{found}"} for found, alt in post.images
        ],
        "article": {"source": post.link} if post.link else None,
        "comments": [one["text"] for one in post.comments],
        "created_at": iso(post.published_at or post.created_at),
        "arrived_at": post.arrived_at,
        "permalink": f"{base}{path_of(post)}",
        "deleted": post.deleted,
    }


def card(text: Text, post: PagePost) -> str:
    card_of_link = link_card({"source": post.link} if post.link else None)
    author, when = author_of(post), moment(post.published_at or post.created_at)
    images = "".join(
        f'<img src="/sandbox/images/{found}" alt="{text.escape(alt)}" loading="lazy">' for found, alt in post.images
    )
    shown = f'<div class="images">{images}</div>' if images else ""
    below = "".join(
        f'<p class="text comment"><strong>{text.escape(author.name)}</strong> {linked(one["text"], tags=True)}</p>'
        for one in post.comments
    )
    return f"""<article class="card"><div class="author"><img src="/sandbox/pictures/{author.slug}.svg" alt="">
<div><strong>{text.escape(author.name)}</strong>
<span><a href="{path_of(post)}">{when}</a> · {network_of(post)}</span></div></div>
<p class="text">{linked(post.text, tags=True)}</p>{shown}{card_of_link}{below}</article>"""
