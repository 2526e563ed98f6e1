"""Webhooks: signed articles are sent to an address of their owner, and the receiver shows them.

Messages follow Standard Webhooks. Each has an id, chosen when the article is staged, kept in the ledger and used again
by a retry. A receiver shows one id only once, so a call without an answer is resolved by repeating it. Facts and
sources: `docs/networks/webhook.md`.
"""

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.clock import utcnow
from core.errors import (
    Ambiguous,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
)
from core.ids import new_id
from core.networks.base import BaseChannel, Traits
from core.networks.connections import MAX_ID, Connection, Credentials, Grant, Profile
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
from core.networks.site_parts import CALL, KNOCK, LIMITED, LONGEST, MAX_IMAGES, article_of, web_address
from core.outgoing import http
from core.outgoing.destinations import Clients, Outside
from core.outgoing.redaction import conceal
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.markdown import with_images

PUBLISHED: Final = "article.published"
UPDATED: Final = "article.updated"
DELETED: Final = "article.deleted"
PING: Final = "ping"
ASKED_WITHIN: Final = timedelta(hours=1)
"""How long a call without an answer is repeated. A later post would surprise people, so a person decides."""

_SECRET: Final = re.compile(r"whsec_([A-Za-z0-9+/]+={0,2})")
_BYTES: Final = (24, 64)
_NAME: Final = re.compile(r"[0-9a-f]{32}")


class WebhookSettings(BaseSettings):
    """`WEBHOOK_…` of the environment. All settings are optional."""

    model_config = SettingsConfigDict(env_prefix="WEBHOOK_", env_ignore_empty=True, frozen=True)

    endpoint: str = Field("", description="address suggested in the form to connect a webhook")
    internal_servers: str = Field(
        "",
        description="base addresses of webhook servers to allow although they are in your network or have no TLS, "
        "comma-separated",
    )


class WebhookChannel(BaseChannel):
    kind = ChannelKind.webhook
    label = "Webhook"
    limits = ChannelLimits(max_characters=100_000, max_images=MAX_IMAGES, counting=Counting.code_points)
    call_timeout = CALL
    traits = Traits(
        stages_by_url=True,
        stages_post=True,
        stages_here=True,
        asks_by_repeating=True,
        any_success=True,
        shows_anywhere=True,
    )

    def __init__(self, settings: WebhookSettings | None = None) -> None:
        self._given = settings
        self._clients = Clients(lambda endpoint: self._outside.client(endpoint, CALL))

    @cached_property
    def settings(self) -> WebhookSettings:
        return self._given or WebhookSettings()

    @property
    def connection(self) -> Connection:
        return Connection(
            consent=False,
            fields=(
                FormField(
                    FieldName.endpoint, FieldKind.url, "https://example.org/postloom", initial=self.settings.endpoint
                ),
                FormField(FieldName.secret, FieldKind.new_secret, "whsec_…"),
            ),
        )

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        parts = urlsplit(base_url)
        return f"{parts.scheme}://{parts.netloc}/"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept any web address: the receiver may show the article anywhere."""
        return web_address(address.partition("#")[0]) or None

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        endpoint, secret = self._endpoint_of(form["endpoint"]), form["secret"].strip()
        if endpoint is None:
            raise Refused(ErrorCode.connect_endpoint_malformed, field="endpoint")
        if _key_of(secret) is None:
            raise Refused(ErrorCode.connect_secret_malformed, field="secret")
        conceal(secret)
        to = Credentials(_id_of(endpoint), AccountType.organisation, secret, endpoint)
        try:
            answer = await self._send(to, f"ping_{new_id().hex}", {"type": PING, "data": {}}, within=KNOCK)
        except ProviderError as error:
            raise Refused(ErrorCode.connect_site_unreachable, detail=error.detail, field="endpoint") from error
        if not answer.is_success:
            raise _sign_in_failure(answer, _excerpt(answer, to))
        return Grant(secret, None, None, (), subject=to.external_id, base_url=endpoint)

    def _endpoint_of(self, typed: str) -> str | None:
        """Return the endpoint, keeping a trailing slash: many servers treat that as another address. Return None if it
        is invalid, internal, or has a query, which might contain a secret that everybody would see here."""
        typed = typed.strip()
        if re.search(r"[?#]", typed):
            return None
        site = self._outside.site_url(typed)
        endpoint = f"{site}/" if site and (typed.endswith("/") or not urlsplit(site).path) else site
        return endpoint if endpoint and len(endpoint) <= LONGEST else None

    async def profiles(self, grant: Grant) -> list[Profile]:
        name = _id_of(grant.base_url)
        return [Profile(name, name, AccountType.organisation, None)]

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Return the addresses of the images and the id that makes a repeat recognizable. Makes no call."""
        article_of(post)

        async def addressed(image: Image) -> str:
            return image.fetch_url

        refs = await upload_all(post.images, addressed, had=had, keep=keep)
        if len(refs) == len(post.images):
            refs = (*refs, new_id().hex)
            await keep(refs[-1])
        return Staged(refs, timedelta(0))

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        article_of(post)
        if len(refs) != len(post.images) + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=len(post.images), staged=len(refs) - 1)
        if not _NAME.fullmatch(refs[-1]):
            raise StagedLost(detail="the article's reference is malformed")
        _signed_by(to)  # raise before the connection is opened
        call = partial(self._publish, to, post, refs)
        return PreparedCall(self._client(to.base_url), to.base_url, call, self._outside.locate)

    async def _publish(
        self,
        to: Credentials,
        post: Outgoing,
        refs: tuple[str, ...],
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
    ) -> Receipt:
        message = {"type": PUBLISHED, "data": _article(refs[-1], post, refs)}
        answer = await self._send(to, f"{refs[-1]}_published", message, api=api, publishing=True)
        return _receipt(refs[-1], _succeeded(answer, to, publishing=True))

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Send the article again under its id. A refusal now does not prove that the first call was refused."""
        if len(refs) != len(post.images) + 1 or not _NAME.fullmatch(refs[-1]) or utcnow() - since > ASKED_WITHIN:
            return Finding()
        try:
            receipt = await self._publish(to, post, refs, self._client(to.base_url))
        except Ambiguous as error:
            raise RetrySafe(detail=error.detail) from error
        except Refused:
            return Finding()
        return Finding(receipt)

    async def delete(self, to: Credentials, provider_id: str) -> None:
        message = {"type": DELETED, "data": {"id": provider_id}}
        answer = await self._send(to, f"{provider_id}_deleted", message)
        if answer.status_code in (404, 410):  # already gone
            return
        try:
            _succeeded(answer, to, publishing=False)
        except Refused as refused:
            raise Refused(ErrorCode.removal_refused, detail=refused.detail) from refused

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        data = _article(provider_id, post, tuple(image.fetch_url for image in post.images))
        answer = await self._send(to, f"{provider_id}_updated_{wish}", {"type": UPDATED, "data": data})
        return _receipt(provider_id, _succeeded(answer, to, publishing=False))

    async def probe(self, to: Credentials) -> None:
        answer = await self._send(to, f"ping_{new_id().hex}", {"type": PING, "data": {}})
        _succeeded(answer, to, publishing=False)

    async def close(self) -> None:
        await self._clients.close()

    async def _send(
        self,
        to: Credentials,
        name: str,
        message: Mapping[str, Any],
        *,
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport | None = None,
        publishing: bool = False,
        within: timedelta = CALL,
    ) -> httpx2.Response:
        """Send a message and return any answer, also one that refuses."""
        client = self._client(to.base_url)
        body = json.dumps({**message, "timestamp": utcnow().isoformat()}, separators=(",", ":")).encode()
        headers = {"Content-Type": "application/json", **signed(to, name, body)}
        request = http.build(client, "POST", to.base_url, headers=headers, content=body)
        return await http.ask(api or client, request, publishing=publishing, within=within)

    def _client(self, endpoint: str) -> httpx2.AsyncClient:
        return self._clients.of(endpoint)

    @property
    def outside(self) -> Outside:
        return self._outside

    @cached_property
    def _outside(self) -> Outside:
        return Outside.from_setting(self.settings.internal_servers)


def signed(to: Credentials, name: str, body: bytes) -> dict[str, str]:
    """Return the headers with the message's id, its time and our signature."""
    moment = str(int(time.time()))
    digest = hmac.digest(_signed_by(to), f"{name}.{moment}.".encode() + body, "sha256")
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": name, "webhook-timestamp": moment, "webhook-signature": signature}


