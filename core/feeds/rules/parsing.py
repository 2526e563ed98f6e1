"""What feeds and the pages that name them say."""

import calendar
import io
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urljoin

import feedparser

from core.feeds.rules.feeds import MAX_ADDRESS, MAX_ITEMS, FeedDocument, FeedItem
from core.texts.rules.markup import read_tags
from core.texts.rules.mentions import without_mentions
from core.texts.rules.texts import cleaned, cut_text, one_line
from core.texts.rules.web_pages import read_page
from core.topics.rules import MAX_TITLE, clean_title

MOST_SUMMARY: Final = 1500
"""Characters of an item's summary."""
_MOST_HTML: Final = 20_000
"""Characters of an item's text that are read."""
_MOST_HEAD: Final = 200_000
"""Characters of a page in which it may name feeds."""
_FEED_TYPES: Final = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_JSON_FEED: Final = re.compile(r"https?://(www\.)?jsonfeed\.org/version/")
_PERIODS: Final = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def read_feed(body: bytes, url: str, content_type: str, now: datetime) -> FeedDocument | None:
    """Return the feed's newest items, at most 500, in its order; None if the body is no feed. Addresses in it are read
    as below `url`. A date that is missing or in the future is None. Nothing in it mentions anybody."""
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _read_json(body, url, now)
    headers = {"content-type": content_type, "content-location": url}
    # a stream: feedparser would take bytes without a line end for a file's name
    read = feedparser.parse(io.BytesIO(body), response_headers=headers)
    if not read.get("version"):
        return None
    items = tuple(_item(entry, url, now) for entry in read.entries[:MAX_ITEMS])
    return FeedDocument(_title(read.feed.get("title_detail")), items, _pause(read.feed))


def document_to_json(document: FeedDocument) -> dict[str, Any]:
    """Return the document for `document_from_json`."""
    return {
        "title": document.title,
        "pause": document.pause.total_seconds() if document.pause else None,
        "items": [
            {
                "id": item.id,
                "title": item.title,
                "link": item.link,
                "summary": item.summary,
                "published_at": item.published_at.isoformat() if item.published_at else None,
            }
            for item in document.items
        ],
    }


def document_from_json(stored: Mapping[str, Any]) -> FeedDocument:
    """Read the output of `document_to_json`."""
    items = (
        FeedItem(**{**item, "published_at": datetime.fromisoformat(item["published_at"])})
        if item["published_at"]
        else FeedItem(**item)
        for item in stored["items"]
    )
    pause = stored["pause"]
    return FeedDocument(stored["title"], tuple(items), timedelta(seconds=pause) if pause else None)


def feed_links(html: str, url: str) -> list[str]:
    """Return the addresses of the feeds that a page names, in its order, without repetition."""
    finder = _LinkFinder()
    read_tags(finder, html[:_MOST_HEAD])
    base = urljoin(url, finder.base) if finder.base else url
    return list(dict.fromkeys(_joined(base, href) for href in finder.found))


class _LinkFinder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.base = ""
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "base" and not self.base:
            self.base = values.get("href", "")
        named = "alternate" in values.get("rel", "").lower().split()
        if tag == "link" and named and values.get("type", "").strip().lower() in _FEED_TYPES and values.get("href"):
            self.found.append(values["href"])


def _item(entry: Mapping[str, Any], url: str, now: datetime) -> FeedItem:
    content = entry.get("summary_detail") or next(iter(entry.get("content") or ()), None)
    summary = _text(content)
    moment = entry.get("published_parsed") or entry.get("updated_parsed")
    return FeedItem(
        id=_stored(str(entry.get("id") or "")),
        title=_named(_title(entry.get("title_detail")), summary),
        link=_link(url, str(entry.get("link") or "")),
        summary=summary,
        published_at=_moment(moment, now),
    )


def _read_json(body: bytes, url: str, now: datetime) -> FeedDocument | None:
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or not _JSON_FEED.match(str(read.get("version", ""))):
        return None
    entries = read.get("items")
    rows = [row for row in entries if isinstance(row, dict)] if isinstance(entries, list) else []
    return FeedDocument(_one_line(read.get("title")), tuple(_json_item(row, url, now) for row in rows[:MAX_ITEMS]))


def _json_item(row: Mapping[str, Any], url: str, now: datetime) -> FeedItem:
    plain = _string(row.get("summary")) or _string(row.get("content_text"))
    summary = _shortened(plain) if plain else _text({"value": _string(row.get("content_html")), "type": "text/html"})
    link = _string(row.get("url")) or _string(row.get("external_url"))
    return FeedItem(
        # older feeds have numbers as ids
        id=_stored(str(row.get("id") or "")),
        title=_named(_one_line(row.get("title")), summary),
        link=_link(url, link),
        summary=summary,
        published_at=_json_moment(row.get("date_published"), now),
    )


def _title(detail: Mapping[str, Any] | None) -> str:
    return _one_line(_text(detail).replace("\n", " "))


def _named(title: str, summary: str) -> str:
    """Return an item's title; without one, the beginning of its text."""
    return title or cut_text(_one_line(summary.partition("\n")[0]), 100)


def _one_line(value: object) -> str:
    title = clean_title(without_mentions(one_line(_string(value))))
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1].rstrip()}…"


def _text(detail: Mapping[str, Any] | None) -> str:
    """Return a text of a feed as plain text; hidden text and code are left out."""
    value = _string((detail or {}).get("value"))[:_MOST_HTML]
    if (detail or {}).get("type") == "text/plain" and "<" not in value:
        return _shortened(value)
    return _shortened(read_page(value, MOST_SUMMARY).text)


def _shortened(text: str) -> str:
    return cut_text(without_mentions(cleaned(text)), MOST_SUMMARY)


def _string(value: object) -> str:
    return _stored(value) if isinstance(value, str) else ""


def _stored(text: str) -> str:
    """Return the text without characters that no database accepts."""
    return _UNSTORABLE.sub("", text)


def _link(url: str, href: str) -> str:
    """Return an item's address; empty if it is none that a reader could open. Brackets are encoded, as in all valid
    paths and queries: an address is part of texts too, and mentions nobody there."""
    link = (_joined(url, href.strip()) if href.strip() else "").replace("[", "%5B").replace("]", "%5D")
    usable = link.startswith(("https://", "http://")) and len(link) <= MAX_ADDRESS and link.isprintable()
    return link if usable and " " not in link else ""


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return href


def _pause(feed: Mapping[str, Any]) -> timedelta | None:
    """Return how often a feed says that it changes."""
    minutes = str(feed.get("ttl") or "")
    if re.fullmatch(r"[1-9]\d{0,5}", minutes, re.ASCII):
        return timedelta(minutes=int(minutes))
    period = _PERIODS.get(str(feed.get("sy_updateperiod") or "").strip().lower())
    times = str(feed.get("sy_updatefrequency") or "1")
    return period / int(times) if period and re.fullmatch(r"[1-9]\d{0,3}", times, re.ASCII) else period


def _moment(parsed: Any, now: datetime) -> datetime | None:
    """Return feedparser's time, which is in UTC."""
    try:
        return _past(datetime.fromtimestamp(calendar.timegm(parsed), UTC), now) if parsed else None
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _json_moment(value: object, now: datetime) -> datetime | None:
    try:
        moment = datetime.fromisoformat(_string(value))
    except ValueError:
        return None
    return _past(moment if moment.tzinfo else moment.replace(tzinfo=UTC), now)


def _past(moment: datetime, now: datetime) -> datetime | None:
    try:
        return moment.astimezone(UTC) if moment <= now else None
    except OverflowError:
        return None
