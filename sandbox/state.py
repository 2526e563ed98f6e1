"""State of the sandbox, in memory and in one folder.

Every change appends a line to `journal.jsonl`. The operating system has the line before the response is sent, so it
survives the end of the process, but there is no fsync, so that 200 posts at once stay fast. Images and mails are files
in the same folder. Each start rewrites the journal without its history.
"""

import json
import os
import secrets
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, cast

MAX_REQUESTS = 10_000
MAX_MAILS = 2_000
CODE_SECONDS = 30 * 60


@dataclass(frozen=True)
class Person:
    """An invented member. `roles` maps page ids to the person's role there."""

    sub: str
    given_name: str
    family_name: str
    email: str
    colour: str
    language: str
    country: str
    roles: dict[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}"

    @property
    def urn(self) -> str:
        return f"urn:li:person:{self.sub}"


@dataclass(frozen=True)
class Organisation:
    id: int
    name: str
    vanity_name: str
    colour: str
    showcase: bool = False
    """A showcase page: lists of roles name it `organizationBrand`."""

    @property
    def urn(self) -> str:
        return f"urn:li:organization:{self.id}"

    @property
    def listed_urn(self) -> str:
        return f"urn:li:organizationBrand:{self.id}" if self.showcase else self.urn

    @property
    def logo(self) -> str:
        """The id of the logo's image."""
        return f"logo-{self.id}"


PEOPLE = {
    person.sub: person
    for person in (
        Person(
            "ada-lindqvist",
            "Ada",
            "Lindqvist",
            "ada@example.org",
            "#115d67",
            "en",
            "GB",
            {2414183: "ADMINISTRATOR", 2414184: "CONTENT_ADMIN"},
        ),
        Person(
            "jonas-weber",
            "Jonas",
            "Weber",
            "jonas@example.org",
            "#7a4ea3",
            "de",
            "DE",
            {2414184: "ADMINISTRATOR", 2414183: "ANALYST"},
        ),
        Person("mara-lind", "Mara", "Lind", "mara@example.org", "#a4472c", "en", "US", {2414185: "CONTENT_ADMIN"}),
        Person("tom-okafor", "Tom", "Okafor", "tom@example.org", "#5a6b1d", "en", "GB", {2414183: "ANALYST"}),
        Person("nora-feld", "Nora", "Feld", "nora@example.org", "#7d3556", "de", "AT"),
    )
}
ORGANISATIONS = {
    organisation.id: organisation
    for organisation in (
        Organisation(2414183, "Lindqvist Coffee", "lindqvist-coffee", "#6b4a2b"),
        Organisation(2414184, "Radwerk Weber", "radwerk-weber", "#2f5fa8"),
        Organisation(2414185, "Lind Printworks", "lind-printworks", "#a4472c", showcase=True),
    )
}


@dataclass(frozen=True)
class Token:
    """An access token and the refresh token issued with it. Times are epoch seconds."""

    table: ClassVar[str] = "tokens"
    access: str
    client_id: str
    person: str
    scopes: list[str]
    created_at: float
    expires_at: float
    refresh: str | None = None
    refresh_expires_at: float | None = None
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access

    def status(self, now: float) -> str:
        if self.revoked:
            return "revoked"
        return "active" if now < self.expires_at else "expired"


@dataclass(frozen=True)
class GraphToken:
    """A token of Meta: of a person (short-lived or long-lived) or of a page. Times are epoch seconds; `expires_at` 0:
    it does not expire."""

    table: ClassVar[str] = "graph_tokens"
    access: str
    client_id: str
    person: str
    scopes: list[str]
    created_at: float
    expires_at: float
    long: bool = False
    page: str | None = None
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access


