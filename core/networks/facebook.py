"""Facebook: pages of businesses.

A post is published in two steps: staged hidden, with its photos, then shown by a call with its id. That call is
idempotent and its outcome can be read, so an ambiguous call is soon resolved. A video (`facebook_videos`) is a post.
"""

import asyncio
import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import httpx2

from core.errors import ErrorCode, ProviderError, Refused, RetrySafe, RoleLost, StagedLost
from core.networks.base import Traits
from core.networks.connections import Connection, Credentials, Grant, Profile
from core.networks.facebook_videos import (
    FORMAT_REFUSED,
    NOT_READY,
    choose_cover,
    is_video,
    upload_video,
    wait_for_video,
)
from core.networks.facebook_videos import LIMITS as VIDEO_LIMITS
from core.networks.graph import GraphChannel, MetaSettings, has_posting_task
from core.networks.graph_calls import CALL, UPLOAD
from core.networks.graph_errors import error_of, is_missing
from core.networks.graph_usage import FULL
from core.networks.posts import Finding, Image, Keep, Outgoing, Receipt, Staged, forget, upload_all
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.networks.rules.links import LinkPlace
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.warm_connections import PreparedCall

FIND_WAITS = (2.0, 5.0)
"""Seconds between calls about a post reported as missing, which can be temporary."""

_MANY_PHOTOS = 5
_LONG_TEXT = 1_000
"""Bytes: posts above both limits have been refused with the error of an outage."""

_NUMBERED = re.compile(r"^/(\d+_\d+)/?$")
_NAMED = re.compile(r"^/(?:[^/]+/posts/(?:[^/]+/)?[\w-]+|share/p/\w+)/?$")
_ID = re.compile(r"\d+")


