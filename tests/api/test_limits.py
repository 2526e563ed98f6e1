"""How often who may call."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any

import httpx2
import pytest
import time_machine
import uvicorn
from pyotp import TOTP
from sqlalchemy import select
from starlette.requests import Request

from api import dependencies, limits
from api.app import connected_app
from api.callers import address_of
from api.server import trusted_hosts
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.errors import ErrorCode, Throttled
from core.rate_limits.limiting import Limit, LimitingService
from core.rate_limits.tables import RateLimit
from core.settings import Settings, WrongSetting, read_settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.operations import operations
from tests.api.test_security import with_password
from tests.conftest import Networks, browsing, mailed
from tests.factories import Factory

PASSWORD = "loom over warp and weft"
START = datetime.now(UTC)
HERE, THERE = "203.0.113.7", "198.51.100.9"
BURST = Limit("burst", 3, timedelta(seconds=60))
HOURLY = Limit("hourly", 1, timedelta(hours=1), meters=5)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Limits on, and a proxy on this machine whose word for the caller's address is taken."""
    return settings.model_copy(update={"rate_limits": True, "trusted_proxies": (ip_network("127.0.0.1"),)})


@pytest.fixture
def limiting(services: Services) -> LimitingService:
    return services.limiting


@pytest.fixture
async def mara(services: Services, user: User) -> User:
    """Signs in by her password."""
    async with services.sessions.begin() as session:
        found = await session.get(User, user.id)
        assert found
        found.password_hash = vars(services.hashing)["hasher"].hash(PASSWORD)
    return user


