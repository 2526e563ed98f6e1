"""Password, e-mail, signed-in devices, API keys and two-step login of a signed-in person."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID
from xml.etree import ElementTree

import httpx2
import pyotp
import pytest
import time_machine
from sqlalchemy import func, select

from core.container import Services
from core.crypto import ALPHABET, token_hash
from core.errors import ErrorCode
from core.ids import new_id
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.users.tables.users import AccessToken, LinkPurpose, MailLink, RecoveryCode, User
from temporal.gateway import Gateway
from tests.api.conftest import done, quick_passwords, refused, wrong_fields
from tests.conftest import browsing
from tests.factories import Factory

PASSWORD = "loom over warp and weft"
NEW_PASSWORD = "a shuttle flies both ways"
A_KEY = {"current_password": PASSWORD, "name": "Backup", "scope": "read"}
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) Version/26.1 Mobile/15E148 Safari/604.1"


async def with_password(services: Services, user: User, password: str = PASSWORD) -> User:
    hasher = quick_passwords(services)
    async with services.sessions.begin() as session:
        row = await session.get_one(User, user.id)
        row.password_hash = hasher.hash(password)
    return row


@pytest.fixture
async def user(services: Services, make: Factory) -> User:
    """Signed in as `api`, and able to sign in by a password."""
    return await with_password(services, await make.user())


@pytest.fixture
async def theirs(services: Services, away: Gateway, make: Factory) -> AsyncIterator[httpx2.AsyncClient]:
    """Another user's browser."""
    async with browsing(services, away, await with_password(services, await make.user())) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def signed_in(client: httpx2.AsyncClient, user: User, password: str = PASSWORD, **more: Any) -> httpx2.Response:
    body = {"email": user.email, "password": password, **more}
    return await client.post("/auth/login/", json=body, headers={"User-Agent": PHONE})


async def another_device(client: httpx2.AsyncClient, user: User) -> dict[str, str]:
    return bearer(done(await signed_in(client, user))["token"])


async def mails(services: Services, kind: MailKind) -> list[Mail]:
    async with services.sessions() as session:
        return list(await session.scalars(select(Mail).where(Mail.kind == kind).order_by(Mail.created_at)))


async def stored(services: Services, user: User) -> User:
    async with services.sessions() as session:
        return await session.get_one(User, user.id)


# every call that a stolen session must not do alone


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/users/me/password/", {"new_password": NEW_PASSWORD}),
        ("/users/me/email/", {"email": "new@example.com"}),
        ("/users/me/second-factor/", {}),
        ("/users/me/second-factor/off/", {"code": "000000"}),
        ("/users/me/api-keys/", {"name": "Backup", "scope": "read"}),
        ("/users/me/second-factor/recovery-codes/", {}),
    ],
)
@pytest.mark.parametrize("typed", ["", "not it at all", PASSWORD.upper(), f"{PASSWORD} ", NEW_PASSWORD])
async def test_a_wrong_password_changes_nothing(
    api: httpx2.AsyncClient, services: Services, user: User, path: str, more: dict[str, str], typed: str
) -> None:
    before = await stored(services, user)
    refused(await api.post(path, json={"current_password": typed, **more}), 422, ErrorCode.password_wrong)
    after = await stored(services, user)
    assert (after.password_hash, after.email, after.totp_secret_encrypted) == (
        before.password_hash,
        before.email,
        None,
    )
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Mail)) == 0


# password


async def change_password(api: httpx2.AsyncClient, new: str = NEW_PASSWORD) -> httpx2.Response:
    return await api.post("/users/me/password/", json={"current_password": PASSWORD, "new_password": new})


