"""What the tests of the API share."""

from typing import Any

import httpx2
import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy.ext.asyncio import AsyncEngine

from core.container import Services, wire
from core.database import open_sessions
from core.errors import ErrorCode
from core.settings import Settings
from tests.conftest import Networks


def quick_passwords(services: Services) -> PasswordHash:
    """Argon2 with the least work: what hashing costs is not what these tests are about."""
    hasher = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])
    vars(services.hashing)["hasher"] = hasher
    return hasher


@pytest.fixture(autouse=True)
def _passwords_cost_nothing(request: pytest.FixtureRequest) -> None:
    for name in {"services", "standing"} & set(request.fixturenames):
        quick_passwords(request.getfixturevalue(name))


@pytest.fixture
def standing(lasting: AsyncEngine, settings: Settings, networks: Networks) -> Services:
    """Services on a database where many connections see what others committed."""
    own = settings.model_copy(update={"database_url": lasting.url.render_as_string(hide_password=False)})
    return wire(own, lasting, open_sessions(lasting))


def refused(answer: httpx2.Response, status: int, code: ErrorCode) -> dict[str, Any]:
    """The problem document, once it says that."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code), problem
    return problem


def wrong_fields(answer: httpx2.Response, code: ErrorCode = ErrorCode.invalid_input) -> dict[str, str]:
    """Field path to code of a refused input."""
    return {error["field"]: error["code"] for error in refused(answer, 422, code)["errors"]}


def done(answer: httpx2.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None