def at(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


@contextmanager
def later(**ahead: float) -> Iterator[None]:
    """So long after the beginning of the test, where time stands still."""
    with time_machine.travel(START + timedelta(**ahead), tick=False):
        yield


@pytest.fixture(autouse=True)
def _time_stands_still() -> Iterator[None]:
    """However long the calls take, no time comes back by itself."""
    with later():
        yield


async def sign_in(
    client: httpx2.AsyncClient, email: str, password: str, address: str = HERE, **more: str
) -> httpx2.Response:
    body = {"email": email, "password": password, **more}
    return await client.post("/auth/login/", json=body, headers=at(address))


async def through(limiting: LimitingService, limit: Limit, subject: str = "someone", *, tries: int = 20) -> int:
    """How many of so many calls get through."""
    passed = 0
    for _ in range(tries):
        try:
            await limiting.use((limit, subject))
            passed += 1
        except Throttled:
            continue
    return passed


# the rule itself


async def test_some_at_once_and_then_one_at_a_time(limiting: LimitingService) -> None:
    assert await through(limiting, BURST) == 3
    with pytest.raises(Throttled) as caught:
        await limiting.use((BURST, "someone"))
    assert (caught.value.retry_after, caught.value.params) == (timedelta(seconds=60), {"seconds": 60})
    assert await through(limiting, BURST, "another") == 3
    with later(seconds=59):
        assert await through(limiting, BURST) == 0
    with later(seconds=61):
        assert await through(limiting, BURST) == 1
    with later(seconds=600):
        assert await through(limiting, BURST) == 3


async def test_so_many_in_any_hour(limiting: LimitingService) -> None:
    passed = []
    for minute in range(0, 181, 3):
        with later(minutes=minute):
            passed += [minute] * await through(limiting, HOURLY, tries=1)
    assert passed == [0, 3, 6, 9, 12, 60, 63, 66, 69, 72, 120, 123, 126, 129, 132, 180]


async def test_all_are_counted_or_none(limiting: LimitingService) -> None:
    """A door that is shut does not wear down the one beside it."""
    other = Limit("other", 5, timedelta(hours=1))
    for _ in range(3):
        await limiting.use((BURST, "someone"), (other, "someone"))
    for _ in range(10):
        with pytest.raises(Throttled):
            await limiting.use((BURST, "someone"), (other, "someone"))
    assert await through(limiting, other) == 2


async def test_what_is_given_back_or_forgotten_is_there_again(limiting: LimitingService) -> None:
    assert await through(limiting, BURST) == 3
    await limiting.forget((BURST, "someone"))
    taken = await limiting.use((BURST, "someone"))
    assert await through(limiting, BURST) == 2
    await limiting.give_back(taken)
    assert await through(limiting, BURST) == 1


async def test_rows_that_say_nothing_any_more_are_swept(limiting: LimitingService, services: Services) -> None:
    await limiting.use((BURST, "203.0.113.7"), (HOURLY, "mara@example.com"))
    async with services.sessions() as session:
        keys = list(await session.scalars(select(RateLimit.key)))
    assert len(keys) == 2
    assert all(re.fullmatch(r"[0-9a-f]{64}", key) for key in keys)  # hashes: neither an address nor an e-mail
    with later(seconds=59):
        assert await limiting.sweep() == 0
    with later(seconds=61):
        assert await limiting.sweep() == 1
        assert await limiting.sweep() == 0
    with later(minutes=61):
        assert await limiting.sweep() == 1


async def test_it_holds_across_processes_and_at_once(database: str, settings: Settings, networks: Networks) -> None:
    engines = [open_engine(database) for _ in range(2)]
    one, other = (wire(settings, engine, open_sessions(engine)).limiting for engine in engines)
    callers = [limiting for limiting in (one, other) for _ in range(40)]
    assert sum(await asyncio.gather(*(through(caller, BURST, tries=1) for caller in callers))) == 3
    assert sum(await asyncio.gather(*(through(caller, HOURLY, tries=1) for caller in callers))) == 5

    async def both(caller: LimitingService, *order: str) -> None:
        wide = Limit("wide", 1000, timedelta(seconds=1))
        await caller.use(*((wide, subject) for subject in order))

    # whoever holds what the other waits for would be ended by the database
    await asyncio.gather(*(both(one, "a", "b") for _ in range(30)), *(both(other, "b", "a") for _ in range(30)))
    for engine in engines:
        await engine.dispose()


@pytest.mark.parametrize("environment", ["development", "production"])
def test_only_tests_may_be_without_limits(environment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", environment)
    monkeypatch.setenv("PUBLIC_URL", "https://post.example.org")
    assert read_settings().rate_limits
    monkeypatch.setenv("RATE_LIMITS", "off")
    with pytest.raises(WrongSetting, match="^RATE_LIMITS: "):
        read_settings()


def test_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().trusted_proxies == ()
    monkeypatch.setenv("TRUSTED_PROXIES", "127.0.0.1, fd00::/8")
    assert read_settings().trusted_proxies == (ip_network("127.0.0.1/32"), ip_network("fd00::/8"))
    monkeypatch.setenv("TRUSTED_PROXIES", "everybody")
    with pytest.raises(WrongSetting, match="^TRUSTED_PROXIES: "):
        read_settings()


# signing in


async def test_wrong_passwords_shut_the_door_they_are_tried_at_and_no_other(
    anonymous: httpx2.AsyncClient, mara: User
) -> None:
    for _ in range(10):
        refused(await sign_in(anonymous, mara.email, "wrong"), 422, ErrorCode.login_failed)
    answer = await sign_in(anonymous, mara.email, PASSWORD)
    assert refused(answer, 429, ErrorCode.rate_limited)["params"] == {"seconds": 60}
    assert answer.headers["retry-after"] == "60"
    refused(await sign_in(anonymous, f" {mara.email.upper()} ", PASSWORD), 429, ErrorCode.rate_limited)
    # the person, elsewhere; and others, here
    done(await sign_in(anonymous, mara.email, PASSWORD, THERE))
    refused(await sign_in(anonymous, "nobody@example.com", "wrong"), 422, ErrorCode.login_failed)
    with later(seconds=61):
        done(await sign_in(anonymous, mara.email, PASSWORD))


async def test_the_right_password_makes_the_wrong_ones_good(anonymous: httpx2.AsyncClient, mara: User) -> None:
    for _ in range(4):
        for _ in range(9):
            refused(await sign_in(anonymous, mara.email, "wrong"), 422, ErrorCode.login_failed)
        done(await sign_in(anonymous, mara.email, PASSWORD))


async def test_one_address_cannot_try_everybody(anonymous: httpx2.AsyncClient, mara: User) -> None:
    for number in range(100):
        refused(await sign_in(anonymous, f"{number}@example.com", "wrong"), 422, ErrorCode.login_failed)
    refused(await sign_in(anonymous, "next@example.com", "wrong"), 429, ErrorCode.rate_limited)
    done(await sign_in(anonymous, mara.email, PASSWORD, THERE))


async def guess(client: httpx2.AsyncClient, email: str, tries: int = 20) -> list[int]:
    """Each from another address."""
    return [(await sign_in(client, email, "wrong", f"192.0.2.{number}")).status_code for number in range(tries)]


@pytest.mark.parametrize("of", ["mara", "nobody"])
async def test_one_account_cannot_be_tried_from_everywhere(anonymous: httpx2.AsyncClient, mara: User, of: str) -> None:
    """Whether there is such an account, or not: the answers are the same."""
    email = mara.email if of == "mara" else "nobody@example.com"
    assert await guess(anonymous, email, 60) == [422] * 20 + [429] * 40
    answer = await sign_in(anonymous, email.upper(), "wrong", "192.0.2.250")
    assert refused(answer, 429, ErrorCode.rate_limited)["params"] == {"seconds": 180}
    with later(minutes=3, seconds=1):
        assert await guess(anonymous, email, 3) == [422, 429, 429]


async def test_who_guesses_does_not_lock_the_owner_out(
    anonymous: httpx2.AsyncClient, services: Services, mara: User
) -> None:
    done(await sign_in(anonymous, mara.email, PASSWORD, "2001:db8:1:2::7"))
    await guess(anonymous, mara.email)
    refused(await sign_in(anonymous, mara.email, PASSWORD, THERE), 429, ErrorCode.rate_limited)
    # from where she has been before, at another address of the same household
    done(await sign_in(anonymous, mara.email, PASSWORD, "2001:db8:1:2::8"))
    refused(await sign_in(anonymous, mara.email, PASSWORD, "2001:db8:1:3::7"), 429, ErrorCode.rate_limited)
    # and from anywhere, once the mail with the link has proved who she is
    done(await anonymous.post("/auth/forgot/", json={"email": mara.email}, headers=at(THERE)), 204)
    reset = {"token": (await mailed(services, mara.email))[-1].secret, "password": f"{PASSWORD} anew"}
    done(await anonymous.post("/auth/reset/", json=reset, headers=at(THERE)), 204)
    done(await sign_in(anonymous, mara.email, f"{PASSWORD} anew", THERE))


async def test_one_stranger_alone_does_not_lock_the_owner_out(anonymous: httpx2.AsyncClient, mara: User) -> None:
    """Who goes on trying, as often as they may, for an hour; the owner comes from where she never was."""
    for minute in range(60):
        with later(minutes=minute):
            for _ in range(12 if minute == 0 else 2):
                await sign_in(anonymous, mara.email, "wrong", HERE)
    with later(minutes=60):
        done(await sign_in(anonymous, mara.email, PASSWORD, THERE))


@pytest.mark.parametrize(
    ("environment", "proxies", "forwarded", "warned"),
    [
        ("production", (), True, 1),
        ("production", (), False, 0),
        ("production", (ip_network("127.0.0.1"),), True, 0),
        ("development", (), True, 0),
    ],
)
async def test_a_proxy_that_nobody_trusts_is_said_once(
    services: Services,
    settings: Settings,
    away: Gateway,
    caplog: pytest.LogCaptureFixture,
    environment: str,
    proxies: tuple[Any, ...],
    forwarded: bool,
    warned: int,
) -> None:
    own = settings.model_copy(update={"environment": environment, "trusted_proxies": proxies})
    app = connected_app(own)
    app.state.services = wire(own, services.engine, services.sessions)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://x") as client:
        for _ in range(3):
            await client.get("/", headers=at(HERE) if forwarded else {})
    assert sum("TRUSTED_PROXIES" in record.getMessage() for record in caplog.records) == warned


async def test_another_account_is_not_where_its_owner_was(
    anonymous: httpx2.AsyncClient, make: Factory, services: Services, mara: User
) -> None:
    """Who has an account here does not get more guesses at those of others."""
    other = await with_password(services, await make.user())
    done(await sign_in(anonymous, mara.email, PASSWORD, THERE))
    await guess(anonymous, other.email)
    refused(await sign_in(anonymous, other.email, "wrong", THERE), 429, ErrorCode.rate_limited)


async def test_right_passwords_are_no_guesses(anonymous: httpx2.AsyncClient, mara: User) -> None:
    for number in range(30):
        done(await sign_in(anonymous, mara.email, PASSWORD, f"192.0.2.{number}"))


async def test_codes_are_counted_by_account_and_only_with_the_right_password(
    services: Services, away: Gateway, anonymous: httpx2.AsyncClient, mara: User
) -> None:
    async with browsing(services, away, mara) as own:
        offer = done(await own.post("/users/me/second-factor/", json={"current_password": PASSWORD}))
        app = TOTP(offer["secret"])
        done(await own.post("/users/me/second-factor/confirm/", json={"code": app.at(START)}))
    for number in range(15):
        answer = await sign_in(anonymous, mara.email, "wrong", f"192.0.2.{number}", code="000000")
        refused(answer, 422, ErrorCode.login_failed)
    with later(minutes=1):
        done(await sign_in(anonymous, mara.email, PASSWORD, code=app.at(datetime.now(UTC))))
    with later(minutes=3):
        now = datetime.now(UTC)
        right = {app.at(now + timedelta(seconds=30 * step)) for step in (-1, 0, 1)}
        bad = next(code for code in ("000000", "000001", "000002", "000003") if code not in right)
        for number in range(10):
            answer = await sign_in(anonymous, mara.email, PASSWORD, f"198.18.0.{number}", code=bad)
            refused(answer, 422, ErrorCode.second_factor_wrong)
        # from now on nobody learns whether a code is right, wherever they call from
        for code in (bad, app.at(now)):
            refused(await sign_in(anonymous, mara.email, PASSWORD, THERE, code=code), 429, ErrorCode.rate_limited)
    with later(minutes=9):
        done(await sign_in(anonymous, mara.email, PASSWORD, THERE, code=app.at(datetime.now(UTC))))


# who calls


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        (HERE, [], HERE),
        (HERE, ["1.2.3.4"], HERE),  # not one of our proxies: anybody may say so
        ("127.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", ["9.9.9.9, 1.2.3.4"], "1.2.3.4"),  # what the caller sent before it reached the proxy
        ("127.0.0.1", ["9.9.9.9", "1.2.3.4, 10.0.0.5"], "1.2.3.4"),
        ("127.0.0.1", ["10.0.0.4, 10.0.0.5"], "10.0.0.4"),
        ("127.0.0.1", ["1.2.3.4:5678"], "1.2.3.4"),
        ("127.0.0.1", ["[2001:db8:1:2:3::4]:443"], "2001:db8:1:2::/64"),
        ("::ffff:127.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", [" , "], "127.0.0.1"),
        ("127.0.0.1", ["1.2.3.4, what is this"], "what is this"),
        ("2001:db8:1:2:ffff::1", [], "2001:db8:1:2::/64"),
        ("fe80::1%eth0", [], "fe80::/64"),
    ],
)
async def test_the_caller_is_the_last_hop_that_is_not_ours(peer: str, forwarded: list[str], expected: str) -> None:
    found: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(address_of(Request(scope)))

    proxies = trusted_hosts(map(ip_network, ("127.0.0.1/32", "10.0.0.0/8")))
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    config = uvicorn.Config(app, forwarded_allow_ips=proxies, lifespan="off", log_config=None)
    config.load()
    scope: Any = {"type": "http", "client": (peer, 1234), "headers": headers}
    await config.loaded_app(scope, None, None)
    assert found == [expected]


