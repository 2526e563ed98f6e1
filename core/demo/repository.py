"""Demo data of a user, and which of it a removal deletes: not what the user changed or uses elsewhere."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, String, and_, cast, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.transactions import Transaction
from core.assistants.rules.assistants import StepKind, StepState
from core.assistants.tables import Assistant, AssistantAccount, AssistantImage
from core.brands.repository import IN_TEMPLATE, BrandRepository
from core.brands.tables import Brand
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.demo.tables import DemoData, DemoItem, DemoItemKind
from core.media.repository import is_in_template
from core.media.tables import CardPreset, Media, MediaSource
from core.posts.rules.posts import OPEN_DELIVERIES, DeliveryState, PostSource
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run, RunStep
from core.social_accounts.tables import Account
from core.templates.rules.templates import Visibility
from core.templates.tables import Template, TemplateVersion
from core.topics.tables import TopicTree

KNOWN = "known"
"""Marks an account that the user had connected before: demo data posts through it, but a removal keeps it."""

# steps that may be in progress when an assistant is deactivated, and that save something when they end
_MAKING = (StepKind.outline, StepKind.text, StepKind.summary, StepKind.search, StepKind.image)

Named = TypeVar("Named", Assistant, Template, TopicTree, Account, Media)


@dataclass(frozen=True)
class Kept:
    """Demo data that stays because the user changed or uses it."""

    kind: DemoItemKind
    id: UUID
    name: str


@dataclass(frozen=True)
class Removal:
    """The ids that a removal deletes, and what it keeps."""

    since: datetime
    going: Mapping[DemoItemKind, Collection[UUID]]
    kept: tuple[Kept, ...]

    def of(self, kind: DemoItemKind) -> Collection[UUID]:
        return self.going[kind]


class DemoDataRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def get(self, user_id: UUID) -> DemoData | None:
        return await self.session.scalar(select(DemoData).where(DemoData.user_id == user_id))

    async def locked(self, user_id: UUID) -> DemoData | None:
        """Return the row, locked until the transaction ends, or None."""
        return await self.session.scalar(
            select(DemoData)
            .where(DemoData.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def begin(self, user_id: UUID) -> DemoData:
        """Return the locked row; create it if there is none."""
        await self.session.execute(
            insert(DemoData).values(user_id=user_id, complete=False, created_at=utcnow()).on_conflict_do_nothing()
        )
        demo_data = await self.locked(user_id)
        assert demo_data is not None  # a removal waits for this transaction
        return demo_data

    async def note(self, user_id: UUID, kind: DemoItemKind, item_id: UUID, as_made: str) -> None:
        """Note a created object. An existing note stays unchanged."""
        values = {"user_id": user_id, "kind": kind, "item_id": item_id, "as_made": as_made}
        await self.session.execute(insert(DemoItem).values(values).on_conflict_do_nothing())

    async def forget_items(self, user_id: UUID) -> None:
        await self.session.execute(delete(DemoItem).where(DemoItem.user_id == user_id))

    async def forget(self, user_id: UUID) -> None:
        """Delete the notes: remaining objects become the user's."""
        await self.session.execute(delete(DemoData).where(DemoData.user_id == user_id))

    async def removal(self, user_id: UUID, since: datetime, like: Callable[[Assistant], str]) -> Removal:
        """Return what a removal deletes and keeps. `like` returns an assistant's fingerprint to compare with `as_made`;
        `since` is the start of the creation."""
        items: dict[DemoItemKind, dict[UUID, str]] = {kind: {} for kind in DemoItemKind}
        for item in await self.session.scalars(select(DemoItem).where(DemoItem.user_id == user_id)):
            items[item.kind][item.item_id] = item.as_made
        going: dict[DemoItemKind, set[UUID]] = {kind: set() for kind in DemoItemKind}
        remaining: list[Kept] = []

        def sort(kind: DemoItemKind, id: UUID, name: str, stays: bool) -> None:
            if stays:
                remaining.append(Kept(kind, id, name))
            else:
                going[kind].add(id)

        own = items[DemoItemKind.account]
        others = await self._accounts_beside(user_id, items[DemoItemKind.assistant], own)
        for assistant in await self._named(Assistant, user_id, items[DemoItemKind.assistant]):
            changed = like(assistant) != items[DemoItemKind.assistant][assistant.id] or assistant.id in others
            sort(DemoItemKind.assistant, assistant.id, assistant.name, changed)
        staying = and_(Assistant.user_id == user_id, Assistant.id.not_in(going[DemoItemKind.assistant]))
        used = await self._pinned(user_id, staying)
        for template in await self._named(Template, user_id, items[DemoItemKind.template]):
            changed = str(template.version) != items[DemoItemKind.template][template.id]
            stays = changed or template.visibility is Visibility.public or template.id in used
            sort(DemoItemKind.template, template.id, template.name, stays)
        used = set(await self.session.scalars(select(Assistant.topic_tree_id).where(staying)))
        for tree in await self._named(TopicTree, user_id, items[DemoItemKind.topic_tree]):
            stays = str(tree.version) != items[DemoItemKind.topic_tree][tree.id] or tree.id in used
            sort(DemoItemKind.topic_tree, tree.id, tree.name, stays)
        used = set(
            await self.session.scalars(
                select(AssistantAccount.account_id)
                .join(Assistant, Assistant.id == AssistantAccount.assistant_id)
                .where(staying)
            )
        )
        for account in await self._named(Account, user_id, own):
            if account.disconnected_at is None and own[account.id] != KNOWN:
                sort(DemoItemKind.account, account.id, account.name, account.id in used)
        plan = Removal(since, going, ())
        shown = set(await self.session.scalars(select(Media.id).where(self._is_shown_elsewhere(user_id, plan))))
        for media in await self._named(Media, user_id, items[DemoItemKind.media]):
            if media.deleted_at is None:
                stays = str(media.version) != items[DemoItemKind.media][media.id] or media.id in shown
                sort(DemoItemKind.media, media.id, media.name, stays)
        return Removal(since, going, tuple(remaining))

    async def count_posts(self, user_id: UUID, removal: Removal) -> int:
        query = select(func.count()).select_from(Post).where(Post.user_id == user_id, _is_made(user_id, removal))
        return await self.session.scalar(query) or 0

    async def count_pictures(self, user_id: UUID, removal: Removal) -> int:
        """Return the number of pictures, including the posts'."""
        query = select(func.count()).select_from(Media).where(Media.user_id == user_id, self._goes(user_id, removal))
        return await self.session.scalar(query) or 0

    async def cancel_deliveries(self, user_id: UUID, removal: Removal) -> None:
        """Cancel deliveries that are not sent yet; calls in progress continue."""
        posts = select(Post.id).where(_is_made(user_id, removal))
        await self.session.execute(
            update(Delivery)
            .where(Delivery.user_id == user_id, Delivery.post_id.in_(posts), Delivery.state.in_(OPEN_DELIVERIES))
            .values(state=DeliveryState.cancelled, attempt=None, settled_at=utcnow())
        )

    async def is_making(self, user_id: UUID, removal: Removal) -> bool:
        """Return whether a run of the assistants is writing or drawing."""
        active = (
            select(RunStep.id)
            .join(Run, Run.id == RunStep.run_id)
            .where(
                Run.user_id == user_id,
                Run.assistant_id.in_(removal.of(DemoItemKind.assistant)),
                RunStep.kind.in_(_MAKING),
                RunStep.state == StepState.active,
            )
        )
        return bool(await self.session.scalar(select(active.exists())))

    async def remove(self, user_id: UUID, removal: Removal, deleted_at: datetime) -> None:
        """Delete the rows, except accounts. Pictures get `deleted_at` as the time of their deletion, so that the sweep
        removes their files."""
        pictures = list(await self.session.scalars(select(Media.id).where(self._goes(user_id, removal))))
        runs = select(Run.id).where(Run.user_id == user_id, Run.assistant_id.in_(removal.of(DemoItemKind.assistant)))
        # transactions with a cost are kept
        await self.session.execute(
            delete(Transaction).where(
                Transaction.user_id == user_id, Transaction.run_id.in_(runs), Transaction.cost_micros == 0
            )
        )
        await self.session.execute(delete(Post).where(_is_made(user_id, removal)))
        brands = await self._unchanged_brands(user_id, removal)
        for table, kind in (
            (Assistant, DemoItemKind.assistant),
            (Template, DemoItemKind.template),
            (TopicTree, DemoItemKind.topic_tree),
        ):
            await self.session.execute(delete(table).where(table.user_id == user_id, table.id.in_(removal.of(kind))))
        # by now, what is left uses them
        chosen = select(Assistant.brand_id).where(Assistant.user_id == user_id, Assistant.brand_id.is_not(None))
        named = [
            select(TemplateVersion.settings[path].astext).where(
                TemplateVersion.user_id == user_id, TemplateVersion.settings[path].astext.is_not(None)
            )
            for path in IN_TEMPLATE
        ]
        look = CardPreset.settings["brand_id"].astext
        named.append(select(look).where(CardPreset.user_id == user_id, look.is_not(None)))
        gone = await self.session.scalars(
            delete(Brand)
            .where(
                Brand.user_id == user_id,
                Brand.id.in_(brands),
                Brand.id.not_in(chosen),
                *(cast(Brand.id, String).not_in(ids) for ids in named),
            )
            .returning(Brand.id)
        )
        for brand_id in gone.all():
            # cards that stay may name it
            await BrandRepository(self.session).forget(user_id, brand_id)
        await self.session.execute(
            update(Media).where(Media.user_id == user_id, Media.id.in_(pictures)).values(deleted_at=deleted_at)
        )

    async def _unchanged_brands(self, user_id: UUID, removal: Removal) -> Sequence[UUID]:
        """Return the brands of the assistants and templates that nobody has changed. They have no notes of their own: a
        brand goes with the last assistant, template and saved look that have chosen it."""
        by_assistant = select(Assistant.brand_id).where(Assistant.id.in_(removal.of(DemoItemKind.assistant)))
        by_template = select(TemplateVersion.settings["text"]["brand_id"].astext).where(
            TemplateVersion.user_id == user_id, TemplateVersion.template_id.in_(removal.of(DemoItemKind.template))
        )
        rows = await self.session.scalars(
            select(Brand.id).where(
                Brand.user_id == user_id,
                Brand.version == 1,
                Brand.created_at >= removal.since,
                or_(Brand.id.in_(by_assistant), cast(Brand.id, String).in_(by_template)),
            )
        )
        return rows.all()

    async def named_by_posts(self, user_id: UUID, account_ids: Collection[UUID]) -> set[UUID]:
        """Return the accounts that have a delivery."""
        rows = await self.session.scalars(
            select(Delivery.account_id).where(Delivery.user_id == user_id, Delivery.account_id.in_(account_ids))
        )
        return set(rows)

    async def _named(self, table: type[Named], user_id: UUID, ids: Collection[UUID]) -> list[Named]:
        rows = await self.session.scalars(
            select(table).where(table.user_id == user_id, table.id.in_(ids)).order_by(func.lower(table.name), table.id)
        )
        return list(rows)

    async def _accounts_beside(
        self, user_id: UUID, assistant_ids: Collection[UUID], account_ids: Collection[UUID]
    ) -> set[UUID]:
        """Return the assistants that also post through another account."""
        rows = await self.session.scalars(
            select(AssistantAccount.assistant_id).where(
                AssistantAccount.user_id == user_id,
                AssistantAccount.assistant_id.in_(assistant_ids),
                AssistantAccount.account_id.not_in(account_ids),
            )
        )
        return set(rows)

    async def _pinned(self, user_id: UUID, assistants: ColumnElement[bool]) -> set[UUID]:
        """Return the templates of which one of the assistants uses a version."""
        rows = await self.session.scalars(
            select(TemplateVersion.template_id)
            .join(
                Assistant,
                or_(
                    Assistant.template_version_id == TemplateVersion.id,
                    Assistant.image_template_version_id == TemplateVersion.id,
                ),
            )
            .where(TemplateVersion.user_id == user_id, assistants)
        )
        return set(rows)

    def _goes(self, user_id: UUID, removal: Removal) -> ColumnElement[bool]:
        """Condition: a picture created as demo data, or for one of its posts and not shown elsewhere."""
        of_a_post = and_(
            Media.source != MediaSource.upload,
            Media.created_at >= removal.since,
            Media.version == 1,
            exists()
            .where(PostFile.media_id == Media.id, PostFile.post_id == Post.id, _is_made(user_id, removal))
            .correlate(Media),
            ~self._is_shown_elsewhere(user_id, removal),
        )
        is_item = Media.id.in_(removal.of(DemoItemKind.media))
        return and_(Media.user_id == user_id, Media.deleted_at.is_(None), or_(is_item, of_a_post))

    def _is_shown_elsewhere(self, user_id: UUID, removal: Removal) -> ColumnElement[bool]:
        """Condition: a picture shown by a post, a template, an assistant or a saved look that stays."""
        by_post = (
            exists()
            .where(PostFile.media_id == Media.id, PostFile.post_id == Post.id, Post.user_id == user_id)
            .where(~_is_made(user_id, removal))
            .correlate(Media)
        )
        by_template = (
            exists()
            .where(Template.user_id == user_id, Template.id.not_in(removal.of(DemoItemKind.template)))
            .where(is_in_template(Media.id))
            .correlate(Media)
        )
        by_preset = exists().where(
            CardPreset.user_id == user_id, CardPreset.settings["logo_id"].astext == cast(Media.id, String)
        )
        by_assistant = exists().where(
            AssistantImage.user_id == user_id,
            AssistantImage.media_id == Media.id,
            AssistantImage.assistant_id.not_in(removal.of(DemoItemKind.assistant)),
        )
        return and_(Media.user_id == user_id, or_(by_post, by_template, by_preset, by_assistant))


def _is_made(user_id: UUID, removal: Removal) -> ColumnElement[bool]:
    """Condition: a post of the demo assistants, or of a deleted assistant with deliveries only to demo accounts."""
    mine = removal.of(DemoItemKind.account)
    delivered = exists().where(Delivery.post_id == Post.id, Delivery.account_id.in_(mine)).correlate(Post)
    elsewhere = exists().where(Delivery.post_id == Post.id, Delivery.account_id.not_in(mine)).correlate(Post)
    orphaned = and_(Post.assistant_id.is_(None), Post.source == PostSource.assistant, delivered, ~elsewhere)
    return and_(Post.user_id == user_id, or_(Post.assistant_id.in_(removal.of(DemoItemKind.assistant)), orphaned))
