"""The rules for a new password."""

import pytest

from core.errors import ErrorCode
from core.users.rules.passwords import LONGEST, SHORTEST, password_problem

EMAIL = "mara@lindhof.example"


def _refused(password: str) -> ErrorCode | None:
    problem = password_problem(password, EMAIL)
    return problem.code if problem else None


@pytest.mark.parametrize(
    "password",
    # the first, the 3,000th and the 10,000th of the most used with ten characters, and newer ones
    [
        "qwertyuiop",
        "1234567890",
        "BasketBall",
        "password123",
        "huckleberry",
        "slavik1987",
        "summer2025",
        "welcome2022",
        "\uff50assword123",
    ],
)
def test_what_many_use_is_refused(password: str) -> None:
    assert _refused(password) is ErrorCode.password_common


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("x" * (SHORTEST - 1), ErrorCode.password_too_short),
        ("abcd" * 32 + "e", ErrorCode.password_too_long),
        ("aaabbbaaabbb", ErrorCode.password_common),  # three different characters at most
        ("mara@lindhof.example", ErrorCode.password_contains_email),
        ("it is Mara again", ErrorCode.password_contains_email),
    ],
)
def test_other_rules(password: str, code: ErrorCode) -> None:
    assert _refused(password) is code


@pytest.mark.parametrize(
    ("password", "params"),
    [("x" * (SHORTEST - 1), {"shortest": 10}), ("abcd" * 32 + "e", {"longest": 128}), ("qwertyuiop", {})],
)
def test_the_limits_are_told_at_the_password(password: str, params: dict[str, int]) -> None:
    problem = password_problem(password, EMAIL)
    assert problem is not None
    assert (problem.field, problem.params) == ("password", params)


@pytest.mark.parametrize(
    ("password", "email", "code"),
    [
        ("abcdabcdab", EMAIL, None),  # as short and as few different characters as may be
        ("abcabcabca", EMAIL, ErrorCode.password_common),
        ("MARA@lindhof.EXAMPLE", EMAIL, ErrorCode.password_contains_email),
        # a name of four letters counts, a shorter one is in too many words
        ("seven lions", "lion@lindhof.example", ErrorCode.password_contains_email),
        ("seven lions", "lio@lindhof.example", None),
        ("lindhof.example", EMAIL, None),
        ("a@b.example", "a@b.example", ErrorCode.password_contains_email),
    ],
)
def test_where_the_rules_begin(password: str, email: str, code: ErrorCode | None) -> None:
    problem = password_problem(password, email)
    assert (problem.code if problem else None) is code


@pytest.mark.parametrize(
    "password", ["four looms and a ladder", "Zwölf Spindeln drehen", "abcd" * (LONGEST // 4), "🧵🪡🧶🪢" * 3]
)
def test_any_characters_are_allowed(password: str) -> None:
    assert _refused(password) is None
