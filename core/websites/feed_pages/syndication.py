"""A feed for programs: RSS 2.0, JSON Feed 1.1, a Markdown file per article, a sitemap."""

import json
import re
from collections.abc import Sequence
from email.utils import format_datetime
from html import escape, unescape
from typing import Any, Final
from urllib.parse import urljoin
from uuid import UUID
from xml.etree import ElementTree as ET

from core.texts.rules.markdown import with_images
from core.websites.feed_pages.pages import beginning, image_address
from core.websites.rules.feeds import FeedEntry, FeedHead, FeedLine, FeedPage

_ATOM: Final = "http://www.w3.org/2005/Atom"
_CONTENT: Final = "http://purl.org/rss/1.0/modules/content/"
_CREATOR: Final = "http://purl.org/dc/elements/1.1/"
_SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
for _prefix, _name in (("atom", _ATOM), ("content", _CONTENT), ("dc", _CREATOR)):
    ET.register_namespace(_prefix, _name)
# characters that XML forbids
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# characters that YAML treats as line ends or as not printable
_NO_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# attributes as `html_of` writes them
_RELATIVE: Final = re.compile(r'(?<=\s)(href|src)="([^"]*)"')
_EVERY_HOUR: Final = "60"  # minutes


def rss(head: FeedHead, page: FeedPage[FeedEntry]) -> bytes:
    """Return the feed of the newest articles."""
    root = ET.Element("rss", {"version": "2.0"})
    channel = ET.SubElement(root, "channel")
    _add(channel, "title", head.name)
    _add(channel, "link", head.url)
    _add(channel, "description", head.description or head.name)
    _add(channel, "language", head.language)
    ET.SubElement(
        channel, f"{{{_ATOM}}}link", {"href": f"{head.url}rss.xml", "rel": "self", "type": "application/rss+xml"}
    )
    _add(channel, "lastBuildDate", format_datetime(head.changed_at))
    _add(channel, "generator", "Postloom")
    _add(channel, "ttl", _EVERY_HOUR)
    for entry in page.items:
        item = ET.SubElement(channel, "item")
        _add(item, "title", entry.title)
        _add(item, "link", _address(head, entry))
        # stays the same if this installation moves
        _add(item, "guid", entry.id.urn, isPermaLink="false")
        _add(item, "pubDate", format_datetime(entry.published_at))
        if head.author:
            _add(item, f"{{{_CREATOR}}}creator", head.author)
        for tag in entry.text.tags:
            _add(item, "category", tag)
        _add(item, "description", entry.summary or beginning(entry))
        if entry.text.html:
            _add(item, f"{{{_CONTENT}}}encoded", _html(head, entry))
        if (above := entry.text.above) is not None:
            source = image_address(_address(head, entry), above.names[0])
            ET.SubElement(item, "enclosure", {"url": source, "length": str(above.bytes), "type": "image/jpeg"})
    written: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return written


def json_feed(head: FeedHead, page: FeedPage[FeedEntry]) -> bytes:
    authors = {"authors": [{"name": head.author}]} if head.author else {}
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": head.name,
        "home_page_url": head.url,
        "feed_url": _page(head, page.number),
        "language": head.language,
        **({"description": head.description} if head.description else {}),
        **authors,
        **({"next_url": _page(head, page.number + 1)} if page.number < page.count else {}),
        "items": [_item(head, entry) | authors for entry in page.items],
    }
    return json.dumps(feed, ensure_ascii=False).encode()


def _item(head: FeedHead, entry: FeedEntry) -> dict[str, Any]:
    text, address = entry.text, _address(head, entry)
    item: dict[str, Any] = {"id": entry.id.urn, "url": address, "title": entry.title}
    item |= {"content_html": _html(head, entry)} if text.html else {"content_text": entry.summary or beginning(entry)}
    if entry.summary:
        item["summary"] = entry.summary
    if text.above is not None:
        item["image"] = image_address(address, text.above.names[0])
    item["date_published"] = entry.published_at.isoformat(timespec="seconds")
    item["date_modified"] = entry.changed_at.isoformat(timespec="seconds")
    if text.tags:
        item["tags"] = list(text.tags)
    if entry.language:
        item["language"] = entry.language
    return item


def markdown_file(head: FeedHead, entry: FeedEntry) -> bytes:
    """Return the article's Markdown below its metadata as YAML front matter."""
    text, address = entry.text, _address(head, entry)
    fields: dict[str, Any] = {
        "title": entry.title,
        "date": entry.published_at.isoformat(timespec="seconds"),
        "lastmod": entry.changed_at.isoformat(timespec="seconds"),
        "slug": entry.slug,
        "url": address,
        "language": entry.language or head.language,
        "author": head.author,
        "summary": entry.summary,
        "tags": list(text.tags),
        "seo_title": text.seo_title,
        "seo_description": text.seo_description,
        "canonical_url": text.canonical_url,
    }
    if text.above is not None:
        fields |= {"image": image_address(address, text.above.names[0]), "image_alt": text.above.alt}
    lines = [f"{name}: {_yaml(value)}" for name, value in fields.items() if value]
    body = text.markdown
    for media_id, source in _sources(head, entry).items():
        body = body.replace(f"media:{media_id}", source)
    return "\n".join(["---", *lines, "---", "", body]).encode()


def sitemap(head: FeedHead, lines: Sequence[FeedLine]) -> bytes:
    root = ET.Element("urlset", {"xmlns": _SITEMAP})
    for address, moment in [(head.url, head.changed_at), *((_address(head, line), line.changed_at) for line in lines)]:
        url = ET.SubElement(root, "url")
        _add(url, "loc", address)
        _add(url, "lastmod", moment.isoformat(timespec="seconds"))
    written: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return written


def _yaml(value: str | list[str]) -> str:
    """Return the value as YAML: JSON with some characters escaped."""
    written = json.dumps(value, ensure_ascii=False)
    return _NO_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def _add(to: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(to, name, attributes).text = _NO_XML.sub("", text)


def _address(head: FeedHead, entry: FeedLine) -> str:
    return f"{head.url}{entry.slug}/"


def _page(head: FeedHead, number: int) -> str:
    return f"{head.url}feed.json" + (f"?page={number}" if number > 1 else "")


def _sources(head: FeedHead, entry: FeedEntry) -> dict[UUID, str]:
    address = _address(head, entry)
    return {image.media_id: image_address(address, image.names[0]) for image in entry.text.images if image.media_id}


def _html(head: FeedHead, entry: FeedEntry) -> str:
    return _absolute(with_images(entry.text.html, _sources(head, entry)), _address(head, entry))


def _absolute(html: str, base: str) -> str:
    """Return the HTML with absolute URLs, since feed readers show it at other addresses."""
    return _RELATIVE.sub(lambda match: f'{match[1]}="{escape(urljoin(base, unescape(match[2])))}"', html)
