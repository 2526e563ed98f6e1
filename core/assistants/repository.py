from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    and_,
    case,
    cast,
    func,
    literal,
    not_,
    or_,
    select,
    true,
    type_coerce,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, joinedload

from core.assistants.rules.assistants import AssistantPhase
from core.assistants.tables import Assistant, AssistantAccount, AssistantImage, AssistantStatus
from core.clock import utcnow
from core.errors import Conflict, ErrorCode, FieldError, NotFound
from core.media.rules.media import MediaKind
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.social_accounts.tables import Account
from core.templates.tables import Template, TemplateVersion
from core.topics.tables import Topic, TopicTree

# pause before an unresponsive workflow is notified again: doubled each time, up to 68 minutes
_FIRST_PAUSE, _DOUBLINGS = timedelta(seconds=16), 8


@dataclass(frozen=True)
class UsedTemplateVersion:
    """A template version that an assistant uses, and the newest one."""

    template_id: UUID
    version_id: UUID
    name: str
    number: int
    body: str
    latest_number: int
    latest_version_id: UUID


@dataclass(frozen=True)
class ChosenImage:
    """One of its own images. `removed` from the gallery, so it is not used."""

    media_id: UUID
    removed: bool


@dataclass(frozen=True)
class FullAssistant:
    """An assistant with everything its screens and its activation need, read in a fixed number of queries."""

    row: Assistant
    status: AssistantStatus | None
    tree_name: str | None
    enabled_topics: int
    template: UsedTemplateVersion | None
    image_template: UsedTemplateVersion | None
    accounts: tuple[Account, ...]
    own_images: tuple[ChosenImage, ...] = ()
    """In order."""


@dataclass(frozen=True)
class ExpectedAssistant:
    """An active assistant, and the version that its workflow has applied."""

    id: UUID
    version: int


class AssistantRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _owned_query(self, user_id: UUID) -> Select[Assistant, AssistantStatus | None, str | None]:
        return (
            select(Assistant, AssistantStatus, TopicTree.name)
            .outerjoin(AssistantStatus, AssistantStatus.assistant_id == Assistant.id)
            .outerjoin(TopicTree, TopicTree.id == Assistant.topic_tree_id)
            .where(Assistant.user_id == user_id)
            .options(joinedload(Assistant.website))
        )

    async def list_page(
        self,
        user_id: UUID,
        *,
        search: str,
        active: bool | None = None,
        paused: bool | None = None,
        offset: int,
        limit: int,
    ) -> tuple[list[FullAssistant], int]:
        """Return one page by name, and the total. An inactive assistant does not count as paused."""
        wanted: list[ColumnElement[bool]] = []
        if search:
            named = Assistant.name.icontains(search, autoescape=True)
            wanted.append(or_(named, Assistant.tags.contains([search])))
        if active is not None:
            wanted.append(Assistant.active == active)
        if paused is not None:
            holds = and_(Assistant.paused_at.is_not(None), func.coalesce(Assistant.paused_until > utcnow(), true()))
            wanted.append(and_(Assistant.active, holds) if paused else not_(and_(Assistant.active, holds)))
        total = await self.session.scalar(select(func.count()).where(Assistant.user_id == user_id, *wanted))
        rows = await self.session.execute(
            self._owned_query(user_id)
            .where(*wanted)
            .order_by(func.lower(Assistant.name), Assistant.id)
            .offset(offset)
            .limit(limit)
        )
        return await self._load_full(user_id, list(rows.all())), total or 0

    async def get(self, user_id: UUID, assistant_id: UUID) -> FullAssistant:
        row = (await self.session.execute(self._owned_query(user_id).where(Assistant.id == assistant_id))).one_or_none()
        if row is None:
            raise NotFound(what="assistant", id=str(assistant_id))
        return (await self._load_full(user_id, [row]))[0]

    async def lock(self, user_id: UUID, assistant_id: UUID) -> Assistant:
        """Return only the row, locked for a change. Raises NotFound."""
        found = await self.session.scalar(
            select(Assistant).where(Assistant.id == assistant_id, Assistant.user_id == user_id).with_for_update()
        )
        if found is None:
            raise NotFound(what="assistant", id=str(assistant_id))
        return found

    async def find_by_website(self, user_id: UUID, website_id: UUID, *, beside: UUID | None = None) -> Assistant | None:
        """Return the assistant that writes for the website."""
        found: Assistant | None = await self.session.scalar(
            select(Assistant).where(
                Assistant.user_id == user_id, Assistant.website_id == website_id, Assistant.id != beside
            )
        )
        return found

    async def ensure_exists(self, user_id: UUID, assistant_id: UUID) -> None:
        """Raises NotFound."""
        found = await self.session.scalar(
            select(Assistant.id).where(Assistant.id == assistant_id, Assistant.user_id == user_id)
        )
        if found is None:
            raise NotFound(what="assistant", id=str(assistant_id))

    async def prevent_deletion(self, user_id: UUID, assistant_id: UUID) -> bool:
        """Return whether it exists; if so, it cannot be deleted before the transaction ends."""
        found = await self.session.scalar(
            select(Assistant.id)
            .where(Assistant.id == assistant_id, Assistant.user_id == user_id)
            .with_for_update(read=True, key_share=True)
        )
        return found is not None

    async def lock_for_runs(self, user_id: UUID, assistant_id: UUID) -> Assistant | None:
        """As `prevent_deletion`, exclusively. Foreign keys to the row are not blocked."""
        found: Assistant | None = await self.session.scalar(
            select(Assistant)
            .where(Assistant.id == assistant_id, Assistant.user_id == user_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
        return found

    async def mark_budget_notified(self, user_id: UUID, assistant_id: UUID, month: date) -> None:
        """Does not count as a change of its configuration."""
        await self.session.execute(
            update(Assistant)
            .where(Assistant.id == assistant_id, Assistant.user_id == user_id)
            .values(budget_told=month, updated_at=Assistant.updated_at)
        )

    async def lock_at_version(self, user_id: UUID, assistant_id: UUID, version: int) -> Assistant:
        """As `lock`. Raises Conflict (stale_version) if another version was saved."""
        found = await self.lock(user_id, assistant_id)
        if found.version != version:
            raise Conflict(current=found.version)
        return found

    async def count_active(self, user_id: UUID) -> int:
        return (
            await self.session.scalar(select(func.count()).where(Assistant.user_id == user_id, Assistant.active)) or 0
        )

    async def set_accounts(
        self, user_id: UUID, assistant_id: UUID, account_ids: Sequence[UUID], *, site: bool = False
    ) -> None:
        """`site`: the account of its website. Raises NotFound if one is not the user's, or of the other kind."""
        wanted = list(dict.fromkeys(account_ids))
        found = await self.session.execute(
            select(Account.id, Account.kind).where(
                Account.user_id == user_id, Account.id.in_(wanted), Account.disconnected_at.is_(None)
            )
        )
        mine = {account_id for account_id, kind in found if kind.is_site == site}
        for account_id in wanted:
            if account_id not in mine:
                raise NotFound(what="account", id=str(account_id))
        links = await self.session.scalars(
            select(AssistantAccount).where(
                AssistantAccount.assistant_id == assistant_id, AssistantAccount.user_id == user_id
            )
        )
        had = {link.account_id: link for link in links}
        for account_id, link in had.items():
            if account_id not in mine:
                await self.session.delete(link)
        self.session.add_all(
            AssistantAccount(assistant_id=assistant_id, account_id=account_id, user_id=user_id)
            for account_id in wanted
            if account_id not in had
        )
        await self.session.flush()

    async def set_images(self, user_id: UUID, assistant_id: UUID, media_ids: Sequence[UUID]) -> None:
        """Images that stay keep their place in the rotation. Raises NotFound if a new one is not in the user's
        gallery."""
        wanted = list(dict.fromkeys(media_ids))
        rows = await self.session.scalars(
            select(AssistantImage).where(AssistantImage.assistant_id == assistant_id, AssistantImage.user_id == user_id)
        )
        had = {image.media_id: image for image in rows}
        mine = await self.session.scalars(
            select(Media.id)
            .where(
                Media.user_id == user_id,
                Media.id.in_(wanted),
                Media.kind == MediaKind.image,
                Media.deleted_at.is_(None),
            )
            .with_for_update(read=True, key_share=True)
        )
        known = set(mine.all()) | set(had)
        if lacking := [
            FieldError(f"image_media_ids.{index}", ErrorCode.not_found, value=str(media_id))
            for index, media_id in enumerate(wanted)
            if media_id not in known
        ]:
            raise NotFound(errors=lacking, what="media", id=str(lacking[0].params["value"]))
        for media_id, image in had.items():
            if media_id not in wanted:
                await self.session.delete(image)
        for position, media_id in enumerate(wanted):
            if media_id in had:
                had[media_id].position = position
            else:
                self.session.add(
                    AssistantImage(assistant_id=assistant_id, media_id=media_id, user_id=user_id, position=position)
                )
        await self.session.flush()

    async def lock_images(self, user_id: UUID, assistant_id: UUID) -> list[tuple[AssistantImage, Media]]:
        """Return its own images in order, removed ones too; none is deleted for good until the transaction ends."""
        rows = await self.session.execute(
            select(AssistantImage, Media)
            .join(Media, Media.id == AssistantImage.media_id)
            .where(AssistantImage.assistant_id == assistant_id, AssistantImage.user_id == user_id)
            .order_by(AssistantImage.position)
            .with_for_update(read=True, key_share=True, of=Media)
        )
        return [(image, media) for image, media in rows]

    # the projection

    async def project(
        self,
        user_id: UUID,
        assistant_id: UUID,
        *,
        phase: AssistantPhase,
        revision: int,
        applied_version: int,
        cursor: datetime | None,
        next_slot: datetime | None,
        next_start: datetime | None,
        rules: str,
        reason: str | None,
        retry_at: datetime | None,
        now: datetime,
    ) -> AssistantPhase | None:
        """Write the workflow's state, unless a newer revision is there. Return the phase before; None without one, or
        if this revision is too old."""
        values = {
            "phase": phase,
            "revision": revision,
            "applied_version": applied_version,
            "cursor": cursor,
            "next_slot": next_slot,
            "next_start": next_start,
            "rules": rules,
            "reason": reason,
            "retry_at": retry_at,
            "as_of": now,
        }
        statement = insert(AssistantStatus).values(assistant_id=assistant_id, user_id=user_id, **values)
        before = aliased(AssistantStatus)
        # a statement sees the rows from before it
        phase_before = select(before.phase).where(before.assistant_id == assistant_id).scalar_subquery()
        found: AssistantPhase | None = await self.session.scalar(
            statement.on_conflict_do_update(
                index_elements=[AssistantStatus.assistant_id],
                set_=values,
                where=AssistantStatus.revision < revision,
            ).returning(phase_before)
        )
        return found

    async def begin_after(self, now: datetime) -> int:
        """After the database was restored: let all active assistants of all users plan from `now` on, so that no slot
        runs that may have run after the backup. Return their number."""
        rows = select(
            Assistant.id,
            Assistant.user_id,
            type_coerce(literal(AssistantPhase.asleep.value), AssistantStatus.phase.type),
            Assistant.version,
            cast(literal(now), AssistantStatus.cursor.type),
        ).where(Assistant.active)
        statement = insert(AssistantStatus).from_select(
            ["assistant_id", "user_id", "phase", "applied_version", "cursor"], rows
        )
        changed = await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[AssistantStatus.assistant_id],
                set_={
                    # one that was just activated would plan from its activation on
                    "phase": statement.excluded.phase,
                    "applied_version": statement.excluded.applied_version,
                    "cursor": func.greatest(AssistantStatus.cursor, statement.excluded.cursor),
                },
            ).returning(AssistantStatus.assistant_id)
        )
        return len(changed.all())

    async def set_phase(self, user_id: UUID, assistant_id: UUID, phase: AssistantPhase) -> None:
        """Set the phase until the workflow has shown its own: activating or inactive."""
        statement = insert(AssistantStatus).values(assistant_id=assistant_id, user_id=user_id, phase=phase)
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[AssistantStatus.assistant_id],
                set_={"phase": phase, "next_slot": None, "next_start": None, "reason": None, "retry_at": None},
            )
        )

    async def list_unsynced(self, now: datetime, limit: int = 200) -> list[FullAssistant]:
        """For the reconcile: return assistants of all users whose row is ahead of their workflow, and whose turn it
        is."""
        behind = or_(
            and_(Assistant.active, AssistantStatus.assistant_id.is_(None)),
            AssistantStatus.applied_version < Assistant.version,
        )
        # each notification costs an event, so unanswered ones are repeated at growing intervals
        pause = _FIRST_PAUSE * func.power(2, func.least(AssistantStatus.told_times, _DOUBLINGS))
        told = and_(AssistantStatus.told_version == Assistant.version, AssistantStatus.told_at + pause > now)
        return await self._load_for_reconcile(
            _with_status().where(behind, told.is_not(true())).order_by(Assistant.updated_at).limit(limit)
        )

    async def mark_synced(self, user_id: UUID, assistant_id: UUID, version: int, now: datetime) -> None:
        """Mark this version as sent to the workflow, or as impossible to send."""
        status = AssistantStatus
        statement = insert(status).values(
            assistant_id=assistant_id,
            user_id=user_id,
            phase=AssistantPhase.activating,
            told_version=version,
            told_times=1,
            told_at=now,
        )
        times = case((status.told_version == version, status.told_times + 1), else_=1)
        await self.session.execute(
            statement.on_conflict_do_update(
                index_elements=[status.assistant_id],
                set_={"told_version": version, "told_times": times, "told_at": now},
            )
        )

    async def list_with_old_rules(self, rules: str, limit: int = 200) -> list[UUID]:
        """Return active assistants of all users that planned with other time zone data."""
        found = await self.session.scalars(
            select(AssistantStatus.assistant_id)
            .join(Assistant, Assistant.id == AssistantStatus.assistant_id)
            .where(Assistant.active, AssistantStatus.rules.not_in(("", rules)))
            .order_by(AssistantStatus.as_of)
            .limit(limit)
        )
        return list(found)

    async def list_expected_running(
        self, before: datetime, *, due_before: datetime | None = None, after: UUID | None, limit: int
    ) -> list[ExpectedAssistant]:
        """For the reconcile: return a page of active assistants of all users whose workflow has applied the latest
        version, without those that have shown their state since `before`. `due_before`: only those that should have
        started a run by then."""
        query = (
            select(Assistant.id, Assistant.version)
            .join(AssistantStatus, AssistantStatus.assistant_id == Assistant.id)
            .where(Assistant.active, AssistantStatus.applied_version == Assistant.version)
            .where(AssistantStatus.as_of < before)
            .order_by(Assistant.id)
            .limit(limit)
        )
        if due_before is not None:
            query = query.where(AssistantStatus.next_start < due_before)
        if after is not None:
            # on both: PostgreSQL does not conclude it from the join, and would read one index from its start each time
            query = query.where(Assistant.id > after, AssistantStatus.assistant_id > after)
        return [ExpectedAssistant(*row) for row in await self.session.execute(query)]

    async def find_expected_running(self, assistant_id: UUID, version: int) -> FullAssistant | None:
        """For the reconcile: return the assistant if it is still active at this version."""
        found = await self._load_for_reconcile(
            _with_status().where(Assistant.id == assistant_id, Assistant.active, Assistant.version == version)
        )
        return found[0] if found else None

    async def mark_restarted(self, assistant_id: UUID, now: datetime) -> None:
        await self.session.execute(
            update(AssistantStatus).where(AssistantStatus.assistant_id == assistant_id).values(restarted_at=now)
        )

    async def _load_for_reconcile(self, wanted: Select[Assistant, AssistantStatus | None]) -> list[FullAssistant]:
        """With accounts, without what only screens need."""
        found = list((await self.session.execute(wanted)).all())
        accounts = await self._accounts_of_all([row[0].id for row in found])
        return [
            FullAssistant(row, status, None, 0, None, None, tuple(accounts.get(row.id, ()))) for row, status in found
        ]

    async def mark_applied(self, assistant_id: UUID, version: int) -> None:
        """Mark the version as applied: an inactive assistant needs no workflow."""
        await self.session.execute(
            update(AssistantStatus).where(AssistantStatus.assistant_id == assistant_id).values(applied_version=version)
        )

    async def _load_full(
        self, user_id: UUID, rows: Sequence[Row[Assistant, AssistantStatus | None, str | None]]
    ) -> list[FullAssistant]:
        assistants = [row[0] for row in rows]
        pinned = await self._template_versions(user_id, assistants)
        accounts = await self._accounts(user_id, [assistant.id for assistant in assistants])
        images = await self._images(user_id, [assistant.id for assistant in assistants])
        counts = await self._topic_counts(
            user_id, [assistant.topic_tree_id for assistant in assistants if assistant.topic_tree_id]
        )
        return [
            FullAssistant(
                row=assistant,
                status=status,
                tree_name=tree_name,
                enabled_topics=counts.get(assistant.topic_tree_id, 0) if assistant.topic_tree_id else 0,
                template=_at(pinned, assistant.template_version_id),
                image_template=_at(pinned, assistant.image_template_version_id),
                accounts=tuple(accounts.get(assistant.id, ())),
                own_images=tuple(images.get(assistant.id, ())),
            )
            for assistant, status, tree_name in rows
        ]

    async def _template_versions(
        self, user_id: UUID, assistants: Sequence[Assistant]
    ) -> dict[UUID, UsedTemplateVersion]:
        wanted = {
            id
            for assistant in assistants
            for id in (assistant.template_version_id, assistant.image_template_version_id)
            if id
        }
        if not wanted:
            return {}
        used, newest = TemplateVersion, aliased(TemplateVersion)
        rows = await self.session.execute(
            # in the order of UsedTemplateVersion
            select(used.template_id, used.id, Template.name, used.number, used.body, newest.number, newest.id)
            .join(Template, Template.id == used.template_id)
            .join(newest, (newest.template_id == Template.id) & (newest.number == Template.version))
            .where(used.user_id == user_id, used.id.in_(wanted))
        )
        return {row[1]: UsedTemplateVersion(*row) for row in rows}

    async def _accounts(self, user_id: UUID, assistant_ids: Sequence[UUID]) -> dict[UUID, list[Account]]:
        rows = await self.session.execute(_accounts(assistant_ids).where(AssistantAccount.user_id == user_id))
        return _by_assistant(rows.all())

    async def _images(self, user_id: UUID, assistant_ids: Sequence[UUID]) -> dict[UUID, list[ChosenImage]]:
        rows = await self.session.execute(
            select(AssistantImage.assistant_id, AssistantImage.media_id, Media.deleted_at)
            .join(Media, Media.id == AssistantImage.media_id)
            .where(AssistantImage.assistant_id.in_(assistant_ids), AssistantImage.user_id == user_id)
            .order_by(AssistantImage.assistant_id, AssistantImage.position)
        )
        found: dict[UUID, list[ChosenImage]] = {}
        for assistant_id, media_id, deleted_at in rows:
            found.setdefault(assistant_id, []).append(ChosenImage(media_id, deleted_at is not None))
        return found

    async def _accounts_of_all(self, assistant_ids: Sequence[UUID]) -> dict[UUID, list[Account]]:
        """Of all users, for the reconcile."""
        return _by_assistant((await self.session.execute(_accounts(assistant_ids))).all())

    async def _topic_counts(self, user_id: UUID, tree_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Enabled topics; none where the root is not, since below a disabled one nothing is written about."""
        rows = await self.session.execute(
            select(Topic.tree_id, func.count())
            .where(Topic.tree_id.in_(set(tree_ids)), Topic.user_id == user_id)
            .where(Topic.enabled, Topic.deletion_id.is_(None))
            .group_by(Topic.tree_id)
            .having(func.bool_or(Topic.parent_id.is_(None)))
        )
        return {row[0]: row[1] for row in rows}


def channels_of(user_id: UUID) -> ScalarSelect[list[ChannelKind]]:
    """Return the channels of a row of `Assistant`, each once, in no order; NULL without one."""
    return (
        select(func.array_agg(Account.kind.distinct()))
        .join(AssistantAccount, AssistantAccount.account_id == Account.id)
        .where(
            AssistantAccount.assistant_id == Assistant.id,
            AssistantAccount.user_id == user_id,
            Account.disconnected_at.is_(None),
        )
        .scalar_subquery()
    )


def _by_assistant(rows: Sequence[Row[UUID, Account]]) -> dict[UUID, list[Account]]:
    found: dict[UUID, list[Account]] = {}
    for assistant_id, account in rows:
        found.setdefault(assistant_id, []).append(account)
    return found


def _with_status() -> Select[Assistant, AssistantStatus | None]:
    return select(Assistant, AssistantStatus).outerjoin(AssistantStatus, AssistantStatus.assistant_id == Assistant.id)


def _accounts(assistant_ids: Sequence[UUID]) -> Select[UUID, Account]:
    """Its caller says whose."""
    return (
        select(AssistantAccount.assistant_id, Account)
        .join(Account, Account.id == AssistantAccount.account_id)
        .where(AssistantAccount.assistant_id.in_(assistant_ids))
        .order_by(Account.kind, Account.name)
    )


def _at(pinned: dict[UUID, UsedTemplateVersion], version_id: UUID | None) -> UsedTemplateVersion | None:
    return pinned.get(version_id) if version_id else None
