"""A mail from the transaction that it tells of to the mail server, on the real parts."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import pytest
from temporalio.client import WorkflowExecutionStatus

from core.clock import utcnow
from core.container import wire
from core.crypto import new_token, token_hash
from core.errors import ErrorCode
from core.ids import new_id
from core.notifications.mailing import PATIENCE as MAIL_PATIENCE
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail, MailState
from core.users.tables.users import LinkPurpose, MailLink, User
from temporal import reconcile
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.mailbox import MailServer, mail_server
from tests.patience import PATIENCE
from tests.workflows.conftest import Record
from tests.workflows.support import eventually, refusing
from workflows.names import mail_workflow

TO = "ada@example.org"


@pytest.fixture
async def inbox() -> AsyncIterator[MailServer]:
    async with mail_server() as running:
        yield running


@pytest.fixture
def posting(stack: Stack, inbox: MailServer) -> Stack:
    """The same, with a mail server of its own."""
    services = stack.services
    settings = services.settings.model_copy(update={"smtp_url": inbox.url})
    return replace(stack, services=wire(settings, services.engine, services.sessions))


async def write(stack: Stack, user: User) -> tuple[UUID, str]:
    """What a sign-up does. The mail's id and the token of its link."""
    token = new_token()
    mail = Mail(
        id=new_id(),
        user_id=user.id,
        kind=MailKind.verify_email,
        to_email=TO,
        language="en",
        secret_encrypted=stack.services.vault.encrypt(token),
    )
    async with stack.services.sessions.begin() as session:
        session.add(
            MailLink(
                user_id=user.id,
                purpose=LinkPurpose.verify_email,
                token_hash=token_hash(token),
                email=TO,
                expires_at=utcnow() + MAIL_PATIENCE,
            )
        )
        await MailRepository(session).add(mail)
    return mail.id, token


async def row(stack: Stack, mail_id: UUID) -> Mail:
    async with stack.services.sessions() as session:
        found = await MailRepository(session).find(mail_id)
    assert found is not None
    return found


async def all_sent(stack: Stack, ids: list[UUID]) -> bool:
    return all([(await row(stack, mail_id)).state is MailState.sent for mail_id in ids])


def message_ids(inbox: MailServer) -> Counter[str]:
    return Counter(str(received.message["Message-ID"]) for received in inbox.mails)


async def test_a_mail_goes_out_at_once_and_its_history_tells_nothing(posting: Stack, inbox: MailServer) -> None:
    user = await posting.make.user("eve.example@example.org")
    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):
        warm, _ = await write(posting, user)  # the worker listens
        await eventually(lambda: all_sent(posting, [warm]))
        mail_id, token = await write(posting, user)
        # the grace that saved assistants get is four seconds
        await eventually(lambda: all_sent(posting, [mail_id]), 3.5)
    assert message_ids(inbox) == {f"<{sent}@localhost>": 1 for sent in (warm, mail_id)}
    received = inbox.mails[-1]
    assert received.recipients == [TO]
    assert f"http://postloom.test/verify-email#token={token}" in received.part("plain").splitlines()

    handle = posting.client.get_workflow_handle(mail_workflow(mail_id))
    assert (await handle.result()) == {"state": "sent"}
    history = await handle.fetch_history()
    told = [
        json.loads(payload.data)
        for event in history.events
        for carrier in (
            event.workflow_execution_started_event_attributes.input,
            event.activity_task_scheduled_event_attributes.input,
            event.activity_task_completed_event_attributes.result,
            event.workflow_execution_completed_event_attributes.result,
        )
        for payload in carrier.payloads
    ]
    assert told == [{"mail_id": str(mail_id)}] * 2 + [{"state": "sent"}] * 2
    for secret in (token, token_hash(token), TO, user.email, "verify", "localhost"):
        assert secret not in history.to_json()
    described = await handle.describe()
    assert str(user.id) in str(described.search_attributes)


