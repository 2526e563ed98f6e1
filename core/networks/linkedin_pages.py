"""LinkedIn: pages of organisations, with a separate app.

Publishing works as for people (`linkedin`), but a page's images and posts can be read: an uploaded image is used once
it is ready, and after an ambiguous call the page's posts are listed.
"""

import asyncio
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx2
from pydantic import SecretStr

from core.clock import utcnow
from core.errors import ErrorCode, ProviderError, Refused, RetrySafe, RoleLost
from core.networks.base import AppPermission, Traits
from core.networks.connections import (
    Connection,
    Credentials,
    Grant,
    Granted,
    OAuthFlow,
    Profile,
    Standing,
    ignore_grant,
)
from core.networks.linkedin import COMMUNITY_MANAGEMENT, LinkedInChannel, comments_path, retry_unknown_token, scopes_in
from core.networks.linkedin_documents import is_document
from core.networks.linkedin_posts import author_of, unescape
from core.networks.linkedin_videos import is_video
from core.networks.posts import Finding, Outgoing, Receipt
from core.networks.rules.channels import AccountType, ChannelKind
from core.outgoing import http
from core.outgoing.http import text_of
from core.texts.rules.mentions import named_mentions

FIND_WAITS = (30.0, 30.0)
"""Seconds between reads of a page's posts: only three empty reads over a minute prove absence."""
LIST_COUNT: Final = 100
MOST_LISTS: Final = 10
_FIND_MARGIN: Final = timedelta(minutes=2)
_FIND_LISTS: Final = 5
_READY_AGAIN: Final = timedelta(seconds=5)
_ROLES_WITHIN: Final = timedelta(seconds=5)
_AT_ONCE: Final = 5
"""How many pages' names are read at the same time."""
_ROLES: Final = ("ADMINISTRATOR", "CONTENT_ADMIN")
_MAY_POST: Final = frozenset((*_ROLES, "CONTENT_ADMINISTRATOR"))
# a showcase page is listed as a brand, and addressed as an organisation with the same number
_ORGANISATION: Final = re.compile(r"urn:li:organization(?:Brand)?:(\d+)")
_ASSET: Final = re.compile(r"urn:li:(?:digitalmediaAsset|image):([\w-]+)")


class _ReadingForbidden(Exception):
    """The account may post, but not read its posts."""


