"""Ghost: articles on a site of its owner, by an Admin API key.

An article is created as a hidden draft, and the call that publishes it names the draft: a repeat creates no second
article. Facts and sources: `docs/networks/ghost.md`.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import ErrorCode, NeedsReconnect, ProviderError, Refused, StagedLost
from core.networks.base import BaseChannel, Clock, Traits
from core.networks.connections import MAX_ID, Connection, Credentials, Grant, Profile, Standing
from core.networks.ghost_admin import SHORT, Admin, Key, excerpt, failure, is_id, post_in, problem_in, signed, site_in
from core.networks.posts import Article, Finding, Image, Keep, Outgoing, Receipt, Staged, forget, upload_all
from core.networks.rules.channels import (
    AccountType,
    ChannelKind,
    ChannelLimits,
    Counting,
    FieldKind,
    FieldName,
    FormField,
)
from core.networks.site_parts import CALL, MAX_IMAGES, UPLOAD, article_of, file_ending, file_stem, web_address
from core.outgoing import http
from core.outgoing.destinations import Outside
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.markdown import with_images

MARK: Final = "#postloom"
"""A tag visible only to the site's staff. It marks our drafts."""
MAX_TITLE: Final = 255
MAX_EXCERPT: Final = 300
MAX_ALT: Final = 191
MAX_REF: Final = 1_000
"""Maximum characters of an image's address."""
TOO_LOW: Final = frozenset({"Contributor"})
"""Roles whose personal keys may not publish."""

_POSTS: Final = "/posts/"
_SHOWN: Final = frozenset({"published", "sent"})
_DRAFT: Final = re.compile(r"([0-9a-f]{24}) (\S{1,40})")
_ITS_OWN: Final = re.compile(r"/(ghost|content|assets|members)(/|$)")
_TABLE: Final = re.compile(r"<table>.*?</table>", re.DOTALL)
_PRO: Final = ".ghost.io"


class GhostSettings(BaseSettings):
    """`GHOST_…` of the environment. All settings are optional."""

    model_config = SettingsConfigDict(env_prefix="GHOST_", env_ignore_empty=True, frozen=True)

    site_url: str = Field("", description="site suggested in the form to connect Ghost")
    internal_servers: str = Field(
        "",
        description="base addresses of Ghost servers to allow although they are in your network or have no TLS, "
        "comma-separated",
    )


