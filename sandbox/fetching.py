"""Fetch pictures from a URL, as strictly as the real networks do."""

import httpx2

SECONDS = 10
MAX_BYTES = 12_000_000


class TemporaryFailure(ValueError):
    """The fetch failed, but may succeed later."""


async def fetch(url: str) -> bytes:
    """Return the content of the URL, without following redirects. Raise TemporaryFailure if the fetch may succeed
    later, else ValueError with the reason."""
    if not url.isascii() or not url.startswith(("http://", "https://")):
        raise ValueError("the URL must be a web address in ASCII")
    try:
        async with httpx2.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False) as http:
            answer = await http.get(url)
    except httpx2.InvalidURL as error:
        raise ValueError("the URL is invalid") from error
    except httpx2.HTTPError as error:
        raise TemporaryFailure(type(error).__name__) from error
    if answer.status_code == 429 or answer.status_code >= 500:
        raise TemporaryFailure(f"the server answers {answer.status_code}")
    if answer.status_code != 200:
        raise ValueError(f"the server answers {answer.status_code}")
    if len(answer.content) > MAX_BYTES:
        raise ValueError("the picture is too large")
    return answer.content