@dataclass(frozen=True)
class Container:
    """A media container, the draft of an Instagram post. `images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "containers"
    id: str
    account: str
    caption: str
    images: list[list[str]]
    created_at: float
    ready_at: float
    status: str
    is_child: bool = False
    media: str | None = None
    """The id of the published post."""

    @property
    def key(self) -> str:
        return self.id

    def state(self, now: float) -> str:
        if self.media is not None:
            return "PUBLISHED"
        if now > self.created_at + 86_400:
            return "EXPIRED"
        return "IN_PROGRESS" if now < self.ready_at else self.status


@dataclass(frozen=True)
class PagePost:
    """A post of a Facebook page or an Instagram account. `images` are (id, alt text). Times are epoch seconds;
    `published_at` None: not published."""

    table: ClassVar[str] = "page_posts"
    id: str
    page: str
    text: str
    images: list[list[str]]
    created_at: float
    arrived_at: float
    published_at: float | None = None
    deleted: bool = False
    link: str = ""
    """A link, shown as a card."""
    comments: list[dict[str, Any]] = field(default_factory=list)
    """Comments with id, from (a page's id), text and at (epoch seconds), oldest first."""

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True)
class Client:
    table: ClassVar[str] = "clients"
    id: str
    secret: str

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True)
class Image:
    """An initialised upload; `media_type` is None until the bytes are there. Times are epoch seconds."""

    table: ClassVar[str] = "images"
    id: str
    owner: str
    upload_expires_at: float
    media_type: str | None = None
    uploaded_at: float | None = None
    failed: bool = False
    alt: str = ""

    @property
    def key(self) -> str:
        return self.id

    @property
    def urn(self) -> str:
        return f"urn:li:image:{self.id}"


@dataclass(frozen=True)
class Post:
    """A LinkedIn post. `commentary`: as sent (up to the cut), `text`: as readers see it. `images` are (urn, alt text).

    `created_at` and `edited_at` are epoch milliseconds, `arrived_at` (of the request) epoch seconds.
    """

    table: ClassVar[str] = "posts"
    id: str
    author: str
    commentary: str
    text: str
    visibility: str
    images: list[list[str]]
    article: dict[str, str] | None
    created_at: int
    arrived_at: float
    edited_at: int | None = None
    deleted: bool = False

    @property
    def key(self) -> str:
        return self.id


@dataclass(frozen=True)
class Mail:
    """The envelope of a mail; the message is the file `mails/<id>.eml`."""

    table: ClassVar[str] = "mails"
    id: int
    sender: str
    recipients: list[str]
    subject: str
    message_id: str
    received_at: float

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Code:
    """An authorisation code: single use, 30 minutes, lost at a restart."""

    client_id: str
    redirect_uri: str
    person: str
    scopes: list[str]
    expires_at: float


@dataclass(frozen=True)
class Settings:
    """Settings for tests. `refresh_tokens` None: only for page scopes, as for approved partners."""

    table: ClassVar[str] = "settings"
    key: ClassVar[str] = "settings"
    access_token_seconds: int = 60 * 86400
    refresh_token_seconds: int = 365 * 86400
    refresh_tokens: bool | None = None
    image_processing_seconds: float = 0.0
    session_seconds: int = 7200
    graph_token_seconds: int = 60 * 86400
    duplicate_seconds: float = 600.0
    instagram_posts_a_day: int = 100
    mastodon_characters: int = 500
    mastodon_reuses_tokens: bool = True
    """Consenting again returns the existing token, as in Mastodon; other servers with its API differ."""
    wordpress_rest: bool = True
    wordpress_plain: bool = False
    """The API answers only `?rest_route=` requests."""
    wordpress_passwords: bool = True
    """Whether there are application passwords."""
    wordpress_strips_login: bool = False
    """The host removes the Authorization header."""
    wordpress_maintenance: bool = False
    """The API answers everything with a page of status 200."""
    wordpress_redirects: str = ""
    """Redirect all API requests to this address."""
    wordpress_reviews: bool = False
    """Published articles become `pending` until approved."""
    wordpress_time_zone: str = "UTC"
    """The site's time zone."""
    wordpress_dates_ahead: int = 0
    """Seconds by which the site's dates are ahead, as by a plugin or a wrong zone."""
    wordpress_bin: bool = True
    ghost_version: str = "6.9"
    ghost_maintenance: bool = False
    ghost_integrations: bool = True
    """Whether the host's plan allows custom integrations."""
    ghost_keys_removed: list[str] = field(default_factory=list)
    """Ids of removed keys."""
    webhook_secrets: list[str] = field(default_factory=list)
    """Signing secrets that the receiver accepts besides its own."""
    wordpress_more_categories: int = 0
    wordpress_gone_category: int = 0
    """The id of a deleted category."""
    wordpress_local: bool = True
    """A local site, which also redirects to addresses without TLS."""
    graph_calls_an_hour: int = 100_000
    """Meta's limit of calls per token; further calls are refused."""


class ImageStatus(StrEnum):
    waiting_upload = "WAITING_UPLOAD"
    processing = "PROCESSING"
    available = "AVAILABLE"
    processing_failed = "PROCESSING_FAILED"


