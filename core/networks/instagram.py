"""Instagram: professional accounts that are linked to a Facebook page.

A post is a container, for which Instagram fetches the images itself, and a call that publishes it. A container
publishes at most once and its state can be read, so an ambiguous call is soon resolved. Images must be JPEG; several
images are a container of containers.
"""

import asyncio
import re
from collections.abc import Mapping, Set
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import httpx2

from core.errors import Blocked, ErrorCode, ProviderError, RateLimited, Refused, RetrySafe, StagedLost
from core.networks.base import Traits
from core.networks.connections import Connection, Credentials, Grant, Profile
from core.networks.graph import GraphChannel
from core.networks.graph_errors import error_of, is_missing
from core.networks.graph_usage import FULL, THROTTLED
from core.networks.posts import Finding, Keep, Outgoing, Receipt, Staged, forget
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.networks.rules.links import LinkPlace
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import redact
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.texts import comparable

PUBLISH: Final = timedelta(seconds=90)
CHILD_WAITS: Final = (1.0, 3.0, 5.0, 10.0, 20.0)
"""Seconds between reads of a carousel's single images, which must be ready before the carousel is created."""
FIND_WAIT: Final = 5.0
"""Seconds between two reads of a container that reports as unpublished."""
_READY_AGAIN: Final = timedelta(seconds=20)
_PERMALINK: Final = timedelta(seconds=10)
_REST: Final = timedelta(hours=2)
"""Pause of an account whose post was published although the answer reported too many."""
_CLOCKS: Final = timedelta(minutes=2)
"""How far Instagram's clock may be behind ours."""

_GONE: Final = {2207003, 2207020, 2207032, 2207053, 2207006, 2207008}
"""Subcodes after which a new container is created."""
_ACTION_BLOCKED: Final = 2207051
_RATIO_REFUSED: Final = 2207009
_IMAGE_REFUSED: Final = {2207004, 2207005, _RATIO_REFUSED}
_PERMANENT: Final = _IMAGE_REFUSED | {2207023, 2207026, 2207028, 2207040, 2207010}

_POST = re.compile(r"^/(?:[\w.]+/)?(?:p|reel)/([\w-]+)/?$")
_NUMBER = re.compile(r"\b2207\d{3}\b")


