"""What is kept of a provider's words: never a secret, and not more than anybody reads."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import quote

EXCERPT_BYTES: Final = 4000
LEAST_CONCEALED: Final = 8
"""Characters. A shorter secret may be a common word: it would be cut out of what every other user reads."""

_concealed: set[str] = set()
_BEARER = re.compile(r"(?i)(bearer\s+)[\w.~+/=-]+")
_NAMED_SECRET = re.compile(
    r"""(?ix) \b( (?:access|refresh|id)_?token | client_secret | api_key | code_verifier )
        (["']? \s* [=:] \s* ["']?) [^\s"'&,}<]+"""
)


def redact(text: str, secrets: Collection[str] = ()) -> str:
    """`text` without the given secrets, as they are or as an address has them, and without anything written like a
    token."""
    for secret in filter(None, (*secrets, *_concealed)):
        # a server may call anything its secret, halves of characters too
        for spelt in (secret, quote(secret, safe="", errors="replace"), quote(secret, errors="replace")):
            text = text.replace(spelt, "…")
    return _NAMED_SECRET.sub(r"\1\2…", _BEARER.sub(r"\1…", text))


def conceal(secret: str | None) -> None:
    """Keep `secret` out of every excerpt and message of a provider from now on, whoever repeats it. A secret shorter
    than LEAST_CONCEALED is left out of the exchanges of its own account alone, where `redact` is told it."""
    if secret and len(secret) >= LEAST_CONCEALED:
        _concealed.add(secret)


def clip(text: str) -> str:
    """What is kept of a provider's words: at most 4 kB, without what is secret."""
    text = redact(text)  # before the cut: half a token would not be recognised
    text = text.replace("\0", "")  # no database keeps it, and no halves of characters
    return text.encode(errors="ignore")[:EXCERPT_BYTES].decode(errors="ignore")