class GhostChannel(BaseChannel):
    kind = ChannelKind.ghost
    label = "Ghost"
    limits = ChannelLimits(
        max_characters=100_000,
        max_images=MAX_IMAGES,
        counting=Counting.code_points,
        # the limit of the smallest plan of Ghost(Pro)
        max_image_bytes=5_000_000,
        max_alt=MAX_ALT,
    )
    call_timeout = CALL
    traits = Traits(can_list_own=True, stages_post=True)

    def __init__(self, settings: GhostSettings | None = None) -> None:
        self._given = settings

    @cached_property
    def settings(self) -> GhostSettings:
        return self._given or GhostSettings()

    @property
    def connection(self) -> Connection:
        return Connection(
            consent=False,
            fields=(
                FormField(FieldName.site, FieldKind.url, "example.org", initial=self.settings.site_url),
                FormField(FieldName.admin_key, FieldKind.password, "64a1…:9f3c…"),
            ),
        )

    @property
    def outside(self) -> Outside:
        return self._admin.outside

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{base_url}/ghost/#/posts"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept any page: sites choose the form of their addresses. A site hosted by Ghost(Pro) may be on another
        domain than its API."""
        if not web_address(address):
            return None
        parts, site = urlsplit(address), urlsplit(base_url)
        here = parts.netloc.lower().removeprefix("www.") == site.netloc.removeprefix("www.")
        path = parts.path.removeprefix(site.path) if here else parts.path
        if not ((here and parts.path.startswith(site.path)) or site.netloc.endswith(_PRO)):
            return None
        shown = path.startswith("/") and path != "/" and not _ITS_OWN.match(path)
        return f"{parts.scheme}://{parts.netloc}{parts.path}" if shown else None

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        key, named = Key.of(form["admin_key"]), self._admin.site_of(form["site"])
        if named is None:
            raise Refused(ErrorCode.connect_site_unreachable, field="site")
        if key is None:  # such as a Content API key, which can only read
            raise Refused(ErrorCode.connect_key_malformed, field="admin_key")
        token = f"{key.id}:{key.secret}"
        conceal(token)
        conceal(key.secret)
        site, _ = await self._admin.discover(named)
        to = Credentials(_name_of(site), AccountType.person, token, site)
        try:
            answer = await self._admin.ask(to, "GET", _POSTS, query={"limit": "1", "fields": "id"})
            allowed = answer.status_code == 200 and isinstance(http.fields(answer).get("posts"), list)
            role = await self._role(to) if allowed else ""
        except ProviderError as error:
            if error.retryable:
                raise Refused(ErrorCode.connect_site_unreachable, detail=error.detail, field="site") from error
            raise
        if not allowed:
            raise _sign_in_failure(answer, excerpt(answer, to))
        if role in TOO_LOW:
            raise Refused(ErrorCode.connect_may_not_publish, field="admin_key", missing=role)
        return Grant(token, None, None, (), subject=_name_of(site), base_url=site)

    async def profiles(self, grant: Grant) -> list[Profile]:
        """Return the site itself: what a key publishes has the site's owner as author."""
        to = Credentials(grant.subject or "", AccountType.person, grant.access_token, grant.base_url)
        answer = await self._admin.ask(to, "GET", "/site/")
        facts = site_in(answer)
        if facts is None:
            refused = self._refused(answer, to)
            raise refused if refused.retryable else Refused(ErrorCode.connect_failed, detail=refused.detail)
        name = _name_of(grant.base_url)
        picture = web_address(text_of(facts, "icon")) or web_address(text_of(facts, "logo"))
        title = text_of(facts, "title").strip() or name
        return [Profile(name, title[:200], AccountType.organisation, picture or None)]

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        await self.probe(to)
        return Standing((), await self._role(to) not in TOO_LOW)

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the images, then create the draft."""
        article = article_of(post)
        refs = await upload_all(post.images, lambda image: self._upload(to, article, image), had=had, keep=keep)
        if len(refs) == len(post.images):
            row = _article_fields(article, post.images, refs)
            known = await self._lost_draft(to, article)
            if known:
                route, changes = _post(known["id"]), {"updated_at": text_of(known, "updated_at")}
                answer = await self._send(to, "PUT", route, row | changes)
            else:
                answer = await self._send(to, "POST", _POSTS, row | {"slug": article.slug, "status": "draft"})
            made = _draft_ref(post_in(answer))
            if not made:
                raise self._refused(answer, to)
            refs = (*refs, made)
            await keep(made)
        return Staged(refs, timedelta(0))

    async def _send(self, to: Credentials, method: str, route: str, row: Mapping[str, Any]) -> httpx2.Response:
        """Send a post whose body is HTML: without `source` Ghost would ignore the body."""
        return await self._admin.ask(
            to, method, route, query={"source": "html", **SHORT}, within=UPLOAD, json={"posts": [dict(row)]}
        )

    async def _lost_draft(self, to: Credentials, article: Article) -> dict[str, Any]:
        """Return the draft of an attempt whose answer was lost; empty: none. A person's own draft may have the same
        slug, but hardly also the same title and our mark."""
        route = f"{_POSTS}slug/{quote(article.slug, safe='')}/"
        answer = await self._admin.ask(to, "GET", route, query={"include": "tags", **SHORT})
        if answer.status_code == 404 and problem_in(answer)[0]:
            return {}
        row = post_in(answer)
        if not row:
            raise self._refused(answer, to)
        tags = row.get("tags")
        ours = isinstance(tags, list) and any(isinstance(one, dict) and one.get("name") == MARK for one in tags)
        same = row.get("status") == "draft" and text_of(row, "title").strip() == article.title.strip()[:MAX_TITLE]
        return row if ours and same and text_of(row, "slug") == article.slug else {}

    async def _upload(self, to: Credentials, article: Article, image: Image) -> str:
        """Return the image's address. A repeat after a lost answer creates a second, unused file."""
        name = f"{file_stem(article, image)}.{file_ending(image)}"
        answer = await self._admin.ask(
            to,
            "POST",
            "/images/upload/",
            within=UPLOAD,
            files={"file": (name, image.data, image.mime)},
            data={"purpose": "image", "ref": name},
        )
        rows = http.fields(answer).get("images") if answer.is_success else None
        first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
        address = web_address(text_of(first, "url"))
        if address and len(address) <= MAX_REF:
            return address
        code = ErrorCode.image_refused if answer.status_code in (413, 415) else ErrorCode.delivery_refused
        raise failure(answer, excerpt(answer, to), publishing=False, refused=code)

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != len(post.images) + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=len(post.images), staged=len(refs) - 1)
        draft = _DRAFT.fullmatch(refs[-1])
        if draft is None:
            raise StagedLost(detail="the draft's reference is malformed")
        signed(to)  # raise before the connection is opened
        call = partial(self._publish, to, draft[1], draft[2])
        return PreparedCall(self._admin.client(to.base_url), to.base_url, call, self._admin.outside.locate)

    async def _publish(
        self, to: Credentials, post_id: str, seen: str, api: httpx2.AsyncClient | httpx2.AsyncBaseTransport
    ) -> Receipt:
        """`seen`: the time of the draft's last change that we know. If somebody at the site changed the draft since,
        their version is published."""
        line: httpx2.AsyncClient | httpx2.AsyncBaseTransport | None = api
        for last in (False, True):
            row = {"updated_at": seen, "status": "published"}
            answer = await self._admin.publish(to, _post(post_id), line, row)
            if answer.status_code != 409 or last:
                break
            line, now = None, await self._read(to, post_id)
            if now.get("status") in _SHOWN:
                return self._receipt(to, now)
            seen = text_of(now, "updated_at")
        row = post_in(answer)
        if row.get("id") == post_id:
            if row.get("status") in _SHOWN:
                return self._receipt(to, row)
            if row.get("status") == "draft":
                raise Refused(ErrorCode.delivery_held_for_review, detail=excerpt(answer, to))
        if _is_gone(answer):  # nothing was shown, so the newly staged article is no duplicate
            raise StagedLost(detail=excerpt(answer, to))
        raise failure(answer, excerpt(answer, to), publishing=True)

    async def _read(self, to: Credentials, post_id: str, **query: str) -> dict[str, Any]:
        """Return the post. Raise StagedLost if it no longer exists."""
        answer = await self._admin.ask(to, "GET", _post(post_id), query=SHORT | query)
        row = post_in(answer)
        if row.get("id") == post_id:
            return row
        raise StagedLost(detail=excerpt(answer, to)) if _is_gone(answer) else self._refused(answer, to)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        draft = _DRAFT.fullmatch(refs[-1]) if len(refs) == len(post.images) + 1 else None
        if draft is None:
            return Finding()
        try:
            row = await self._read(to, draft[1])
        except StagedLost:
            return Finding()  # somebody may have deleted the post since
        if row.get("status") in _SHOWN:
            return Finding(self._receipt(to, row))
        # scheduled: somebody did that at the site
        return Finding(absent=row.get("status") == "draft")

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Delete permanently: Ghost has no trash."""
        if not is_id(provider_id):
            raise Refused(ErrorCode.removal_refused, detail="the post's id is malformed")
        answer = await self._admin.ask(to, "DELETE", _post(provider_id))
        if answer.status_code == 204 or _is_gone(answer):
            return
        refused = self._refused(answer, to)
        raise Refused(ErrorCode.removal_refused, detail=refused.detail) if isinstance(refused, Refused) else refused

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Update all but the address, to which others may link. Images that the post already shows are not uploaded
        again."""
        article = article_of(post)
        if not is_id(provider_id):
            raise Refused(detail="the post's id is malformed")
        try:
            now = await self._read(to, provider_id, formats="html")
        except StagedLost as error:
            raise Refused(detail=error.detail) from error
        shown = f"{text_of(now, 'html')} {text_of(now, 'feature_image')}"
        refs = [_shown_at(shown, article, image) or await self._upload(to, article, image) for image in post.images]
        row = _article_fields(article, post.images, refs) | {"updated_at": text_of(now, "updated_at")}
        answer = await self._send(to, "PUT", _post(provider_id), row)
        row = post_in(answer)
        if row.get("id") == provider_id:
            return self._receipt(to, row)
        raise self._refused(answer, to)

    async def probe(self, to: Credentials) -> None:
        answer = await self._admin.ask(to, "GET", _POSTS, query={"limit": "1", "fields": "id"})
        if answer.status_code != 200 or not isinstance(http.fields(answer).get("posts"), list):
            raise self._refused(answer, to)

    async def clock(self, to: Credentials) -> Clock:
        """Return the clock without its time zone, which only the site's staff can read."""
        answer = await self._admin.ask(to, "GET", "/site/")
        if site_in(answer) is None:
            raise self._refused(answer, to)
        return Clock(http.clock_off(answer))

    async def close(self) -> None:
        await self._admin.close()

    async def _role(self, to: Credentials) -> str:
        """Return the role of the key's owner; empty: an integration's key, which may do all that we need."""
        answer = await self._admin.ask(to, "GET", "/users/me/", query={"include": "roles"})
        if answer.status_code >= 500 or answer.status_code == 429:
            raise self._refused(answer, to)
        users = http.fields(answer).get("users") if answer.status_code == 200 else None
        roles = users[0].get("roles") if isinstance(users, list) and users and isinstance(users[0], dict) else None
        return text_of(roles[0], "name") if isinstance(roles, list) and roles and isinstance(roles[0], dict) else ""

    def _receipt(self, to: Credentials, row: Mapping[str, Any]) -> Receipt:
        """Use the address that the site returns, which may be on another domain."""
        slug = quote(text_of(row, "slug"), safe="")
        return Receipt(text_of(row, "id"), web_address(text_of(row, "url")) or f"{to.base_url}/{slug}/")

    def _refused(self, answer: httpx2.Response, to: Credentials) -> ProviderError:
        return failure(answer, excerpt(answer, to), publishing=False)

    @cached_property
    def _admin(self) -> Admin:
        return Admin(Outside.from_setting(self.settings.internal_servers))


