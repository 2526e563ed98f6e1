"""Somebody leaves: at once for the person, for good a moment later, and without a trace."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import pytest
from sqlalchemy import func, select, update
from temporalio.client import Client

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import AnonymousTotal, Transaction, TransactionType
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import Mode
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import Ambiguous, Denied, ErrorCode, InvalidInput, NotFound
from core.media.tables import Media
from core.networks.linkedin import CHANNEL
from core.networks.rules.channels import ChannelKind
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail, MailState
from core.posts.rules.posts import DeliveryState
from core.runs.tables import Run
from core.social_accounts.connecting import AuthorizationRequest
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion
from core.users.deletion import SETTLING, AccountDeletionService
from core.users.repositories.deletion import AccountDeletionRepository
from core.users.tables.users import Invitation, User
from temporal import account_deletion, reconcile
from temporal.gateway import Gateway
from temporal.rounds import Lock, advisory_lock
from temporal.worker import run_worker
from tests.account_deletion import PASSWORD, Life, dumped, fingerprints, live, order_tryout, sign_up, suggest
from tests.conftest import GRACEFUL, Stack, browsing
from tests.media.test_pictures import picture
from tests.patience import PATIENCE
from tests.workflows.support import automatic, calls, drafted, eventually, order_for, run_once, soon
from workflows.assistant import AssistantWorkflow
from workflows.names import assistant_workflow, suggestion_workflow, tryout_workflow

EMAIL = "mara@example.com"
# the fixtures of these tests take their time on a busy machine
SOON = 120.0


async def known_to_temporal(client: Client, user_id: UUID) -> list[str]:
    """Every execution, open or closed, that is found by the user or names them."""
    found = []
    async for execution in client.list_workflows(""):
        whole = f"{execution.id} {execution.typed_search_attributes} {await memo_of(execution)}"
        if str(user_id) in whole:
            found.append(execution.id)
    return found


async def memo_of(execution: Any) -> dict[str, Any]:
    return dict(await execution.memo())


def folder(stack: Stack) -> Path:
    return Path(unquote(urlsplit(stack.services.settings.media_url).path))


async def activate(stack: Stack, assistant: Assistant) -> None:
    """As the API does: the row first, then its workflow."""
    async with stack.services.sessions.begin() as session:
        row = await AssistantRepository(session).lock(assistant.user_id, assistant.id)
        row.active, row.version = True, row.version + 1
    async with stack.services.sessions() as session:
        full = await AssistantRepository(session).get(assistant.user_id, assistant.id)
    assert await stack.gateway.assistants.configure(full.row, full.status, {account.kind for account in full.accounts})


async def a_while_ago(stack: Stack, user_id: UUID) -> None:
    """So that one round may begin at once."""
    async with stack.services.sessions.begin() as session:
        await session.execute(
            update(User).where(User.id == user_id).values(deletion_requested_at=utcnow() - 2 * SETTLING)
        )


async def gone(stack: Stack, user_id: UUID) -> bool:
    async with stack.services.sessions() as session:
        return await session.get(User, user_id) is None


async def settled_mail(stack: Stack, user_id: UUID, to: str) -> None:
    async with stack.services.sessions.begin() as session:
        await MailRepository(session).add(
            Mail(
                user_id=user_id,
                kind=MailKind.invitation,
                to_email=to,
                language="en",
                params={"inviter": "somebody"},
                state=MailState.sent,
                sent_at=utcnow(),
            )
        )


YEARLY = Schedule(Frequency.cron, "UTC", cron=f"0 0 1 {soon(-40 * 86400).month} *")


async def test_nothing_of_a_person_is_left_and_everything_of_others(stack: Stack) -> None:
    services, client = stack.services, stack.client
    other = await live(services, stack.make, stack.networks, "other@example.org", person="jonas-weber")
    invited = await services.invitations.create(other.user.id, email=EMAIL, send=False)
    await settled_mail(stack, other.user.id, EMAIL)
    life = await live(services, stack.make, stack.networks, EMAIL, code=invited.code)
    user_id = life.user.id
    async with run_worker(client, services, graceful=GRACEFUL):
        drafts = await stack.make.assistant(life.user, image=False, schedule=YEARLY, mode=Mode.draft)
        await run_once(stack, drafts, soon(0))
        await asked(stack, drafts)
        # one that continues as new has closed executions under the same id
        await activate(stack, drafts)
        await client.get_workflow_handle(assistant_workflow(drafts.id)).signal(AssistantWorkflow.roll)
        theirs = await stack.make.assistant(other.user, image=False, schedule=YEARLY, mode=Mode.draft)
        await activate(stack, theirs)
        await eventually(lambda: rolled(client, drafts.id), SOON)
        hidden = {str(user_id), user_id.hex, EMAIL, f"friend-of-{EMAIL}", life.account.name}
        hidden |= life.secrets | await fingerprints(services, user_id)
        totals = await used_by(stack, user_id)
        assert totals
        before = await dumped(services)
        for value in (str(user_id), EMAIL, f"friend-of-{EMAIL}", life.account.name):
            assert any(value in rows for rows in before.values())
        assert len(await known_to_temporal(client, user_id)) >= 6
        # the picture of the post, and how lists show it
        assert sorted(path.suffix for path in (folder(stack) / str(user_id)).iterdir()) == [".jpg", ".webp"]
        kept = await rows_of(stack, other.user.id)

        async with browsing(services, stack.gateway, life.user) as api:
            wrong = await api.post("/users/me/delete/", json={"current_password": "not it at all"})
            assert (wrong.status_code, wrong.json()["code"]) == (422, ErrorCode.password_wrong)
            assert (await api.get("/users/me/")).status_code == 200
            answer = await api.post("/users/me/delete/", json={"current_password": PASSWORD})
            assert answer.status_code == 204
            assert (await api.get("/users/me/")).status_code == 401
        with pytest.raises(Denied):
            await services.identity.sign_in(EMAIL, PASSWORD, "a device")
        # the address is free at once
        again, _ = await sign_up(services, EMAIL)
        assert again.id != user_id

        await eventually(lambda: gone(stack, user_id), SOON)
        # the one who came back goes too, or the address would be found
        await services.account_deletion.request(again.id, PASSWORD)
        await eventually(lambda: gone(stack, again.id), SOON)

    after = await dumped(services)
    left = [(table, value) for table, rows in after.items() for value in hidden if value in rows]
    assert left == []
    assert f"Name of {EMAIL}" not in str(after)
    assert [path for path in folder(stack).rglob("*") if str(user_id) in str(path)] == []
    assert await known_to_temporal(client, user_id) == []
    assert await totals_of(stack) == totals
    assert await tokens_alive(stack, life) == 0

    # the other's
    assert await rows_of(stack, other.user.id) == kept
    assert len([path for path in (folder(stack) / str(other.user.id)).rglob("*") if path.is_file()]) == 2
    assert assistant_workflow(theirs.id) in await known_to_temporal(client, other.user.id)
    assert await tokens_alive(stack, other) == 1


async def asked(stack: Stack, assistant: Assistant) -> None:
    """A try-out and a round of suggestions, each by its workflow."""
    user_id, services = assistant.user_id, stack.services
    run, suggestion = await order_tryout(services, assistant), await suggest(services, assistant)
    assert await stack.gateway.start_tryout(user_id, run)
    assert await stack.gateway.start_suggestion(user_id, suggestion)
    for name in (tryout_workflow(run), suggestion_workflow(suggestion)):
        over = await asyncio.wait_for(stack.client.get_workflow_handle(name).result(), SOON)
        assert over["state"] == "succeeded"


async def rolled(client: Client, assistant_id: UUID) -> bool:
    query = f"WorkflowId = '{assistant_workflow(assistant_id)}'"
    return len([execution async for execution in client.list_workflows(query)]) >= 2


async def rows_of(stack: Stack, user_id: UUID) -> dict[str, int]:
    counted = {}
    async with stack.services.sessions() as session:
        for model in (Assistant, Run, Delivery, Media, Invitation, Mail, Transaction):
            counted[model.__tablename__] = (
                await session.scalar(select(func.count()).select_from(model).where(model.user_id == user_id)) or 0
            )
    assert all(counted.values())
    return counted


async def used_by(stack: Stack, user_id: UUID) -> set[tuple[Any, ...]]:
    """Per type and model: calls, tokens, images and cost."""
    async with stack.services.sessions() as session:
        rows = await session.execute(
            select(
                Transaction.type,
                Transaction.model,
                func.count(),
                func.coalesce(func.sum(Transaction.input_tokens), 0),
                func.sum(Transaction.images),
                func.coalesce(func.sum(Transaction.cost_micros), 0),
            )
            .where(Transaction.user_id == user_id)
            .group_by(Transaction.type, Transaction.model)
        )
        return {tuple(row) for row in rows}


async def totals_of(stack: Stack) -> set[tuple[Any, ...]]:
    async with stack.services.sessions() as session:
        rows = (await session.scalars(select(AnonymousTotal))).all()
    return {(row.type, row.model, row.calls, row.input_tokens, row.images, row.cost_micros) for row in rows}


async def tokens_alive(stack: Stack, life: Life) -> int:
    """How many of the tokens a person was given does the network still take."""
    alive = 0
    for secret in life.secrets:
        answer = await stack.networks.client.get("/v2/userinfo", headers={"Authorization": f"Bearer {secret}"})
        alive += answer.status_code == 200
    return alive


# at once: what was confirmed to the person holds


class Armed:
    """A wait that says when it has begun and ends on a word."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.begun.set()
        await self.over.wait()


