"""Tokens are renewed by one caller, ends are told in time, and a refused token is a refusal once: on real rows, with a
network that answers as a test says."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from core import clock
from core.ai import provider_faults as faults
from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import network_subject
from core.container import Services
from core.errors import (
    Blocked,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    RetrySafe,
    RoleLost,
    TokenRefused,
)
from core.ids import new_id
from core.networks import connections
from core.networks.rules.channels import AccountState, ChannelKind
from core.notifications.rules import MailKind, MailTiming, MailTopic, NotificationKind
from core.notifications.tables.mails import Mail
from core.notifications.tables.notifications import Notification, NotificationSetting
from core.social_accounts import grants as granting
from core.social_accounts import renewal as renewing
from core.social_accounts.reconnecting import handle_access_refused
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.rules import GrantState, GrantStep
from core.social_accounts.tables import Account, Grant
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.scripted_network import ScriptedNetwork

DAY = timedelta(days=1)
Told = connections.TokenLife | ProviderError | Callable[[], Awaitable[connections.TokenLife]]
Said = connections.Grant | ProviderError | Callable[[connections.Grant], Awaitable[connections.Grant]]


@dataclass
class Renewing(ScriptedNetwork):
    """It gives new tokens, as it is told to."""

    refreshes: deque[Said] = field(default_factory=deque)
    by: list[str | None] = field(default_factory=list)
    """The refresh tokens that it was asked with."""

    async def refresh(self, grant: connections.Grant) -> connections.Grant:
        self.by.append(grant.refresh_token)
        said = self.refreshes.popleft()
        if isinstance(said, ProviderError):
            raise said
        return said if isinstance(said, connections.Grant) else await said(grant)


def _in_a_month(moment: datetime | None) -> bool:
    """A workflow without another date looks at its row from time to time: its grant may be gone."""
    return moment is not None and 29 * DAY < moment - clock.utcnow() < 31 * DAY


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Renewing:
    scripted = Renewing()
    for module in (granting, renewing):
        monkeypatch.setattr(module, "channel", {ChannelKind.linkedin: scripted}.__getitem__)
    return scripted


@dataclass(frozen=True)
class Granted:
    services: Services
    user: User
    account_id: UUID
    grant_id: UUID

    async def row(self) -> Grant:
        async with self.services.sessions() as session:
            return await session.get_one(Grant, self.grant_id)

    async def account(self) -> Account:
        async with self.services.sessions() as session:
            return await AccountRepository(session).get(self.user.id, self.account_id)

    async def as_if(self, **values: Any) -> None:
        async with self.services.sessions.begin() as session:
            await session.execute(update(Grant).where(Grant.id == self.grant_id).values(**values))

    async def look(self) -> renewing.GrantCheck:
        return await self.services.renewals.check(self.user.id, self.grant_id)

    async def renew(self) -> bool:
        return await self.services.renewals.renew(self.user.id, self.grant_id)

    async def refused(self, error: NeedsReconnect) -> timedelta | None:
        async with self.services.sessions.begin() as session:
            account = await AccountRepository(session).get(self.user.id, self.account_id)
            return await handle_access_refused(session, account, error, by=account.token_id)

    async def mails(self) -> list[MailKind]:
        async with self.services.sessions() as session:
            found = await session.scalars(
                select(Mail.kind).where(Mail.user_id == self.user.id).order_by(Mail.created_at, Mail.id)
            )
            return list(found)

    async def unread(self) -> list[NotificationKind]:
        async with self.services.sessions() as session:
            found = await session.scalars(
                select(Notification.kind).where(Notification.user_id == self.user.id, Notification.read_at.is_(None))
            )
            return list(found)

    def tokens(self, name: str = "new", **other: Any) -> connections.Grant:
        made: dict[str, Any] = {
            "access_token": name,
            "refresh_token": None,
            "expires_at": clock.utcnow() + 60 * DAY,
            "scopes": ("w_member_social",),
        }
        return connections.Grant(**made | other)

    async def token(self) -> tuple[str, str | None]:
        opened = self.services.connecting.grants.decrypt(await self.row())
        return opened.access_token, opened.refresh_token


Make = Callable[..., Awaitable[Granted]]


@pytest.fixture
def granted(services: Services, make: Factory, user: User, networks: Networks, network: Renewing) -> Make:
    async def granted(*, days: float | None = 60, refreshes: bool = True, until: float | None = 365) -> Granted:
        account = await make.account(user, networks.url)
        assert account.grant_id is not None
        made, now = Granted(services, user, account.id, account.grant_id), clock.utcnow()
        await made.as_if(
            token_since=now,
            expires_at=None if days is None else now + days * DAY,
            refresh_token_encrypted=services.vault.encrypt("refreshing") if refreshes else None,
            refresh_expires_at=now + until * DAY if refreshes and until is not None else None,
        )
        return made

    return granted


@pytest.fixture
def days() -> Iterator["Days"]:
    """Let so many of them pass."""
    passed = timedelta(0)

    def later(number: float) -> None:
        nonlocal passed
        passed += number * DAY

    with clock.use_clock(lambda: datetime.now(UTC) + passed):
        yield later


Days = Callable[[float], None]


async def test_before_its_end_it_is_renewed_and_keeps_what_posts_by_it(
    granted: Make, network: Renewing, days: Days
) -> None:
    made = await granted()
    before, account = await made.row(), await made.account()
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.wait, GrantState.connected)
    assert seen.again_at is not None
    days(50.1)
    seen = await made.look()
    assert seen.step is GrantStep.renew
    network.refreshes.append(made.tokens())
    assert await made.renew()
    after = await made.row()
    assert await made.token() == ("new", "refreshing")
    assert after.token_id != before.token_id
    assert (after.state, after.refresh_expires_at) == (AccountState.connected, before.refresh_expires_at)
    assert ((await made.account()).id, (await made.account()).state) == (account.id, AccountState.connected)
    assert (await made.look()).step is GrantStep.wait
    assert not await made.renew(), "once"
    assert network.by == ["refreshing"]
    assert await made.mails() == []


async def test_another_refresh_token_takes_the_place_of_the_one_it_was_traded_for(
    granted: Make, network: Renewing, days: Days
) -> None:
    made = await granted(until=None)
    days(55)
    network.refreshes.append(made.tokens(refresh_token="the next one"))
    assert await made.renew()
    assert await made.token() == ("new", "the next one")


async def test_two_at_once_make_one_call(granted: Make, network: Renewing, days: Days) -> None:
    made = await granted()
    days(55)
    asked, answer = asyncio.Event(), asyncio.Event()

    async def slowly(_: connections.Grant) -> connections.Grant:
        asked.set()
        await answer.wait()
        return made.tokens()

    network.refreshes.append(slowly)
    first = asyncio.create_task(made.renew())
    await asked.wait()
    with pytest.raises(RetrySafe) as raised:
        await made.renew()
    assert raised.value.retry_after is not None
    assert timedelta(0) < raised.value.retry_after <= renewing.LEASE
    answer.set()
    assert await first
    assert not await made.renew()
    assert len(network.by) == 1


@pytest.mark.parametrize("lost", [RetrySafe(), RateLimited(retry_after=timedelta(seconds=7)), Misconfigured()])
async def test_a_lost_answer_loses_no_token_and_the_next_try_asks_by_the_same(
    granted: Make, network: Renewing, days: Days, lost: ProviderError
) -> None:
    made = await granted()
    days(55)
    network.refreshes += [lost, made.tokens()]
    before = await made.token()
    with pytest.raises(type(lost)):
        await made.renew()
    assert await made.token() == before
    assert (await made.row()).state is AccountState.connected
    assert await made.renew()
    assert network.by == ["refreshing", "refreshing"]


async def test_who_died_with_the_answer_is_followed_once_its_turn_is_over(
    granted: Make, network: Renewing, days: Days
) -> None:
    made = await granted()
    days(55)
    await made.as_if(renewing_until=clock.utcnow() + renewing.LEASE)
    with pytest.raises(RetrySafe):
        await made.renew()
    await made.as_if(renewing_until=clock.utcnow() - timedelta(seconds=1))
    network.refreshes.append(made.tokens())
    assert await made.renew()


async def test_what_is_disconnected_while_it_is_renewed_is_given_back_by_its_new_tokens(
    granted: Make, network: Renewing, days: Days
) -> None:
    made = await granted()
    days(55)
    connecting = made.services.connecting

    async def disconnected(_: connections.Grant) -> connections.Grant:
        async with made.services.sessions.begin() as session:
            await connecting.disconnect_in_session(
                session, await AccountRepository(session).get(made.user.id, made.account_id)
            )
        return made.tokens()

    network.refreshes.append(disconnected)
    assert await made.renew()
    assert await made.token() == ("new", "refreshing")
    assert (await made.row()).revoke_due_at is not None
    assert (await made.look()).step is GrantStep.over


async def test_a_consent_while_it_is_renewed_wins(granted: Make, network: Renewing, days: Days) -> None:
    made = await granted()
    days(55)

    async def meanwhile(_: connections.Grant) -> connections.Grant:
        async with made.services.sessions.begin() as session:
            row = await session.get_one(Grant, made.grant_id)
            made.services.connecting.grants.store_tokens(row, made.tokens("consented", refresh_token="consented too"))
        return made.tokens()

    network.refreshes.append(meanwhile)
    assert not await made.renew()
    assert await made.token() == ("consented", "consented too")


async def test_a_refresh_token_that_is_refused_ends_no_access_that_still_holds(
    granted: Make, network: Renewing, days: Days
) -> None:
    made = await granted()
    days(51)
    network.refreshes.append(NeedsReconnect())
    assert not await made.renew()
    assert await made.token() != ("", None)
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.wait, GrantState.expires_soon)
    assert await made.mails() == [MailKind.account_expires]
    assert (await made.account()).expires_soon
    days(10)
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.wait, GrantState.needs_reconnecting)
    assert _in_a_month(seen.again_at)
    assert await made.mails() == [MailKind.account_expires, MailKind.account_reconnect]
    assert await made.unread() == [NotificationKind.account_reconnect]
    assert len(network.by) == 1


async def test_its_user_hears_two_weeks_one_week_and_a_day_ahead_once_each(granted: Make, days: Days) -> None:
    made = await granted(refreshes=False)
    told: list[tuple[MailKind, GrantState]] = []
    for _ in range(61 * 2):
        for _ in range(2):  # looking often tells nothing twice
            seen = await made.look()
        mails = await made.mails()
        if len(mails) > len(told):
            told.append((mails[-1], seen.state))
            assert await made.unread() == [
                NotificationKind.account_reconnect
                if mails[-1] is MailKind.account_reconnect
                else NotificationKind.account_expires
            ], "of what was told before, the newest alone is left"
        days(0.5)
    assert told == [
        *[(MailKind.account_expires, GrantState.expires_soon)] * 3,
        (MailKind.account_reconnect, GrantState.needs_reconnecting),
    ]
    assert (await made.account()).state is AccountState.needs_reconnecting
    assert not (await made.account()).expires_soon


@pytest.mark.parametrize("timing", [MailTiming.daily, MailTiming.never])
async def test_who_wants_no_mail_at_once_gets_none(granted: Make, days: Days, timing: MailTiming) -> None:
    made = await granted(refreshes=False)
    async with made.services.sessions.begin() as session:
        session.add(NotificationSetting(user_id=made.user.id, topic=MailTopic.reconnect, mail=timing))
    days(50)
    await made.look()
    assert await made.mails() == []
    assert await made.unread() == [NotificationKind.account_expires]


async def test_a_new_consent_ends_the_warnings(granted: Make, make: Factory, networks: Networks, days: Days) -> None:
    made = await granted(refreshes=False)
    days(50)
    await made.look()
    assert await made.unread() == [NotificationKind.account_expires]
    before = await made.account()
    again = await make.account(made.user, networks.url)
    assert (again.id, again.grant_id) == (before.id, before.grant_id)
    assert await made.unread() == []
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.wait, GrantState.connected)
    assert not (await made.account()).expires_soon


async def test_what_is_tried_in_vain_for_a_day_is_told_too(granted: Make, network: Renewing, days: Days) -> None:
    made = await granted()
    network.refreshes += [RetrySafe(), RetrySafe()]
    days(50.1)
    with pytest.raises(RetrySafe):
        await made.renew()
    assert await made.mails() == []
    days(3.5)
    assert (await made.look()).state is GrantState.connected, "who was away has not tried yet"
    with pytest.raises(RetrySafe):
        await made.renew()
    assert await made.mails() == [MailKind.account_expires]
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.renew, GrantState.expires_soon)
    network.refreshes.append(made.tokens())
    assert await made.renew()
    assert await made.unread() == []
    assert (await made.look()).state is GrantState.connected


async def test_what_does_not_end_is_left_alone(granted: Make, days: Days) -> None:
    made = await granted(days=None)
    days(900)
    seen = await made.look()
    assert (seen.step, seen.state) == (GrantStep.wait, GrantState.connected)
    assert _in_a_month(seen.again_at)


async def test_of_all_that_post_by_the_same_its_user_hears_as_long_as_one_of_them_needs_them(granted: Make) -> None:
    made = await granted()
    async with made.services.sessions.begin() as session:
        first = await session.get_one(Account, made.account_id)
        other = Account(
            id=new_id(), user_id=made.user.id, kind=first.kind, type=first.type, external_id="page", name="Zinnia"
        )
        other.grant_id = made.grant_id
        session.add(other)
        name = first.name
    assert await made.refused(NeedsReconnect()) is None
    async with made.services.sessions() as session:
        [told] = await session.scalars(select(Mail.params).where(Mail.user_id == made.user.id))
    assert sorted(told["account"].split(", ")) == sorted([name, "Zinnia"])

    async def disconnect(account_id: UUID) -> list[UUID | None]:
        """Of which accounts the bell tells then."""
        async with made.services.sessions.begin() as session:
            account = await AccountRepository(session).get(made.user.id, account_id)
            await made.services.connecting.disconnect_in_session(session, account)
        async with made.services.sessions() as session:
            rows = await session.scalars(
                select(Notification.account_id).where(
                    Notification.user_id == made.user.id, Notification.read_at.is_(None)
                )
            )
            return list(rows)

    assert await disconnect(made.account_id) == [other.id]
    assert await disconnect(other.id) == []
    assert await made.mails() == [MailKind.account_reconnect]


@dataclass
class Probing(Renewing):
    """Refuses to be asked, after its account was connected anew."""

    reconnect: Callable[[], Awaitable[None]] | None = None

    async def probe(self, to: connections.Credentials) -> None:
        if self.reconnect:
            await self.reconnect()
        raise NeedsReconnect(detail="of the token before")


@pytest.mark.parametrize("anew", [True, False])
async def test_a_look_at_a_network_marks_nothing_that_was_connected_anew_meanwhile(
    granted: Make, monkeypatch: pytest.MonkeyPatch, anew: bool
) -> None:
    made, scripted = await granted(), Probing()
    monkeypatch.setattr(faults, "channel", {ChannelKind.linkedin: scripted}.__getitem__)
    async with made.services.sessions.begin() as session:
        subject, now = network_subject(ChannelKind.linkedin), clock.utcnow()
        await FaultRepository(session).note(subject, ErrorCode.provider_misconfigured, "", now, now)

    async def reconnect() -> None:
        await made.as_if(token_id=new_id())

    scripted.reconnect = reconnect if anew else None
    await made.services.faults.recheck(made.user.id, [made.account_id])
    state = AccountState.connected if anew else AccountState.needs_reconnecting
    assert (await made.account()).state is state


@dataclass
class Telling(ScriptedNetwork):
    """It says of each token whether it holds."""

    lives: dict[str, Told] = field(default_factory=dict)
    asked_about: list[str] = field(default_factory=list)

    async def token_life(self, token: str) -> connections.TokenLife:
        self.asked_about.append(token)
        said = self.lives[token]
        if isinstance(said, ProviderError):
            raise said
        return said if isinstance(said, connections.TokenLife) else await said()


@pytest.fixture
def telling(network: Renewing, monkeypatch: pytest.MonkeyPatch) -> Telling:
    scripted = Telling()
    for module in (granting, renewing):
        monkeypatch.setattr(module, "channel", {ChannelKind.linkedin: scripted}.__getitem__)
    return scripted


async def of_its_own(made: Granted, token: str = "the page's") -> None:
    """The account posts by a token that has no end."""
    async with made.services.sessions.begin() as session:
        account = await session.get_one(Account, made.account_id)
        account.access_token_encrypted, account.own_token_id = made.services.vault.encrypt(token), new_id()


async def test_a_token_without_an_end_is_asked_about_each_day(granted: Make, telling: Telling, days: Days) -> None:
    made = await granted(days=None, refreshes=False)
    await of_its_own(made)
    telling.lives["the page's"] = connections.TokenLife(True, None)
    for _ in range(3):
        seen = await made.look()
        assert (seen.step, seen.state, seen.expires_at) == (GrantStep.wait, GrantState.connected, None)
        assert seen.again_at is not None
        assert 0.9 * DAY <= seen.again_at - clock.utcnow() <= DAY
        days(1)
    assert telling.asked_about == ["the page's"] * 3
    assert await made.mails() == []


async def test_one_that_holds_no_more_needs_a_person_before_a_post_finds_out(
    granted: Make, telling: Telling, days: Days
) -> None:
    made = await granted(days=None, refreshes=False)
    await of_its_own(made)
    telling.lives["the page's"] = connections.TokenLife(False, None)
    for _ in range(2):
        await made.look()
    account = await made.account()
    assert (account.own_state, (await made.row()).state) == (
        AccountState.needs_reconnecting,
        AccountState.connected,  # it says nothing of what else came by that consent
    )
    assert await made.mails() == [MailKind.account_reconnect]
    assert await made.unread() == [NotificationKind.account_reconnect]
    assert telling.asked_about == ["the page's"], "what is known to be over is not asked about"


@pytest.mark.parametrize("failure", [RetrySafe(), RateLimited(), Misconfigured(), NeedsReconnect()])
async def test_what_cannot_be_told_marks_nothing(
    granted: Make, telling: Telling, days: Days, failure: ProviderError
) -> None:
    made = await granted(days=None, refreshes=False)
    await of_its_own(made)
    telling.lives["the page's"] = failure
    seen = await made.look()
    assert seen.again_at is not None
    assert (await made.account()).state is AccountState.connected
    assert await made.mails() == []


async def test_of_a_token_that_was_traded_meanwhile_nothing_is_marked(
    granted: Make, telling: Telling, days: Days
) -> None:
    made = await granted(days=None, refreshes=False)
    await of_its_own(made)

    async def answers_late() -> connections.TokenLife:
        await of_its_own(made, "another one")
        return connections.TokenLife(False, None)

    telling.lives["the page's"] = answers_late
    await made.look()
    assert (await made.account()).state is AccountState.connected


async def test_the_end_that_it_tells_is_warned_of_and_may_be_put_off(
    granted: Make, telling: Telling, days: Days
) -> None:
    made = await granted(days=None, refreshes=False)
    await of_its_own(made)
    days(20)
    for _ in range(2):
        ends_at = clock.utcnow() + 13 * DAY
        telling.lives["the page's"] = connections.TokenLife(True, ends_at)
        seen = await made.look()
        assert (seen.state, seen.expires_at) == (GrantState.expires_soon, ends_at)
        assert await made.unread() == [NotificationKind.account_expires]
        telling.lives["the page's"] = connections.TokenLife(True, clock.utcnow() + 90 * DAY)
        assert (await made.look()).state is GrantState.connected
        assert await made.unread() == []
        days(20)
    assert await made.mails() == [MailKind.account_expires] * 2


async def test_given_back_it_is_over(granted: Make) -> None:
    made = await granted()
    await made.as_if(revoke_due_at=clock.utcnow())
    assert (await made.look()).step is GrantStep.over
    assert not await made.renew()
    async with made.services.sessions.begin() as session:
        await session.delete(await session.get_one(Grant, made.grant_id))
    assert (await made.look()).step is GrantStep.over
    assert not await made.renew()


# a call is refused


async def test_a_refused_token_is_asked_for_once_by_all_whose_calls_were_refused(
    granted: Make, network: Renewing
) -> None:
    made = await granted()
    version = (await made.row()).version
    assert await made.refused(TokenRefused())
    assert await made.refused(TokenRefused())
    row = await made.row()
    assert (row.refused_token_id, row.version, row.state) == (row.token_id, version + 1, AccountState.connected)
    assert (await made.look()).step is GrantStep.renew
    network.refreshes.append(made.tokens())
    assert await made.renew()
    assert (await made.look()).step is GrantStep.wait
    assert await made.mails() == []


async def test_a_new_token_that_is_refused_as_well_needs_a_person(granted: Make, network: Renewing, days: Days) -> None:
    made = await granted()
    await made.refused(TokenRefused())
    network.refreshes.append(made.tokens())
    await made.renew()
    assert await made.refused(TokenRefused()), "right after it was made a network may not know it everywhere"
    assert (await made.row()).refused_token_id is None
    days(1 / 24 / 60)
    assert await made.refused(TokenRefused()) is None
    assert (await made.account()).state is AccountState.needs_reconnecting
    assert await made.mails() == [MailKind.account_reconnect]


async def test_where_there_is_no_new_token_a_refused_one_needs_a_person(granted: Make, network: Renewing) -> None:
    made = await granted()
    await made.refused(TokenRefused())
    network.refreshes.append(NeedsReconnect())
    assert not await made.renew()
    assert (await made.look()).state is GrantState.needs_reconnecting
    assert (await made.account()).state is AccountState.needs_reconnecting
    assert await made.mails() == [MailKind.account_reconnect]


@pytest.mark.parametrize("error", [NeedsReconnect(), RoleLost(), Blocked(ErrorCode.account_blocked)])
async def test_no_new_token_helps_where_it_is_not_the_token(granted: Make, error: NeedsReconnect) -> None:
    made = await granted()
    assert await made.refused(error) is None
    assert (await made.row()).refused_token_id is None
    assert (await made.account()).state is AccountState.needs_reconnecting


@pytest.mark.parametrize("refreshes", [True, False])
async def test_without_what_it_takes_a_refused_token_needs_a_person_at_once(
    granted: Make, network: Renewing, monkeypatch: pytest.MonkeyPatch, refreshes: bool
) -> None:
    made = await granted(refreshes=not refreshes)
    if not refreshes:
        monkeypatch.delattr(Renewing, "refresh")
    assert await made.refused(TokenRefused()) is None
    assert (await made.account()).state is AccountState.needs_reconnecting
