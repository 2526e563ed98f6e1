"""The Admin API of a Ghost site: its address, the signature of each call, and the meaning of its answers.

Each call carries its own token, signed with the secret half of the site's key; the secret itself is never sent. Facts
and sources: `docs/networks/ghost.md`.
"""

import base64
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import httpx2

from core.errors import ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, Refused, RetrySafe
from core.networks.connections import Credentials
from core.networks.site_parts import CALL, KNOCK, LIMITED, MOST_REDIRECTS, Sites
from core.outgoing import http
from core.outgoing.destinations import Outside
from core.outgoing.http import text_of

API: Final = "/ghost/api/admin"
VERSION: Final = "v5.0"
OLDEST: Final = 5
"""The first major version whose API has no version in its addresses."""
TOKEN_LIFE: Final = timedelta(minutes=5)
"""The longest that Ghost accepts, so that a smaller clock difference does no harm."""

SHORT: Final = {"formats": "plaintext"}
"""An answer contains the whole article; as plain text it is a fifth of the editor's format."""

_ITS_OWN: Final = re.compile(r"/ghost(/.*)?$")
_KEY: Final = re.compile(r"([0-9a-f]{24}):([0-9a-f]{64})")
_ID: Final = re.compile(r"[0-9a-f]{24}")
_KEY_CODES: Final = frozenset({"INVALID_JWT", "MISSING_ADMIN_API_KID", "UNKNOWN_ADMIN_API_KEY", "INVALID_API_KEY_TYPE"})


@dataclass(frozen=True)
class Key:
    """An Admin API key."""

    id: str
    secret: str = field(repr=False)

    @classmethod
    def of(cls, text: str) -> "Key | None":
        """Return the key, or None if the format is wrong."""
        found = _KEY.fullmatch(text.strip())
        return cls(*found.groups()) if found else None

    def token(self) -> str:
        """Return a JWT (HS256) for one call."""
        now = int(time.time())
        head = {"alg": "HS256", "typ": "JWT", "kid": self.id}
        claims = {"iat": now, "exp": now + int(TOKEN_LIFE.total_seconds()), "aud": "/admin/"}
        signed = f"{_part(json.dumps(head).encode())}.{_part(json.dumps(claims).encode())}"
        return f"{signed}.{_part(hmac.digest(bytes.fromhex(self.secret), signed.encode(), 'sha256'))}"


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Admin(Sites):
    def __init__(self, outside: Outside) -> None:
        super().__init__(outside, _ITS_OWN)

    async def discover(self, site: str) -> tuple[str, dict[str, Any]]:
        """Return the address at which the site's API answers, maybe on another domain, and what the site says of
        itself. No key is sent before both are known. Raise Refused with the parameter `field`."""
        for _ in range(MOST_REDIRECTS + 1):
            try:
                answer = await http.send(
                    self.client(site), "GET", f"{site}{API}/site/", publishing=False, within=KNOCK, headers=_VERSIONED
                )
            except ProviderError as error:
                raise Refused(ErrorCode.connect_site_unreachable, detail=error.detail, field="site") from error
            if answer.status_code == 429:
                raise failure(answer, http.excerpt(answer), publishing=False)
            if (facts := site_in(answer)) is not None:
                if _major_version(facts) < OLDEST:
                    detail = text_of(facts, "version")[:40]
                    raise Refused(ErrorCode.connect_site_outdated, detail=detail, field="site", version=OLDEST)
                return site, facts
            if (moved := self.moved(site, answer)) is None:
                raise Refused(ErrorCode.connect_site_other_kind, detail=http.excerpt(answer), field="site")
            site = moved
        raise Refused(ErrorCode.connect_site_unreachable, detail="too many redirects", field="site")

    async def ask(
        self,
        to: Credentials,
        method: str,
        route: str,
        *,
        query: Mapping[str, str] | None = None,
        within: timedelta = CALL,
        **request: Any,
    ) -> httpx2.Response:
        """Make a call that publishes nothing."""
        address = str(httpx2.URL(f"{to.base_url}{API}{route}", params=dict(query or {})))
        return await http.send(
            self.client(to.base_url),
            method,
            address,
            publishing=False,
            within=within,
            max_bytes=http.MAX_LIST_BYTES,
            headers=signed(to),
            **request,
        )

    async def publish(
        self,
        to: Credentials,
        route: str,
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport | None,
        row: Mapping[str, Any],
    ) -> httpx2.Response:
        """Make the one call that publishes. `api`: a connection opened ahead, for one call."""
        client = self.client(to.base_url)
        request = http.build(
            client, "PUT", f"{to.base_url}{API}{route}", params=SHORT, headers=signed(to), json={"posts": [row]}
        )
        return await http.ask(api or client, request, publishing=True, within=CALL)


