"""Demo data: made as a whole, removed to the last row, and nothing of the user's own goes with it."""

import asyncio
import hashlib
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from temporalio.client import WorkflowExecutionStatus

from core.ai.tables.transactions import Transaction
from core.assistants.configuration import schedule_from_json
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import Mode, SecondLook, TextPer, TopicLink
from core.assistants.tables import Assistant
from core.brands.tables import Brand
from core.clock import utcnow
from core.container import Services, wire
from core.database import Sessions
from core.deliveries.tables.deliveries import Delivery
from core.demo.demo_data import _NOT_WRITTEN, LEASE
from core.demo.demo_data import _like as fingerprint
from core.demo.tables import DemoData
from core.errors import ErrorCode
from core.media.cards import CardForm
from core.media.rules.cards import CardSettings
from core.media.tables import Media
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.settings import Settings
from core.social_accounts.tables import Account
from core.tables import Base
from core.templates.tables import Template
from core.topics.tables import TopicTree
from core.users.tables.users import User
from temporal.gateway import Gateway
from temporal.worker import run_worker
from tests.account_deletion import publish
from tests.api.conftest import done, quick_passwords, refused
from tests.conftest import GRACEFUL, Networks, Stack, browsing
from tests.factories import Factory
from tests.patience import PATIENCE
from workflows.names import assistant_workflow

PATH = "/users/me/demo-data/"
MADE = {"assistants": 2, "posts": 0, "templates": 4, "topic_trees": 4, "pictures": 2, "accounts": 2}
NOTHING = dict.fromkeys(MADE, 0)
TABLES: tuple[type[Base], ...] = (
    Assistant, Brand, Template, TopicTree, Media, Account, Post, Run, Delivery, Transaction, DemoData,
)  # fmt: skip


@pytest.fixture
def settings(settings: Settings, networks: Networks) -> Settings:
    """Of a server with a sandbox."""
    return settings.model_copy(update={"sandbox_url": networks.url})


async def left(services: Services, user: User) -> dict[str, int]:
    """Rows of the user by table, but for pictures that wait to be swept."""
    async with services.sessions() as session:
        found = {}
        for table in TABLES:
            query = select(func.count()).select_from(table).where(vars(table)["user_id"] == user.id)
            if table is Media:
                query = query.where(Media.deleted_at.is_(None))
            found[table.__tablename__] = await session.scalar(query)
    return {name: number for name, number in found.items() if number}


async def of(services: Services, table: type[Any], user: User) -> list[Any]:
    async with services.sessions() as session:
        return list(await session.scalars(select(table).where(table.user_id == user.id).order_by(table.id)))


def numbers(answer: dict[str, Any]) -> dict[str, int]:
    return {name: answer[name] for name in MADE}


async def end(services: Services, user: User) -> None:
    """Remove it, as where its workflows have heard that they end."""
    off = await services.demo_data.switch_off(user.id)
    await services.demo_data.remove(user.id, {full.row.id: full.row.version for full in off})


