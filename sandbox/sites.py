"""What the stand-ins of websites share: slugs, plain text and the pages of articles."""

import html
import re
from collections.abc import Collection, Iterable

from starlette.responses import HTMLResponse

from sandbox.pages import moment, page
from sandbox.texts import Text

_POLICY = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-src 'none'"
_EXCERPT = 600


def slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def unique_slug(wanted: str, taken: Collection[str]) -> str:
    """Return the slug, with a number if it is taken."""
    free, count = wanted, 1
    while free in taken:
        count += 1
        free = f"{wanted}-{count}"
    return free


def plain(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def excerpt(title: str, markup: str, image: str) -> str:
    """Return the body of an article's card."""
    return f'<h2>{html.escape(title)}</h2><p class="text">{html.escape(plain(markup)[:_EXCERPT])}</p>{image}'


def article_page(
    text: Text, title: str, *, author: str = "", at: float, above: str, markup: str, tags: Iterable[str]
) -> HTMLResponse:
    """Return an article's page with its markup as sent. A policy keeps its scripts and forms from running. `above` is
    HTML."""
    title = text.escape(title)
    byline = f"{text.escape(author)} · " if author else ""
    listed = " ".join(f'<span class="tag">#{text.escape(name)}</span>' for name in tags)
    body = f"""<article class="card"><h1>{title}</h1><p>{byline}{moment(at)}</p>
{above}<div class="body">{markup}</div><p>{listed}</p></article>"""
    return HTMLResponse(page(text, title, body), headers={"Content-Security-Policy": _POLICY})