async def test_a_server_that_is_down_delays_mails_but_loses_and_doubles_none(
    posting: Stack, inbox: MailServer, record: Record
) -> None:
    user = await posting.make.user()
    await inbox.stop()
    ids = [(await write(posting, user))[0] for _ in range(5)]  # before there is a worker

    async def failed_once() -> bool:
        return all([(await row(posting, mail_id)).error == ErrorCode.mail_unavailable for mail_id in ids])

    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):
        ids += [(await write(posting, user))[0] for _ in range(5)]
        await eventually(failed_once)
        assert not any([(await row(posting, mail_id)).state is MailState.sent for mail_id in ids])
    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):
        inbox.answers = ["451 4.3.0 not yet"] * 3
        await inbox.start()
        await eventually(lambda: all_sent(posting, ids))
        await asyncio.sleep(1)  # one sent twice would arrive by now
    assert message_ids(inbox) == {f"<{mail_id}@localhost>": 1 for mail_id in ids}
    for mail_id in ids:
        sent = await row(posting, mail_id)
        assert (sent.error, sent.secret_encrypted) == (None, None)
    await record("mail.sent-after-outage", mail_workflow(ids[0]))


async def test_a_refused_mail_ends_its_workflow(posting: Stack, inbox: MailServer, record: Record) -> None:
    inbox.to_recipient = "550 5.1.1 unknown"
    mail_id, _ = await write(posting, await posting.make.user())
    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):

        async def ended() -> bool:
            return (await row(posting, mail_id)).state is not MailState.pending

        await eventually(ended)
        handle = posting.client.get_workflow_handle(mail_workflow(mail_id))
        assert await asyncio.wait_for(handle.result(), PATIENCE) == {"state": "refused"}
    assert (await row(posting, mail_id)).error == ErrorCode.mail_address_refused
    await record("mail.refused", mail_workflow(mail_id))


async def test_one_that_runs_is_left_alone_and_a_lost_one_is_started_again(posting: Stack, inbox: MailServer) -> None:
    """Without a worker: nothing moves but what the reconcile does."""
    mail_id, _ = await write(posting, await posting.make.user())
    handle = posting.client.get_workflow_handle(mail_workflow(mail_id))

    async def status() -> tuple[str, WorkflowExecutionStatus | None]:
        described = await handle.describe()
        return described.run_id, described.status

    assert await reconcile.start_mails(posting.services, posting.gateway) == 1
    first = await status()
    await reconcile.start_mails(posting.services, posting.gateway)
    assert await status() == first

    async def listed() -> bool:
        return await reconcile.start_mails(posting.services, posting.gateway) == 0

    await eventually(listed)
    await handle.terminate("an operator's slip")

    async def again() -> bool:
        await reconcile.start_mails(posting.services, posting.gateway)
        return (await status())[1] is WorkflowExecutionStatus.RUNNING

    await eventually(again)
    assert (await status())[0] != first[0]
    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):
        await eventually(lambda: all_sent(posting, [mail_id]))
    assert message_ids(inbox) == {f"<{mail_id}@localhost>": 1}
    assert await reconcile.start_mails(posting.services, posting.gateway) == 0


async def test_one_that_cannot_be_started_does_not_stop_the_others(
    posting: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    user = await posting.make.user()
    (bad, _), (good, _) = await write(posting, user), await write(posting, user)
    assert await reconcile.start_mails(posting.services, refusing(posting, mail_workflow(bad))) == 1
    await posting.client.get_workflow_handle(mail_workflow(good)).describe()
    assert [line for line in caplog.messages if str(bad) in line] == [
        f"reconcile: mail {bad} could not be repaired (INVALID_ARGUMENT)"
    ]


async def test_what_was_sent_when_its_workflow_starts_is_not_sent_again(posting: Stack, inbox: MailServer) -> None:
    mail_id, _ = await write(posting, await posting.make.user())
    assert await reconcile.start_mails(posting.services, posting.gateway) == 1
    assert await posting.services.mailing.send(mail_id) is MailState.sent
    async with run_worker(posting.client, posting.services, graceful=GRACEFUL):
        handle = posting.client.get_workflow_handle(mail_workflow(mail_id))
        assert await asyncio.wait_for(handle.result(), PATIENCE) == {"state": "sent"}
    assert len(inbox.mails) == 1
