"""Grants of networks, and their revocation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.networks.rules.channels import ChannelKind
from core.social_accounts.repositories.revocations import claim_due
from core.social_accounts.tables import Account, Grant
from core.users.tables.users import User

CHANGED_GRANT: Final = "postloom_grants"
"""PostgreSQL channel on which the worker learns of changed grants."""
_IS_USED: Final = and_(Grant.revoke_due_at.is_(None), User.deletion_requested_at.is_(None))


@dataclass(frozen=True)
class UnsyncedGrant:
    """A grant and the version that its workflow has to know. `used`: an account uses it."""

    user_id: UUID
    id: UUID
    kind: ChannelKind
    version: int
    used: bool


class GrantRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def lock(self, user_id: UUID, grant_id: UUID) -> Grant | None:
        found: Grant | None = await self.session.scalar(
            select(Grant).where(Grant.id == grant_id, Grant.user_id == user_id).with_for_update()
        )
        return found

    async def find(self, user_id: UUID, grant_id: UUID) -> Grant | None:
        found: Grant | None = await self.session.scalar(
            select(Grant).where(Grant.id == grant_id, Grant.user_id == user_id)
        )
        return found

    async def latest_scopes(self, kinds: Collection[ChannelKind]) -> dict[ChannelKind, list[str]]:
        """For operators: return the scopes of each network's newest tokens, which tell what its app may do."""
        query = (
            select(Grant.kind, Grant.scopes)
            .where(Grant.kind.in_(kinds), Grant.revoke_due_at.is_(None))
            .distinct(Grant.kind)
            .order_by(Grant.kind, Grant.token_since.desc())
        )
        return {row.kind: row.scopes for row in await self.session.execute(query)}

    async def lock_by_subject(
        self, user_id: UUID, kind: ChannelKind, base_url: str, subject: str | None, external_ids: Sequence[str]
    ) -> Grant | None:
        """Return the grant of a repeated consent, locked: by the person's id, or if that is unknown, by its
        accounts."""
        accounts = exists().where(
            Account.grant_id == Grant.id, Account.user_id == user_id, Account.external_id.in_(external_ids)
        )
        whose = or_(Grant.subject == subject, and_(Grant.subject.is_(None), accounts)) if subject else accounts
        found: Grant | None = await self.session.scalar(
            select(Grant)
            .where(Grant.user_id == user_id, Grant.kind == kind, Grant.base_url == base_url, whose)
            .order_by(Grant.created_at)
            .limit(1)
            .with_for_update()
        )
        return found

    async def mark_changed(self, grant: Grant) -> None:
        """Increase the version, so that its workflow is notified after the commit."""
        grant.version += 1
        await self.session.flush()
        await self.session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGED_GRANT})

    async def mark_all_changed(self, grants: Sequence[tuple[UUID, UUID]]) -> None:
        """As `mark_changed`, of several (user, grant), whoever else changes them."""
        await self.session.execute(
            update(Grant)
            .where(tuple_(Grant.user_id, Grant.id).in_(grants))
            .values(version=Grant.version + 1)
            .execution_options(synchronize_session=False)
        )
        await self.session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGED_GRANT})

    async def list_unsynced(self, *, after: UUID | None = None, limit: int) -> list[UnsyncedGrant]:
        """For the reconcile: return a page of changed grants of all users; unused ones have to end."""
        return await self._read_page(Grant.told_version < Grant.version, after=after, limit=limit)

    async def mark_synced(self, user_id: UUID, grant_id: UUID, version: int) -> None:
        await self.session.execute(
            update(Grant)
            .where(Grant.id == grant_id, Grant.user_id == user_id)
            .values(told_version=version)
            .execution_options(synchronize_session=False)
        )

    async def list_synced(self, *, after: UUID | None, limit: int) -> list[UnsyncedGrant]:
        """For the reconcile: return a page of used grants of all users whose workflow knows their version."""
        return await self._read_page(Grant.told_version == Grant.version, _IS_USED, after=after, limit=limit)

    async def _read_page(self, *wanted: ColumnElement[bool], after: UUID | None, limit: int) -> list[UnsyncedGrant]:
        query = (
            select(Grant.user_id, Grant.id, Grant.kind, Grant.version, _IS_USED.label("used"))
            .join(User, User.id == Grant.user_id)
            .where(*wanted)
            .order_by(Grant.id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(Grant.id > after)
        rows = await self.session.execute(query)
        return [UnsyncedGrant(row.user_id, row.id, ChannelKind(row.kind), row.version, row.used) for row in rows]

    async def list_accounts(self, user_id: UUID, grant_id: UUID) -> Sequence[Account]:
        """Return the accounts connected by the grant."""
        rows = await self.session.scalars(
            select(Account)
            .where(Account.user_id == user_id, Account.grant_id == grant_id, Account.disconnected_at.is_(None))
            .order_by(Account.id)
        )
        return rows.all()

    async def list_all(self, user_id: UUID) -> Sequence[Grant]:
        rows = await self.session.scalars(select(Grant).where(Grant.user_id == user_id).order_by(Grant.id))
        return rows.all()

    async def list_of_others(
        self, user_id: UUID, kinds: Sequence[ChannelKind], base_url: str, subject: str | None
    ) -> Sequence[Grant]:
        """Return other users' grants of this person, or of unknown persons; without a subject, of anybody. Not of users
        who leave, whose grants are revoked too. Must not be shown to anybody."""
        whose = [or_(Grant.subject == subject, Grant.subject.is_(None))] if subject else []
        rows = await self.session.scalars(
            select(Grant)
            .join(User, User.id == Grant.user_id)
            .where(
                Grant.user_id != user_id,
                Grant.kind.in_(kinds),
                Grant.base_url == base_url,
                User.deletion_requested_at.is_(None),
                *whose,
            )
            .order_by(Grant.id)
        )
        return rows.all()

    async def claim_due(self, now: datetime, until: datetime, limit: int) -> list[tuple[UUID, UUID]]:
        """Return (user, grant) of all users' due revocations, longest waiting first, and postpone them to `until`."""
        return await claim_due(self.session, Grant, Grant.revoke_due_at, now, until, limit)

    async def is_unused(self, user_id: UUID, grant_id: UUID) -> bool:
        count = await self.session.scalar(
            select(func.count()).where(
                Account.user_id == user_id, Account.grant_id == grant_id, Account.disconnected_at.is_(None)
            )
        )
        return not count

    async def delete(self, user_id: UUID, grant_id: UUID, token_id: UUID) -> None:
        """Delete the grant, unless it has another token by now or is used again."""
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

    async def delete_all(self, user_id: UUID) -> None:
        """Delete all grants of the user, and accounts' own tokens."""
        await self.session.execute(delete(Grant).where(Grant.user_id == user_id))
        await self.session.execute(
            update(Account)
            .where(Account.user_id == user_id, or_(Account.own_token_id.is_not(None), Account.grant_id.is_not(None)))
            .values(access_token_encrypted=None, own_token_id=None, grant_id=None)
            .execution_options(synchronize_session=False)
        )
