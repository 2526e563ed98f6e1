"""WordPress: articles on a site of its owner, with an application password.

An article is created as a hidden draft, and the call that publishes it names the draft: a repeat creates no second
article. Facts and sources: `docs/networks/wordpress.md`.
"""

import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from uuid import UUID

import httpx2
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import ErrorCode, ProviderError, Refused, StagedLost
from core.networks.base import BaseChannel, Clock, Traits
from core.networks.connections import App, Connection, Credentials, Grant, Profile, Standing
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
from core.networks.site_parts import CALL, MAX_IMAGES, UPLOAD, article_of, file_ending, file_stem
from core.networks.wordpress_rest import (
    LOGIN_REFUSED,
    PASSWORDS_OFF,
    REST_OFF,
    Rest,
    code_of,
    excerpt,
    failure,
    failure_of,
    id_of,
    rows_of,
)
from core.networks.wordpress_terms import read_terms, require_categories, tag_id
from core.outgoing import http
from core.outgoing.destinations import Outside
from core.outgoing.http import text_of
from core.outgoing.redaction import conceal
from core.outgoing.warm_connections import PreparedCall
from core.texts.rules.markdown import MEDIA, with_images
from core.websites.rules.terms import Taxonomy

CAPABILITIES: Final = ("edit_posts", "publish_posts", "upload_files")

_ME: Final = "/wp/v2/users/me"
_PASSWORDS: Final = f"{_ME}/application-passwords"
_POSTS: Final = "/wp/v2/posts"
_MEDIA: Final = "/wp/v2/media"
_LONGEST_ZONE: Final = 64
# otherwise an answer contains the article twice
_TOLD: Final = {"_fields": "id,status,link,slug,categories"}
_UNPUBLISHED: Final = frozenset({"draft", "auto-draft", "pending"})
_GONE: Final = frozenset({"rest_post_invalid_id", "rest_already_trashed"})
_APP_PASSWORD: Final = re.compile(r"[a-z0-9]{24}", re.IGNORECASE)
_ITS_OWN: Final = re.compile(r"/(wp-(admin|content|includes|json)(/|$)|(wp-[a-z-]+|xmlrpc|index)\.php)")


class WordPressSettings(BaseSettings):
    """`WORDPRESS_…` of the environment. All settings are optional."""

    model_config = SettingsConfigDict(env_prefix="WORDPRESS_", env_ignore_empty=True, frozen=True)

    site_url: str = Field("", description="site suggested in the form to connect WordPress")
    internal_servers: str = Field(
        "",
        description="base addresses of WordPress servers to allow although they are in your network or have no TLS, "
        "comma-separated",
    )


