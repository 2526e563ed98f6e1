"""What an operator or a user has to mend is found once, and costs nobody anything until it is mended."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from pydantic import SecretStr
from sqlalchemy import func, select

from core.ai.repositories.provider_faults import FaultRepository
from core.ai.rules.faults import RECHECK_AFTER
from core.ai.tables.provider_faults import ProviderFault
from core.ai.tables.transactions import Transaction
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services, wire
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.errors import AwaitsMending, ErrorCode, RetrySafe
from core.ids import new_id
from core.networks.rules.channels import AccountState
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.runs.repositories.runs import RunRepository
from core.users.repositories.users import UserRepository
from tests.ai.aimock import mock_server
from tests.ai.test_model_calls import SLOT, TEXT, Assistants, answered, assistants, models, writing
from tests.conftest import Networks, Stack
from tests.factories import Factory
from tests.http_server import Answer, Server

__all__ = ["assistants", "models"]

REFUSED = Answer(401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}})
NO_CREDIT = Answer(429, {"error": {"message": "pay first", "code": "insufficient_quota"}})
NO_MODEL = Answer(404, {"error": {"message": "no such model", "code": "model_not_found"}})
WRITTEN = answered({"type": "output_text", "text": TEXT, "annotations": []})


@dataclass
class Slots:
    """One slot of an assistant after the other, prepared as a run does it."""

    services: Services
    assistant: Assistant
    number: int = 0

    async def next(self) -> ErrorCode | None:
        """What it waited for in vain, until it was too late to have a text; None: it has one."""
        self.number += 1
        run, slot = new_id(), SLOT + timedelta(days=self.number)
        drafting, owner = self.services.drafting, self.assistant.user_id
        await drafting.begin(owner, self.assistant.id, run, f"run-{run}", slot)
        try:
            await drafting.write(owner, run, 1)
        except AwaitsMending as error:
            why = error.code
        else:
            return None
        await self.services.projecting.fail(owner, run, why)
        async with self.services.sessions() as session:
            ended = await RunRepository(session).get(owner, run)
        assert (ended.state, ended.reason) == (RunState.missed, why)
        return why

    async def next_ones(self, count: int) -> Sequence[ErrorCode | None]:
        return [await self.next() for _ in range(count)]


async def standing(services: Services) -> list[tuple[str, str]]:
    async with services.sessions() as session:
        return [(fault.subject, fault.reason) for fault in await FaultRepository(session).list_all()]


async def some_minutes_later(services: Services) -> None:
    async with services.sessions.begin() as session:
        for fault in await FaultRepository(session).list_all():
            assert timedelta(0) < fault.try_after - utcnow() <= RECHECK_AFTER
            fault.try_after = utcnow()


async def booked(services: Services, user_id: UUID) -> int:
    query = select(func.count()).select_from(Transaction).where(Transaction.user_id == user_id)
    async with services.sessions() as session:
        return await session.scalar(query) or 0


async def mails(services: Services, user_id: UUID) -> list[Mail]:
    async with services.sessions() as session:
        return list(await session.scalars(select(Mail).where(Mail.user_id == user_id)))


async def test_five_slots_with_a_refused_key_make_one_call(
    services: Services, assistants: Assistants, tmp_path: Path, unused_tcp_port: int
) -> None:
    """Of a server of somebody else's make, which keeps a journal; and the next slot after the key was mended writes."""
    fixtures = [{"match": {"userMessage": "Write"}, "response": {"content": TEXT}}]
    assistant = await assistants()
    async with mock_server(tmp_path, unused_tcp_port, fixtures, keys="sk-right") as url, httpx2.AsyncClient() as client:

        async def asked() -> int:
            key = {"Authorization": "Bearer sk-right"}
            told = await client.get(f"{url}/__aimock/journal", params={"path": "/v1/responses"}, headers=key)
            return int(told.headers["x-total-count"])

        async with writing(services, url) as own:
            assert await Slots(own, assistant).next_ones(5) == [ErrorCode.model_misconfigured] * 5
        refused = await asked()
        assert await standing(services) == [("provider:openai", "model_misconfigured")]
        assert await booked(services, assistant.user_id) == 0
        await some_minutes_later(services)
        async with writing(services, url, openai_api_key=SecretStr("sk-right")) as own:
            assert await Slots(own, assistant, 5).next() is None
        assert await standing(services) == []
        # the journal has those that were let in; the refused are counted by what the server says of them
        assert (refused, await asked() - refused) in {(1, 1), (0, 1)}