async def test_a_new_password_signs_in_and_the_old_one_does_not(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    done(await change_password(api, f" {NEW_PASSWORD} "), 204)
    for old in (PASSWORD, NEW_PASSWORD):
        refused(await signed_in(anonymous, user, old), 422, ErrorCode.login_failed)
    done(await signed_in(anonymous, user, f" {NEW_PASSWORD} "))


async def test_a_new_password_ends_every_other_session_and_no_key(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, theirs: httpx2.AsyncClient, user: User
) -> None:
    devices = [await another_device(anonymous, user) for _ in range(2)]
    key = bearer(
        done(
            await api.post("/users/me/api-keys/", json=A_KEY),
            201,
        )["key"]
    )
    done(await change_password(api), 204)
    for device in devices:
        refused(await anonymous.get("/users/me/", headers=device), 401, ErrorCode.unauthenticated)
    done(await api.get("/users/me/"))
    done(await anonymous.get("/users/me/", headers=key))
    done(await theirs.get("/users/me/"))


async def test_a_new_password_is_told_by_mail(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    done(await change_password(api), 204)
    [mail] = await mails(services, MailKind.password_changed)
    assert (mail.user_id, mail.to_email, mail.secret_encrypted) == (user.id, user.email, None)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("short", ErrorCode.password_too_short),
        ("x1Ä" * 43, ErrorCode.password_too_long),
        ("1234567890", ErrorCode.password_common),
        ("loom\0over warp", ErrorCode.invalid_input),
    ],
)
async def test_a_bad_new_password_is_named_and_nothing_ends(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User, new: str, expected: ErrorCode
) -> None:
    device = await another_device(anonymous, user)
    assert wrong_fields(await change_password(api, new)) == {"new_password": expected}
    done(await anonymous.get("/users/me/", headers=device))
    done(await signed_in(anonymous, user))


async def test_the_own_address_is_no_new_password(api: httpx2.AsyncClient, user: User) -> None:
    assert wrong_fields(await change_password(api, user.email)) == {"new_password": ErrorCode.password_contains_email}


async def test_links_that_the_old_password_asked_for_open_nothing(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    """A change of e-mail by whoever knew the old password, and a link for a new password."""
    await change_email(api, "thief@example.com")
    [mail] = await mails(services, MailKind.change_email)
    assert mail.secret_encrypted
    async with services.sessions.begin() as session:
        session.add(a_link(user, LinkPurpose.reset_password, "reset"))
        session.add(a_link(user, LinkPurpose.verify_email, "own", email=user.email))
    done(await change_password(api), 204)
    thief = services.vault.decrypt(mail.secret_encrypted)
    refused(await anonymous.post("/users/verify-email/", json={"token": thief}), 422, ErrorCode.link_invalid)
    reset = {"token": "reset", "password": "thief's own password"}
    refused(await anonymous.post("/auth/reset/", json=reset), 422, ErrorCode.link_invalid)
    assert (await stored(services, user)).email == user.email
    done(await anonymous.post("/users/verify-email/", json={"token": "own"}))


def a_link(user: User, purpose: LinkPurpose, token: str, email: str | None = None) -> MailLink:
    return MailLink(
        user_id=user.id,
        purpose=purpose,
        token_hash=token_hash(token),
        email=email,
        expires_at=datetime.now(UTC) + timedelta(hours=1),
    )


async def test_two_changes_at_once_leave_one_password(standing: Services, away: Gateway) -> None:
    """The one that comes second no longer knows the current password."""
    user = await with_password(standing, await Factory(standing.sessions, standing.vault).user())
    async with browsing(standing, away, user) as client:
        answers = await asyncio.gather(*(change_password(client, f"{NEW_PASSWORD} {at}") for at in range(5)))
        assert sorted(answer.status_code for answer in answers) == [204] + [422] * 4
        winner = next(at for at, answer in enumerate(answers) if answer.status_code == 204)
        done(await signed_in(client, user, f"{NEW_PASSWORD} {winner}"))
    assert len(await mails(standing, MailKind.password_changed)) == 1


# e-mail


async def change_email(api: httpx2.AsyncClient, email: str) -> httpx2.Response:
    return await api.post("/users/me/email/", json={"current_password": PASSWORD, "email": email})


async def test_a_new_address_counts_once_its_link_is_opened(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    done(await change_email(api, " Mara.New@Example.COM "), 204)
    [mail] = await mails(services, MailKind.change_email)
    assert (mail.user_id, mail.to_email, mail.language) == (user.id, "Mara.New@example.com", user.language)
    assert done(await api.get("/users/me/"))["email"] == user.email
    done(await signed_in(anonymous, user))
    assert mail.secret_encrypted
    token = services.vault.decrypt(mail.secret_encrypted)
    opened = done(await anonymous.post("/users/verify-email/", json={"token": token}))
    assert opened == {"email": "Mara.New@example.com", "is_email_verified": True}
    assert done(await api.get("/users/me/"))["email"] == "Mara.New@example.com"


async def test_the_link_of_a_new_address_lasts_a_day(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services
) -> None:
    done(await change_email(api, "new@example.com"), 204)
    [mail] = await mails(services, MailKind.change_email)
    assert mail.secret_encrypted
    token = services.vault.decrypt(mail.secret_encrypted)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=24, seconds=1)):
        refused(await anonymous.post("/users/verify-email/", json={"token": token}), 422, ErrorCode.link_invalid)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=23, minutes=59)):
        done(await anonymous.post("/users/verify-email/", json={"token": token}))


