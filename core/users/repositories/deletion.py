"""Deletion of an account and all its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Date, Select, case, cast, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.ai.tables.transactions import AnonymousTotal, Transaction, UsageSum
from core.assistants.rules.assistants import OPEN_RUNS
from core.assistants.tables import Assistant
from core.database import replan_queries
from core.deliveries.repositories.follow_ups import FollowUpRepository
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.feeds.tables import TopicFeed
from core.networks.rules.channels import ChannelKind
from core.notifications.tables.mails import Mail, MailState
from core.posts.rules.posts import OPEN_DELIVERIES, DeliveryState
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.social_accounts.tables import Account, ConnectAttempt, Grant
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion
from core.users.tables.users import AccessToken, Invitation, MailLink, RecoveryCode, User

NOBODY: Final = "left@invalid"
"""Replaces an address in other users' rows, which stay."""

# class of this module's advisory locks, one per user
_HELD = 7305444


@dataclass(frozen=True)
class WorkflowNames:
    """Ids that name workflows which a listing may not show yet, or not under their user."""

    assistant_ids: Sequence[UUID]
    run_workflows: Sequence[str]
    post_ids: Sequence[UUID]
    mail_ids: Sequence[UUID]
    tryout_ids: Sequence[UUID]
    suggestion_ids: Sequence[UUID]
    grant_ids: Sequence[UUID]
    feed_ids: Sequence[UUID]
    follow_ups: Sequence[tuple[FollowUpKind, UUID]]


_TOTALS: Final = ("calls", "input_tokens", "output_tokens", "images", "cost_micros", "uncounted", "unpriced")


class AccountDeletionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    # asked for

    async def lock_remaining(self, user_id: UUID) -> bool:
        """Return whether the user exists and is not being deleted; true stays valid until this transaction ends.

        For actions with effects outside of the database: those are known before they are removed.
        """
        await self.session.execute(select(func.pg_advisory_xact_lock_shared(_HELD, _lock_of(user_id))))
        remaining_id = await self.session.scalar(
            select(User.id).where(User.id == user_id, User.deletion_requested_at.is_(None))
        )
        return remaining_id is not None

    async def lock_user(self, user_id: UUID) -> bool:
        """Return whether no such action of a user being deleted is running; from then on none can start."""
        return bool(await self.session.scalar(select(func.pg_try_advisory_xact_lock(_HELD, _lock_of(user_id)))))

    async def locked(self, user_id: UUID) -> User | None:
        """Return the row, locked for a change; rows that refer to it may still be added."""
        return await self.session.scalar(
            select(User)
            .where(User.id == user_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )

    async def requested(self, before: datetime) -> Sequence[UUID]:
        """Return all users who requested deletion before then, oldest first. Only for the worker."""
        rows = await self.session.scalars(
            select(User.id).where(User.deletion_requested_at < before).order_by(User.deletion_requested_at)
        )
        return rows.all()

    async def lock_out(self, user_id: UUID) -> None:
        """Delete all access: devices, keys, links, codes and open connect attempts."""
        for table in (AccessToken, MailLink, RecoveryCode, ConnectAttempt):
            await self.session.execute(delete(table).where(table.user_id == user_id))

    async def withdraw(self, user_id: UUID, now: datetime) -> None:
        """Prevent new runs, deliveries, model calls, mails, and sign-ups by the user's invitations.

        A delivery that was not called yet loses its claim: its fence can no longer be set.
        """
        await self.session.execute(
            update(Assistant)
            .where(Assistant.user_id == user_id, Assistant.active)
            .values(active=False, version=Assistant.version + 1)
        )
        # in the lock order of a delivery's own writes
        await self.session.execute(
            update(Delivery)
            .where(Delivery.user_id == user_id, Delivery.state.in_(OPEN_DELIVERIES))
            .values(state=DeliveryState.cancelled, attempt=None, settled_at=now)
        )
        await FollowUpRepository(self.session).cancel_all(user_id)
        await self.session.execute(
            update(Account)
            .where(Account.user_id == user_id, Account.disconnected_at.is_(None))
            .values(disconnected_at=now)
        )
        for table in (Tryout, TopicSuggestion):
            await self.session.execute(
                update(table)
                .where(table.user_id == user_id, table.state.in_(OPEN_GENERATIONS))
                .values(state=GenerationState.cancelled, finished_at=now)
            )
        await self.session.execute(delete(Mail).where(Mail.user_id == user_id, Mail.state == MailState.pending))
        await self.session.execute(
            update(Invitation)
            .where(Invitation.user_id == user_id, Invitation.accepted_at.is_(None), Invitation.revoked_at.is_(None))
            .values(revoked_at=now)
        )

    async def forget_addresses(self, user_id: UUID, email: str) -> None:
        """Remove the user's addresses from others' rows: the accepted invitation, and mails to the user."""
        came_by = await self.session.scalars(
            select(Invitation.email).where(Invitation.accepted_by == user_id, Invitation.email.is_not(None))
        )
        addresses = [email, *(address for address in came_by if address)]
        await self.session.execute(update(Invitation).where(Invitation.accepted_by == user_id).values(email=None))
        await self.session.execute(
            update(Mail)
            .where(
                Mail.user_id != user_id,
                Mail.state != MailState.pending,
                or_(*(func.lower(Mail.to_email) == func.lower(address) for address in addresses)),
            )
            .values(to_email=NOBODY)
        )

    async def calls(self, user_id: UUID) -> Sequence[tuple[ChannelKind, datetime]]:
        """Return channel and time of the publishing calls without an answer."""
        waiting = select(Delivery.channel, Delivery.called_at).where(
            Delivery.user_id == user_id, Delivery.called_at.is_not(None), Delivery.state == DeliveryState.cancelled
        )
        rows = await self.session.execute(waiting)
        return [(ChannelKind(kind), called_at) for kind, called_at in rows if called_at is not None]

    # carried out

    async def names(self, user_id: UUID) -> WorkflowNames:
        assistants = await self.session.scalars(select(Assistant.id).where(Assistant.user_id == user_id))
        runs = await self.session.scalars(
            select(Run.workflow_id).where(Run.user_id == user_id, Run.state.in_(OPEN_RUNS))
        )
        # only pinned posts had their own workflow
        posts = await self.session.scalars(select(Post.id).where(Post.user_id == user_id, Post.pinned))
        mails = await self.session.scalars(select(Mail.id).where(Mail.user_id == user_id))
        tryouts = await self.session.scalars(select(Tryout.id).where(Tryout.user_id == user_id))
        suggestions = await self.session.scalars(select(TopicSuggestion.id).where(TopicSuggestion.user_id == user_id))
        grants = await self.session.scalars(select(Grant.id).where(Grant.user_id == user_id))
        feeds = await self.session.scalars(select(TopicFeed.id).where(TopicFeed.user_id == user_id))
        return WorkflowNames(
            assistants.all(),
            runs.all(),
            posts.all(),
            mails.all(),
            tryouts.all(),
            suggestions.all(),
            grants.all(),
            feeds.all(),
            await FollowUpRepository(self.session).list_ids(user_id),
        )

    async def begun_again(self, user_id: UUID) -> bool:
        """Return whether a request that was running at the deletion has started something since."""
        assistant = select(Assistant.id).where(Assistant.user_id == user_id, Assistant.active)
        mail = select(Mail.id).where(Mail.user_id == user_id, Mail.state == MailState.pending)
        account = select(Account.id).where(Account.user_id == user_id, Account.disconnected_at.is_(None))
        tryout = select(Tryout.id).where(Tryout.user_id == user_id, Tryout.state.in_(OPEN_GENERATIONS))
        suggestion = select(TopicSuggestion.id).where(
            TopicSuggestion.user_id == user_id, TopicSuggestion.state.in_(OPEN_GENERATIONS)
        )
        ordered = (assistant, mail, account, tryout, suggestion)
        if await self.session.scalar(select(or_(*(statement.exists() for statement in ordered)))):
            return True
        return await FollowUpRepository(self.session).has_pending(user_id)

    async def last_lock(self, user_id: UUID) -> bool:
        """Lock the user's row until the transaction ends, so that no row of the user is added. False: already
        deleted."""
        return (
            await self.session.scalar(
                select(User.id).where(User.id == user_id, User.deletion_requested_at.is_not(None)).with_for_update()
            )
        ) is not None

    async def keep_totals(self, user_id: UUID) -> None:
        """Add the user's model usage to the anonymous totals."""
        has_usage = Transaction.input_tokens.is_not(None) & Transaction.output_tokens.is_not(None)
        month = cast(func.date_trunc("month", func.timezone("UTC", Transaction.created_at)), Date)
        keys = (month, Transaction.type, Transaction.provider, Transaction.model, Transaction.currency)
        sums = (
            func.count(),
            func.coalesce(func.sum(Transaction.input_tokens), 0),
            func.coalesce(func.sum(Transaction.output_tokens), 0),
            func.coalesce(func.sum(Transaction.images), 0),
            func.coalesce(func.sum(Transaction.cost_micros), 0),
            func.count(case((~has_usage, 1))),
            func.count(case((Transaction.cost_micros.is_(None), 1))),
        )
        await self._add_to_totals(select(*keys, *sums).where(Transaction.user_id == user_id).group_by(*keys))
        removed = (
            cast(func.date_trunc("month", func.timezone("UTC", UsageSum.at)), Date),
            UsageSum.type,
            UsageSum.provider,
            UsageSum.model,
            UsageSum.currency,
        )
        figures = [func.sum(UsageSum.__table__.c[name]) for name in _TOTALS]
        await self._add_to_totals(select(*removed, *figures).where(UsageSum.user_id == user_id).group_by(*removed))

    async def _add_to_totals(self, sums: Select[*tuple[Any, ...]]) -> None:
        statement = insert(AnonymousTotal).from_select(
            ["month", "type", "provider", "model", "currency", *_TOTALS], sums
        )
        table = AnonymousTotal.__table__
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[column.name for column in table.primary_key],
                set_={name: table.c[name] + statement.excluded[name] for name in _TOTALS},
            )
        )

    async def remove(self, user_id: UUID) -> None:
        """Delete the user's row; all other rows of the user cascade."""
        await replan_queries(self.session)
        await self.session.execute(delete(User).where(User.id == user_id))


def _lock_of(user_id: UUID) -> int:
    """Return a signed 32-bit lock key, as PostgreSQL requires; users with the same key wait for each other."""
    return int.from_bytes(user_id.bytes[-4:], signed=True)