@pytest.mark.parametrize(
    ("answer", "code", "subject"),
    [
        (REFUSED, ErrorCode.model_misconfigured, "provider:openai"),
        (NO_CREDIT, ErrorCode.model_out_of_credit, "provider:openai"),
        (NO_MODEL, ErrorCode.model_misconfigured, "model:openai/gpt-6-luna"),
    ],
)
async def test_a_cause_is_found_by_one_call_and_kept_once(
    services: Services, assistants: Assistants, models: Server, answer: Answer, code: ErrorCode, subject: str
) -> None:
    models.answers("/v1/responses", answer)
    mine, other = await assistants(), await assistants()
    async with writing(services, models.url) as own:
        assert await Slots(own, mine).next_ones(3) == [code] * 3
        # whoever's they are
        assert await Slots(own, other).next_ones(2) == [code] * 2
    assert len(models.requests) == 1
    assert await standing(services) == [(subject, code)]
    assert await booked(services, mine.user_id) == await booked(services, other.user_id) == 0


async def test_after_some_minutes_one_slot_looks_and_then_the_next(
    services: Services, assistants: Assistants, models: Server
) -> None:
    models.answers("/v1/responses", REFUSED, REFUSED, WRITTEN)
    assistant = await assistants()
    async with writing(services, models.url) as own:
        slots = Slots(own, assistant)
        await slots.next_ones(2)
        async with own.sessions() as session:
            [since] = [fault.since for fault in await FaultRepository(session).list_all()]
        await some_minutes_later(own)
        assert await slots.next_ones(3) == [ErrorCode.model_misconfigured] * 3
        assert len(models.requests) == 2
        async with own.sessions() as session:
            assert [fault.since for fault in await FaultRepository(session).list_all()] == [since]
        await some_minutes_later(own)
        assert await slots.next() is None
    assert await standing(services) == []
    assert len(models.requests) == 3


async def test_of_those_that_come_at_once_one_looks(stack: Stack, models: Server) -> None:
    """On connections of their own, as processes have them."""
    models.answers("/v1/responses", Answer(401, REFUSED.body, delay=0.3))
    user = await stack.make.user()
    rows = [await stack.make.assistant(user, image=False, mode=Mode.draft) for _ in range(3)]
    async with writing(stack.services, models.url) as own:
        await Slots(own, rows[0]).next()
        await some_minutes_later(own)
        found = await asyncio.gather(*(Slots(own, row, 3).next() for row in rows))
    assert list(found) == [ErrorCode.model_misconfigured] * 3
    assert len(models.requests) == 2


async def test_a_look_that_proves_nothing_lets_the_next_attempt_look(
    services: Services, assistants: Assistants, models: Server
) -> None:
    models.answers("/v1/responses", REFUSED, Answer(500), WRITTEN)
    assistant = await assistants()
    async with writing(services, models.url) as own:
        slots = Slots(own, assistant)
        await slots.next()
        await some_minutes_later(own)
        with pytest.raises(RetrySafe):
            await slots.next()
        assert await standing(own) == [("provider:openai", "model_misconfigured")]
        assert await slots.next() is None
    assert await standing(services) == []


async def test_a_model_that_is_not_there_keeps_no_other_from_working(
    services: Services, assistants: Assistants, models: Server
) -> None:
    models.answers("/v1/responses", NO_MODEL, WRITTEN)
    mine, other = await assistants(), await assistants()
    async with writing(services, models.url) as own:
        # of a server of one's own no other model is asked: its default has another name
        renamed = own.settings.model_copy(update={"text_model": "gpt-6-sol"})
        elsewhere = wire(renamed, own.engine, own.sessions)
        assert await Slots(own, mine).next() is ErrorCode.model_misconfigured
        assert await Slots(elsewhere, other).next() is None
        assert await standing(own) == [("model:openai/gpt-6-luna", "model_misconfigured")]
        assert await Slots(own, mine, 1).next() is ErrorCode.model_misconfigured
        await elsewhere.writer.close()
        await elsewhere.pictures.close()


# networks