class Row(Protocol):
    """A row in a network's own table: a frozen dataclass. `lasting`: only a reset with `everything` deletes it."""

    table: ClassVar[str]
    lasting: ClassVar[bool]

    @property
    def key(self) -> str: ...


Kept = TypeVar("Kept", bound=Row)
Record = Client | Token | GraphToken | Container | Image | Post | PagePost | Mail | Settings


class Journal:
    """Rows by table and key; the last line wins. Raise ValueError for a damaged line before the last."""

    def __init__(self, path: Path) -> None:
        self.rows: dict[str, dict[str, dict[str, Any]]] = {}
        if path.exists():
            self._read(path)
        compact = path.with_suffix(".new")
        with compact.open("w", encoding="utf-8") as file:
            for table, rows in self.rows.items():
                file.writelines(_line(table, key, row) for key, row in rows.items())
        os.replace(compact, path)
        self._file = path.open("a", encoding="utf-8")

    def _read(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                table, key, row = json.loads(line)
            except ValueError as error:
                if number == len(lines):  # half written when the process was killed
                    break
                raise ValueError(f"{path}: line {number} is damaged") from error
            rows = self.rows.setdefault(table, {})
            if row is None:
                rows.pop(key, None)
            else:
                rows[key] = row

    def write(self, table: str, key: str, row: dict[str, Any] | None) -> None:
        self._file.write(_line(table, key, row))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _line(table: str, key: str, row: dict[str, Any] | None) -> str:
    return json.dumps([table, key, row], ensure_ascii=False, separators=(",", ":")) + "\n"


class State:
    """The sandbox's state. For one event loop only; no method blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("images", "mails"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._journal = Journal(folder / "journal.jsonl")
        rows = self._journal.rows
        self.clients = {key: Client(**row) for key, row in rows.get(Client.table, {}).items()}
        self.tokens = {key: Token(**row) for key, row in rows.get(Token.table, {}).items()}
        self.graph_tokens = {key: GraphToken(**row) for key, row in rows.get(GraphToken.table, {}).items()}
        self.page_posts = {key: PagePost(**row) for key, row in rows.get(PagePost.table, {}).items()}
        self.containers = {key: Container(**row) for key, row in rows.get(Container.table, {}).items()}
        self.images = {key: Image(**row) for key, row in rows.get(Image.table, {}).items()}
        self.posts = {key: Post(**row) for key, row in rows.get(Post.table, {}).items()}
        self.mails = {int(key): Mail(**row) for key, row in rows.get(Mail.table, {}).items()}
        self.settings = Settings(**rows.get(Settings.table, {}).get(Settings.key, {}))
        self._unread, self._journal.rows = self._journal.rows, {}
        self._tables: dict[type[Row], dict[str, Row]] = {}
        self.codes: dict[str, Code] = {}
        self.requests: deque[dict[str, Any]] = deque(maxlen=MAX_REQUESTS)
        self.graph_calls: dict[str, tuple[int, int]] = {}
        self._contents = {_content(post): post.id for post in self.posts.values()}
        self._last_post = max((int(urn.rpartition(":")[2]) for urn in self.posts), default=0)
        numbers = (*self.page_posts, *self.containers)
        self._last_number = max((int(one.rpartition("_")[2]) for one in numbers), default=0)
        self._last_mail = max(self.mails, default=0)

    def close(self) -> None:
        self._journal.close()

    def _save(self, record: Record) -> None:
        self._journal.write(record.table, record.key, asdict(record))

    def _forget(self, records: Iterable[Record]) -> None:
        for record in list(records):
            self._journal.write(record.table, record.key, None)

    # Tables of networks

    def table(self, kind: type[Kept]) -> dict[str, Kept]:
        """Return the rows by key, in the order of insertion."""
        if kind not in self._tables:
            self._tables[kind] = {key: kind(**row) for key, row in self._unread.pop(kind.table, {}).items()}
        return cast(dict[str, Kept], self._tables[kind])

    def keep(self, row: Row) -> None:
        self.table(type(row))[row.key] = row
        self._journal.write(row.table, row.key, asdict(cast(Any, row)))

    # OAuth

    def knows_client(self, client_id: str, secret: str) -> bool:
        """Return whether the secret is the first one used with this id, which is stored."""
        if not client_id or not secret:
            return False
        if client_id not in self.clients:
            self.clients[client_id] = Client(client_id, secret)
            self._save(self.clients[client_id])
        return secrets.compare_digest(self.clients[client_id].secret.encode(), secret.encode())

    def new_code(self, client_id: str, redirect_uri: str, person: str, scopes: list[str]) -> str:
        now = time.time()
        self.codes = {code: facts for code, facts in self.codes.items() if facts.expires_at > now}
        code = "AQ" + secrets.token_urlsafe(32)
        self.codes[code] = Code(client_id, redirect_uri, person, scopes, now + CODE_SECONDS)
        return code

    def new_token(self, client_id: str, person: str, scopes: list[str], refreshed: Token | None = None) -> Token:
        """Issue an access token. A refreshed one keeps its refresh token and that token's end date."""
        now = time.time()
        expires_at = now + self.settings.access_token_seconds
        if refreshed is not None:
            refresh, refresh_expires_at = refreshed.refresh, refreshed.refresh_expires_at
            expires_at = min(expires_at, refresh_expires_at or expires_at)
        elif self._is_partner(scopes):
            refresh = "AQY" + secrets.token_urlsafe(32)
            refresh_expires_at = now + self.settings.refresh_token_seconds
        else:
            refresh = refresh_expires_at = None
        access = "AQX" + secrets.token_urlsafe(32)
        token = Token(access, client_id, person, scopes, now, expires_at, refresh, refresh_expires_at)
        self.tokens[access] = token
        self._save(token)
        return token

    def _is_partner(self, scopes: list[str]) -> bool:
        if self.settings.refresh_tokens is None:
            return any("organization" in scope for scope in scopes)
        return self.settings.refresh_tokens

    def by_refresh(self, refresh: str) -> Token | None:
        """Return the latest token issued with this refresh token; None if revoked, expired or unknown."""
        found = [token for token in self.tokens.values() if refresh and token.refresh == refresh]
        if not found or all(token.revoked for token in found):
            return None
        latest = found[-1]
        return latest if (latest.refresh_expires_at or 0) > time.time() else None

    def revoke(self, value: str) -> None:
        """Revoke an access token, or all tokens issued with a refresh token."""
        for token in list(self.tokens.values()):
            if value in (token.access, token.refresh):
                self.tokens[token.access] = replace(token, revoked=True)
                self._save(self.tokens[token.access])

    def revoke_person(self, sub: str) -> int:
        """Revoke all tokens of a person, as in their account's settings. Return how many were active."""
        ended = [token for token in self.tokens.values() if token.person == sub and not token.revoked]
        for token in ended:
            self.revoke(token.access)
        of_graph = [one for one in self.graph_tokens.values() if one.person == sub and not one.revoked]
        for one in of_graph:
            self.end_graph_token(one)
        return len(ended) + len(of_graph)

    def new_graph_token(
        self,
        client_id: str,
        person: str,
        scopes: list[str],
        *,
        expires_at: float,
        long: bool = False,
        page: str | None = None,
    ) -> GraphToken:
        now = time.time()
        access = "EAA" + secrets.token_urlsafe(48)
        token = GraphToken(access, client_id, person, scopes, now, expires_at, long, page)
        self.graph_tokens[access] = token
        self._save(token)
        return token

    def end_graph_token(self, token: GraphToken) -> None:
        self.graph_tokens[token.access] = replace(token, revoked=True)
        self._save(self.graph_tokens[token.access])

    # Images

    def new_image(self, owner: str) -> Image:
        image = Image("C4E10AQ" + secrets.token_hex(8).upper(), owner, time.time() + 86400)
        self.images[image.id] = image
        self._save(image)
        return image

    def add_image(self, image: Image) -> None:
        self.images[image.id] = image
        self._save(image)

    def image_file(self, image_id: str) -> Path:
        return self.folder / "images" / image_id

    def uploaded(self, image_id: str, media_type: str, *, failed: bool = False) -> None:
        image = self.images[image_id]
        self.images[image_id] = replace(image, media_type=media_type, uploaded_at=time.time(), failed=failed)
        self._save(self.images[image_id])

    def image_status(self, image: Image) -> ImageStatus:
        if image.uploaded_at is None:
            return ImageStatus.waiting_upload
        if time.time() < image.uploaded_at + self.settings.image_processing_seconds:
            return ImageStatus.processing
        return ImageStatus.processing_failed if image.failed else ImageStatus.available

    # Posts

    def duplicate_of(self, author: str, commentary: str, images: list[str]) -> str | None:
        """Return the id of a post with the same content within `duplicate_seconds`, even if deleted."""
        found = self._contents.get((author, commentary, *images))
        if found is None:
            return None
        age = time.time() - self.posts[found].created_at / 1000
        return found if age < self.settings.duplicate_seconds else None

    def new_post(
        self,
        author: str,
        commentary: str,
        text: str,
        visibility: str,
        images: list[list[str]],
        article: dict[str, str] | None,
        arrived_at: float,
    ) -> Post:
        now = time.time_ns() // 1_000_000
        self._last_post = max(self._last_post + 1, now << 22)
        kind = "ugcPost" if len(images) > 1 else "share"  # LinkedIn uses both forms, so callers must handle both
        post = Post(
            f"urn:li:{kind}:{self._last_post}",
            author,
            commentary,
            text,
            visibility,
            images,
            article,
            now,
            arrived_at,
        )
        self.posts[post.id] = post
        self._contents[_content(post)] = post.id
        self._save(post)
        return post

    def change_post(self, post: Post, commentary: str, text: str) -> None:
        edited_at = time.time_ns() // 1_000_000
        self.posts[post.id] = replace(post, commentary=commentary, text=text, edited_at=edited_at)
        self._save(self.posts[post.id])

    def delete_post(self, post_id: str) -> None:
        self.posts[post_id] = replace(self.posts[post_id], deleted=True)
        self._save(self.posts[post_id])

    def live_posts(self) -> list[Post]:
        """Return the posts that are not deleted, newest first."""
        return [post for post in reversed(self.posts.values()) if not post.deleted]

    # Posts of pages

    def new_number(self) -> int:
        """Return a new number; posts, photos and containers share one sequence."""
        self._last_number = max(self._last_number + 1, 122_000_000_000_000_000 + time.time_ns() // 1_000)
        return self._last_number

    def keep_page_post(self, post: PagePost) -> None:
        self.page_posts[post.id] = post
        self._save(post)

    def keep_container(self, container: Container) -> None:
        self.containers[container.id] = container
        self._save(container)

    def live_page_posts(self) -> list[PagePost]:
        """Return the published posts, newest first."""
        seen = [post for post in self.page_posts.values() if post.published_at is not None and not post.deleted]
        return sorted(seen, key=lambda post: post.published_at or 0, reverse=True)

    # Mails

    def new_mail(self, raw: bytes, sender: str, recipients: list[str], subject: str, message_id: str) -> Mail:
        """Store a mail; beyond 2,000 delete the oldest."""
        self._last_mail += 1
        mail = Mail(self._last_mail, sender, recipients, subject, message_id, time.time())
        self.mail_file(mail.id).write_bytes(raw)
        self.mails[mail.id] = mail
        self._save(mail)
        if len(self.mails) > MAX_MAILS:
            oldest = self.mails.pop(next(iter(self.mails)))
            self._forget([oldest])
            self.mail_file(oldest.id).unlink(missing_ok=True)
        return mail

    def mail_file(self, mail_id: int) -> Path:
        return self.folder / "mails" / f"{mail_id}.eml"

    # Settings and reset

    def change_settings(self, changes: dict[str, Any]) -> None:
        """Change settings. Raise TypeError for an unknown name."""
        self.settings = replace(self.settings, **changes)
        self._save(self.settings)

    def reset(self, *, everything: bool) -> None:
        """Delete posts, images, mails, requests and settings; with `everything` also tokens and clients."""
        for image in self.images.values():
            self.image_file(image.id).unlink(missing_ok=True)
        for mail in self.mails.values():
            self.mail_file(mail.id).unlink(missing_ok=True)
        kept = (self.posts, self.page_posts, self.containers, self.images, self.mails)
        self._forget([*(record for records in kept for record in records.values()), self.settings])
        for records in (*kept, self._contents):
            records.clear()
        for kind, rows in self._tables.items():
            if everything or not kind.lasting:
                for key in rows:
                    self._journal.write(kind.table, key, None)
                rows.clear()
        self.settings = Settings()
        self.requests.clear()
        if everything:
            self._forget([*self.tokens.values(), *self.graph_tokens.values(), *self.clients.values()])
            self.tokens, self.graph_tokens, self.clients, self.codes = {}, {}, {}, {}


def _content(post: Post) -> tuple[str, ...]:
    return (post.author, post.commentary, *(image[0] for image in post.images), *(post.article or {}).values())


def author_of(urn: str) -> Person | Organisation | None:
    kind, _, value = urn.removeprefix("urn:li:").partition(":")
    if kind == "person":
        return PEOPLE.get(value)
    if kind == "organization" and value.isascii() and value.isdigit():
        return ORGANISATIONS.get(int(value))
    return None
