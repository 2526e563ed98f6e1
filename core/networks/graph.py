"""Meta's Graph API: consent, tokens, pages and errors, shared by its networks.

Errors are identified by their numbers; their texts change. Tokens are sent in a header, except where the API accepts
only a parameter.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import httpx2
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.clock import utcnow
from core.errors import (
    Blocked,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    RoleLost,
    StagedLost,
)
from core.networks.base import BaseChannel, EstimatedDelay, UsageStore, Used
from core.networks.connections import App, Credentials, Grant, Granted, OAuthFlow, Standing, TokenLife, ignore_grant
from core.networks.posts import Finding, Receipt
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.texts.rules.texts import comparable

CALL = timedelta(seconds=30)
UPLOAD = timedelta(seconds=120)
THROTTLED = EstimatedDelay(minutes=10)
"""How long to wait first if the answer does not say: many limits count the calls of the last hour, and some of those
expire in this time."""

_BUSINESSES = "business_management"
"""The permission to list the pages of a business portfolio."""
FULL, ALMOST_FULL, MUCH = 100, 95, 80
"""Percent of a limit used: stop all calls, start nothing new, slow down."""
SLOWLY = timedelta(seconds=1)
"""The wait before each call that publishes nothing."""
_LATELY = EstimatedDelay(minutes=5)
"""How long a reported high usage stays valid."""
_SAME_END = timedelta(minutes=1)
"""Changes of the end smaller than this are not stored."""
_MOST_PERCENT = 999

MISSING_WAITS = (1.0, 3.0)
"""Seconds between reads of an account reported as missing."""
_SEES_WITHIN = timedelta(seconds=12)

MOST_LISTS = 20
"""Maximum pages of a list that are read, with 100 rows each."""

_POSTING_TASKS = {"CREATE_CONTENT", "MANAGE"}

_LIMITS = {4, 17, 32, 341, 613, *range(80_000, 80_015)}
_UNAVAILABLE = {1, 2}
_UNAVAILABLE_SUBCODES = {1363047, 1609010}
_BLOCKED = 368
_BLOCKED_SUBCODES = {1404078, 4854002}
_TOKEN_OVER = 190
_TOKEN_ENDED = {10, 102, _TOKEN_OVER}
_CHECKPOINT = {459, 464}
_ROLE_LOST = 492
_SETTINGS_REFUSED = {3, 5, 101, 2500}
"""The app may not make this call, or not from this server's IP address, or the app or the call's path is unknown."""
_VERSION_RETIRED = {12, 2635}
_PARAMETER = 100
_NOT_FOUND = 33
_REPEATED = 506
_IMAGE_INVALID, _IMAGE_REFUSED = 324, 1366046
_IMAGES_USED = 1366051
"""The images are used by another post, such as the hidden post of an attempt whose answer was lost."""
_CONTENT_REFUSED = {1609008, 2061006, 1346003, 1404102}
_CODE_EXPIRED, _CODE_USED = 36007, 36009
_REDIRECT_UNKNOWN = 36008


class MetaSettings(BaseSettings):
    """`META_…` of the environment. Without id and secret Facebook and Instagram are not configured."""

    model_config = SettingsConfigDict(env_prefix="META_", env_ignore_empty=True, frozen=True)

    client_id: str | None = Field(None, description="client id of the app that connects Facebook and Instagram")
    client_secret: SecretStr | None = Field(None, description="client secret of that app")
    dialog_url: str = Field("https://www.facebook.com", description="base address of consent page and permalinks")
    instagram_url: str = Field("https://www.instagram.com", description="base address of posts on Instagram")
    graph_url: str = Field("https://graph.facebook.com", description="base address of the Graph API")
    version: str = Field("v26.0", pattern=r"^v\d{2}\.\d$", description="version of the Graph API")


class _Known(NamedTuple):
    percent: float
    until: datetime
    is_guess: bool

    @classmethod
    def of(cls, used: Used) -> "_Known":
        return cls(used.percent, utcnow() + used.lasts, isinstance(used.lasts, EstimatedDelay))


class GraphChannel(BaseChannel):
    """The code shared by Meta's networks. Each has its own scopes, accounts and ways to publish."""

    scopes: tuple[str, ...]
    """Required permissions."""
    wishes: tuple[str, ...] = ()
    """Optional permissions, requested as well."""
    page_fields = "id,name,access_token,tasks,picture{url}"
    """The fields read of a page."""
    comment_field = "message"
    """The field of a comment's text when comments are read."""
    comment_order: Mapping[str, str] = {"order": "reverse_chronological"}
    """The order with the newest comments first."""

    def __init__(self, settings: MetaSettings | None = None) -> None:
        self._given = settings
        self._kept_client: httpx2.AsyncClient | None = None
        self._usage_store: UsageStore | None = None
        # last read or reported, by token
        self._usage: dict[str, _Known] = {}

    @cached_property
    def settings(self) -> MetaSettings:
        return self._given or MetaSettings()

    def use_usage_store(self, store: UsageStore | None) -> None:
        self._usage_store = store

    def configured(self) -> bool:
        return self.settings.client_id is not None and self.settings.client_secret is not None

    def calls_only(self, base_url: str) -> bool:
        return {self.dialog_url, self.graph_url} == {base_url.rstrip("/")}

    @property
    def dialog_url(self) -> str:
        return self.settings.dialog_url.rstrip("/")

    @property
    def graph_url(self) -> str:
        return self.settings.graph_url.rstrip("/")

    def refusal(self, error: str, description: str) -> ErrorCode:
        return ErrorCode.connect_denied if error == "access_denied" else ErrorCode.connect_failed

    def authorize_url(self, way: OAuthFlow) -> str:
        client_id, _ = self._app()
        query = {
            "client_id": client_id,
            "redirect_uri": way.redirect_uri,
            "state": way.state,
            "response_type": "code",
            "scope": ",".join((*self.scopes, *self.wishes)),
            # otherwise permissions that were declined once are not asked for again
            "auth_type": "rerequest",
        }
        return f"{self.dialog_url}/{self.settings.version}/dialog/oauth?{urlencode(query, quote_via=quote)}"

    async def exchange(self, way: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """A code works once. Its token is valid for hours and is exchanged for one of about 60 days. With that one the
        pages return their own tokens, which end only with the data access."""
        client_id, secret = self._app()
        app = {"client_id": client_id, "client_secret": secret}
        short, ends = await self._token({**app, "redirect_uri": way.redirect_uri, "code": code}, code)
        granted(Grant(short, None, ends, ()))
        more = {**app, "grant_type": "fb_exchange_token", "fb_exchange_token": short}
        token, expires_at = await self._token(more, code)
        granted(Grant(token, None, expires_at, ()))
        facts = await self._facts(token)
        grant = Grant(
            access_token=token,
            refresh_token=None,
            expires_at=_moment(facts.get("data_access_expires_at")) or expires_at,
            scopes=(),
            subject=text_of(facts, "user_id") or None,
        )
        granted(grant)
        allowed = await self._allowed(token)
        if missing := [scope for scope in self.scopes if scope not in allowed]:
            raise Refused(ErrorCode.connect_scope_missing, scopes=", ".join(missing))
        return replace(grant, scopes=tuple(allowed))

    async def _token(self, query: Mapping[str, str], code: str) -> tuple[str, datetime | None]:
        now = datetime.now(UTC)
        response = await self.ask(None, "GET", f"oauth/access_token?{urlencode(query)}")
        body = http.fields(response)
        if response.status_code == 200 and (token := text_of(body, "access_token")):
            return token, http.later(now, body.get("expires_in"))
        detail = http.excerpt(response, (code, *query.values()))
        number, subcode, _ = error_of(response)
        if number == _PARAMETER and subcode == _CODE_USED:
            raise Refused(ErrorCode.connect_used, detail=detail)
        if number == _PARAMETER and subcode == _CODE_EXPIRED:
            raise Refused(ErrorCode.connect_expired, detail=detail)
        if number == _PARAMETER and subcode == _REDIRECT_UNKNOWN:
            raise Refused(ErrorCode.connect_redirect_not_registered, detail=detail)
        failure = self.failure(response, detail, publishing=False)
        known = isinstance(failure, Misconfigured | RateLimited | RetrySafe)
        raise failure if known else Refused(ErrorCode.connect_failed, detail=detail)

    async def _allowed(self, token: str) -> list[str]:
        """Return the granted permissions: a person may decline single ones, and revoke them later."""
        rows = await self._list(token, "me/permissions")
        return [text_of(row, "permission") for row in rows if row.get("status") == "granted"]

    async def _facts(self, token: str) -> dict[str, Any]:
        """Return what debug_token says of a token."""
        response = await self.ask(self._app_token(), "GET", f"debug_token?{urlencode({'input_token': token})}")
        facts = http.fields(response).get("data")
        if response.status_code != 200 or not isinstance(facts, dict):
            raise self._not_connected(response, token)
        return facts

    async def token_life(self, token: str) -> TokenLife:
        facts = await self._facts(token)
        valid, error = facts.get("is_valid"), facts.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        ours = facts.get("app_id") in (None, self._app()[0]) and code in (None, _TOKEN_OVER)
        if not isinstance(valid, bool) or not ours:  # a token of a previous app may still be valid
            raise RetrySafe(detail=f"the token's state is not reported ({code})")
        return TokenLife(valid, _moment(facts.get("data_access_expires_at")))

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        allowed = await self._allowed(grant.access_token)
        missing = tuple(scope for scope in self.scopes if scope not in allowed)
        return Standing(missing, await self.may_post(grant, to))

    async def may_post(self, grant: Grant, to: Credentials) -> bool | None:
        """Return whether the person's tasks suffice; None: the account has no own tasks."""
        return None

    async def pages(self, grant: Grant) -> list[dict[str, Any]]:
        """Return the pages that the person may post for, with their tokens. The list often lacks pages of a business;
        those are read by the ids that were granted, or that the business portfolio lists.

        Raise Refused with connect_no_page or connect_role_too_low.
        """
        token = grant.access_token
        found = {text_of(row, "id"): row for row in await self._list(token, "me/accounts", fields=self.page_fields)}
        others = await self._allowed_pages(token)
        if not others and _BUSINESSES in grant.scopes:  # all pages are allowed, without their ids
            others = await self._pages_of_businesses(token)
        for page_id in others:
            if page_id in found:
                continue
            fields = urlencode({"fields": self.page_fields})
            response = await self.ask(token, "GET", f"{quote(page_id, safe='')}?{fields}")
            if response.status_code == 200:
                found[page_id] = http.fields(response)
                continue
            failure = self.failure(response, http.excerpt(response, (token,)), publishing=False)
            if isinstance(failure, RateLimited | Misconfigured) or response.status_code >= 500:
                raise failure  # otherwise skip this page
        found.pop("", None)
        if not found:
            raise Refused(ErrorCode.connect_no_page)
        able = [page for page in found.values() if has_posting_task(page)]
        if not able:
            raise Refused(ErrorCode.connect_role_too_low)
        return able

    async def _allowed_pages(self, token: str) -> list[str]:
        granular = (await self._facts(token)).get("granular_scopes")
        for row in granular if isinstance(granular, list) else []:
            if isinstance(row, dict) and row.get("scope") == "pages_show_list":
                ids = row.get("target_ids")
                return [one for one in ids if isinstance(one, str)] if isinstance(ids, list) else []
        return []

    async def _pages_of_businesses(self, token: str) -> list[str]:
        """Return the ids of the pages that the person's business portfolios own or manage for others."""
        ids: dict[str, None] = {}
        try:
            for business in await self._list(token, "me/businesses", fields="id"):
                for held in ("owned_pages", "client_pages"):
                    path = f"{quote(text_of(business, 'id'), safe='')}/{held}"
                    ids |= dict.fromkeys(text_of(row, "id") for row in await self._list(token, path, fields="id"))
        except Refused:  # without a role in a portfolio its pages cannot be listed
            pass
        ids.pop("", None)
        return list(ids)

    async def _list(self, token: str, path: str, **query: str) -> list[dict[str, Any]]:
        """Return all rows of a list, following its pages."""
        rows: list[dict[str, Any]] = []
        query = {"limit": "100", **query}
        for _ in range(MOST_LISTS):
            response = await self.ask(token, "GET", f"{path}?{urlencode(query)}")
            body = http.fields(response)
            data = body.get("data")
            if response.status_code != 200 or not isinstance(data, list):
                raise self._not_connected(response, token)
            rows += [row for row in data if isinstance(row, dict)]
            paging = body.get("paging")
            cursors = paging.get("cursors") if isinstance(paging, dict) and paging.get("next") else None
            after = text_of(cursors, "after") if isinstance(cursors, dict) else ""
            if not after:
                break
            query["after"] = after
        return rows

    def _not_connected(self, response: httpx2.Response, token: str) -> ProviderError:
        detail = http.excerpt(response, (token,))
        failure = self.failure(response, detail, publishing=False)
        if isinstance(failure, NeedsReconnect):  # the token is only moments old
            return Refused(ErrorCode.connect_failed, detail=detail)
        return failure

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """Use the app's token if the person's id is known: the person's own token may have ended, but not the
        pages'."""
        token = self._app_token() if grant.subject else grant.access_token
        response = await self.ask(token, "DELETE", f"{quote(grant.subject or 'me', safe='')}/permissions")
        if response.is_success:
            return
        failure = self.failure(response, http.excerpt(response, (grant.access_token, token)), publishing=False)
        if isinstance(failure, NeedsReconnect):
            return  # already ended
        raise failure

    async def quota(self, to: Credentials) -> timedelta | None:
        await self._look_up(to.access_token)
        return self._left(to.access_token, FULL)

    async def has_room(self, to: Credentials, *, for_new: bool = False) -> None:
        """Raise RateLimited before the network does: refused calls would count too."""
        await self._look_up(to.access_token)
        self._must_be_below(to.access_token, ALMOST_FULL if for_new else FULL)

    async def _look_up(self, token: str) -> None:
        """Load the usage that any process stored last. An answer that arrives during the read is newer and wins."""
        if self._usage_store is None:
            return
        known = self._usage.get(token)
        used = await self._usage_store.read(token)
        if self._usage.get(token) is not known:
            return
        self._usage.pop(token, None)
        if used is not None:
            self._usage[token] = _Known.of(used)

    def _left(self, token: str, percent: float) -> timedelta | None:
        """Return how long this percentage of the token's calls counts as used, or None if less is used."""
        known = self._usage.get(token)
        if known is None or known.percent < percent or (left := known.until - utcnow()) <= timedelta(0):
            return None
        return EstimatedDelay.of(left) if known.is_guess else left

    def _must_be_below(self, token: str, percent: float) -> None:
        if left := self._left(token, percent):
            raise RateLimited(detail=f"{percent} % of the allowed calls are used", retry_after=left)

    async def record_usage(self, token: str, response: httpx2.Response) -> None:
        """Note what an answer reports of its token's limits. Store it only if it changes a decision: most answers do
        not."""
        percent, regained = usage_of(response)
        if percent is None:
            return
        now = utcnow()
        self._usage = {one: found for one, found in self._usage.items() if found.until > now}
        lasts = (regained or THROTTLED) if percent >= FULL else _LATELY
        known = self._usage.get(token)
        level, until = (_level(known.percent), known.until) if known else (_level(0), now + lasts)
        if _level(percent) == level and abs(now + lasts - until) < _SAME_END:
            return
        used: Used | None = None
        self._usage.pop(token, None)
        if _level(percent):
            used = Used(int(min(percent, _MOST_PERCENT)), lasts)
            self._usage[token] = _Known.of(used)
        if self._usage_store is not None:
            await self._usage_store.keep(token, used)

    async def probe(self, to: Credentials) -> None:
        """Read the account's own id."""
        response = await self.ask(to.access_token, "GET", f"{quote(to.external_id, safe='')}?fields=id")
        if response.status_code == 200:
            return
        failure = self.refused(response, to)
        if not is_missing(response):
            raise failure
        await self.ensure_can_read_account(to, failure.detail)

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Comment as the account, with an optional permission.

        Sources: https://developers.facebook.com/docs/pages-api/comments-mentions and
        https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments
        """
        path = f"{quote(provider_id, safe='')}/comments"
        await self.has_room(to)
        request = self.request(to.access_token, "POST", path, json={"message": text})
        response = await http.ask(self.client, request, publishing=True, within=CALL)
        await self.record_usage(to.access_token, response)
        if response.is_success and (made := text_of(http.fields(response), "id")):
            return Receipt(made, None)
        if 200 <= (error_of(response)[0] or 0) <= 299:  # only this permission is missing: posts still go out
            raise Refused(ErrorCode.comment_not_allowed, detail=http.excerpt(response, (to.access_token,)))
        raise await self.failure_of(response, to, publishing=True)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Search among the post's newest comments by the account."""
        asked = {"fields": f"id,{self.comment_field},from{{id}}", "limit": "50", **self.comment_order}
        path = f"{quote(provider_id, safe='')}/comments?{urlencode(asked)}"
        response = await self.ask(to.access_token, "GET", path, most=http.LIST)
        listed = http.fields(response).get("data") if response.status_code == 200 else None
        if not isinstance(listed, list):
            failure = await self.failure_of(response, to)
            if is_missing(response) and isinstance(failure, Refused):
                return Finding()  # the post no longer exists
            raise failure
        for one in listed:
            author = one.get("from") if isinstance(one, dict) else None
            ours = isinstance(author, dict) and author.get("id") == to.external_id
            if ours and comparable(text_of(one, self.comment_field)) == comparable(text):
                return Finding(Receipt(text_of(one, "id"), None))
        return Finding(absent=True)

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
        most: int = http.ANSWER,
        **request: Any,
    ) -> httpx2.Response:
        """Make a call that publishes nothing; `path` follows the version. Raise RateLimited also without a call, if
        none is left."""
        asked = self.request(token, method, path, **request)
        if token is None:
            return await http.ask(self.client, asked, publishing=False, within=within, most=most)
        self._must_be_below(token, FULL)
        if self._left(token, MUCH):
            await asyncio.sleep(SLOWLY.total_seconds())
        response = await http.ask(self.client, asked, publishing=False, within=within, most=most)
        await self.record_usage(token, response)
        return response

    def request(self, token: str | None, method: str, path: str, **request: Any) -> httpx2.Request:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return http.build(self.client, method, f"/{self.settings.version}/{path}", headers=headers, **request)

    @property
    def client(self) -> httpx2.AsyncClient:
        if self._kept_client is None:
            self._kept_client = http.client(base_url=self.graph_url, timeout=CALL)
        return self._kept_client

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        """Return what a refusing or unusable answer means for the delivery."""
        status = response.status_code
        code, subcode, transient = error_of(response)
        if code is None:
            return _by_status(response, detail, publishing=publishing)
        if status == 426 or code in _VERSION_RETIRED:
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        if 300 <= status < 400 or code in _SETTINGS_REFUSED:
            return Misconfigured(detail=detail)
        if status == 429 or code in _LIMITS:
            return RateLimited(detail=detail, retry_after=pause(response))
        if code == _BLOCKED or subcode in _BLOCKED_SUBCODES or (code == 190 and subcode in _CHECKPOINT):
            return Blocked(detail=detail)
        if subcode == _IMAGE_REFUSED or code == _IMAGE_INVALID:
            return Refused(ErrorCode.image_refused, detail=detail)
        if subcode == _IMAGES_USED:
            return StagedLost(detail=detail)
        if subcode in _CONTENT_REFUSED:
            return Refused(detail=detail)
        if transient or code in _UNAVAILABLE or subcode in _UNAVAILABLE_SUBCODES:
            return http.lost(detail, publishing=publishing)
        if code == 190 and subcode == _ROLE_LOST:
            return RoleLost(detail=detail)
        if code in _TOKEN_ENDED or 200 <= code <= 299:
            return NeedsReconnect(detail=detail)
        if code == _REPEATED:
            return Refused(ErrorCode.delivery_duplicate, detail=detail)
        return Refused(detail=detail) if status < 500 else http.lost(detail, publishing=publishing)

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

    def _app(self) -> tuple[str, str]:
        if self.settings.client_id is None or self.settings.client_secret is None:
            raise Misconfigured(ErrorCode.channel_not_configured)
        secret = self.settings.client_secret.get_secret_value()
        conceal(secret)
        return self.settings.client_id, secret

    def _app_token(self) -> str:
        return "|".join(self._app())