async def test_it_is_made_as_a_whole(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    absent = done(await api.get(PATH))
    assert (absent["state"], numbers(absent), absent["publishes"]) == ("absent", NOTHING, True)
    made = done(await api.post(PATH), 201)
    assert (made["state"], numbers(made), made["kept"], made["pays"]) == ("present", MADE, [], False)
    assert done(await api.get(PATH)) == made
    assistants = done(await api.get("/assistants/"))["items"]
    assert [found["active"] for found in assistants] == [True, True]
    assert {found["mode"] for found in assistants} == {"automatic"}
    brands = {brand["id"]: brand for brand in done(await api.get("/brands/"))["items"]}
    assert {brand["name"] for brand in brands.values()} == {"Speiche & Söhne", "Spoke & Sons"}
    assert {found["brand_id"] for found in assistants} == brands.keys()
    texts = done(await api.get("/templates/?type=text"))["items"]
    assert {template["settings"]["text"]["brand_id"] for template in texts} == brands.keys()
    assert all(step["done"] for step in done(await api.get("/users/account_setup_state/"))["steps"])


async def test_it_rests_by_itself(services: Services, user: User) -> None:
    """A newcomer who forgets it is not written to for ever."""
    await services.demo_data.make(user)
    for assistant in await of(services, Assistant, user):
        schedule = schedule_from_json(assistant.schedule)
        assert schedule is not None
        assert schedule.end_date is not None
        assert timedelta(days=6) <= schedule.end_date - utcnow().date() <= timedelta(days=8)
        # at an hour at which people read, and once a day at most
        assert schedule.cron in {"0 9 * * 1-5", "30 17 * * 1,3,5"}


async def test_that_of_the_command_does_not(services: Services, user: User) -> None:
    await services.demo_data.make(user, lasting=True)
    assert {found.schedule["end_date"] for found in await of(services, Assistant, user)} == {None}


async def test_a_second_one_is_refused(api: httpx2.AsyncClient) -> None:
    done(await api.post(PATH), 201)
    refused(await api.post(PATH), 409, ErrorCode.demo_data_exists)


async def test_while_it_is_made_nobody_else_touches_it(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    async with services.sessions.begin() as session:
        session.add(DemoData(user_id=user.id, busy_until=utcnow() + LEASE))
    assert done(await api.get(PATH))["state"] == "being_made"
    refused(await api.post(PATH), 409, ErrorCode.generation_in_progress)
    refused(await api.delete(PATH), 409, ErrorCode.generation_in_progress)


async def test_removal_takes_all_of_it_and_of_what_its_assistants_made(
    services: Services, user: User, make: Factory
) -> None:
    stranger = await make.user()
    await services.demo_data.make(stranger)
    theirs = await left(services, stranger)
    made = await services.demo_data.make(user)
    for full in made:
        await publish(services, full.row)
    view = await services.demo_data.view(user.id)
    assert (view.posts, view.pictures) == (2, 4)
    await end(services, user)
    assert await left(services, user) == {}
    assert await left(services, stranger) == theirs
    # its files go with the next sweep, for good
    assert await services.gallery.sweep() == 4
    assert await of(services, Media, user) == []


async def test_it_can_be_made_again(services: Services, user: User) -> None:
    await services.demo_data.make(user)
    await end(services, user)
    await end(services, user)  # a repeated call finds nothing to do
    await services.demo_data.make(user)
    view = await services.demo_data.view(user.id)
    assert {name: getattr(view, name) for name in MADE} == MADE


async def test_what_is_the_users_own_stays(services: Services, user: User, make: Factory, networks: Networks) -> None:
    mine = await make.assistant(user, mode=Mode.draft)
    card = await services.cards.save(user.id, CardForm("Mine", "Own words", CardSettings()), "", [])
    before = await left(services, user)
    await services.demo_data.make(user)
    await end(services, user)
    assert await left(services, user) == before
    assert [found.id for found in await of(services, Assistant, user)] == [mine.id]
    assert card.id in {found.id for found in await of(services, Media, user)}


async def test_what_the_user_uses_becomes_the_users_own(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    """An assistant of one's own with the demo's template, tree and account; and its posts."""
    [first, _] = await services.demo_data.make(user)
    form = done(await api.get(f"/assistants/{first.row.id}/"))
    wanted = {name: form[name] for name in ("schedule", "strategy", "pick_from", "image_source", "mode", "language")}
    mine = {
        **wanted,
        "name": "My own",
        "tags": [],
        "variables": {},
        "lead_minutes": 1,
        "topic_tree_id": form["topic_tree_id"],
        "template_version_id": form["template"]["version_id"],
        "image_template_version_id": form["image_template"]["version_id"],
        "account_ids": [form["accounts"][0]["id"]],
    }
    own = UUID(done(await api.post("/assistants/", json=mine), 201)["id"])
    await publish(services, next(found for found in await of(services, Assistant, user) if found.id == own))
    view = done(await api.get(PATH))
    assert sorted(found["kind"] for found in view["kept"]) == ["account", "template", "template", "topic_tree"]
    assert numbers(view) == MADE | {"templates": 2, "topic_trees": 3, "accounts": 1}
    await end(services, user)
    rest = await left(services, user)
    assert (rest["assistants"], rest["templates"], rest["topic_trees"], rest["accounts"]) == (1, 2, 1, 1)
    assert (rest["posts"], rest["media"], "demo_data" in rest) == (1, 1, False)
    # nothing of it is demo data any more: the next one is made beside it
    await services.demo_data.make(user)
    await end(services, user)
    assert await left(services, user) == rest


async def test_an_image_that_an_assistant_of_ones_own_shows_stays(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    await services.demo_data.make(user)
    [picture, *_] = done(await api.get("/media/"))["items"]
    form = {"name": "My own", "language": "en", "schedule": {"frequency": "daily", "time_zone": "UTC"}}
    own = {**form, "image_source": "own", "image_media_ids": [picture["id"]]}
    made = done(await api.post("/assistants/", json=own), 201)
    kept = done(await api.get(PATH))["kept"]
    assert [(found["kind"], found["id"]) for found in kept] == [("media", picture["id"])]
    await end(services, user)
    assert done(await api.get(f"/assistants/{made['id']}/"))["image_media_ids"] == [picture["id"]]
    assert done(await api.get(f"/media/{picture['id']}/"))["uses"][0]["kind"] == "assistant"


async def test_what_the_user_changed_becomes_the_users_own(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    """An edited assistant keeps what it needs."""
    [first, _] = await services.demo_data.make(user)
    form = done(await api.get(f"/assistants/{first.row.id}/"))
    names = ("tags", "strategy", "pick_from", "image_source", "variables", "schedule", "mode", "language")
    changed = {name: form[name] for name in (*names, "lead_minutes", "topic_tree_id", "version")} | {
        "name": "Tips by me",
        "template_version_id": form["template"]["version_id"],
        "image_template_version_id": form["image_template"]["version_id"],
        "account_ids": [found["id"] for found in form["accounts"]],
    }
    done(await api.put(f"/assistants/{first.row.id}/", json=changed))
    [picture, *_] = done(await api.get("/media/"))["items"]
    done(await api.patch(f"/media/{picture['id']}/", json={"version": picture["version"], "alt": "My words"}))
    view = done(await api.get(PATH))
    assert {(found["kind"], found["name"]) for found in view["kept"]} >= {
        ("assistant", "Tips by me"),
        ("media", picture["name"]),
    }
    await end(services, user)
    assert await left(services, user) == {
        "assistants": 1, "brands": 1, "templates": 2, "topic_trees": 1, "media": 1, "accounts": 1,
    }  # fmt: skip
    assert done(await api.get(f"/assistants/{first.row.id}/"))["active"]


async def test_switching_off_is_no_change(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    [first, _] = await services.demo_data.make(user)
    done(await api.post(f"/assistants/{first.row.id}/deactivate/"))
    assert done(await api.get(PATH))["kept"] == []


async def test_a_brand_goes_with_its_assistants_unless_it_is_used_or_changed(
    api: httpx2.AsyncClient, services: Services, user: User, make: Factory
) -> None:
    await services.demo_data.make(user)
    used, changed = sorted(await of(services, Brand, user), key=lambda brand: brand.name, reverse=True)
    await make.assistant(user, brand_id=used.id)
    name = {"name": "Ours", "version": 1}
    done(await api.put(f"/brands/{changed.id}/", json=name))
    await end(services, user)
    assert {brand.id for brand in await of(services, Brand, user)} == {used.id, changed.id}


async def test_a_brand_of_a_saved_look_stays_and_cards_forget_the_other(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    await services.demo_data.make(user)
    used, other = await of(services, Brand, user)
    look = {"name": "House", "settings": {"brand_id": str(used.id)}}
    done(await api.post("/cards/presets/", json=look), 201)
    card = {"headline": "Mine", "settings": {"brand_id": str(other.id)}}
    drawn = done(await api.post("/cards/", json=card), 201)
    await end(services, user)
    assert {brand.id for brand in await of(services, Brand, user)} == {used.id}
    again = done(await api.get(f"/media/{drawn['id']}/"))["card"]
    assert (await api.post("/cards/preview/", json=again)).status_code == 200


async def test_an_assistant_of_an_older_release_is_no_changed_one(services: Services, user: User) -> None:
    """Its columns of today have the values of before, and the worker has chosen a brand for it."""
    await services.demo_data.make(user)
    [english, german] = await of(services, Assistant, user)
    before = {"text_per": TextPer.post, "second_look": SecondLook.rules, "topic_link": TopicLink.none}
    async with services.sessions.begin() as session:
        values = {**before, "brand_id": None}
        await session.execute(update(Assistant).where(Assistant.id == english.id).values(values))
    async with services.sessions() as session:
        old = await session.get_one(Assistant, english.id)
        made_by_older_release = {
            column.key: getattr(old, column.key)
            for column in Assistant.__table__.columns
            if column.key not in {*before, "brand_id"} | _NOT_WRITTEN
        }
    assert (
        fingerprint(old)
        == hashlib.sha256(json.dumps(made_by_older_release, sort_keys=True, default=str).encode()).hexdigest()
    )
    assert fingerprint(german) != fingerprint(old)


async def test_an_account_the_user_had_connected_before_stays(
    services: Services, user: User, make: Factory, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    await services.demo_data.make(user)
    assert (await services.demo_data.view(user.id)).accounts == 1
    await end(services, user)
    assert [found.id for found in await of(services, Account, user)] == [account.id]


async def test_posts_of_a_demo_assistant_that_was_deleted_go_too(services: Services, user: User) -> None:
    [first, _] = await services.demo_data.make(user)
    await publish(services, first.row)
    async with services.sessions.begin() as session:
        await session.delete(await session.get_one(Assistant, first.row.id))
    await end(services, user)
    # of what they cost nobody knows any more whose they were
    assert await left(services, user) == {"transactions": 2}


async def test_what_a_crash_left_is_found_and_goes(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch, api: httpx2.AsyncClient
) -> None:
    """The process dies after accounts and rows are there, before the pictures."""

    class Died(BaseException):
        pass

    async def die(*_: object) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(type(services.demo_data), "_picture", die)
        patched.setattr(type(services.demo_data), "_release", die)
        with pytest.raises(Died):
            await services.demo_data.make(user)
    assert done(await api.get(PATH))["state"] == "being_made"
    async with services.sessions.begin() as session:
        await session.execute(update(DemoData).values(busy_until=utcnow() - timedelta(seconds=1)))
    half = done(await api.get(PATH))
    assert (half["state"], numbers(half)) == ("incomplete", MADE | {"pictures": 0})
    assert not any(found.active for found in await of(services, Assistant, user))
    # either way on: making it whole, or away with it
    made = done(await api.post(PATH), 201)
    assert (made["state"], numbers(made)) == ("present", MADE)
    await end(services, user)
    assert await left(services, user) == {}


async def test_half_of_it_can_be_removed(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch, api: httpx2.AsyncClient
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(type(services.demo_data), "_picture", fail)
        assert (await api.post(PATH)).status_code == 500
    assert done(await api.get(PATH))["state"] == "incomplete"
    done(await api.delete(PATH), 204)
    assert done(await api.get(PATH))["state"] == "absent"
    assert await left(services, user) == {}


async def test_while_temporal_is_away_nothing_goes(services: Services, user: User, away: Gateway) -> None:
    """Nothing would tell the workflows to end once their rows are gone. What one of them notes later is enough."""
    hasty = replace(services, demo_data=replace(services.demo_data, patience=timedelta(0)))
    async with browsing(hasty, away, user) as api:
        done(await api.post(PATH), 201)
        refused(await api.delete(PATH), 503, ErrorCode.temporal_unavailable)
        assert numbers(done(await api.get(PATH))) == MADE
        assistants = await of(services, Assistant, user)
        assert not any(found.active for found in assistants)
        async with services.sessions.begin() as session:
            for found in assistants:
                await AssistantRepository(session).mark_applied(found.id, found.version)
        done(await api.delete(PATH), 204)
        assert done(await api.get(PATH))["state"] == "absent"


async def test_without_a_sandbox_nothing_is_published(
    settings: Settings, engine: AsyncEngine, sessions: Sessions, networks: Networks, user: User, away: Gateway
) -> None:
    """The networks may be real ones: no account, no active assistant, and drafts once one is switched on."""
    services = wire(settings.model_copy(update={"sandbox_url": "http://127.0.0.1:9"}), engine, sessions)
    quick_passwords(services)
    async with browsing(services, away, user) as api:
        made = done(await api.post(PATH), 201)
        assert (made["publishes"], numbers(made)) == (False, MADE | {"accounts": 0})
        assistants = done(await api.get("/assistants/"))["items"]
        assert {(found["active"], found["mode"]) for found in assistants} == {(False, "draft")}
        done(await api.post(f"/assistants/{assistants[0]['id']}/activate/"))
    assert await of(services, Account, user) == []


async def test_where_posts_cost_money_it_says_so(
    settings: Settings, engine: AsyncEngine, sessions: Sessions, networks: Networks, user: User
) -> None:
    url = "http://127.0.0.1:9/v1"
    paid = settings.model_copy(update={"openai_base_url": url, "text_model": "a-model"})
    services = wire(paid, engine, sessions)
    await services.demo_data.make(user)
    assert (await services.demo_data.view(user.id)).pays
    await services.writer.close()


async def test_the_whole_way_with_temporal(stack: Stack) -> None:
    """Made, active, removed while its workflows run: they end, and nothing is left."""
    services, user = stack.services, await stack.make.user()
    quick_passwords(services)
    async with (
        run_worker(stack.client, services, graceful=GRACEFUL),
        browsing(services, stack.gateway, user) as api,
    ):
        async with asyncio.timeout(PATIENCE):
            while not await stack.gateway.has_pollers():
                await asyncio.sleep(0.1)
        done(await api.post(PATH), 201)
        workflows = [assistant_workflow(found.id) for found in await of(services, Assistant, user)]
        states = [(await stack.client.get_workflow_handle(name).describe()).status for name in workflows]
        assert states == [WorkflowExecutionStatus.RUNNING] * 2
        done(await api.delete(PATH), 204)
        states = [(await stack.client.get_workflow_handle(name).describe()).status for name in workflows]
        assert WorkflowExecutionStatus.RUNNING not in states
        assert await left(services, user) == {}
