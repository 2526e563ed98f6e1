"""A network whose answers a test sets, to test how deliveries handle each answer, without a real network's API.

`tests/channels` tests that the real adapters answer in these shapes only.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

import pytest

from core.container import Services
from core.deliveries import answers as answering
from core.deliveries import jobs as delivery_jobs
from core.deliveries import staging
from core.errors import ProviderError
from core.ids import new_id
from core.networks.base import BaseChannel, Traits
from core.networks.connections import Connection, Credentials, Grant, Profile
from core.networks.posts import Finding, Keep, Outgoing, Receipt, Staged, forget
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.social_accounts.tables import Account
from core.social_accounts.tables import Grant as GrantRow

Answer = TypeVar("Answer")
Said = Receipt | ProviderError | Callable[[], Awaitable[Receipt]]


async def connected_anew(services: Services, account: Account) -> None:
    """Give the account's grant a new token id, as connecting again does."""
    async with services.sessions.begin() as session:
        grant = await session.get_one(GrantRow, account.grant_id)
        grant.token_id = new_id()


@dataclass
class ScriptedNetwork(BaseChannel):
    """Gives its answers in order and records its calls in `asked`. A missing answer fails the test; only `ready` and
    `quota` default to "no wait"."""

    kind: ChannelKind = ChannelKind.linkedin
    label: str = "Scripted"
    connection: Connection = Connection(consent=True)
    limits: ChannelLimits = ChannelLimits(max_characters=3000, max_images=20)
    call_timeout: timedelta = timedelta(seconds=30)
    traits: Traits = Traits(repeats_refused=True)
    stages: deque[Staged | ProviderError] = field(default_factory=deque)
    arrives: tuple[str, ...] = ()
    """Ids of images that are uploaded before it answers."""
    publishes: deque[Said] = field(default_factory=deque)
    readies: deque[timedelta | None | ProviderError] = field(default_factory=deque)
    waited_for: list[tuple[str, ...]] = field(default_factory=list)
    quotas: deque[timedelta | None | ProviderError] = field(default_factory=deque)
    finds: deque[Finding | ProviderError] = field(default_factory=deque)
    sought: list[tuple[str, ...]] = field(default_factory=list)
    names: deque[Receipt | ProviderError | None] = field(default_factory=deque)
    deletes: deque[ProviderError | None] = field(default_factory=deque)
    deleted: list[tuple[Credentials, str]] = field(default_factory=list)
    comments: deque[Receipt | ProviderError] = field(default_factory=deque)
    commented: list[tuple[Credentials, str, str]] = field(default_factory=list)
    comment_finds: deque[Finding | ProviderError] = field(default_factory=deque)
    comments_sought: list[tuple[str, str]] = field(default_factory=list)
    asked: list[tuple[str, Credentials, Outgoing, object]] = field(default_factory=list)
    meanwhile: Callable[[], Awaitable[None]] | None = None
    """Called while it stages, deletes or comments."""

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make every step of a delivery call this network."""
        for module in (answering, delivery_jobs, staging):
            monkeypatch.setattr(module, "channel", {self.kind: self}.__getitem__)

    @property
    def calls(self) -> list[str]:
        return [name for name, *_ in self.asked]

    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        self.asked.append(("stage", to, post, had))
        if self.meanwhile:
            await self.meanwhile()
        for ref in self.arrives:
            await keep(ref)
        return _raise_or_return(self.stages.popleft())

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        self.waited_for.append(refs)
        return _raise_or_return(self.readies.popleft()) if self.readies else None

    async def quota(self, to: Credentials) -> timedelta | None:
        return _raise_or_return(self.quotas.popleft()) if self.quotas else None

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        self.commented.append((to, provider_id, text))
        if self.meanwhile:
            await self.meanwhile()
        return _raise_or_return(self.comments.popleft())

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        self.comments_sought.append((provider_id, text))
        return _raise_or_return(self.comment_finds.popleft())

    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> "ScriptedCall":
        return ScriptedCall(self, to, post, refs)

    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        self.asked.append(("find", to, post, since))
        self.sought.append(refs)
        return _raise_or_return(self.finds.popleft())

    async def verify_duplicate(self, to: Credentials, provider_id: str) -> Receipt | None:
        return _raise_or_return(self.names.popleft())

    async def delete(self, to: Credentials, provider_id: str) -> None:
        self.deleted.append((to, provider_id))
        if self.meanwhile:
            await self.meanwhile()
        _raise_or_return(self.deletes.popleft())

    async def probe(self, to: Credentials) -> None:
        raise NotImplementedError("delivering asks for no probe")

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        raise NotImplementedError("delivering asks for no address")

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        return address if address.startswith("https://network.test/") else None

    async def profiles(self, grant: Grant) -> list[Profile]:
        raise NotImplementedError("delivering connects nobody")

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class ScriptedCall:
    network: ScriptedNetwork
    to: Credentials
    post: Outgoing
    refs: tuple[str, ...]

    async def open(self) -> None:
        self.network.asked.append(("open", self.to, self.post, self.refs))

    async def publish(self) -> Receipt:
        self.network.asked.append(("publish", self.to, self.post, self.refs))
        said = self.network.publishes.popleft()
        return _raise_or_return(said if isinstance(said, Receipt | ProviderError) else await said())

    async def close(self) -> None:
        pass


def _raise_or_return(answer: Answer | ProviderError) -> Answer:
    if isinstance(answer, ProviderError):
        raise answer
    return answer
