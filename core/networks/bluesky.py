"""Bluesky: people, signed in by an app password at the server of their account.

A post is a record whose key is chosen when the post is staged and kept in the ledger. The publishing call cannot create
a second record under that key, and the key finds the record. Facts and sources: `docs/networks/bluesky.md`.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import httpx2
from PIL import Image as Picture
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
    TokenRefused,
)
from core.networks.base import BaseChannel, EstimatedDelay, Traits
from core.networks.bluesky_records import POSTS, handles_in, new_ref, read_ref, record_of, uri_of
from core.networks.bluesky_videos import LIMITS as VIDEO_LIMITS
from core.networks.bluesky_videos import stage_video
from core.networks.connections import App, Connection, Credentials, Grant, Profile
from core.networks.posts import Finding, Image, Keep, Outgoing, Receipt, Staged, forget, upload_all
from core.networks.rules.channels import (
    AccountType,
    ChannelKind,
    ChannelLimits,
    Counting,
    FieldKind,
    FieldName,
    FormField,
)
from core.networks.rules.links import LinkPlace
from core.outgoing import http
from core.outgoing.destinations import Clients, Outside
from core.outgoing.http import text_of
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.graphemes import graphemes
from core.users.rules.email_addresses import normal_email

CALL = timedelta(seconds=30)
UPLOAD = timedelta(seconds=120)
LIMITED = EstimatedDelay(minutes=5)
"""How long to wait if the answer does not say."""
MAX_GRAPHEMES = 300
MAX_BYTES = 3000
MAX_ALT = 2000

_APP_PASSWORD = re.compile(r"[a-z0-9]{4}(-[a-z0-9]{4}){3}", re.IGNORECASE)
_PATH = re.compile(r"/profile/([\w.:%-]+)/post/(\w+)/?")

# https://bsky.app/profile/ada.bsky.social, at://ada.bsky.social, with anything after it
_PROFILE = re.compile(r"(?:at://|(?:https?://)?[\w.-]+/profile/)([^/?#]+)(?:[/?#].*)?", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_HANDLE = re.compile(
    r"did:[a-z]+:[\w.:%-]+|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?", re.ASCII
)

_TOKEN_ENDED = {"ExpiredToken", "InvalidToken", "AuthMissing", "AuthenticationRequired"}
_RESTRICTED = {"AccountTakedown", "AccountDeactivated", "AccountSuspended"}
_IMAGE_REFUSED = {"BlobTooLarge", "InvalidMimeType", "PayloadTooLarge"}


class BlueskySettings(BaseSettings):
    """`BLUESKY_…` of the environment. All settings are optional."""

    model_config = SettingsConfigDict(env_prefix="BLUESKY_", env_ignore_empty=True, frozen=True)

    server_url: str = Field("https://bsky.social", description="server suggested in the form to connect Bluesky")
    app_url: str = Field("https://bsky.app", description="base address of permalinks")
    video_url: str = Field("https://video.bsky.app", description="base address of the service that processes videos")
    internal_servers: str = Field(
        "",
        description="base addresses of Bluesky servers to allow although they are in your network or have no TLS, "
        "comma-separated",
    )


def weigh(text: str) -> int:
    """Count graphemes, or a tenth of the bytes if that is more: the limits are 300 graphemes and 3,000 bytes."""
    return max(graphemes(text), -(-len(text.encode("utf-8", "surrogatepass")) * MAX_GRAPHEMES // MAX_BYTES))


class BlueskyChannel(BaseChannel):
    kind = ChannelKind.bluesky
    label = "Bluesky"
    limits = ChannelLimits(
        max_characters=MAX_GRAPHEMES,
        max_images=4,
        counting=Counting.weighted,
        weigh=weigh,
        # 2 MB on current servers, 1 MB on older ones
        max_image_bytes=1_000_000,
        image_types=("image/jpeg", "image/png"),
        link=LinkPlace.card,
        card_images=1,
        max_alt=MAX_ALT,
        text_required=False,
        video=VIDEO_LIMITS,
    )
    call_timeout = CALL
    traits = Traits(
        can_list_own=True,
        stages_post=True,
        names_post=True,
        access_outlives_revoke=True,
        revokes_token_alone=True,
    )

    def __init__(self, settings: BlueskySettings | None = None) -> None:
        self._given = settings
        self._clients = Clients(lambda base_url: self._outside.client(base_url, CALL))
        self._video_service: httpx2.AsyncClient | None = None

    @cached_property
    def settings(self) -> BlueskySettings:
        return self._given or BlueskySettings()

    @property
    def connection(self) -> Connection:
        return Connection(
            consent=False,
            fields=(
                FormField(FieldName.handle, FieldKind.text, "ada.bsky.social"),
                FormField(FieldName.app_password, FieldKind.password, "xxxx-xxxx-xxxx-xxxx"),
                FormField(FieldName.host, FieldKind.url, "bsky.social", initial=self.settings.server_url),
            ),
        )

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self._app_url}/profile/{external_id}"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        ours = urlsplit(self._app_url)
        found = _PATH.fullmatch(parts.path) if (parts.scheme, parts.netloc) == (ours.scheme, ours.netloc) else None
        return f"{self._app_url}/profile/{unquote(found[1])}/post/{found[2]}" if found else None

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        base_url, password = self._outside.base_url(form["host"]), form["app_password"]
        if base_url is None:
            raise Refused(ErrorCode.connect_server_unusable, field="host")
        if not _APP_PASSWORD.fullmatch(password):  # never send what may be the account's own password
            raise Refused(ErrorCode.connect_login_refused, field="app_password")
        identifier = _identifier(form["handle"], urlsplit(base_url).netloc)
        if identifier is None:
            raise Refused(ErrorCode.connect_handle_malformed, field="handle")
        login = {"identifier": identifier, "password": password}
        path, client = _xrpc("com.atproto.server.createSession"), self._client(base_url)
        try:
            answer = await http.send(client, "POST", path, publishing=False, json=login)
        except ProviderError as error:
            raise Refused(ErrorCode.connect_server_unusable, detail=error.detail, field="host") from error
        body, detail = http.fields(answer), http.excerpt(answer, (password,))
        if answer.status_code == 200 and (grant := _session(body, base_url)) and body.get("active") is not False:
            return grant
        if answer.status_code == 429 or answer.status_code >= 500:
            raise _failure(answer, detail, publishing=False)
        error_name = text_of(body, "error")
        if not error_name and answer.status_code != 200:
            raise Refused(ErrorCode.connect_server_unusable, detail=detail, field="host")
        at = "app_password" if error_name == "AuthenticationRequired" else "handle"
        raise Refused(ErrorCode.connect_login_refused, detail=detail, field=at)

    async def profiles(self, grant: Grant) -> list[Profile]:
        to = Credentials(grant.subject or "", AccountType.person, grant.access_token, grant.base_url)
        answer = await self._ask(to, "GET", _xrpc("com.atproto.server.getSession"))
        session = http.fields(answer)
        did, handle = text_of(session, "did"), text_of(session, "handle")
        if answer.status_code != 200 or not did:
            failure = self._refused(answer, to)
            raise failure if failure.retryable else Refused(ErrorCode.connect_failed, detail=failure.detail)
        # from another service behind the server, which some servers lack
        answer = await self._ask(to, "GET", _xrpc("app.bsky.actor.getProfile", actor=did))
        shown = http.fields(answer) if answer.status_code == 200 else {}
        name = text_of(shown, "displayName") or f"@{handle or did}"
        return [Profile(did, name[:200], AccountType.person, text_of(shown, "avatar") or None, handle=handle)]

    async def refresh(self, grant: Grant) -> Grant:
        """Both tokens are replaced. The old refresh token stays valid for two hours, in case the answer is lost."""
        if not grant.refresh_token:
            raise NeedsReconnect(detail="there is no refresh token")
        headers = {"Authorization": f"Bearer {grant.refresh_token}"}
        path, client = _xrpc("com.atproto.server.refreshSession"), self._client(grant.base_url)
        answer = await http.send(client, "POST", path, publishing=False, headers=headers)
        if answer.status_code == 200 and (fresh := _session(http.fields(answer), grant.base_url)):
            return replace(fresh, subject=grant.subject or fresh.subject)
        failure = _failure(answer, http.excerpt(answer, (grant.refresh_token,)), publishing=False)
        if isinstance(failure, NeedsReconnect):
            raise NeedsReconnect(detail=failure.detail)
        if failure.retryable:
            raise failure
        raise RetrySafe(detail=failure.detail)  # no answer about the refresh token, which may still be valid

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """End the session: it cannot be refreshed, and its access token expires within two hours."""
        if not grant.refresh_token:
            raise Refused(detail="without a refresh token the access cannot be revoked")
        headers = {"Authorization": f"Bearer {grant.refresh_token}"}
        path, client = _xrpc("com.atproto.server.deleteSession"), self._client(grant.base_url)
        answer = await http.send(client, "POST", path, publishing=False, headers=headers)
        failure = _failure(answer, http.excerpt(answer, (grant.refresh_token,)), publishing=False)
        if not answer.is_success and not isinstance(failure, NeedsReconnect):
            raise failure

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the images or the video, then choose the record's key and resolve mentioned handles."""
        if post.video:
            refs = await stage_video(self, to, post.video, had=had, keep=keep)
        else:
            refs = await upload_all(post.images, lambda image: self._upload(to, image), had=had, keep=keep)
        if len(refs) == post.file_count:
            known = {
                handle: did for handle in sorted(handles_in(post.text)) if (did := await self._resolved(to, handle))
            }
            refs = (*refs, new_ref(known))
            await keep(refs[-1])
        return Staged(refs, timedelta(0))

    async def _upload(self, to: Credentials, image: Image) -> str:
        """Return what the record needs about an image: its id, type, bytes and size in pixels."""
        with Picture.open(BytesIO(image.data)) as opened:
            width, height = opened.size
        path, headers = _xrpc("com.atproto.repo.uploadBlob"), {"Content-Type": image.mime}
        answer = await self._ask(to, "POST", path, within=UPLOAD, content=image.data, headers=headers)
        blob = http.fields(answer).get("blob")
        link = blob.get("ref") if isinstance(blob, dict) else None
        found = text_of(link, "$link") if isinstance(link, dict) else ""
        if answer.status_code != 200 or not isinstance(blob, dict) or not found:
            raise self._refused(answer, to)
        return f"{found} {text_of(blob, 'mimeType') or image.mime} {len(image.data)} {width}x{height}"

    async def _resolved(self, to: Credentials, handle: str) -> str | None:
        """Return the DID of a handle. None: nobody has it, so the mention stays plain text."""
        answer = await self._ask(to, "GET", _xrpc("com.atproto.identity.resolveHandle", handle=handle))
        if answer.status_code == 200:
            did = text_of(http.fields(answer), "did")
            return did if did.startswith("did:") else None
        failure = self._refused(answer, to)
        if isinstance(failure, Refused):
            return None
        raise failure

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != post.file_count + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=post.file_count, staged=len(refs) - 1)
        key, _ = read_ref(refs)
        call = partial(self._publish, to, key, record_of(post, refs))
        return PreparedCall(self._client(to.base_url), to.base_url, call, self._outside.locate)

    async def _publish(
        self,
        to: Credentials,
        key: str,
        record: Mapping[str, Any],
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        # feeds sort by createdAt, so it is set at the call
        created = utcnow().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body = {"repo": to.external_id, "collection": POSTS, "rkey": key, "record": {**record, "createdAt": created}}
        headers, path = {"Authorization": f"Bearer {to.access_token}"}, _xrpc("com.atproto.repo.createRecord")
        request = http.build(self._client(to.base_url), "POST", path, headers=headers, json=body)
        answer = await http.ask(api, request, publishing=True, within=CALL)
        if answer.status_code == 200 and text_of(http.fields(answer), "uri") == uri_of(to, key):
            return self._receipt(to, key)
        raise self._refused(answer, to, publishing=True)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        if len(refs) != post.file_count + 1:
            return Finding()
        key, _ = read_ref(refs)
        query = {"repo": to.external_id, "collection": POSTS, "rkey": key}
        answer = await self._ask(to, "GET", _xrpc("com.atproto.repo.getRecord", **query))
        body = http.fields(answer)
        if answer.status_code == 200 and text_of(body, "uri") == uri_of(to, key):
            return Finding(self._receipt(to, key))
        if answer.status_code == 400 and text_of(body, "error") == "RecordNotFound":
            return Finding(absent=True)
        if answer.status_code == 200:
            raise RetrySafe(detail=http.excerpt(answer, (to.access_token,)))
        raise self._refused(answer, to)

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Idempotent: the server answers success for a missing record."""
        body = {"repo": to.external_id, "collection": POSTS, "rkey": provider_id.rpartition("/")[2]}
        answer = await self._ask(to, "POST", _xrpc("com.atproto.repo.deleteRecord"), json=body)
        if answer.is_success:
            return
        failure = self._refused(answer, to)
        raise Refused(ErrorCode.removal_refused, detail=failure.detail) if isinstance(failure, Refused) else failure

    async def probe(self, to: Credentials) -> None:
        answer = await self._ask(to, "GET", _xrpc("com.atproto.server.getSession"))
        if answer.status_code != 200:
            raise self._refused(answer, to)

    async def close(self) -> None:
        await self._clients.close()
        service, self._video_service = self._video_service, None
        if service:
            await service.aclose()

    async def ask(self, to: Credentials, method: str, path: str) -> httpx2.Response:
        return await self._ask(to, method, path)

    async def ask_video_service(
        self, method: str, path: str, *, within: timedelta | None = None, **request: Any
    ) -> httpx2.Response:
        if self._video_service is None:
            self._video_service = http.client(base_url=self.settings.video_url.rstrip("/"), timeout=CALL)
        return await http.send(self._video_service, method, path, publishing=False, within=within, **request)

    def refused(self, answer: httpx2.Response, to: Credentials) -> ProviderError:
        return self._refused(answer, to)

    async def _ask(
        self,
        to: Credentials,
        method: str,
        path: str,
        *,
        within: timedelta = CALL,
        headers: Mapping[str, str] | None = None,
        **request: Any,
    ) -> httpx2.Response:
        """Make a call that publishes nothing."""
        sent_headers = {"Authorization": f"Bearer {to.access_token}", **(headers or {})}
        client = self._client(to.base_url)
        return await http.send(client, method, path, publishing=False, within=within, headers=sent_headers, **request)

    def _receipt(self, to: Credentials, key: str) -> Receipt:
        return Receipt(uri_of(to, key), f"{self._app_url}/profile/{to.external_id}/post/{key}")

    def _refused(self, answer: httpx2.Response, to: Credentials, *, publishing: bool = False) -> ProviderError:
        return _failure(answer, http.excerpt(answer, (to.access_token,)), publishing=publishing)

    @property
    def _app_url(self) -> str:
        return self.settings.app_url.rstrip("/")

    @cached_property
    def _outside(self) -> Outside:
        return Outside.from_setting(self.settings.internal_servers)

    def _client(self, base_url: str) -> httpx2.AsyncClient:
        return self._clients.of(base_url)


def _identifier(typed: str, server: str) -> str | None:
    """Return the name to sign in with, from a typed handle, its local part, or the address of a profile. None: none of
    these."""
    found = _PROFILE.fullmatch(typed)
    name = (found[1] if found else typed).removeprefix("@").rstrip("/.").lower()
    if "@" in name:  # accounts may sign in by mail address
        return normal_email(name)
    if "." in name or name.startswith("did:"):
        return name if _HANDLE.fullmatch(name) else None
    return f"{name}.{server}" if _LABEL.fullmatch(name) else None


def _xrpc(method: str, **query: str) -> str:
    return f"/xrpc/{method}{'?' if query else ''}{urlencode(query)}"


def _session(body: Mapping[str, Any], base_url: str) -> Grant | None:
    access, refresh, did = (text_of(body, name) for name in ("accessJwt", "refreshJwt", "did"))
    if not (access and refresh and did):
        return None
    return Grant(access, refresh, _end(access), (), _end(refresh), did, base_url)


def _end(token: str) -> datetime | None:
    """Return when a token expires, by its own claim. The signature is for its server to check."""
    part = token.split(".")[1] if token.count(".") == 2 else ""
    try:
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return None
    seconds = claims.get("exp") if isinstance(claims, dict) else None
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) and 0 < seconds < 253_402_300_800 else None


def _failure(answer: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery."""
    status, name = answer.status_code, text_of(http.fields(answer), "error")
    if name in _RESTRICTED:
        return Blocked(detail=detail)
    if status == 401 or (status == 400 and name in _TOKEN_ENDED):
        return TokenRefused(detail=detail)
    if status == 403:
        return NeedsReconnect(detail=detail)
    if status == 429:
        return RateLimited(detail=detail, retry_after=_pause(answer))
    if status == 426:
        return Misconfigured(detail=detail)
    if name == "BlobNotFound":  # blobs without a post are removed after a while
        return StagedLost(detail=detail)
    if status == 413 or name in _IMAGE_REFUSED:
        return Refused(ErrorCode.image_refused, detail=detail)
    if name == "MethodNotImplemented" or (300 <= status < 500 and status != 408):
        return Refused(detail=detail)
    return http.lost(detail, publishing=publishing)


def _pause(answer: httpx2.Response) -> timedelta:
    """Return the wait until the limit's reset time."""
    if (pause := http.retry_after(answer)) is not None:
        return pause
    value = answer.headers.get("ratelimit-reset", "").strip()
    if not re.fullmatch(r"\d{1,11}", value):
        return LIMITED
    pause = timedelta(seconds=int(value) - utcnow().timestamp())
    return min(max(pause, timedelta(seconds=1)), http.LONGEST_RETRY_AFTER)


CHANNEL = BlueskyChannel()