class LinkedInPagesChannel(LinkedInChannel):
    kind = ChannelKind.linkedin_pages
    label = "LinkedIn Pages"
    connection = Connection(consent=True, settings=("LINKEDIN_PAGES_CLIENT_ID", "LINKEDIN_PAGES_CLIENT_SECRET"))
    app_permissions = (
        AppPermission("first comments", "w_organization_social_feed", COMMUNITY_MANAGEMENT, "LINKEDIN_PAGES_SCOPES"),
    )
    traits = Traits(
        repeats_refused=True,
        can_list_own=True,
        several_accounts=True,
        comment_permission=app_permissions[0],
    )
    # without OpenID: an app that may post for pages may have no other product
    needed = ("r_organization_social", "w_organization_social", "rw_organization_admin")
    reads_images = True

    @property
    def scopes(self) -> tuple[str, ...]:
        return scopes_in(self.settings.pages_scopes)

    def app(self) -> tuple[str | None, SecretStr | None]:
        return self.settings.pages_client_id, self.settings.pages_client_secret

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self.auth_url}/company/{external_id}/posts/"

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """As for people. The id of the person who consented is read from their roles."""
        grant = await super().exchange(flow, code, granted)
        for role in _ROLES:
            for row in await self._roles(grant.access_token, role):
                if person := text_of(row, "roleAssignee"):
                    return replace(grant, subject=person)
        return grant

    async def profiles(self, grant: Grant) -> list[Profile]:
        """Return the pages that the person may post for. Raise Refused with connect_no_page or connect_role_too_low."""
        able = await self._postable_pages(grant.access_token)
        if not able:
            try:
                roles = await self._roles(grant.access_token)
            except Refused:  # without a role filter LinkedIn may refuse the list
                roles = []
            able = _pages([row for row in roles if text_of(row, "role") in _MAY_POST])
            if not able:
                raise Refused(ErrorCode.connect_role_too_low if _pages(roles) else ErrorCode.connect_no_page)
        turns = asyncio.Semaphore(_AT_ONCE)
        return list(await asyncio.gather(*(self._profile(grant.access_token, page, turns) for page in able)))

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        """Add the role at the page, if its permission is still granted, and whether the page's posts can be read, which
        `find` needs."""
        of_token = await super().standing(grant, to)
        if of_token.missing:
            return of_token
        may_post = to.external_id in await self._postable_pages(grant.access_token)
        may_read = (await self._posts(to, 0, 1)).status_code != 403 if may_post else None
        return replace(of_token, may_post=may_post, may_read=may_read)

    async def _postable_pages(self, token: str) -> list[str]:
        """Return the ids of the pages for which the person has a posting role."""
        return _pages([row for role in _ROLES for row in await self._roles(token, role)])

    async def _roles(self, token: str, role: str = "") -> list[dict[str, Any]]:
        """Return the person's roles at pages, or those of one kind. Raise Refused (connect_failed)."""
        rows: list[dict[str, Any]] = []
        for at in range(MOST_LISTS):
            wanted = {"role": role} if role else {}
            window = {"state": "APPROVED", "start": at * LIST_COUNT, "count": LIST_COUNT}
            path = f"/rest/organizationAcls?{urlencode({'q': 'roleAssignee', **wanted, **window})}"
            response = await retry_unknown_token(partial(self.rest, _by(token), "GET", path))
            elements = http.fields(response).get("elements")
            if response.status_code != 200 or not isinstance(elements, list):
                raise self.not_connected(response, token)
            rows += [row for row in elements if isinstance(row, dict) and row.get("state", "APPROVED") == "APPROVED"]
            if len(elements) < LIST_COUNT:
                break
        return rows

    async def _profile(self, token: str, page: str, turns: asyncio.Semaphore) -> Profile:
        async with turns:
            response = await self.rest(_by(token), "GET", f"/rest/organizations/{page}")
            if response.status_code in (401, 426, 429) or response.status_code >= 500:
                raise self.not_connected(response, token)
            facts = http.fields(response) if response.status_code == 200 else {}
            name = text_of(facts, "localizedName") or text_of(facts, "vanityName") or page
            return Profile(page, name, AccountType.organisation, await self._picture(token, facts))

    async def _picture(self, token: str, facts: dict[str, Any]) -> str | None:
        """Return the address of a page's logo, an image named as an asset; None if it cannot be read."""
        logo = facts.get("logoV2")
        found = _ASSET.fullmatch(text_of(logo, "original")) if isinstance(logo, dict) else None
        if found is None:
            return None
        response = await self.rest(_by(token), "GET", f"/rest/images/{quote(f'urn:li:image:{found[1]}', safe='')}")
        return (text_of(http.fields(response), "downloadUrl") or None) if response.status_code == 200 else None

    def grace(self) -> timedelta:
        return timedelta(0)  # `ready` reports it

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        if refs and (is_document(refs[0]) or is_video(refs[0])):
            return await super().ready(to, refs)
        for urn in refs:
            response = await self.rest(to, "GET", f"/rest/images/{quote(urn, safe='')}")
            if response.status_code in (401, 403, 426, 429):
                raise await self.refused(response, to)
            # any other read that fails says nothing about the image
            status = text_of(http.fields(response), "status") if response.status_code == 200 else ""
            if status == "PROCESSING_FAILED":
                raise Refused(ErrorCode.image_refused, detail=http.excerpt(response, (to.access_token,)))
            if status != "AVAILABLE":
                return _READY_AGAIN
        return None

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Takes a minute before it reports absence."""
        for wait in (0.0, *FIND_WAITS):
            await asyncio.sleep(wait)
            try:
                read = await self._same(to, post, refs, since - _FIND_MARGIN)
            except _ReadingForbidden:
                return Finding(unreadable=True)
            if read is None or len(read) > 1:
                return Finding()
            if read:
                return Finding(Receipt(read[0], self.permalink(read[0])))
        return Finding(absent=True)

    async def _same(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], since: datetime) -> list[str] | None:
        """Return the ids of the page's posts since then with the same text, or, without text, the same images; None if
        not all can be read. Raise _ReadingForbidden."""
        wanted, found = _normalise(named_mentions(post.text)), list[str]()
        for page in range(_FIND_LISTS):
            response = await self._posts(to, page * LIST_COUNT, LIST_COUNT)
            if response.status_code == 403:
                raise _ReadingForbidden
            elements = http.fields(response).get("elements")
            if response.status_code != 200 or not isinstance(elements, list):
                raise await self.refused(response, to)
            posts = [element for element in elements if isinstance(element, dict)]
            recent = [post for post in posts if _created(post) >= since]
            found += [
                text_of(one, "id")
                for one in recent
                if text_of(one, "lifecycleState") in ("", "PUBLISHED")
                and _normalise(unescape(text_of(one, "commentary"))) == wanted
                and (wanted or _images_of(one) == set(refs))
            ]
            if len(elements) < LIST_COUNT or len(recent) < len(posts):
                return found
        return None

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Search among the post's newest comments by the page. The scope to read them may be missing."""
        path = f"{comments_path(provider_id)}?start=0&count={LIST_COUNT}"
        response = await self.rest(to, "GET", path, max_bytes=http.MAX_LIST_BYTES)
        if response.status_code in (403, 404):  # nothing can be proved; 404: the post no longer exists
            return Finding(unreadable=response.status_code == 403)
        elements = http.fields(response).get("elements")
        if response.status_code != 200 or not isinstance(elements, list):
            raise await self.refused(response, to)
        wanted, actor = _normalise(named_mentions(text)), author_of(to)
        for one in elements:
            message = one.get("message") if isinstance(one, dict) else None
            if (
                isinstance(message, dict)
                and text_of(one, "actor") == actor
                and _normalise(text_of(message, "text")) == wanted
            ):
                return Finding(Receipt(text_of(one, "$URN") or text_of(one, "id") or None, None))
        if (left := since + timedelta(seconds=sum(FIND_WAITS)) - utcnow()) > timedelta(0):
            raise RetrySafe(detail="a new comment may not be listed yet", retry_after=left)
        return Finding(absent=len(elements) < LIST_COUNT)

    async def _posts(self, to: Credentials, start: int, count: int) -> httpx2.Response:
        """Return the page's own posts, newest first."""
        query = f"q=author&author={quote(author_of(to), safe='')}&start={start}&count={count}&sortBy=CREATED"
        finder = {"X-RestLi-Method": "FINDER"}
        return await self.rest(to, "GET", f"/rest/posts?{query}", headers=finder, max_bytes=http.MAX_LIST_BYTES)

    async def verify_duplicate(self, to: Credentials, provider_id: str) -> Receipt | None:
        """Read the post, which may have been deleted since."""
        response = await self.rest(to, "GET", f"/rest/posts/{quote(provider_id, safe='')}")
        if response.status_code == 404:
            return None
        if response.status_code != 200:
            raise await self.refused(response, to)
        return await super().verify_duplicate(to, provider_id)

    async def refused(self, response: httpx2.Response, to: Credentials, *, publishing: bool = False) -> ProviderError:
        failure = await super().refused(response, to, publishing=publishing)
        if response.status_code == 403 and await self._role_lost(to):
            return RoleLost(detail=failure.detail)
        return failure

    async def _role_lost(self, to: Credentials) -> bool:
        """Return whether only the role at this page is lost, while the grant is valid."""
        try:
            async with asyncio.timeout(_ROLES_WITHIN.total_seconds()):
                return to.external_id not in await self._postable_pages(to.access_token)
        except (ProviderError, TimeoutError):  # unknown: the whole grant is reconnected, which shows it
            return False


