"""An account's signed-in devices, API keys, mailed links and second factor."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, null, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.errors import NotFound
from core.users.tables.users import AccessToken, LinkPurpose, MailLink, RecoveryCode, TokenKind, User


class SecurityRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def locked(self, user_id: UUID) -> User:
        """Return the current row, locked against other security changes until this transaction ends."""
        user = await self.session.scalar(
            select(User).where(User.id == user_id).with_for_update().execution_options(populate_existing=True)
        )
        if user is None:
            raise NotFound(what="user", id=str(user_id))
        return user

    # signed-in devices and API keys

    async def sessions(self, user_id: UUID, now: datetime) -> Sequence[AccessToken]:
        """Return valid sessions, last used first."""
        tokens = await self.session.scalars(
            select(AccessToken)
            .where(AccessToken.user_id == user_id, AccessToken.kind == TokenKind.session, AccessToken.expires_at > now)
            .order_by(func.coalesce(AccessToken.last_used_at, AccessToken.created_at).desc(), AccessToken.id.desc())
        )
        return tokens.all()

    async def remove_sessions(self, user_id: UUID, *, keep: UUID) -> None:
        """Delete all sessions but `keep`; API keys stay."""
        await self.session.execute(
            delete(AccessToken).where(
                AccessToken.user_id == user_id, AccessToken.kind == TokenKind.session, AccessToken.id != keep
            )
        )

    async def api_keys(self, user_id: UUID) -> Sequence[AccessToken]:
        """Return API keys, newest first."""
        keys = await self.session.scalars(
            select(AccessToken)
            .where(AccessToken.user_id == user_id, AccessToken.kind == TokenKind.api_key)
            .order_by(AccessToken.created_at.desc(), AccessToken.id.desc())
        )
        return keys.all()

    async def add_api_key(self, key: AccessToken) -> None:
        """Add a key that was never used: the column's default is for sessions."""
        key.last_used_at = null()
        self.session.add(key)
        await self.session.flush()
        await self.session.refresh(key)

    async def remove_token(self, user_id: UUID, kind: TokenKind, token_id: UUID) -> AccessToken:
        """Delete a token and return it. Raise NotFound for another user's token, and for one of the other kind."""
        removed: AccessToken | None = await self.session.scalar(
            delete(AccessToken)
            .where(AccessToken.id == token_id, AccessToken.user_id == user_id, AccessToken.kind == kind)
            .returning(AccessToken)
        )
        if removed is None:
            raise NotFound(what=kind.value, id=str(token_id))
        return removed

    # links of mails

    async def void_links(self, user_id: UUID, purpose: LinkPurpose, *, but_to: str | None = None) -> None:
        """Delete the unused links of a purpose, except those mailed to `but_to`."""
        unused = delete(MailLink).where(
            MailLink.user_id == user_id, MailLink.purpose == purpose, MailLink.used_at.is_(None)
        )
        if but_to is not None:
            unused = unused.where(func.lower(MailLink.email) != func.lower(but_to))
        await self.session.execute(unused)

    def add_link(self, link: MailLink) -> None:
        self.session.add(link)

    # second factor

    async def take_step(self, user_id: UUID, secret_encrypted: str, step: int) -> bool:
        """Use up a step; return False if it or a newer one was used, also by a parallel call."""
        updated_id = await self.session.scalar(
            update(User)
            .where(
                User.id == user_id,
                User.totp_enabled_at.is_not(None),
                User.totp_secret_encrypted == secret_encrypted,
                or_(User.totp_last_step.is_(None), User.totp_last_step < step),
            )
            .values(totp_last_step=step)
            .returning(User.id)
        )
        return updated_id is not None

    async def take_recovery_code(self, user_id: UUID, code_hash: str, now: datetime) -> bool:
        """Use up a recovery code; return whether it was unused."""
        used_code = await self.session.scalar(
            update(RecoveryCode)
            .where(RecoveryCode.user_id == user_id, RecoveryCode.code_hash == code_hash, RecoveryCode.used_at.is_(None))
            .values(used_at=now)
            .returning(RecoveryCode.id)
        )
        return used_code is not None

    async def recovery_codes_left(self, user_id: UUID) -> int:
        left = await self.session.scalar(
            select(func.count()).where(RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
        )
        return left or 0

    async def replace_recovery_codes(self, user_id: UUID, code_hashes: Sequence[str]) -> None:
        """Replace all codes, used or not."""
        await self.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
        self.session.add_all(RecoveryCode(user_id=user_id, code_hash=code_hash) for code_hash in code_hashes)
