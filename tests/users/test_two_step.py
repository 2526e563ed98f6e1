"""The second step of signing in, against RFC 6238 and against repetition."""

import asyncio
from base64 import b32encode
from datetime import UTC, datetime, timedelta

import pyotp
import pytest
from sqlalchemy import select

from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.errors import Denied, ErrorCode
from core.settings import Settings
from core.users.tables.users import RecoveryCode, User
from core.users.two_step import check_second_factor, recovery_code_hash, step_of
from tests.conftest import Networks
from tests.factories import Factory

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECRET = pyotp.random_base32()
CODES = ("ABCDE23456", "FGHJK78923")
STEP = timedelta(seconds=30)


def code_at(moment: datetime) -> str:
    return pyotp.TOTP(SECRET).at(moment)


@pytest.fixture
async def guarded(services: Services, user: User) -> User:
    """With two-step login on, and two recovery codes."""
    return await guard(services, user)


async def guard(services: Services, user: User) -> User:
    async with services.sessions.begin() as session:
        row = await session.get_one(User, user.id)
        row.totp_secret_encrypted, row.totp_enabled_at = services.vault.encrypt(SECRET), NOON
        for code in CODES:
            session.add(RecoveryCode(user_id=user.id, code_hash=recovery_code_hash(services.vault, user.id, code)))
    return row


async def check(services: Services, user: User, code: str | None, at: datetime = NOON) -> ErrorCode | None:
    """The refusal, None where the code is taken."""
    try:
        async with services.sessions.begin() as session:
            await check_second_factor(session, services.vault, user, code, at)
    except Denied as denied:
        return denied.code
    return None


# appendix B, SHA-1, the last six of its eight digits
@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_the_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    secret = b32encode(b"12345678901234567890").decode()
    assert step_of(secret, code, datetime.fromtimestamp(seconds, UTC)) == seconds // 30


@pytest.mark.parametrize(
    ("seconds", "fits"), [(-31, False), (-30, True), (-1, True), (0, True), (29, True), (59, True), (60, False)]
)
def test_a_code_fits_one_step_earlier_and_later(seconds: int, fits: bool) -> None:
    found = step_of(SECRET, code_at(NOON), NOON + timedelta(seconds=seconds))
    assert found == (NOON.timestamp() // 30 if fits else None)


async def test_without_two_step_login_nothing_is_asked(services: Services, user: User) -> None:
    assert await check(services, user, None) is None
    assert await check(services, user, "anything") is None


async def test_a_secret_that_was_only_offered_asks_for_nothing(services: Services, guarded: User) -> None:
    guarded.totp_enabled_at = None
    assert await check(services, guarded, None) is None


@pytest.mark.parametrize("nothing", [None, "", " ", " - "])
async def test_without_a_code_one_is_asked_for(services: Services, guarded: User, nothing: str | None) -> None:
    assert await check(services, guarded, nothing) is ErrorCode.second_factor_required


@pytest.mark.parametrize(
    "code",
    ["12345", "1234567", "abcdef", "ABCDE-23457", "²²²²²²", "x" * 40, "-123456789", "ABCDE-23456-ABCDE", "ÄÖÜ-ßß"],
)
async def test_a_wrong_code_is_refused(services: Services, guarded: User, code: str) -> None:
    assert await check(services, guarded, code) is ErrorCode.second_factor_wrong


async def test_a_wrong_number_is_refused(services: Services, guarded: User) -> None:
    around = {code_at(NOON + STEP * steps) for steps in (-1, 0, 1)}
    wrong = next(str(number) for number in range(100000, 100004) if str(number) not in around)
    assert await check(services, guarded, wrong) is ErrorCode.second_factor_wrong


async def test_a_step_is_taken_once_and_none_before_it(services: Services, guarded: User) -> None:
    earlier, now, later = (code_at(NOON + STEP * steps) for steps in (-1, 0, 1))
    assert await check(services, guarded, f" {now[:3]} {now[3:]} ") is None
    for again in (now, earlier):
        assert await check(services, guarded, again) is ErrorCode.second_factor_wrong
    assert await check(services, guarded, now, NOON + timedelta(seconds=29)) is ErrorCode.second_factor_wrong
    assert await check(services, guarded, later) is None
    assert await check(services, guarded, later, NOON + STEP) is ErrorCode.second_factor_wrong
    assert await check(services, guarded, code_at(NOON + 2 * STEP), NOON + 2 * STEP) is None


async def test_what_did_not_sign_in_takes_nothing(services: Services, guarded: User) -> None:
    """The code is taken in the transaction that signs in: where that fails, it is still good."""
    for code in (code_at(NOON), CODES[0]):
        async with services.sessions() as session:
            await check_second_factor(session, services.vault, guarded, code, NOON)
            await session.rollback()
        assert await check(services, guarded, code) is None


async def test_a_code_of_a_secret_that_was_replaced_is_wrong(services: Services, guarded: User) -> None:
    """Whoever read the user before it was replaced takes nothing of the new one."""
    before = User(
        id=guarded.id, totp_secret_encrypted=guarded.totp_secret_encrypted, totp_enabled_at=guarded.totp_enabled_at
    )
    async with services.sessions.begin() as session:
        row = await session.get_one(User, guarded.id)
        row.totp_secret_encrypted = services.vault.encrypt(pyotp.random_base32())
    assert await check(services, before, code_at(NOON)) is ErrorCode.second_factor_wrong


@pytest.mark.parametrize("code", [code_at(NOON), CODES[0]], ids=["app", "recovery"])
async def test_of_ten_at_once_one_takes_the_code(
    database: str, settings: Settings, networks: Networks, code: str
) -> None:
    """Each in a transaction of its own, with what it read of the user before."""
    engine = open_engine(database)
    services = wire(settings, engine, open_sessions(engine))
    user = await guard(services, await Factory(services.sessions, services.vault).user())
    answers = await asyncio.gather(*(check(services, user, code) for _ in range(10)))
    await engine.dispose()
    assert sorted(answers, key=str) == [None] + [ErrorCode.second_factor_wrong] * 9


@pytest.mark.parametrize("typed", ["ABCDE-23456", "abcde23456", " abcde 23456 "])
async def test_a_recovery_code_signs_in_once(services: Services, guarded: User, typed: str) -> None:
    assert await check(services, guarded, typed) is None
    assert await check(services, guarded, typed) is ErrorCode.second_factor_wrong
    assert await services.account_security.recovery_codes_left(guarded.id) == 1
    assert await check(services, guarded, CODES[1]) is None


async def test_codes_are_their_users_own(services: Services, guarded: User, make: Factory) -> None:
    """Two people may even hold the same ones."""
    other = await guard(services, await make.user())
    for code in (CODES[0], code_at(NOON)):
        assert await check(services, guarded, code) is None
        assert await check(services, guarded, code) is ErrorCode.second_factor_wrong
        assert await check(services, other, code) is None
    async with services.sessions.begin() as session:
        for row in await session.scalars(select(RecoveryCode).where(RecoveryCode.user_id == other.id)):
            await session.delete(row)
    assert await check(services, other, CODES[1]) is ErrorCode.second_factor_wrong
