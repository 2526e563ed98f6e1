"""Import of posts from a CSV file: a preview, then drafts, all saved in one transaction."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid5

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.schedules import time_zones
from core.clock import utcnow
from core.database import Sessions, notify_browsers, replan_queries
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.languages import Language
from core.live import LiveKind
from core.media.repository import ALL_KINDS, MediaRepository
from core.media.rules.media import default_title
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind, PostContent, content_fields
from core.networks.rules.files import file_set_problems
from core.posts.fitting import file_facts
from core.posts.repositories.post_lists import PostListRepository
from core.posts.rules.csv_columns import CsvField, read_content
from core.posts.rules.post_csv import CsvChoices, CsvFile, CsvLine, listed, read
from core.posts.rules.posts import ComposedFile, PostSource
from core.posts.tables.posts import Post, PostFile
from core.social_accounts.account_names import AccountNames, fold, parse_id
from core.social_accounts.repositories.accounts import AccountRepository
from core.texts.rules.tags import MAX_TAGS, clean_tags, too_long_tags
from core.texts.rules.texts import is_blank

MOST_FILES = 20
_IMPORTS = UUID("2f4b9c1a-7d35-4e0f-9a66-c1f0b7e6d2a4")
_PORTION = 200


@dataclass(frozen=True, kw_only=True)
class ImportedLine(PostContent):
    """A post to be saved. `number`: its line in the file, from 1."""

    number: int
    planned_at: datetime | None = None
    time_zone: str = "UTC"
    language: str = Language.en
    tags: tuple[str, ...] = ()
    account_ids: tuple[UUID, ...] = ()
    account_names: tuple[str, ...] = ()
    account_kinds: tuple[ChannelKind, ...] = ()
    files: tuple[ComposedFile, ...] = ()
    errors: tuple[FieldError, ...] = ()
    """`field` is the `CsvField`, or empty for the whole line."""
    post_id: UUID | None = None
    """The id that the post will get."""
    created_at: datetime = field(default_factory=utcnow)


@dataclass(frozen=True)
class Preview:
    file: CsvFile
    lines: tuple[ImportedLine, ...]

    @property
    def right(self) -> list[ImportedLine]:
        return [line for line in self.lines if not line.errors]

    @property
    def wrong(self) -> list[ImportedLine]:
        return [line for line in self.lines if line.errors]

    @property
    def digest(self) -> str:
        """Return a hash of the preview, which any difference changes."""
        facts = [
            (
                line.number,
                *content_fields(line).values(),
                line.planned_at,
                line.tags,
                line.account_ids,
                [file.media_id for file in line.files],
                repr(line.errors),
            )
            for line in self.lines
        ]
        return sha256(repr(facts).encode()).hexdigest()


@dataclass(frozen=True)
class ImportResult:
    post_ids: list[UUID]
    """Of this import, in line order, including those that an earlier call saved."""
    saved: int
    """Number of posts saved by this call."""


async def save_imported(session: AsyncSession, user_id: UUID, line: ImportedLine) -> None:
    """Save the line as a draft by hand."""
    assert line.post_id is not None
    session.add(
        Post(
            id=line.post_id,
            user_id=user_id,
            source=PostSource.person,
            **line.to_columns(),
            language=line.language,
            planned_at=line.planned_at,
            time_zone=line.time_zone,
            account_ids=[str(account_id) for account_id in line.account_ids],
            tags=list(line.tags),
            created_at=line.created_at,
        )
    )
    if line.files:
        await session.flush()
        session.add_all(
            PostFile(
                user_id=user_id,
                post_id=line.post_id,
                media_id=file.media_id,
                position=position,
                alt=file.alt,
                title=file.title,
            )
            for position, file in enumerate(line.files)
        )


@dataclass(frozen=True)
class PostImportService:
    sessions: Sessions

    async def preview(self, user_id: UUID, data: bytes, choices: CsvChoices, time_zone: str, language: str) -> Preview:
        """Return what would be saved. `time_zone` applies to the posts and to times without an offset.

        Raises InvalidInput: unknown_time_zone, and as `read`.
        """
        async with self.sessions() as session:
            return await self._look(session, user_id, data, choices, time_zone, language)

    async def save(
        self,
        user_id: UUID,
        import_id: UUID,
        data: bytes,
        choices: CsvChoices,
        time_zone: str,
        language: str,
        *,
        digest: str,
        only_right: bool,
    ) -> ImportResult:
        """Save what the preview with this digest showed, once per `import_id`. `only_right`: leave out lines with
        errors. Raises as `preview`, InvalidInput (csv_wrong_lines; csv_question_open for each open question), Conflict
        (csv_changed)."""
        async with self.sessions.begin() as session:
            await PostListRepository(session).import_in_turn(user_id, import_id)
            preview = await self._look(session, user_id, data, choices, time_zone, language, keep=True)
            ids = {line.number: uuid5(_IMPORTS, f"{user_id}/{import_id}/{line.number}") for line in preview.lines}
            saved_ids = await PostListRepository(session).filter_known(user_id, list(ids.values()))
            if saved_ids:  # an earlier call saved it, but its reply was lost
                return ImportResult([id for id in ids.values() if id in saved_ids], 0)
            if questions := preview.file.questions:
                raise InvalidInput(errors=[FieldError(question, ErrorCode.csv_question_open) for question in questions])
            if preview.digest != digest:
                raise Conflict(ErrorCode.csv_changed)
            if not preview.right or (preview.wrong and not only_right):
                raise InvalidInput(ErrorCode.csv_wrong_lines)
            await replan_queries(session)
            now = utcnow()
            for at, line in enumerate(preview.right):
                # keeps the order of the file in lists
                post = replace(line, post_id=ids[line.number], created_at=now + timedelta(microseconds=at))
                await save_imported(session, user_id, post)
                if at % _PORTION == _PORTION - 1:
                    await session.flush()
                    session.expunge_all()
            await notify_browsers(session, user_id, LiveKind.post)
            saved = [ids[line.number] for line in preview.right]
        return ImportResult(saved, len(saved))

    async def _look(
        self,
        session: AsyncSession,
        user_id: UUID,
        data: bytes,
        choices: CsvChoices,
        time_zone: str,
        language: str,
        *,
        keep: bool = False,
    ) -> Preview:
        """`keep`: protect the files from deletion until the transaction ends."""
        if time_zone not in time_zones():
            raise InvalidInput(errors=[FieldError("time_zone", ErrorCode.unknown_time_zone, value=time_zone)])
        file = await asyncio.to_thread(read, data, choices)
        accounts = AccountNames([account for account, _ in await AccountRepository(session).list_connected(user_id)])
        named = {id for line in file.lines for id in _ids(line.cells.get(CsvField.image_ids, "")) if id}
        media = MediaRepository(session)
        if keep:
            await media.keep(user_id, named, kinds=ALL_KINDS)
        gallery = {row.id: row for row in await media.of_ids(user_id, named) if row.deleted_at is None}
        reader = _Reader(file, time_zone, language, accounts, gallery, utcnow())
        return Preview(file, await asyncio.to_thread(lambda: tuple(map(reader.line, file.lines))))


@dataclass(frozen=True)
class _Reader:
    file: CsvFile
    time_zone: str
    language: str
    accounts: AccountNames
    gallery: Mapping[UUID, Media]
    """The files that the lines name."""
    now: datetime

    def line(self, line: CsvLine) -> ImportedLine:
        """Return the line with all its errors."""
        errors = list(line.errors)
        if not line.cells:  # its cells cannot be separated
            return ImportedLine(number=line.number, errors=tuple(errors))
        content = read_content(line.cells, errors)
        if is_blank(content.content) and not line.cells.get(CsvField.image_ids, "").strip():
            errors.append(FieldError(CsvField.content, ErrorCode.content_empty))
        account_ids = self._accounts(line, errors)
        files = self._files(line, errors)
        return ImportedLine(
            **content_fields(content),
            number=line.number,
            planned_at=self._planned_at(line, errors),
            time_zone=self.time_zone,
            language=self.language,
            tags=self._tags(line, errors),
            account_ids=account_ids,
            account_names=tuple(self.accounts.names[id] for id in account_ids),
            account_kinds=tuple(self.accounts.kinds[id] for id in account_ids),
            files=files,
            errors=tuple(errors),
        )

    def _planned_at(self, line: CsvLine, errors: list[FieldError]) -> datetime | None:
        try:
            planned_at = self.file.planned_at(line, self.time_zone)
        except InvalidInput as error:
            errors += error.errors
            return None
        if planned_at is not None and planned_at <= self.now:
            errors.append(FieldError(CsvField.planned_at, ErrorCode.slot_past))
        return planned_at

    def _tags(self, line: CsvLine, errors: list[FieldError]) -> tuple[str, ...]:
        tags = _several(line, CsvField.tags, errors)
        errors += [FieldError(CsvField.tags, error.code, **error.params) for error in too_long_tags(tags)[:1]]
        if len({fold(tag) for tag in tags}) > MAX_TAGS:
            errors.append(FieldError(CsvField.tags, ErrorCode.too_many_tags, limit=MAX_TAGS))
        return clean_tags(tags)

    def _accounts(self, line: CsvLine, errors: list[FieldError]) -> tuple[UUID, ...]:
        account_ids: dict[UUID, None] = {}
        for name in _several(line, CsvField.accounts, errors):
            try:
                account_ids[self.accounts.find(name)] = None
            except InvalidInput as error:
                errors.append(FieldError(CsvField.accounts, error.code, **error.params))
        return tuple(account_ids)

    def _files(self, line: CsvLine, errors: list[FieldError]) -> tuple[ComposedFile, ...]:
        found: dict[UUID, Media] = {}
        for text in _several(line, CsvField.image_ids, errors):
            if (id := parse_id(text)) is not None and id in self.gallery:
                found[id] = self.gallery[id]
            else:
                errors.append(FieldError(CsvField.image_ids, ErrorCode.image_unknown, value=text[:100]))
        if len(found) > MOST_FILES:
            errors.append(FieldError(CsvField.image_ids, ErrorCode.invalid_input, maximum=MOST_FILES))
        broken = {
            problem.code for problem in file_set_problems([file_facts(file, file.alt) for file in found.values()])
        }
        errors += [FieldError(CsvField.image_ids, code) for code in sorted(broken)]
        return tuple(ComposedFile(id, file.alt, default_title(file.kind, file.name)) for id, file in found.items())


def _several(line: CsvLine, column: CsvField, errors: list[FieldError]) -> list[str]:
    try:
        return listed(line.cells.get(column, ""))
    except InvalidInput as error:
        errors.append(FieldError(column, error.code))
        return []


def _ids(cell: str) -> list[UUID | None]:
    """Return the ids of the cell, None for other parts; `_files` reports errors."""
    return [parse_id(part.strip(' "')) for part in cell.split(",")]
