"""What networks have granted, and giving it back."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.channels import ChannelKind
from core.models import Account, Grant


class GrantRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def locked(self, user_id: UUID, grant_id: UUID) -> Grant | None:
        found: Grant | None = await self.session.scalar(
            select(Grant).where(Grant.id == grant_id, Grant.user_id == user_id).with_for_update()
        )
        return found

    async def find(self, user_id: UUID, grant_id: UUID) -> Grant | None:
        found: Grant | None = await self.session.scalar(
            select(Grant).where(Grant.id == grant_id, Grant.user_id == user_id)
        )
        return found

    async def of_subject(
        self, user_id: UUID, kind: ChannelKind, base_url: str, subject: str | None, external_ids: Sequence[str]
    ) -> Grant | None:
        """The one of whoever has consented once more: by their own id, or where the network does not say it, by the
        accounts that it led to. Locked."""
        accounts = exists().where(
            Account.grant_id == Grant.id, Account.user_id == user_id, Account.external_id.in_(external_ids)
        )
        whose = Grant.subject == subject if subject else accounts
        found: Grant | None = await self.session.scalar(
            select(Grant)
            .where(Grant.user_id == user_id, Grant.kind == kind, Grant.base_url == base_url, whose)
            .order_by(Grant.created_at)
            .limit(1)
            .with_for_update()
        )
        return found

    async def accounts_of(self, user_id: UUID, grant_id: UUID) -> Sequence[Account]:
        """Those that are connected by it."""
        rows = await self.session.scalars(
            select(Account)
            .where(Account.user_id == user_id, Account.grant_id == grant_id, Account.disconnected_at.is_(None))
            .order_by(Account.id)
        )
        return rows.all()

    async def all(self, user_id: UUID) -> Sequence[Grant]:
        rows = await self.session.scalars(select(Grant).where(Grant.user_id == user_id).order_by(Grant.id))
        return rows.all()

    async def take_due(self, now: datetime, until: datetime, limit: int) -> list[tuple[UUID, UUID]]:
        """(user, grant) of all users' that are to be given back by now, longest waiting first: nobody else takes them
        before `until`."""
        due = (
            select(Grant.id)
            .where(Grant.revoke_due_at <= now)
            .order_by(Grant.revoke_due_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        rows = await self.session.execute(
            update(Grant)
            .where(Grant.id.in_(due))
            .values(revoke_due_at=until)
            .returning(Grant.user_id, Grant.id)
            .execution_options(synchronize_session=False)
        )
        return [(user_id, grant_id) for user_id, grant_id in rows]

    async def unused(self, user_id: UUID, grant_id: UUID) -> bool:
        count = await self.session.scalar(
            select(func.count()).where(
                Account.user_id == user_id, Account.grant_id == grant_id, Account.disconnected_at.is_(None)
            )
        )
        return not count

    async def forget(self, user_id: UUID, grant_id: UUID, token_id: UUID) -> None:
        """Unless another token has come since, or it is wanted again."""
        await self.session.execute(
            delete(Grant).where(
                Grant.user_id == user_id,
                Grant.id == grant_id,
                Grant.token_id == token_id,
                Grant.revoke_due_at.is_not(None),
            )
        )

    async def postpone(self, user_id: UUID, grant_id: UUID, token_id: UUID, until: datetime) -> None:
        await self.session.execute(
            update(Grant)
            .where(
                Grant.user_id == user_id,
                Grant.id == grant_id,
                Grant.token_id == token_id,
                Grant.revoke_due_at.is_not(None),
            )
            .values(revoke_due_at=until, revoke_attempts=Grant.revoke_attempts + 1)
            .execution_options(synchronize_session=False)
        )

    async def forget_all(self, user_id: UUID) -> None:
        """Grants, and tokens that accounts have of their own."""
        await self.session.execute(delete(Grant).where(Grant.user_id == user_id))
        await self.session.execute(
            update(Account)
            .where(Account.user_id == user_id, or_(Account.own_token_id.is_not(None), Account.grant_id.is_not(None)))
            .values(access_token_encrypted=None, own_token_id=None, grant_id=None)
            .execution_options(synchronize_session=False)
        )