class FacebookChannel(GraphChannel):
    kind = ChannelKind.facebook
    label = "Facebook"
    connection = Connection(consent=True, settings=("META_CLIENT_ID", "META_CLIENT_SECRET"))
    # ten photos have been accepted; from about 4 MB on photos are sometimes refused
    limits = ChannelLimits(
        max_characters=63_206,
        max_images=10,
        max_first_comment=8_000,
        max_image_bytes=4_000_000,
        image_types=("image/jpeg", "image/png"),
        # not accepted together with photos
        link=LinkPlace.page_card,
        text_required=False,
        video=VIDEO_LIMITS,
    )
    call_timeout = CALL
    traits = Traits(
        can_list_own=True,
        several_accounts=True,
        stages_post=True,
    )
    scopes = ("pages_show_list", "pages_read_engagement", "pages_manage_posts")
    # for pages that a business owns, and for a first comment
    wishes = ("business_management", "pages_manage_engagement")

    def __init__(self, settings: MetaSettings | None = None) -> None:
        super().__init__(settings)
        self._video_client: httpx2.AsyncClient | None = None

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self.dialog_url}/{external_id}"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept the address bar's or "Copy link" address: with the page's name or number, or in the form of older
        links."""
        try:
            parts = urlsplit(address)
            query = parse_qs(parts.query)
        except ValueError:
            return None
        ours = urlsplit(self.dialog_url)
        if (parts.scheme, parts.netloc) != (ours.scheme, ours.netloc) and not (
            parts.scheme == "https" and f".{parts.hostname}".endswith(".facebook.com")
        ):
            return None
        if found := _NUMBERED.match(parts.path):
            return self._permalink(found[1])
        if parts.path in ("/permalink.php", "/story.php"):
            post, page = query.get("story_fbid", [""])[0], query.get("id", [""])[0]
            if not (post and _ID.fullmatch(page)):
                return None
            if _ID.fullmatch(post):
                return self._permalink(f"{page}_{post}")
            return f"{self.dialog_url}/permalink.php?{urlencode({'story_fbid': post, 'id': page})}"
        return f"{self.dialog_url}{parts.path}" if _NAMED.match(parts.path) else None

    async def profiles(self, grant: Grant) -> list[Profile]:
        return [
            Profile(
                text_of(page, "id"),
                text_of(page, "name") or text_of(page, "id"),
                AccountType.organisation,
                _picture(page),
                text_of(page, "access_token"),
            )
            for page in await self.pages(grant)
        ]

    async def may_post(self, grant: Grant, to: Credentials) -> bool | None:
        path = f"{quote(to.external_id, safe='')}?fields=tasks,access_token"
        response = await self.ask(grant.access_token, "GET", path)
        if response.status_code != 200:
            raise self.failure(response, http.excerpt(response, (grant.access_token,)), publishing=False)
        return has_posting_task(http.fields(response))

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the photos, then the hidden post; or the hidden video, whose id is listed twice. A hidden item whose
        answer was lost stays there forever."""
        await self.has_room(to, for_new=not had)
        if post.video:
            made = had[0] if had else await upload_video(self, to, post.video, post.text)
            if not had:
                await keep(made)
            if len(had) < 2:
                if post.video.cover:
                    await choose_cover(self, to, made, post.video.cover)
                await keep(made)
            return Staged((made, made), ready_in=CALL * 0)
        refs = await upload_all(post.images, lambda image: self._upload(to, image), had=had, keep=keep)
        if len(refs) == len(post.images):
            body: dict[str, Any] = {"message": post.text, "published": False}
            if post.link:
                body["link"] = post.link.url
            if refs:
                body["attached_media"] = [{"media_fbid": ref} for ref in refs]
            much = len(refs) >= _MANY_PHOTOS and len(post.text.encode()) >= _LONG_TEXT
            ref = await self._create(to, "feed", photos=bool(refs), much=much, within=CALL, json=body)
            await keep(ref)
            refs = (*refs, ref)
        return Staged(refs, ready_in=CALL * 0)

    async def _upload(self, to: Credentials, image: Image) -> str:
        form = {"published": "false", **({"alt_text_custom": image.alt} if image.alt else {})}
        source = {"source": ("image", image.data, image.mime)}
        return await self._create(to, "photos", within=UPLOAD, data=form, files=source)

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        return await wait_for_video(self, to, refs[-1]) if is_video(refs[-1]) else None

    async def ask_staged(self, to: Credentials, method: str, path: str, **request: Any) -> httpx2.Response:
        for wait in (0.0, *FIND_WAITS):
            await asyncio.sleep(wait)
            response = await self.ask(to.access_token, method, path, **request)
            if not is_missing(response):
                break
        return response

    async def ask_video_host(self, to: Credentials, path: str, *, within: timedelta, **request: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {to.access_token}", **request.pop("headers", {})}
        if self._video_client is None:
            self._video_client = http.client(base_url=self._video_url, timeout=CALL)
        built = http.build(self._video_client, "POST", f"/{self.version}/{path}", headers=headers, **request)
        self.usage.require_below(to.access_token, FULL)
        response = await http.ask(self._video_client, built, publishing=False, within=within)
        await self.usage.record(to.access_token, response)
        return response

    async def close(self) -> None:
        await super().close()
        client, self._video_client = self._video_client, None
        if client:
            await client.aclose()

    def calls_only(self, base_url: str) -> bool:
        return super().calls_only(base_url) and self._video_url == base_url.rstrip("/")

    @property
    def _video_url(self) -> str:
        return self.settings.video_url.rstrip("/")

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        code, subcode, _ = error_of(response)
        if subcode == NOT_READY:
            return RetrySafe(ErrorCode.video_not_ready, detail=detail)
        if code == FORMAT_REFUSED:
            return Refused(ErrorCode.video_refused, detail=detail)
        return super().failure(response, detail, publishing=publishing)

    async def _create(
        self, to: Credentials, what: str, *, photos: bool = False, much: bool = False, **request: Any
    ) -> str:
        """Create an item below the page and return its id. `photos`: it uses staged photos. `much`: an outage error may
        mean that the post is too large."""
        path = f"{quote(to.external_id, safe='')}/{what}"
        response = await self.ask(to.access_token, "POST", path, **request)
        made = text_of(http.fields(response), "id") if response.is_success else ""
        if not made:
            failure = await self.failure_of(response, to)
            if photos and is_missing(response) and isinstance(failure, Refused):
                raise StagedLost(detail=failure.detail)  # a photo is missing: they are kept for a day
            if much and error_of(response)[0] == 1:
                raise RetrySafe(ErrorCode.delivery_refused, detail=failure.detail)
            raise failure
        return made

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != post.file_count + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=post.file_count + 1, staged=len(refs))
        request = self.request(to.access_token, "POST", quote(refs[-1], safe=""), json={_shown_field(refs[-1]): True})
        return PreparedCall(self.client, self.graph_url, partial(self._publish, request, to, refs[-1]))

    async def _publish(
        self,
        request: httpx2.Request,
        to: Credentials,
        post_id: str,
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        response = await http.ask(api, request, publishing=True, within=CALL)
        await self.usage.record(to.access_token, response)
        if response.is_success and http.fields(response).get("success") is True:
            return Receipt(post_id, self._permalink(post_id))
        failure = await self.failure_of(response, to, publishing=True)
        if is_missing(response) and isinstance(failure, Refused):
            raise StagedLost(detail=failure.detail)  # nothing was shown, so the newly staged post is no duplicate
        raise failure

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        if len(refs) != post.file_count + 1:
            return Finding()
        shown = _shown_field(refs[-1])
        path = f"{quote(refs[-1], safe='')}?fields=id,{shown},permalink_url"
        response = await self.ask_staged(to, "GET", path)
        if response.status_code == 200:
            body = http.fields(response)
            if not isinstance(published := body.get(shown), bool):
                raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
            if not published:
                return Finding(absent=True)
            address = text_of(body, "permalink_url") or self._permalink(refs[-1])
            # a video's address has no host
            return Finding(Receipt(refs[-1], f"{self.dialog_url}{address}" if address[0] == "/" else address))
        if not is_missing(response):
            raise self.refused(response, to)
        if await self.can_read_account(to) is False:
            raise RoleLost(detail=http.excerpt(response, (to.access_token,)))
        return Finding()  # somebody may have deleted the post since

    async def delete(self, to: Credentials, provider_id: str) -> None:
        response = await self.ask(to.access_token, "DELETE", quote(provider_id, safe=""))
        if response.is_success:
            return None
        failure = self.refused(response, to)
        if is_missing(response):
            return await self.ensure_can_read_account(to, failure.detail)  # otherwise the post may still exist
        raise Refused(ErrorCode.removal_refused, detail=failure.detail) if isinstance(failure, Refused) else failure

    def _permalink(self, post_id: str) -> str:
        """Return an address that redirects to the post's own, which would need a read."""
        return f"{self.dialog_url}/{post_id}"


def _shown_field(post_id: str) -> str:
    """Return the field that says whether a post is shown."""
    return "published" if is_video(post_id) else "is_published"


def _picture(page: dict[str, Any]) -> str | None:
    picture = page.get("picture")
    data = picture.get("data") if isinstance(picture, dict) else None
    return (text_of(data, "url") or None) if isinstance(data, dict) else None


CHANNEL = FacebookChannel()