async def test_without_a_proxy_nobody_chooses_their_address(
    services: Services, settings: Settings, away: Gateway
) -> None:
    alone = wire(settings.model_copy(update={"trusted_proxies": ()}), services.engine, services.sessions)
    async with browsing(alone, away) as client:
        for number in range(60):
            answer = await client.post("/auth/reset/", json={}, headers=at(f"192.0.2.{number}"))
            refused(answer, 422, ErrorCode.invalid_input)
        refused(await client.post("/auth/reset/", json={}, headers=at("192.0.2.99")), 429, ErrorCode.rate_limited)


async def test_a_network_of_ipv6_is_one_caller(anonymous: httpx2.AsyncClient) -> None:
    for number in range(60):
        answer = await anonymous.post("/auth/link/", json={"token": "x"}, headers=at(f"2001:db8::{number:x}"))
        refused(answer, 422, ErrorCode.login_failed)
    again = await anonymous.post("/auth/link/", json={"token": "x"}, headers=at("2001:db8::ffff"))
    refused(again, 429, ErrorCode.rate_limited)
    beside = await anonymous.post("/auth/link/", json={"token": "x"}, headers=at("2001:db8:0:1::1"))
    refused(beside, 422, ErrorCode.login_failed)


async def test_a_code_tells_ten_times_who_has_an_account(
    anonymous: httpx2.AsyncClient, services: Services, mara: User
) -> None:
    code = await services.invitations.invite()
    form = {
        "email": mara.email,
        "password": PASSWORD,
        "invitation_code": code,
        "language": "en",
        "time_zone": "UTC",
        "consent": True,
    }
    for number in range(10):
        answer = await anonymous.post("/auth/signup/", json=form, headers=at(f"192.0.2.{number}"))
        assert wrong_fields(answer) == {"email": ErrorCode.email_taken}
    for spelled in (code, code.lower().replace("-", " ")):
        answer = await anonymous.post("/auth/signup/", json=form | {"invitation_code": spelled}, headers=at(THERE))
        refused(answer, 429, ErrorCode.rate_limited)
    with later(minutes=6, seconds=1):
        done(await anonymous.post("/auth/signup/", json=form | {"email": "free@example.com"}), 201)