async def at_once() -> None:
    return


async def about_to_publish(stack: Stack) -> tuple[Assistant, UUID]:
    """An assistant of a person with a password, and a delivery that is due."""
    assistant = await automatic(stack)
    user, _ = await sign_up(stack.services, "with-a-password@example.org")
    async with stack.services.sessions.begin() as session:
        mine = await session.get_one(User, assistant.user_id)
        mine.password_hash = (await session.get_one(User, user.id)).password_hash
    return assistant, await drafted(stack, assistant, soon(0))


async def test_a_delivery_that_is_armed_stays_at_home(stack: Stack) -> None:
    assistant, delivery_id = await about_to_publish(stack)
    delivering, armed = stack.services.delivering, Armed()
    going = asyncio.create_task(delivering.deliver(assistant.user_id, delivery_id, wait=armed))
    await asyncio.wait_for(armed.begun.wait(), PATIENCE)
    await stack.services.account_deletion.request(assistant.user_id, PASSWORD)
    armed.over.set()
    with pytest.raises(Ambiguous):
        await going
    assert await delivering.deliver(assistant.user_id, delivery_id, wait=at_once) is DeliveryOutcome.missed
    assert await calls(stack) == 0


async def test_a_call_on_its_way_is_waited_for(stack: Stack) -> None:
    assistant, delivery_id = await about_to_publish(stack)
    await stack.networks.fail(on="posts", kind="slow", seconds=6)
    going = asyncio.create_task(stack.services.delivering.deliver(assistant.user_id, delivery_id, wait=at_once))

    async def calling() -> bool:
        return await calls(stack) == 1

    await eventually(calling)
    assert not going.done()
    await stack.services.account_deletion.request(assistant.user_id, PASSWORD)
    # whoever looks now sees what there will ever be
    async with stack.services.sessions() as session:
        assert (await session.get_one(Delivery, delivery_id)).state is DeliveryState.published
    assert len(await stack.networks.posts()) == 1
    assert await going is DeliveryOutcome.published


