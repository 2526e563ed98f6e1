"""Signs of life, and everything around the API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from sqlalchemy import update

from core.ai.tables.provider_faults import ProviderFault
from core.clock import utcnow
from core.database import Sessions
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.social_accounts.tables import Grant
from core.workers.tables import WorkerBeat
from temporal.registry import Steps, groups
from temporal.worker import build_workers, run_worker
from tests.api.conftest import done, refused
from tests.conftest import GRACEFUL, Stack, browsing
from tests.patience import PATIENCE
from tests.workflows.support import drafted

ROOT = "http://postloom.test"


async def test_alive_is_not_ready(anonymous: httpx2.AsyncClient) -> None:
    assert done(await anonymous.get(f"{ROOT}/healthz")) == {"status": "ok"}
    answer = await anonymous.get(f"{ROOT}/readyz")
    assert answer.status_code == 503
    found = answer.json()
    assert (found["ready"], found["database"], found["temporal"], found["worker"]) == (False, True, False, False)
    assert found["detail"] == "not there: temporal, worker"


async def test_the_banner_says_what_is_away(api: httpx2.AsyncClient) -> None:
    found = done(await api.get("/system/"))
    assert found["temporal"] == {"ok": False, "since": None}
    assert found["worker"] == {"ok": False, "since": None}
    assert found["writer"]["is_demo"] is True


async def test_the_banner_says_what_an_operator_has_to_mend(api: httpx2.AsyncClient, sessions: Sessions) -> None:
    """And not what a single template names: that is its user's to change."""
    assert done(await api.get("/system/"))["faults"] == []
    now = datetime.now(UTC)
    faults = {"network:linkedin": "provider_misconfigured", "provider:demo": "model_out_of_credit"}
    async with sessions.begin() as session:
        for days, (subject, code) in enumerate({**faults, "model:openai/gpt-9": "model_misconfigured"}.items()):
            session.add(ProviderFault(subject=subject, reason=code, since=now + timedelta(days=days)))
    found = done(await api.get("/system/"))["faults"]
    assert [(one["network"], one["code"]) for one in found] == [
        ("linkedin", "provider_misconfigured"),
        (None, "model_out_of_credit"),
    ]


async def test_ready_takes_a_worker_that_polls(stack: Stack) -> None:
    user = await stack.make.user()
    async with browsing(stack.services, stack.gateway, user) as api:
        async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
            async with asyncio.timeout(PATIENCE):
                while (answer := await api.get(f"{ROOT}/readyz")).status_code != 200:
                    await asyncio.sleep(0.2)
            assert answer.json()["detail"] == "all there"
            found = done(await api.get("/system/"))
            assert (found["temporal"]["ok"], found["worker"]["ok"]) == (True, True)
        # it said good-bye: its last poll alone would look alive for a minute
        answer = await api.get(f"{ROOT}/readyz")
        assert (answer.status_code, answer.json()["detail"]) == (503, "not there: worker")
        assert done(await api.get("/system/"))["worker"]["ok"] is False


async def test_a_post_that_stays_behind_beside_a_worker_is_told(stack: Stack) -> None:
    """Pollers alone say nothing: a workflow that is stuck polls as well. No restart would help, so it stays ready."""
    user = await stack.make.user()
    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    delivery_id = await drafted(stack, assistant, utcnow() - timedelta(minutes=10))
    due = utcnow() - timedelta(minutes=10)
    async with stack.services.sessions.begin() as session:
        await session.execute(update(Post).values(planned_at=due, updated_at=utcnow()))
        await session.execute(update(Delivery).values(updated_at=due))
    async with browsing(stack.services, stack.gateway, user) as api, run_queues(stack):

        async def ready() -> tuple[int, dict[str, object]]:
            answer = await api.get(f"{ROOT}/readyz")
            return answer.status_code, answer.json()

        await stack.services.health.beat("a worker", [])
        async with asyncio.timeout(PATIENCE):
            while (found := await ready())[0] != 200:  # it has just started, and may catch up
                await asyncio.sleep(0.2)
        assert found[1]["detail"] == "all there"
        async with stack.services.sessions.begin() as session:
            await session.execute(update(WorkerBeat).values(started_at=due))
        status, told = await ready()
        assert (status, told["ready"], told["worker"]) == (200, True, True)
        assert told["detail"] == f"all there; a due post has waited since {due:%Y-%m-%d %H:%M} UTC"
        assert told["oldest_due"] == due.strftime("%Y-%m-%dT%H:%M:00Z")
        async with stack.services.sessions.begin() as session:
            row = await session.get_one(Delivery, delivery_id)
            row.state = DeliveryState.retrying  # its network is away, which another alert is for
        assert (await ready())[1]["detail"] == "all there"


