"""Items of feeds, how they are recognised, and when a feed is asked again."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID
from zlib import crc32

MAX_FEEDS: Final = 20
"""Feeds of one topic tree."""
MAX_ADDRESS: Final = 2000
MAX_DAILY: Final = 20
"""Topics that a feed may add in 24 hours."""
DEFAULT_DAILY: Final = 3
FIRST_ITEMS: Final = 3
"""Items of a feed's first answer that become topics; the others were there before."""
MAX_ITEMS: Final = 500
"""Items that are read of one answer."""
MAX_NOTES: Final = 3000
"""Characters of a new topic's notes."""
DAY: Final = timedelta(days=1)
WAITS: Final = timedelta(days=7)
"""How long an item waits for room within its feed's daily number."""
KEPT: Final = timedelta(days=90)
"""How long an item is remembered after its feed has last shown it."""
MOST_LEFT_OUT: Final = 5000
"""Items of a feed that are remembered though they became no topics."""

LONGEST_PAUSE: Final = DAY
_USUAL_PAUSE: Final = timedelta(hours=1)
_QUIET: Final = ((timedelta(days=30), DAY), (timedelta(days=7), timedelta(hours=6)))
"""Pauses of feeds whose newest item is older than that."""
_JITTER: Final = 10
"""Percent by which pauses differ from feed to feed, so that not all are asked at once."""
_MAX_AGE: Final = re.compile(r"(?<![\w-])max-age\s*=\s*\"?([1-9][0-9]{0,7})(?![0-9])", re.IGNORECASE)
_TRACKING: Final = re.compile(r"utm_\w+|fbclid|gclid|mc_[ce]id|igshid", re.IGNORECASE)


class ItemState(StrEnum):
    left_out = "left_out"
    """It was there before the feed was added, or found no room."""
    waiting = "waiting"
    added = "added"


@dataclass(frozen=True)
class FeedItem:
    """An item as its feed shows it, its texts as plain text without mentions, as they are stored. `id`: whatever the
    feed names it by, maybe empty."""

    id: str
    title: str
    link: str = ""
    summary: str = ""
    published_at: datetime | None = None


@dataclass(frozen=True)
class FeedDocument:
    """One answer of a feed. `pause`: how often it wants to be asked; None: it does not say."""

    title: str
    items: tuple[FeedItem, ...]
    pause: timedelta | None = None


@dataclass(frozen=True)
class ItemKeys:
    """Hashes of what an item is recognised by: publishers change ids when they renew their site. `own` is unique in
    its feed. `link` and `title` are None where they would not tell items apart."""

    own: str
    link: str | None
    title: str | None

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(key for key in (self.own, self.link, self.title) if key)

    @property
    def has_id(self) -> bool:
        """Whether its feed names it by an id. Only asked of items with a link or a title that identifies them."""
        return self.own not in (self.link, self.title)


def keys_of(items: Sequence[FeedItem]) -> list[ItemKeys]:
    """Return the keys of the items of one answer. A link that several items share identifies none of them, and neither
    does the address of a whole site; the same holds for a title with its date that several share."""
    links = [normal_address(item.link) for item in items]
    titles = [
        f"{item.title}\n{item.published_at.isoformat()}" if item.published_at and item.title else "" for item in items
    ]
    shared = {text for texts in (links, titles) for text, count in Counter(texts).items() if count > 1}
    found = []
    for item, link, dated in zip(items, links, titles, strict=True):
        link_key = _key("link", link) if link not in shared and ("/" in link or "?" in link) else None
        title_key = _key("title", dated) if dated and dated not in shared else None
        own = _key("id", item.id) if item.id else link_key or title_key or _key("text", f"{item.title}\n{item.summary}")
        found.append(ItemKeys(own, link_key, title_key))
    return found


def is_same(
    item: FeedItem, keys: ItemKeys, known: ItemKeys, known_title: str, known_published_at: datetime | None
) -> bool:
    """Return whether a feed shows a known item again. By its link alone it is not recognised if both have ids of their
    own, which differ: then its title or its date has to be the same as well."""
    if keys.own == known.own or (keys.title and keys.title == known.title):
        return True
    if not keys.link or keys.link != known.link:
        return False
    if not (keys.has_id and known.has_id):
        return True
    return item.title == known_title or (item.published_at is not None and item.published_at == known_published_at)


def normal_address(link: str) -> str:
    """Return an address as it is compared: without scheme, `www.`, parameters that follow readers, fragment and a slash
    at the end. Empty if it is none."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    query = [
        (name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(name)
    ]
    return f"{parts.netloc.lower().removeprefix('www.')}{parts.path.rstrip('/')}?{urlencode(query)}".rstrip("?")


def pause_after_answer(
    feed_id: UUID, *, now: datetime, newest: datetime | None, asked_for: timedelta | None, least: timedelta
) -> timedelta:
    """Return the pause before the feed is asked again: what it asks for, else an hour, and longer for quiet feeds;
    never less than `least` nor more than a day. `newest`: the time of its newest item."""
    age = now - newest if newest else timedelta(0)
    pause = asked_for or next((pause for quiet, pause in _QUIET if age > quiet), _USUAL_PAUSE)
    pause = min(max(pause, least), LONGEST_PAUSE)
    return pause + pause * (crc32(feed_id.bytes) % _JITTER) / 100


def pause_after_failure(feed_id: UUID, failures: int, *, asked_for: timedelta | None, least: timedelta) -> timedelta:
    """Return the pause after so many failures in a row: doubled each time up to a day, or what the server asks for."""
    pause = max(least, timedelta(minutes=30))
    for _ in range(min(failures, 10)):
        pause *= 2
    pause = min(pause, LONGEST_PAUSE)
    pause = max(pause, min(asked_for or pause, LONGEST_PAUSE))
    return pause + pause * (crc32(feed_id.bytes) % _JITTER) / 100


def max_age(cache_control: str) -> timedelta | None:
    """Return how long an answer is fresh by its `Cache-Control`; None if it does not say."""
    found = _MAX_AGE.search(cache_control)
    return timedelta(seconds=int(found[1])) if found else None


def _key(kind: str, value: str) -> str:
    return sha256(f"{kind}\n{value}".encode("utf-8", "surrogatepass")).hexdigest()
