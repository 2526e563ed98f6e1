"""LinkedIn: people, and what their posts share with posts of pages (`linkedin_pages`).

Publishing is the single call `POST /rest/posts`, which has no idempotency key. A person's posts cannot be read, so an
ambiguous call stays unknown unless LinkedIn names the earlier post when it refuses a duplicate.

What else is possible depends on the operator's app: most have the products that anybody gets, and only the Community
Management API, which LinkedIn grants to few, allows comments (docs/networks/linkedin.md).
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property, partial
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

import httpx2
from pydantic import Field, NonNegativeFloat, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.clock import utcnow
from core.errors import Ambiguous, ErrorCode, Misconfigured, NeedsReconnect, ProviderError, Refused, RetrySafe
from core.networks import linkedin_documents, linkedin_videos
from core.networks.base import ApiVersion, AppPermission, BaseChannel, Traits
from core.networks.connections import (
    App,
    Connection,
    Credentials,
    Grant,
    Granted,
    OAuthFlow,
    Profile,
    Standing,
    ignore_grant,
)
from core.networks.linkedin_documents import is_document, is_document_ready, upload_document
from core.networks.linkedin_errors import POST_URN, failure
from core.networks.linkedin_posts import author_of, post_body
from core.networks.linkedin_videos import is_video, is_video_ready, processing_time, upload_video
from core.networks.posts import Document, Finding, Image, Keep, Outgoing, Receipt, Staged, Video, forget, upload_all
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.networks.rules.links import LinkPlace
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import clip, conceal
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.mentions import named_mentions

CALL = timedelta(seconds=30)
UPLOAD = timedelta(seconds=120)

FRESH_TOKEN_WAITS = (2.0, 4.0, 8.0, 16.0)
"""Seconds between tries with a new token: LinkedIn may answer 401 at first and accept it a moment later."""

NOT_READY_WAIT = timedelta(minutes=1)
"""Wait before a post is sent again whose file may not have been processed."""
COMMENT_AGAIN = timedelta(seconds=15)
"""Wait before a comment is sent again to which LinkedIn says that it cannot find the new post yet."""
MAX_ALT = 4086
MAX_COMMENT = 1250
COMMUNITY_MANAGEMENT = "Community Management API"

_SHARED = re.compile(r"^/posts/[^/]*-(?P<kind>share|ugcPost|activity)-(?P<id>\d+)-[^/]*/?$")
_CONFIRMED = (200, 201)
_WAITING_UPLOAD = "MEDIA_ASSET_WAITING_UPLOAD"
_PROCESSING_FAILED = "MEDIA_ASSET_PROCESSING_FAILED"
_NOT_YET_THERE = "Unable to obtain activity"
_MAY_NOT_COMMENT = "partnerApiSocialActions.CREATE"
"""What LinkedIn names if the app lacks the product or the person the role; any other 403 is of this post alone."""
_PRODUCTS = {"openid": "Sign In with LinkedIn using OpenID Connect", "w_member_social": "Share on LinkedIn"}
"""Products that any app gets, by a scope of theirs."""
_VETTED = re.compile(r"\w+_(?:feed|organization\w*|postAnalytics|profileAnalytics)")
"""Scopes that only the Community Management API has. `w_member_social` belongs to it, too."""
_REFUSALS = {
    "user_cancelled_login": ErrorCode.connect_denied,
    "user_cancelled_authorize": ErrorCode.connect_denied,
    "access_denied": ErrorCode.connect_denied,
    "unauthorized_scope_error": ErrorCode.connect_scope_missing,
    "invalid_redirect_uri": ErrorCode.connect_redirect_not_registered,
}
"""Errors that the consent page returns instead of a code."""
_VERSIONS = "https://learn.microsoft.com/en-us/linkedin/marketing/versioning"
_HOSTS = (".linkedin.com", ".licdn.com")


class LinkedInSettings(BaseSettings):
    """`LINKEDIN_…` of the environment. People and pages need an app each; without an app's id and secret, its channel
    is not configured."""

    model_config = SettingsConfigDict(env_prefix="LINKEDIN_", env_ignore_empty=True, frozen=True)

    client_id: str | None = Field(None, description="client id of the app that connects people")
    client_secret: SecretStr | None = Field(None, description="client secret of that app")
    pages_client_id: str | None = Field(None, description="client id of the app that connects organisation pages")
    pages_client_secret: SecretStr | None = Field(None, description="client secret of that app")
    scopes: str = Field(
        "openid profile w_member_social",
        description="scopes of people, as the app's products allow: w_member_social, and either openid and profile, "
        "or r_basicprofile; w_member_social_feed for first comments, only with the Community Management API",
    )
    pages_scopes: str = Field(
        "r_organization_social w_organization_social rw_organization_admin",
        description="scopes for pages; these three are required. For first comments also w_organization_social_feed, "
        "and r_organization_social_feed to find them again",
    )
    auth_url: str = Field("https://www.linkedin.com", description="base address of sign-in page and permalinks")
    api_url: str = Field("https://api.linkedin.com", description="base address of the API")
    version: str = Field("202609", description="version of the API, YYYYMM")
    image_grace_seconds: NonNegativeFloat = Field(
        30, description="seconds to wait after a person's upload, because LinkedIn does not report its processing"
    )


class LinkedInChannel(BaseChannel):
    kind = ChannelKind.linkedin
    label = "LinkedIn"
    connection = Connection(consent=True, settings=("LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET"))
    limits = ChannelLimits(
        max_characters=3000,
        max_images=20,
        link=LinkPlace.card,
        card_images=1,
        max_alt=MAX_ALT,
        text_required=False,
        document=linkedin_documents.LIMITS,
        video=linkedin_videos.LIMITS,
        max_first_comment=MAX_COMMENT,
        urn_mentions=True,
    )
    call_timeout = CALL
    app_permissions: tuple[AppPermission, ...] = (
        AppPermission("first comments", "w_member_social_feed", COMMUNITY_MANAGEMENT, "LINKEDIN_SCOPES"),
        AppPermission("figures of posts", "r_member_postAnalytics", COMMUNITY_MANAGEMENT, "LINKEDIN_SCOPES"),
    )
    traits = Traits(
        repeats_refused=True,
        restricts_automation=frozenset({AccountType.person}),
        comment_permission=app_permissions[0],
    )
    needed: tuple[str, ...] = ("w_member_social",)
    """Scopes without which nothing can be published."""
    reads_images = False
    """Whether the state of images can be read."""

    def __init__(self, settings: LinkedInSettings | None = None) -> None:
        self._given = settings
        self._clients: dict[str, httpx2.AsyncClient] = {}

    @cached_property
    def settings(self) -> LinkedInSettings:
        return self._given or LinkedInSettings()

    def app(self) -> tuple[str | None, SecretStr | None]:
        """Return id and secret of the app that accounts are connected with."""
        return self.settings.client_id, self.settings.client_secret

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes to request."""
        return scopes_in(self.settings.scopes)

    def configured(self) -> bool:
        return None not in self.app()

    def api_version(self) -> ApiVersion | None:
        name = self.settings.version
        try:
            ends = date(int(name[:4]) + 1, int(name[4:]), 1)  # each is there for a year at least
        except ValueError:
            return None
        return ApiVersion("LINKEDIN_VERSION", name, ends, _VERSIONS)

    def requested_scopes(self) -> tuple[str, ...]:
        return self.scopes

    def app_products(self, scopes: Collection[str]) -> list[str]:
        found = [product for scope, product in _PRODUCTS.items() if scope in scopes]
        return [*found, COMMUNITY_MANAGEMENT] if any(map(_VETTED.fullmatch, scopes)) else found

    def calls_only(self, base_url: str) -> bool:
        return {self.settings.auth_url.rstrip("/"), self.settings.api_url.rstrip("/")} == {base_url.rstrip("/")}

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        # a member's id leads nowhere: profiles have other names, which the API does not return
        return f"{self.auth_url}/in/me/recent-activity/all/"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept the address bar's or "Copy link to post" address: it contains the post's id, or ends in its number."""
        try:
            path = unquote(urlsplit(address).path)
        except ValueError:
            return None
        if not self.is_linkedins(address):
            return None
        if found := POST_URN.search(path):
            return self.permalink(found.group())
        if found := _SHARED.search(path):
            return self.permalink(f"urn:li:{found['kind']}:{found['id']}")
        return None

    def refusal(self, error: str, description: str) -> ErrorCode:
        return _REFUSALS.get(error, ErrorCode.connect_failed)

    def authorize_url(self, flow: OAuthFlow) -> str:
        client_id, _ = self._app()
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": flow.redirect_uri,
            "state": flow.state,
            "scope": " ".join(self.scopes),
        }
        return f"{self.auth_url}/oauth/v2/authorization?{urlencode(query, quote_via=quote)}"

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """A code works once: after a lost answer the repeat is refused, and the person connects again."""
        now, (_, secret) = utcnow(), self._app()
        response = await self._ask_token("authorization_code", code=code, redirect_uri=flow.redirect_uri)
        body = http.fields(response)
        token = body.get("access_token")
        if response.status_code == 200 and isinstance(token, str) and token:
            scopes = scopes_in(text_of(body, "scope"))
            grant = Grant(
                access_token=token,
                refresh_token=text_of(body, "refresh_token") or None,
                expires_at=http.later(now, body.get("expires_in")),
                scopes=scopes,
                refresh_expires_at=http.later(now, body.get("refresh_token_expires_in")),
            )
            granted(grant)
            wanted = dict.fromkeys((*self.scopes, *self.needed))
            if missing := [scope for scope in wanted if scope not in (scopes or self.scopes)]:
                raise Refused(ErrorCode.connect_scope_missing, scopes=", ".join(missing))
            return grant
        raise self._no_grant(response, http.excerpt(response, (code, secret)))

    async def refresh(self, grant: Grant) -> Grant:
        """LinkedIn issues refresh tokens only to approved partners. Refreshing does not extend their expiry."""
        if not grant.refresh_token:
            raise NeedsReconnect(detail="there is no refresh token")
        now, (_, secret) = utcnow(), self._app()
        response = await self._ask_token("refresh_token", refresh_token=grant.refresh_token)
        body = http.fields(response)
        token = text_of(body, "access_token")
        if response.status_code == 200 and token:
            return replace(
                grant,
                access_token=token,
                refresh_token=text_of(body, "refresh_token") or grant.refresh_token,
                expires_at=http.later(now, body.get("expires_in")),
                refresh_expires_at=http.later(now, body.get("refresh_token_expires_in")) or grant.refresh_expires_at,
            )
        refused = self._no_grant(response, http.excerpt(response, (grant.refresh_token, secret)))
        if not isinstance(refused, Refused):
            raise refused
        if 400 <= response.status_code < 404 and text_of(body, "error"):
            raise NeedsReconnect(detail=refused.detail)
        raise RetrySafe(detail=refused.detail)  # no answer about the refresh token, which may still be valid

    async def _ask_token(self, grant_type: str, **what: str) -> httpx2.Response:
        client_id, secret = self._app()
        form = {"grant_type": grant_type, **what, "client_id": client_id, "client_secret": secret}
        return await http.send(self._auth, "POST", "/oauth/v2/accessToken", publishing=False, data=form)

    def _no_grant(self, response: httpx2.Response, detail: str) -> ProviderError:
        error = text_of(http.fields(response), "error")
        if error in ("invalid_client", "unauthorized_client"):
            return Misconfigured(detail=detail)
        if error == "invalid_grant":
            return Refused(ErrorCode.connect_expired, detail=detail)
        if response.status_code == 429 or response.status_code >= 500:
            return failure(response, detail, publishing=False)
        return Refused(ErrorCode.connect_failed, detail=detail)

    async def profiles(self, grant: Grant) -> list[Profile]:
        """Return the token's member. Takes up to 30 seconds while LinkedIn still denies a new token."""
        headers = {"Authorization": f"Bearer {grant.access_token}"}
        # apps without the sign-in product use /v2/me
        path, key = ("/v2/userinfo", "sub") if "openid" in (grant.scopes or self.scopes) else ("/v2/me", "id")
        response = await retry_unknown_token(
            lambda: http.send(self._api, "GET", path, publishing=False, headers=headers)
        )
        body = http.fields(response)
        member = text_of(body, key)
        if response.status_code != 200 or not member:
            raise self.not_connected(response, grant.access_token)
        parts = text_of(body, "localizedFirstName"), text_of(body, "localizedLastName")
        name = text_of(body, "name") or " ".join(filter(None, parts)) or member
        return [Profile(member, name, AccountType.person, text_of(body, "picture") or None)]

    def not_connected(self, response: httpx2.Response, token: str) -> ProviderError:
        """Return the error for the person who connects when a read is refused."""
        detail = http.excerpt(response, (token,))
        if response.status_code in (426, 429) or response.status_code >= 500:
            return failure(response, detail, publishing=False)
        return Refused(ErrorCode.connect_failed, detail=detail)

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        """Ask LinkedIn's token introspection."""
        client_id, secret = self._app()
        form = {"client_id": client_id, "client_secret": secret, "token": grant.access_token}
        response = await http.send(self._auth, "POST", "/oauth/v2/introspectToken", publishing=False, data=form)
        body = http.fields(response)
        if response.status_code != 200 or not isinstance(body.get("active"), bool):
            raise RetrySafe(detail=http.excerpt(response, (grant.access_token, secret)))
        granted = scopes_in(text_of(body, "scope"))
        return Standing(tuple(scope for scope in self.needed if scope not in granted) if body["active"] else (), None)

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        client_id, secret = self._app()
        refused: ProviderError | None = None
        # refresh token first; if it has expired LinkedIn may refuse it, but the access token may still be valid
        for token in filter(None, (grant.refresh_token, grant.access_token)):
            form = {"client_id": client_id, "client_secret": secret, "token": token}
            response = await http.send(self._auth, "POST", "/oauth/v2/revoke", publishing=False, data=form)
            if response.is_success or text_of(http.fields(response), "error") == "invalid_grant":
                continue
            error = self._no_grant(response, http.excerpt(response, (token, secret)))
            if not isinstance(error, Refused):
                raise error
            refused = refused or error
        if refused:
            raise refused

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the images, the document or the video."""
        if post.document:
            return await self._stage_document(to, post.document, had, keep)
        if post.video:
            return await self._stage_video(to, post.video, had, keep)
        refs = await upload_all(post.images, lambda image: self._upload(to, image), had=had, keep=keep)
        return Staged(refs, self.grace() if refs else timedelta(0))

    async def _stage_document(self, to: Credentials, document: Document, had: tuple[str, ...], keep: Keep) -> Staged:
        """A document that was uploaded by an earlier attempt is used. Where its state cannot be read, it is waited for,
        a large one twice as long."""
        if had:
            urn = had[0]
        else:
            urn = await upload_document(self, to, document)
            await keep(urn)
        unknown = await is_document_ready(self, to, urn) is None
        grace = timedelta(seconds=self.settings.image_grace_seconds)
        wait = grace * (1 + document.size / linkedin_documents.LIMITS.max_bytes)
        return Staged((urn,), wait if unknown else timedelta(0))

    async def _stage_video(self, to: Credentials, video: Video, had: tuple[str, ...], keep: Keep) -> Staged:
        """A video that was uploaded by an earlier attempt is used. Where its state cannot be read, it is waited for as
        long as LinkedIn may need."""
        if had:
            urn = had[0]
        else:
            urn = await upload_video(self, to, video)
            await keep(urn)
        unknown = await is_video_ready(self, to, urn) is None
        return Staged((urn,), processing_time(video.size) if unknown else timedelta(0))

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        """Ask for a document or a video only: a person's token cannot ask whether images are ready."""
        if refs and is_document(refs[0]):
            return linkedin_documents.READY_AGAIN if await is_document_ready(self, to, refs[0]) is False else None
        if refs and is_video(refs[0]):
            return linkedin_videos.READY_AGAIN if await is_video_ready(self, to, refs[0]) is False else None
        return None

    async def put(self, url: str, *, within: timedelta, **request: Any) -> httpx2.Response:
        return await http.send(self._api, "PUT", url, publishing=False, within=within, **request)

    def grace(self) -> timedelta:
        """Return a fixed wait: a person's token cannot ask whether images are ready."""
        return timedelta(seconds=self.settings.image_grace_seconds)

    async def _upload(self, to: Credentials, image: Image) -> str:
        order = {"initializeUploadRequest": {"owner": author_of(to)}}
        response = await self.rest(to, "POST", "/rest/images?action=initializeUpload", json=order)
        if response.status_code != 200:
            raise await self.refused(response, to)
        detail = http.excerpt(response, (to.access_token,))
        value = http.fields(response).get("value")
        place = value if isinstance(value, dict) else {}
        url, urn = text_of(place, "uploadUrl"), text_of(place, "image")
        if not (url and urn):
            raise RetrySafe(detail=detail)
        if not self.is_linkedins(url):
            # the token would be sent there
            raise Refused(ErrorCode.image_refused, detail=clip(f"upload to another host: {urlsplit(url).netloc}"))
        put = await http.send(
            self._api,
            "PUT",
            url,
            publishing=False,
            within=UPLOAD,
            content=image.data,
            headers={"Authorization": f"Bearer {to.access_token}", "Content-Type": image.mime},
        )
        if put.status_code in linkedin_videos.ADDRESS_ENDED:
            raise RetrySafe(detail=http.excerpt(put, (to.access_token,)))
        if put.status_code not in _CONFIRMED:
            raise await self.refused(put, to)
        return urn

    def is_linkedins(self, url: str) -> bool:
        """Return whether an address from an answer is LinkedIn's own, or the one that the settings put in its place."""
        parts = urlsplit(url)
        place = (parts.scheme, parts.netloc)
        if place in {urlsplit(ours)[:2] for ours in (self._api_url, self.auth_url)}:
            return True
        return parts.scheme == "https" and f".{parts.hostname}".endswith(_HOSTS)

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        request = self._request(to, "POST", "/rest/posts", json=post_body(to, post, refs))
        return PreparedCall(self._api, self._api_url, partial(self._publish, request, to, refs))

    async def _publish(
        self,
        request: httpx2.Request,
        to: Credentials,
        refs: tuple[str, ...],
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        """Raise Refused(delivery_duplicate) with the earlier post as `urn` if LinkedIn names it."""
        started = time.monotonic()
        response = await http.ask(api, request, publishing=True, within=CALL)
        repeated = response.status_code == 409
        if repeated:  # 409: certainly refused, and worth one more try
            left = max(CALL - timedelta(seconds=time.monotonic() - started), timedelta(seconds=1))
            response = await http.ask(self._api, request, publishing=True, within=left)
        urn = response.headers.get("x-restli-id", "").strip()
        if response.status_code == 201 or (urn and response.is_success):
            # without the header the post is published all the same, but its id is unknown
            return Receipt(urn or None, self.permalink(urn) if urn else None)
        error = await self.refused(response, to, publishing=True)
        if repeated and error.code is ErrorCode.delivery_duplicate:  # so the first call took effect
            raise Ambiguous(detail=error.detail)
        if refs and error.code is ErrorCode.delivery_refused:
            refused, not_ready = _codes_of(refs[0])
            if _PROCESSING_FAILED in response.text:
                raise Refused(refused, detail=error.detail)
            if self._may_not_be_ready(response, refs[0]):
                raise RetrySafe(not_ready, detail=error.detail, retry_after=NOT_READY_WAIT)
        raise error

    def _may_not_be_ready(self, response: httpx2.Response, ref: str) -> bool:
        """Return whether a post may have been refused because a file is still being processed. LinkedIn says so in
        several ways of images, and the state of a person's images cannot be read."""
        if _WAITING_UPLOAD in response.text:
            return True
        is_image = not is_document(ref) and not is_video(ref)
        return response.status_code == 422 and is_image and not self.reads_images

    async def refused(self, response: httpx2.Response, to: Credentials, *, publishing: bool = False) -> ProviderError:
        return failure(response, http.excerpt(response, (to.access_token,)), publishing=publishing)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        return Finding()  # a person's posts cannot be read

    async def verify_duplicate(self, to: Credentials, provider_id: str) -> Receipt | None:
        """Trust LinkedIn's answer: a person's posts cannot be read."""
        return Receipt(provider_id, self.permalink(provider_id))

    async def delete(self, to: Credentials, provider_id: str) -> None:
        headers = {"X-RestLi-Method": "DELETE"}
        response = await self.rest(to, "DELETE", f"/rest/posts/{quote(provider_id, safe='')}", headers=headers)
        if response.is_success or response.status_code == 404:
            return
        detail = http.excerpt(response, (to.access_token,))
        if response.status_code == 403:  # only this post: the account may still work
            raise Refused(ErrorCode.removal_refused, detail=detail)
        error = failure(response, detail, publishing=False)
        raise Refused(ErrorCode.removal_refused, detail=detail) if isinstance(error, Refused) else error

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Comment as the account.

        Source: https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api
        """
        # the text is plain, not "little"; a mention there is an attribute, which is not documented well enough
        body = {"actor": author_of(to), "object": provider_id, "message": {"text": named_mentions(text)}}
        request = self._request(to, "POST", comments_path(provider_id), json=body)
        response = await http.ask(self._api, request, publishing=True, within=CALL)
        if response.status_code in _CONFIRMED:
            made = response.headers.get("x-restli-id", "").strip() or text_of(http.fields(response), "$URN")
            return Receipt(made or None, None)
        detail = http.excerpt(response, (to.access_token,))
        if response.status_code == 403:  # posts still go out
            is_named = _MAY_NOT_COMMENT in response.text
            raise Refused(ErrorCode.comment_not_allowed if is_named else ErrorCode.comment_refused, detail=detail)
        if 400 <= response.status_code < 500 and _NOT_YET_THERE in response.text:
            raise RetrySafe(detail=detail, retry_after=COMMENT_AGAIN)
        raise await self.refused(response, to, publishing=True)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        return Finding()  # comments below a person's posts cannot be read

    async def probe(self, to: Credentials) -> None:
        """Read a missing image: LinkedIn checks the version before the image and the permission to see it."""
        response = await self.rest(to, "GET", f"/rest/images/{quote('urn:li:image:0', safe='')}")
        status = response.status_code
        if status not in (200, 400, 403, 404):
            raise failure(response, http.excerpt(response, (to.access_token,)), publishing=False)

    async def close(self) -> None:
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    async def rest(
        self,
        to: Credentials,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        json: dict[str, Any] | None = None,
        max_bytes: int = http.MAX_ANSWER_BYTES,
    ) -> httpx2.Response:
        """Make a call that publishes nothing."""
        request = self._request(to, method, path, headers=headers, json=json)
        return await http.ask(self._api, request, publishing=False, within=CALL, max_bytes=max_bytes)

    def _request(
        self,
        to: Credentials,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        json: dict[str, Any] | None = None,
    ) -> httpx2.Request:
        return http.build(
            self._api,
            method,
            path,
            json=json,
            headers={
                "Authorization": f"Bearer {to.access_token}",
                "LinkedIn-Version": self.settings.version,
                "X-Restli-Protocol-Version": "2.0.0",
                **(headers or {}),
            },
        )

    def _app(self) -> tuple[str, str]:
        client_id, hidden = self.app()
        if client_id is None or hidden is None:
            raise Misconfigured(ErrorCode.channel_not_configured)
        secret = hidden.get_secret_value()
        conceal(secret)
        return client_id, secret

    @property
    def auth_url(self) -> str:
        return self.settings.auth_url.rstrip("/")

    @property
    def _api_url(self) -> str:
        return self.settings.api_url.rstrip("/")

    @property
    def _auth(self) -> httpx2.AsyncClient:
        return self._client(self.auth_url)

    @property
    def _api(self) -> httpx2.AsyncClient:
        return self._client(self._api_url)

    def _client(self, base_url: str) -> httpx2.AsyncClient:
        if base_url not in self._clients:
            self._clients[base_url] = http.client(base_url=base_url, timeout=CALL)
        return self._clients[base_url]

    def permalink(self, urn: str) -> str:
        return f"{self.auth_url}/feed/update/{urn}/"


async def retry_unknown_token(ask: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """Return the answer to the first call with a new token, retrying 401."""
    response = await ask()
    for wait in FRESH_TOKEN_WAITS:
        if response.status_code != 401:
            break
        await asyncio.sleep(wait)
        response = await ask()
    return response


def _codes_of(ref: str) -> tuple[ErrorCode, ErrorCode]:
    """Return the codes of a file that LinkedIn cannot use, and of one that it cannot use yet."""
    if is_document(ref):
        return ErrorCode.document_refused, ErrorCode.document_not_ready
    if is_video(ref):
        return ErrorCode.video_refused, ErrorCode.video_not_ready
    return ErrorCode.image_refused, ErrorCode.image_not_ready


def comments_path(urn: str) -> str:
    return f"/rest/socialActions/{quote(urn, safe='')}/comments"


def scopes_in(scopes: str) -> tuple[str, ...]:
    """Split a list of scopes, which the documentation separates by commas or by spaces."""
    return tuple(filter(None, re.split(r"[,\s]+", scopes)))


CHANNEL = LinkedInChannel()
