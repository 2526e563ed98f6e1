"""Saving, activating and watching assistants; Temporal is away unless a test says otherwise."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.ai.tables.transactions import TransactionType
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import AssistantPhase, Mode
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode
from core.ids import new_id
from core.posts.rules.posts import DeliveryState
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.templates.rules.templates import TemplateType
from core.users.tables.users import User
from temporal.worker import run_worker
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import GRACEFUL, Networks, Stack, browsing
from tests.factories import IMAGE, Factory
from tests.media.test_pictures import picture
from tests.patience import PATIENCE

DAILY = {"frequency": "daily", "time_zone": "Europe/Berlin", "time_slots": ["09:00"]}


def daily(hours: int) -> dict[str, Any]:
    """At that many hours from now: far from its preparation at any time of day."""
    return {**DAILY, "time_zone": "UTC", "time_slots": [f"{datetime.now(UTC) + timedelta(hours=hours):%H:%M}"]}


def form(**more: Any) -> dict[str, Any]:
    return {"name": "Tips", "schedule": DAILY, "language": "en", **more}


async def whole(make: Factory, user: User, networks: Networks, **more: Any) -> dict[str, Any]:
    """A form that may be activated."""
    account = await make.account(user, networks.url)
    return form(
        topic_tree_id=str(await make.tree(user)),
        template_version_id=str(await make.template(user)),
        image_source="template",
        image_template_version_id=str(await make.template(user, IMAGE, TemplateType.image)),
        account_ids=[str(account.id)],
        mode="automatic",
        **more,
    )


async def created(api: httpx2.AsyncClient, body: dict[str, Any]) -> str:
    return str(done(await api.post("/assistants/", json=body), 201)["id"])


async def test_an_incomplete_one_is_saved_and_says_what_it_lacks(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/assistants/", json=form(mode="automatic", image_source="template")), 201)
    assert [(one["field"], one["code"]) for one in made["missing"]] == [
        ("topic_tree_id", "topic_tree_required"),
        ("template_id", "template_required"),
        ("image_template_id", "image_template_missing"),
        ("account_ids", "channel_not_selected"),
    ]
    assert (made["active"], made["version"], made["status"]["phase"]) == (False, 1, "inactive")
    answer = await api.post(f"/assistants/{made['id']}/activate/")
    assert refused(answer, 422, ErrorCode.assistant_incomplete)["errors"] == made["missing"]


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"topic_tree_id": None}, "topic_tree_id", ErrorCode.topic_tree_required),
        ({"template_version_id": None}, "template_id", ErrorCode.template_required),
        ({"image_template_version_id": None}, "image_template_id", ErrorCode.image_template_missing),
        ({"account_ids": []}, "account_ids", ErrorCode.channel_not_selected),
        ({"text": "No variable"}, "template_id", ErrorCode.template_needs_topic),
        ({"text": "((Topic)) for ((Who))"}, "variables.Who", ErrorCode.variable_value_required),
        ({"picture": "((Topic)) alone"}, "image_template_id", ErrorCode.image_template_needs_content),
    ],
)
async def test_each_thing_that_is_missing_keeps_it_from_being_activated(
    api: httpx2.AsyncClient,
    make: Factory,
    user: User,
    networks: Networks,
    change: dict[str, Any],
    field: str,
    code: ErrorCode,
) -> None:
    body = await whole(make, user, networks)
    if "text" in change:
        body["template_version_id"] = str(await make.template(user, change["text"]))
    elif "picture" in change:
        body["image_template_version_id"] = str(await make.template(user, change["picture"], TemplateType.image))
    else:
        body |= change
    assistant = await created(api, body)
    answer = await api.post(f"/assistants/{assistant}/activate/")
    assert wrong_fields(answer, ErrorCode.assistant_incomplete) == {field: code}
    assert done(await api.get(f"/assistants/{assistant}/"))["active"] is False


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"schedule": {**DAILY, "time_zone": "Mars"}}, "schedule.time_zone", ErrorCode.unknown_time_zone),
        ({"schedule": {**DAILY, "time_slots": ["25:00"]}}, "schedule.time_slots.0", ErrorCode.bad_time),
        ({"schedule": {**DAILY, "frequency": "cron", "cron": "x"}}, "schedule.cron", ErrorCode.bad_cron),
        ({"schedule": {**DAILY, "frequency": "yearly"}}, "schedule.frequency", ErrorCode.invalid_input),
        ({"lead_minutes": 0}, "lead_minutes", ErrorCode.invalid_input),
        ({"variables": {"Who\0": "x"}}, "variables", ErrorCode.invalid_input),
        ({"account_ids": ["x"]}, "account_ids.0", ErrorCode.invalid_input),
        ({"budget": {"unit": "money", "amount": 0}}, "budget.amount", ErrorCode.budget_out_of_range),
        ({"budget": {"unit": "money", "amount": 10**12 + 1}}, "budget.amount", ErrorCode.budget_out_of_range),
        ({"budget": {"unit": "tokens", "amount": -1}}, "budget.amount", ErrorCode.budget_out_of_range),
        ({"budget": {"unit": "hours", "amount": 1}}, "budget.unit", ErrorCode.invalid_input),
    ],
)
async def test_what_is_wrong_is_not_saved(
    api: httpx2.AsyncClient, change: dict[str, Any], field: str, code: ErrorCode
) -> None:
    assert wrong_fields(await api.post("/assistants/", json=form(**change))) == {field: code}
    assert done(await api.get("/assistants/"))["total"] == 0


async def test_a_budget_is_saved_shown_with_what_is_left_and_taken_away(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    assistant = await created(api, form(budget={"unit": "tokens", "amount": 1000}))
    read = done(await api.get(f"/assistants/{assistant}/"))
    assert read["budget"] == {"unit": "tokens", "amount": 1000, "currency": "USD"}
    run = Run(id=new_id(), user_id=user.id, assistant_id=UUID(assistant), workflow_id="run", slot=datetime.now(UTC))
    async with services.sessions.begin() as session:
        session.add(run)

    async def call() -> Spent:
        return Spent("openai", "gpt-6-luna", UNKNOWN_USAGE, None)

    cause = Cause(user.id, TransactionType.text, run_id=run.id)
    await services.meter.call(cause, ModelRequest("openai", "gpt-6-luna", Usage(100, 150)), call)
    left = done(await api.get(f"/assistants/{assistant}/live/"))["budget_left"]
    assert datetime.fromisoformat(left.pop("until")) > datetime.now(UTC)
    assert left == {
        "unit": "tokens",
        "amount": 1000,
        "currency": "USD",
        "used": 250,
        "estimated": 250,
        "left": 750,
    }
    # one that is set below what was used has nothing left, not less
    for budget, rest in (({"unit": "tokens", "amount": 10}, 0), (None, None)):
        version = done(await api.get(f"/assistants/{assistant}/"))["version"]
        edited = done(await api.put(f"/assistants/{assistant}/", json=form(budget=budget, version=version)))
        assert (edited["assistant"]["budget"] or {}).get("amount") == (budget or {}).get("amount")
        live = done(await api.get(f"/assistants/{assistant}/live/"))
        assert (live["budget_left"] or {}).get("left") == rest


async def test_a_template_of_the_wrong_type_is_named(api: httpx2.AsyncClient, make: Factory, user: User) -> None:
    text = str(await make.template(user))
    answer = await api.post("/assistants/", json=form(image_template_version_id=text))
    assert wrong_fields(answer) == {"image_template_version_id": ErrorCode.invalid_input}


async def test_activated_while_temporal_is_away(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    """Saved at once, takes effect later; everything stays readable and editable."""
    body = await whole(make, user, networks)
    assistant = await created(api, body)
    answer = done(await api.post(f"/assistants/{assistant}/activate/"))
    assert answer["confirmed"] is False
    assert answer["assistant"]["active"] is True
    read = done(await api.get(f"/assistants/{assistant}/"))
    assert (read["status"]["phase"], read["status"]["pending_change"]) == ("activating", True)
    assert [one["id"] for one in done(await api.get("/assistants/?active=true"))["items"]] == [assistant]
    live = done(await api.get(f"/assistants/{assistant}/live/"))
    assert len(live["occurrences"]) == 10
    edited = done(
        await api.put(f"/assistants/{assistant}/", json={**body, "name": "Edited", "version": read["version"]})
    )
    assert (edited["confirmed"], edited["assistant"]["name"]) == (False, "Edited")
    again = done(await api.post(f"/assistants/{assistant}/activate/"))
    assert again["assistant"]["version"] == edited["assistant"]["version"]  # it is active already
    off = done(await api.post(f"/assistants/{assistant}/deactivate/"))
    assert (off["confirmed"], off["assistant"]["active"]) == (False, False)


async def test_an_active_one_stays_complete(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    body = await whole(make, user, networks)
    assistant = await created(api, body)
    version = done(await api.post(f"/assistants/{assistant}/activate/"))["assistant"]["version"]
    answer = await api.put(f"/assistants/{assistant}/", json={**body, "account_ids": [], "version": version})
    assert wrong_fields(answer, ErrorCode.assistant_incomplete) == {"account_ids": ErrorCode.channel_not_selected}
    kept = done(await api.get(f"/assistants/{assistant}/"))
    assert (len(kept["accounts"]), kept["version"]) == (1, version)
    refused(await api.delete(f"/assistants/{assistant}/"), 409, ErrorCode.in_use)


async def test_the_second_of_two_tabs_is_told(api: httpx2.AsyncClient) -> None:
    assistant = await created(api, form())
    done(await api.put(f"/assistants/{assistant}/", json=form(name="First", version=1)))
    late = await api.put(f"/assistants/{assistant}/", json=form(name="Second", version=1))
    assert refused(late, 409, ErrorCode.stale_version)["params"] == {"current": 2}
    assert done(await api.get(f"/assistants/{assistant}/"))["name"] == "First"


async def test_of_many_changes_at_once_one_is_saved(standing: Services, away: Any) -> None:
    user = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, user) as api:
        assistant = await created(api, form())
        changes = (api.put(f"/assistants/{assistant}/", json=form(name=f"Tab {at}", version=1)) for at in range(8))
        answers = await asyncio.gather(*changes)
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
        assert done(await api.get(f"/assistants/{assistant}/"))["version"] == 2


async def test_what_is_pinned_while_it_is_deleted_never_breaks(standing: Services, away: Any) -> None:
    """A tree is deleted and taken into use at the same time: one of both is told, whichever is later."""
    make = Factory(standing.sessions, standing.vault)
    user = await make.user()
    async with browsing(standing, away, user) as api:
        for _ in range(5):
            tree = str(await make.tree(user))
            used, deleted = await asyncio.gather(
                api.post("/assistants/", json=form(topic_tree_id=tree)), api.delete(f"/topics/{tree}/")
            )
            statuses = (used.status_code, deleted.status_code)
            assert statuses in [(201, 409), (404, 204), (409, 204)], (used.text, deleted.text)


async def test_tags_and_accounts_are_kept_once(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    account = str((await make.account(user, networks.url)).id)
    body = form(tags=["a", " a ", "", "b"], account_ids=[account, account])
    made = done(await api.post("/assistants/", json=body), 201)
    assert made["tags"] == ["a", "b"]
    assert [one["id"] for one in made["accounts"]] == [account]
    changed = done(await api.put(f"/assistants/{made['id']}/", json=form(version=1)))["assistant"]
    assert (changed["tags"], changed["accounts"]) == ([], [])


async def test_it_picks_from_leaves_unless_told_otherwise(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/assistants/", json=form()), 201)
    assert made["pick_from"] == "leaves"
    path = f"/assistants/{made['id']}/"
    changed = done(await api.put(path, json=form(pick_from="all", version=1)))["assistant"]
    assert changed["pick_from"] == done(await api.get(path))["pick_from"] == "all"
    answer = await api.put(path, json=form(pick_from="roots", version=2))
    assert wrong_fields(answer) == {"pick_from": ErrorCode.invalid_input}


async def test_one_whose_workflow_was_not_told_to_end_stays(api: httpx2.AsyncClient, make: Factory, user: User) -> None:
    """With its row gone nobody could tell the workflow any more, and it would start runs for ever."""
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    done(await api.post(f"/assistants/{assistant.id}/activate/"))
    done(await api.post(f"/assistants/{assistant.id}/deactivate/"))
    refused(await api.delete(f"/assistants/{assistant.id}/"), 503, ErrorCode.temporal_unavailable)
    done(await api.get(f"/assistants/{assistant.id}/"))


async def test_a_deleted_one_is_gone_and_its_posts_stay(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, "run-x", datetime.now(UTC))
    await services.drafting.write(user.id, run, 1)
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)
    refused(await api.get(f"/assistants/{assistant.id}/"), 404, ErrorCode.not_found)
    [post] = done(await api.get("/social-media-posts/"))["items"]
    assert (post["assistant_id"], post["assistant_name"]) == (None, None)


async def prepared(services: Services, user: User, assistant: Assistant) -> UUID:
    """A run whose post waits for its slot. The id of its post."""
    run = new_id()
    slot = datetime.now(UTC) + timedelta(hours=1)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(user.id, run, 1)
    return (await services.drafting.check(user.id, run)).post_id


@pytest.mark.parametrize(
    ("choice", "status", "state"), [("publish", "complete", "pending"), ("cancel", "draft", "cancelled")]
)
async def test_who_deletes_says_what_becomes_of_a_prepared_post(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    networks: Networks,
    choice: str,
    status: str,
    state: str,
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,), image=False)
    post_id = await prepared(services, user, assistant)
    done(await api.delete(f"/assistants/{assistant.id}/", params={"prepared": choice}), 204)
    post = done(await api.get(f"/social-media-posts/{post_id}/"))
    assert (post["status"], [one["state"] for one in post["deliveries"]]) == (status, [state])


async def test_a_cancelled_run_says_so_and_its_post_can_be_written_to(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,), image=False)
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    await prepared(services, user, assistant)
    later = new_id()  # it has not even its text yet
    await services.drafting.begin(user.id, assistant.id, later, "run-later", datetime.now(UTC) + timedelta(hours=2))
    done(await api.post(f"/assistants/{assistant.id}/deactivate/", params={"prepared": "cancel"}))
    found = done(await api.get(f"/assistants/{assistant.id}/runs/"))["items"]
    assert [(one["state"], one["reason"]) for one in found] == [("skipped", "run_cancelled")] * 2
    with pytest.raises(Conflict) as raised:
        await services.drafting.write(user.id, later, 1)  # nothing is paid for it any more
    assert raised.value.code is ErrorCode.run_cancelled


async def test_what_is_going_out_keeps_its_assistant(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,), image=False)
    post_id = await prepared(services, user, assistant)
    async with services.sessions.begin() as session:
        armed = update(Delivery).where(Delivery.post_id == post_id)
        await session.execute(armed.values(state=DeliveryState.publishing))
    for choice in ("publish", "cancel"):
        answer = await api.delete(f"/assistants/{assistant.id}/", params={"prepared": choice})
        refused(answer, 409, ErrorCode.run_armed)
    done(await api.post(f"/assistants/{assistant.id}/deactivate/", params={"prepared": "cancel"}))
    post = done(await api.get(f"/social-media-posts/{post_id}/"))
    assert (post["status"], post["deliveries"][0]["state"]) == ("complete", "publishing")


@pytest.mark.parametrize(("ended", "status"), [("published", "published"), ("unknown", "complete")])
async def test_what_waits_beside_an_ended_delivery_can_be_cancelled(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    networks: Networks,
    ended: str,
    status: str,
) -> None:
    first, second = await make.account(user, networks.url), await make.account(user, networks.url, "ada-lindqvist")
    assistant = await make.assistant(user, accounts=(first.id, second.id), image=False)
    post_id = await prepared(services, user, assistant)
    async with services.sessions.begin() as session:
        sent = update(Delivery).where(Delivery.post_id == post_id, Delivery.account_id == first.id)
        await session.execute(sent.values(state=DeliveryState(ended), called_at=utcnow()))
        held = update(Delivery).where(Delivery.post_id == post_id, Delivery.account_id == second.id)
        await session.execute(held.values(state=DeliveryState.held, held_until=utcnow() + timedelta(hours=20)))
    done(await api.post(f"/assistants/{assistant.id}/deactivate/", params={"prepared": "cancel"}))
    post = done(await api.get(f"/social-media-posts/{post_id}/"))
    states = {one["account_id"]: one["state"] for one in post["deliveries"]}
    assert (post["status"], states) == (status, {str(first.id): ended, str(second.id): "cancelled"})
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)


async def test_a_post_that_outlives_its_assistant_says_how_it_ended(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    # a topic of its own: LinkedIn refuses a text that another test has published
    assistant = await make.assistant(user, accounts=(account.id,), topics=f"- {new_id()}", image=False)
    post_id = await prepared(services, user, assistant)
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)
    async with services.sessions() as session:
        [delivery_id] = await session.scalars(select(Delivery.id).where(Delivery.post_id == post_id))

    async def at_once() -> None:
        return

    assert await services.delivering.deliver(user.id, delivery_id, wait=at_once) is DeliveryOutcome.published
    await services.projecting.finish(user.id, new_id(), post_id)
    assert done(await api.get(f"/social-media-posts/{post_id}/"))["status"] == "published"


async def test_runs_newest_slot_first_missed_ones_too(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    now = datetime.now(UTC).replace(microsecond=0)
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, "run-1", now)
    await services.drafting.write(user.id, run, 1)
    async with services.sessions.begin() as session:
        missed = [now - timedelta(hours=at) for at in (1, 2)]
        await RunRepository(session).record_missed(user.id, assistant.id, missed, ErrorCode.missed_outage)
    path = f"/assistants/{assistant.id}/runs/"
    first = done(await api.get(path, params={"page_size": 2}))
    rest = done(await api.get(path, params={"page_size": 2, "cursor": first["next_cursor"]}))
    found = first["items"] + rest["items"]
    assert [one["state"] for one in found] == ["preparing", "missed", "missed"]
    assert [one["reason"] for one in found] == [None, "missed_outage", "missed_outage"]
    assert (found[0]["topic_title"], found[0]["cost_micros"], found[0]["cost_known"]) == (
        "Rain without drama",
        0,
        True,
    )
    assert (first["total"], rest["next_cursor"]) == (3, None)
    read = done(await api.get(f"/assistants/{assistant.id}/"))
    assert read["open_run"]["id"] == str(run)
    assert read["last_run"]["state"] == "missed"


async def test_the_live_page_shows_the_run_under_way_while_temporal_is_away(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft)
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, "run-1", datetime.now(UTC))
    await services.drafting.write(user.id, run, 1)
    await services.imaging.make(user.id, run, 1)
    live = done(await api.get(f"/assistants/{assistant.id}/live/"))
    assert live["live"] is False
    steps = [(step["kind"], step["state"]) for step in live["run"]["steps"]]
    assert steps == [("topic", "done"), ("text", "done"), ("image", "done")]
    assert live["run"]["content"]
    picture = await api.get(f"http://postloom.test{live['run']['first_file']['thumbnail_url']}")
    # the thumbnail, which a PDF or a video has too
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/webp")


# with Temporal and a worker


async def phase_of(stack: Stack, user: User, assistant: str) -> AssistantPhase:
    async with stack.services.sessions() as session:
        full = await AssistantRepository(session).get(user.id, UUID(assistant))
    assert full.status is not None
    return full.status.phase


async def test_with_a_worker_activating_is_confirmed_and_acts_at_once(stack: Stack) -> None:
    user = await stack.make.user()
    body = await whole(stack.make, user, stack.networks, schedule=daily(8))
    async with (
        run_worker(stack.client, stack.services, graceful=GRACEFUL),
        browsing(stack.services, stack.gateway, user) as api,
    ):
        async with asyncio.timeout(PATIENCE):
            while not await stack.gateway.has_pollers():
                await asyncio.sleep(0.1)
        assistant = await created(api, body)
        on = done(await api.post(f"/assistants/{assistant}/activate/"))
        assert on["confirmed"] is True
        status = on["assistant"]["status"]
        assert (status["phase"], status["pending_change"]) == ("asleep", False)
        assert status["next_slot"] == done(await api.get(f"/assistants/{assistant}/live/"))["occurrences"][0]["slot"]
        later = {**body, "schedule": daily(16), "version": on["assistant"]["version"]}
        moved = done(await api.put(f"/assistants/{assistant}/", json=later))
        assert moved["confirmed"] is True
        assert moved["assistant"]["status"]["next_slot"] != status["next_slot"]
        off = done(await api.post(f"/assistants/{assistant}/deactivate/"))
        assert (off["confirmed"], off["assistant"]["active"]) == (True, False)
        async with asyncio.timeout(PATIENCE):
            while await phase_of(stack, user, assistant) is not AssistantPhase.inactive:
                await asyncio.sleep(0.1)
        done(await api.delete(f"/assistants/{assistant}/"), 204)


# fields beyond what, when and where


EMPTY: dict[str, Any] = {
    "name": "",
    "schedule": {"frequency": "weekly", "time_zone": ""},
    "language": "en",
}


async def test_a_draft_may_be_empty_in_every_field(api: httpx2.AsyncClient) -> None:
    schedules = [
        {"frequency": "daily", "time_zone": ""},
        {"frequency": "weekly", "time_zone": "Europe/Berlin"},
        {"frequency": "monthly", "time_zone": "Europe/Berlin"},
        {"frequency": "interval", "time_zone": "Europe/Berlin"},
        {"frequency": "cron", "time_zone": "Europe/Berlin", "cron": ""},
    ]
    for schedule in schedules:
        for source in ("none", "template", "own"):
            body = {**EMPTY, "schedule": schedule, "image_source": source, "mode": "automatic"}
            saved = done(await api.post("/assistants/", json=body), 201)
            again = done(await api.put(f"/assistants/{saved['id']}/", json={**body, "version": saved["version"]}))
            missing = {problem["code"] for problem in again["assistant"]["missing"]}
            assert missing >= {"name_required", "topic_tree_required", "template_required", "channel_not_selected"}
            wrong = refused(await api.post(f"/assistants/{saved['id']}/activate/"), 422, ErrorCode.assistant_incomplete)
            assert {problem["code"] for problem in wrong["errors"]} == missing
            assert done(await api.get(f"/assistants/{saved['id']}/live/"))["occurrences"] == []
    assert done(await api.get("/assistants/"))["total"] == len(schedules) * 3


async def test_what_is_missing_is_said_in_the_words_of_the_rules(api: httpx2.AsyncClient) -> None:
    body = {**EMPTY, "image_source": "own", "mode": "automatic"}
    saved = done(await api.post("/assistants/", json=body), 201)
    assert [(problem["field"], problem["code"]) for problem in saved["missing"]] == [
        ("name", "name_required"),
        ("topic_tree_id", "topic_tree_required"),
        ("template_id", "template_required"),
        ("schedule.time_zone", "time_zone_required"),
        ("schedule.days_of_week", "day_required"),
        ("schedule.time_slots", "time_slot_required"),
        ("image_media_ids", "own_images_required"),
        ("account_ids", "channel_not_selected"),
    ]


async def test_an_active_one_cannot_lose_its_name(
    api: httpx2.AsyncClient, make: Factory, user: User, networks: Networks
) -> None:
    body = await whole(make, user, networks)
    made = await created(api, body)
    done(await api.post(f"/assistants/{made}/activate/"))
    wrong = await api.put(f"/assistants/{made}/", json={**body, "name": "", "version": 2})
    assert refused(wrong, 422, ErrorCode.assistant_incomplete)["errors"][0]["code"] == "name_required"


async def test_every_field_is_read_as_it_was_saved(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    images = [await services.media.store(user.id, picture(colour), name=colour) for colour in ("#112233", "#445566")]
    fields = {
        "image_source": "own",
        "image_media_ids": [str(image.id) for image in reversed(images)],
        "image_order": "random",
        "no_repeat": 3,
        "hashtag_policy": "at_most",
        "most_hashtags": 4,
        "always_hashtags": ["#Lindhof", "#bikes"],
        "link": "https://example.org/shop",
        "catch_up_minutes": 30,
    }
    schedule = {
        **DAILY,
        "most_per_day": 2,
        "left_out_dates": [{"first": "2026-12-24", "last": "2027-01-06"}],
        "holiday_country": "DE",
        "holiday_region": "BY",
    }
    sent = {**fields, "always_hashtags": ["Lindhof", "#bikes", "#BIKES"], "link": " example.org/shop "}
    sent["image_media_ids"] = [*fields["image_media_ids"], fields["image_media_ids"][0]]  # type: ignore[index,misc]
    saved = done(await api.post("/assistants/", json={**form(), **sent, "schedule": schedule}), 201)
    assert {name: saved[name] for name in fields} == fields
    assert {name: saved["schedule"][name] for name in schedule} == schedule
    # one that is removed stays in the list, which says why it is left out
    await services.gallery.delete(user.id, images[0].id)
    again = done(await api.get(f"/assistants/{saved['id']}/"))
    assert again["image_media_ids"] == fields["image_media_ids"]
    body = {**form(), **fields, "schedule": schedule, "version": 1}
    assert done(await api.put(f"/assistants/{saved['id']}/", json=body))["assistant"]["version"] == 2


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"catch_up_minutes": 361}, "catch_up_minutes", "invalid_input"),
        ({"no_repeat": -1}, "no_repeat", "invalid_input"),
        ({"hashtag_policy": "at_most"}, "most_hashtags", "invalid_input"),
        (
            {"hashtag_policy": "at_most", "most_hashtags": 1, "always_hashtags": ["#a", "#b"]},
            "most_hashtags",
            "invalid_input",
        ),
        ({"always_hashtags": ["#fine", "two words"]}, "always_hashtags.1", "hashtag_not_usable"),
        ({"always_hashtags": [f"#{'x' * 90}{each}" for each in range(20)]}, "always_hashtags", "ending_too_long"),
        ({"link": "javascript:alert(1)"}, "link", "link_not_usable"),
        ({"link": "https://me:secret@example.org"}, "link", "link_not_usable"),
        ({"schedule": {**DAILY, "holiday_country": "XX"}}, "schedule.holiday_country", "unknown_holidays"),
    ],
)
async def test_what_is_wrong_with_a_field_is_said_at_it(
    api: httpx2.AsyncClient, change: dict[str, Any], field: str, code: str
) -> None:
    problem = refused(await api.post("/assistants/", json=form(**change)), 422, ErrorCode.invalid_input)
    assert [(error["field"], error["code"]) for error in problem["errors"]] == [(field, code)]


async def test_another_users_images_are_not_there(api: httpx2.AsyncClient, services: Services, make: Factory) -> None:
    theirs = await services.media.store((await make.user()).id, picture("#112233"))
    body = form(image_source="own", image_media_ids=[str(theirs.id)])
    problem = refused(await api.post("/assistants/", json=body), 404, ErrorCode.not_found)
    # told at its field, too: it may have been chosen, and be gone by now
    assert [(error["field"], error["code"]) for error in problem["errors"]] == [("image_media_ids.0", "not_found")]


async def test_the_form_is_told_defaults_limits_and_calendars(api: httpx2.AsyncClient) -> None:
    options = done(await api.get("/assistants/options/"))
    assert (options["currency"], options["catch_up_minutes"], options["no_repeat"]) == ("USD", 60, 10)
    assert {"DE", "US", "IN"} <= set(options["holiday_countries"])
    germany = done(await api.get("/schedules/holidays/DE/"))
    assert {"code": "BY", "name": "Bayern"} in germany["regions"]
    refused(await api.get("/schedules/holidays/XX/"), 404, ErrorCode.not_found)


async def test_the_preview_shows_what_is_left_out(api: httpx2.AsyncClient) -> None:
    schedule: dict[str, Any] = {**DAILY, "start_date": "2036-12-24", "end_date": "2036-12-31", "holiday_country": "DE"}
    schedule["left_out_dates"] = [{"first": "2036-12-29", "last": "2036-12-30"}]
    shown = done(await api.post("/schedules/preview/", json=schedule, params={"language": "de"}))
    assert [one["local"][8:10] for one in shown["occurrences"]] == ["24", "27", "28", "31"]
    assert shown["left_out"] == [
        {"day": "2036-12-25", "reason": "holiday", "holiday": "Erster Weihnachtstag"},
        {"day": "2036-12-26", "reason": "holiday", "holiday": "Zweiter Weihnachtstag"},
        {"day": "2036-12-29", "reason": "date", "holiday": ""},
        {"day": "2036-12-30", "reason": "date", "holiday": ""},
    ]


async def test_what_becomes_of_a_text_is_shown_before_saving(api: httpx2.AsyncClient) -> None:
    wanted = {"hashtag_policy": "at_most", "most_hashtags": 2, "always_hashtags": ["shop"]}
    body = {"text": "Ride on. #rain #bikes", **wanted}
    shown = done(await api.post("/endings/preview/", json=body))
    assert shown == {"text": "Ride on.\n\n#rain #shop", "room": 7, "errors": []}
    wrong = done(await api.post("/endings/preview/", json={**body, "link": "nowhere"}))
    assert [error["field"] for error in wrong["errors"]] == ["link"]
