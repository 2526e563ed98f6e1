"""Mastodon: people, each at a server of their choice.

The publishing call carries an idempotency key; for an hour the server answers a repeat with the first post. The key is
chosen when the post is staged and kept in the ledger, so a repeat after an unknown outcome creates no second post, even
if the account could not be read. Facts and sources: `docs/networks/mastodon.md`.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

import httpx2
from pydantic import Field
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
    StagedLost,
)
from core.networks.base import BaseChannel, EstimatedDelay, Traits
from core.networks.connections import (
    App,
    Connection,
    Credentials,
    Grant,
    Granted,
    KnownApp,
    OAuthFlow,
    Profile,
    ignore_grant,
)
from core.networks.mastodon_limits import LIMITS, kept_limits, limits_of_server
from core.networks.posts import Finding, Image, Keep, Outgoing, Receipt, Staged, Video, forget, upload_all
from core.networks.rules.channels import (
    AccountType,
    ChannelKind,
    ChannelLimits,
    FieldKind,
    FieldName,
    FormField,
)
from core.networks.uploads import streamed_form, upload_time
from core.outgoing import http
from core.outgoing.destinations import Clients, Outside
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.texts import comparable

SCOPES = ("read:accounts", "read:statuses", "write:media", "write:statuses")
CALL = timedelta(seconds=30)
UPLOAD = timedelta(seconds=120)
PROCESSING = timedelta(seconds=5)
"""Wait between two reads of an image that the server still processes."""
LIMITED = EstimatedDelay(minutes=5)
"""How long to wait if the answer does not say; Mastodon's limits use this window."""

FIND_WAITS = (2.0,)
"""Seconds between reads of an account's posts: only two reads without the post prove absence."""
FIND_MARGIN = timedelta(minutes=2)
FIND_COUNT = 40
FIND_PAGES = 5
"""Maximum pages read: reading each post's text then stays within a token's 300 calls in five minutes."""


_VIDEO = "video "
"""Begins the reference of a video."""
_POST = re.compile(r"/@[\w.-]+(?:@[\w.-]+)?/(?:statuses/)?\w+/?")


class MastodonSettings(BaseSettings):
    """`MASTODON_…` of the environment. All settings are optional: we register at each server ourselves."""

    model_config = SettingsConfigDict(env_prefix="MASTODON_", env_ignore_empty=True, frozen=True)

    app_name: str = Field("Postloom", description="name under which this installation registers at a Mastodon server")
    server_url: str = Field("", description="server suggested in the form to connect Mastodon")
    internal_servers: str = Field(
        "",
        description="base addresses of Mastodon servers to allow although they are in your network or have no TLS, "
        "comma-separated",
    )


