"""Networks of Meta that publish containers: Instagram and Threads.

A post is a container, for which the network fetches the images or the video itself, and a call that publishes it. A
container publishes at most once and its state can be read, so an ambiguous call is soon resolved. Several images are a
container of containers.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Set
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx2

from core.errors import Blocked, ErrorCode, ProviderError, RateLimited, Refused, RetrySafe, StagedLost
from core.networks.connections import Credentials
from core.networks.graph_calls import GraphCalls
from core.networks.graph_errors import error_of, is_missing
from core.networks.graph_usage import FULL, THROTTLED
from core.networks.posts import Finding, Image, Keep, Outgoing, Receipt, Staged, Video, forget
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import redact
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.texts import comparable

PUBLISH: Final = timedelta(seconds=90)
PERMALINK: Final = timedelta(seconds=10)
CHILD_WAITS: Final = (1.0, 3.0, 5.0, 10.0, 20.0)
"""Seconds between reads of a carousel's single images, which must be ready before the carousel is created."""
FIND_WAIT: Final = 5.0
"""Seconds between two reads of a container that reports as unpublished."""
_READY_AGAIN: Final = timedelta(seconds=20)
_REST: Final = timedelta(hours=2)
"""Pause of an account whose post was published although the answer reported too many."""
_CLOCKS: Final = timedelta(minutes=2)
"""How far the network's clock may be behind ours."""

_GONE: Final = {2207003, 2207020, 2207032, 2207053, 2207006, 2207008}
"""Subcodes after which a new container is created."""
_ACTION_BLOCKED: Final = 2207051
_RATIO_REFUSED: Final = 2207009
_IMAGE_REFUSED: Final = {2207004, 2207005, _RATIO_REFUSED}
_VIDEO_REFUSED: Final = 2207026
_NOT_FETCHED: Final = {2207052, 2207077}
PERMANENT: Final = _IMAGE_REFUSED | {_VIDEO_REFUSED, 2207023, 2207028, 2207040, 2207010}
"""Subcodes of a container that would fail again."""


