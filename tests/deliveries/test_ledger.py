"""The fence and the receipt: per row, for the right person and attempt, however many come at one moment."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DataError

from core.container import Services
from core.deliveries.ledger import FenceRequest, Ledger, Proof
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.posts import Receipt
from core.networks.rules.channels import AccountType, ChannelKind
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account, Grant
from core.users.tables.users import User
from tests.factories import Factory


def token_of(account_id: UUID) -> UUID:
    return uuid5(account_id, "token")


@pytest.fixture
def ledger(services: Services) -> Ledger:
    return Ledger(services.sessions, timedelta(hours=1))


async def deliveries(services: Services, user: User, count: int) -> list[Delivery]:
    """Of one post, each through an account of its own and prepared by an attempt of its own."""
    post = Post(id=new_id(), user_id=user.id, content="A post")
    accounts = [
        Account(
            id=id,
            user_id=user.id,
            kind=ChannelKind.linkedin,
            type=AccountType.person,
            external_id=f"person-{at}",
            name=f"Person {at}",
            grant=Grant(user_id=user.id, kind=ChannelKind.linkedin, access_token_encrypted="", token_id=token_of(id)),
        )
        for at, id in enumerate(new_id() for _ in range(count))
    ]
    made = [
        Delivery(
            id=new_id(),
            user_id=user.id,
            post_id=post.id,
            account_id=account.id,
            channel=ChannelKind.linkedin,
            state=DeliveryState.publishing,
            content_hash="",
            attempt=new_id(),
            error_code=ErrorCode.rate_limited,
            error_detail="of an earlier attempt",
        )
        for account in accounts
    ]
    async with services.sessions.begin() as session:
        session.add_all([post, *accounts])
        await session.flush()
        session.add_all(made)
    return made


async def now_of(services: Services, made: list[Delivery]) -> list[Delivery]:
    async with services.sessions() as session:
        return [await session.get_one(Delivery, one.id) for one in made]


def wants(one: Delivery, attempt: UUID | None = None) -> FenceRequest:
    assert one.attempt is not None
    return FenceRequest(one.user_id, one.id, attempt or one.attempt, token_of(one.account_id))


async def test_of_many_passes_at_once_each_gets_its_own_answer(ledger: Ledger, services: Services, user: User) -> None:
    made = await deliveries(services, user, 4)
    # the first has been called, the second belongs to a newer attempt
    assert await ledger.fence(wants(made[0]))
    before = (await now_of(services, made))[0].called_at
    answers = await asyncio.gather(
        ledger.fence(wants(made[0])),
        ledger.fence(wants(made[1], new_id())),
        ledger.fence(wants(made[2])),
        ledger.fence(wants(made[3])),
    )
    assert list(answers) == [False, False, True, True]
    after = await now_of(services, made)
    assert [one.called_at is not None for one in after] == [True, False, True, True]
    assert after[0].called_at == before


async def test_of_many_at_once_only_those_pass_whose_token_is_current(
    ledger: Ledger, services: Services, user: User
) -> None:
    made = await deliveries(services, user, 3)
    async with services.sessions.begin() as session:
        # another account's, too, is not its own
        grant = (await session.get_one(Account, made[1].account_id)).grant
        assert grant is not None
        grant.token_id = token_of(made[0].account_id)
    assert await asyncio.gather(*(ledger.fence(wants(one)) for one in made)) == [True, False, True]


async def test_nobody_passes_for_another_user(ledger: Ledger, services: Services, user: User, make: Factory) -> None:
    [one] = await deliveries(services, user, 1)
    stranger = await make.user()
    assert one.attempt is not None
    assert not await ledger.fence(FenceRequest(stranger.id, one.id, one.attempt, token_of(one.account_id)))
    await ledger.settle(Proof(stranger.id, one.id, Receipt("theirs", "https://network.test/theirs")))
    [after] = await now_of(services, [one])
    assert (after.called_at, after.state, after.provider_id) == (None, DeliveryState.publishing, None)


async def test_of_many_proofs_at_once_each_settles_its_own(ledger: Ledger, services: Services, user: User) -> None:
    made = await deliveries(services, user, 3)
    began = datetime.now(UTC)
    receipts = [Receipt("urn:1", "https://network.test/1"), Receipt(None, None)]
    # the second attempt's proof counts too, whoever is the current one
    await asyncio.gather(
        *(ledger.settle(Proof(user.id, one.id, proof)) for one, proof in zip(made, receipts, strict=False))
    )
    *settled, left = await now_of(services, made)
    assert [(one.state, one.provider_id, one.permalink) for one in settled] == [
        (DeliveryState.published, "urn:1", "https://network.test/1"),
        (DeliveryState.published, None, None),
    ]
    assert all(one.settled_at is not None and one.settled_at >= began for one in settled)
    assert all((one.error_code, one.error_detail) == (None, None) for one in settled)
    assert (left.state, left.settled_at, left.error_code) == (
        DeliveryState.publishing,
        None,
        ErrorCode.rate_limited,
    )
    async with services.sessions() as session:
        used = await session.scalars(
            select(Account.last_used_at).where(Account.user_id == user.id).order_by(Account.external_id)
        )
        assert [at is not None for at in used] == [True, True, False]


async def test_what_a_network_said_to_one_loses_no_proof_of_others(
    ledger: Ledger, services: Services, user: User
) -> None:
    """No database keeps that."""
    made = await deliveries(services, user, 3)
    told = ["1", "\0", "3" * 999]
    proofs = [Proof(user.id, one.id, Receipt(name, None)) for one, name in zip(made, told, strict=True)]
    found = await asyncio.gather(*map(ledger.settle, proofs), return_exceptions=True)
    assert [type(one) for one in found] == [type(None), DataError, type(None)]
    async with services.sessions() as session:
        rows = [await session.get_one(Delivery, one.id) for one in made]
    assert [row.provider_id for row in rows] == ["1", None, "3" * 999]
    assert [row.state for row in rows] == [DeliveryState.published, DeliveryState.publishing, DeliveryState.published]


async def test_a_proof_opens_no_fence(ledger: Ledger, services: Services, user: User) -> None:
    [one] = await deliveries(services, user, 1)
    assert await ledger.fence(wants(one))
    await ledger.settle(Proof(user.id, one.id, Receipt("urn:1", None)))
    assert not await ledger.fence(wants(one))
    [after] = await now_of(services, [one])
    assert (after.called_at is None, after.attempt) == (False, one.attempt)
