"""Files of the media library, their uses, and saved looks of cards.

Where an image is asked for, a document or a video is as missing as another user's file: `IMAGES` decides it.
"""

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
from core.brands.tables import Brand
from core.deliveries.tables.deliveries import Delivery
from core.errors import NotFound
from core.ids import new_id
from core.media.rules.media import MediaKind
from core.media.tables import CardPreset, Media, MediaSource
from core.posts.rules.posts import FINAL, PostStatus
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.templates.tables import Template, TemplateVersion
from core.texts.repositories.tags import has_tag, tag_counts, tag_mentions
from core.texts.rules.texts import first_sentence

IMAGES = frozenset({MediaKind.image})
"""What a lookup finds unless it says otherwise."""
ALL_KINDS = frozenset(MediaKind)

_MOST = 200
_WORDS = 80  # characters of a post's text shown as its name if it has no topic
_READ = 1000  # characters of the text that are loaded for that


class MediaSort(StrEnum):
    newest = "newest"
    oldest = "oldest"
    largest = "largest"
    name = "name"


@dataclass(frozen=True)
class Use:
    """A use of a picture. `blocks`: the picture cannot be deleted."""

    kind: Literal["post", "template", "card_preset", "assistant", "brand"]
    id: UUID
    name: str
    blocks: bool


class MediaOrigin(StrEnum):
    """Pictures of the user (`own`: all, or by source), or pictures made by assistants."""

    own = "own"
    upload = "upload"
    ai = "ai"
    card = "card"
    assistant = "assistant"


class FoundMedia(NamedTuple):
    """One page of files. `origins` and `kinds`: number of files per origin and per kind that match the other filters;
    `own` is the sum of upload, ai and card."""

    rows: list[Media]
    total: int
    origins: dict[MediaOrigin, int]
    kinds: dict[MediaKind, int]


class MediaRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(self, values: dict[str, Any], *, renewed: Collection[str] = ()) -> tuple[Media, bool]:
        """Save a picture. Return (row, whether it is new or was deleted). A row with the same bytes is restored; it
        keeps its columns except those in `renewed`.

        The row is locked until the transaction ends, so that its files are not removed meanwhile.
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
                        # storing a picture that is not kept does not delete an existing one
                        "deleted_at": case((Media.deleted_at.is_(None), None), else_=upsert.excluded.deleted_at),
                        "thumbnail_key": upsert.excluded.thumbnail_key,
                        # a picture that the user also made or uploaded is the user's
                        "by_assistant": and_(Media.by_assistant, upsert.excluded.by_assistant),
                        "version": Media.version + 1 if renewed else Media.version,
                        **{name: upsert.excluded[name] for name in renewed},
                    },
                ).returning(Media, literal_column("xmax = 0", Boolean)),
                execution_options={"populate_existing": True},
            )
        ).one()
        return row, inserted or deleted_at is not None

    async def held_ids(
        self, user_id: UUID, media_ids: Collection[UUID], *, kinds: Collection[MediaKind] = IMAGES
    ) -> dict[UUID, bool]:
        """Lock files against deletion. Return by id whether they are deleted already. Raise NotFound."""
        held = await self.held_or_gone(user_id, media_ids, kinds=kinds)
        for media_id in media_ids:
            if media_id not in held:
                raise NotFound(what="media", id=str(media_id))
        return held

    async def held_or_gone(
        self, user_id: UUID, media_ids: Collection[UUID], *, kinds: Collection[MediaKind] = IMAGES
    ) -> dict[UUID, bool]:
        """As `held_ids`, but skip files that do not exist, are not the user's or are of another kind."""
        rows = await self.session.execute(
            select(Media.id, Media.deleted_at.is_not(None))
            .where(Media.id.in_(media_ids), Media.user_id == user_id, Media.kind.in_(kinds))
            .order_by(Media.id)
            .with_for_update(read=True)
        )
        return {row[0]: row[1] for row in rows}

    async def get(
        self,
        user_id: UUID,
        media_id: UUID,
        *,
        deleted: bool = False,
        lock: bool = False,
        kinds: Collection[MediaKind] = IMAGES,
    ) -> Media:
        """Return a file. `deleted`: also a deleted one that is not swept yet. Raise NotFound."""
        query = select(Media).where(Media.id == media_id, Media.user_id == user_id, Media.kind.in_(kinds))
        if not deleted:
            query = query.where(Media.deleted_at.is_(None))
        media: Media | None = await self.session.scalar(query.with_for_update() if lock else query)
        if media is None:
            raise NotFound(what="media", id=str(media_id))
        return media

    async def of_ids(self, user_id: UUID, media_ids: Collection[UUID]) -> Sequence[Media]:
        """Return the user's files of all kinds among the ids."""
        rows = await self.session.scalars(select(Media).where(Media.user_id == user_id, Media.id.in_(media_ids)))
        return rows.all()

    async def alts_of_sequence(self, user_id: UUID, sequence_id: str) -> dict[int, str]:
        """Return the alternative texts of a carousel's pages that are in the library, by number."""
        page = Media.facts["page"]
        rows = await self.session.execute(
            select(page["number"].as_integer(), Media.alt).where(
                Media.user_id == user_id,
                Media.deleted_at.is_(None),
                page["sequence"]["id"].astext == sequence_id,
            )
        )
        return {row[0]: row[1] for row in rows}

    async def get_any(self, media_id: UUID) -> Media:
        """Return any user's picture, for requests with a valid signature. Raise NotFound."""
        media = await self.session.get(Media, media_id)
        if media is None:
            raise NotFound(what="media", id=str(media_id))
        return media

    async def add_thumbnail(self, media: Media, key: str) -> None:
        """Save the thumbnail's key without changing `updated_at`."""
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
        kind: MediaKind | None,
        origin: MediaOrigin | None,
        sort: MediaSort,
        offset: int,
        limit: int,
    ) -> FoundMedia:
        conditions = [Media.user_id == user_id, Media.deleted_at.is_(None)]
        if search:
            names = Media.name.icontains(search, autoescape=True)
            alts = Media.alt.icontains(search, autoescape=True)
            conditions.append(or_(names, alts, tag_mentions(Media.tags, search)))
        if tag:
            conditions.append(has_tag(Media.tags, tag))
        counted = await self.session.execute(
            select(Media.by_assistant, Media.source, Media.kind, func.count())
            .where(*conditions)
            .group_by(Media.by_assistant, Media.source, Media.kind)
        )
        origins, kinds, total = dict.fromkeys(MediaOrigin, 0), dict.fromkeys(MediaKind, 0), 0
        for by_assistant, source, of_kind, count in counted:
            of_origins = {MediaOrigin.assistant} if by_assistant else {MediaOrigin.own, MediaOrigin(source)}
            if kind in (None, of_kind):
                for of_origin in of_origins:
                    origins[of_origin] += count
            if origin is None or origin in of_origins:
                kinds[of_kind] += count
                total += count if kind in (None, of_kind) else 0
        if kind:
            conditions.append(Media.kind == kind)
        if origin:
            conditions.append(Media.by_assistant.is_(origin is MediaOrigin.assistant))
        if origin and origin not in (MediaOrigin.own, MediaOrigin.assistant):
            conditions.append(Media.source == MediaSource(origin))
        rows = await self.session.scalars(
            select(Media).where(*conditions).order_by(*_ORDER[sort]).offset(offset).limit(limit)
        )
        return FoundMedia(list(rows), total, origins, kinds)

    async def tags(self, user_id: UUID) -> list[tuple[str, int]]:
        """Return each tag with its number of pictures, most used first."""
        rows = await self.session.execute(
            tag_counts(select(Media.tags).where(Media.user_id == user_id, Media.deleted_at.is_(None)))
        )
        return [(name, number) for name, number in rows]

    async def keep(
        self, user_id: UUID, media_ids: Collection[UUID], *, kinds: Collection[MediaKind] = IMAGES
    ) -> set[UUID]:
        """Return this user's files among the ids, also deleted ones, and lock them against the sweep until the
        transaction ends, in which a use of them is saved."""
        rows = await self.session.scalars(
            select(Media.id)
            .where(Media.user_id == user_id, Media.id.in_(media_ids), Media.kind.in_(kinds))
            .with_for_update(read=True, key_share=True)
        )
        return set(rows)

    async def alts(self, user_id: UUID, media_ids: Collection[UUID]) -> dict[UUID, str]:
        """Return the alt texts of the user's pictures by id, without deleted ones."""
        rows = await self.session.execute(
            select(Media.id, Media.alt).where(
                Media.user_id == user_id,
                Media.id.in_(media_ids),
                Media.kind.in_(IMAGES),
                Media.deleted_at.is_(None),
            )
        )
        return {row[0]: row[1] for row in rows}

    # uses of a picture

    async def uses(self, user_id: UUID, media_id: UUID) -> list[Use]:
        """Return posts (newest first), templates, presets, assistants and brands with the picture; the first 200 of
        each."""
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
        brands = await self.session.execute(
            select(Brand.id, Brand.name)
            .where(Brand.user_id == user_id, Brand.logo_id == media_id)
            .order_by(func.lower(Brand.name), Brand.id)
            .limit(_MOST)
        )
        return [
            *(Use("post", id, topic or first_sentence(words, _WORDS), waits) for id, topic, words, waits in posts),
            *(Use("template", id, name, False) for id, name in templates),
            *(Use("card_preset", id, name, False) for id, name in presets),
            *(Use("assistant", id, name, False) for id, name in assistants),
            *(Use("brand", id, name, False) for id, name in brands),
        ]

    async def delete(self, row: Media) -> None:
        await self.session.execute(sql_delete(Media).where(Media.id == row.id, Media.user_id == row.user_id))

    # pictures of all users that were deleted a day ago

    async def expired(self, before: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """Return (user, picture) of pictures deleted before `before` and not shown any more, oldest deletion first."""
        rows = await self.session.execute(
            select(Media.user_id, Media.id).where(*_gone(before)).order_by(Media.deleted_at).limit(limit)
        )
        return [(user_id, media_id) for user_id, media_id in rows]

    async def lock_expired(self, user_id: UUID, media_id: UUID, before: datetime) -> Media | None:
        """Return the locked picture, or None if it is restored, shown again or locked by another transaction."""
        return await self.session.scalar(
            select(Media)
            .where(Media.id == media_id, Media.user_id == user_id, *_gone(before))
            .with_for_update(skip_locked=True)
        )

    # saved looks of cards

    async def presets(self, user_id: UUID) -> Sequence[CardPreset]:
        rows = await self.session.scalars(
            select(CardPreset).where(CardPreset.user_id == user_id).order_by(func.lower(CardPreset.name), CardPreset.id)
        )
        return rows.all()

    async def add_preset(self, user_id: UUID, values: dict[str, Any]) -> CardPreset | None:
        """Return the new preset, or None if the name is taken."""
        return await self.session.scalar(
            insert(CardPreset)
            .values(id=new_id(), user_id=user_id, **values)
            .on_conflict_do_nothing(index_elements=[CardPreset.user_id, CardPreset.name])
            .returning(CardPreset)
        )

    async def preset(self, user_id: UUID, preset_id: UUID) -> CardPreset:
        """Return the locked preset. Raise NotFound."""
        preset: CardPreset | None = await self.session.scalar(
            select(CardPreset).where(CardPreset.id == preset_id, CardPreset.user_id == user_id).with_for_update()
        )
        if preset is None:
            raise NotFound(what="card_preset", id=str(preset_id))
        return preset


_ORDER: dict[MediaSort, tuple[SQLCoreOperations[Any], ...]] = {
    MediaSort.newest: (Media.created_at.desc(), Media.id.desc()),
    MediaSort.oldest: (Media.created_at.asc(), Media.id.asc()),
    MediaSort.largest: (Media.bytes.desc(), Media.id.desc()),
    MediaSort.name: (func.lower(Media.name), Media.id),
}


def _shows(post_id: SQLCoreOperations[UUID], media_id: UUID | SQLCoreOperations[UUID]) -> ColumnElement[bool]:
    return exists().where(
        PostFile.post_id == post_id, or_(PostFile.media_id == media_id, PostFile.cover_id == media_id)
    )


def _waits() -> ColumnElement[bool]:
    """Condition: the post is still to be published, or its run is in progress."""
    pending = exists().where(Delivery.post_id == Post.id, Delivery.state.not_in(FINAL))
    under_way = exists().where(Run.id == Post.run_id, Run.state.in_(OPEN_RUNS))
    return or_(Post.status == PostStatus.complete, pending, under_way)


def is_in_template(media_id: UUID | SQLCoreOperations[UUID]) -> ColumnElement[bool]:
    """Condition: the picture is the template's sample or a version's logo; assistants may be pinned to any version."""
    logo = TemplateVersion.settings["image"]["card"]["logo_id"].astext
    versions = select(TemplateVersion.id).where(
        TemplateVersion.template_id == Template.id,
        TemplateVersion.user_id == Template.user_id,
        logo == cast(media_id, String),
    )
    in_version = versions.correlate(Template, Media).exists()
    return or_(Template.sample_media_id == media_id, in_version)


def _gone(before: datetime) -> tuple[ColumnElement[bool], ...]:
    """Conditions: deleted before `before`, and no post, template, brand or preset of the owner shows the picture."""
    return (
        Media.deleted_at < before,
        ~exists().where(PostFile.media_id == Media.id),
        ~exists().where(PostFile.cover_id == Media.id),
        ~exists().where(Template.user_id == Media.user_id, is_in_template(Media.id)),
        ~exists().where(Brand.logo_id == Media.id),
        ~exists().where(
            CardPreset.user_id == Media.user_id, CardPreset.settings["logo_id"].astext == cast(Media.id, String)
        ),
    )
