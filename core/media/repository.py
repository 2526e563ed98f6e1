"""Pictures, what holds them, and saved looks of cards."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import (
    Boolean,
    ColumnElement,
    String,
    and_,
    case,
    cast,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy import delete as sql_delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import SQLCoreOperations

from core.assistants.rules.assistants import OPEN_RUNS
from core.assistants.tables import Assistant, AssistantImage
from core.deliveries.tables.deliveries import Delivery
from core.errors import NotFound
from core.ids import new_id
from core.media.tables import CardPreset, Media, MediaSource
from core.posts.rules.posts import FINAL, PostStatus
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.templates.tables import Template, TemplateVersion
from core.texts.repositories.tags import has_tag, tag_counts, tag_mentions
from core.texts.rules.texts import first_sentence

_MOST = 200
_WORDS = 80  # characters of a post without a topic that stand for its name
_READ = 1000  # of which they are taken


class MediaSort(StrEnum):
    newest = "newest"
    oldest = "oldest"
    largest = "largest"
    name = "name"


@dataclass(frozen=True)
class Use:
    """What holds a picture. `blocks`: it keeps it from being deleted."""

    kind: Literal["post", "template", "card_preset", "assistant"]
    id: UUID
    name: str
    blocks: bool


class MediaOrigin(StrEnum):
    """Whose pictures: of the person all, or by their source; or those that assistants made, whichever way."""

    own = "own"
    upload = "upload"
    ai = "ai"
    card = "card"
    assistant = "assistant"


class FoundMedia(NamedTuple):
    """One page of pictures. `origins`: how many each origin has, of what the other filters let through; `own` is the
    sum of three of them."""

    rows: list[Media]
    total: int
    origins: dict[MediaOrigin, int]


class MediaRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(self, values: dict[str, Any], *, renewed: Collection[str] = ()) -> tuple[Media, bool]:
        """(row, whether it is new or was deleted). The same bytes are the row that there is, which comes back to life.
        Of its own it keeps what it says of the picture, but for the names in `renewed`.

        Locked until the transaction ends: whoever removes its files waits, or is waited for.
        """
        deleted_at = await self.session.scalar(
            select(Media.deleted_at)
            .where(Media.user_id == values["user_id"], Media.sha256 == values["sha256"])
            .with_for_update()
        )
        upsert = insert(Media).values(id=new_id(), **values)
        row, inserted = (
            await self.session.execute(
                upsert.on_conflict_do_update(
                    index_elements=[Media.user_id, Media.sha256],
                    set_={
                        # one that is there is not deleted by what is not to be kept
                        "deleted_at": case((Media.deleted_at.is_(None), None), else_=upsert.excluded.deleted_at),
                        "thumbnail_key": upsert.excluded.thumbnail_key,
                        # what a person made or uploaded, too, is theirs
                        "by_assistant": and_(Media.by_assistant, upsert.excluded.by_assistant),
                        "version": Media.version + 1 if renewed else Media.version,
                        **{name: upsert.excluded[name] for name in renewed},
                    },
                ).returning(Media, literal_column("xmax = 0", Boolean)),
                execution_options={"populate_existing": True},
            )
        ).one()
        return row, inserted or deleted_at is not None

    async def held_ids(self, user_id: UUID, media_ids: Collection[UUID]) -> dict[UUID, bool]:
        """By id, whether it is deleted, which none of them becomes before this transaction ends. Raises NotFound."""
        found = await self.held_or_gone(user_id, media_ids)
        for media_id in media_ids:
            if media_id not in found:
                raise NotFound(what="media", id=str(media_id))
        return found

    async def held_or_gone(self, user_id: UUID, media_ids: Collection[UUID]) -> dict[UUID, bool]:
        """The same of those among them that are the user's."""
        rows = await self.session.execute(
            select(Media.id, Media.deleted_at.is_not(None))
            .where(Media.id.in_(media_ids), Media.user_id == user_id)
            .order_by(Media.id)
            .with_for_update(read=True)
        )
        return {row[0]: row[1] for row in rows}

    async def get(self, user_id: UUID, media_id: UUID, *, deleted: bool = False, lock: bool = False) -> Media:
        """`deleted`: also one that is, as long as there is a way back."""
        query = select(Media).where(Media.id == media_id, Media.user_id == user_id)
        if not deleted:
            query = query.where(Media.deleted_at.is_(None))
        found: Media | None = await self.session.scalar(query.with_for_update() if lock else query)
        if found is None:
            raise NotFound(what="media", id=str(media_id))
        return found

    async def of_ids(self, user_id: UUID, media_ids: Collection[UUID]) -> Sequence[Media]:
        """Those among them that are the user's."""
        rows = await self.session.scalars(select(Media).where(Media.user_id == user_id, Media.id.in_(media_ids)))
        return rows.all()

    async def of_anybody(self, media_id: UUID) -> Media:
        """For whoever holds a signature of ours for it. Raises NotFound."""
        found = await self.session.get(Media, media_id)
        if found is None:
            raise NotFound(what="media", id=str(media_id))
        return found

    async def add_thumbnail(self, media: Media, key: str) -> None:
        """Which is no change of the picture."""
        await self.session.execute(
            update(Media)
            .where(Media.id == media.id, Media.user_id == media.user_id)
            .values(thumbnail_key=key, updated_at=Media.updated_at)
        )

    async def page(
        self,
        user_id: UUID,
        *,
        search: str,
        tag: str | None,
        origin: MediaOrigin | None,
        sort: MediaSort,
        offset: int,
        limit: int,
    ) -> FoundMedia:
        wanted = [Media.user_id == user_id, Media.deleted_at.is_(None)]
        if search:
            names = Media.name.icontains(search, autoescape=True)
            alts = Media.alt.icontains(search, autoescape=True)
            wanted.append(or_(names, alts, tag_mentions(Media.tags, search)))
        if tag:
            wanted.append(has_tag(Media.tags, tag))
        counted = await self.session.execute(
            select(Media.by_assistant, Media.source, func.count())
            .where(*wanted)
            .group_by(Media.by_assistant, Media.source)
        )
        origins = dict.fromkeys(MediaOrigin, 0)
        for by_assistant, source, count in counted:
            origins[MediaOrigin.assistant if by_assistant else MediaOrigin(source)] += count
            origins[MediaOrigin.own] += 0 if by_assistant else count
        total = origins[origin] if origin else origins[MediaOrigin.own] + origins[MediaOrigin.assistant]
        if origin:
            wanted.append(Media.by_assistant.is_(origin is MediaOrigin.assistant))
        if origin and origin not in (MediaOrigin.own, MediaOrigin.assistant):
            wanted.append(Media.source == MediaSource(origin))
        rows = await self.session.scalars(
            select(Media).where(*wanted).order_by(*_ORDER[sort]).offset(offset).limit(limit)
        )
        return FoundMedia(list(rows), total, origins)

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Each with its number of pictures, most used first."""
        rows = await self.session.execute(
            tag_counts(select(Media.tags).where(Media.user_id == user_id, Media.deleted_at.is_(None)))
        )
        return [(name, number) for name, number in rows]

    async def keep(self, user_id: UUID, media_ids: Collection[UUID]) -> set[UUID]:
        """Those of them that are this user's, for what is about to show them: none of them is removed for good until
        the transaction ends. Also deleted ones: what shows them keeps them."""
        rows = await self.session.scalars(
            select(Media.id)
            .where(Media.user_id == user_id, Media.id.in_(media_ids))
            .with_for_update(read=True, key_share=True)
        )
        return set(rows)

    async def alts(self, user_id: UUID, media_ids: Collection[UUID]) -> dict[UUID, str]:
        """Alt texts of those of them that are there."""
        rows = await self.session.execute(
            select(Media.id, Media.alt).where(
                Media.user_id == user_id, Media.id.in_(media_ids), Media.deleted_at.is_(None)
            )
        )
        return {row[0]: row[1] for row in rows}

    # what holds it

    async def uses(self, user_id: UUID, media_id: UUID) -> list[Use]:
        """Posts (newest first), templates, presets; the first 200 of each."""
        posts = await self.session.execute(
            select(Post.id, Post.topic_title, func.left(Post.content, _READ), _waits().label("waits"))
            .where(Post.user_id == user_id, Post.deleted_at.is_(None), _shows(Post.id, media_id))
            .order_by(Post.created_at.desc(), Post.id.desc())
            .limit(_MOST)
        )
        templates = await self.session.execute(
            select(Template.id, Template.name)
            .where(Template.user_id == user_id, is_in_template(media_id))
            .order_by(func.lower(Template.name), Template.id)
            .limit(_MOST)
        )
        presets = await self.session.execute(
            select(CardPreset.id, CardPreset.name)
            .where(CardPreset.user_id == user_id, CardPreset.settings["logo_id"].astext == str(media_id))
            .order_by(func.lower(CardPreset.name), CardPreset.id)
            .limit(_MOST)
        )
        assistants = await self.session.execute(
            select(Assistant.id, Assistant.name)
            .join(AssistantImage, AssistantImage.assistant_id == Assistant.id)
            .where(Assistant.user_id == user_id, AssistantImage.media_id == media_id)
            .order_by(func.lower(Assistant.name), Assistant.id)
            .limit(_MOST)
        )
        return [
            *(Use("post", id, topic or first_sentence(words, _WORDS), waits) for id, topic, words, waits in posts),
            *(Use("template", id, name, False) for id, name in templates),
            *(Use("card_preset", id, name, False) for id, name in presets),
            *(Use("assistant", id, name, False) for id, name in assistants),
        ]

    async def delete(self, row: Media) -> None:
        await self.session.execute(sql_delete(Media).where(Media.id == row.id, Media.user_id == row.user_id))

    # what was deleted a day ago, of all users

    async def expired(self, before: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, picture) of what was deleted before then and nothing shows any more, in that order."""
        rows = await self.session.execute(
            select(Media.user_id, Media.id).where(*_gone(before)).order_by(Media.deleted_at).limit(limit)
        )
        return [(user_id, media_id) for user_id, media_id in rows]

    async def lock_expired(self, user_id: UUID, media_id: UUID, before: datetime) -> Media | None:
        """None where it came back to life, where something shows it again, or where somebody else is at it."""
        found: Media | None = await self.session.scalar(
            select(Media)
            .where(Media.id == media_id, Media.user_id == user_id, *_gone(before))
            .with_for_update(skip_locked=True)
        )
        return found

    # saved looks of cards

    async def presets(self, user_id: UUID) -> Sequence[CardPreset]:
        rows = await self.session.scalars(
            select(CardPreset).where(CardPreset.user_id == user_id).order_by(func.lower(CardPreset.name), CardPreset.id)
        )
        return rows.all()

    async def add_preset(self, user_id: UUID, values: dict[str, Any]) -> CardPreset | None:
        """None where there is one of that name."""
        added: CardPreset | None = await self.session.scalar(
            insert(CardPreset)
            .values(id=new_id(), user_id=user_id, **values)
            .on_conflict_do_nothing(index_elements=[CardPreset.user_id, CardPreset.name])
            .returning(CardPreset)
        )
        return added

    async def preset(self, user_id: UUID, preset_id: UUID) -> CardPreset:
        """Locked, for a change."""
        found: CardPreset | None = await self.session.scalar(
            select(CardPreset).where(CardPreset.id == preset_id, CardPreset.user_id == user_id).with_for_update()
        )
        if found is None:
            raise NotFound(what="card_preset", id=str(preset_id))
        return found


