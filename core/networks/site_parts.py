"""Code shared by kinds of site: servers that a person names, and articles with their images."""

import hashlib
import re
from datetime import timedelta
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx2

from core.errors import ErrorCode, Refused
from core.networks.base import EstimatedDelay
from core.networks.posts import Article, Image, Outgoing
from core.outgoing.destinations import Clients, Outside

CALL: Final = timedelta(seconds=30)
UPLOAD: Final = timedelta(seconds=120)
KNOCK: Final = timedelta(seconds=10)
"""Short, since a person waits at a form and may have typed something that is not a site."""
LIMITED: Final = EstimatedDelay(minutes=5)
"""How long to wait if the answer does not say; the hosts' limits are unknown."""
MOST_REDIRECTS: Final = 3
LONGEST: Final = 250
"""Maximum characters of a site's address."""
MAX_IMAGES: Final = 50
"""Maximum images per article: our own limit, since each is uploaded in a call."""
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MAX_FILE_NAME: Final = 80
_ENDINGS: Final = {"image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp"}


class Sites:
    """All sites of one kind, each identified by its address without trailing slash. `its_own`: the end of paths of the
    site's own software, which a person may have copied."""

    def __init__(self, outside: Outside, its_own: re.Pattern[str]) -> None:
        self._outside, self._its_own = outside, its_own
        self._clients = Clients(lambda site: outside.client(site, CALL))

    @property
    def outside(self) -> Outside:
        return self._outside

    def site_of(self, typed: str) -> str | None:
        """Return the site's address from what was typed, maybe the address of one of its pages. None: it is invalid or
        internal."""
        site = self._outside.site_url(re.split("[?#]", typed, maxsplit=1)[0])
        site = self._its_own.sub("", site) if site else None
        return site if site and len(site) <= LONGEST else None

    def moved(self, site: str, answer: httpx2.Response) -> str | None:
        """Return the address to which the site redirects, or None. Raise Refused with the parameter `field`."""
        if answer.status_code not in REDIRECTS:
            return None
        moved = self.site_of(urljoin(f"{site}/", answer.headers.get("location", "")))
        if moved is None:
            raise Refused(ErrorCode.connect_site_unreachable, detail="redirect to a forbidden address", field="site")
        return moved if moved != site else None

    def client(self, site: str) -> httpx2.AsyncClient:
        return self._clients.of(site)

    async def close(self) -> None:
        await self._clients.close()


def article_of(post: Outgoing) -> Article:
    """Return the article. Raise Refused if a site could not show it or find it again."""
    if post.article is None:
        raise Refused(detail="a site accepts only articles")
    if not (post.article.title.strip() and post.article.slug):  # a lost draft is found by both
        raise Refused(detail="the article has no title or no slug")
    return post.article


def file_stem(article: Article, image: Image) -> str:
    """Return a file name without ending, the same for the same content."""
    words = re.sub(r"[^a-z0-9]+", "-", article.slug.lower())[:_MAX_FILE_NAME].strip("-") or "image"
    return f"{words}-{hashlib.sha256(image.data).hexdigest()[:16]}"


def file_ending(image: Image) -> str:
    return _ENDINGS.get(image.mime, "bin")


def web_address(text: str) -> str:
    """Return an address if it can be that of a page or an image, else an empty string."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme in ("http", "https") and parts.hostname and not re.search(r"\s", text) else ""