def error_of(response: httpx2.Response) -> tuple[int | None, int | None, bool]:
    """Return (code, subcode, whether it is transient) of an error; no code if the body has no error."""
    error = http.fields(response).get("error")
    if not isinstance(error, dict) or not isinstance(error.get("code"), int):
        return None, None, False
    subcode = error.get("error_subcode")
    return error["code"], subcode if isinstance(subcode, int) else None, error.get("is_transient") is True


def is_missing(response: httpx2.Response) -> bool:
    """Return whether an item is missing, hidden from this token, or temporarily unreadable."""
    return error_of(response)[:2] == (_PARAMETER, _NOT_FOUND)


def pause(response: httpx2.Response) -> timedelta:
    """Return the wait until a limit ends, from the headers or as a guess."""
    if (told := http.retry_after(response)) is not None:
        return told
    return usage_of(response)[1] or THROTTLED


def usage_of(response: httpx2.Response) -> tuple[float | None, timedelta | None]:
    """Return (used percent of a limit, time until calls are accepted again), as far as reported. Headers appear only
    after some calls; if both kinds are present, the business limits apply.

    Source: https://developers.facebook.com/docs/graph-api/overview/rate-limiting/
    """
    listed = [one for one in _json_header(response, "x-business-use-case-usage").values() if isinstance(one, list)]
    rows = [row for one in listed for row in one if isinstance(row, dict)]
    rows = rows or [_json_header(response, name) for name in ("x-app-usage", "x-page-usage")]
    percents = [row.get(name) for row in rows for name in ("call_count", "total_time", "total_cputime")]
    minutes = [row.get("estimated_time_to_regain_access") for row in rows]
    used = max((one for one in percents if isinstance(one, int | float)), default=None)
    regained = max((one for one in minutes if isinstance(one, int) and one > 0), default=None)
    if regained is None:
        return used, None
    most = http.LONGEST_PAUSE // timedelta(minutes=1)
    return max(used or 0, FULL), timedelta(minutes=min(regained, most))


