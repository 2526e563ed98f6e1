"""The second step of signing in: a code of an authenticator app (RFC 6238), or a recovery code."""

from datetime import datetime
from uuid import UUID

from pyotp import TOTP
from pyotp.exceptions import OTPVerificationError
from sqlalchemy.ext.asyncio import AsyncSession

from core.crypto import Vault, normal_code
from core.errors import Denied, ErrorCode
from core.users.repositories.security import SecurityRepository
from core.users.security_events import record
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import User

ISSUER = "Postloom"
DIGITS = 6
# accepted steps before and after the current one: clocks differ, and typing takes time
_TOLERANCE = 1


def authenticator(secret: str, email: str) -> TOTP:
    """Return the TOTP that the app computes: SHA-1, 6 digits, a step every 30 s."""
    return TOTP(secret, digits=DIGITS, name=email, issuer=ISSUER, interval=30)


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the code's 30-second step; None if it fits no step around `now`."""
    try:
        return TOTP(secret, digits=DIGITS, interval=30).verify_and_get_timecode(
            normal_code(code), for_time=now, valid_window=_TOLERANCE
        )
    except OTPVerificationError:
        return None


def recovery_code_hash(vault: Vault, user_id: UUID, code: str) -> str:
    """Return a hash bound to the user, so that two users may have the same code."""
    return vault.keyed_hash(f"recovery {user_id} {normal_code(code)}")


async def check_second_factor(session: AsyncSession, vault: Vault, user: User, code: str | None, now: datetime) -> None:
    """Use up the code in the transaction that signs the user in; do nothing without two-step login.

    Raise Denied: second_factor_required without a code; second_factor_wrong for a wrong one, for an accepted step, and
    for a used recovery code.
    """
    if user.totp_enabled_at is None or user.totp_secret_encrypted is None:
        return
    typed = normal_code(code or "")
    if not typed:
        raise Denied(ErrorCode.second_factor_required)
    taking = SecurityRepository(session)
    if len(typed) == DIGITS:
        step = step_of(vault.decrypt(user.totp_secret_encrypted), typed, now)
        is_accepted = step is not None and await taking.take_step(user.id, user.totp_secret_encrypted, step)
    else:
        is_accepted = await taking.take_recovery_code(user.id, recovery_code_hash(vault, user.id, typed), now)
        if is_accepted:
            record(session, user.id, SecurityEventKind.recovery_code_used)
    if not is_accepted:
        raise Denied(ErrorCode.second_factor_wrong)