async def delivered(services: Services, assistant: Assistant) -> DeliveryOutcome:
    """A run to its end, now."""
    run, slot = new_id(), utcnow()
    owner, drafting = assistant.user_id, services.drafting
    await drafting.begin(owner, assistant.id, run, f"run-{run}", slot)
    await drafting.write(owner, run, 1)
    checked = await drafting.check(owner, run)
    [(delivery_id, *_)] = checked.deliveries

    async def at_once() -> None:
        return

    return await services.delivering.deliver(owner, delivery_id, wait=at_once)


@pytest.fixture
async def posting(make: Factory, networks: Networks) -> Assistant:
    await networks.calm()
    user = await make.user()
    account = await make.account(user, networks.url)
    return await make.assistant(user, accounts=(account.id,), image=False)


async def test_a_retired_version_ends_the_next_slots_before_their_text(
    services: Services, posting: Assistant, networks: Networks
) -> None:
    await networks.fail(on="posts", kind="status", status=426)
    assert await delivered(services, posting) is DeliveryOutcome.held
    assert await standing(services) == [("network:linkedin", "api_version_retired")]
    before, asked = await booked(services, posting.user_id), await reached(networks)
    slots = Slots(services, posting)
    assert await slots.next_ones(4) == [ErrorCode.api_version_retired] * 4
    assert await booked(services, posting.user_id) == before
    assert await reached(networks) == asked


async def test_a_question_that_changes_nothing_finds_out_that_it_is_mended(
    services: Services, posting: Assistant, networks: Networks
) -> None:
    await networks.fail(on="posts", kind="status", status=426)
    await delivered(services, posting)
    slots, posts = Slots(services, posting), len(await networks.posts())
    await some_minutes_later(services)
    await networks.fail(on="reads", kind="status", status=426)
    assert await slots.next_ones(2) == [ErrorCode.api_version_retired] * 2
    await some_minutes_later(services)
    await networks.fail(on="reads", kind="status", status=500)
    # no proof of either: the next slot asks again
    assert await slots.next() is ErrorCode.api_version_retired
    assert await slots.next() is None
    assert await standing(services) == []
    assert len(await networks.posts()) == posts


async def test_a_post_that_is_made_is_tried_all_the_same_and_proves_it(
    services: Services, posting: Assistant, networks: Networks
) -> None:
    # other tests write the same text, which the network would refuse as a duplicate
    (await networks.client.delete("/sandbox/state")).raise_for_status()
    run, slot = new_id(), utcnow()
    owner, drafting = posting.user_id, services.drafting
    await drafting.begin(owner, posting.id, run, f"run-{run}", slot)
    await drafting.write(owner, run, 1)
    [(delivery_id, *_)] = (await drafting.check(owner, run)).deliveries
    async with services.sessions.begin() as session:
        session.add(ProviderFault(subject="network:linkedin", reason=ErrorCode.provider_misconfigured))

    async def at_once() -> None:
        return

    assert await services.delivering.deliver(owner, delivery_id, wait=at_once) is DeliveryOutcome.published
    assert await standing(services) == []


async def reached(networks: Networks) -> int:
    return len((await networks.client.get("/sandbox/requests")).json())


async def test_a_token_that_was_taken_back_is_told_once_and_asked_for_no_more(
    services: Services, posting: Assistant, networks: Networks, make: Factory
) -> None:
    await networks.fail(on="posts", kind="revoked")
    assert await delivered(services, posting) is DeliveryOutcome.held
    asked, spent = await reached(networks), await booked(services, posting.user_id)
    assert await Slots(services, posting).next_ones(3) == [ErrorCode.delivery_needs_reconnect] * 3
    assert (await reached(networks), await booked(services, posting.user_id)) == (asked, spent)
    [mail] = await mails(services, posting.user_id)
    assert (mail.kind, mail.params) == (
        MailKind.account_reconnect,
        {"account": "Mara Lind", "network": "LinkedIn"},
    )
    async with services.sessions() as session:
        user = await UserRepository(session).get(posting.user_id)
    account = await make.account(user, networks.url)
    assert account.state is AccountState.connected
    assert await Slots(services, posting, 3).next() is None
    # taken back again, it is told again
    await networks.fail(on="posts", kind="revoked")
    assert await delivered(services, posting) is DeliveryOutcome.held
    assert len(await mails(services, posting.user_id)) == 2
