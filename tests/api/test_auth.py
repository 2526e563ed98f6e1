"""Sign-up by invitation, sign-in, sign-out."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
import time_machine
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import func, select

from core.container import Services
from core.domain.errors import ErrorCode
from core.models import AccessToken, Invitation, User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing

PASSWORD = "loom over warp and weft"


def form(code: str, **more: Any) -> dict[str, Any]:
    return {
        "email": "Mara.Lind@Example.com",
        "password": PASSWORD,
        "invitation_code": code,
        "language": "de",
        "time_zone": "Europe/Berlin",
        "consent": True,
        **more,
    }


async def sign_in(client: httpx2.AsyncClient, email: str, password: str = PASSWORD) -> httpx2.Response:
    return await client.post("/auth/login/", json={"email": email, "password": password})


@pytest.fixture
async def code(services: Services) -> str:
    return await services.identity.invite(None)


async def test_a_code_makes_a_user_who_is_signed_in(anonymous: httpx2.AsyncClient, code: str) -> None:
    typed = f" {code.lower().replace('-', ' ')} "
    token = done(await anonymous.post("/auth/signup/", json=form(typed)), 201)["token"]
    me = done(await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {token}"}))
    assert me["email"] == "Mara.Lind@example.com"
    assert (me["language"], me["time_zone"], me["is_email_verified"]) == ("de", "Europe/Berlin", False)


async def test_only_the_hash_of_a_token_is_stored(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    token = done(await anonymous.post("/auth/signup/", json=form(code)), 201)["token"]
    async with services.sessions() as session:
        stored = list(await session.scalars(select(AccessToken.token_hash)))
        secrets = list(await session.execute(select(Invitation.code_hash, Invitation.code_encrypted)))
    assert stored
    assert token not in stored
    assert all(code.replace("-", "") not in value for row in secrets for value in row)


@pytest.mark.parametrize(
    ("change", "field", "expected"),
    [
        ({"email": "nobody"}, "email", ErrorCode.invalid_email),
        ({"email": ""}, "email", ErrorCode.invalid_email),
        ({"password": "short"}, "password", ErrorCode.password_too_short),
        ({"password": "x1Ä" * 43}, "password", ErrorCode.password_too_long),
        ({"password": "1234567890"}, "password", ErrorCode.password_common),
        ({"password": "mara.lind knows"}, "password", ErrorCode.password_contains_email),
        ({"consent": False}, "consent", ErrorCode.consent_required),
        ({"invitation_code": "AAAAA-AAAAA"}, "invitation_code", ErrorCode.invitation_invalid),
        ({"invitation_code": ""}, "invitation_code", ErrorCode.invitation_invalid),
        ({"language": "fr"}, "language", ErrorCode.invalid_input),
        ({"password": "loom over\0 warp and weft"}, "password", ErrorCode.invalid_input),
        ({"email": "mara\0@example.com"}, "email", ErrorCode.invalid_input),
        ({"nickname": "Mara"}, "nickname", ErrorCode.invalid_input),
    ],
)
async def test_what_is_wrong_is_named_and_nothing_is_saved(
    anonymous: httpx2.AsyncClient,
    code: str,
    services: Services,
    change: dict[str, Any],
    field: str,
    expected: ErrorCode,
) -> None:
    answer = await anonymous.post("/auth/signup/", json=form(code, **change))
    assert wrong_fields(answer) == {field: expected}
    assert PASSWORD not in answer.text
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(User)) == 0
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)  # the code is still good


async def test_all_that_is_wrong_is_told_at_once(anonymous: httpx2.AsyncClient, code: str) -> None:
    answer = await anonymous.post("/auth/signup/", json=form(code, email="x", password="y", consent=False))
    assert set(wrong_fields(answer)) == {"email", "password", "consent"}


async def test_a_code_is_used_once(anonymous: httpx2.AsyncClient, code: str) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    again = await anonymous.post("/auth/signup/", json=form(code, email="somebody@example.com"))
    assert wrong_fields(again) == {"invitation_code": ErrorCode.invitation_invalid}


async def test_a_code_expires(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    with time_machine.travel(datetime.now(UTC) + timedelta(days=services.settings.invitation_days, seconds=1)):
        answer = await anonymous.post("/auth/signup/", json=form(code))
    assert wrong_fields(answer) == {"invitation_code": ErrorCode.invitation_invalid}


async def test_who_has_an_account_is_told_only_to_holders_of_a_code(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    outside = await anonymous.post("/auth/signup/", json=form("AAAAA-AAAAA"))
    assert wrong_fields(outside) == {"invitation_code": ErrorCode.invitation_invalid}
    another = await services.identity.invite(None)
    inside = await anonymous.post("/auth/signup/", json=form(another, email="MARA.LIND@example.com"))
    assert wrong_fields(inside) == {"email": ErrorCode.email_taken}


async def test_an_unknown_time_zone_of_a_browser_does_not_keep_anybody_out(
    anonymous: httpx2.AsyncClient, code: str
) -> None:
    answer = await anonymous.post("/auth/signup/", json=form(code, time_zone="Etc/Unknown"))
    token = done(answer, 201)["token"]
    me = done(await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {token}"}))
    assert me["time_zone"] == "UTC"


@pytest.mark.parametrize("one_address", [True, False])
async def test_fifty_at_once_with_one_code_make_one_user(standing: Services, away: Gateway, one_address: bool) -> None:
    code = await standing.identity.invite(None)
    async with browsing(standing, away) as client:
        answers = await asyncio.gather(
            *(
                client.post("/auth/signup/", json=form(code, email=f"mara{'' if one_address else at}@example.com"))
                for at in range(50)
            )
        )
    assert sorted(answer.status_code for answer in answers) == [201] + [422] * 49
    assert {tuple(wrong_fields(answer).values()) for answer in answers if answer.status_code == 422} <= {
        (ErrorCode.invitation_invalid,),
        (ErrorCode.email_taken,),
    }
    async with standing.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(User)) == 1
        assert await session.scalar(select(func.count()).select_from(AccessToken)) == 1


@pytest.mark.parametrize(
    ("signed_up", "typed"),
    [
        ("mara@example.com", " MARA@EXAMPLE.COM "),
        ("straße@example.com", "straße@example.com"),
        ("Ärmel@bücher.example.com", "Ärmel@xn--bcher-kva.example.com"),
        ("jo\u0308rg@example.com", "j\u00f6rg@example.com"),
    ],
)
async def test_an_address_is_known_in_other_spellings(
    anonymous: httpx2.AsyncClient, code: str, signed_up: str, typed: str
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code, email=signed_up)), 201)
    done(await sign_in(anonymous, typed))


async def test_spaces_of_a_password_count(anonymous: httpx2.AsyncClient, code: str) -> None:
    password = "  warp and weft  "
    done(await anonymous.post("/auth/signup/", json=form(code, password=password)), 201)
    done(await sign_in(anonymous, form(code)["email"], password))
    refused(await sign_in(anonymous, form(code)["email"], password.strip()), 422, ErrorCode.login_failed)


class Watched(Argon2Hasher):
    """Notes what is hashed or checked, with which work, and in which thread."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.did: list[str] = []
        self.threads: set[threading.Thread] = set()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self._note("hash")
        return super().hash(password, salt=salt)

    def verify(self, password: str | bytes, hash: str | bytes) -> bool:
        self._note(f"verify {str(hash).rsplit('$', 2)[0]}")
        return super().verify(password, hash)

    def _note(self, what: str) -> None:
        self.did.append(what)
        self.threads.add(threading.current_thread())