async def test_of_two_new_addresses_the_later_one_counts(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services
) -> None:
    for email in ("typo@example.com", "right@example.com"):
        done(await change_email(api, email), 204)
    first, second = (
        services.vault.decrypt(mail.secret_encrypted or "") for mail in await mails(services, MailKind.change_email)
    )
    refused(await anonymous.post("/users/verify-email/", json={"token": first}), 422, ErrorCode.link_invalid)
    done(await anonymous.post("/users/verify-email/", json={"token": second}))
    assert done(await api.get("/users/me/"))["email"] == "right@example.com"


@pytest.mark.parametrize("spelling", [str, str.upper])
async def test_an_address_that_is_no_change_or_somebody_elses_is_refused(
    api: httpx2.AsyncClient, services: Services, user: User, make: Factory, spelling: Any
) -> None:
    other = await make.user()
    assert wrong_fields(await change_email(api, spelling(user.email))) == {"email": ErrorCode.email_unchanged}
    assert wrong_fields(await change_email(api, spelling(other.email))) == {"email": ErrorCode.email_taken}
    assert wrong_fields(await change_email(api, "nobody")) == {"email": ErrorCode.invalid_email}
    assert await mails(services, MailKind.change_email) == []


async def test_without_the_password_no_address_is_told_to_be_known(api: httpx2.AsyncClient, make: Factory) -> None:
    other = await make.user()
    answers = [
        await api.post("/users/me/email/", json={"current_password": "not it", "email": email})
        for email in (other.email, "unknown@example.com", "nobody")
    ]
    assert len({answer.text for answer in answers}) == 1


# signed-in devices


async def test_the_devices_are_listed_last_used_first(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, theirs: httpx2.AsyncClient, user: User
) -> None:
    now = datetime.now(UTC)
    with time_machine.travel(now + timedelta(hours=1)):
        phone = await another_device(anonymous, user)
    with time_machine.travel(now + timedelta(hours=2)):
        here, there = done(await api.get("/users/me/sessions/"))
    assert (here["current"], here["device"]) == (True, "a test")
    assert (there["current"], there["device"]) == (False, PHONE)
    assert here["last_used_at"] > there["last_used_at"] >= there["created_at"]
    with time_machine.travel(now + timedelta(hours=3)):
        first, _ = done(await anonymous.get("/users/me/sessions/", headers=phone))
    assert (first["device"], first["current"]) == (PHONE, True)
    assert len(done(await theirs.get("/users/me/sessions/"))) == 1