async def test_a_change_of_address_tells_five_times_an_hour_who_has_an_account(
    services: Services, away: Gateway, make: Factory, mara: User
) -> None:
    taken = [(await make.user()).email for _ in range(6)]
    async with browsing(services, away, mara) as own:
        for email in taken[:5]:
            answer = await own.post("/users/me/email/", json={"current_password": PASSWORD, "email": email})
            assert wrong_fields(answer) == {"email": ErrorCode.email_taken}
        answer = await own.post("/users/me/email/", json={"current_password": PASSWORD, "email": taken[5]})
        refused(answer, 429, ErrorCode.rate_limited)


async def test_a_site_of_ipv6_has_no_65536_counters(anonymous: httpx2.AsyncClient) -> None:
    async def link(address: str) -> int:
        return (await anonymous.post("/auth/link/", json={"token": "x"}, headers=at(address))).status_code

    answers = [await link(f"2001:db8:7:{number:x}::1") for number in range(300)]
    assert answers == [422] * 240 + [429] * 60
    assert await link("2001:db8:8:1::1") == 422


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/auth/signup/", 60),
        ("/auth/link/", 60),
        ("/auth/reset/", 60),
        ("/auth/forgot/", 30),
        ("/users/verify-email/", 60),
        ("/approvals/link/", 60),
        ("/approvals/link/decision/", 60),
    ],
)
async def test_anonymous_calls_are_counted_by_address_even_when_they_are_nonsense(
    anonymous: httpx2.AsyncClient, path: str, most: int
) -> None:
    for number in range(most):
        answer = await anonymous.post(path, json={"nonsense": number}, headers=at(f"{HERE}:{number + 1024}"))
        assert refused(answer, 422, ErrorCode.invalid_input)
    answer = await anonymous.post(path, json={}, headers=at(HERE))
    refused(answer, 429, ErrorCode.rate_limited)
    assert (await anonymous.post(path, json={}, headers=at(THERE))).status_code == 422