class WordPressChannel(BaseChannel):
    kind = ChannelKind.wordpress
    label = "WordPress"
    limits = ChannelLimits(
        max_characters=100_000,
        max_images=MAX_IMAGES,
        counting=Counting.code_points,
        # PHP's default limit
        max_image_bytes=2_000_000,
    )
    call_timeout = CALL
    traits = Traits(can_list_own=True, stages_post=True, revokes_token_alone=True)

    def __init__(self, settings: WordPressSettings | None = None) -> None:
        self._given = settings

    @cached_property
    def settings(self) -> WordPressSettings:
        return self._given or WordPressSettings()

    @property
    def connection(self) -> Connection:
        return Connection(
            consent=False,
            fields=(
                FormField(FieldName.site, FieldKind.url, "example.org", initial=self.settings.site_url),
                FormField(FieldName.username, FieldKind.text, "ada"),
                FormField(FieldName.app_password, FieldKind.password, "xxxx xxxx xxxx xxxx xxxx xxxx"),
            ),
        )

    @property
    def outside(self) -> Outside:
        return self._rest.outside

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{base_url}/wp-admin/edit.php"

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Accept any page: sites choose the form of their addresses."""
        try:
            parts, site = urlsplit(address), urlsplit(base_url)
        except ValueError:
            return None
        here = parts.netloc.lower().removeprefix("www.") == site.netloc.removeprefix("www.")
        path = parts.path.removeprefix(site.path)
        if parts.scheme not in ("http", "https") or not here or not parts.path.startswith(site.path):
            return None
        number = parse_qs(parts.query).get("p", [""])[0]
        root = f"{parts.scheme}://{parts.netloc}{site.path}"
        if path in ("", "/"):
            return f"{root}/?p={number}" if number.isascii() and number.isdecimal() else None
        return f"{root}{path}" if path.startswith("/") and not _ITS_OWN.match(path) else None

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        # remove spaces, as WordPress does: it shows the password in groups
        password, username = re.sub(r"[^a-zA-Z0-9]", "", form["app_password"]), form["username"].strip()
        named = self._rest.site_of(form["site"])
        if named is None:
            raise Refused(ErrorCode.connect_site_unreachable, field="site")
        if not username or ":" in username:
            raise Refused(ErrorCode.connect_login_refused, field="username")
        if not _APP_PASSWORD.fullmatch(password):  # never send what may be the account's own password
            raise Refused(ErrorCode.connect_login_refused, field="app_password")
        conceal(password)
        conceal(form["app_password"])  # a site may repeat it in its groups
        site, facts = await self._rest.discover(named)
        to = Credentials(username, AccountType.person, password, site)
        try:
            answer = await self._me(to, "id,username,capabilities")
        except ProviderError as error:
            raise Refused(ErrorCode.connect_site_unreachable, detail=error.detail, field="site") from error
        body = http.fields(answer)
        if answer.status_code != 200 or not id_of(body):
            raise _sign_in_failure(answer, excerpt(answer, to), facts)
        if missing := _missing(body):
            raise Refused(ErrorCode.connect_may_not_publish, field="username", missing=", ".join(missing))
        # people may sign in by an e-mail address, which can change
        return Grant(password, None, None, (), subject=text_of(body, "username") or username, base_url=site)

    def sends_back_to(self, back: str, site: str | None = None) -> bool:
        """WordPress redirects only to addresses with TLS, except on a local machine."""
        local = site if site is not None else ",".join(self._rest.outside.internal)
        return back.startswith("https://") or "http://" in local

    async def password_page(self, typed: str, back: str, app_id: UUID) -> tuple[str, str]:
        named = self._rest.site_of(typed)
        if named is None:
            raise Refused(ErrorCode.connect_site_unreachable, field="site")
        site, facts = await self._rest.discover(named)
        if not self.sends_back_to(back, site):
            raise Refused(ErrorCode.connect_page_needs_tls, field="site")
        methods = facts.get("authentication")
        method = methods.get("application-passwords") if isinstance(methods, dict) else None
        endpoints = method.get("endpoints") if isinstance(method, dict) else None
        address = text_of(endpoints, "authorization") if isinstance(endpoints, dict) else ""
        if not address:
            raise Refused(ErrorCode.connect_app_passwords_off, field="site")
        page = address.partition("?")[0]
        if not self.is_same_site(page, site):  # people who type a password there trust it to be the site's page
            raise Refused(ErrorCode.connect_site_differs, detail="the page belongs to another site", field="site")
        query = {
            "app_name": "Postloom",
            "app_id": str(app_id),
            "success_url": back,
            "reject_url": f"{back}&success=false",
        }
        return site, f"{page}?{urlencode(query)}"

    def is_same_site(self, address: str, site: str) -> bool:
        """Compare hosts only: WordPress may be in a folder of its own."""
        other = self._rest.site_of(address)
        return other is not None and _host(other) == _host(site)

    def form_of(self, site: str, username: str, password: str) -> dict[str, str]:
        return {"site": site, "username": username, "app_password": password}

    async def site_name(self, base_url: str) -> str:
        _, facts = await self._rest.discover(base_url)
        return html.unescape(text_of(facts, "name")).strip()

    async def profiles(self, grant: Grant) -> list[Profile]:
        to = Credentials(grant.subject or "", AccountType.person, grant.access_token, grant.base_url)
        answer = await self._me(to, "id,name,username,avatar_urls")
        body = http.fields(answer)
        if answer.status_code != 200 or not id_of(body):
            error = failure_of(answer, to)
            raise error if error.retryable else Refused(ErrorCode.connect_failed, detail=error.detail)
        username = text_of(body, "username") or to.external_id
        avatars = body.get("avatar_urls")
        picture = text_of(avatars, "96") if isinstance(avatars, dict) else ""
        shown = text_of(body, "name").strip() or username
        return [Profile(username, shown[:200], AccountType.person, picture or None, handle=username[:253])]

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        answer = await self._me(to, "id,capabilities")
        if answer.status_code != 200 or not id_of(http.fields(answer)):
            raise failure_of(answer, to)
        return Standing((), not _missing(http.fields(answer)))

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """Delete the password by a call that it authenticates itself."""
        to = Credentials(grant.subject or "", AccountType.person, grant.access_token, grant.base_url)
        answer = await self._rest.ask(to, "GET", f"{_PASSWORDS}/introspect", query={"_fields": "uuid"})
        if code_of(answer) in LOGIN_REFUSED:  # the password or its user no longer exists
            return
        uuid = text_of(http.fields(answer), "uuid")
        if answer.status_code == 200 and uuid:
            answer = await self._rest.ask(to, "DELETE", f"{_PASSWORDS}/{quote(uuid, safe='')}")
            if answer.is_success and http.fields(answer):
                return
        error = failure_of(answer, to)
        raise error if error.retryable else Refused(detail=error.detail)

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload the images, then create the draft."""
        article = article_of(post)
        refs = await upload_all(post.images, lambda image: self._upload(to, article, image), had=had, keep=keep)
        if len(refs) == len(post.images):
            body = {**await self._article_fields(to, article, refs), "slug": article.slug, "status": "draft"}
            known = await self._lost_draft(to, article)
            answer = await self._rest.ask(
                to, "POST", f"{_POSTS}/{known}" if known else _POSTS, query=_TOLD, within=UPLOAD, json=body
            )
            if code_of(answer) == "rest_invalid_featured_media":
                raise StagedLost(detail=excerpt(answer, to))  # somebody has deleted the image at the site
            made = id_of(http.fields(answer)) if answer.is_success else ""
            if not made:
                raise failure_of(answer, to)
            require_categories(article, answer)
            refs = (*refs, made)
            await keep(made)
        return Staged(refs, timedelta(0))

    async def _article_fields(self, to: Credentials, article: Article, media: Sequence[str]) -> dict[str, Any]:
        """Return the fields that an article and its draft share."""
        if unknown := [one for one in article.categories if not one.isdecimal()]:
            raise Refused(detail=f"the category id {unknown[0]} is malformed")
        above = media[:1] if article.featured else ()
        return {
            "title": article.title,
            "content": await self._body(to, article, media),
            "excerpt": article.summary,
            "featured_media": int(above[0]) if above else 0,
            "categories": [int(one) for one in article.categories],
            "tags": [await tag_id(self._rest, to, name) for name in dict.fromkeys(article.tags)],
        }

    async def _body(self, to: Credentials, article: Article, media: Sequence[str]) -> str:
        """Return the HTML with the images' addresses at the site."""
        shown = dict(zip(article.image_ids, media, strict=False))
        referenced = {one: shown[one] for one in shown if f"{MEDIA}:{one}" in article.html}
        if not referenced:
            return with_images(article.html, {})
        query = {"include": ",".join(referenced.values()), "per_page": "100", "_fields": "id,source_url"}
        answer = await self._rest.ask(to, "GET", _MEDIA, query=query)
        sources = {id_of(row): text_of(row, "source_url") for row in rows_of(answer, to)}
        if any(not sources.get(made) for made in referenced.values()):
            raise StagedLost(detail="an image of the article no longer exists at the site")
        return with_images(article.html, {one: sources[made] for one, made in referenced.items()})

    async def _lost_draft(self, to: Credentials, article: Article) -> str:
        """Return the draft of an attempt whose answer was lost; empty: none. A person's own draft may have the same
        slug, but hardly also our user as author and the same title."""
        query = {"slug": article.slug, "status": "draft", "context": "edit", "_fields": "id,status,author,title"}
        answer = await self._rest.ask(to, "GET", _POSTS, query=query)
        same = [
            row for row in rows_of(answer, to) if row.get("status") == "draft" and _title(row) == article.title.strip()
        ]
        if not same:
            return ""
        answer = await self._me(to, "id")
        me = http.fields(answer).get("id")
        if answer.status_code != 200 or not id_of(http.fields(answer)):
            raise failure_of(answer, to)
        return next((found for row in same if row.get("author") == me and (found := id_of(row))), "")

    async def _upload(self, to: Credentials, article: Article, image: Image) -> str:
        """Upload an image once: if the answer is lost, the file is found by its name."""
        name = file_stem(article, image)
        answer = await self._rest.ask(to, "GET", _MEDIA, query={"slug": name, "_fields": "id,slug"})
        made = next((found for row in rows_of(answer, to) if row.get("slug") == name and (found := id_of(row))), "")
        if not made:
            headers = {
                "Content-Type": image.mime,
                "Content-Disposition": f'attachment; filename="{name}.{file_ending(image)}"',
                "Content-MD5": hashlib.md5(image.data, usedforsecurity=False).hexdigest(),
            }
            answer = await self._rest.ask(
                to, "POST", _MEDIA, query={"_fields": "id"}, within=UPLOAD, headers=headers, content=image.data
            )
            made = id_of(http.fields(answer)) if answer.is_success else ""
            if not made:
                too_large = answer.status_code == 413
                code = ErrorCode.image_refused if too_large else ErrorCode.delivery_refused
                raise failure(answer, excerpt(answer, to), publishing=False, refused=code)
        if image.alt:
            path = f"{_MEDIA}/{made}"
            answer = await self._rest.ask(to, "POST", path, query={"_fields": "id"}, json={"alt_text": image.alt})
            if not (answer.is_success and id_of(http.fields(answer))):
                raise failure_of(answer, to)
        return made

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> PreparedCall:
        if len(refs) != len(post.images) + 1:
            raise Refused(ErrorCode.delivery_image_missing, expected=len(post.images), staged=len(refs) - 1)
        call = partial(self._publish, to, refs[-1])
        return PreparedCall(self._rest.client(to.base_url), to.base_url, call, self._rest.outside.locate)

    async def _publish(
        self, to: Credentials, post_id: str, api: httpx2.AsyncClient | httpx2.AsyncBaseTransport
    ) -> Receipt:
        call = partial(self._rest.publish, to, _post(post_id), query=_TOLD)
        answer = await call(api, json={"status": "publish"})
        if _planned(answer, post_id):  # somebody has set a later date on the draft: publish it now
            client = self._rest.client(to.base_url)
            answer = await call(client, json={"status": "publish", "date_gmt": None})
            if _planned(answer, post_id):  # by the site's own clock and zone: the time is unknown
                answer = await call(client, json={"status": "draft"})
                if http.fields(answer).get("status") == "draft":
                    raise Refused(ErrorCode.delivery_planned_by_site, detail=excerpt(answer, to))
            if http.fields(answer).get("status") != "publish":  # a scheduled article would be shown at some time
                raise http.lost(excerpt(answer, to), publishing=True)
        body = http.fields(answer)
        if answer.status_code == 200 and id_of(body) == post_id:
            if body.get("status") == "publish":
                return self._receipt(to, body)
            if body.get("status") in _UNPUBLISHED:
                raise Refused(ErrorCode.delivery_held_for_review, detail=excerpt(answer, to))
        if code_of(answer) in _GONE:  # nothing was shown, so the newly staged article is no duplicate
            raise StagedLost(detail=excerpt(answer, to))
        raise failure(answer, excerpt(answer, to), publishing=True)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        if len(refs) != len(post.images) + 1:
            return Finding()
        answer = await self._rest.ask(to, "GET", _post(refs[-1]), query={**_TOLD, "context": "edit"})
        body = http.fields(answer)
        if answer.status_code == 200 and id_of(body):
            if body.get("status") == "publish":
                return Finding(self._receipt(to, body))
            # in the trash or private: somebody did that. Scheduled: the publishing call can be repeated with that draft
            return Finding(absent=body.get("status") in {*_UNPUBLISHED, "future"})
        if code_of(answer) in _GONE:
            return Finding()  # somebody may have deleted the article since
        raise failure_of(answer, to)

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Move the article to the trash if the site has one, else delete it."""
        answer = await self._rest.ask(to, "DELETE", _post(provider_id), query=_TOLD)
        if code_of(answer) == "rest_trash_not_supported":
            answer = await self._rest.ask(to, "DELETE", _post(provider_id), query={**_TOLD, "force": "true"})
        if (answer.is_success and http.fields(answer)) or code_of(answer) in _GONE:
            return
        error = failure_of(answer, to)
        raise Refused(ErrorCode.removal_refused, detail=error.detail) if isinstance(error, Refused) else error

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Update all but the address, to which others may link."""
        article = article_of(post)
        media = [await self._upload(to, article, image) for image in post.images]
        body = await self._article_fields(to, article, media)
        answer = await self._rest.ask(to, "POST", _post(provider_id), query=_TOLD, within=UPLOAD, json=body)
        if answer.status_code == 200 and id_of(http.fields(answer)):
            require_categories(article, answer)
            return self._receipt(to, http.fields(answer))
        raise failure_of(answer, to)

    async def terms(self, to: Credentials) -> Taxonomy:
        return await read_terms(self._rest, to)

    async def probe(self, to: Credentials) -> None:
        answer = await self._me(to, "id")
        if answer.status_code != 200 or not id_of(http.fields(answer)):
            raise failure_of(answer, to)

    async def clock(self, to: Credentials) -> Clock:
        answer = await self._rest.ask(to, "GET", "/", query={"_fields": "gmt_offset,timezone_string"})
        facts = http.fields(answer)
        if answer.status_code != 200:
            raise failure_of(answer, to)
        try:
            ahead = timedelta(hours=float(facts["gmt_offset"]))
        except (KeyError, TypeError, ValueError, OverflowError):  # a plugin removes the field
            return Clock(http.clock_off(answer))
        hours, minutes = divmod(abs(round(ahead.total_seconds() / 60)), 60)
        shown = f"UTC{'-' if ahead < timedelta(0) else '+'}{hours:02}:{minutes:02}"
        return Clock(http.clock_off(answer), text_of(facts, "timezone_string")[:_LONGEST_ZONE] or shown, ahead)

    async def close(self) -> None:
        await self._rest.close()

    async def _me(self, to: Credentials, fields: str) -> httpx2.Response:
        return await self._rest.ask(to, "GET", _ME, query={"context": "edit", "_fields": fields})

    def _receipt(self, to: Credentials, body: Mapping[str, Any]) -> Receipt:
        made = id_of(body)
        address = self.permalink_in(text_of(body, "link"), to.base_url) or f"{to.base_url}/?p={made}"
        status = text_of(body, "status")
        return Receipt(made, address, text_of(body, "slug") or None, status if status != "publish" else None)

    @cached_property
    def _rest(self) -> Rest:
        return Rest(Outside.from_setting(self.settings.internal_servers))


