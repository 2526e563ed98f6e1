"""A person's yes on a consent page of the sandbox, which answers at once to whoever names the person."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from core.errors import ErrorCode, Misconfigured
from core.outgoing import http

_PATIENCE = timedelta(seconds=10)


async def consent(authorize_url: str, person: str) -> tuple[str, str]:
    """(state, code), as the page sends them back. Raises RetrySafe where nobody answers, Misconfigured where the
    address is none of a sandbox."""
    async with http.client(base_url="", timeout=_PATIENCE) as browser:
        answer = await http.send(browser, "GET", f"{authorize_url}&sandbox_person={person}", publishing=False)
    back = parse_qs(urlsplit(answer.headers.get("location", "")).query)
    try:
        return back["state"][0], back["code"][0]
    except KeyError:
        raise Misconfigured(ErrorCode.provider_misconfigured, detail="SANDBOX_URL is no sandbox") from None
