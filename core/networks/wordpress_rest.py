"""The REST API of a WordPress site: its address, the login of each call, and the meaning of its answers.

The API is below `/wp-json`, or, on sites with plain addresses, at `?rest_route=`. Both are tried, and again when a
site changes. Facts and sources: `docs/networks/wordpress.md`.
"""

import base64
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode

import httpx2

from core.errors import ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, Refused, RetrySafe
from core.networks.connections import Credentials
from core.networks.site_parts import CALL, KNOCK, LIMITED, MOST_REDIRECTS, REDIRECTS, Sites
from core.outgoing import http
from core.outgoing.destinations import Outside
from core.outgoing.http import text_of

LOGIN_REFUSED: Final = {
    "incorrect_password": "app_password",
    "invalid_username": "username",
    "invalid_email": "username",
}
"""Errors of a login, and the form field at fault."""
PASSWORDS_OFF: Final = frozenset({"application_passwords_disabled", "application_passwords_disabled_for_user"})
REST_OFF: Final = frozenset({"rest_no_route", "rest_disabled"})

_ITS_OWN = re.compile(r"/(wp-admin|wp-json|wp-login\.php|index\.php|xmlrpc\.php)(/.*)?$")
_UPLOAD_REFUSED = frozenset(
    {"rest_upload_no_content_disposition", "rest_upload_invalid_disposition", "rest_upload_no_data"}
    | {"rest_upload_file_too_big", "rest_upload_limited_space", "rest_upload_no_content_type"}
)


class Rest(Sites):
    def __init__(self, outside: Outside) -> None:
        super().__init__(outside, _ITS_OWN)
        self._plain: dict[str, bool] = {}

    async def discover(self, site: str) -> tuple[str, dict[str, Any]]:
        """Return the address at which the site's API answers, and what the site says of itself. Redirects are followed
        without a login, which no unknown server may get. Raise Refused with the parameter `field`."""
        for _ in range(MOST_REDIRECTS + 1):
            moved, first = None, None
            for plain in (False, True):
                answer = await self._request_index(site, plain=plain)
                body = http.fields(answer)
                if code_of(answer) in REST_OFF:
                    raise Refused(ErrorCode.connect_site_rest_off, detail=http.excerpt(answer), field="site")
                if isinstance(body.get("namespaces"), list) or code_of(answer):
                    if (moved := self._home_of(site, body)) is not None:
                        break
                    self._plain[site] = plain
                    return site, body
                if (moved := self.moved(site, answer)) is not None:
                    break
                first = first or answer
            if moved is None:
                assert first is not None
                raise _no_api(first)
            site = moved
        raise Refused(ErrorCode.connect_site_unreachable, detail="too many redirects", field="site")

    async def _request_index(self, site: str, *, plain: bool) -> httpx2.Response:
        address = _address(site, "/", {"_fields": "name,namespaces,authentication,home"}, plain=plain)
        try:
            answer = await http.send(
                self.client(site), "GET", address, publishing=False, within=KNOCK, max_bytes=http.MAX_LIST_BYTES
            )
        except ProviderError as error:
            raise Refused(ErrorCode.connect_site_unreachable, detail=error.detail, field="site") from error
        if answer.status_code == 429:
            raise failure(answer, http.excerpt(answer), publishing=False)
        return answer

    def _home_of(self, site: str, facts: Mapping[str, Any]) -> str | None:
        """Return the site's home if `site` is a page of it: with plain addresses the API answers at each page."""
        home = self.site_of(text_of(facts, "home"))
        return home if home and site.startswith(f"{home}/") else None

    async def ask(
        self,
        to: Credentials,
        method: str,
        route: str,
        *,
        query: Mapping[str, str] | None = None,
        within: timedelta = CALL,
        headers: Mapping[str, str] | None = None,
        **request: Any,
    ) -> httpx2.Response:
        """Make a call that publishes nothing."""
        first: httpx2.Response | None = None
        for plain in self._order(to.base_url):
            answer = await http.send(
                self.client(to.base_url),
                method,
                _address(to.base_url, route, query or {}, plain=plain),
                publishing=False,
                within=within,
                max_bytes=http.MAX_LIST_BYTES,
                headers={**signed(to), **(headers or {})},
                **request,
            )
            if not _is_elsewhere(method, answer):
                self._plain[to.base_url] = plain
                return answer
            first = first or answer
        assert first is not None
        return first

    async def publish(
        self,
        to: Credentials,
        route: str,
        api: httpx2.AsyncClient | httpx2.AsyncBaseTransport,
        *,
        query: Mapping[str, str],
        json: Mapping[str, Any],
    ) -> httpx2.Response:
        """Make the one call that publishes. The other address is tried only if the first leads to nothing."""
        client = self.client(to.base_url)
        answer: httpx2.Response | None = None
        for plain in self._order(to.base_url):
            address = _address(to.base_url, route, query, plain=plain)
            request = http.build(client, "POST", address, headers=signed(to), json=json)
            # a connection opened ahead is for one call
            answer = await http.ask(client if answer else api, request, publishing=True, within=CALL)
            if not _is_elsewhere("POST", answer):
                break
        assert answer is not None
        return answer

    def _order(self, site: str) -> tuple[bool, bool]:
        plain = self._plain.get(site, False)
        return plain, not plain


