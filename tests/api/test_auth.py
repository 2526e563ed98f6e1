"""Sign-up by invitation, sign-in, a forgotten password, sign-out."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pyotp
import pytest
import time_machine
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import delete, func, select, text, update

from core.container import Services
from core.crypto import new_token, token_hash
from core.errors import ErrorCode
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.users.tables.users import AccessToken, Invitation, LinkPurpose, MailLink, TokenKind, User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import Mailed, browsing, mailed
from tests.factories import Factory
from tests.patience import PATIENCE

PASSWORD = "loom over warp and weft"
ANOTHER = "another thread entirely"
MARA = "Mara.Lind@example.com"


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
    return await services.invitations.invite()


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


async def test_a_code_for_one_address_serves_no_other(
    anonymous: httpx2.AsyncClient, services: Services, make: Factory
) -> None:
    inviter = await make.user()
    invited = await services.invitations.create(inviter.id, email="mara.lind@EXAMPLE.com", send=False)
    for email in ("somebody@example.com", inviter.email):
        answer = await anonymous.post("/auth/signup/", json=form(invited.code, email=email))
        assert wrong_fields(answer) == {"email": ErrorCode.invitation_other_email}
    done(await anonymous.post("/auth/signup/", json=form(invited.code, email=MARA)), 201)


async def test_a_revoked_code_is_worth_nothing(
    anonymous: httpx2.AsyncClient, services: Services, make: Factory
) -> None:
    inviter = await make.user()
    invited = await services.invitations.create(inviter.id, email=None, send=False)
    await services.invitations.revoke(inviter.id, invited.row.id)
    answer = await anonymous.post("/auth/signup/", json=form(invited.code))
    assert wrong_fields(answer) == {"invitation_code": ErrorCode.invitation_invalid}


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
    another = await services.invitations.invite()
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
    code = await standing.invitations.invite()
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
    vars(services.hashing)["hasher"] = PasswordHash([hasher])
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


class Held(Watched):
    """Stops after a password was checked, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.checked, self.go = threading.Event(), threading.Event()

    def verify(self, password: str | bytes, hash: str | bytes) -> bool:
        right = super().verify(password, hash)
        self.checked.set()
        assert self.go.wait(PATIENCE)
        return right


async def test_a_password_that_changes_while_it_is_checked_signs_nobody_in(standing: Services, away: Gateway) -> None:
    async with browsing(standing, away) as client:
        done(await client.post("/auth/signup/", json=form(await standing.invitations.invite())), 201)
        link = await reset_link(client, standing)
        held = Held()
        vars(standing.hashing)["hasher"] = PasswordHash([held])
        signing_in = asyncio.create_task(sign_in(client, MARA))
        await asyncio.to_thread(held.checked.wait, 10)
        done(await reset(client, link), 204)
        held.go.set()
        refused(await signing_in, 422, ErrorCode.login_failed)
        async with standing.sessions() as session:
            assert await session.scalar(select(func.count()).select_from(AccessToken)) == 0
        done(await sign_in(client, MARA, ANOTHER))


async def test_a_disabled_user_is_told_so_by_the_right_password_alone(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    await change_user(services, disabled_at=datetime.now(UTC))
    refused(await sign_in(anonymous, MARA, "certainly not it"), 422, ErrorCode.login_failed)
    refused(await sign_in(anonymous, MARA), 403, ErrorCode.account_disabled)
    await change_user(services, disabled_at=None)
    done(await sign_in(anonymous, MARA))


async def test_who_deletes_the_account_is_unknown(
    anonymous: httpx2.AsyncClient, code: str, watched: Watched, services: Services
) -> None:
    token = done(await anonymous.post("/auth/signup/", json=form(code)), 201)["token"]
    await change_user(services, deletion_requested_at=datetime.now(UTC))
    unknown = await sign_in(anonymous, "nobody@example.com")
    watched.did.clear()
    leaving = await sign_in(anonymous, MARA)
    refused(leaving, 422, ErrorCode.login_failed)
    assert leaving.text == unknown.text
    assert len(watched.did) == 1
    me = await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {token}"})
    refused(me, 401, ErrorCode.unauthenticated)


async def test_with_two_step_login_on_a_password_alone_is_not_enough(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    secret = pyotp.random_base32()
    await change_user(services, totp_secret_encrypted=services.vault.encrypt(secret), totp_enabled_at=datetime.now(UTC))
    body = {"email": MARA, "password": PASSWORD}

    async def answer(**more: str | None) -> httpx2.Response:
        return await anonymous.post("/auth/login/", json={**body, **more})

    for missing in ({}, {"code": None}, {"code": "  "}):
        refused(await answer(**missing), 422, ErrorCode.second_factor_required)
    right = pyotp.TOTP(secret).now()
    wrong = f"{(int(right) + 1) % 10**6:06}"
    refused(await answer(code=wrong), 422, ErrorCode.second_factor_wrong)
    # whoever does not know the password learns nothing about the second step
    refused(await answer(password="certainly not it", code=right), 422, ErrorCode.login_failed)
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(AccessToken)) == 1
    done(await answer(code=right))
    refused(await answer(code=right), 422, ErrorCode.second_factor_wrong)


async def change_user(services: Services, **columns: object) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.email == MARA).values(**columns))


