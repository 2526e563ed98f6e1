"""What happened to the safety of an account: what its owner sees of it, and what is logged."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pyotp
import pytest
import time_machine
from sqlalchemy import func, select, update

from core.container import Services
from core.errors import ErrorCode
from core.observability import configure_logs
from core.users.tables.security_events import SecurityEvent
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.test_security import A_KEY, NEW_PASSWORD, PASSWORD, PHONE, bearer, signed_in, with_password
from tests.conftest import browsing, mailed
from tests.factories import Factory

Seen = list[tuple[str, dict[str, str]]]


@pytest.fixture
async def user(services: Services, make: Factory) -> User:
    return await with_password(services, await make.user())


@pytest.fixture
def lines() -> "Iterator[Callable[[], list[dict[str, Any]]]]":
    """The lines of the log, as a machine reads them."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    configure_logs("json")
    written = io.StringIO()
    [handler] = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(written)
    yield lambda: [line for line in map(json.loads, written.getvalue().splitlines()) if "security_event" in line]
    root.handlers[:] = handlers
    root.setLevel(level)


async def seen(api: httpx2.AsyncClient) -> Seen:
    """Oldest first, without the sign-in that `api` itself is."""
    items = done(await api.get("/users/me/security-events/", params={"page_size": 200}))["items"]
    return [(item["kind"], item["facts"]) for item in reversed(items)][1:]


async def kinds(api: httpx2.AsyncClient) -> list[str]:
    return [kind for kind, _ in await seen(api)]


async def second_factor(api: httpx2.AsyncClient) -> tuple[pyotp.TOTP, list[str]]:
    offer = done(await api.post("/users/me/second-factor/", json={"current_password": PASSWORD}))
    totp = pyotp.TOTP(offer["secret"])
    turned_on = done(await api.post("/users/me/second-factor/confirm/", json={"code": totp.now()}))
    return totp, turned_on["recovery_codes"]