class MastodonChannel(BaseChannel):
    kind = ChannelKind.mastodon
    label = "Mastodon"
    limits = LIMITS
    call_timeout = CALL
    traits = Traits(can_list_own=True, stages_post=True, names_post=True, revokes_token_alone=True)

    def __init__(self, settings: MastodonSettings | None = None) -> None:
        self._given = settings
        self._clients = Clients(lambda base_url: self._outside.client(base_url, CALL))

    @cached_property
    def settings(self) -> MastodonSettings:
        return self._given or MastodonSettings()

    @property
    def connection(self) -> Connection:
        server = FormField(FieldName.server, FieldKind.url, "mastodon.social", initial=self.settings.server_url)
        return Connection(consent=True, fields=(server,))

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{base_url}/@{external_id}"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        here = f"{parts.scheme}://{parts.netloc}".lower() == base_url
        return f"{base_url}{parts.path.rstrip('/')}" if here and _POST.fullmatch(parts.path) else None

    async def register(self, form: Mapping[str, str], redirect_uri: str, known: KnownApp) -> App | None:
        base_url = self._outside.base_url(form["server"])
        if base_url is None:
            raise Refused(ErrorCode.connect_server_unusable, field="server")
        app = await known(base_url)
        if app and not await self._is_app_unknown(app):
            return app
        app_form = {
            "client_name": self.settings.app_name,
            "redirect_uris": redirect_uri,
            "scopes": " ".join(SCOPES),
            "website": f"{urlsplit(redirect_uri).scheme}://{urlsplit(redirect_uri).netloc}",
        }
        try:
            answer = await http.send(self._client(base_url), "POST", "/api/v1/apps", publishing=False, json=app_form)
        except ProviderError as error:
            raise Refused(ErrorCode.connect_server_unusable, detail=error.detail, field="server") from error
        body = http.fields(answer)
        app = App(base_url, text_of(body, "client_id"), text_of(body, "client_secret"))
        if answer.status_code != 200 or not (app.client_id and app.client_secret):
            raise Refused(ErrorCode.connect_server_unusable, detail=http.excerpt(answer), field="server")
        conceal(app.client_secret)
        await self._own_token(app)  # servers before 4.3 delete apps that never had a token
        return app

    async def _is_app_unknown(self, app: App) -> bool:
        """Return whether the server no longer knows the app: people would see an error there and could not return."""
        try:
            answer = await self._own_token(app)
        except ProviderError:
            return False
        return answer.status_code in (400, 401) and text_of(http.fields(answer), "error") == "invalid_client"

    async def _own_token(self, app: App) -> httpx2.Response:
        """Request the app's own token; a server returns the same one each time."""
        form = {**_of(app), "grant_type": "client_credentials"}
        return await http.send(self._client(app.base_url), "POST", "/oauth/token", publishing=False, data=form)

    def refusal(self, error: str, description: str) -> ErrorCode:
        return {
            "access_denied": ErrorCode.connect_denied,
            "invalid_scope": ErrorCode.connect_scope_missing,
            "invalid_redirect_uri": ErrorCode.connect_redirect_not_registered,
        }.get(error, ErrorCode.connect_failed)

    def authorize_url(self, flow: OAuthFlow) -> str:
        app = _app(flow)
        query = {
            "response_type": "code",
            "client_id": app.client_id,
            "redirect_uri": flow.redirect_uri,
            "scope": " ".join(SCOPES),
            "state": flow.state,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        return f"{app.base_url}/oauth/authorize?{urlencode(query, quote_via=quote)}"

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        app = _app(flow)
        form = {
            **_of(app),
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": flow.redirect_uri,
            "scope": " ".join(SCOPES),
            "code_verifier": flow.verifier,
        }
        answer = await http.send(self._client(app.base_url), "POST", "/oauth/token", publishing=False, data=form)
        body, detail = http.fields(answer), http.excerpt(answer, (code, app.client_secret))
        token = text_of(body, "access_token")
        if answer.status_code == 200 and token:
            scopes = tuple(text_of(body, "scope").split())
            grant = Grant(token, None, None, scopes, base_url=app.base_url)
            granted(grant)
            if missing := [one for one in SCOPES if not {one, one.partition(":")[0]} & set(scopes)]:
                raise Refused(ErrorCode.connect_scope_missing, scopes=", ".join(missing))
            return grant
        if answer.status_code == 429 or answer.status_code >= 500:
            raise _failure(answer, detail, publishing=False)
        ended = text_of(body, "error") == "invalid_grant"
        raise Refused(ErrorCode.connect_expired if ended else ErrorCode.connect_failed, detail=detail)

    async def profiles(self, grant: Grant) -> list[Profile]:
        to = Credentials("", AccountType.person, grant.access_token, grant.base_url)
        answer = await self._ask(to, "GET", "/api/v1/accounts/verify_credentials")
        body, detail = http.fields(answer), http.excerpt(answer, (grant.access_token,))
        name = text_of(body, "username")
        if answer.status_code == 429 or answer.status_code >= 500:
            raise _failure(answer, detail, publishing=False)
        if answer.status_code != 200 or not name:
            raise Refused(ErrorCode.connect_failed, detail=detail)
        shown = text_of(body, "display_name") or f"@{name}@{urlsplit(grant.base_url).netloc}"
        try:
            limits = await self.own_limits(to)
        except ProviderError:  # optional: do not fail for the limits
            limits = None
        # a username never changes and is part of the account's address, unlike its numeric id
        return [Profile(name, shown[:200], AccountType.person, text_of(body, "avatar") or None, limits=limits)]

    async def own_limits(self, to: Credentials) -> dict[str, Any]:
        """Return the server's numeric limits unchanged, and the supported types among the image types that we send."""
        answer = await self._ask(to, "GET", "/api/v2/instance")
        reported = http.fields(answer).get("configuration")
        if answer.status_code != 200 or not isinstance(reported, dict):
            raise self._refused(answer, to)
        return kept_limits(reported, self.limits)

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        return limits_of_server(kept, self.limits)

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """Only the app for which a token was issued may revoke it."""
        detail = "no app is registered at that server"
        for app in apps:
            form = {**_of(app), "token": grant.access_token}
            answer = await http.send(self._client(grant.base_url), "POST", "/oauth/revoke", publishing=False, data=form)
            if answer.is_success:
                return
            detail = http.excerpt(answer, (grant.access_token, app.client_secret))
            if answer.status_code == 429 or answer.status_code >= 500:
                raise _failure(answer, detail, publishing=False)
        raise Refused(detail=detail)

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the images or the video, then store the idempotency key in the ledger, before the publishing call."""
        refs = await upload_all(post.images, lambda image: self._upload(to, image), had=had, keep=keep)
        if post.video and not refs:
            refs = (await self._upload_video(to, post.video),)
            await keep(refs[0])
        if len(refs) == post.file_count:
            refs = (*refs, str(uuid4()))
            await keep(refs[-1])
        return Staged(refs, timedelta(0))

    async def _upload(self, to: Credentials, image: Image) -> str:
        form = {"description": image.alt} if image.alt else {}
        file = {"file": ("image", image.data, image.mime)}
        answer = await self._ask(to, "POST", "/api/v2/media", within=UPLOAD, data=form, files=file)
        made = text_of(http.fields(answer), "id") if answer.status_code in (200, 202) else ""
        if not made:
            raise self._refused(answer, to)
        return made

    async def _upload_video(self, to: Credentials, video: Video) -> str:
        """Return the id of the video, marked as one. An upload that breaks off is begun again: media without a post is
        removed after a day."""
        assert video.read is not None
        fields: dict[str, str | Image] = {"description": video.alt} if video.alt else {}
        if video.cover:
            fields["thumbnail"] = video.cover
        form = streamed_form(fields, "file", video.read(), video.size, video.mime)
        answer = await self._ask(to, "POST", "/api/v2/media", within=upload_time(video.size), **form)
        made = text_of(http.fields(answer), "id") if answer.status_code in (200, 202) else ""
        if not made and answer.status_code in (413, 422):
            raise Refused(ErrorCode.video_refused, detail=http.excerpt(answer, (to.access_token,)))
        if not made:
            raise self._refused(answer, to)
        return _VIDEO + made

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        for ref in refs[:-1]:
            answer = await self._ask(to, "GET", f"/api/v1/media/{quote(_media_id(ref), safe='')}")
            if answer.status_code == 206:
                return PROCESSING
            if answer.status_code == 404:  # media without a post is removed after a day
                raise StagedLost(detail=http.excerpt(answer, (to.access_token,)))
            if answer.status_code == 422:  # the server cannot show the file
                code = ErrorCode.video_refused if ref.startswith(_VIDEO) else ErrorCode.image_refused
                raise Refused(code, detail=http.excerpt(answer, (to.access_token,)))
            if answer.status_code != 200:
                raise self._refused(answer, to)
        return None

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != post.file_count + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=post.file_count, staged=len(refs) - 1)
        client = self._client(to.base_url)
        headers = {"Authorization": f"Bearer {to.access_token}", "Idempotency-Key": refs[-1]}
        # no visibility: the account's default at the server applies
        body: dict[str, Any] = {"status": post.text}
        if post.language:
            body["language"] = post.language
        if post.file_count:
            body["media_ids"] = [_media_id(ref) for ref in refs[:-1]]
        request = http.build(client, "POST", "/api/v1/statuses", headers=headers, json=body)
        return PreparedCall(client, to.base_url, partial(self._publish, request, to, refs), self._outside.locate)

    async def _publish(
        self,
        request: httpx2.Request,
        to: Credentials,
        refs: tuple[str, ...],
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        answer = await http.ask(api, request, publishing=True, within=CALL)
        made = text_of(http.fields(answer), "id")
        if answer.status_code == 200 and made:
            return self._receipt(to, http.fields(answer))
        # a refusal in words: only the media say whether they are still being processed
        if answer.status_code == 422 and (again_in := await self.ready(to, refs)):
            code = ErrorCode.video_not_ready if refs[0].startswith(_VIDEO) else ErrorCode.image_not_ready
            raise RetrySafe(code, detail=http.excerpt(answer, (to.access_token,)), retry_after=again_in)
        raise self._refused(answer, to, publishing=True)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Find the post by its images or its video, which no other post has, or by its text."""
        answer = await self._ask(to, "GET", f"/api/v1/accounts/lookup?{urlencode({'acct': to.external_id})}")
        account_id = text_of(http.fields(answer), "id") if answer.status_code == 200 else ""
        if not account_id:
            raise self._refused(answer, to)
        texts: dict[str, str] = {}
        for wait in (0.0, *FIND_WAITS):
            await asyncio.sleep(wait)
            recent = await self._recent(to, account_id, since - FIND_MARGIN)
            if recent is None:
                return Finding()
            found = await self._same(to, post, refs, recent, texts)
            if len(found) > 1:
                return Finding()
            if found:
                return Finding(self._receipt(to, found[0]))
        return Finding(absent=True)

    async def _recent(self, to: Credentials, account_id: str, since: datetime) -> list[dict[str, Any]] | None:
        """Return the account's posts since then; None if there are too many to read."""
        query = {"limit": str(FIND_COUNT), "exclude_replies": "true", "exclude_reblogs": "true"}
        path = f"/api/v1/accounts/{quote(account_id, safe='')}/statuses"
        found: list[dict[str, Any]] = []
        for _ in range(FIND_PAGES):
            answer = await self._ask(to, "GET", f"{path}?{urlencode(query)}", max_bytes=http.MAX_LIST_BYTES)
            rows = http.rows(answer)
            if answer.status_code != 200 or rows is None:
                raise self._refused(answer, to)
            recent = [row for row in rows if _created(row) >= since]
            found += recent
            # a server may return fewer rows than requested: only an empty page is the last
            if len(recent) < len(rows) or not rows:
                return found
            last = text_of(rows[-1], "id")
            if not last or last == query.get("max_id"):  # the server does not page
                return None
            query["max_id"] = last
        return None

    async def _same(
        self,
        to: Credentials,
        post: Outgoing,
        refs: tuple[str, ...],
        recent: Sequence[Mapping[str, Any]],
        texts: dict[str, str],
    ) -> list[Mapping[str, Any]]:
        """Return the posts equal to `post`. `texts` caches texts by post id."""
        media, found = {_media_id(ref) for ref in refs[: post.file_count]}, []
        for row in recent:
            attached = row.get("media_attachments")
            has = (
                {text_of(one, "id") for one in attached if isinstance(one, dict)}
                if isinstance(attached, list)
                else set()
            )
            if has != media:
                continue
            if not media:
                made = text_of(row, "id")
                if made not in texts:
                    texts[made] = await self._source_text(to, made)
                if texts[made] != comparable(post.text):
                    continue
            found.append(row)
        return found

    async def _source_text(self, to: Credentials, post_id: str) -> str:
        """Return the text as it was sent; listed posts contain HTML."""
        answer = await self._ask(to, "GET", f"/api/v1/statuses/{quote(post_id, safe='')}/source")
        text = http.fields(answer).get("text")
        if answer.status_code != 200 or not isinstance(text, str):
            raise self._refused(answer, to)
        return comparable(text)

    async def delete(self, to: Credentials, provider_id: str) -> None:
        answer = await self._ask(to, "DELETE", f"/api/v1/statuses/{quote(provider_id, safe='')}")
        if answer.is_success or answer.status_code == 404:
            return
        failure = self._refused(answer, to)
        raise Refused(ErrorCode.removal_refused, detail=failure.detail) if isinstance(failure, Refused) else failure

    async def probe(self, to: Credentials) -> None:
        answer = await self._ask(to, "GET", "/api/v1/accounts/verify_credentials")
        if answer.status_code != 200:
            raise self._refused(answer, to)

    async def close(self) -> None:
        await self._clients.close()

    async def _ask(
        self, to: Credentials, method: str, path: str, *, within: timedelta = CALL, **request: Any
    ) -> httpx2.Response:
        """Make a call that publishes nothing."""
        headers = {"Authorization": f"Bearer {to.access_token}", **request.pop("headers", {})}
        client = self._client(to.base_url)
        return await http.send(client, method, path, publishing=False, within=within, headers=headers, **request)

    def _receipt(self, to: Credentials, post: Mapping[str, Any]) -> Receipt:
        made, url = text_of(post, "id"), text_of(post, "url")
        return Receipt(made, self.permalink_in(url, to.base_url) or f"{to.base_url}/@{to.external_id}/{made}")

    def _refused(self, answer: httpx2.Response, to: Credentials, *, publishing: bool = False) -> ProviderError:
        return _failure(answer, http.excerpt(answer, (to.access_token,)), publishing=publishing)

    @cached_property
    def _outside(self) -> Outside:
        return Outside.from_setting(self.settings.internal_servers)

    def _client(self, base_url: str) -> httpx2.AsyncClient:
        return self._clients.of(base_url)


def _media_id(ref: str) -> str:
    return ref.removeprefix(_VIDEO)


def _failure(answer: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery."""
    match answer.status_code:
        case 401:
            return NeedsReconnect(detail=detail)
        case 403 if "currently disabled" in text_of(http.fields(answer), "error"):
            return Blocked(detail=detail)
        case 403:
            return NeedsReconnect(detail=detail)
        case 408:
            return http.lost(detail, publishing=publishing)
        case 426:
            return Misconfigured(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=_pause(answer))
        case status if 300 <= status < 500:  # also if a server has moved: its account's owner has to act
            return Refused(detail=detail)
    return http.lost(detail, publishing=publishing)


def _pause(answer: httpx2.Response) -> timedelta:
    """Return the wait until the limit's reset time."""
    if (pause := http.retry_after(answer)) is not None:
        return pause
    try:
        until = datetime.fromisoformat(answer.headers.get("x-ratelimit-reset", ""))
    except ValueError:
        return LIMITED
    pause = until.replace(tzinfo=until.tzinfo or UTC) - utcnow()
    return min(max(pause, timedelta(seconds=1)), http.LONGEST_RETRY_AFTER)


def _app(flow: OAuthFlow) -> App:
    if flow.app is None:
        raise Refused(ErrorCode.connect_expired, detail="the sign-in's server is no longer known")
    return flow.app


def _of(app: App) -> dict[str, str]:
    return {"client_id": app.client_id, "client_secret": app.client_secret}


def _created(post: Mapping[str, Any]) -> datetime:
    """Return a post's time. Without one it counts as new, so that a doubt never leads to posting twice."""
    try:
        moment = datetime.fromisoformat(text_of(post, "created_at"))
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)
    return moment.replace(tzinfo=moment.tzinfo or UTC)


CHANNEL = MastodonChannel()
