"""The export of a user's data in one file: a ZIP of JSON and media, generated while it is sent."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Any, Final
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sqlalchemy import RowMapping

from core.database import Sessions
from core.errors import NotFound
from core.media.pictures import MediaService
from core.tables import Base
from core.users.repositories.export import AccountExportRepository
from core.users.security_events import record
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import TokenKind


@dataclass(frozen=True)
class Part:
    """Rows nested in the rows they belong to by the column `key`."""

    name: str
    table: str
    key: str
    order: str


@dataclass(frozen=True)
class Kind:
    """One file of the export. `portion`: number of rows loaded at once."""

    file: str
    table: str
    only: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    portion: int = 200


KINDS: Final = (
    Kind("sessions", "access_tokens", {"kind": TokenKind.session}),
    Kind("api_keys", "access_tokens", {"kind": TokenKind.api_key}),
    Kind("security_events", "security_events"),
    Kind("invitations", "invitations"),
    Kind("mails", "mails"),
    Kind("notifications", "notifications"),
    Kind("notification_settings", "notification_settings"),
    Kind("accounts", "accounts"),
    Kind("websites", "websites"),
    Kind("announcements", "announcements"),
    # an article has up to 100,000 characters
    Kind("feeds", "feeds", parts=(Part("articles", "feed_articles", "feed_id", "published_at"),), portion=1),
    Kind("grants", "grants"),
    Kind("templates", "templates", parts=(Part("versions", "template_versions", "template_id", "number"),)),
    Kind("tryouts", "tryouts"),
    # a tree has up to 10,000 topics
    Kind("topic_trees", "topic_trees", parts=(Part("topics", "topics", "tree_id", "position"),), portion=1),
    Kind("topic_feeds", "topic_feeds"),
    Kind("topic_suggestions", "topic_suggestions"),
    Kind("card_presets", "card_presets"),
    Kind("brands", "brands"),
    Kind(
        "assistants",
        "assistants",
        parts=(
            Part("accounts", "assistant_accounts", "assistant_id", "account_id"),
            Part("images", "assistant_images", "assistant_id", "position"),
            Part("status", "assistant_statuses", "assistant_id", "assistant_id"),
        ),
    ),
    Kind(
        "runs",
        "runs",
        parts=(Part("steps", "run_steps", "run_id", "id"), Part("texts", "text_versions", "run_id", "id")),
    ),
    Kind("posts", "posts", parts=(Part("files", "post_files", "post_id", "position"),)),
    Kind("deliveries", "deliveries", parts=(Part("log", "delivery_entries", "delivery_id", "at"),)),
    Kind("approvals", "approvals"),
    Kind("transactions", "transactions"),
    Kind("usage_sums", "usage_sums"),
)
PROFILE: Final = Kind("profile", "users", parts=(Part("subscription", "subscriptions", "user_id", "user_id"),))
MEDIA: Final = Kind("media", "media", portion=20)

WITHHELD: Final = {
    "access_tokens": {"token_hash"},
    "approvals": {"content_hash"},
    "accounts": {"access_token_encrypted", "own_token_id"},
    "deliveries": {"attempt", "content_hash", "own_hash", "staged_hash"},
    "feeds": {"closed_key"},
    # another person's id
    "grants": {"access_token_encrypted", "refresh_token_encrypted", "token_id"},
    "invitations": {"accepted_by", "code_encrypted", "code_hash"},
    "mails": {"secret_encrypted"},
    "notifications": {"cause"},
    "media": {"sha256", "storage_key", "thumbnail_key"},
    "posts": {"content_hash"},
    "users": {"deletion_requested_at", "password_hash", "totp_last_step", "totp_secret_encrypted"},
}
"""Columns that are not exported: secrets, values derived from them, and internal fingerprints."""

LEFT_OUT: Final = {
    "approval_links": "hashes of links; questions and answers are in approvals.json",
    "calendar_feeds": "a secret address and its hash; the calendar's data is exported",
    "connect_attempts": "hash of a started sign-in at a network, which expires after half an hour",
    "demo_data": "says only that there is demo data, which is exported",
    "demo_items": "says only which exported rows are demo data",
    "digests": "days of daily overviews, which are in mails.json",
    "mail_links": "hashes of links; the mails with the links are in mails.json",
    "replaced_tokens": "tokens to be revoked at networks; their account is in accounts.json",
    "topic_feed_items": "hashes of the items of feeds; the topics made of them are in topic_trees.json",
    "recovery_codes": "hashes of codes that replace the second factor",
}
"""Tables of a user's rows that are not exported, and why."""


