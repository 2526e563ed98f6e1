"""The text of the pages that items lead to, where these pages allow it."""

import json
import logging
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import httpx2

from core.errors import ProviderError
from core.outgoing.pages import HTML, PageReader, decoded, type_of
from core.script_processes import run_script
from core.texts.main_text import main_text
from core.texts.rules.reservations import is_reserved

logger = logging.getLogger(__name__)

ROBOT: Final = "Postloom"
"""The name by which robots.txt may address us."""
_MOST_RULES: Final = 500_000
"""Bytes of a robots.txt, as Google reads at least."""


@dataclass(frozen=True)
class ArticleReader:
    """Reads the pages of one round; it asks each server for its rules once."""

    pages: PageReader
    _rules: dict[str, bytes | None] = field(default_factory=dict)
    """The robots.txt of each server, empty if it has none. None: it cannot be asked for now, or its rules cannot be
    read, so its pages are left alone."""

    async def read(self, link: str) -> str:
        """Return the main text of a page. Empty if there is none, if its server does not answer, or if the page or its
        server's robots.txt reserves it: then the item's summary has to do."""
        url = self.pages.url_of(link)
        try:
            if url is None or not await self._allows(url):
                return ""
            fetched = await self.pages.fetch(url, accept=HTML)
            if fetched.url != url and not await self._allows(fetched.url):
                return ""
        except ProviderError as error:
            logger.info("a page of a feed could not be read: %s", error.detail)
            return ""
        return await self._text(fetched.answer)

    async def _text(self, answer: httpx2.Response) -> str:
        if not answer.is_success or type_of(answer) not in HTML.split(","):
            return ""
        html = decoded(answer)
        return "" if is_reserved(answer.headers, html) else await main_text(html)

    async def _allows(self, url: str) -> bool:
        parts = urlsplit(url)
        server = f"{parts.scheme}://{parts.netloc}"
        if server not in self._rules:
            self._rules[server] = await self._ask_rules(server)
        rules = self._rules[server]
        if not rules:
            return rules is not None
        # in a process of its own: a file can be made so that reading it takes hours and gigabytes
        about = json.dumps({"url": url, "robot": ROBOT}).encode()
        output = await run_script("core.feeds.robots_script", about + b"\n" + rules)
        if output is None:
            logger.info("the robots.txt of %s could not be read", server)
            self._rules[server] = None
        return output is not None and bool(json.loads(output))

    async def _ask_rules(self, server: str) -> bytes | None:
        """As Google reads it: no file allows all, a server in trouble nothing."""
        fetched = await self.pages.fetch(f"{server}/robots.txt", accept="text/plain", max_bytes=_MOST_RULES)
        if fetched.answer.is_server_error or fetched.answer.status_code == httpx2.codes.TOO_MANY_REQUESTS:
            return None
        return fetched.answer.content if fetched.answer.is_success else b""