async def test_a_call_without_an_answer_is_never_made_again(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CHANNEL, "call_timeout", timedelta(seconds=1))
    assistant, delivery_id = await about_to_publish(stack)
    await stack.networks.fail(on="posts", kind="status", status=500)
    delivering = stack.services.delivering
    with pytest.raises(Ambiguous):
        await delivering.deliver(assistant.user_id, delivery_id, wait=at_once)
    await stack.services.account_deletion.request(assistant.user_id, PASSWORD)
    assert await delivering.deliver(assistant.user_id, delivery_id, wait=at_once) is DeliveryOutcome.missed
    assert (await calls(stack), await stack.networks.posts()) == (1, [])


async def test_a_draft_that_is_finished_after_leaving_goes_nowhere(stack: Stack) -> None:
    assistant, _ = await about_to_publish(stack)
    drafting, slot = stack.services.drafting, soon(120)
    name, order = order_for(assistant, slot)
    await drafting.begin(order.user_id, order.assistant_id, order.run_id, name, slot)
    await drafting.write(order.user_id, order.run_id, 1)
    await stack.services.account_deletion.request(assistant.user_id, PASSWORD)
    with pytest.raises(InvalidInput) as refused:
        await drafting.check(order.user_id, order.run_id)
    assert refused.value.code is ErrorCode.account_disconnected


