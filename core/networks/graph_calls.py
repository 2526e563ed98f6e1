"""Calls of Meta's Graph API and of the APIs that are built like it: limits, errors and missing accounts.

Tokens are sent in a header, except where the API accepts only a parameter. What the API refuses is in `graph_errors`,
how much of its limits is used in `graph_usage`.
"""

import asyncio
from abc import abstractmethod
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx2

from core.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe, RoleLost
from core.networks.base import BaseChannel, UsageStore
from core.networks.connections import Credentials
from core.networks.graph_errors import PARAMETER, error_of, failure, is_missing
from core.networks.graph_usage import ALMOST_FULL, FULL, MUCH, GraphUsage
from core.outgoing import http

CALL = timedelta(seconds=30)
UPLOAD = timedelta(seconds=120)

SLOWLY = timedelta(seconds=1)
"""The wait before each call that publishes nothing."""

MISSING_WAITS = (1.0, 3.0)
"""Seconds between reads of an account reported as missing."""
_SEES_WITHIN = timedelta(seconds=12)

_CODE_EXPIRED, _CODE_USED = 36007, 36009
_REDIRECT_UNKNOWN = 36008


class GraphCalls(BaseChannel):
    """A network whose API is Meta's. How people consent and what is published is for its subclasses."""

    def __init__(self) -> None:
        self._kept_client: httpx2.AsyncClient | None = None
        self.usage = GraphUsage()

    @property
    @abstractmethod
    def graph_url(self) -> str:
        """Return the base address of the API."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Return the version of the API, the first part of each path."""

    def use_usage_store(self, store: UsageStore | None) -> None:
        self.usage.store = store

    def refusal(self, error: str, description: str) -> ErrorCode:
        return ErrorCode.connect_denied if error == "access_denied" else ErrorCode.connect_failed

    def code_error(self, response: httpx2.Response, detail: str) -> ProviderError:
        """Return the error for an answer without a token to the code of a consent."""
        number, subcode, _ = error_of(response)
        if number == PARAMETER and subcode == _CODE_USED:
            return Refused(ErrorCode.connect_used, detail=detail)
        if number == PARAMETER and subcode == _CODE_EXPIRED:
            return Refused(ErrorCode.connect_expired, detail=detail)
        if number == PARAMETER and subcode == _REDIRECT_UNKNOWN:
            return Refused(ErrorCode.connect_redirect_not_registered, detail=detail)
        failure = self.failure(response, detail, publishing=False)
        known = isinstance(failure, Misconfigured | RateLimited | RetrySafe)
        return failure if known else Refused(ErrorCode.connect_failed, detail=detail)

    async def quota(self, to: Credentials) -> timedelta | None:
        await self.usage.load(to.access_token)
        return self.usage.left(to.access_token, FULL)

    async def has_room(self, to: Credentials, *, for_new: bool = False) -> None:
        """Raise RateLimited before the network does: refused calls would count too."""
        await self.usage.load(to.access_token)
        self.usage.require_below(to.access_token, ALMOST_FULL if for_new else FULL)

    async def probe(self, to: Credentials) -> None:
        """Read the account's own id."""
        response = await self.ask(to.access_token, "GET", f"{quote(to.external_id, safe='')}?fields=id")
        if response.status_code == 200:
            return
        failure = self.refused(response, to)
        if not is_missing(response):
            raise failure
        await self.ensure_can_read_account(to, failure.detail)

    async def close(self) -> None:
        client, self._kept_client = self._kept_client, None
        if client:
            await client.aclose()

    async def ask(
        self,
        token: str | None,
        method: str,
        path: str,
        *,
        within: timedelta = CALL,
        max_bytes: int = http.MAX_ANSWER_BYTES,
        **request: Any,
    ) -> httpx2.Response:
        """Make a call that publishes nothing; `path` follows the version. Raise RateLimited also without a call, if
        none is left."""
        built = self.request(token, method, path, **request)
        if token is None:
            return await http.ask(self.client, built, publishing=False, within=within, max_bytes=max_bytes)
        self.usage.require_below(token, FULL)
        if self.usage.left(token, MUCH):
            await asyncio.sleep(SLOWLY.total_seconds())
        response = await http.ask(self.client, built, publishing=False, within=within, max_bytes=max_bytes)
        await self.usage.record(token, response)
        return response

    def request(self, token: str | None, method: str, path: str, **request: Any) -> httpx2.Request:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return http.build(self.client, method, f"/{self.version}/{path}", headers=headers, **request)

    @property
    def client(self) -> httpx2.AsyncClient:
        if self._kept_client is None:
            self._kept_client = http.client(base_url=self.graph_url, timeout=CALL)
        return self._kept_client

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        """Return what a refusing or unusable answer means for the delivery."""
        return failure(response, detail, publishing=publishing)

    def refused(self, response: httpx2.Response, to: Credentials, *, publishing: bool = False) -> ProviderError:
        """Return the error for an answer to one of the account's calls, without the token."""
        return self.failure(response, http.excerpt(response, (to.access_token,)), publishing=publishing)

    async def failure_of(
        self, response: httpx2.Response, to: Credentials, *, publishing: bool = False
    ) -> ProviderError:
        """As `refused`; if something is reported as missing, check the account itself."""
        failure = self.refused(response, to, publishing=publishing)
        if is_missing(response) and await self.can_read_account(to) is False:
            return RoleLost(detail=failure.detail)
        return failure

    async def can_read_account(self, to: Credentials) -> bool | None:
        """Return whether the token can read its account: False for another account's token, or if the person lost the
        account. None: unknown. Only several failed reads mean False, since single reads fail temporarily."""
        path = f"{quote(to.external_id, safe='')}?fields=id"
        try:
            async with asyncio.timeout(_SEES_WITHIN.total_seconds()):
                for wait in (0.0, *MISSING_WAITS):
                    await asyncio.sleep(wait)
                    response = await self.ask(to.access_token, "GET", path)
                    if not is_missing(response):
                        return True if response.status_code == 200 else None
        except (ProviderError, TimeoutError):
            return None
        return False

    async def ensure_can_read_account(self, to: Credentials, detail: str) -> None:
        """Raise RoleLost if the token cannot read its account, RetrySafe if that is unknown."""
        sees = await self.can_read_account(to)
        if not sees:
            raise RetrySafe(detail=detail) if sees is None else RoleLost(detail=detail)