def _article_fields(article: Article, images: Sequence[Image], addresses: Sequence[str]) -> dict[str, Any]:
    """Return the fields that an article and its draft share. Fields longer than Ghost accepts are cut: the body holds
    the full text."""
    sources = dict(zip(article.image_ids, addresses, strict=False))
    above = article.featured and bool(addresses)
    return {
        "title": article.title[:MAX_TITLE],
        "html": _lossless(with_images(article.html, sources)),
        "custom_excerpt": _cut(article.summary, MAX_EXCERPT),
        "feature_image": addresses[0] if above else None,
        "feature_image_alt": _cut(images[0].alt, MAX_ALT) if above else None,
        "tags": [*dict.fromkeys(article.tags), MARK],
        "meta_title": article.seo_title or None,
        "meta_description": article.seo_description or None,
        "canonical_url": article.canonical_url or None,
    }


def _lossless(html: str) -> str:
    """Mark as HTML what Ghost's editor has no block for, or the editor would take it apart."""
    return _TABLE.sub(lambda found: f"<!--kg-card-begin: html-->{found[0]}<!--kg-card-end: html-->", html)


def _cut(text: str, max_length: int) -> str | None:
    text = text.strip()
    return (text if len(text) <= max_length else f"{text[: max_length - 1].rstrip()}…") or None