# a forgotten password


async def forget(client: httpx2.AsyncClient, email: str = MARA) -> httpx2.Response:
    return await client.post("/auth/forgot/", json={"email": email})


async def reset_link(client: httpx2.AsyncClient, services: Services) -> str:
    """The token of the newest link that was mailed."""
    done(await forget(client), 204)
    return (await reset_mails(services))[-1].secret


async def reset_mails(services: Services) -> list[Mailed]:
    return [mail for mail in await mailed(services, MARA) if mail.kind is MailKind.reset_password]


async def reset(client: httpx2.AsyncClient, link: str, password: str = ANOTHER) -> httpx2.Response:
    return await client.post("/auth/reset/", json={"token": link, "password": password})


async def test_a_forgotten_password_is_set_anew(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    token = done(await anonymous.post("/auth/signup/", json=form(code)), 201)["token"]
    key = await an_api_key(services)
    link = await reset_link(anonymous, services)
    done(await sign_in(anonymous, MARA))  # asking changes nothing yet
    done(await reset(anonymous, link), 204)
    refused(await sign_in(anonymous, MARA), 422, ErrorCode.login_failed)
    answers = [await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {one}"}) for one in (token, key)]
    assert [answer.status_code for answer in answers] == [401, 200]  # sessions end, keys stay
    done(await sign_in(anonymous, MARA, ANOTHER))
    told = (await mailed(services, MARA))[-1]
    assert (told.kind, told.language, told.secret) == (MailKind.password_changed, "de", "")
    refused(await reset(anonymous, link, "a third one, just as long"), 422, ErrorCode.link_invalid)
    done(await sign_in(anonymous, MARA, ANOTHER))


async def an_api_key(services: Services) -> str:
    key = new_token()
    async with services.sessions.begin() as session:
        owner = (await session.scalars(select(User.id).where(User.email == MARA))).one()
        session.add(AccessToken(user_id=owner, token_hash=token_hash(key), kind=TokenKind.api_key, name="A script"))
    return key


async def test_a_link_sets_a_password_for_an_hour(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    link = await reset_link(anonymous, services)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1, seconds=1)):
        refused(await reset(anonymous, link), 422, ErrorCode.link_invalid)
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=59)):
        done(await reset(anonymous, link), 204)