class ContainerChannel(GraphCalls):
    """A network that publishes containers. The names of paths and fields are the subclass's."""

    containers: str
    """The path below an account at which containers are created, and its posts are listed."""
    publishing: str
    """The path below an account of the publishing call."""
    daily_limit: str
    """The path below an account of the day's quota."""
    text_field: str
    """The field of a post's text."""
    state_field: str
    """The field of a container's state."""
    message_field: str
    """The field of the reason why a container failed."""

    @abstractmethod
    def image_body(self, image: Image) -> dict[str, Any]:
        """Return the parameters of an image's container."""

    @abstractmethod
    def video_body(self, video: Video) -> dict[str, Any]:
        """Return the parameters of a video's container."""

    @abstractmethod
    def post_body(self, post: Outgoing) -> dict[str, Any]:
        """Return the parameters of the post, in addition to those of its only file or its carousel."""

    def sent(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return how the parameters of a call are sent: as its JSON, unless overridden."""
        return {"json": parameters}

    @abstractmethod
    def container_error(self, state: str, message: str) -> ProviderError:
        """Return the error for a failed container, with the parameter `container`: StagedLost if a new one may succeed,
        else Refused."""

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """The container to publish is last. A single file's container is the post's, so its id is listed twice. Raise
        StagedLost if a container of several files is unusable: those after it would take its place."""
        await self.has_room(to, for_new=not had)
        refs = had if await self._are_usable(to, had) else ()
        if had and not refs and post.file_count > 1:
            raise StagedLost(detail="a container of the carousel cannot be used any more")
        single = post.file_count == 1
        bodies = [self.video_body(post.video)] if post.video else [self.image_body(image) for image in post.images]
        for body in bodies[len(refs) :]:
            # for a carousel the post's parameters belong to its own container
            more = self.post_body(post) if single else {"is_carousel_item": True}
            ref = await self.add_container(to, {**body, **more})
            await keep(ref)
            refs = (*refs, ref)
        if len(refs) == post.file_count:
            ref = refs[0] if single else await self._container_of(to, post, refs)
            await keep(ref)
            refs = (*refs, ref)
        return Staged(refs[: post.file_count + 1], ready_in=timedelta(seconds=1))

    async def _container_of(self, to: Credentials, post: Outgoing, children: tuple[str, ...]) -> str:
        """Return the container of a post with several images, or with none."""
        for child in children:
            for wait in (0.0, *CHILD_WAITS):
                await asyncio.sleep(wait)
                if await self.state(to, child) == "FINISHED":
                    break
            else:
                raise RetrySafe(detail="a picture of the carousel is still being processed")
        kind = {"media_type": "CAROUSEL", "children": ",".join(children)} if children else {"media_type": "TEXT"}
        return await self.add_container(to, {**kind, **self.post_body(post)})

    async def add_container(self, to: Credentials, body: dict[str, Any]) -> str:
        return await self.id_in(await self.create_container(to, body), to)

    async def create_container(self, to: Credentials, body: dict[str, Any]) -> httpx2.Response:
        path = f"{quote(to.external_id, safe='')}/{self.containers}"
        return await self.ask(to.access_token, "POST", path, **self.sent(body))

    async def id_in(self, response: httpx2.Response, to: Credentials) -> str:
        """Return the id of a created container. Raise the error if there is none."""
        made = text_of(http.fields(response), "id") if response.is_success else ""
        if not made:
            raise await self.failure_of(response, to)
        return made

    async def _are_usable(self, to: Credentials, containers: tuple[str, ...]) -> bool:
        try:
            for container in containers:
                await self.state(to, container)
        except (StagedLost, Refused):
            return False
        return True

    async def state(self, to: Credentials, container: str) -> str:
        """Return FINISHED, IN_PROGRESS or PUBLISHED. Raise StagedLost if the container is useless, Refused if a new one
        would be, too."""
        fields = f"id,{self.state_field},{self.message_field}"
        response = await self.ask(to.access_token, "GET", f"{quote(container, safe='')}?fields={fields}")
        facts = http.fields(response)
        state = text_of(facts, self.state_field)
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
        message = redact(text_of(facts, self.message_field), (to.access_token,))[:300]
        raise self.container_error(state, message)

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        return _READY_AGAIN if await self.state(to, refs[-1]) == "IN_PROGRESS" else None

    async def quota(self, to: Credentials) -> timedelta | None:
        if left := await super().quota(to):
            return left
        path = f"{quote(to.external_id, safe='')}/{self.daily_limit}?fields=quota_usage,config"
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
        if len(refs) != post.file_count + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=post.file_count + 1, staged=len(refs))
        path = f"{quote(to.external_id, safe='')}/{self.publishing}"
        request = self.request(to.access_token, "POST", path, **self.sent({"creation_id": refs[-1]}))
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
        may_be_there = missing or subcode == _ACTION_BLOCKED or self.reports_no_container(response)
        if may_be_there and await self._was_published(to, container):
            return Receipt(None, None, rest=_REST if subcode == _ACTION_BLOCKED else None)
        raise StagedLost(detail=failure.detail) if missing else failure

    def reports_no_container(self, response: httpx2.Response) -> bool:
        """Return whether the publishing call was refused because its container could not be used."""
        return error_of(response)[1] in _GONE

    async def _was_published(self, to: Credentials, container: str) -> bool:
        """Return whether a call that was reported as blocked, or with an unusable container, has published anyway: the
        first has been observed, and after the second another container would be created."""
        try:
            return await self.state(to, container) == "PUBLISHED"
        except ProviderError:
            return False

    async def _permalink(self, to: Credentials, media: str) -> str | None:
        """Return the post's address, or None: a failed read must not fail a published post."""
        try:
            path = f"{quote(media, safe='')}?fields=permalink"
            response = await self.ask(to.access_token, "GET", path, within=PERMALINK)
        except ProviderError:
            return None
        return text_of(http.fields(response), "permalink") or None

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Find the post by its container, which publishes at most once."""
        if len(refs) != post.file_count + 1:
            return Finding()
        try:
            states = [await self.state(to, refs[-1])]
            if states == ["FINISHED"]:
                await asyncio.sleep(FIND_WAIT)
                states.append(await self.state(to, refs[-1]))
        except (StagedLost, Refused) as ended:
            # a container that cannot be read may have been published
            return Finding(absent="container" in ended.params)
        if states[-1] == "IN_PROGRESS":
            raise RetrySafe(detail="the container is still being processed")
        if states[-1] == "FINISHED":
            return Finding(absent=True)
        return Finding(await self._find_by_text(to, post, since))

    async def _find_by_text(self, to: Credentials, post: Outgoing, since: datetime) -> Receipt:
        """Return the receipt of a published post; with its id if exactly one recent post has its non-empty text."""
        if not post.text:
            return Receipt(None, None)
        query = {"fields": f"id,{self.text_field},timestamp,permalink", "limit": "25"}
        try:
            path = f"{quote(to.external_id, safe='')}/{self.containers}?{urlencode(query)}"
            response = await self.ask(to.access_token, "GET", path)
        except ProviderError:
            return Receipt(None, None)
        rows = http.fields(response).get("data")
        same = [
            row
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, dict)
            and self.comparable(text_of(row, self.text_field)) == self.comparable(post.text)
            and (at := _parse_time(text_of(row, "timestamp"))) is not None
            and at >= since - _CLOCKS
        ]
        if len(same) != 1:
            return Receipt(None, None)
        return Receipt(text_of(same[0], "id") or None, text_of(same[0], "permalink") or None)

    def comparable(self, text: str) -> str:
        """Return what a text and the text that the network shows of it have in common."""
        return comparable(text)

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        _, subcode, _ = error_of(response)
        match subcode:
            case None:
                return super().failure(response, detail, publishing=publishing)
            case found if found in _GONE:
                return StagedLost(detail=detail)
            case found if found in _IMAGE_REFUSED or found == _VIDEO_REFUSED:
                return Refused(refusal_of({found}), detail=detail)
            case 2207001:
                return http.lost(detail, publishing=publishing)
            case 2207027:
                return RetrySafe(detail=detail)
            case 2207082:
                return RetrySafe(detail=detail)
            case found if found in _NOT_FETCHED:
                return RetrySafe(ErrorCode.media_unreachable, detail=detail)
            case 2207042:
                return RateLimited(detail=detail, retry_after=THROTTLED)
            case 2207050 | 2207051:
                return Blocked(detail=detail)
            case _:
                return super().failure(response, detail, publishing=publishing)


def loss_of(subcodes: Set[int]) -> ErrorCode:
    """Return the code of a failed container that a new one may replace."""
    return ErrorCode.media_unreachable if subcodes & _NOT_FETCHED else ErrorCode.staging_lost


def refusal_of(subcodes: Set[int]) -> ErrorCode:
    """Return the code of a final refusal."""
    if _RATIO_REFUSED in subcodes:
        return ErrorCode.image_ratio_refused
    if _VIDEO_REFUSED in subcodes:
        return ErrorCode.video_refused
    return ErrorCode.image_refused if subcodes & _IMAGE_REFUSED else ErrorCode.delivery_refused


def _parse_time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return None
