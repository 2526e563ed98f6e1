"""Meta's Graph API: consent, tokens and pages, shared by Facebook and Instagram.

Calls and their limits are in `graph_calls`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx2
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import (
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
)
from core.networks.base import ApiVersion
from core.networks.connections import App, Credentials, Grant, Granted, OAuthFlow, Standing, TokenLife, ignore_grant
from core.networks.graph_calls import CALL, GraphCalls
from core.networks.graph_errors import TOKEN_OVER, error_of, is_missing
from core.networks.posts import Finding, Receipt
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.texts.rules.texts import comparable

_BUSINESSES = "business_management"
"""The permission to list the pages of a business portfolio."""
MOST_LISTS = 20
"""Maximum pages of a list that are read, with 100 rows each."""

_POSTING_TASKS = {"CREATE_CONTENT", "MANAGE"}

_ENDS: Final = {"v20.0": date(2026, 9, 24), "v25.0": date(2028, 7, 29), "v26.0": date(2028, 7, 29)}
"""When versions end, by the changelog: two years after the next one. The newest is there for two years at least."""
_VERSIONS: Final = "https://developers.facebook.com/docs/graph-api/changelog/versions"


class MetaSettings(BaseSettings):
    """`META_…` of the environment. Without id and secret Facebook and Instagram are not configured."""

    model_config = SettingsConfigDict(env_prefix="META_", env_ignore_empty=True, frozen=True)

    client_id: str | None = Field(None, description="client id of the app that connects Facebook and Instagram")
    client_secret: SecretStr | None = Field(None, description="client secret of that app")
    dialog_url: str = Field("https://www.facebook.com", description="base address of consent page and permalinks")
    instagram_url: str = Field("https://www.instagram.com", description="base address of posts on Instagram")
    graph_url: str = Field("https://graph.facebook.com", description="base address of the Graph API")
    video_url: str = Field(
        "https://graph-video.facebook.com", description="base address of the Graph API for uploads of Facebook's videos"
    )
    version: str = Field("v26.0", pattern=r"^v\d{2}\.\d$", description="version of the Graph API")


class GraphChannel(GraphCalls):
    """The code shared by Facebook and Instagram. Each has its own scopes, accounts and ways to publish."""

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
        super().__init__()
        self._given = settings

    @cached_property
    def settings(self) -> MetaSettings:
        return self._given or MetaSettings()

    def configured(self) -> bool:
        return self.settings.client_id is not None and self.settings.client_secret is not None

    def api_version(self) -> ApiVersion | None:
        name = self.settings.version
        return ApiVersion("META_VERSION", name, _ENDS[name], _VERSIONS) if name in _ENDS else None

    def calls_only(self, base_url: str) -> bool:
        return {self.dialog_url, self.graph_url} == {base_url.rstrip("/")}

    @property
    def dialog_url(self) -> str:
        return self.settings.dialog_url.rstrip("/")

    @property
    def graph_url(self) -> str:
        return self.settings.graph_url.rstrip("/")

    @property
    def version(self) -> str:
        return self.settings.version

    def authorize_url(self, flow: OAuthFlow) -> str:
        client_id, _ = self._app()
        query = {
            "client_id": client_id,
            "redirect_uri": flow.redirect_uri,
            "state": flow.state,
            "response_type": "code",
            "scope": ",".join((*self.scopes, *self.wishes)),
            # otherwise permissions that were declined once are not asked for again
            "auth_type": "rerequest",
        }
        return f"{self.dialog_url}/{self.settings.version}/dialog/oauth?{urlencode(query, quote_via=quote)}"

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """A code works once. Its token is valid for hours and is exchanged for one of about 60 days. With that one the
        pages return their own tokens, which end only with the data access."""
        client_id, secret = self._app()
        app = {"client_id": client_id, "client_secret": secret}
        short, ends = await self._token({**app, "redirect_uri": flow.redirect_uri, "code": code}, code)
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
        raise self.code_error(response, http.excerpt(response, (code, *query.values())))

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
        ours = facts.get("app_id") in (None, self._app()[0]) and code in (None, TOKEN_OVER)
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

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Comment as the account, with an optional permission.

        Sources: https://developers.facebook.com/docs/pages-api/comments-mentions and
        https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments
        """
        path = f"{quote(provider_id, safe='')}/comments"
        await self.has_room(to)
        request = self.request(to.access_token, "POST", path, json={"message": text})
        response = await http.ask(self.client, request, publishing=True, within=CALL)
        await self.usage.record(to.access_token, response)
        if response.is_success and (made := text_of(http.fields(response), "id")):
            return Receipt(made, None)
        if 200 <= (error_of(response)[0] or 0) <= 299:  # only this permission is missing: posts still go out
            raise Refused(ErrorCode.comment_not_allowed, detail=http.excerpt(response, (to.access_token,)))
        raise await self.failure_of(response, to, publishing=True)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Search among the post's newest comments by the account."""
        query = {"fields": f"id,{self.comment_field},from{{id}}", "limit": "50", **self.comment_order}
        path = f"{quote(provider_id, safe='')}/comments?{urlencode(query)}"
        response = await self.ask(to.access_token, "GET", path, max_bytes=http.MAX_LIST_BYTES)
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

    def _app(self) -> tuple[str, str]:
        if self.settings.client_id is None or self.settings.client_secret is None:
            raise Misconfigured(ErrorCode.channel_not_configured)
        secret = self.settings.client_secret.get_secret_value()
        conceal(secret)
        return self.settings.client_id, secret

    def _app_token(self) -> str:
        return "|".join(self._app())


def has_posting_task(page: Mapping[str, Any]) -> bool:
    """Return whether the person may post for a page. Posting needs the page's token; tasks may be unknown."""
    tasks = page.get("tasks")
    return bool(text_of(page, "access_token")) and (not isinstance(tasks, list) or not _POSTING_TASKS.isdisjoint(tasks))


def _moment(seconds: object) -> datetime | None:
    """Convert a Unix time; 0 means no end."""
    return http.later(datetime(1970, 1, 1, tzinfo=UTC), seconds)