def signed(to: Credentials) -> dict[str, str]:
    """Return the header that authenticates a call."""
    return {"Authorization": f"Basic {_basic(to)}"}


def excerpt(answer: httpx2.Response, to: Credentials) -> str:
    return http.excerpt(answer, (to.access_token, _basic(to)))


def _basic(to: Credentials) -> str:
    return base64.b64encode(f"{to.external_id}:{to.access_token}".encode()).decode()


def code_of(answer: httpx2.Response) -> str:
    """Return an error's code, such as `rest_no_route`; empty if the API did not send it."""
    body = http.fields(answer)
    return text_of(body, "code") if isinstance(body.get("message"), str) else ""


def failure(
    answer: httpx2.Response, detail: str, *, publishing: bool, refused: ErrorCode = ErrorCode.delivery_refused
) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery. `refused`: the code if the content is
    refused."""
    status, code = answer.status_code, code_of(answer)
    ended = code in LOGIN_REFUSED or code in PASSWORDS_OFF or code in REST_OFF or code.startswith("rest_cannot_")
    if status == 401 or ended:
        return NeedsReconnect(detail=detail)
    if code in _UPLOAD_REFUSED:
        return Refused(ErrorCode.image_refused, detail=detail)
    match status:
        case 403 if code:  # without a code it comes from a firewall that refuses the content
            return NeedsReconnect(detail=detail)
        case 408:
            return http.lost(detail, publishing=publishing)
        case 412:  # the hash does not match: the upload was garbled
            return RetrySafe(detail=detail)
        case 426:
            return Misconfigured(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=http.retry_after(answer) or LIMITED)
        case _ if 300 <= status < 500:  # also if a site has moved: it is connected at its new address
            return Refused(refused, detail=detail)
    return http.lost(detail, publishing=publishing)


def failure_of(answer: httpx2.Response, to: Credentials) -> ProviderError:
    """Return the error for an answer to a call that publishes nothing."""
    return failure(answer, excerpt(answer, to), publishing=False)


def rows_of(answer: httpx2.Response, to: Credentials) -> list[dict[str, Any]]:
    """Return the rows of a list. Raise the error of an answer that is none."""
    rows = http.rows(answer)
    if answer.status_code != 200 or rows is None:
        raise failure_of(answer, to)
    return rows


def id_of(body: Mapping[str, Any]) -> str:
    """Return the id of a created or found item; empty if there is none."""
    value = body.get("id")
    return str(value) if type(value) is int and 0 < value < 2**63 else ""


def _no_api(answer: httpx2.Response) -> Refused:
    """Return the error for a site that answers without its API."""
    off = answer.status_code == 404
    code = ErrorCode.connect_site_rest_off if off else ErrorCode.connect_site_answers_page
    return Refused(code, detail=http.excerpt(answer), field="site")


def _address(site: str, route: str, query: Mapping[str, str], *, plain: bool) -> str:
    if plain:
        return f"{site}/?{urlencode({'rest_route': route, **query})}"
    return f"{site}/wp-json{route}{'?' if query else ''}{urlencode(query)}"


def _is_elsewhere(method: str, answer: httpx2.Response) -> bool:
    """Return whether the API certainly did not receive the call: the answer is a page."""
    if http.fields(answer) or http.rows(answer) is not None:
        return False
    return answer.status_code == 404 or (method == "GET" and answer.status_code in {200, *REDIRECTS})