def _signed_by(to: Credentials) -> bytes:
    key = _key_of(to.access_token)
    if key is None:
        raise NeedsReconnect(detail="the stored secret is malformed")
    return key


def _key_of(secret: str) -> bytes | None:
    """Return the bytes of a secret, or None if its format is wrong."""
    found = _SECRET.fullmatch(secret)
    try:
        key = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        return None
    return key if _BYTES[0] <= len(key) <= _BYTES[1] else None


def _article(name: str, post: Outgoing, addresses: Sequence[str]) -> dict[str, Any]:
    """Return the article's data, with image addresses that are valid for at least a day."""
    article = article_of(post)
    images = [{"url": url, "alt": image.alt} for url, image in zip(addresses, post.images, strict=False)]
    return {
        "id": name,
        "title": article.title,
        "slug": article.slug,
        "summary": article.summary,
        "html": with_images(article.html, dict(zip(article.image_ids, addresses, strict=False))),
        "markdown": post.text,
        "tags": list(article.tags),
        "seo_title": article.seo_title,
        "seo_description": article.seo_description,
        "canonical_url": article.canonical_url,
        "image": images[0] if article.featured and images else None,
        "images": images,
    }


def _receipt(name: str, answer: httpx2.Response) -> Receipt:
    """Return the receipt, with the article's address if the answer names one."""
    url = http.fields(answer).get("url")
    return Receipt(name, (web_address(url) if isinstance(url, str) else "") or None)


def _succeeded(answer: httpx2.Response, to: Credentials, *, publishing: bool) -> httpx2.Response:
    """Return a successful answer; raise the matching error for any other."""
    if not answer.is_success:
        raise _failure(answer, _excerpt(answer, to), publishing=publishing)
    return answer


def _sign_in_failure(answer: httpx2.Response, detail: str) -> ProviderError:
    if answer.status_code in (401, 403):
        return Refused(ErrorCode.connect_signature_refused, detail=detail, field="secret")
    if answer.status_code == 429:
        return _failure(answer, detail, publishing=False)
    return Refused(ErrorCode.connect_ping_refused, detail=detail, field="endpoint")


def _excerpt(answer: httpx2.Response, to: Credentials) -> str:
    return http.excerpt(answer, (to.access_token,))


def _failure(answer: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    match answer.status_code:
        case 401 | 403:
            return NeedsReconnect(detail=detail)
        case 408:
            return http.lost(detail, publishing=publishing)
        case 426:
            return Misconfigured(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=http.retry_after(answer) or LIMITED)
        case status if 300 <= status < 500:  # also if the endpoint has moved: connect it at its new address
            return Refused(detail=detail)
    return http.lost(detail, publishing=publishing)


def _id_of(endpoint: str) -> str:
    """Return the account's id, which does not depend on the secret."""
    return endpoint.partition("://")[2][:MAX_ID]


CHANNEL = WebhookChannel()