async def test_a_new_password_keeps_the_rules_and_its_link(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    link = await reset_link(anonymous, services)
    for password, expected in (
        ("short", ErrorCode.password_too_short),
        ("1234567890", ErrorCode.password_common),
        ("mara.lind knows", ErrorCode.password_contains_email),
    ):
        assert wrong_fields(await reset(anonymous, link, password)) == {"password": expected}
        refused(await reset(anonymous, "made up", password), 422, ErrorCode.link_invalid)
    done(await sign_in(anonymous, MARA))
    done(await reset(anonymous, link), 204)


async def test_the_newest_link_is_the_only_one(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    older = await reset_link(anonymous, services)
    newest = await reset_link(anonymous, services)
    refused(await reset(anonymous, older), 422, ErrorCode.link_invalid)
    done(await reset(anonymous, newest), 204)


async def test_a_new_password_stops_a_change_of_the_address(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    """Who knew the old password may have asked for it."""
    token = done(await anonymous.post("/auth/signup/", json=form(code)), 201)["token"]
    done(
        await anonymous.post(
            "/users/me/email/",
            json={"email": "thief@example.com", "current_password": PASSWORD},
            headers={"Authorization": f"Bearer {token}"},
        ),
        204,
    )
    [change] = await mailed(services, "thief@example.com")
    done(await reset(anonymous, await reset_link(anonymous, services)), 204)
    stolen = await anonymous.post("/users/verify-email/", json={"token": change.secret})
    refused(stolen, 422, ErrorCode.link_invalid)


async def test_asking_for_a_password_tells_nobody_who_has_an_account(
    anonymous: httpx2.AsyncClient, code: str, services: Services
) -> None:
    """The same answer, and the same time: what is done for a known address hides in it."""
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    clock = asyncio.get_running_loop()
    answers = []
    for email in (MARA, "nobody@example.com", "no address", "MARA.LIND@EXAMPLE.COM"):
        began = clock.time()
        answer = await forget(anonymous, email)
        assert clock.time() - began >= 0.2
        answers.append((answer.status_code, answer.content, sorted(answer.headers)))
    assert answers == [answers[0]] * 4
    assert answers[0][0] == 204
    assert len(await reset_mails(services)) == 2
    async with services.sessions() as session:
        assert set(await session.scalars(select(Mail.to_email))) == {MARA}


@pytest.mark.parametrize("column", ["disabled_at", "deletion_requested_at"])
async def test_who_is_disabled_or_deleted_gets_no_new_password(
    anonymous: httpx2.AsyncClient, code: str, services: Services, column: str
) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    link = await reset_link(anonymous, services)
    await change_user(services, **{column: datetime.now(UTC)})
    done(await forget(anonymous), 204)
    assert len(await reset_mails(services)) == 1
    refused(await reset(anonymous, link), 422, ErrorCode.link_invalid)


async def test_links_asked_for_and_used_at_once_leave_one_of_each(standing: Services, away: Gateway) -> None:
    async with browsing(standing, away) as client:
        done(await client.post("/auth/signup/", json=form(await standing.invitations.invite())), 201)
        asked = await asyncio.gather(*(forget(client) for _ in range(10)))
        assert {answer.status_code for answer in asked} == {204}
        async with standing.sessions() as session:
            left = list(
                await session.scalars(select(MailLink.token_hash).where(MailLink.purpose == LinkPurpose.reset_password))
            )
        [link] = [mail.secret for mail in await reset_mails(standing) if token_hash(mail.secret) in left]
        assert len(left) == 1
        passwords = [f"{ANOTHER} {at}" for at in range(10)]
        answers = await asyncio.gather(*(reset(client, link, password) for password in passwords))
        assert sorted(answer.status_code for answer in answers) == [204] + [422] * 9
        [set_to] = [one for one, answer in zip(passwords, answers, strict=True) if answer.status_code == 204]
        done(await sign_in(client, MARA, set_to))


# signing out


async def test_an_api_key_is_not_signed_out(anonymous: httpx2.AsyncClient, code: str, services: Services) -> None:
    done(await anonymous.post("/auth/signup/", json=form(code)), 201)
    headers = {"Authorization": f"Bearer {await an_api_key(services)}"}
    refused(await anonymous.post("/auth/logout/", headers=headers), 403, ErrorCode.scope_missing)
    done(await anonymous.get("/users/me/", headers=headers))


async def test_a_token_revoked_while_it_is_used_is_refused(standing: Services, away: Gateway) -> None:
    async with browsing(standing, away) as client:
        token = done(await client.post("/auth/signup/", json=form(await standing.invitations.invite())), 201)["token"]
        async with standing.sessions.begin() as session:
            await session.execute(update(AccessToken).values(last_used_at=datetime.now(UTC) - timedelta(hours=1)))
        async with standing.sessions.begin() as session:
            await session.execute(delete(AccessToken))
            calling = asyncio.create_task(client.get("/users/me/", headers={"Authorization": f"Bearer {token}"}))
            await waiting_for_a_row(standing)
        refused(await calling, 401, ErrorCode.unauthenticated)


async def waiting_for_a_row(services: Services) -> None:
    """Returns once another transaction waits for what somebody holds."""
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(PATIENCE):
        while True:
            async with services.sessions() as session:
                if await session.scalar(query):
                    return
            await asyncio.sleep(0.02)


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
    done(await anonymous.post("/auth/link/", json={"token": link}))  # it stays in a terminal
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1, seconds=1)):
        refused(await anonymous.post("/auth/link/", json={"token": link}), 422, ErrorCode.login_failed)
    refused(await anonymous.post("/auth/link/", json={"token": "made up"}), 422, ErrorCode.login_failed)