def _level(percent: float) -> int:
    """Return the threshold reached; 0: none."""
    return next((bound for bound in (FULL, ALMOST_FULL, MUCH) if percent >= bound), 0)


def _json_header(response: httpx2.Response, header: str) -> dict[str, Any]:
    """Return the JSON object in a header; empty for anything else."""
    try:
        found = json.loads(response.headers.get(header, ""))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _by_status(response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    match response.status_code:
        case 401 | 403:
            return NeedsReconnect(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=pause(response))
        case 408:
            return http.lost(detail, publishing=publishing)
        case 426:
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        case status if 300 <= status < 400:  # not an address of the API
            return Misconfigured(detail=detail)
        case status if 400 <= status < 500:
            return Refused(detail=detail)
    return http.lost(detail, publishing=publishing)


def has_posting_task(page: Mapping[str, Any]) -> bool:
    """Return whether the person may post for a page. Posting needs the page's token; tasks may be unknown."""
    tasks = page.get("tasks")
    return bool(text_of(page, "access_token")) and (not isinstance(tasks, list) or not _POSTING_TASKS.isdisjoint(tasks))


def _moment(seconds: object) -> datetime | None:
    """Convert a Unix time; 0 means no end."""
    return http.later(datetime(1970, 1, 1, tzinfo=UTC), seconds)
