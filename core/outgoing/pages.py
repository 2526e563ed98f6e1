"""Web pages that a person names, as text."""

import asyncio
import codecs
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

import httpx2

from core.errors import ErrorCode, FieldError, InvalidInput, ProviderError, RetrySafe
from core.outgoing import http
from core.outgoing.destinations import Outside, names_other_server
from core.texts.main_text import main_text
from core.texts.rules.mentions import without_mentions
from core.texts.rules.reservations import is_reserved
from core.texts.rules.texts import cleaned, cut_text
from core.texts.rules.web_pages import WebPage, read_page

HTML: Final = "text/html,application/xhtml+xml"
WITHIN: Final = timedelta(seconds=10)
"""Time for one answer."""
ALTOGETHER: Final = timedelta(seconds=30)
"""Time for a page with its redirects, until its text is read."""
MOST_TEXT: Final = 12_000
"""Characters of a page's text."""
MOST_MAIN_TEXT: Final = 8_000
"""Characters of a page's main text."""
_MOST_REDIRECTS: Final = 5
_MAX_BYTES: Final = 3_000_000
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_FOR_GOOD: Final = (301, 308)
GONE: Final = (404, 410)
_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "")
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w:.-]{1,40})", re.IGNORECASE)
_ENCODINGS: Final = {
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"),
    *(f"cp125{number}" for number in range(9)),
    *(f"iso8859-{number}" for number in range(1, 17)),
    *("shift_jis", "cp932", "euc_jp", "euc_kr", "cp949", "gb2312", "gbk", "gb18030", "big5", "big5hkscs"),
    *("koi8-r", "koi8-u"),
}
"""Encodings of pages, as Python names them. Python knows more, some of which are none of text, or take a time that
grows with the square of the length."""
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_SAFE: Final = "/%:@!$&'()*+,;=~-._?"
"""Characters of a path or a query that are not encoded once more."""


@dataclass(frozen=True)
class FetchedPage:
    """`url`: where the answer is from. `moved`: the address to ask from now on, if redirects said so for good; else the
    one that was asked."""

    url: str
    moved: str
    answer: httpx2.Response


@dataclass(frozen=True)
class SourcePage:
    """A page by others that a post is about. `url`: as a person named it, with its scheme."""

    url: str
    title: str
    text: str