async def test_what_arrives_after_leaving_is_refused_and_what_is_arriving_is_waited_for(stack: Stack) -> None:
    user, _ = await sign_up(stack.services, EMAIL)
    services = stack.services
    departure = await services.connecting.start(user.id, ChannelKind.linkedin)
    assert isinstance(departure, AuthorizationRequest)
    answer = await stack.networks.client.get(f"{departure.authorize_url}&sandbox_person=mara-lind")
    back = parse_qs(urlsplit(answer.headers["location"]).query)
    # longer than leaving takes, also on a machine that has much to do
    await stack.networks.fail(on="userinfo", kind="slow", seconds=6)
    connecting = asyncio.create_task(
        services.connecting.finish(
            user.id,
            ChannelKind.linkedin,
            state=back["state"][0],
            browser_secret=departure.browser_secret,
            code=back["code"][0],
            error=None,
        )
    )

    async def asked() -> bool:
        return "/v2/userinfo" in (await stack.networks.client.get("/sandbox/requests")).text

    await eventually(asked)
    await services.account_deletion.request(user.id, PASSWORD)
    with pytest.raises(InvalidInput) as refused:
        await connecting
    assert refused.value.code is ErrorCode.connect_expired
    assert await last_token_revoked(stack)
    with pytest.raises(NotFound):
        await services.media.store(user.id, picture("red"))
    assert not (folder(stack) / str(user.id)).exists()

    other, _ = await sign_up(services, "other@example.org")
    async with services.sessions.begin() as session:
        assert await AccountDeletionRepository(session).lock_remaining(other.id)
        leaving = asyncio.create_task(services.account_deletion.request(other.id, PASSWORD))
        await asyncio.wait_for(leaving, PATIENCE)
        assert not await services.account_deletion.withdraw(other.id)
    assert await services.account_deletion.withdraw(other.id)


async def last_token_revoked(stack: Stack) -> bool:
    made = (await stack.networks.client.get("/sandbox/requests", params={"path": "/oauth/v2/revoke"})).json()
    return len(made) == 1


# for good: whatever dies in the middle


class Killed(BaseException):
    """The process is gone: nothing of ours catches it."""