# mails


async def test_the_link_is_sent_again_once_a_minute_and_five_times_an_hour(
    services: Services, away: Gateway, make: Factory
) -> None:
    people = [await make.user() for _ in range(2)]
    async with services.sessions.begin() as session:
        for one in people:
            found = await session.get(User, one.id)
            assert found
            found.is_email_verified = False
    passed = []
    async with browsing(services, away, people[0]) as client, browsing(services, away, people[1]) as other:
        for half in range(2 * 66):
            with later(seconds=30 * half):
                answer = await client.post("/users/resend_verification_email/")
                if answer.status_code == 204:
                    passed.append(half / 2)
                else:
                    refused(answer, 429, ErrorCode.rate_limited)
                    wait = timedelta(minutes=1) if half < 9 else timedelta(hours=1)
                    assert 0 < int(answer.headers["retry-after"]) <= wait.total_seconds()
        assert passed == [0, 1, 2, 3, 4, 60, 61, 62, 63, 64]
        with later(minutes=64):
            done(await other.post("/users/resend_verification_email/"), 204)
    assert len(await mailed(services, people[0].email)) == 10


async def test_a_mail_that_is_not_sent_does_not_count(services: Services, away: Gateway, mara: User) -> None:
    async with browsing(services, away, mara) as client:
        for _ in range(3):
            refused(await client.post("/users/resend_verification_email/"), 409, ErrorCode.already_verified)
        for _ in range(7):
            body = {"current_password": "wrong", "email": "new@example.com"}
            refused(await client.post("/users/me/email/", json=body), 422, ErrorCode.password_wrong)


