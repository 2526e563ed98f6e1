"""What an assistant's runs came to, and the evidence of each."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import Spent, Usage
from core.ai.tables.transactions import TransactionType
from core.approvals.tables.approval_links import ApprovalLink
from core.assistants.rules.assistants import Mode, RunState, StepKind
from core.assistants.tables import Assistant
from core.brands.rules import BrandVoice
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.rules.failures import append_failure
from core.runs.tables import Run
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.statements import record_statements

NOON = datetime(2026, 10, 21, 12, tzinfo=UTC)


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(services, away, mine.user) as client:
        yield client


def runs_of(mine: Owned) -> str:
    return f"/assistants/{mine.ids['assistant_id']}/runs/"


def run_of(mine: Owned) -> str:
    return f"{runs_of(mine)}{mine.ids['run_id']}/"


async def missed(services: Services, user: User, assistant: UUID, *slots: datetime) -> None:
    async with services.sessions.begin() as session:
        await RunRepository(session).record_missed(user.id, assistant, slots, ErrorCode.missed_outage)


async def spend(services: Services, mine: Owned, *, cost: bool = True) -> None:
    """A call of a model for the run: one with a price, or one whose price nobody knows."""
    run, usage = UUID(mine.ids["run_id"]), Usage(input_tokens=1000, output_tokens=200)
    made = Spent("openai", "gpt-6-luna" if cost else "home-made", usage, "req_1")

    async def call() -> Spent:
        return made

    cause = Cause(mine.user.id, TransactionType.text, run_id=run)
    await services.meter.call(cause, ModelRequest(made.provider, made.model, usage), call)


async def settle(services: Services, mine: Owned, **values: Any) -> None:
    async with services.sessions.begin() as session:
        change = update(Delivery).where(Delivery.id == UUID(mine.ids["delivery_id"]))
        await session.execute(change.values(**values))


async def test_a_run_that_has_gone_nowhere_yet(owner: httpx2.AsyncClient, mine: Owned) -> None:
    page = done(await owner.get(runs_of(mine)))
    [run] = page["items"]
    assert (run["state"], run["attempts"], run["published_at"], run["lateness_ms"]) == ("ready", 1, None, None)
    assert (run["topic_title"], run["time_zone"]) == ("Rain without drama", "Europe/Berlin")
    assert [one["state"] for one in run["deliveries"]] == ["pending"]
    assert page["counts"] == {"ready": 1}


async def test_a_run_whose_slot_is_to_come_counts_as_ready(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    """As its badge says it, although its publishing step has begun."""

    async def publishing(slot: datetime) -> dict[str, Any]:
        async with services.sessions.begin() as session:
            change = update(Run).where(Run.id == UUID(mine.ids["run_id"]))
            await session.execute(change.values(state=RunState.publishing, slot=slot))
        found: dict[str, Any] = {}
        for state in ("ready", "publishing"):
            page = done(await owner.get(runs_of(mine), params={"state": state}))
            assert page["total"] == len(page["items"])
            found |= {"counts": page["counts"], state: page["total"]}
        return found

    now = datetime.now(UTC)
    assert await publishing(now + timedelta(seconds=40)) == {"counts": {"ready": 1}, "ready": 1, "publishing": 0}
    assert await publishing(now) == {"counts": {"publishing": 1}, "ready": 0, "publishing": 1}


async def test_lateness_is_from_the_slot_to_the_publishing_call(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    """Not to the proof of it: after a lost answer that may come hours later, from a person."""
    slot = datetime.fromisoformat(done(await owner.get(run_of(mine)))["slot"])
    called = slot + timedelta(milliseconds=340)
    later = slot + timedelta(hours=3)
    await settle(
        services,
        mine,
        state=DeliveryState.published,
        called_at=called,
        settled_at=later,
        attempts=2,
        permalink="https://example.org/1",
    )
    [run] = done(await owner.get(runs_of(mine)))["items"]
    assert (run["lateness_ms"], datetime.fromisoformat(run["published_at"])) == (340, called)
    assert (run["attempts"], run["deliveries"][0]["permalink"]) == (2, "https://example.org/1")


async def test_what_did_not_go_out_is_not_late(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    await settle(services, mine, state=DeliveryState.unknown, called_at=datetime.now(UTC), attempts=1)
    [run] = done(await owner.get(runs_of(mine)))["items"]
    assert (run["published_at"], run["lateness_ms"]) == (None, None)


async def test_tokens_and_cost_are_sums_of_all_calls(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    before = done(await owner.get(runs_of(mine)))["items"][0]
    await spend(services, mine)
    await spend(services, mine)
    [run] = done(await owner.get(runs_of(mine)))["items"]
    assert run["input_tokens"] == (before["input_tokens"] or 0) + 2000
    assert run["output_tokens"] == (before["output_tokens"] or 0) + 400
    calls = done(await owner.get(run_of(mine)))["calls"]
    assert run["cost_micros"] == sum(call["cost_micros"] for call in calls) > 0
    assert run["cost_known"] is True
    await spend(services, mine, cost=False)
    assert done(await owner.get(runs_of(mine)))["items"][0]["cost_known"] is False


async def test_runs_are_filtered_sorted_and_paged(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    slots = [NOON - timedelta(hours=at) for at in range(5)]
    await missed(services, user, assistant.id, *slots)
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, "run-1", NOON + timedelta(hours=1))
    path = f"/assistants/{assistant.id}/runs/"

    async def slots_of(**query: str) -> list[datetime]:
        page = done(await api.get(path, params=query))
        assert page["counts"] == {"missed": 5, "preparing": 1}
        return [datetime.fromisoformat(one["slot"]) for one in page["items"]]

    assert await slots_of() == [NOON + timedelta(hours=1), *slots]
    assert await slots_of(state="missed") == slots
    assert await slots_of(state="missed", sort="oldest") == slots[::-1]
    assert await slots_of(state="failed") == []
    first = done(await api.get(path, params={"state": "missed", "page_size": "3"}))
    assert first["total"] == 5
    cursor = first["next_cursor"]
    assert await slots_of(state="missed", page_size="3", cursor=cursor) == slots[3:]
    refused(await api.get(path, params={"state": "lost"}), 422, ErrorCode.invalid_input)
    refused(await api.get(path, params={"sort": "cost"}), 422, ErrorCode.invalid_input)


async def test_a_missed_run_has_its_reason_and_its_zone(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    await missed(services, user, assistant.id, NOON)
    [run] = done(await api.get(f"/assistants/{assistant.id}/runs/"))["items"]
    assert (run["reason"], run["time_zone"], run["attempts"]) == ("missed_outage", "Europe/Berlin", None)
    evidence = done(await api.get(f"/assistants/{assistant.id}/runs/{run['id']}/"))
    assert (evidence["mode"], evidence["steps"], evidence["calls"], evidence["deliveries"]) == (None, [], [], [])
    assert evidence["text_template"] is None


async def test_more_runs_take_no_more_queries(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    async def queries() -> int:
        with record_statements() as statements:
            done(await owner.get(runs_of(mine)))
        return len([one for one in statements if one.startswith("SELECT")])

    one = await queries()
    assistant = UUID(mine.ids["assistant_id"])
    for at in range(3):
        run = new_id()
        slot = datetime.now(UTC) + timedelta(hours=at)
        await services.drafting.begin(mine.user.id, assistant, run, f"run-{at}", slot)
        await services.drafting.write(mine.user.id, run, 1)
        await services.drafting.check(mine.user.id, run)
    assert await queries() == one


async def test_the_evidence_of_a_run(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    run = done(await owner.get(run_of(mine)))
    steps = {step["kind"]: step for step in run["steps"]}
    assert list(steps) == ["topic", "text", "image", "check"]
    assert steps["topic"]["facts"]["path"] == "Cargo bikes / Weather"
    assert "Rain without drama" in steps["text"]["facts"]["prompt"]
    assert "Rain without drama" in steps["image"]["facts"]["prompt"]
    assert run["topic_path"] == ["Cargo bikes", "Weather"]
    assert (run["mode"], run["wants_image"]) == ("automatic", True)
    assert (run["text_template"]["name"], run["text_template"]["number"]) == ("A text template", 1)
    assert run["image_template"]["name"] == "A image template"
    assert [(call["type"], call["outcome"]) for call in run["calls"]] == [
        ("text", "succeeded"),
        ("image", "succeeded"),
    ]
    assert run["content"]
    assert run["first_file"]["kind"] == "image"
    image = await owner.get(f"http://postloom.test{run['first_file']['thumbnail_url']}")
    # the thumbnail, which a PDF or a video has too
    assert (image.status_code, image.headers["content-type"]) == (200, "image/webp")


@pytest.mark.parametrize("by_link", [False, True])
async def test_the_evidence_tells_who_approved_what_was_edited_and_for_which_brand(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, by_link: bool
) -> None:
    run = done(await owner.get(run_of(mine)))
    assert (run["approval"], run["by_link"], run["edited"], run["brand"]) == (None, False, False, None)
    post_id = UUID(mine.ids["post_id"])
    async with services.sessions.begin() as session:
        row = await session.get_one(Run, UUID(mine.ids["run_id"]))
        assert row.setup is not None
        row.setup = replace(row.setup, mode=Mode.approval, brand=BrandVoice("House style"))
        post = await session.get_one(Post, post_id)
        post.planned_at, post.status = datetime.now(UTC) + timedelta(hours=1), PostStatus.draft
        post.content += " Mudguards help."
    await services.approvals.check(mine.user.id, post_id, timedelta(seconds=30))
    async with services.sessions() as session:
        link = await session.scalar(select(ApprovalLink.id).where(ApprovalLink.user_id == mine.user.id))
        content_hash = (await session.get_one(Post, post_id)).content_hash
    used = link if by_link else None
    await services.approvals.decide(
        mine.user.id, post_id, approved=True, content_hash=content_hash, remark="", link_id=used
    )
    run = done(await owner.get(run_of(mine)))
    assert (run["approval"]["state"], run["approval"]["decided_at"] is None) == ("approved", False)
    assert (run["by_link"], run["edited"], run["brand"]) == (by_link, True, "House style")


async def test_prompts_are_in_the_evidence_alone(owner: httpx2.AsyncClient, mine: Owned) -> None:
    prompt = done(await owner.get(run_of(mine)))["steps"][1]["facts"]["prompt"]
    assert prompt
    for path in (runs_of(mine), f"/assistants/{mine.ids['assistant_id']}/", "/assistants/"):
        assert '"prompt"' not in (await owner.get(path)).text
    live = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/live/"))
    assert live["run"]["steps"]
    assert all("prompt" not in step["facts"] for step in live["run"]["steps"])


async def test_failed_attempts_are_kept(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    run, now = UUID(mine.ids["run_id"]), datetime.now(UTC)
    async with services.sessions.begin() as session:
        runs = RunRepository(session)
        await runs.record_failure(mine.user.id, run, StepKind.text, 1, ErrorCode.rate_limited)
        # the step's end leaves them where they are
        await runs.finish_step(mine.user.id, run, StepKind.text, facts={"model": "x"})
    await settle(services, mine, failures=append_failure([], 1, ErrorCode.rate_limited, now), attempts=2)
    found = done(await owner.get(run_of(mine)))
    text = next(step for step in found["steps"] if step["kind"] == "text")
    assert [(one["attempt"], one["code"]) for one in text["failures"]] == [(1, "rate_limited")]
    [delivery] = found["deliveries"]
    assert [(one["attempt"], one["code"]) for one in delivery["failures"]] == [(1, "rate_limited")]


async def test_neighbours_are_those_of_the_asked_state(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    slot = datetime.fromisoformat(done(await owner.get(run_of(mine)))["slot"])
    assistant = UUID(mine.ids["assistant_id"])
    await missed(services, mine.user, assistant, *(slot - timedelta(hours=at) for at in (1, 2, 3)))
    listed = done(await owner.get(runs_of(mine)))["items"]
    [_, newest, middle, oldest] = [run["id"] for run in listed]

    async def beside(run: str, **query: str) -> tuple[str | None, str | None]:
        found = done(await owner.get(f"{runs_of(mine)}{run}/", params=query))
        return found["earlier_id"], found["later_id"]

    assert await beside(mine.ids["run_id"]) == (newest, None)
    assert await beside(newest) == (middle, mine.ids["run_id"])
    assert await beside(newest, state="missed") == (middle, None)
    assert await beside(oldest, state="missed") == (None, middle)
    assert await beside(middle, state="failed") == (None, None)


async def test_a_run_is_its_owners_and_its_assistants_alone(
    owner: httpx2.AsyncClient,
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    mine: Owned,
) -> None:
    """Neither by its own path, nor by that of an assistant of one's own."""
    refused(await api.get(run_of(mine)), 404, ErrorCode.not_found)
    refused(await api.get(runs_of(mine)), 404, ErrorCode.not_found)
    own: Assistant = await make.assistant(user, mode=Mode.draft, image=False)
    refused(await api.get(f"/assistants/{own.id}/runs/{mine.ids['run_id']}/"), 404, ErrorCode.not_found)
    other: Assistant = await make.assistant(mine.user, mode=Mode.draft, image=False, topics="- A\n-- B")
    refused(await owner.get(f"/assistants/{other.id}/runs/{mine.ids['run_id']}/"), 404, ErrorCode.not_found)


async def test_a_topic_is_called_as_it_was(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    """A run is a record: what was renamed or deleted since does not change it."""
    tree = done(await owner.get(f"/topics/{mine.ids['tree_id']}/"))
    node = next(one for one in tree["topics"] if one["title"] == "Rain without drama")
    done(await owner.patch(f"/topics/{mine.ids['tree_id']}/topics/{node['id']}/", json={"title": "Rain"}))
    assert done(await owner.get(runs_of(mine)))["items"][0]["topic_title"] == "Rain without drama"


def test_the_newest_failures_are_kept() -> None:
    failures: list[dict[str, Any]] = []
    for attempt in range(1, 26):
        failures = append_failure(failures, attempt, ErrorCode.rate_limited, NOON)
    assert [one["attempt"] for one in failures] == list(range(6, 26))
