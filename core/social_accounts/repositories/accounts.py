from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.tables import AssistantAccount
from core.errors import NotFound
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.social_accounts.tables import Account, ConnectAttempt, NetworkApp

CountedAccount = Row[Account, int]

# class of the advisory locks of this module, one per user
_CONNECTING: Final = 7305446


class AccountRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_connected(self, user_id: UUID) -> list[CountedAccount]:
        """Return the user's accounts at networks, with the number of assistants that use each. Accounts of websites are
        left out."""
        used = (
            select(func.count())
            .where(AssistantAccount.account_id == Account.id, AssistantAccount.user_id == user_id)
            .scalar_subquery()
        )
        rows = await self.session.execute(
            select(Account, used)
            .where(Account.user_id == user_id, Account.disconnected_at.is_(None), Account.kind.in_(NETWORKS))
            .order_by(Account.kind, Account.name, Account.id)
        )
        return list(rows.all())

    async def get(self, user_id: UUID, account_id: UUID) -> Account:
        account = await self.session.scalar(
            select(Account).where(
                Account.id == account_id, Account.user_id == user_id, Account.disconnected_at.is_(None)
            )
        )
        if account is None:
            raise NotFound(what="account", id=str(account_id))
        return account

    async def by_ids(self, user_id: UUID, account_ids: Sequence[UUID]) -> Sequence[Account]:
        """Return these accounts, disconnected ones too."""
        rows = await self.session.scalars(
            select(Account).where(Account.id.in_(account_ids), Account.user_id == user_id)
        )
        return rows.all()

    async def filter_connected(self, user_id: UUID, account_ids: Sequence[UUID]) -> Sequence[Account]:
        """Return those of the accounts that are connected."""
        rows = await self.session.scalars(
            select(Account)
            .where(Account.id.in_(account_ids), Account.user_id == user_id, Account.disconnected_at.is_(None))
            .order_by(Account.id)
        )
        return rows.all()

    async def lock_by_external_id(
        self, user_id: UUID, kind: ChannelKind, base_url: str, external_id: str
    ) -> Account | None:
        """Return the account, locked; also a removed one, which connecting restores."""
        return await self.session.scalar(
            select(Account)
            .where(
                Account.user_id == user_id,
                Account.kind == kind,
                Account.base_url == base_url,
                Account.external_id == external_id,
            )
            .with_for_update(of=Account)
        )

    async def remove_from_assistants(self, user_id: UUID, account_id: UUID) -> None:
        """Remove the account from all assistants."""
        await self.session.execute(
            delete(AssistantAccount).where(
                AssistantAccount.user_id == user_id, AssistantAccount.account_id == account_id
            )
        )

    async def set_rate_limit(self, user_id: UUID, account_id: UUID, until: datetime) -> None:
        """Set the end of the account's rate limit; a later end stays."""
        await self.session.execute(
            update(Account)
            .where(Account.id == account_id, Account.user_id == user_id)
            .values(limited_until=func.greatest(Account.limited_until, until))
            .execution_options(synchronize_session=False)
        )

    async def serialize_connecting(self, user_id: UUID) -> None:
        """Until the transaction ends, no other one stores grants of this user: of two concurrent connects the second
        finds what the first has stored."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_CONNECTING, _lock_key(user_id))))

    async def use_attempt(
        self, user_id: UUID, kind: ChannelKind, state_hash: str, used_hash: str, now: datetime
    ) -> str | None:
        """Mark the attempt as used. Return the base address of its server, "" if the network has only one; None if it
        is unknown, used or expired."""
        return await self.session.scalar(
            update(ConnectAttempt)
            .where(
                ConnectAttempt.user_id == user_id,
                ConnectAttempt.kind == kind,
                ConnectAttempt.state_hash == state_hash,
                ConnectAttempt.expires_at > now,
                ConnectAttempt.used_hash.is_(None),
            )
            .values(used_hash=used_hash)
            .returning(ConnectAttempt.base_url)
            .execution_options(synchronize_session=False)
        )

    async def was_attempt_used(self, user_id: UUID, kind: ChannelKind, used_hash: str) -> bool:
        """Return whether the user has come back by it already."""
        attempt_id = await self.session.scalar(
            select(ConnectAttempt.id).where(
                ConnectAttempt.user_id == user_id, ConnectAttempt.kind == kind, ConnectAttempt.used_hash == used_hash
            )
        )
        return attempt_id is not None

    async def count_comment_refusals(
        self, kinds: Collection[ChannelKind], *, since: datetime
    ) -> dict[ChannelKind, int]:
        """For operators: return for how many accounts a network has refused first comments."""
        query = (
            select(Account.kind, func.count().label("accounts"))
            .where(Account.kind.in_(kinds), Account.comments_refused_at > since)
            .group_by(Account.kind)
        )
        return {row.kind: row.accounts for row in await self.session.execute(query)}

    async def find_app(self, kind: ChannelKind, base_url: str, redirect_uri: str) -> NetworkApp | None:
        return await self.session.scalar(
            select(NetworkApp).where(
                NetworkApp.kind == kind, NetworkApp.base_url == base_url, NetworkApp.redirect_uri == redirect_uri
            )
        )

    async def list_apps(self, kind: ChannelKind, base_url: str) -> Sequence[NetworkApp]:
        """Return this app at that server, newest first: one per redirect address."""
        of_server = select(NetworkApp).where(NetworkApp.kind == kind, NetworkApp.base_url == base_url)
        return (await self.session.scalars(of_server.order_by(NetworkApp.created_at.desc()))).all()

    async def save_app(self, app: NetworkApp, instead_of: str | None = None) -> None:
        """Insert the app. The first of two concurrent ones stays, because consents may be under way with it.
        `instead_of`: client id of an app that its server has deleted."""
        values = {
            name: getattr(app, name)
            for name in ("kind", "base_url", "redirect_uri", "client_id", "client_secret_encrypted")
        }
        await self.session.execute(
            insert(NetworkApp)
            .values(values)
            .on_conflict_do_update(
                index_elements=["kind", "base_url", "redirect_uri"],
                set_={name: values[name] for name in ("client_id", "client_secret_encrypted")},
                where=NetworkApp.client_id == instead_of,
            )
        )

    async def delete_expired_attempts(self, now: datetime) -> None:
        """Delete expired attempts."""
        await self.session.execute(delete(ConnectAttempt).where(ConnectAttempt.expires_at < now))


def _lock_key(user_id: UUID) -> int:
    """Return a signed 32-bit key; users who share it wait for each other."""
    return int.from_bytes(user_id.bytes[-4:], signed=True)