@dataclass(frozen=True)
class PageReader:
    """Asks only public addresses, and internal ones that the operator allows; each redirect is checked as well."""

    outside: Outside

    async def read(self, address: str, *, field: str = "address") -> WebPage:
        """Return the page. Raise InvalidInput at `field`: as `refusal_of`, web_page_unreachable, web_page_unusable if
        what answers is no page, or web_page_empty."""
        async with in_time(_error(field, ErrorCode.web_page_unreachable)):
            answer = await self._get(self._named(address, field), field)
            page = await asyncio.to_thread(lambda: read_page(decoded(answer), MOST_TEXT))
        if not page.text and not page.description:
            raise _error(field, ErrorCode.web_page_empty)
        return page

    async def read_source(self, address: str, *, field: str = "address") -> SourcePage:
        """Return the page with its main text alone. Raise InvalidInput as `read`, and web_page_reserved if the page
        says that programs like this may not use its text. A person has asked for this one page, so robots.txt, which is
        for programs that go from page to page, is not asked."""
        url = self._named(address, field)
        async with in_time(_error(field, ErrorCode.web_page_unreachable)):
            answer = await self._get(url, field)
            html = decoded(answer)
            if is_reserved(answer.headers, html):
                raise _error(field, ErrorCode.web_page_reserved)
            page = await asyncio.to_thread(lambda: read_page(html, MOST_TEXT))
            text = without_mentions(cleaned(await main_text(html))) or page.text or page.description
        if not text:
            raise _error(field, ErrorCode.web_page_empty)
        return SourcePage(url, page.title, cut_text(text, MOST_MAIN_TEXT))

    def _named(self, address: str, field: str) -> str:
        url = self.url_of(address)
        if url is None:
            raise _error(field, self.refusal_of(address))
        return url

    async def _get(self, url: str, field: str) -> httpx2.Response:
        """Return the answer if it is a page."""
        try:
            answer = (await self.fetch(url, accept=HTML)).answer
        except ProviderError as error:
            raise _error(field, ErrorCode.web_page_unreachable) from error
        if answer.status_code in GONE:
            raise _error(field, ErrorCode.web_page_unusable)
        if not answer.is_success:
            raise _error(field, ErrorCode.web_page_unreachable)
        if type_of(answer) not in _TYPES or b"\0" in answer.content:
            raise _error(field, ErrorCode.web_page_unusable)
        return answer

    def url_of(self, typed: str) -> str | None:
        """Return the page's URL; None if it is invalid. Only internal addresses that are allowed need no TLS."""
        text = typed.strip()
        if not text.isprintable() or any(each.isspace() for each in text):
            return None
        try:
            parts = urlsplit(text if "://" in text else f"https://{text}")
        except ValueError:
            return None
        if parts.scheme.lower() not in ("http", "https"):
            return None
        shorter = parts.netloc.removesuffix(_DEFAULT_PORTS[parts.scheme.lower()])
        base_url = self.outside.base_url(parts.netloc) or self.outside.base_url(shorter)
        if base_url is None:
            return None
        query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
        return f"{base_url}{quote(parts.path, safe=_SAFE) or '/'}{query}"

    def refusal_of(self, typed: str) -> ErrorCode:
        """Return why there is no `url_of`: address_not_allowed for a server that is not asked, whether it exists or
        not, else address_malformed."""
        printable = typed.strip().isprintable() and not any(each.isspace() for each in typed.strip())
        return ErrorCode.address_not_allowed if printable and names_other_server(typed) else ErrorCode.address_malformed

    async def fetch(
        self, url: str, *, accept: str, headers: Mapping[str, str] | None = None, max_bytes: int = _MAX_BYTES
    ) -> FetchedPage:
        """Return the answer to a `url_of`, whatever its status, after its redirects. Raise ProviderError if none can be
        had."""
        moved, for_good = url, True
        for _ in range(_MOST_REDIRECTS + 1):
            answer = await self._ask(url, {"Accept": accept, **(headers or {})}, max_bytes)
            if answer.status_code not in _REDIRECTS:
                return FetchedPage(url, moved, answer)
            target = self._redirect_of(url, answer)
            if target is None:
                raise RetrySafe(detail="a redirect to no address")
            url = target
            for_good = for_good and answer.status_code in _FOR_GOOD
            moved = url if for_good else moved
        raise RetrySafe(detail="too many redirects")

    def _redirect_of(self, url: str, answer: httpx2.Response) -> str | None:
        """Return where the answer leads to; None if that is no URL to read."""
        try:
            return self.url_of(urljoin(url, answer.headers.get("location", "")))
        except ValueError:
            return None

    async def _ask(self, url: str, headers: Mapping[str, str], max_bytes: int) -> httpx2.Response:
        parts = urlsplit(url)
        async with self.outside.client(f"{parts.scheme}://{parts.netloc}", WITHIN) as client:
            return await http.send(
                client, "GET", url, publishing=False, within=WITHIN, max_bytes=max_bytes, headers=headers
            )


@asynccontextmanager
async def in_time(late: InvalidInput) -> AsyncIterator[None]:
    """Raise `late` if reading what a person named takes too long."""
    try:
        async with asyncio.timeout(ALTOGETHER.total_seconds()):
            yield
    except TimeoutError as error:
        raise late from error


def _error(field: str, code: ErrorCode) -> InvalidInput:
    return InvalidInput(errors=[FieldError(field, code)])


def type_of(answer: httpx2.Response) -> str:
    """Return the media type of an answer, empty if it has none."""
    return answer.headers.get("content-type", "").partition(";")[0].strip().lower()


def decoded(answer: httpx2.Response) -> str:
    """Return the HTML of an answer."""
    named = _CHARSET.search(answer.content[:4096])
    charset = answer.charset_encoding or (named[1].decode() if named else "utf-8")
    return answer.content.decode(_known_encoding(charset), errors="replace")


def _known_encoding(charset: str) -> str:
    """Return Python's name of the encoding; utf-8 if it is none of a page."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if name in _ENCODINGS else "utf-8"
