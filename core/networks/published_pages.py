"""Checks whether readers can open a page that a site says it has published."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urljoin, urlsplit

from core.errors import ProviderError
from core.outgoing import http
from core.outgoing.destinations import Outside

WITHIN: Final = timedelta(seconds=10)
_MOVES: Final = 3


@dataclass(frozen=True)
class PageAnswer:
    """`status`: of the last answer, after redirects; None: no answer, or the address may not be called. `believed`: the
    page was not requested, because its publisher says that it is there."""

    status: int | None
    detail: str = ""
    believed: bool = False

    @property
    def is_there(self) -> bool:
        return self.believed or self.status == 200


async def ask_for(outside: Outside, address: str) -> PageAnswer:
    """Request a page as a reader's browser does, without signing in. The content is not checked."""
    for _ in range(_MOVES + 1):
        try:
            parts = urlsplit(address)
        except ValueError:
            return PageAnswer(None, "not an address")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            return PageAnswer(None, "not the address of a page")
        client = outside.client(f"{parts.scheme}://{parts.netloc}", WITHIN)
        try:
            answer = await http.send(
                client, "GET", address, publishing=False, within=WITHIN, max_bytes=http.MAX_LIST_BYTES
            )
        except ProviderError as error:
            return PageAnswer(None, error.detail)
        finally:
            await client.aclose()
        moved = answer.headers.get("location", "") if answer.status_code in (301, 302, 303, 307, 308) else ""
        if not moved:
            return PageAnswer(answer.status_code)
        address = urljoin(address, moved)
    return PageAnswer(None, "too many redirects")
