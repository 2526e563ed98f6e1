"""Removes secrets from providers' texts and limits their length."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import quote

EXCERPT_BYTES: Final = 4000
LEAST_CONCEALED: Final = 8
"""Minimum characters. A shorter secret may be a common word, which would be cut from the texts of all users."""

_concealed: set[str] = set()
_BEARER = re.compile(r"(?i)(bearer\s+)[\w.~+/=-]+")
_NAMED_SECRET = re.compile(
    r"""(?ix) \b( (?:access|refresh|id)_?token | client_secret | api_key | code_verifier )
        (["']? \s* [=:] \s* ["']?) [^\s"'&,}<]+"""
)


def redact(text: str, secrets: Collection[str] = ()) -> str:
    """Return `text` without the given secrets, plain or URL-encoded, and without texts like tokens."""
    for secret in filter(None, (*secrets, *_concealed)):
        # a secret may contain anything, even lone surrogates
        for spelt in (secret, quote(secret, safe="", errors="replace"), quote(secret, errors="replace")):
            text = text.replace(spelt, "…")
    return _NAMED_SECRET.sub(r"\1\2…", _BEARER.sub(r"\1…", text))


def conceal(secret: str | None) -> None:
    """Remove `secret` from every excerpt and provider message from now on. A secret shorter than LEAST_CONCEALED is
    only removed from its own account's exchanges, where it is passed to `redact`."""
    if secret and len(secret) >= LEAST_CONCEALED:
        _concealed.add(secret)


def clip(text: str) -> str:
    """Return at most 4 kB of a provider's text, without secrets."""
    text = redact(text)  # redact before cutting: half a token would not be recognized
    text = text.replace("\0", "")  # the database allows neither NUL nor lone surrogates
    return text.encode(errors="ignore")[:EXCERPT_BYTES].decode(errors="ignore")