class InstagramChannel(GraphChannel):
    kind = ChannelKind.instagram
    label = "Instagram"
    connection = Connection(consent=True, settings=("META_CLIENT_ID", "META_CLIENT_SECRET"))
    limits = ChannelLimits(
        max_characters=2_200,
        min_images=1,
        max_images=10,
        image_missing=ErrorCode.image_template_required,
        max_hashtags=30,
        max_mentions=20,
        max_first_comment=2_200,
        max_image_bytes=8_000_000,
        image_types=("image/jpeg",),
        min_width=320,
        min_ratio=0.8,
        max_alt=1_000,
        text_required=False,
        max_ratio=1.91,
        # an address in a caption cannot be clicked
        link=LinkPlace.left_out,
    )
    # includes the read of the permalink
    call_timeout = PUBLISH + _PERMALINK
    traits = Traits(
        can_list_own=True,
        several_accounts=True,
        stages_by_url=True,
        stages_post=True,
    )
    scopes = ("pages_show_list", "pages_read_engagement", "instagram_basic", "instagram_content_publish")
    # for pages that a business owns, and for a first comment
    wishes = ("business_management", "instagram_manage_comments")
    page_fields = "id,name,access_token,tasks,picture{url},instagram_business_account{id,username,profile_picture_url}"
    comment_field = "text"
    comment_order: Mapping[str, str] = {}  # already newest first

    @property
    def posts_base(self) -> str:
        return self.settings.instagram_url.rstrip("/")

    def calls_only(self, base_url: str) -> bool:
        return super().calls_only(base_url) and self.posts_base == base_url.rstrip("/")

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self.posts_base}/"  # no account page can be addressed by the id

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        ours = urlsplit(self.posts_base)
        if (parts.scheme, parts.netloc) != (ours.scheme, ours.netloc) and not (
            parts.scheme == "https" and f".{parts.hostname}".endswith(".instagram.com")
        ):
            return None
        found = _POST.match(parts.path)
        return f"{self.posts_base}/p/{found[1]}/" if found else None

    async def profiles(self, grant: Grant) -> list[Profile]:
        found = []
        for page in await self.pages(grant):
            account = page.get("instagram_business_account")
            if not isinstance(account, dict) or not (number := text_of(account, "id")):
                continue
            name, picture = text_of(account, "username"), text_of(account, "profile_picture_url")
            token = text_of(page, "access_token")
            found.append(Profile(number, name or number, AccountType.organisation, picture or None, token))
        if not found:
            raise Refused(ErrorCode.connect_no_business_account)
        return found

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """The container to publish is last. A single image's container is the post's, so its id is listed twice."""
        await self.has_room(to, for_new=not had)
        refs = tuple([ref for ref in had if await self._is_usable(to, ref)])
        single = len(post.images) == 1
        for image in post.images[len(refs) :]:
            body: dict[str, Any] = {"image_url": image.fetch_url, "alt_text": image.alt}
            # for a carousel these belong to its own container
            body |= {"caption": post.text, **_made_by(post)} if single else {"is_carousel_item": True}
            ref = await self._add_container(to, body)
            await keep(ref)
            refs = (*refs, ref)
        if len(refs) == len(post.images):
            ref = refs[0] if single else await self._carousel(to, post, refs)
            await keep(ref)
            refs = (*refs, ref)
        return Staged(refs[: len(post.images) + 1], ready_in=timedelta(seconds=1))

    async def _carousel(self, to: Credentials, post: Outgoing, children: tuple[str, ...]) -> str:
        for child in children:
            for wait in (0.0, *CHILD_WAITS):
                await asyncio.sleep(wait)
                if await self._state(to, child) == "FINISHED":
                    break
            else:
                raise RetrySafe(detail="a picture of the carousel is still being processed")
        body = {"media_type": "CAROUSEL", "children": ",".join(children), "caption": post.text}
        return await self._add_container(to, {**body, **_made_by(post)})

    async def _add_container(self, to: Credentials, body: dict[str, Any]) -> str:
        response = await self.ask(to.access_token, "POST", f"{quote(to.external_id, safe='')}/media", json=body)
        made = text_of(http.fields(response), "id") if response.is_success else ""
        if not made:
            raise await self.failure_of(response, to)
        return made

    async def _is_usable(self, to: Credentials, container: str) -> bool:
        try:
            return await self._state(to, container) in ("FINISHED", "IN_PROGRESS", "PUBLISHED")
        except (StagedLost, Refused):
            return False

    async def _state(self, to: Credentials, container: str) -> str:
        """Return FINISHED, IN_PROGRESS or PUBLISHED. Raise StagedLost if the container is useless, Refused if a new one
        would be, too."""
        response = await self.ask(to.access_token, "GET", f"{quote(container, safe='')}?fields=id,status_code,status")
        facts = http.fields(response)
        state = text_of(facts, "status_code")
        if response.status_code != 200 or not state:
            failure = await self.failure_of(response, to)
            if is_missing(response) and isinstance(failure, Refused):
                raise RetrySafe(detail=failure.detail)  # temporary at times
            raise failure
        if state in ("FINISHED", "IN_PROGRESS", "PUBLISHED"):
            return state
        if state not in ("ERROR", "EXPIRED"):  # an unknown state
            raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
        # redact before cutting: half a token would not be recognized
        message = redact(text_of(facts, "status"), (to.access_token,))[:300]
        if refused := {int(found) for found in _NUMBER.findall(message)} & _PERMANENT:
            raise Refused(_refusal(refused), detail=message, container=state)
        raise StagedLost(detail=message or state)

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        return _READY_AGAIN if await self._state(to, refs[-1]) == "IN_PROGRESS" else None

    async def quota(self, to: Credentials) -> timedelta | None:
        if left := await super().quota(to):
            return left
        path = f"{quote(to.external_id, safe='')}/content_publishing_limit?fields=quota_usage,config"
        response = await self.ask(to.access_token, "GET", path)
        rows = http.fields(response).get("data")
        if response.status_code != 200 or not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
            raise await self.failure_of(response, to)
        used, config = rows[0].get("quota_usage"), rows[0].get("config")
        most = config.get("quota_total") if isinstance(config, dict) else None
        spent = isinstance(used, int) and isinstance(most, int) and used >= most
        # counted over 24 hours: it is unknown when the oldest post drops out
        return THROTTLED if spent else self.usage.left(to.access_token, FULL)

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != len(post.images) + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=len(post.images) + 1, staged=len(refs))
        path = f"{quote(to.external_id, safe='')}/media_publish"
        request = self.request(to.access_token, "POST", path, json={"creation_id": refs[-1]})
        return PreparedCall(self.client, self.graph_url, partial(self._publish, request, to, refs[-1]))

    async def _publish(
        self,
        request: httpx2.Request,
        to: Credentials,
        container: str,
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        response = await http.ask(api, request, publishing=True, within=PUBLISH)
        await self.usage.record(to.access_token, response)
        media = text_of(http.fields(response), "id") if response.is_success else ""
        if media:
            return Receipt(media, await self._permalink(to, media))
        failure = await self.failure_of(response, to, publishing=True)
        missing, subcode = is_missing(response) and isinstance(failure, Refused), error_of(response)[1]
        if (missing or subcode in _GONE | {_ACTION_BLOCKED}) and await self._was_published(to, container):
            return Receipt(None, None, rest=_REST if subcode == _ACTION_BLOCKED else None)
        raise StagedLost(detail=failure.detail) if missing else failure

    async def _was_published(self, to: Credentials, container: str) -> bool:
        """Return whether a call that was reported as blocked, or with an unusable container, has published anyway: the
        first has been observed, and after the second another container would be created."""
        try:
            return await self._state(to, container) == "PUBLISHED"
        except ProviderError:
            return False

    async def _permalink(self, to: Credentials, media: str) -> str | None:
        """Return the post's address, or None: a failed read must not fail a published post."""
        try:
            path = f"{quote(media, safe='')}?fields=permalink"
            response = await self.ask(to.access_token, "GET", path, within=_PERMALINK)
        except ProviderError:
            return None
        return text_of(http.fields(response), "permalink") or None

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Find the post by its container, which publishes at most once."""
        if len(refs) != len(post.images) + 1:
            return Finding()
        try:
            states = [await self._state(to, refs[-1])]
            if states == ["FINISHED"]:
                await asyncio.sleep(FIND_WAIT)
                states.append(await self._state(to, refs[-1]))
        except (StagedLost, Refused) as ended:
            if isinstance(ended, StagedLost) or "container" in ended.params:
                return Finding(absent=True)
            raise
        if states[-1] == "IN_PROGRESS":
            raise RetrySafe(detail="the container is still being processed")
        if states[-1] == "FINISHED":
            return Finding(absent=True)
        return Finding(await self._find_by_caption(to, post, since))

    async def _find_by_caption(self, to: Credentials, post: Outgoing, since: datetime) -> Receipt:
        """Return the receipt of a published post; with its id if exactly one recent post has its non-empty caption."""
        if not post.text:
            return Receipt(None, None)
        query = urlencode({"fields": "id,caption,timestamp,permalink", "limit": "25"})
        try:
            response = await self.ask(to.access_token, "GET", f"{quote(to.external_id, safe='')}/media?{query}")
        except ProviderError:
            return Receipt(None, None)
        rows = http.fields(response).get("data")
        same = [
            row
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, dict)
            and comparable(text_of(row, "caption")) == comparable(post.text)
            and (at := _parse_time(text_of(row, "timestamp"))) is not None
            and at >= since - _CLOCKS
        ]
        if len(same) != 1:
            return Receipt(None, None)
        return Receipt(text_of(same[0], "id") or None, text_of(same[0], "permalink") or None)

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        _, subcode, _ = error_of(response)
        match subcode:
            case None:
                return super().failure(response, detail, publishing=publishing)
            case found if found in _GONE:
                return StagedLost(detail=detail)
            case found if found in _IMAGE_REFUSED:
                return Refused(_refusal({found}), detail=detail)
            case 2207001:
                return http.lost(detail, publishing=publishing)
            case 2207027:
                return RetrySafe(detail=detail)
            case 2207052:
                return RetrySafe(ErrorCode.media_unreachable, detail=detail)
            case 2207042:
                return RateLimited(detail=detail, retry_after=THROTTLED)
            case 2207050 | 2207051:
                return Blocked(detail=detail)
            case _:
                return super().failure(response, detail, publishing=publishing)


def _refusal(subcodes: Set[int]) -> ErrorCode:
    """Return the code of a final refusal."""
    if _RATIO_REFUSED in subcodes:
        return ErrorCode.image_ratio_refused
    return ErrorCode.image_refused if subcodes & _IMAGE_REFUSED else ErrorCode.delivery_refused


def _made_by(post: Outgoing) -> dict[str, bool]:
    """Return the flag for Instagram's AI label if a model made an image."""
    return {"is_ai_generated": True} if any(image.by_model for image in post.images) else {}


def _parse_time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return None


CHANNEL = InstagramChannel()