def _by(token: str) -> Credentials:
    """Return credentials of the person who consented, without a page."""
    return Credentials("", AccountType.organisation, token)


def _pages(rows: list[dict[str, Any]]) -> list[str]:
    """Return the distinct ids of the organisations in role rows."""
    found = (_ORGANISATION.fullmatch(text_of(row, "organization")) for row in rows)
    return list(dict.fromkeys(one[1] for one in found if one))


def _created(post: dict[str, Any]) -> datetime:
    """Return a post's time. Without one it counts as new, so that a doubt never leads to posting twice."""
    milliseconds = post.get("createdAt")
    seconds = milliseconds // 1000 if isinstance(milliseconds, int) else None
    return http.later(datetime(1970, 1, 1, tzinfo=UTC), seconds) or datetime.max.replace(tzinfo=UTC)


def _images_of(post: Mapping[str, Any]) -> set[str]:
    """The ids of a post's images."""
    content = post.get("content")
    content = content if isinstance(content, dict) else {}
    several = content.get("multiImage")
    listed = several.get("images") if isinstance(several, dict) else None
    media = [content.get("media"), *(listed if isinstance(listed, list) else [])]
    return {text_of(one, "id") for one in media if isinstance(one, dict)}


def _normalise(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


CHANNEL = LinkedInPagesChannel()
