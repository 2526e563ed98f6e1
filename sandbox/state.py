"""State of the sandbox, in memory and in one folder: rows in a journal, images and mails as files."""

import asyncio
import re
import secrets
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

from sandbox.journal import Journal
from sandbox.settings import Settings

MAX_REQUESTS = 10_000
CODE_SECONDS = 30 * 60
_FIRST_NUMBER = 122_000_000_000_000_000
_NUMBER = re.compile(r"\d{18}")


class Row:
    """A row of a table: a frozen dataclass."""

    kinds: ClassVar[list[type["Row"]]] = []
    table: ClassVar[str]
    lasting: ClassVar[bool] = False
    """Whether only a reset with `everything` deletes it."""

    def __init_subclass__(cls) -> None:
        Row.kinds.append(cls)

    @property
    def key(self) -> str:
        raise NotImplementedError

    @property
    def file(self) -> str:
        """Path of the row's file in the sandbox's folder; empty if it has none."""
        return ""


AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(frozen=True)
class Client(Row):
    table: ClassVar[str] = "clients"
    lasting: ClassVar[bool] = True
    id: str
    secret: str

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True)
class Image(Row):
    """An image or an initialised upload; `media_type` is None until the bytes are there. Times are epoch seconds."""

    table: ClassVar[str] = "images"
    id: str
    owner: str
    upload_expires_at: float = 0.0
    media_type: str | None = None
    uploaded_at: float | None = None
    failed: bool = False
    alt: str = ""

    @property
    def key(self) -> str:
        return self.id

    @property
    def file(self) -> str:
        return f"images/{self.id}"


@dataclass(frozen=True)
class Code:
    """An authorization code: single use, 30 minutes, lost at a restart. `challenge`: of PKCE, empty without."""

    client_id: str
    redirect_uri: str
    person: str
    scopes: list[str]
    expires_at: float
    challenge: str = ""


class State:
    """The sandbox's state. For one event loop only; no method blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("documents", "images", "mails", "videos"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._journal = Journal(folder / "journal.jsonl")
        rows = self._journal.rows
        self.settings = Settings(**rows.get(Settings.table, {}).get(Settings.key, {}))
        self._tables: dict[type[Row], dict[str, Row]] = {
            kind: {key: kind(**row) for key, row in rows.get(kind.table, {}).items()} for kind in Row.kinds
        }
        self._journal.rows = {}
        self.codes: dict[str, Code] = {}
        self.requests: deque[dict[str, Any]] = deque(maxlen=MAX_REQUESTS)
        self.graph_calls: dict[str, tuple[int, int]] = {}
        """Hour and calls in it by token of Meta."""
        self.tasks: set[asyncio.Task[None]] = set()
        """Files that are being fetched."""
        numbers = (key.rpartition("_")[2] for rows in self._tables.values() for key in rows)
        self._last_number = max((int(one) for one in numbers if _NUMBER.fullmatch(one)), default=0)

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        self._journal.close()

    # Rows

    def table(self, kind: type[AnyRow]) -> dict[str, AnyRow]:
        """Return the rows by key, in the order of insertion."""
        return cast(dict[str, AnyRow], self._tables[kind])

    def save(self, row: Row) -> None:
        self._tables[type(row)][row.key] = row
        self._journal.write(row.table, row.key, asdict(cast(Any, row)))

    def delete(self, row: Row) -> None:
        del self._tables[type(row)][row.key]
        if row.file:
            self.path(row).unlink(missing_ok=True)
        self._journal.write(row.table, row.key, None)

    def new_number(self) -> int:
        """Return a new number; articles, posts and images of most networks share one sequence."""
        self._last_number = max(self._last_number + 1, _FIRST_NUMBER + time.time_ns() // 1_000)
        return self._last_number

    # OAuth

    def knows_client(self, client_id: str, secret: str) -> bool:
        """Return whether the secret is the first one used with this id, which is stored."""
        if not client_id or not secret:
            return False
        if client_id not in self.table(Client):
            self.save(Client(client_id, secret))
        return secrets.compare_digest(self.table(Client)[client_id].secret.encode(), secret.encode())

    def new_code(self, client_id: str, redirect_uri: str, person: str, scopes: list[str], challenge: str = "") -> str:
        now = time.time()
        self.codes = {code: facts for code, facts in self.codes.items() if facts.expires_at > now}
        code = "AQ" + secrets.token_urlsafe(32)
        self.codes[code] = Code(client_id, redirect_uri, person, scopes, now + CODE_SECONDS, challenge)
        return code

    # Files

    def path(self, row: Row) -> Path:
        """Return where the row's file is."""
        return self.folder / row.file

    async def store_image(self, image: Image, data: bytes) -> None:
        """Write the image's file and save its row."""
        part = self.path(image).with_suffix(f".{secrets.token_hex(4)}")
        await asyncio.to_thread(part.write_bytes, data)
        part.replace(self.path(image))  # another request may read the same file
        self.save(image)

    # Settings and reset

    def change_settings(self, changes: dict[str, Any]) -> None:
        """Change settings. Raise TypeError for an unknown name."""
        self.settings = replace(self.settings, **changes)
        self._journal.write(Settings.table, Settings.key, asdict(self.settings))

    def reset(self, *, everything: bool) -> None:
        """Delete posts, images, mails, requests and settings; with `everything` also tokens and clients."""
        for kind, rows in self._tables.items():
            if everything or not kind.lasting:
                for row in list(rows.values()):
                    self.delete(row)
        self.settings = Settings()
        self._journal.write(Settings.table, Settings.key, None)
        self.requests.clear()
        if everything:
            self.codes = {}