def _sign_in_failure(answer: httpx2.Response, detail: str, facts: Mapping[str, Any]) -> ProviderError:
    """`facts`: the site's index, with its ways to sign in."""
    code = code_of(answer)
    error = failure(answer, detail, publishing=False)
    if error.retryable and code:
        return error
    if not code:  # a page, of any status
        return (
            error
            if answer.status_code == 429
            else Refused(ErrorCode.connect_site_answers_page, detail=detail, field="site")
        )
    methods = facts.get("authentication")
    if code in PASSWORDS_OFF or (
        code == "rest_not_logged_in" and isinstance(methods, dict | list) and "application-passwords" not in methods
    ):
        return Refused(ErrorCode.connect_app_passwords_off, detail=detail, field="app_password")
    if code == "rest_not_logged_in":
        return Refused(ErrorCode.connect_site_login_lost, detail=detail, field="site")
    if code in REST_OFF:
        return Refused(ErrorCode.connect_site_rest_off, detail=detail, field="site")
    if answer.status_code == 403:
        return Refused(ErrorCode.connect_may_not_publish, detail=detail, field="username")
    return Refused(ErrorCode.connect_login_refused, detail=detail, field=LOGIN_REFUSED.get(code, "username"))


def _planned(answer: httpx2.Response, post_id: str) -> bool:
    """Return whether the site has scheduled the post by its date there."""
    body = http.fields(answer)
    return answer.status_code == 200 and id_of(body) == post_id and body.get("status") == "future"


def _missing(person: Mapping[str, Any]) -> list[str]:
    """Return the required capabilities that the user lacks."""
    may = person.get("capabilities")
    return [one for one in CAPABILITIES if not (isinstance(may, dict) and may.get(one))]


def _host(site: str) -> str:
    """Return the host with its port, and with the scheme, which must not be downgraded."""
    parts = urlsplit(site)
    return f"{parts.scheme}://{parts.netloc.removeprefix('www.')}"


def _title(row: Mapping[str, Any]) -> str:
    """Return the title as it was sent. A site may store some characters as entities."""
    title = row.get("title")
    return html.unescape(text_of(title, "raw")).strip() if isinstance(title, dict) else ""


def _post(post_id: str) -> str:
    return f"{_POSTS}/{quote(post_id, safe='')}"


CHANNEL = WordPressChannel()