async def test_a_session_that_ran_out_is_not_listed(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    await another_device(anonymous, user)
    days = timedelta(days=services.settings.session_days)
    with time_machine.travel(datetime.now(UTC) + days - timedelta(hours=1)):
        assert len(done(await api.get("/users/me/sessions/"))) == 2
    with time_machine.travel(datetime.now(UTC) + days + timedelta(hours=1)):
        assert [found["current"] for found in done(await api.get("/users/me/sessions/"))] == [True]


async def test_one_session_ends(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    phone = await another_device(anonymous, user)
    tablet = await another_device(anonymous, user)
    [mine] = [found for found in done(await anonymous.get("/users/me/sessions/", headers=phone)) if found["current"]]
    done(await api.delete(f"/users/me/sessions/{mine['id']}/"), 204)
    refused(await anonymous.get("/users/me/", headers=phone), 401, ErrorCode.unauthenticated)
    done(await anonymous.get("/users/me/", headers=tablet))
    refused(await api.delete(f"/users/me/sessions/{mine['id']}/"), 404, ErrorCode.not_found)


async def test_the_session_that_asks_may_end_itself(api: httpx2.AsyncClient) -> None:
    [here] = done(await api.get("/users/me/sessions/"))
    done(await api.delete(f"/users/me/sessions/{here['id']}/"), 204)
    refused(await api.get("/users/me/sessions/"), 401, ErrorCode.unauthenticated)


async def test_all_others_end(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, theirs: httpx2.AsyncClient, user: User
) -> None:
    devices = [await another_device(anonymous, user) for _ in range(2)]
    key = bearer(
        done(
            await api.post("/users/me/api-keys/", json=A_KEY),
            201,
        )["key"]
    )
    done(await api.delete("/users/me/sessions/"), 204)
    for device in devices:
        refused(await anonymous.get("/users/me/", headers=device), 401, ErrorCode.unauthenticated)
    assert [found["current"] for found in done(await api.get("/users/me/sessions/"))] == [True]
    done(await anonymous.get("/users/me/", headers=key))
    done(await theirs.get("/users/me/"))


async def test_anothers_session_and_key_do_not_exist(api: httpx2.AsyncClient, theirs: httpx2.AsyncClient) -> None:
    [session] = done(await theirs.get("/users/me/sessions/"))
    key = done(
        await theirs.post("/users/me/api-keys/", json={**A_KEY, "name": "Theirs", "scope": "write"}),
        201,
    )
    for path in (f"sessions/{session['id']}", f"api-keys/{key['id']}", f"sessions/{new_id()}", f"api-keys/{new_id()}"):
        refused(await api.delete(f"/users/me/{path}/"), 404, ErrorCode.not_found)
    done(await theirs.get("/users/me/"))
    assert len(done(await theirs.get("/users/me/api-keys/"))) == 1


async def test_a_key_is_no_session_and_a_session_no_key(api: httpx2.AsyncClient) -> None:
    key = done(
        await api.post("/users/me/api-keys/", json=A_KEY),
        201,
    )
    [session] = done(await api.get("/users/me/sessions/"))
    refused(await api.delete(f"/users/me/sessions/{key['id']}/"), 404, ErrorCode.not_found)
    refused(await api.delete(f"/users/me/api-keys/{session['id']}/"), 404, ErrorCode.not_found)
    assert len(done(await api.get("/users/me/api-keys/"))) == 1


# API keys


async def test_a_key_is_shown_once(api: httpx2.AsyncClient, services: Services) -> None:
    made = done(
        await api.post("/users/me/api-keys/", json={**A_KEY, "name": " Backup "}),
        201,
    )
    assert (made["name"], made["scope"], made["last_used_at"]) == ("Backup", "read", None)
    listed = await api.get("/users/me/api-keys/")
    assert done(listed) == [{name: value for name, value in made.items() if name != "key"}]
    assert made["key"] not in listed.text
    async with services.sessions() as session:
        row = await session.get_one(AccessToken, UUID(made["id"]))
    assert row.token_hash == token_hash(made["key"])


@pytest.mark.parametrize(("more", "days"), [({}, 365), ({"days": 30}, 30), ({"days": 90}, 90)])
async def test_a_key_ends(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, more: dict[str, int], days: int
) -> None:
    """Using it does not put it off."""
    start = datetime.now(UTC)
    form = {**A_KEY, **more}
    made = done(await api.post("/users/me/api-keys/", json=form), 201)
    assert (
        timedelta(0) <= datetime.fromisoformat(made["expires_at"]) - start - timedelta(days=days) < timedelta(minutes=1)
    )
    for after in (days / 2, days - 0.1):
        with time_machine.travel(start + timedelta(days=after)):
            done(await anonymous.get("/users/me/", headers=bearer(made["key"])))
    with time_machine.travel(start + timedelta(days=days, minutes=2)):
        refused(await anonymous.get("/users/me/", headers=bearer(made["key"])), 401, ErrorCode.unauthenticated)


async def test_the_newest_key_is_listed_first(api: httpx2.AsyncClient) -> None:
    for name in ("one", "two", "three"):
        done(
            await api.post("/users/me/api-keys/", json={**A_KEY, "name": name, "scope": "write"}),
            201,
        )
    assert [key["name"] for key in done(await api.get("/users/me/api-keys/"))] == ["three", "two", "one"]


async def test_a_key_works_until_it_is_revoked(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient) -> None:
    made = done(
        await api.post("/users/me/api-keys/", json={**A_KEY, "days": None}),
        201,
    )
    key = bearer(made["key"])
    later = datetime.now(UTC) + timedelta(days=1000)
    with time_machine.travel(later):
        done(await anonymous.get("/users/me/", headers=key))
    [listed] = done(await api.get("/users/me/api-keys/"))
    assert datetime.fromisoformat(listed["last_used_at"]) - later < timedelta(minutes=1)
    done(await api.delete(f"/users/me/api-keys/{made['id']}/"), 204)
    refused(await anonymous.get("/users/me/", headers=key), 401, ErrorCode.unauthenticated)
    assert done(await api.get("/users/me/api-keys/")) == []


@pytest.mark.parametrize(
    ("change", "field", "expected"),
    [
        ({"name": ""}, "name", ErrorCode.name_required),
        ({"name": "   "}, "name", ErrorCode.name_required),
        ({"name": "x" * 101}, "name", ErrorCode.invalid_input),
        ({"scope": "admin"}, "scope", ErrorCode.invalid_input),
        ({"expires": "never"}, "expires", ErrorCode.invalid_input),
    ],
)
async def test_a_key_needs_a_name_and_a_scope(
    api: httpx2.AsyncClient, change: dict[str, str], field: str, expected: ErrorCode
) -> None:
    answer = await api.post("/users/me/api-keys/", json={**A_KEY, **change})
    assert wrong_fields(answer) == {field: expected}
    assert done(await api.get("/users/me/api-keys/")) == []


async def test_twenty_keys_are_the_most_however_many_ask_at_once(standing: Services, away: Gateway) -> None:
    user = await with_password(standing, await Factory(standing.sessions, standing.vault).user())
    async with browsing(standing, away, user) as client:
        answers = await asyncio.gather(
            *(client.post("/users/me/api-keys/", json={**A_KEY, "name": f"{at}"}) for at in range(30))
        )
        kept = done(await client.get("/users/me/api-keys/"))
    made = [answer for answer in answers if answer.status_code == 201]
    assert (len(made), len(kept)) == (20, 20)
    for answer in answers:
        if answer not in made:
            assert refused(answer, 409, ErrorCode.api_key_limit)["params"] == {"limit": 20}


# two-step login


async def offer(api: httpx2.AsyncClient) -> dict[str, str]:
    found: dict[str, str] = done(await api.post("/users/me/second-factor/", json={"current_password": PASSWORD}))
    return found


async def confirm(api: httpx2.AsyncClient, secret: str) -> list[str]:
    code = pyotp.TOTP(secret).now()
    return list(done(await api.post("/users/me/second-factor/confirm/", json={"code": code}))["recovery_codes"])


async def turned_on(api: httpx2.AsyncClient) -> tuple[str, list[str]]:
    """The app's secret and the recovery codes."""
    secret = (await offer(api))["secret"]
    return secret, await confirm(api, secret)


def next_code(secret: str) -> str:
    """Of the step after the present one, which nobody has taken yet."""
    return pyotp.TOTP(secret).at(datetime.now(UTC) + timedelta(seconds=30))


async def test_the_offer_is_what_apps_read(api: httpx2.AsyncClient, user: User, services: Services) -> None:
    offered = await offer(api)
    address = urlsplit(offered["uri"])
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert unquote(address.path) == f"/Postloom:{user.email}"
    assert parse_qs(address.query) == {"secret": [offered["secret"]], "issuer": ["Postloom"]}
    assert re.fullmatch("[A-Z2-7]{32}", offered["secret"])
    drawing = ElementTree.fromstring(offered["qr_svg"])
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert drawing.get("viewBox")
    sealed = (await stored(services, user)).totp_secret_encrypted
    assert sealed
    assert offered["secret"] not in sealed
    assert services.vault.decrypt(sealed) == offered["secret"]


async def test_an_offer_is_not_in_force(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    await offer(api)
    assert done(await api.get("/users/me/second-factor/")) == {
        "enabled": False,
        "enabled_at": None,
        "recovery_codes_left": 0,
    }
    done(await signed_in(anonymous, user))


async def test_the_first_code_turns_it_on(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    secret, codes = await turned_on(api)
    assert len(set(codes)) == 10
    assert all(re.fullmatch(f"[{ALPHABET}]{{5}}-[{ALPHABET}]{{5}}", code) for code in codes)
    state = done(await api.get("/users/me/second-factor/"))
    assert (state["enabled"], state["recovery_codes_left"]) == (True, 10)
    assert state["enabled_at"]
    assert done(await api.get("/users/me/"))["second_factor"] is True
    refused(await signed_in(anonymous, user), 422, ErrorCode.second_factor_required)
    refused(await signed_in(anonymous, user, code="000000"), 422, ErrorCode.second_factor_wrong)
    done(await signed_in(anonymous, user, code=next_code(secret)))


async def test_a_wrong_password_is_not_told_of_two_step_login(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    secret, codes = await turned_on(api)
    for code in (None, "000000", next_code(secret), codes[0]):
        refused(await signed_in(anonymous, user, "not it at all", code=code), 422, ErrorCode.login_failed)
    done(await signed_in(anonymous, user, code=next_code(secret)))
    done(await signed_in(anonymous, user, code=codes[0]))


async def test_the_code_that_turned_it_on_signs_nobody_in(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        secret, _ = await turned_on(api)
        used = pyotp.TOTP(secret).now()
        refused(await signed_in(anonymous, user, code=used), 422, ErrorCode.second_factor_wrong)


async def test_a_code_of_an_earlier_step_is_refused_after_a_later_one(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    secret, _ = await turned_on(api)
    start = datetime.now(UTC) + timedelta(minutes=10)
    with time_machine.travel(start, tick=False):
        now = pyotp.TOTP(secret).now()
        done(await signed_in(anonymous, user, code=next_code(secret)))
        refused(await signed_in(anonymous, user, code=now), 422, ErrorCode.second_factor_wrong)
    with time_machine.travel(start + timedelta(seconds=60), tick=False):
        done(await signed_in(anonymous, user, code=pyotp.TOTP(secret).now()))


async def test_an_offer_made_again_takes_the_place_of_the_first(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    first, second = (await offer(api))["secret"], (await offer(api))["secret"]
    assert first != second
    code = pyotp.TOTP(first).now()
    refused(await api.post("/users/me/second-factor/confirm/", json={"code": code}), 422, ErrorCode.second_factor_wrong)
    await confirm(api, second)
    done(await signed_in(anonymous, user, code=next_code(second)))


async def test_what_does_not_fit_the_state_is_refused(api: httpx2.AsyncClient) -> None:
    password = {"current_password": PASSWORD}
    for path, body in (
        ("confirm/", {"code": "000000"}),
        ("off/", password | {"code": "000000"}),
        ("recovery-codes/", password),
    ):
        refused(await api.post(f"/users/me/second-factor/{path}", json=body), 409, ErrorCode.second_factor_off)
    secret, _ = await turned_on(api)
    for path, body in (("", password), ("confirm/", {"code": next_code(secret)})):
        refused(await api.post(f"/users/me/second-factor/{path}", json=body), 409, ErrorCode.second_factor_on)
    assert done(await api.get("/users/me/second-factor/"))["recovery_codes_left"] == 10


@pytest.mark.parametrize("code", ["", "000000", "ABCDE-23456", "x" * 40])
async def test_a_wrong_first_code_turns_nothing_on(api: httpx2.AsyncClient, code: str) -> None:
    with time_machine.travel(datetime.now(UTC), tick=False):
        secret = (await offer(api))["secret"]
        if code == "000000":  # whatever fits is not meant
            code = f"{(int(pyotp.TOTP(secret).now()) + 7) % 1000000:06}"
        answer = await api.post("/users/me/second-factor/confirm/", json={"code": code})
    refused(answer, 422, ErrorCode.second_factor_wrong)
    assert done(await api.get("/users/me/second-factor/"))["enabled"] is False


async def test_recovery_codes_sign_in_once_each(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User, services: Services
) -> None:
    _, codes = await turned_on(api)
    for left, code in ((9, codes[0]), (8, codes[1].lower().replace("-", ""))):
        done(await signed_in(anonymous, user, code=code))
        refused(await signed_in(anonymous, user, code=code), 422, ErrorCode.second_factor_wrong)
        assert done(await api.get("/users/me/second-factor/"))["recovery_codes_left"] == left
    async with services.sessions() as session:
        kept = set(await session.scalars(select(RecoveryCode.code_hash)))
    assert len(kept) == 10
    assert all(code.replace("-", "") not in found for code in codes for found in kept)


async def test_new_recovery_codes_void_the_old_ones(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    _, old = await turned_on(api)
    done(await signed_in(anonymous, user, code=old[0]))
    answer = await api.post("/users/me/second-factor/recovery-codes/", json={"current_password": PASSWORD})
    new = done(answer)["recovery_codes"]
    assert len(set(new)) == 10
    assert not set(new) & set(old)
    assert done(await api.get("/users/me/second-factor/"))["recovery_codes_left"] == 10
    refused(await signed_in(anonymous, user, code=old[1]), 422, ErrorCode.second_factor_wrong)
    done(await signed_in(anonymous, user, code=new[1]))


async def test_turned_off_the_password_is_enough_again(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User, services: Services
) -> None:
    _, codes = await turned_on(api)
    for wrong, code in (("", ErrorCode.second_factor_required), ("ABCDE-FGHJK", ErrorCode.second_factor_wrong)):
        both = {"current_password": PASSWORD, "code": wrong}
        refused(await api.post("/users/me/second-factor/off/", json=both), 422, code)
        assert done(await api.get("/users/me/second-factor/"))["recovery_codes_left"] == 10
    both = {"current_password": PASSWORD, "code": codes[1]}
    done(await api.post("/users/me/second-factor/off/", json=both), 204)
    state = done(await api.get("/users/me/second-factor/"))
    assert state == {"enabled": False, "enabled_at": None, "recovery_codes_left": 0}
    assert (await stored(services, user)).totp_secret_encrypted is None
    done(await signed_in(anonymous, user))
    await turned_on(api)  # with a new secret, at once
    refused(await signed_in(anonymous, user, code=codes[0]), 422, ErrorCode.second_factor_wrong)


async def test_one_persons_two_step_login_is_nobody_elses(
    api: httpx2.AsyncClient, theirs: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User
) -> None:
    _, codes = await turned_on(theirs)
    assert done(await api.get("/users/me/second-factor/"))["enabled"] is False
    done(await signed_in(anonymous, user))
    await turned_on(api)
    refused(await signed_in(anonymous, user, code=codes[0]), 422, ErrorCode.second_factor_wrong)


@pytest.mark.parametrize("recovery", [False, True])
async def test_ten_at_once_with_one_code_sign_in_once(standing: Services, away: Gateway, recovery: bool) -> None:
    user = await with_password(standing, await Factory(standing.sessions, standing.vault).user())
    async with browsing(standing, away, user) as client:
        secret, codes = await turned_on(client)
        code = codes[0] if recovery else next_code(secret)
        answers = await asyncio.gather(*(signed_in(client, user, code=code) for _ in range(10)))
        assert sorted(answer.status_code for answer in answers) == [200] + [422] * 9
        for answer in answers:
            if answer.status_code != 200:
                refused(answer, 422, ErrorCode.second_factor_wrong)
        assert len(done(await client.get("/users/me/sessions/"))) == 2  # this browser, and the one that got in
        left = done(await client.get("/users/me/second-factor/"))["recovery_codes_left"]
    assert left == (9 if recovery else 10)


async def test_confirmed_twice_at_once_it_is_on_once(standing: Services, away: Gateway) -> None:
    """The codes that were shown are those that count."""
    user = await with_password(standing, await Factory(standing.sessions, standing.vault).user())
    async with browsing(standing, away, user) as client:
        code = pyotp.TOTP((await offer(client))["secret"]).now()
        answers = await asyncio.gather(
            *(client.post("/users/me/second-factor/confirm/", json={"code": code}) for _ in range(5))
        )
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 4
        [shown] = [answer.json()["recovery_codes"] for answer in answers if answer.status_code == 200]
        done(await signed_in(client, user, code=shown[9]))


async def test_a_session_ends_180_days_after_it_began_however_often_it_is_used(api: httpx2.AsyncClient) -> None:
    start = datetime.now(UTC)
    for days in range(0, 180, 20):
        with time_machine.travel(start + timedelta(days=days)):
            done(await api.get("/users/me/"))
    with time_machine.travel(start + timedelta(days=179, hours=23)):
        done(await api.get("/users/me/"))
    with time_machine.travel(start + timedelta(days=180, hours=1)):
        refused(await api.get("/users/me/"), 401, ErrorCode.unauthenticated)
