from collections.abc import Sequence
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

# class of the advisory locks that this module alone takes, one for each user
_CONNECTING: Final = 7305446


class AccountRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def all(self, user_id: UUID) -> list[CountedAccount]:
        """Those of social networks: a site's is its website's affair."""
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

    async def of_ids(self, user_id: UUID, account_ids: Sequence[UUID]) -> Sequence[Account]:
        """Disconnected ones too."""
        rows = await self.session.scalars(
            select(Account).where(Account.id.in_(account_ids), Account.user_id == user_id)
        )
        return rows.all()

    async def connected(self, user_id: UUID, account_ids: Sequence[UUID]) -> Sequence[Account]:
        """Those among them that still are."""
        rows = await self.session.scalars(
            select(Account)
            .where(Account.id.in_(account_ids), Account.user_id == user_id, Account.disconnected_at.is_(None))
            .order_by(Account.id)
        )
        return rows.all()

    async def by_external(self, user_id: UUID, kind: ChannelKind, base_url: str, external_id: str) -> Account | None:
        """Also one that was removed: connecting it again brings it back."""
        found: Account | None = await self.session.scalar(
            select(Account)
            .where(
                Account.user_id == user_id,
                Account.kind == kind,
                Account.base_url == base_url,
                Account.external_id == external_id,
            )
            .with_for_update(of=Account)
        )
        return found

    async def release(self, user_id: UUID, account_id: UUID) -> None:
        """No assistant posts through it any more."""
        await self.session.execute(
            delete(AssistantAccount).where(
                AssistantAccount.user_id == user_id, AssistantAccount.account_id == account_id
            )
        )

    async def limit(self, user_id: UUID, account_id: UUID, until: datetime) -> None:
        """Its network takes nothing from this account before that moment; an end that is later already stays."""
        await self.session.execute(
            update(Account)
            .where(Account.id == account_id, Account.user_id == user_id)
            .values(limited_until=func.greatest(Account.limited_until, until))
            .execution_options(synchronize_session=False)
        )

    async def in_turn(self, user_id: UUID) -> None:
        """Until this transaction ends nobody else stores what a user's networks have granted: of two who connect at
        once the second finds what the first has stored."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_CONNECTING, _lock_of(user_id))))

    async def take_attempt(
        self, user_id: UUID, kind: ChannelKind, state_hash: str, used_hash: str, now: datetime
    ) -> str | None:
        """Single use: the server it leads to, empty where the network is one, for the user who started it, once, before
        it expires. Else None."""
        taken: str | None = await self.session.scalar(
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
        return taken

    async def was_used(self, user_id: UUID, kind: ChannelKind, used_hash: str) -> bool:
        """Whether its user has come back by it, as long as that is remembered."""
        found = await self.session.scalar(
            select(ConnectAttempt.id).where(
                ConnectAttempt.user_id == user_id, ConnectAttempt.kind == kind, ConnectAttempt.used_hash == used_hash
            )
        )
        return found is not None

    async def app(self, kind: ChannelKind, base_url: str, redirect_uri: str) -> NetworkApp | None:
        found: NetworkApp | None = await self.session.scalar(
            select(NetworkApp).where(
                NetworkApp.kind == kind, NetworkApp.base_url == base_url, NetworkApp.redirect_uri == redirect_uri
            )
        )
        return found

    async def apps(self, kind: ChannelKind, base_url: str) -> Sequence[NetworkApp]:
        """Us at that server, newest first: one for each address that it was to send people back to."""
        of_server = select(NetworkApp).where(NetworkApp.kind == kind, NetworkApp.base_url == base_url)
        return (await self.session.scalars(of_server.order_by(NetworkApp.created_at.desc()))).all()

    async def keep_app(self, app: NetworkApp, instead_of: str | None = None) -> None:
        """The first of two that were registered at once stays: ways may be under way by it. `instead_of`: the client
        id of one that its server has forgotten."""
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

    async def sweep_attempts(self, now: datetime) -> None:
        """Those whose time is over."""
        await self.session.execute(delete(ConnectAttempt).where(ConnectAttempt.expires_at < now))


def _lock_of(user_id: UUID) -> int:
    """32 bits, signed, as PostgreSQL counts them; two users who share them wait for each other."""
    return int.from_bytes(user_id.bytes[-4:], signed=True)
