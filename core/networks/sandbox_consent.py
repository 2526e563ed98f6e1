"""Gives consent on the sandbox's consent page, which answers at once if the person is named."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from core.errors import ErrorCode, Misconfigured
from core.outgoing import http

_PATIENCE = timedelta(seconds=10)


async def consent(authorize_url: str, person: str) -> tuple[str, str]:
    """Return (state, code) from the consent page's redirect. Raise RetrySafe if nothing answers, Misconfigured if the
    address is not a sandbox."""
    async with http.client(base_url="", timeout=_PATIENCE) as browser:
        answer = await http.send(browser, "GET", f"{authorize_url}&sandbox_person={person}", publishing=False)
    back = parse_qs(urlsplit(answer.headers.get("location", "")).query)
    try:
        return back["state"][0], back["code"][0]
    except KeyError:
        raise Misconfigured(ErrorCode.provider_misconfigured, detail="SANDBOX_URL is not a sandbox") from None