async def test_a_forgotten_password_is_mailed_five_times_an_hour_to_whomever(
    services: Services, anonymous: httpx2.AsyncClient, mara: User
) -> None:
    for email in (mara.email, "nobody@example.com"):
        answers = [
            await anonymous.post("/auth/forgot/", json={"email": spelt}, headers=at(f"192.0.2.{number}"))
            for number, spelt in enumerate([email, email.upper(), f" {email}", email, email, email])
        ]
        assert [answer.status_code for answer in answers] == [204] * 5 + [429]
    assert len(await mailed(services, mara.email)) == 5


async def test_invitations_are_limited_where_they_are_mailed(services: Services, api: httpx2.AsyncClient) -> None:
    async def invite(**body: Any) -> httpx2.Response:
        answer = await api.post("/invitations/", json=body)
        if answer.status_code == 201:
            done(await api.delete(f"/invitations/{answer.json()['id']}/"), 204)
        return answer

    for _ in range(25):
        done(await invite(), 201)
    for _ in range(5):
        done(await invite(email="one@example.com", send=True), 201)
    refused(await invite(email="One@Example.com", send=True), 429, ErrorCode.rate_limited)
    done(await invite(email="one@example.com"), 201)
    for number in range(15):
        done(await invite(email=f"{number}@example.org", send=True), 201)
    refused(await invite(email="next@example.org", send=True), 429, ErrorCode.rate_limited)
    assert len(await mailed(services, "one@example.com")) == 5


# passwords of signed-in people


async def test_a_stolen_session_cannot_guess_the_password(services: Services, away: Gateway, mara: User) -> None:
    wrong = {"current_password": "wrong"}
    calls: list[tuple[str, dict[str, str]]] = [
        ("/users/me/password/", wrong | {"new_password": "warp over weft and loom"}),
        ("/users/me/email/", wrong | {"email": "new@example.com"}),
        ("/users/me/second-factor/", wrong),
        ("/users/me/delete/", wrong),
    ]
    async with browsing(services, away, mara) as first, browsing(services, away, mara) as second:
        for number in range(10):
            path, body = calls[number % len(calls)]
            refused(await first.post(path, json=body), 422, ErrorCode.password_wrong)
        for path, body in calls:
            right = body | {"current_password": PASSWORD}
            refused(await second.post(path, json=right), 429, ErrorCode.rate_limited)
        with later(seconds=61):
            done(await second.post("/users/me/second-factor/", json={"current_password": PASSWORD}))
            for _ in range(10):
                refused(await first.post("/users/me/delete/", json=wrong), 422, ErrorCode.password_wrong)
            refused(await first.post("/users/me/delete/", json=wrong), 429, ErrorCode.rate_limited)
        for _ in range(10):
            answer = await first.post("/users/me/second-factor/confirm/", json={"code": "000000x"})
            refused(answer, 422, ErrorCode.second_factor_wrong)
        answer = await first.post("/users/me/second-factor/confirm/", json={"code": "000000x"})
        refused(answer, 429, ErrorCode.rate_limited)


# what costs money or processor time