_ORDER: dict[MediaSort, tuple[SQLCoreOperations[Any], ...]] = {
    MediaSort.newest: (Media.created_at.desc(), Media.id.desc()),
    MediaSort.oldest: (Media.created_at.asc(), Media.id.asc()),
    MediaSort.largest: (Media.bytes.desc(), Media.id.desc()),
    MediaSort.name: (func.lower(Media.name), Media.id),
}


def _shows(post_id: SQLCoreOperations[UUID], media_id: UUID | SQLCoreOperations[UUID]) -> ColumnElement[bool]:
    return exists().where(PostFile.post_id == post_id, PostFile.media_id == media_id)


def _waits() -> ColumnElement[bool]:
    """A post that is to go out, or whose run is still at it."""
    pending = exists().where(Delivery.post_id == Post.id, Delivery.state.not_in(FINAL))
    under_way = exists().where(Run.id == Post.run_id, Run.state.in_(OPEN_RUNS))
    return or_(Post.status == PostStatus.complete, pending, under_way)


def is_in_template(media_id: UUID | SQLCoreOperations[UUID]) -> ColumnElement[bool]:
    """As its sample, or as the logo of one of its versions: an assistant may be pinned to any."""
    logo = TemplateVersion.settings["image"]["card"]["logo_id"].astext
    versions = select(TemplateVersion.id).where(
        TemplateVersion.template_id == Template.id,
        TemplateVersion.user_id == Template.user_id,
        logo == cast(media_id, String),
    )
    in_version = versions.correlate(Template, Media).exists()
    return or_(Template.sample_media_id == media_id, in_version)


def _gone(before: datetime) -> tuple[ColumnElement[bool], ...]:
    """Deleted before then, and nothing of its owner's shows it."""
    return (
        Media.deleted_at < before,
        ~exists().where(PostFile.media_id == Media.id),
        ~exists().where(Template.user_id == Media.user_id, is_in_template(Media.id)),
        ~exists().where(
            CardPreset.user_id == Media.user_id, CardPreset.settings["logo_id"].astext == cast(Media.id, String)
        ),
    )
