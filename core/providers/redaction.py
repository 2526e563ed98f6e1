"""What is kept of a provider's words: never a secret, and not more than anybody reads."""

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import quote

EXCERPT_BYTES: Final = 4000

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
    """From now on no excerpt and no message of a provider holds it, whoever echoes it."""
    if secret:
        _concealed.add(secret)


def clip(text: str) -> str:
    """What is kept of a provider's words: at most 4 kB, without what is secret."""
    text = redact(text)  # before the cut: half a token would not be recognised
    text = text.replace("\0", "")  # no database keeps it, and no halves of characters
    return text.encode(errors="ignore")[:EXCERPT_BYTES].decode(errors="ignore")
