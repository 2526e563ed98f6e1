"""How an account and all that is its own ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Date, case, cast, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.ai.tables.transactions import AnonymousTotal, Transaction
from core.assistants.rules.assistants import OPEN_RUNS
from core.assistants.tables import Assistant
from core.database import replan_queries
from core.deliveries.repositories.follow_ups import FollowUpRepository
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
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
"""In the place of an address in rows that stay: other people's."""

# class of the advisory locks that this module alone takes, one for each user
_HELD = 7305444


@dataclass(frozen=True)
class WorkflowNames:
    """Rows whose ids name workflows that a listing may not show yet, or not by their user."""

    assistant_ids: Sequence[UUID]
    run_workflows: Sequence[str]
    post_ids: Sequence[UUID]
    mail_ids: Sequence[UUID]
    tryout_ids: Sequence[UUID]
    suggestion_ids: Sequence[UUID]
    grant_ids: Sequence[UUID]
    follow_ups: Sequence[tuple[FollowUpKind, UUID]]


class AccountDeletionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    # asked for

    async def lock_remaining(self, user_id: UUID) -> bool:
        """Whether the user is there and does not leave; true holds until this transaction ends.

        For acts whose effect is outside of the database: what they leave there is known before it is removed.
        """
        await self.session.execute(select(func.pg_advisory_xact_lock_shared(_HELD, _lock_of(user_id))))
        found = await self.session.scalar(
            select(User.id).where(User.id == user_id, User.deletion_requested_at.is_(None))
        )
        return found is not None

    async def lock_user(self, user_id: UUID) -> bool:
        """Whether nobody is in such an act of a user who leaves: from then on nobody ever will be."""
        return bool(await self.session.scalar(select(func.pg_try_advisory_xact_lock(_HELD, _lock_of(user_id)))))

    async def locked(self, user_id: UUID) -> User | None:
        """The row for a change; rows that refer to it may still be added."""
        found: User | None = await self.session.scalar(
            select(User)
            .where(User.id == user_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
        return found

    async def requested(self, before: datetime) -> Sequence[UUID]:
        """All users who asked for it before then, in that order: for the worker alone."""
        rows = await self.session.scalars(
            select(User.id).where(User.deletion_requested_at < before).order_by(User.deletion_requested_at)
        )
        return rows.all()

    async def lock_out(self, user_id: UUID) -> None:
        """Nobody acts for the user any more: no device, key, link, code or consent page."""
        for table in (AccessToken, MailLink, RecoveryCode, ConnectAttempt):
            await self.session.execute(delete(table).where(table.user_id == user_id))

    async def withdraw(self, user_id: UUID, now: datetime) -> None:
        """Nothing begins any more: no run, no delivery, no call of a model, no mail, no sign-up by an invitation.

        A delivery that was not called yet has lost its claim: its fence cannot be set any more.
        """
        await self.session.execute(
            update(Assistant)
            .where(Assistant.user_id == user_id, Assistant.active)
            .values(active=False, version=Assistant.version + 1)
        )
        # in the order in which a delivery's own writes lock them
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
        for asked in (Tryout, TopicSuggestion):
            await self.session.execute(
                update(asked)
                .where(asked.user_id == user_id, asked.state.in_(OPEN_GENERATIONS))
                .values(state=GenerationState.cancelled, finished_at=now)
            )
        await self.session.execute(delete(Mail).where(Mail.user_id == user_id, Mail.state == MailState.pending))
        await self.session.execute(
            update(Invitation)
            .where(Invitation.user_id == user_id, Invitation.accepted_at.is_(None), Invitation.revoked_at.is_(None))
            .values(revoked_at=now)
        )

    async def forget_addresses(self, user_id: UUID, email: str) -> None:
        """The person's addresses in rows of others: the invitation they came by, and mails to them."""
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
        """The publishing calls that have not been heard of: where they went, and when."""
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
        # only what a person has said the time of had a workflow of its own
        posts = await self.session.scalars(select(Post.id).where(Post.user_id == user_id, Post.pinned))
        mails = await self.session.scalars(select(Mail.id).where(Mail.user_id == user_id))
        tryouts = await self.session.scalars(select(Tryout.id).where(Tryout.user_id == user_id))
        suggestions = await self.session.scalars(select(TopicSuggestion.id).where(TopicSuggestion.user_id == user_id))
        grants = await self.session.scalars(select(Grant.id).where(Grant.user_id == user_id))
        return WorkflowNames(
            assistants.all(),
            runs.all(),
            posts.all(),
            mails.all(),
            tryouts.all(),
            suggestions.all(),
            grants.all(),
            await FollowUpRepository(self.session).list_ids(user_id),
        )

    async def begun_again(self, user_id: UUID) -> bool:
        """Whether a request that was under way when the user left has ordered something since."""
        assistant = select(Assistant.id).where(Assistant.user_id == user_id, Assistant.active)
        mail = select(Mail.id).where(Mail.user_id == user_id, Mail.state == MailState.pending)
        account = select(Account.id).where(Account.user_id == user_id, Account.disconnected_at.is_(None))
        tryout = select(Tryout.id).where(Tryout.user_id == user_id, Tryout.state.in_(OPEN_GENERATIONS))
        suggestion = select(TopicSuggestion.id).where(
            TopicSuggestion.user_id == user_id, TopicSuggestion.state.in_(OPEN_GENERATIONS)
        )
        ordered = (assistant, mail, account, tryout, suggestion)
        if await self.session.scalar(select(or_(*(one.exists() for one in ordered)))):
            return True
        return await FollowUpRepository(self.session).has_pending(user_id)

    async def last_lock(self, user_id: UUID) -> bool:
        """From here to the end of the transaction no row of the user is added. False: the user is gone."""
        return (
            await self.session.scalar(
                select(User.id).where(User.id == user_id, User.deletion_requested_at.is_not(None)).with_for_update()
            )
        ) is not None

    async def keep_totals(self, user_id: UUID) -> None:
        """Add what the user's calls of models used to the sums that are nobody's."""
        known = Transaction.input_tokens.is_not(None) & Transaction.output_tokens.is_not(None)
        month = cast(func.date_trunc("month", func.timezone("UTC", Transaction.created_at)), Date)
        keys = (month, Transaction.type, Transaction.provider, Transaction.model, Transaction.currency)
        sums = (
            func.count(),
            func.coalesce(func.sum(Transaction.input_tokens), 0),
            func.coalesce(func.sum(Transaction.output_tokens), 0),
            func.coalesce(func.sum(Transaction.images), 0),
            func.coalesce(func.sum(Transaction.cost_micros), 0),
            func.count(case((~known, 1))),
            func.count(case((Transaction.cost_micros.is_(None), 1))),
        )
        names = ("calls", "input_tokens", "output_tokens", "images", "cost_micros", "uncounted", "unpriced")
        statement = insert(AnonymousTotal).from_select(
            ["month", "type", "provider", "model", "currency", *names],
            select(*keys, *sums).where(Transaction.user_id == user_id).group_by(*keys),
        )
        table = AnonymousTotal.__table__
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[column.name for column in table.primary_key],
                set_={name: table.c[name] + statement.excluded[name] for name in names},
            )
        )

    async def remove(self, user_id: UUID) -> None:
        """The row; all others of the user go with it."""
        await replan_queries(self.session)
        await self.session.execute(delete(User).where(User.id == user_id))


def _lock_of(user_id: UUID) -> int:
    """32 bits, signed, as PostgreSQL counts them; two users who share them wait for each other."""
    return int.from_bytes(user_id.bytes[-4:], signed=True)