def _shown_at(shown: str, article: Article, image: Image) -> str:
    """Return the address of this image in a shown post, not that of a smaller size."""
    stem = re.escape(file_stem(article, image))
    found = re.search(rf"https?://(?![^\s\"'<>]*/size/w\d)[^\s\"'<>]*/{stem}[-\w]*\.\w+", shown)
    return web_address(found[0]) if found else ""


def _draft_ref(row: Mapping[str, Any]) -> str:
    """Return the reference for publishing: id and time of the last change. Empty if the row is no draft."""
    ref = f"{text_of(row, 'id')} {text_of(row, 'updated_at')}"
    return ref if _DRAFT.fullmatch(ref) else ""


def _is_gone(answer: httpx2.Response) -> bool:
    return answer.status_code == 404 and problem_in(answer)[0] == "NotFoundError"


def _sign_in_failure(answer: httpx2.Response, detail: str) -> ProviderError:
    kind, _ = problem_in(answer)
    refused = failure(answer, detail, publishing=False)
    if kind == "HostLimitError":
        return Refused(ErrorCode.connect_plan_too_small, detail=detail, field="admin_key")
    if refused.code is ErrorCode.site_clock_differs:
        return Refused(refused.code, detail=detail, field="site")
    if isinstance(refused, NeedsReconnect) and kind:
        low = answer.status_code == 403
        code = ErrorCode.connect_may_not_publish if low else ErrorCode.connect_key_refused
        return Refused(code, detail=detail, field="admin_key")
    if kind or answer.status_code == 429:
        return refused
    return Refused(ErrorCode.connect_site_answers_page, detail=detail, field="site")


def _post(post_id: str) -> str:
    return f"{_POSTS}{quote(post_id, safe='')}/"


def _name_of(site: str) -> str:
    """Return the account's id, which does not depend on the key."""
    return site.partition("://")[2][:MAX_ID]


CHANNEL = GhostChannel()
