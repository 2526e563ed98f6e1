"""The pages of a feed, as HTML without scripts."""

import base64
import hashlib
import json
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core.i18n import CATALOGUES, texts_in
from core.texts.rules.markdown import reading_minutes, with_drawn_images
from core.websites.rules.feeds import FeedEntry, FeedHead, FeedImage, FeedLine, FeedPage

_FOLDER: Final = Path(__file__).parent
_SIZES: Final = "(max-width: 44rem) calc(100vw - 2.5rem), 41.5rem"
"""The width of an image, which is that of the text."""
# classes instead of styles of table cells, since inline styles would have to be allowed for the whole page
_ALIGNED: Final = re.compile(r' style="text-align:\s*(left|right|center);?"')


@cache
def style() -> str:
    return (_FOLDER / "style.css").read_text()


@cache
def _icon() -> str:
    return (_FOLDER / "icon.svg").read_text().strip()


@cache
def version() -> str:
    """Return a hash of all templates and texts of pages and feeds, for their ETags."""
    made_with = sorted(path for path in (*_FOLDER.iterdir(), *CATALOGUES.iterdir()) if path.is_file())
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in made_with)).hexdigest()


@cache
def style_hash() -> str:
    """Return the style's hash for the content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def index(head: FeedHead, page: FeedPage[FeedLine]) -> str:
    texts = texts_in(head.language)
    on_page = texts.text("feed.page", number=page.number, count=page.count)
    return _drawn(
        "index.html",
        head,
        head.language,
        title=head.name if page.number == 1 else f"{head.name} · {on_page}",
        shared_title=head.name,
        description=head.description or f"{head.name}: {texts.text('feed.articles')}",
        canonical=page_address(head.url, page.number),
        page=page,
        address=lambda number: page_address(head.url, number),
    )


def article(head: FeedHead, entry: FeedEntry, older: FeedLine | None, newer: FeedLine | None) -> str:
    text, language = entry.text, entry.language or head.language
    address = f"{head.url}{entry.slug}/"
    above = {"alt": text.above.alt, **_attributes(address, text.above)} if text.above else None
    description = text.seo_description or entry.summary or beginning(entry)
    changed, published = (_day(moment, head, language) for moment in (entry.changed_at, entry.published_at))
    drawn = {
        image.media_id: {**_attributes(address, image), "loading": "lazy", "decoding": "async"}
        for image in text.images
        if image.media_id
    }
    return _drawn(
        "article.html",
        head,
        language,
        title=f"{text.seo_title or entry.title} · {head.name}",
        shared_title=text.seo_title or entry.title,
        description=description,
        canonical=text.canonical_url or address,
        entry=entry,
        above=above,
        body=Markup(_ALIGNED.sub(r' class="to-\1"', with_drawn_images(text.html, drawn))),
        minutes=reading_minutes(text.words),
        updated=changed if changed != published else "",
        older=older,
        newer=newer,
        linked_data=_linked_data(head, entry, address, language, description, above),
    )


def missing(language: str, *, removed: bool, to: str = "") -> str:
    """Return the page for an address with nothing, or nothing any more. `to`: the feed's address, if there is one."""
    texts = texts_in(language)
    name = "gone" if removed else "missing"
    return (
        _templates()
        .get_template("missing.html")
        .render(
            language=language,
            text=texts.text,
            style=Markup(style()),
            icon=_icon(),
            title=texts.text(f"feed.{name}_title"),
            message=texts.text(f"feed.{name}"),
            to=to,
        )
    )


def page_address(url: str, number: int) -> str:
    return url if number == 1 else f"{url}?page={number}"


def image_address(article: str, name: str) -> str:
    """Return an image's address. `article`: the address of its article."""
    return f"{article}{name}"


def beginning(entry: FeedEntry) -> str:
    """Return the start of the text, for a preview of a sentence or two."""
    return entry.text.beginning or entry.title


def _drawn(template: str, head: FeedHead, language: str, **shown: Any) -> str:
    texts = texts_in(language)
    return (
        _templates()
        .get_template(template)
        .render(
            head=head,
            language=language,
            locale=texts.locale,
            text=texts.text,
            style=Markup(style()),
            icon=_icon(),
            day=lambda moment: _day(moment, head, language),
            **shown,
        )
    )


def _day(moment: datetime, head: FeedHead, language: str) -> str:
    day = moment.astimezone(ZoneInfo(head.time_zone)).date()
    return texts_in(language).day(day)


def _attributes(article: str, image: FeedImage) -> dict[str, str]:
    plain, *small = (image_address(article, name) for name in image.names)
    return {
        "src": plain,
        "srcset": ", ".join(f"{source} {width}w" for source, width in zip(small, image.widths, strict=True)),
        "sizes": _SIZES,
        "width": str(image.width),
        "height": str(image.height),
    }


def _linked_data(
    head: FeedHead, entry: FeedEntry, address: str, language: str, description: str, above: dict[str, str] | None
) -> Markup:
    """Return the article's schema.org data as JSON-LD, which is not executed."""
    site = {"@type": "Organization", "name": head.name, "url": head.url}
    linked_data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": entry.title,
        "description": description,
        "inLanguage": language,
        "datePublished": entry.published_at.isoformat(timespec="seconds"),
        "dateModified": entry.changed_at.isoformat(timespec="seconds"),
        "mainEntityOfPage": entry.text.canonical_url or address,
        "publisher": site,
        "author": {"@type": "Person", "name": head.author} if head.author else site,
    }
    if above:
        linked_data["image"] = [above["src"]]
    if entry.text.tags:
        linked_data["keywords"] = list(entry.text.tags)
    written = json.dumps(linked_data, ensure_ascii=False)
    # escaped so that nothing can end the element
    return Markup(written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
