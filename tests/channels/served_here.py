"""A site that the product serves itself, as the conformance tests ask a network: its stand-in is the product."""

import re
from dataclasses import dataclass, field
from typing import Self, cast

import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, async_sessionmaker

from core.container import Services
from core.crypto import token_hash
from core.errors import ErrorCode, Unavailable
from core.media.storage import Storage
from core.networks.connections import Grant
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.users.tables.users import User
from core.websites.feed_storage import FeedStorage
from core.websites.repositories.websites import WebsiteRepository
from core.websites.tables.feeds import Feed
from tests.conftest import Networks


@dataclass
class Fault:
    """What goes wrong next, once."""

    on: str = ""
    effect: bool = False
    key: str = ""
    """Of the site that was connected last."""

    def take(self, *places: str) -> bool:
        happens = self.on in places
        if happens:
            self.on = ""
        return happens


class FaultySession(AsyncSession):
    """Of a database whose connection is lost as a transaction begins or ends, or in which the key was given back."""

    @property
    def fault(self) -> Fault:
        found: Fault = self.info["fault"]
        return found

    async def __aenter__(self) -> Self:
        session = await super().__aenter__()
        if self.fault.take("reads"):
            raise _lost()
        if self.fault.take("revoked"):  # undone with what it makes fail
            await session.execute(update(Feed).values(closed_key=token_hash(self.fault.key)))
        return session

    async def commit(self) -> None:
        lost = self.fault.take("posts", "deletes")
        if not lost or self.fault.effect:
            await super().commit()
        if lost:
            raise _lost()


def _lost() -> OperationalError:
    return OperationalError("COMMIT", None, ConnectionResetError("the connection was lost"))


@dataclass(frozen=True)
class FaultyStorage:
    storage: Storage
    fault: Fault

    async def put(self, key: str, data: bytes, mime: str) -> None:
        lost = self.fault.take("images", "upload")
        if not lost or self.fault.effect:
            await self.storage.put(key, data, mime)
        if lost:
            raise Unavailable(ErrorCode.storage_unavailable)

    async def delete(self, key: str) -> None:
        await self.storage.delete(key)


@dataclass(frozen=True)
class OwnSite(Networks):
    """Articles are published by the adapter, and read as anybody reads them."""

    services: Services = field(kw_only=True)
    user: User = field(kw_only=True)
    kind: ChannelKind = field(kw_only=True)
    connection: AsyncConnection = field(kw_only=True)
    fault: Fault = field(default_factory=Fault, kw_only=True)
    addresses: list[str] = field(default_factory=list, kw_only=True)

    def __post_init__(self) -> None:
        site, media = channel(self.kind), self.services.media
        sessions = async_sessionmaker(
            self.connection,
            class_=FaultySession,
            expire_on_commit=False,
            join_transaction_mode="create_savepoint",
            info={"fault": self.fault},
        )
        storage = cast(Storage, FaultyStorage(media.storage, self.fault))
        site.use_article_store(
            FeedStorage(cast("async_sessionmaker[AsyncSession]", sessions), storage, media.decoder, self.url)
        )

    async def connect(self, form: dict[str, str]) -> Grant:
        """As a person does."""
        website_id = await self.services.websites.connect(self.user.id, self.kind, form, "en")
        async with self.services.sessions() as session:
            found = await WebsiteRepository(session).get(self.user.id, website_id)
            to = self.services.connecting.credentials(found.row.account)
        self.addresses.append(to.external_id)
        self.fault.key = to.access_token
        return Grant(to.access_token, None, None, (), subject=to.external_id)

    async def posts(self) -> list[dict[str, object]]:
        """As programs read them, each in full from its file."""
        found: list[dict[str, object]] = []
        for address in self.addresses:
            for item in (await self.client.get(f"{self.url}/feeds/{address}/feed.json")).json()["items"]:
                file = (await self.client.get(item["url"].removesuffix("/") + ".md")).text
                head, text = file.removeprefix("---\n").split("\n---\n\n", 1)
                alts = re.findall(r'^image_alt: "(.*)"$', head, re.MULTILINE)
                images = [{"alt_text": alt} for alt in alts]
                found.append({"id": item["id"].removeprefix("urn:uuid:"), "text": text, "images": images})
        return found

    async def fail(self, **fault: object) -> None:
        kind, status = str(fault["kind"]), fault.get("status", 500)
        assert isinstance(status, int)
        if kind == "rate_limited" or status < 500:
            pytest.skip("a database of ours answers nothing like that")
        if fault["on"] == "drafts":
            pytest.skip("nothing of an article is there before it is seen")
        self.fault.on = "revoked" if kind == "revoked" else str(fault["on"])
        self.fault.effect = bool(fault.get("effect")) or kind == "lost_answer"

    async def calm(self) -> None:
        self.fault.on = ""