def test_what_costs_is_limited() -> None:
    limited = {found.name for found in operations() if found.needs_token and found.refuses(ErrorCode.rate_limited)}
    assert limited >= {
        "cancel_subscription",
        "create_checkout_session",
        "create_portal_session",
        "create_topic_tree",
        "export_my_data",
        "export_templates",
        "import_branch",
        "import_templates",
        "make_demo_data",
        "preview_card",
        "preview_schedule",
        "preview_topics",
        "start_tryout",
        "remove_demo_data",
        "resume_subscription",
        "save_card",
        "stream_changes",
        "suggest_topics",
        "upload_media",
        "verify_subscription",
    }


async def test_tryouts_are_counted_by_user_before_anything_is_asked(
    services: Services, api: httpx2.AsyncClient, user: User
) -> None:
    form = {"type": "text", "name": "Tips", "language": "en", "body": "About ((Topic))"}
    path = f"/templates/{done(await api.post('/templates/', json=form), 201)['id']}/tryouts/"
    tryout = {"body": form["body"], "language": "en", "inputs": {"Topic": "Rain"}}
    answers = [await api.post(path, json=tryout) for _ in range(limits.TRYOUTS.burst + 2)]
    assert [answer.status_code for answer in answers] == [202] * limits.TRYOUTS.burst + [429] * 2
    assert refused(answers[-1], 429, ErrorCode.rate_limited)["params"] == {"seconds": 10}
    assert answers[-1].headers["retry-after"] == "10"
    assert done(await api.get(path))["total"] == limits.TRYOUTS.burst


async def test_what_one_user_changes_is_bounded(
    services: Services, away: Gateway, api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    """Whatever it is: rows, too, are somebody's disk."""
    for _ in range(dependencies.WRITES.burst):
        await services.limiting.use((dependencies.WRITES, str(user.id)))
    form = {"type": "text", "name": "Garbage", "language": "en", "body": "About ((Topic))"}
    refused(await api.post("/templates/", json=form), 429, ErrorCode.rate_limited)
    done(await api.get("/templates/"))
    async with browsing(services, away, await make.user()) as other:
        done(await other.post("/templates/", json=form), 201)


async def test_who_runs_against_a_limit_is_logged_once_a_minute(
    anonymous: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    def logged() -> list[Any]:
        return [vars(record) for record in caplog.records if "security_event" in vars(record)]

    prober = "203.0.113.77"  # nobody else's, whose silence would be this one's
    guess = {"email": "nobody@example.com", "password": "not it at all"}
    answers = [
        await anonymous.post("/auth/login/", json=guess, headers=at(prober)) for _ in range(limits.TRIES.burst + 5)
    ]
    assert [answer.status_code for answer in answers].count(429) == 5
    large = b'{"email": "' + b"x" * 100_000 + b'"}'
    for _ in range(3):
        refused(
            await anonymous.post(
                "/auth/forgot/", content=large, headers={"Content-Type": "application/json"} | at(prober)
            ),
            413,
            ErrorCode.too_large,
        )
    told = [(line["security_event"], line["address"], line["path"]) for line in logged() if "path" in line]
    assert told == [
        ("rate_limited", prober, "/api/auth/login/"),
        ("too_large", prober, "/api/auth/forgot/"),
    ]


async def test_the_feed_of_a_calendar_is_read_so_often(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, mara: User
) -> None:
    """By an address: who guesses tokens as well as who reads one's own."""
    path = done(await api.post("/calendar/feed/", json={"current_password": PASSWORD}))["address"].removeprefix(
        "http://postloom.test/api"
    )
    answers: list[int] = []
    while 429 not in answers and len(answers) < 2 * limits.FEEDS.burst:
        answers.append((await anonymous.get("/calendar/feed/nobodys.ics")).status_code)
    assert (set(answers), answers.count(429), len(answers) > limits.FEEDS.burst) == ({404, 429}, 1, True)
    refused(await anonymous.get(path), 429, ErrorCode.rate_limited)


async def test_pages_for_everybody_are_read_so_often(services: Services, anonymous: httpx2.AsyncClient) -> None:
    """By an address, whatever is there."""
    page = "http://postloom.test/feeds/nobody/"
    assert (await anonymous.get(page)).status_code == 404
    for _ in range(limits.PAGES.burst - 1):
        await services.limiting.use((limits.PAGES, "127.0.0.1"))
    refused(await anonymous.get(page), 429, ErrorCode.rate_limited)
