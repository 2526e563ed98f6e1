"""Deletion of an account: only anonymous totals stay.

The user waits for `request`: it ends all access and all publishing. The worker (`temporal/account_deletion.py`) does
the slower steps in their order. Each is idempotent, and the user's row is deleted last, so that a crash in between is
found and the deletion resumed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from core.clock import utcnow
from core.database import Sessions, notify_browsers, wake_reconcile
from core.database_clock import database_now
from core.errors import Denied, ErrorCode
from core.live import LiveKind
from core.media.pictures import MediaService
from core.networks.registry import channel
from core.social_accounts.connecting import ConnectingService
from core.users.password_hashing import Hashing
from core.users.repositories.deletion import AccountDeletionRepository, WorkflowNames
from core.users.repositories.users import UserRepository
from core.users.security_events import record, record_refusal
from core.users.tables.security_events import SecurityEventKind

SETTLING: Final = timedelta(seconds=5)
"""After this time, requests running at the deletion have reached Temporal or failed: the API waits 3 s at most."""

# in addition to the timeout of a network's publishing call
_MARGIN = timedelta(seconds=4)
_LOOK = 0.2  # seconds


@dataclass(frozen=True)
class AccountDeletionService:
    sessions: Sessions
    media: MediaService
    connecting: ConnectingService
    hashing: Hashing

    async def request(self, user_id: UUID, current_password: str) -> None:
        """End the account. When this returns no token works, the address is free, and nothing will be published.

        Returns at once, except during a publishing call: then after its answer or timeout (half a minute). Raise Denied
        (password_wrong).
        """
        async with self.sessions() as session:
            password_hash = (await UserRepository(session).get(user_id)).password_hash
        if not await self.hashing.fits(current_password, password_hash):
            await record_refusal(self.sessions, user_id, SecurityEventKind.password_refused)
            raise Denied(ErrorCode.password_wrong)
        now = utcnow()
        async with self.sessions.begin() as session:
            deletion = AccountDeletionRepository(session)
            user = await deletion.locked(user_id)
            if user is None or user.password_hash != password_hash:  # changed during the check
                raise Denied(ErrorCode.password_wrong)
            await deletion.forget_addresses(user_id, user.email)
            user.deletion_requested_at = now
            user.email, user.display_name, user.is_email_verified = f"left-{user_id}@invalid", "", False
            user.totp_secret_encrypted = user.totp_enabled_at = user.totp_last_step = None
            await deletion.lock_out(user_id)
            await deletion.withdraw(user_id, now)
            record(session, user_id, SecurityEventKind.account_deletion_asked)
            await notify_browsers(session, user_id, LiveKind.user, user_id)
            await wake_reconcile(session)
        await self._silence(user_id)

    async def _silence(self, user_id: UUID) -> None:
        """Wait until no publishing call of the user is running."""
        while True:
            async with self.sessions() as session:
                calls = await AccountDeletionRepository(session).calls(user_id)
                now = await database_now(session)  # the clock that has set the fences
            if all(called_at + channel(kind).call_timeout + _MARGIN <= now for kind, called_at in calls):
                return
            await asyncio.sleep(_LOOK)

    # the worker's steps, in this order

    async def requested(self) -> Sequence[UUID]:
        """Return the users to delete, oldest request first."""
        async with self.sessions() as session:
            return await AccountDeletionRepository(session).requested(utcnow() - SETTLING)

    async def withdraw(self, user_id: UUID) -> bool:
        """Repeat `request` for whatever a running call has started since. False: too early, since a file or token of
        the user is just arriving."""
        async with self.sessions.begin() as session:
            deletion = AccountDeletionRepository(session)
            if not await deletion.lock_user(user_id):
                return False
            await deletion.lock_out(user_id)
            await deletion.withdraw(user_id, utcnow())
        return True

    async def names(self, user_id: UUID) -> WorkflowNames:
        """Return the ids that name the user's workflows."""
        async with self.sessions() as session:
            return await AccountDeletionRepository(session).names(user_id)

    async def revoke_tokens(self, user_id: UUID) -> None:
        await self.connecting.revoke_all(user_id)

    async def remove_files(self, user_id: UUID) -> None:
        await self.media.remove_files(user_id)

    async def remove_rows(self, user_id: UUID) -> bool:
        """Keep the totals and delete the rows in one transaction. False: something was started since the first step, so
        all steps have to run again."""
        async with self.sessions.begin() as session:
            deletion = AccountDeletionRepository(session)
            if not await deletion.last_lock(user_id):
                return True
            if await deletion.begun_again(user_id):
                return False
            await deletion.keep_totals(user_id)
            await deletion.remove(user_id)
        return True