_MENDING: Final = timedelta(minutes=5)
"""A wait for a person's fix, which is not checked every few seconds."""
_VERSIONED: Final = {"Accept-Version": VERSION}


def signed(to: Credentials) -> dict[str, str]:
    """Return the headers that sign a call. Raise NeedsReconnect if no key is stored."""
    key = Key.of(to.access_token)
    if key is None:
        raise NeedsReconnect(detail="the stored key is malformed")
    return {**_VERSIONED, "Authorization": f"Ghost {key.token()}"}


def excerpt(answer: httpx2.Response, to: Credentials) -> str:
    return http.excerpt(answer, (to.access_token, to.access_token.partition(":")[2]))


def failure(
    answer: httpx2.Response, detail: str, *, publishing: bool, refused: ErrorCode = ErrorCode.delivery_refused
) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery. `refused`: the code if the content is
    refused."""
    status, (kind, code) = answer.status_code, problem_in(answer)
    off = http.clock_off(answer)
    if code == "INVALID_JWT" and off is not None and abs(off) >= TOKEN_LIFE:
        return RetrySafe(ErrorCode.site_clock_differs, detail=detail, retry_after=_MENDING)
    if status == 401 or code in _KEY_CODES:
        return NeedsReconnect(detail=detail)
    match status:
        case 403 if kind:  # without an error of Ghost's it comes from a firewall that refuses the content
            return NeedsReconnect(detail=detail)
        case 406 if code == "UPDATE_CLIENT":
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        case 408:
            return http.lost(detail, publishing=publishing)
        case 409:  # somebody has changed the post meanwhile: nothing was done
            return RetrySafe(detail=detail)
        case 426:
            return Misconfigured(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=http.retry_after(answer) or LIMITED)
        case _ if 300 <= status < 500:  # also if a site has moved: it is connected at its new address
            return Refused(refused, detail=detail)
    return http.lost(detail, publishing=publishing)


def problem_in(answer: httpx2.Response) -> tuple[str, str]:
    """Return kind and code of an error, such as `UnauthorizedError` and `INVALID_JWT`; empty if Ghost did not send
    it."""
    errors = http.fields(answer).get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    return (text_of(first, "type"), text_of(first, "code")) if isinstance(first, dict) else ("", "")


def site_in(answer: httpx2.Response) -> dict[str, Any] | None:
    """Return what a site says of itself, or None if the answer is not Ghost's."""
    site = http.fields(answer).get("site") if answer.status_code == 200 else None
    return site if isinstance(site, dict) and text_of(site, "url") and text_of(site, "version") else None


def post_in(answer: httpx2.Response) -> dict[str, Any]:
    """Return the one post of an answer; empty if there is none with an id."""
    rows = http.fields(answer).get("posts") if answer.is_success else None
    first = rows[0] if isinstance(rows, list) and len(rows) == 1 else None
    return first if isinstance(first, dict) and is_id(text_of(first, "id")) else {}


def is_id(text: str) -> bool:
    return bool(_ID.fullmatch(text))


def _major_version(facts: Mapping[str, Any]) -> int:
    found = re.match(r"v?(\d{1,4})\.", text_of(facts, "version"))
    return int(found[1]) if found else 0
