"""Threads: profiles, connected by an app of their own.

A post is a container and a call that publishes it (`graph_containers`), also a post without images. Facts and sources:
`docs/networks/threads.md`.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import httpx2
import regex
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import (
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    Refused,
    RetrySafe,
    StagedLost,
    TokenRefused,
)
from core.networks.base import Traits
from core.networks.connections import Connection, Credentials, Grant, Granted, OAuthFlow, Profile, ignore_grant
from core.networks.graph_calls import CALL
from core.networks.graph_containers import PERMALINK, PUBLISH, ContainerChannel
from core.networks.graph_errors import TOKEN_OVER, error_of, is_missing
from core.networks.posts import Image, Outgoing, Video
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits, Counting
from core.networks.rules.files import VideoLimits
from core.networks.rules.links import LinkPlace
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.texts.rules.endings import hashtags

VERSION: Final = "v1.0"
MAX_TOPIC: Final = 50
_TOKEN_LIFE: Final = timedelta(days=60)
"""Lifetime of a token whose answer does not name it."""

_NO_CONTAINER: Final = 24
"""A container or post is missing, or too new to be seen."""
_TOPIC_REFUSED: Final = 4279071
_RATIO_REFUSED: Final = "INVALID_ASPEC_RATIO"  # as the API spells it
_FILE_REFUSED: Final = ("INVALID_", "FAILED_PROCESSING_")
"""Beginnings of the reasons for which a new container would fail as well."""
_OF_VIDEOS: Final = ("VIDEO", "AUDIO", "BIT_RATE", "DURATION", "FRAME_RATE")
"""What such a reason names of a video."""
_NOT_FETCHED: Final = "FAILED_DOWNLOADING_"

_POST = re.compile(r"/@([\w.]+)/post/([\w-]+)/?")
_SHORT = re.compile(r"/t/([\w-]+)/?")
_EMOJI = regex.compile(
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f\u20e3\U000e0020-\U000e007f]"
)


class ThreadsSettings(BaseSettings):
    """`THREADS_…` of the environment. Without id and secret Threads is not configured."""

    model_config = SettingsConfigDict(env_prefix="THREADS_", env_ignore_empty=True, frozen=True)

    client_id: str | None = Field(None, description="Threads app id of the app that connects Threads")
    client_secret: SecretStr | None = Field(None, description="Threads app secret of that app")
    dialog_url: str = Field("https://threads.com", description="base address of the consent page")
    site_url: str = Field("https://www.threads.com", description="base address of posts on Threads")
    api_url: str = Field("https://graph.threads.net", description="base address of the Threads API")


def weigh(text: str) -> int:
    """Count characters, and of emoji their UTF-8 bytes: the limit is 500."""
    return len(text) + sum(len(emoji.encode()) - 1 for emoji in _EMOJI.findall(text))


class ThreadsChannel(ContainerChannel):
    kind = ChannelKind.threads
    label = "Threads"
    connection = Connection(consent=True, settings=("THREADS_CLIENT_ID", "THREADS_CLIENT_SECRET"))
    limits = ChannelLimits(
        max_characters=500,
        max_images=20,
        counting=Counting.weighted,
        weigh=weigh,
        text_required=False,
        max_alt=1_000,
        max_image_bytes=8_000_000,
        image_types=("image/jpeg", "image/png"),
        min_width=320,
        min_ratio=0.1,
        max_ratio=10,
        # only without images
        link=LinkPlace.page_card,
        video=VideoLimits(
            max_bytes=1_000_000_000,
            max_seconds=300,
            min_ratio=0.01,
            max_ratio=10,
            mimes=("video/mp4", "video/quicktime"),
        ),
    )
    # includes the read of the permalink
    call_timeout = PUBLISH + PERMALINK
    traits = Traits(can_list_own=True, stages_by_url=True, stages_post=True)
    # the last one only for deleting posts
    scopes = ("threads_basic", "threads_content_publish", "threads_delete")
    version = VERSION
    containers, publishing, daily_limit = "threads", "threads_publish", "threads_publishing_limit"
    text_field, state_field, message_field = "text", "status", "error_message"

    def __init__(self, settings: ThreadsSettings | None = None) -> None:
        super().__init__()
        self._given = settings

    @cached_property
    def settings(self) -> ThreadsSettings:
        return self._given or ThreadsSettings()

    def configured(self) -> bool:
        return self.settings.client_id is not None and self.settings.client_secret is not None

    def calls_only(self, base_url: str) -> bool:
        base = base_url.rstrip("/")
        return all(f"{url}/".startswith(f"{base}/") for url in (self._dialog_url, self._site_url, self.graph_url))

    @property
    def graph_url(self) -> str:
        return self.settings.api_url.rstrip("/")

    @property
    def _dialog_url(self) -> str:
        return self.settings.dialog_url.rstrip("/")

    @property
    def _site_url(self) -> str:
        return self.settings.site_url.rstrip("/")

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self._site_url}/"  # a profile is addressed by its name, which can change

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept the address bar's or "Copy link" address, also of the older domain."""
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        ours, path = urlsplit(self._site_url), parts.path
        if (parts.scheme, parts.netloc) == (ours.scheme, ours.netloc):
            path = path.removeprefix(ours.path)
        elif parts.scheme != "https" or not f".{parts.hostname}".endswith((".threads.com", ".threads.net")):
            return None
        if found := _POST.fullmatch(path):
            return f"{self._site_url}/@{found[1]}/post/{found[2]}"
        found = _SHORT.fullmatch(path)
        return f"{self._site_url}/t/{found[1]}" if found else None

    def authorize_url(self, flow: OAuthFlow) -> str:
        client_id, _ = self._app()
        query = {
            "client_id": client_id,
            "redirect_uri": flow.redirect_uri,
            "scope": ",".join(self.scopes),
            "response_type": "code",
            "state": flow.state,
        }
        return f"{self._dialog_url}/oauth/authorize?{urlencode(query, quote_via=quote)}"

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """A code works once. Its token is valid for an hour and is exchanged for one of 60 days."""
        client_id, secret = self._app()
        now = datetime.now(UTC)
        form = {
            "client_id": client_id,
            "client_secret": secret,
            "grant_type": "authorization_code",
            "redirect_uri": flow.redirect_uri,
            "code": code.removesuffix("#_"),
        }
        answer = await http.send(self.client, "POST", "/oauth/access_token", publishing=False, within=CALL, data=form)
        body = http.fields(answer)
        short, user = text_of(body, "access_token"), body.get("user_id")
        if answer.status_code != 200 or not short:
            raise self.code_error(answer, http.excerpt(answer, (code, secret)))
        granted(Grant(short, None, now + timedelta(hours=1), ()))
        query = {"grant_type": "th_exchange_token", "client_secret": secret, "access_token": short}
        answer = await self._ask_for_token("access_token", query)
        grant = _grant_in(answer, subject=str(user) if isinstance(user, int | str) and user else None)
        if grant is None:
            raise self.code_error(answer, http.excerpt(answer, (code, secret, short)))
        granted(grant)
        return grant

    async def refresh(self, grant: Grant) -> Grant:
        """Renew by the access token, which is the refresh token, too. Threads refuses tokens younger than a day."""
        if not grant.refresh_token:
            raise NeedsReconnect(detail="there is no token to renew")
        query = {"grant_type": "th_refresh_token", "access_token": grant.refresh_token}
        answer = await self._ask_for_token("refresh_access_token", query)
        if fresh := _grant_in(answer, subject=grant.subject):
            return fresh
        failure = self.failure(answer, http.excerpt(answer, (grant.refresh_token,)), publishing=False)
        if isinstance(failure, TokenRefused):
            raise NeedsReconnect(detail=failure.detail)
        if isinstance(failure, NeedsReconnect) or failure.retryable:
            raise failure
        raise RetrySafe(detail=failure.detail)  # says nothing about the token, which may still be valid

    async def _ask_for_token(self, path: str, query: dict[str, str]) -> httpx2.Response:
        """Ask for a token, below no version. These calls accept secrets only in the address."""
        return await http.send(self.client, "GET", f"/{path}?{urlencode(query)}", publishing=False, within=CALL)

    async def profiles(self, grant: Grant) -> list[Profile]:
        fields = "id,username,name,threads_profile_picture_url"
        answer = await self.ask(grant.access_token, "GET", f"me?fields={fields}")
        me = http.fields(answer)
        number, handle = text_of(me, "id"), text_of(me, "username")
        if answer.status_code != 200 or not number:
            failure = self.failure(answer, http.excerpt(answer, (grant.access_token,)), publishing=False)
            raise failure if failure.retryable else Refused(ErrorCode.connect_failed, detail=failure.detail)
        name = text_of(me, "name") or f"@{handle or number}"
        picture = text_of(me, "threads_profile_picture_url") or None
        return [Profile(number, name[:200], AccountType.person, picture, handle=handle)]

    def sent(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"data": parameters}

    def image_body(self, image: Image) -> dict[str, Any]:
        alt = {"alt_text": image.alt} if image.alt else {}
        return {"media_type": "IMAGE", "image_url": image.fetch_url, **alt}

    def video_body(self, video: Video) -> dict[str, Any]:
        # a cover cannot be chosen
        alt = {"alt_text": video.alt} if video.alt else {}
        return {"media_type": "VIDEO", "video_url": video.fetch_url, **alt}

    def post_body(self, post: Outgoing) -> dict[str, Any]:
        text = {"text": post.text} if post.text else {}
        # else Threads takes the first hashtag of the text as the topic, and shows the hashtag without its #
        topic = {"topic_tag": tag} if (tag := topic_of(post.text)) else {}
        link = {"link_attachment": post.link.url} if post.link else {}
        return {**text, **topic, **link}

    async def add_container(self, to: Credentials, body: dict[str, Any]) -> str:
        """Threads does not say which topics it refuses, so a refused one is left out: the post matters more."""
        response = await self.create_container(to, body)
        if "topic_tag" in body and error_of(response)[1] == _TOPIC_REFUSED:
            response = await self.create_container(to, {name: body[name] for name in body if name != "topic_tag"})
        return await self.id_in(response, to)

    def container_error(self, state: str, message: str) -> ProviderError:
        if message == _RATIO_REFUSED:
            return Refused(ErrorCode.image_ratio_refused, detail=message, container=state)
        if message.startswith(_FILE_REFUSED):
            of_video = any(name in message for name in _OF_VIDEOS)
            code = ErrorCode.video_refused if of_video else ErrorCode.image_refused
            return Refused(code, detail=message, container=state)
        lost = ErrorCode.media_unreachable if message.startswith(_NOT_FETCHED) else ErrorCode.staging_lost
        return StagedLost(lost, detail=message or state, container=state)

    def reports_no_container(self, response: httpx2.Response) -> bool:
        return error_of(response)[0] == _NO_CONTAINER or super().reports_no_container(response)

    def comparable(self, text: str) -> str:
        """Compare without #, which Threads leaves out of a hashtag that it takes as the topic."""
        return super().comparable(text.replace("#", ""))

    async def delete(self, to: Credentials, provider_id: str) -> None:
        response = await self.ask(to.access_token, "DELETE", quote(provider_id, safe=""))
        if response.is_success:
            return
        failure = self.refused(response, to)
        code = error_of(response)[0] or 0
        if is_missing(response) or code == _NO_CONTAINER:
            await self.ensure_can_read_account(to, failure.detail)  # otherwise the post may still exist
            return
        # only the permission to delete is missing: posts still go out
        missing = code == 10 or 200 <= code <= 299
        if missing or isinstance(failure, Refused):
            raise Refused(ErrorCode.removal_refused, detail=failure.detail)
        raise failure

    def failure(self, response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
        code = error_of(response)[0]
        if code == _NO_CONTAINER:
            return RetrySafe(detail=detail)  # a new container is not seen at once
        found = super().failure(response, detail, publishing=publishing)
        # Blocked is a NeedsReconnect that no new token helps
        return TokenRefused(detail=detail) if code == TOKEN_OVER and type(found) is NeedsReconnect else found

    def _app(self) -> tuple[str, str]:
        if self.settings.client_id is None or self.settings.client_secret is None:
            raise Misconfigured(ErrorCode.channel_not_configured)
        secret = self.settings.client_secret.get_secret_value()
        conceal(secret)
        return self.settings.client_id, secret


def topic_of(text: str) -> str | None:
    """Return the topic of a post: its first hashtag that is short enough for a topic."""
    return next((tag[1:] for tag in hashtags(text) if len(tag) - 1 <= MAX_TOPIC), None)


def _grant_in(answer: httpx2.Response, *, subject: str | None) -> Grant | None:
    """Return the grant in the answer with a long-lived token, which renews itself; None: it has none."""
    body = http.fields(answer)
    token = text_of(body, "access_token")
    if answer.status_code != 200 or not token:
        return None
    now = datetime.now(UTC)
    return Grant(token, token, http.later(now, body.get("expires_in")) or now + _TOKEN_LIFE, (), subject=subject)


CHANNEL = ThreadsChannel()