async def test_a_delivery_that_waits_for_something_does_not_stay_behind(stack: Stack) -> None:
    user = await stack.make.user()
    due = utcnow() - timedelta(minutes=10)

    account = await stack.make.account(user, stack.networks.url)
    assistant = await stack.make.assistant(user, accounts=(account.id,), image=False)
    delivery_id = await drafted(stack, assistant, due)

    async def oldest() -> datetime | None:
        return (await stack.services.health.due_deliveries()).oldest

    async def set_delivery(**values: object) -> None:
        async with stack.services.sessions.begin() as session:
            changed = update(Delivery).where(Delivery.id == delivery_id)
            await session.execute(changed.values({"updated_at": due, **values}))

    async with stack.services.sessions.begin() as session:
        await session.execute(update(Post).values(planned_at=due))
    await set_delivery()
    assert await oldest() == due
    released = utcnow()  # held until now
    await set_delivery(updated_at=released)
    assert await oldest() == released
    await set_delivery(staged_ready_at=utcnow() + timedelta(minutes=1))
    assert await oldest() is None
    # the network says itself when an image is processed: it is asked again and again
    await set_delivery(staged_ready_at=due, channel=ChannelKind.instagram)
    assert await oldest() is None
    await set_delivery(staged_ready_at=due, channel=ChannelKind.linkedin, state=DeliveryState.publishing)
    assert await oldest() == due
    async with stack.services.sessions.begin() as session:
        grant = await session.get_one(Grant, account.grant_id)
        grant.refused_token_id = grant.token_id
    assert await oldest() is None


@asynccontextmanager
async def run_queues(stack: Stack) -> AsyncIterator[None]:
    """Workers without the loops, which would restart what a test leaves behind."""
    async with AsyncExitStack() as started:
        for worker in build_workers(stack.client, groups(Steps.of(stack.services)), GRACEFUL):
            await started.enter_async_context(worker)
        yield


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nothing/", "/api/users/me", "/api/%00", "/assets.js", "/x.css"]
)
async def test_what_is_not_there(anonymous: httpx2.AsyncClient, path: str) -> None:
    refused(await anonymous.get(f"{ROOT}{path}"), 404, ErrorCode.not_found)


@pytest.mark.parametrize(
    "path",
    ["/", "/assistants/123", "/%00", "/" + "a" * 5000, "/..%2f..%2f..%2fetc%2fpasswd", "//etc/passwd", "/%F0%9F%99%82"],
)
async def test_every_other_path_is_the_web_apps(anonymous: httpx2.AsyncClient, path: str) -> None:
    """Never a file outside of the build, and never an error."""
    answer = await anonymous.get(httpx2.URL(f"{ROOT}{path}"))
    assert "root:" not in answer.text
    # without a build it says how to make one
    assert (answer.status_code, "text/html" in answer.headers["content-type"]) in [(200, True), (503, False)]


async def test_pages_cannot_be_framed_or_sniffed(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/users/me/")
    assert answer.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_defect_tells_nothing_about_itself(api: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("postgresql://secret@internal")

    monkeypatch.setattr("api.routes.topics._out", broken)
    done(await api.get("/topics/"))
    answer = await api.post("/topics/", json={"name": "x", "text": "- a"})
    refused(answer, 500, ErrorCode.internal)
    assert "secret" not in answer.text