class _Sink(io.RawIOBase):
    """The archive's output stream. It cannot seek, and keeps only bytes that were not taken yet."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting.append(bytes(data))
        return len(self._waiting[-1])

    def take(self) -> bytes:
        data, self._waiting = b"".join(self._waiting), []
        return data


@dataclass(frozen=True)
class AccountExportService:
    sessions: Sessions
    media: MediaService

    async def export(self, user_id: UUID) -> tuple[str, AsyncIterator[bytes]]:
        """Return a file name, and the file in chunks. The reader sets the pace: no transaction stays open meanwhile."""
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            record(session, user_id, SecurityEventKind.data_exported)
        return f"postloom-{now:%Y-%m-%d}.zip", self._archive(user_id, now)

    async def _archive(self, user_id: UUID, now: datetime) -> AsyncIterator[bytes]:
        sink, missing = _Sink(), set[UUID]()
        with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
            for kind in (PROFILE, *KINDS):
                with archive.open(_entry(f"{kind.file}.json", now), "w") as entry:
                    async for text in self._json(user_id, kind):
                        await asyncio.to_thread(entry.write, text)
                        if chunk := sink.take():
                            yield chunk
            async for rows in self._portions(user_id, MEDIA):
                for row in rows:
                    chunks = self.media.storage.stream(row["storage_key"])
                    try:
                        chunk = await anext(chunks, b"")
                    except NotFound:
                        missing.add(row["id"])
                        continue
                    # images and videos are compressed already
                    with archive.open(_entry(_file_of(row), now, ZIP_STORED), "w") as entry:
                        while chunk:
                            await asyncio.to_thread(entry.write, chunk)
                            yield sink.take()
                            chunk = await anext(chunks, b"")
            with archive.open(_entry("media.json", now), "w") as entry:
                async for text in self._json(user_id, MEDIA, missing):
                    await asyncio.to_thread(entry.write, text)
        yield sink.take()

    async def _json(self, user_id: UUID, kind: Kind, missing: set[UUID] | None = None) -> AsyncIterator[bytes]:
        """Yield the file of one kind: a list, or one object for the profile."""
        single, first = kind is PROFILE, True
        if not single:
            yield b"[\n"
        async for rows in self._portions(user_id, kind):
            shown = [_shown(kind, row, missing or set()) for row in rows]
            if parts := await self._parts(user_id, kind, rows):
                for columns, row in zip(shown, rows, strict=True):
                    columns.update({name: part_rows.get(row["id"], []) for name, part_rows in parts.items()})
            text = await asyncio.to_thread(_text, shown)
            yield (text if first else ",\n" + text).encode()
            first = False
        yield b"\n" if single else b"\n]\n"

    async def _portions(self, user_id: UUID, kind: Kind) -> AsyncIterator[Sequence[RowMapping]]:
        after: UUID | None = None
        while True:
            async with self.sessions() as session:
                rows = await AccountExportRepository(session).page(
                    user_id, Base.metadata.tables[kind.table], after=after, limit=kind.portion, only=kind.only
                )
            if rows:
                yield rows
            if len(rows) < kind.portion:
                return
            after = rows[-1]["id"]

    async def _parts(
        self, user_id: UUID, kind: Kind, rows: Sequence[RowMapping]
    ) -> dict[str, dict[UUID, list[dict[str, Any]]]]:
        """Return the nested rows by the part's name and the id of their parent row."""
        parts: dict[str, dict[UUID, list[dict[str, Any]]]] = {}
        for part in kind.parts:
            async with self.sessions() as session:
                belonging = await AccountExportRepository(session).parts(
                    user_id, Base.metadata.tables[part.table], part.key, [row["id"] for row in rows], part.order
                )
            parts[part.name] = await asyncio.to_thread(_by_row, part, belonging)
        return parts


def _by_row(part: Part, belonging: Sequence[RowMapping]) -> dict[UUID, list[dict[str, Any]]]:
    rows_by_key: dict[UUID, list[dict[str, Any]]] = {}
    for row in belonging:
        rows_by_key.setdefault(row[part.key], []).append(_columns(part.table, row))
    return rows_by_key


def _shown(kind: Kind, row: RowMapping, missing: set[UUID]) -> dict[str, Any]:
    shown = _columns(kind.table, row)
    if kind is MEDIA:
        shown["file"] = None if row["id"] in missing else _file_of(row)
    return shown


def _columns(table: str, row: RowMapping) -> dict[str, Any]:
    """Return the columns of a row without `user_id` and withheld ones."""
    hidden = WITHHELD.get(table, set()) | {"user_id"}
    return {str(name): value for name, value in row.items() if name not in hidden}


def _file_of(row: RowMapping) -> str:
    return f"media/{row['id']}{PurePosixPath(row['storage_key']).suffix}"


def _entry(name: str, now: datetime, compression: int = ZIP_DEFLATED) -> ZipInfo:
    entry = ZipInfo(name, date_time=(now.year, now.month, now.day, now.hour, now.minute, now.second))
    entry.compress_type = compression
    entry.external_attr = 0o600 << 16
    return entry


def _text(items: Sequence[dict[str, Any]]) -> str:
    # one line per item: indented JSON would be ten times slower
    return ",\n".join(json.dumps(item, ensure_ascii=False, default=_plain) for item in items)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