@pytest.fixture
def watched(services: Services) -> Watched:
    hasher = Watched()
    vars(services.identity)["_hasher"] = PasswordHash([hasher])
    return hasher


@pytest.mark.parametrize("first", ["mara.lind@example.com", "nobody@example.com"])
async def test_a_wrong_password_and_an_unknown_address_look_the_same(
    anonymous: httpx2.AsyncClient, code: str, watched: Watched, first: str
) -> None:
    """The same answer after the same work, the first time too."""
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    answers, work = set(), []
    for email in (first, "mara.lind@example.com", "nobody@example.com"):
        watched.did.clear()
        answer = await sign_in(anonymous, email, "certainly not it")
        refused(answer, 422, ErrorCode.login_failed)
        answers.add(answer.text)
        work.append(list(watched.did))
    assert len(answers) == 1
    [check] = work[1]
    assert check.startswith("verify $argon2id$")
    assert work == [["hash", check], [check], [check]]


async def test_passwords_are_hashed_beside_the_event_loop(
    anonymous: httpx2.AsyncClient, code: str, watched: Watched
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    for email in ("mara.lind@example.com", "nobody@example.com"):
        await sign_in(anonymous, email)
    assert len(watched.did) == 4
    assert threading.main_thread() not in watched.threads


async def test_signing_out_ends_this_device_alone(anonymous: httpx2.AsyncClient, code: str) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    tokens = [done(await sign_in(anonymous, "mara.lind@example.com"))["token"] for _ in range(2)]
    first, second = ({"Authorization": f"Bearer {token}"} for token in tokens)
    done(await anonymous.post("/auth/logout/", headers=first), 204)
    refused(await anonymous.get("/users/me/", headers=first), 401, ErrorCode.unauthenticated)
    done(await anonymous.get("/users/me/", headers=second))


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic bWFyYTpsb29t", "Bearer \xff\xfe", "Token abc"]
)
async def test_without_a_good_token_everybody_is_a_stranger(anonymous: httpx2.AsyncClient, header: str) -> None:
    answer = await anonymous.get("/users/me/", headers=[(b"Authorization", header.encode("latin-1"))])
    refused(answer, 401, ErrorCode.unauthenticated)
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_link_signs_in_until_it_expires(anonymous: httpx2.AsyncClient, services: Services, user: User) -> None:
    link = await services.identity.sign_in_link(user.id, hours=1)
    token = done(await anonymous.post("/auth/link/", json={"token": link}))["token"]
    done(await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {token}"}))
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1, seconds=1)):
        refused(await anonymous.post("/auth/link/", json={"token": link}), 422, ErrorCode.login_failed)
    refused(await anonymous.post("/auth/link/", json={"token": "made up"}), 422, ErrorCode.login_failed)
