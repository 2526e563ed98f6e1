"""Pausing, resuming, running now and skipping, as the web app asks for it; Temporal is away unless a test says
otherwise."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from sqlalchemy import update

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.tables import Assistant
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.rules.posts import DeliveryState
from core.runs.outcomes import update_from_deliveries
from core.runs.repositories.lateness import LatenessRepository
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.topics.tables import Topic
from core.users.tables.users import User
from temporal.worker import run_worker
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_assistants import created, daily, form, prepared, whole
from tests.conftest import GRACEFUL, Networks, Stack, browsing
from tests.factories import Factory
from tests.workflows.support import eventually


async def running(api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks, **more: Any) -> str:
    assistant = await created(api, await whole(make, user, networks, schedule=daily(5), **more))
    done(await api.post(f"/assistants/{assistant}/activate/"))
    return assistant


async def test_a_pause_is_saved_while_temporal_is_away_and_takes_effect_later(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    assistant = await running(api, make, user, networks)
    until = datetime.now(UTC) + timedelta(hours=1)
    answer = done(await api.post(f"/assistants/{assistant}/pause/", json={"until": until.isoformat()}))
    assert answer["confirmed"] is False
    assert answer["assistant"]["status"]["pending_change"]
    pause = answer["assistant"]["pause"]
    assert (datetime.fromisoformat(pause["until"]), pause["reason"]) == (until, None)
    version = answer["assistant"]["version"]

    # the same again changes nothing; another end does, and the pause has begun when it did
    again = done(await api.post(f"/assistants/{assistant}/pause/", json={"until": until.isoformat()}))
    assert again["assistant"]["version"] == version
    endless = done(await api.post(f"/assistants/{assistant}/pause/", json={}))["assistant"]
    assert (endless["pause"]["until"], endless["pause"]["since"]) == (None, pause["since"])
    assert endless["version"] == version + 1
    live = done(await api.get(f"/assistants/{assistant}/live/"))
    assert (live["occurrences"], live["next_slot"]) == ([], None)

    resumed = done(await api.post(f"/assistants/{assistant}/resume/"))["assistant"]
    assert (resumed["pause"], resumed["version"]) == (None, version + 2)
    assert done(await api.post(f"/assistants/{assistant}/resume/"))["assistant"]["version"] == version + 2
    assert len(done(await api.get(f"/assistants/{assistant}/live/"))["occurrences"]) == 10


async def test_those_that_pause_are_listed_apart_from_those_at_work(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    at_work, resting = [await running(api, make, user, networks) for _ in range(2)]
    off = await created(api, await whole(make, user, networks))

    async def listed(query: str) -> set[str]:
        return {one["id"] for one in done(await api.get(f"/assistants/?{query}"))["items"]}

    done(await api.post(f"/assistants/{resting}/pause/", json={}))
    assert await listed("paused=true") == {resting}
    assert await listed("active=true&paused=false") == {at_work}
    assert await listed("paused=false") == {at_work, off}
    # a pause whose end has passed is over, although nobody has taken it back
    until = datetime.now(UTC) + timedelta(seconds=1)
    done(await api.post(f"/assistants/{resting}/pause/", json={"until": until.isoformat()}))
    while datetime.now(UTC) < until:
        await asyncio.sleep(0.1)
    assert await listed("active=true&paused=false") == {at_work, resting}


async def test_dates_of_a_pause_are_none_anywhere(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    assistant = await running(api, make, user, networks)
    until = datetime.now(UTC) + timedelta(days=3)
    done(await api.post(f"/assistants/{assistant}/pause/", json={"until": until.isoformat()}))
    live = done(await api.get(f"/assistants/{assistant}/live/"))
    assert all(datetime.fromisoformat(one["slot"]) > until for one in live["occurrences"])
    assert live["next_slot"] == live["occurrences"][0]["slot"]
    stats = done(await api.get("/users/account_stats/"))
    assert [one["slot"] for one in stats["next_occurrences"]] == [one["slot"] for one in live["occurrences"][:5]]
    [paused] = stats["paused_assistants"]
    assert (paused["id"], paused["reason"]) == (assistant, None)
    assert datetime.fromisoformat(paused["until"]) == until


async def test_what_cannot_be_paused(api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks) -> None:
    assistant = await created(api, form(schedule=daily(5)))
    for path, body in (("pause", {}), ("resume", None), ("run", {"request_id": str(uuid4())})):
        answer = await api.post(f"/assistants/{assistant}/{path}/", json=body)
        refused(answer, 409, ErrorCode.assistant_inactive)
    active = await running(api, make, user, networks)
    for until in (datetime.now(UTC) - timedelta(minutes=1), datetime.now(UTC) + timedelta(days=400)):
        answer = await api.post(f"/assistants/{active}/pause/", json={"until": until.isoformat()})
        assert wrong_fields(answer) == {"until": ErrorCode.invalid_input}
    assert "until" in wrong_fields(await api.post(f"/assistants/{active}/pause/", json={"until": "2026-12-01T08:00"}))


async def test_switching_off_ends_a_pause(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    assistant = await running(api, make, user, networks)
    done(await api.post(f"/assistants/{assistant}/pause/", json={}))
    assert done(await api.post(f"/assistants/{assistant}/deactivate/"))["assistant"]["pause"] is None
    assert done(await api.post(f"/assistants/{assistant}/activate/"))["assistant"]["pause"] is None


@pytest.mark.parametrize(("choice", "state"), [("publish", "pending"), ("cancel", "cancelled")])
async def test_who_pauses_says_what_becomes_of_a_prepared_post(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks, choice: str, state: str
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,), image=False)
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    post_id = await prepared(services, user, assistant)
    done(await api.post(f"/assistants/{assistant.id}/pause/", params={"prepared": choice}, json={}))
    post = done(await api.get(f"/social-media-posts/{post_id}/"))
    assert [one["state"] for one in post["deliveries"]] == [state]
    live = done(await api.get(f"/assistants/{assistant.id}/live/"))
    assert (live["next_slot"] is None) is (choice == "cancel")  # what is prepared can still be skipped
    stats = done(await api.get("/users/account_stats/"))
    assert stats["left_out_runs"] == []  # its owner did it


async def test_what_needs_the_workflow_says_so_while_it_is_away(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    assistant = await running(api, make, user, networks)
    slot = done(await api.get(f"/assistants/{assistant}/live/"))["next_slot"]
    for path, body in (("run", {"request_id": str(uuid4())}), ("skip", {"slot": slot}), ("unskip", {"slot": slot})):
        answer = await api.post(f"/assistants/{assistant}/{path}/", json=body)
        refused(answer, 503, ErrorCode.temporal_unavailable)
    assert done(await api.get(f"/assistants/{assistant}/runs/"))["items"] == []
    live = done(await api.get(f"/assistants/{assistant}/live/"))
    assert (live["next_slot"], live["occurrences"][0]["passed_over"]) == (slot, False)


async def test_the_slot_of_a_post_that_is_out_already_comes_no_more(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    """Nor does one whose post was moved; and no delay is counted from a slot that was not waited for."""
    assistant = await running(api, make, user, networks, text_per="post")
    path = f"/assistants/{assistant}"
    slot, later = (one["slot"] for one in done(await api.get(f"{path}/live/"))["occurrences"][:2])

    async def prepare(slot: str) -> dict[str, Any]:
        run = new_id()
        await services.drafting.begin(user.id, UUID(assistant), run, f"run-{run}", datetime.fromisoformat(slot))
        await services.drafting.write(user.id, run, 1)
        await services.imaging.make(user.id, run, 1)
        post = (await services.drafting.check(user.id, run)).post_id
        found: dict[str, Any] = done(await api.get(f"/social-media-posts/{post}/"))
        return found

    post, other = await prepare(slot), await prepare(later)
    tomorrow = (datetime.fromisoformat(later) + timedelta(hours=3)).isoformat()
    for moved, when in ((post, None), (other, tomorrow)):
        body = {"version": moved["version"], "planned_at": when}
        done(await api.post(f"/social-media-posts/{moved['id']}/move/", json=body))
    now = datetime.now(UTC)
    async with services.sessions.begin() as session:
        sent = update(Delivery).where(Delivery.post_id == UUID(post["id"]))
        await session.execute(sent.values(state=DeliveryState.published, called_at=now, settled_at=now, attempts=1))
        await update_from_deliveries(session, user.id, UUID(post["id"]))

    live = done(await api.get(f"{path}/live/"))
    assert [one["passed_over"] for one in live["occurrences"]] == [True, True] + [False] * 8
    assert [one["run_state"] for one in live["occurrences"][:3]] == ["published", "ready", None]
    assert datetime.fromisoformat(live["occurrences"][1]["planned_at"]) == datetime.fromisoformat(tomorrow)
    stats = done(await api.get("/users/account_stats/"))
    assert stats["next_occurrences"][0]["slot"] == live["occurrences"][2]["slot"]
    runs = {row["slot"]: row for row in done(await api.get(f"{path}/runs/"))["items"]}
    out = runs[slot]
    assert (out["state"], out["moved"], out["published_at"] is None, out["lateness_ms"]) == (
        "published",
        True,
        False,
        None,
    )
    assert runs[later]["moved"]


async def test_one_that_lacks_something_by_now_does_not_run(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    assistant = await running(api, make, user, networks)
    async with services.sessions.begin() as session:
        await session.execute(update(Topic).where(Topic.user_id == user.id).values(enabled=False))
    answer = await api.post(f"/assistants/{assistant}/run/", json={"request_id": str(uuid4())})
    assert wrong_fields(answer, ErrorCode.assistant_incomplete) == {"topic_tree_id": ErrorCode.topic_tree_empty}


async def test_steered_through_the_api_while_a_worker_is_there(stack: Stack) -> None:
    services, user = stack.services, await stack.make.user()
    async with (
        run_worker(stack.client, services, graceful=GRACEFUL),
        browsing(services, stack.gateway, user) as api,
    ):
        assistant = await running(api, stack.make, user, stack.networks)
        path = f"/assistants/{assistant}"
        slot = done(await api.get(f"{path}/live/"))["next_slot"]

        skipped = done(await api.post(f"{path}/skip/", json={"slot": slot}))
        assert datetime.fromisoformat(skipped["undo_until"]) == datetime.fromisoformat(slot) - timedelta(minutes=15)
        live = done(await api.get(f"{path}/live/"))
        assert [one["passed_over"] for one in live["occurrences"]] == [True] + [False] * 9
        assert live["occurrences"][0]["run_state"] == "skipped"
        assert live["next_slot"] == live["occurrences"][1]["slot"]
        other = live["occurrences"][2]["slot"]
        problem = refused(await api.post(f"{path}/skip/", json={"slot": other}), 409, ErrorCode.skip_not_next)
        assert datetime.fromisoformat(problem["params"]["slot"]) == datetime.fromisoformat(live["next_slot"])
        assert live["assistant"]["last_run"] is None  # it is still to come
        [listed] = done(await api.get(f"{path}/runs/"))["items"]
        assert (listed["state"], listed["reason"]) == ("skipped", "skipped_by_hand")
        stats = done(await api.get("/users/account_stats/"))
        assert stats["next_occurrences"][0]["slot"] == live["next_slot"]
        done(await api.post(f"{path}/unskip/", json={"slot": slot}))
        assert done(await api.get(f"{path}/live/"))["next_slot"] == slot

        paused = done(await api.post(f"{path}/pause/", json={}))
        assert paused["confirmed"]
        asked = {"request_id": str(uuid4())}
        run = done(await api.post(f"{path}/run/", json=asked))["run_id"]
        assert done(await api.post(f"{path}/run/", json=asked))["run_id"] == run

        async def published() -> bool:
            rows = done(await api.get(f"{path}/runs/"))["items"]
            return [(row["id"], row["state"], row["by_hand"]) for row in rows] == [(run, "published", True)]

        await eventually(published)
        [row] = done(await api.get(f"{path}/runs/"))["items"]
        assert (row["lateness_ms"], row["published_at"] is None) == (None, False)
        assert done(await api.get(f"{path}/"))["pause"] is not None
        assert done(await api.post(f"{path}/resume/"))["confirmed"]


@pytest.mark.parametrize(
    ("older", "newer", "overtaken"), [(False, False, True), (True, False, False), (False, True, False)]
)
async def test_what_was_asked_for_is_never_overtaken_and_overtakes_nothing(
    services: Services, make: Factory, user: User, older: bool, newer: bool, overtaken: bool
) -> None:
    assistant = await make.assistant(user)
    ids = await begun(services, user, assistant, (timedelta(minutes=20), older), (timedelta(minutes=10), newer))
    async with services.sessions() as session:
        reasons = [await LatenessRepository(session).run_code(user.id, run, timedelta(hours=1)) for run in ids]
    assert reasons == [ErrorCode.missed_overtaken if overtaken else None, None]


async def begun(services: Services, user: User, assistant: Assistant, *ago: tuple[timedelta, bool]) -> list[UUID]:
    ids = []
    async with services.sessions.begin() as session:
        for distance, by_hand in ago:
            run = new_id()
            slot = datetime.now(UTC) - distance
            await RunRepository(session).insert_or_get(
                Run(
                    id=run,
                    user_id=user.id,
                    assistant_id=assistant.id,
                    workflow_id=f"run-{run}",
                    slot=slot,
                    by_hand=by_hand,
                )
            )
            ids.append(run)
    return ids