async def test_signing_in_and_out(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    refused(await signed_in(anonymous, user, "not it at all"), 422, ErrorCode.login_failed)
    token = done(await signed_in(anonymous, user))["token"]
    done(await anonymous.post("/auth/logout/", headers=bearer(token)), 204)
    assert await seen(api) == [("sign_in_failed", {}), ("signed_in", {"way": "password"}), ("signed_out", {})]


async def test_where_it_came_from(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    done(await signed_in(anonymous, user))
    [newest, *_] = done(await api.get("/users/me/security-events/"))["items"]
    assert (newest["kind"], newest["address"], newest["device"]) == ("signed_in", "127.0.0.1", PHONE)


async def test_the_second_factor(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    done(await api.post("/users/me/second-factor/", json={"current_password": PASSWORD}))
    refused(await api.post("/users/me/second-factor/confirm/", json={"code": "x"}), 422, ErrorCode.second_factor_wrong)
    _, [code, *_] = await second_factor(api)
    refused(await signed_in(anonymous, user), 422, ErrorCode.second_factor_required)
    refused(await signed_in(anonymous, user, code="ABCDE-FGHJK"), 422, ErrorCode.second_factor_wrong)
    done(await signed_in(anonymous, user, code=code))
    done(await api.post("/users/me/second-factor/recovery-codes/", json={"current_password": PASSWORD}))
    assert await kinds(api) == [
        "second_factor_failed",
        "second_factor_on",
        "second_factor_failed",
        "recovery_code_used",
        "signed_in",
        "recovery_codes_renewed",
    ]


async def test_turning_the_second_factor_off(api: httpx2.AsyncClient) -> None:
    _, [code, *_] = await second_factor(api)
    both = {"current_password": PASSWORD, "code": "ABCDE-FGHJK"}
    refused(await api.post("/users/me/second-factor/off/", json=both), 422, ErrorCode.second_factor_wrong)
    done(await api.post("/users/me/second-factor/off/", json=both | {"code": code}), 204)
    expected = ["second_factor_on", "second_factor_failed", "recovery_code_used", "second_factor_off"]
    assert await kinds(api) == expected


async def test_the_password(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    wrong = {"current_password": "not it at all", "new_password": NEW_PASSWORD}
    refused(await api.post("/users/me/password/", json=wrong), 422, ErrorCode.password_wrong)
    done(await api.post("/users/me/password/", json=wrong | {"current_password": PASSWORD}), 204)
    done(await anonymous.post("/auth/forgot/", json={"email": user.email}), 204)
    link = (await mailed(services, user.email))[-1].secret
    done(await anonymous.post("/auth/reset/", json={"token": link, "password": PASSWORD}), 204)
    token = done(await signed_in(anonymous, user))["token"]
    api.headers["Authorization"] = f"Bearer {token}"  # its session ended
    assert (await kinds(api))[:4] == ["password_refused", "password_changed", "password_reset_asked", "password_reset"]


async def test_the_address(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    done(await api.post("/users/me/email/", json={"current_password": PASSWORD, "email": "new@example.com"}), 204)
    [mail] = await mailed(services, "new@example.com")
    done(await anonymous.post("/users/verify-email/", json={"token": mail.secret}))
    assert await seen(api) == [("email_change_asked", {}), ("email_changed", {})]


async def test_keys_and_what_they_are_refused(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient) -> None:
    made = done(
        await api.post("/users/me/api-keys/", json=A_KEY),
        201,
    )
    for _ in range(3):  # a script goes on asking: one row
        refused(await anonymous.post("/topics/", json={}, headers=bearer(made["key"])), 403, ErrorCode.scope_missing)
    refused(await anonymous.get("/users/me/sessions/", headers=bearer(made["key"])), 403, ErrorCode.scope_missing)
    done(await api.delete(f"/users/me/api-keys/{made['id']}/"), 204)
    assert await seen(api) == [
        ("api_key_made", {"name": "Backup", "scope": "read"}),
        ("access_refused", {"name": "Backup", "scope": "read", "reason": "scope_missing"}),
        ("api_key_revoked", {"name": "Backup"}),
    ]


async def test_devices(api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, user: User) -> None:
    done(await signed_in(anonymous, user))
    sessions = done(await api.get("/users/me/sessions/"))
    [other] = [session["id"] for session in sessions if not session["current"]]
    done(await api.delete(f"/users/me/sessions/{other}/"), 204)
    done(await api.delete("/users/me/sessions/"), 204)
    assert (await seen(api))[1:] == [("session_ended", {"device": PHONE}), ("other_sessions_ended", {})]


async def test_invitations_and_who_redeems_them(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    made = [done(await api.post("/invitations/", json={"email": None, "send": False}), 201) for _ in range(2)]
    done(await api.delete(f"/invitations/{made[0]['id']}/"), 204)
    form = {
        "email": "guest@example.com",
        "password": PASSWORD,
        "invitation_code": made[1]["code"],
        "language": "en",
        "time_zone": "UTC",
        "consent": True,
    }
    token = done(await anonymous.post("/auth/signup/", json=form), 201)["token"]
    assert (await kinds(api))[1:] == ["invitation_made", "invitation_revoked", "invitation_redeemed"]
    # whose address it was is not the inviter's business
    [newest, *_] = done(await api.get("/users/me/security-events/"))["items"]
    assert (newest["address"], newest["device"]) == (None, "")
    theirs = done(await anonymous.get("/users/me/security-events/", headers=bearer(token)))
    assert [item["kind"] for item in theirs["items"]] == ["signed_up"]


async def test_the_calendars_secret_address(api: httpx2.AsyncClient) -> None:
    proof = {"current_password": PASSWORD}
    token = done(await api.post("/calendar/feed/", json=proof))["address"].rpartition("/")[2].removesuffix(".ics")
    done(await api.post("/calendar/feed/", json=proof))
    done(await api.post("/calendar/feed/address/", json=proof))
    done(await api.delete("/calendar/feed/"), 204)
    done(await api.delete("/calendar/feed/"), 204)
    assert await seen(api) == [
        ("calendar_feed_made", {}),
        ("calendar_feed_made", {}),
        ("calendar_feed_shown", {}),
        ("calendar_feed_removed", {}),
    ], "where there was none any more, nothing happened"
    assert token not in (await api.get("/users/me/security-events/")).text


async def test_the_export_and_the_deletion(
    api: httpx2.AsyncClient, services: Services, user: User, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    done_export = await api.post("/users/me/export/")
    assert done_export.status_code == 200
    assert await kinds(api) == ["data_exported"]
    done(await api.post("/users/me/delete/", json={"current_password": PASSWORD}), 204)
    assert [(line["security_event"], line["user_id"]) for line in lines()] == [
        ("data_exported", str(user.id)),
        ("account_deletion_asked", str(user.id)),
    ]


async def test_a_disabled_account(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(disabled_at=datetime.now(UTC)))
    refused(await api.get("/users/me/"), 403, ErrorCode.account_disabled)
    refused(await signed_in(anonymous, user), 403, ErrorCode.account_disabled)
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(disabled_at=None))
    assert await seen(api) == [("access_refused", {"reason": "account_disabled"})]


async def test_nobody_sees_anothers(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, user: User
) -> None:
    async with browsing(services, away, await make.user()) as theirs:
        done(await theirs.delete("/users/me/sessions/"), 204)
        assert await kinds(theirs) == ["other_sessions_ended"]
        assert await kinds(api) == []


async def test_pages(api: httpx2.AsyncClient) -> None:
    for _ in range(4):
        done(await api.delete("/users/me/sessions/"), 204)
    first = done(await api.get("/users/me/security-events/", params={"page_size": 3}))
    second = done(await api.get("/users/me/security-events/", params={"page_size": 3, "cursor": first["next_cursor"]}))
    found = [item["at"] for item in first["items"] + second["items"]]
    assert (len(found), found, first["total"], second["next_cursor"]) == (5, sorted(found, reverse=True), 5, None)


async def test_what_failed_leaves_no_event(api: httpx2.AsyncClient) -> None:
    """An act and its event are one transaction."""
    missing = "00000000-0000-7000-8000-000000000000"
    refused(await api.delete(f"/users/me/sessions/{missing}/"), 404, ErrorCode.not_found)
    refused(await api.delete(f"/users/me/api-keys/{missing}/"), 404, ErrorCode.not_found)
    assert await kinds(api) == []


async def test_they_go_after_180_days(api: httpx2.AsyncClient, services: Services) -> None:
    async with services.sessions() as session:
        before = await session.scalar(select(func.count()).select_from(SecurityEvent))
    assert before
    with time_machine.travel(datetime.now(UTC) + timedelta(days=179), tick=False):
        assert await services.security_events.sweep() == 0
    with time_machine.travel(datetime.now(UTC) + timedelta(days=181), tick=False):
        assert await services.security_events.sweep() == before


async def test_the_log_says_who_from_where_and_no_secret(
    api: httpx2.AsyncClient,
    anonymous: httpx2.AsyncClient,
    user: User,
    lines: Callable[[], list[dict[str, Any]]],
) -> None:
    made = done(
        await api.post("/users/me/api-keys/", json={**A_KEY, "name": "My secret plan"}),
        201,
    )
    await signed_in(anonymous, user, "not it at all")
    nobodys = {"email": "nobody@example.com", "password": "not it at all"}
    answer = await anonymous.post("/auth/login/", json=nobodys)
    token = done(await signed_in(anonymous, user))["token"]
    logged = lines()
    assert [(line["security_event"], line["user_id"]) for line in logged] == [
        ("api_key_made", str(user.id)),
        ("sign_in_failed", str(user.id)),
        ("sign_in_failed", None),
        ("signed_in", str(user.id)),
    ]
    assert {line["address"] for line in logged} == {"127.0.0.1"}
    assert len({line["request_id"] for line in logged}) == len(logged)
    assert logged[2]["request_id"] == answer.headers["x-request-id"]
    said = json.dumps(logged)
    for secret in (made["key"], token, "My secret plan", "not it at all", PASSWORD, user.email, "nobody@example.com"):
        assert secret not in said
