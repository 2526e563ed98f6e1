"""From a web page to three boards: a brand writes for each network, and a worker is killed while it writes."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from sqlalchemy import select

from core.ai.tables.transactions import CallOutcome, Transaction
from core.container import wire
from core.networks.rules.channels import ChannelKind
from core.users.tables.users import User
from tests.api.conftest import done
from tests.conftest import Stack, browsing
from tests.http_server import Answer, Request, Server
from tests.patience import PATIENCE
from tests.workflows.support import eventually, written
from tests.workflows.workers import takes_tasks, worker_process

PAGE = b"<title>Spoke and Chain</title><p>We repair commuter bikes. The workshop opened in 2014.</p>"
BRAND = {
    "name": "Spoke and Chain",
    "about": "Repairs commuter bikes.",
    "audience": "People who ride to work.",
    "voice": "Friendly and dry, in short sentences.",
    "dos": [],
    "donts": [],
    "address": "any",
    "emoji": "none",
    "hashtags": "network",
    "words_to_use": [],
    "words_to_avoid": [],
    "facts": ["The workshop opened in 2014.", "The workshop employs 40 people."],
    "languages": ["en"],
}
MUDGUARDS = {
    "linkedin": "Wet trousers end many rides to work.\n\nFull mudguards keep both legs dry, and the chain as well. We "
    "have mounted them since 2014, and the best sign is the bag: it stays clean.",
    "facebook": "Rain on the way to the office? Full mudguards keep the water on the road. Ask us for a set.",
    "mastodon": "A dry chain lasts longer than a wet one. That is half of what full mudguards are for.",
}
LIGHTS = {
    "linkedin": "The evening commute gets dark before anybody notices.\n\nA dynamo light needs no charging and shines "
    "as soon as the wheel turns. Drivers see it from afar, and nobody has to remember a cable.",
    "facebook": "Did your lamp run out halfway home? A dynamo never does, because your legs do the charging.",
    "mastodon": "Batteries run empty on the darkest evening of the week. A dynamo does not know evenings.",
}
TOO_LONG = " ".join(f"Sentence after sentence tells {'some' * number}thing about mudguards." for number in range(20))
EDITED = (
    "Rain on the way to the office? Full mudguards keep the water on the road. We mount a set while you have a coffee."
)
ACCOUNTS = (ChannelKind.linkedin, ChannelKind.facebook, ChannelKind.mastodon)


@dataclass
class Model:
    """A model that drafts the brand and writes about both topics; its first text for Mastodon is too long."""

    asked: list[str] = field(default_factory=list)
    """What each call was for."""
    seconds: float = 60
    """How long it takes to shorten a text."""

    def answer(self, request: Request) -> Answer:
        asked = request.json
        if asked["instructions"].startswith("You shorten"):
            self.asked.append("shorter text")
            return written(MUDGUARDS["mastodon"], self.seconds)
        if "words_to_avoid" in asked["text"]["format"]["schema"]["properties"]:
            self.asked.append("brand")
            return written(json.dumps(BRAND))
        is_first = "About <value>Mudguards</value>" in asked["input"]
        self.asked.append("first texts" if is_first else "second texts")
        return written(json.dumps(MUDGUARDS | {"mastodon": TOO_LONG} if is_first else LIGHTS))


@pytest.mark.slow
async def test_a_worker_killed_while_it_writes_pays_for_no_answer_twice_and_each_network_gets_its_text_once(
    stack: Stack, model: Server, tmp_path: Path
) -> None:
    model.answers("/about", Answer(200, PAGE, {"content-type": "text/html; charset=utf-8"}))
    model.judges("/v1/responses", (writer := Model()).answer)
    settings = stack.services.settings.model_copy(
        update={"openai_base_url": f"{model.url}/v1", "text_model": "test-model", "internal_pages": model.url}
    )
    stack = replace(stack, services=wire(settings, stack.services.engine, stack.services.sessions))
    user = await stack.make.user()
    logs = tmp_path / "first.log", tmp_path / "second.log"
    async with browsing(stack.services, stack.gateway, user) as api:
        with worker_process(stack, model, logs[0]) as killed:
            await takes_tasks(killed, logs[0])
            assistant = await begin(stack, api, user, model.url)
            first = await run_now(api, assistant)

            async def shortens() -> bool:
                return "shorter text" in writer.asked

            await eventually(shortens)
            killed.kill()
            killed.wait(PATIENCE)
        assert await stack.networks.posts() == []
        writer.seconds = 0
        with worker_process(stack, model, logs[1]) as worker:
            await takes_tasks(worker, logs[1])
            asked = await waiting(api)
            assert texts_of(asked) == MUDGUARDS, logs[1].read_text()
            await approve_edited(api, asked)
            before = await ended(api, assistant, first)
            second = await run_now(api, assistant)
            asked = await waiting(api)
            assert texts_of(asked) == LIGHTS
            answer = {"approved": True, "content_hash": asked["content_hash"]}
            done(await api.post(f"/social-media-posts/{asked['id']}/decision/", json=answer))
            evidence = await ended(api, assistant, second)
    [prompt] = [step["facts"]["prompt"] for step in evidence["steps"] if step["kind"] == "text"]
    assert "<value>Ask us for a set.</value> became <value>We mount a set while you have a coffee.</value>" in prompt
    assert "for <value>LinkedIn, Facebook, Mastodon</value>" in prompt
    orders = [request.json for request in model.requests if request.path == "/v1/responses"]
    assert BRAND["facts"][0] in orders[1]["instructions"]

    # each post of the boards is that of one delivery
    posts = {post["permalink"]: post["text"] for post in await stack.networks.posts()}
    assert len(posts) == len(await stack.networks.posts()) == 6
    for run, texts in ((before, MUDGUARDS | {"facebook": EDITED}), (evidence, LIGHTS)):
        assert {each["channel"]: posts[each["permalink"]] for each in run["deliveries"]} == texts

    # the answer with three texts was stored before the worker was killed; only the lost one is asked for again
    assert writer.asked == ["brand", "first texts", "shorter text", "shorter text", "second texts"]
    async with stack.services.sessions() as session:
        mine = select(Transaction.outcome).where(Transaction.user_id == user.id).order_by(Transaction.created_at)
        outcomes = list(await session.scalars(mine))
    heard = CallOutcome.succeeded
    assert outcomes == [heard, heard, CallOutcome.lost, heard, heard]


async def begin(stack: Stack, api: httpx2.AsyncClient, user: User, page: str) -> str:
    """Return the path of an active assistant that asks first, with a brand drafted from the page."""
    draft = done(await api.post("/brands/draft/", json={"address": f"{page}/about", "language": "en"}))
    fields = {name: draft[name] for name in BRAND}
    assert fields == BRAND | {"facts": BRAND["facts"][:1]}  # the page says nothing of 40 people
    brand = done(await api.post("/brands/", json=fields), 201)
    body = "About ((Topic)), for ((Channel))."
    template = {"type": "text", "name": "Workshop tip", "language": "en", "body": body}
    accounts = [await stack.make.account(user, stack.networks.url, kind=kind) for kind in ACCOUNTS]
    form = {
        "name": "Spoke and Chain posts",
        "topic_tree_id": done(
            await api.post("/topics/", json={"name": "Commuting", "text": "- Commuting\n-- Mudguards\n-- Lights"}), 201
        )["id"],
        "strategy": "in_order",
        "template_version_id": done(await api.post("/templates/", json=template), 201)["version_id"],
        "account_ids": [str(account.id) for account in accounts],
        "brand_id": brand["id"],
        # no slot comes meanwhile
        "schedule": {"frequency": "daily", "time_zone": "UTC", "time_slots": ["09:00"], "start_date": "2126-01-01"},
        "mode": "approval",
        "language": "en",
    }
    path = f"/assistants/{done(await api.post('/assistants/', json=form), 201)['id']}/"
    done(await api.post(f"{path}activate/"))
    return path


async def run_now(api: httpx2.AsyncClient, assistant: str) -> str:
    """Start a run by hand. Return its id."""
    started = done(await api.post(f"{assistant}run/", json={"request_id": str(uuid4())}))
    return str(started["run_id"])


async def waiting(api: httpx2.AsyncClient) -> dict[str, Any]:
    """Return the one post that waits for approval, once there is one."""
    items: list[dict[str, Any]] = []

    async def is_there() -> bool:
        items[:] = done(await api.get("/approvals/"))["items"]
        return items != []

    await eventually(is_there)
    [asked] = items
    post: dict[str, Any] = asked["post"]
    return post


def texts_of(post: dict[str, Any]) -> dict[str, str]:
    """Return the text of each network."""
    return {each["channel"]: each["content"] or post["content"] for each in post["deliveries"]}


async def approve_edited(api: httpx2.AsyncClient, post: dict[str, Any]) -> None:
    """Approve the post with another text for Facebook."""
    variants = [
        variant | {"content": EDITED} if variant["channel"] == "facebook" else variant for variant in post["variants"]
    ]
    same = ("content", "account_ids", "planned_at", "time_zone", "language", "version")
    body = {name: post[name] for name in same} | {"variants": variants, "approved": True}
    done(await api.put(f"/social-media-posts/{post['id']}/", json=body))


async def ended(api: httpx2.AsyncClient, assistant: str, run_id: str) -> dict[str, Any]:
    """Return the evidence of the run, once all its deliveries are published."""
    found: dict[str, Any] = {}

    async def is_published() -> bool:
        found.update(done(await api.get(f"{assistant}runs/{run_id}/")))
        return bool(found["state"] == "published")

    await eventually(is_published)
    assert [each["state"] for each in found["deliveries"]] == ["published"] * 3
    return found
