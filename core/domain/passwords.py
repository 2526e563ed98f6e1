"""What a password must be: long enough, not everybody's, not the e-mail."""

from functools import cache
from importlib.resources import files

from core.domain.errors import ErrorCode, FieldError

SHORTEST, LONGEST = 10, 128


@cache
def _common() -> frozenset[str]:
    return frozenset((files("core.domain") / "common_passwords.txt").read_text().split())


def password_problem(password: str, email: str) -> FieldError | None:
    """The first rule it breaks. Any characters are allowed."""
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