async def test_a_deletion_that_dies_after_any_act_is_finished_by_the_next_round(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = stack.services
    life = await live(services, stack.make, stack.networks, EMAIL)
    user_id = life.user.id
    async with services.sessions.begin() as session:
        (await AssistantRepository(session).lock(user_id, life.assistant.id)).active = True
    async with services.sessions() as session:
        full = await AssistantRepository(session).get(user_id, life.assistant.id)
    # nobody works on it: it just stands there
    assert await stack.gateway.assistants.repair(full.row, full.status, set())
    run, suggestion = await order_tryout(services, life.assistant), await suggest(services, life.assistant)
    assert await stack.gateway.start_tryout(user_id, run)
    assert await stack.gateway.start_suggestion(user_id, suggestion)
    hidden = {str(user_id), EMAIL} | life.secrets | await fingerprints(services, user_id)
    totals = await used_by(stack, user_id)
    await services.account_deletion.request(user_id, PASSWORD)
    assert await account_deletion.delete_requested(services, stack.gateway) == 0  # what was under way has its time
    await a_while_ago(stack, user_id)

    def dies_after(owner: type, name: str) -> None:
        act = getattr(owner, name)

        async def then_dies(*given: Any) -> None:
            await act(*given)
            raise Killed

        monkeypatch.setattr(owner, name, then_dies)

    for owner, name in (
        (AccountDeletionService, "withdraw"),
        (AccountDeletionService, "names"),
        (Gateway, "delete_workflows"),
        (AccountDeletionService, "revoke_tokens"),
        (AccountDeletionService, "remove_files"),
        # inside of the last transaction
        (AccountDeletionRepository, "keep_totals"),
        (AccountDeletionRepository, "remove"),
    ):
        dies_after(owner, name)
        with pytest.raises(Killed):
            await account_deletion.delete_requested(services, stack.gateway)
        monkeypatch.undo()
        assert not await gone(stack, user_id)
        assert await totals_of(stack) == set()
    assert await account_deletion.delete_requested(services, stack.gateway) == 1
    assert await totals_of(stack) == totals
    after = await dumped(services)
    assert [(table, value) for table, rows in after.items() for value in hidden if value in rows] == []
    assert await known_to_temporal(stack.client, user_id) == []
    assert not (folder(stack) / str(user_id)).exists()
    assert await account_deletion.delete_requested(services, stack.gateway) == 0


async def test_one_who_waits_for_temporal_or_a_network_is_not_forgotten(
    stack: Stack, away: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = stack.services
    user, _ = await sign_up(services, EMAIL)
    await stack.make.account(user, stack.networks.url)
    await services.account_deletion.request(user.id, PASSWORD)
    await a_while_ago(stack, user.id)
    assert await account_deletion.delete_requested(services, away) == 0
    assert not await gone(stack, user.id)
    # a network keeps nobody
    nowhere = CHANNEL.settings.model_copy(update={"auth_url": "http://127.0.0.1:1"})
    monkeypatch.setitem(vars(CHANNEL), "settings", nowhere)
    assert await account_deletion.delete_requested(services, stack.gateway) == 1
    assert await gone(stack, user.id)


async def test_what_a_request_ordered_meanwhile_begins_the_deletion_anew(stack: Stack) -> None:
    services = stack.services
    user, _ = await sign_up(services, EMAIL)
    await services.account_deletion.request(user.id, PASSWORD)
    async with services.sessions.begin() as session:
        await MailRepository(session).add(
            Mail(user_id=user.id, kind=MailKind.verify_email, to_email=EMAIL, language="en")
        )
    assert not await services.account_deletion.remove_rows(user.id)
    assert await services.account_deletion.withdraw(user.id)
    assert await services.account_deletion.remove_rows(user.id)
    assert await gone(stack, user.id)
    assert await services.account_deletion.remove_rows(user.id)  # and once more


async def test_what_was_asked_of_a_model_is_stopped_and_begins_no_more(stack: Stack) -> None:
    """Nobody works on it: it stands in Temporal, or has not even come there."""
    services = stack.services
    life = await live(services, stack.make, stack.networks, EMAIL)
    user_id = life.user.id
    started, left_behind = await order_tryout(services, life.assistant), await order_tryout(services, life.assistant)
    suggestion = await suggest(services, life.assistant)
    assert await stack.gateway.start_tryout(user_id, started)
    await services.account_deletion.request(user_id, PASSWORD)
    async with services.sessions.begin() as session:
        await session.execute(update(Tryout).values(updated_at=utcnow() - timedelta(minutes=1)))
        await session.execute(update(TopicSuggestion).values(updated_at=utcnow() - timedelta(minutes=1)))
    assert await reconcile.start_pending_jobs(services, stack.gateway) == 0
    assert await services.tryouts.make(user_id, left_behind, 1) is GenerationState.cancelled
    assert await services.suggestions.run_round(user_id, suggestion, 1) is GenerationState.cancelled
    # a request that was under way when the person left orders one more
    late = await order_tryout(services, life.assistant)
    assert not await services.account_deletion.remove_rows(user_id)
    assert await services.account_deletion.withdraw(user_id)
    assert await services.tryouts.make(user_id, late, 1) is GenerationState.cancelled
    await a_while_ago(stack, user_id)
    assert await account_deletion.delete_requested(services, stack.gateway) == 1
    assert await known_to_temporal(stack.client, user_id) == []


async def test_totals_of_many_add_up_without_them(stack: Stack) -> None:
    services = stack.services
    for number in range(2):
        user, _ = await sign_up(services, f"{number}@example.org")
        async with services.sessions.begin() as session:
            session.add_all(
                Transaction(
                    user_id=user.id,
                    key=f"{user.id}:{call}",
                    type=TransactionType.text,
                    provider="openai",
                    model="gpt",
                    input_tokens=tokens,
                    output_tokens=tokens,
                    images=0,
                    cost_micros=cost,
                    duration_ms=5,
                    created_at=datetime(2026, month, 28, 23, 30, tzinfo=UTC),
                )
                for call, (tokens, cost, month) in enumerate([(10, 7, 8), (20, None, 8), (None, None, 8), (5, 1, 9)])
            )
        await services.account_deletion.request(user.id, PASSWORD)
        assert await services.account_deletion.remove_rows(user.id)
    async with services.sessions() as session:
        rows = (await session.scalars(select(AnonymousTotal).order_by(AnonymousTotal.month))).all()
    assert [(row.month, row.calls, row.input_tokens, row.cost_micros, row.uncounted, row.unpriced) for row in rows] == [
        (date(2026, 8, 1), 6, 60, 14, 2, 4),
        (date(2026, 9, 1), 2, 10, 2, 0, 0),
    ]
    assert {row.currency for row in rows} == {"USD"}


@pytest.mark.parametrize("lock", [Lock.lost_assistants, Lock.overdue_assistants, Lock.lost_runs, Lock.lost_posts])
async def test_a_round_that_restarts_workflows_is_waited_for(stack: Stack, lock: Lock) -> None:
    """It may have read rows of the user before they left."""
    user, _ = await sign_up(stack.services, EMAIL)
    await stack.services.account_deletion.request(user.id, PASSWORD)
    async with advisory_lock(stack.services, lock) as mine:
        assert mine
        erasing = asyncio.create_task(account_deletion.erase(stack.services, stack.gateway, user.id))
        done, _ = await asyncio.wait([erasing], timeout=4)  # without waiting it takes two seconds
        assert not done
    assert await asyncio.wait_for(erasing, PATIENCE)
    assert await gone(stack, user.id)


async def test_an_open_run_of_somebody_who_leaves_is_not_carried_on(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconcile, "_RECENT", timedelta(0))
    assistant, _ = await about_to_publish(stack)
    await stack.services.account_deletion.request(assistant.user_id, PASSWORD)
    assert await reconcile.recover_lost_runs(stack.services, stack.gateway) == 0
    assert await known_to_temporal(stack.client, assistant.user_id) == []
