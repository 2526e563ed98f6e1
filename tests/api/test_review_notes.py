"""What a second look found, at the post and in the evidence of its run."""

from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import update

from core.assistants.rules.assistants import StepKind
from core.container import Services
from core.posts.tables.posts import Post
from core.runs.tables import RunStep
from core.texts.rules.review import Finding, ReviewNote
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory

NOTES = (
    ReviewNote(Finding.unproven, "", {"what": "40 %"}),
    ReviewNote(Finding.cliche, "linkedin", {"what": "game changer"}),
    ReviewNote(Finding.too_many_hashtags, "", {"count": 4, "most": 3}),
)
SHOWN = [
    {"finding": "unproven", "network": None, "params": {"what": "40 %"}},
    {"finding": "cliche", "network": "linkedin", "params": {"what": "game changer"}},
    {"finding": "too_many_hashtags", "network": None, "params": {"count": 4, "most": 3}},
]


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    """A post whose review found something, as drafting leaves it."""
    owned = await own_a_post(services, make, networks)
    stored = [note.to_json() for note in NOTES]
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == UUID(owned.ids["post_id"])).values(review=stored))
        step = (RunStep.run_id == UUID(owned.ids["run_id"])) & (RunStep.kind == StepKind.text)
        facts = {"found": stored, "revision": "kept", "networks": {"linkedin": {"characters": 80}}}
        await session.execute(update(RunStep).where(step).values(facts=facts))
    return owned


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def test_a_post_has_its_notes_until_its_text_is_mended(owner: httpx2.AsyncClient, mine: Owned) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/"
    post = done(await owner.get(path))
    assert post["review"] == SHOWN
    body = {
        "content": "Saves 40 % of the time. #a",
        "account_ids": post["account_ids"],
        "variants": [{"channel": "linkedin", "content": "A real game changer."}],
        "time_zone": post["time_zone"],
        "planned_at": post["planned_at"],
        "language": post["language"],
        "version": post["version"],
    }
    post = done(await owner.put(path, json=body))["post"]
    assert post["review"] == SHOWN[:2]
    copy = str(UUID(int=7))
    done(await owner.post(f"{path}duplicate/", json={"id": copy}), 201)
    assert done(await owner.get(f"/social-media-posts/{copy}/"))["review"] == SHOWN[:2]
    body |= {"content": "Saves time. #a #b #c #d", "variants": [], "version": post["version"]}
    assert done(await owner.put(path, json=body))["post"]["review"] == []


async def test_the_evidence_of_a_run_has_what_was_found(owner: httpx2.AsyncClient, mine: Owned) -> None:
    evidence = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/runs/{mine.ids['run_id']}/"))
    assert evidence["found"] == SHOWN
    facts = next(step["facts"] for step in evidence["steps"] if step["kind"] == "text")
    assert facts == {"revision": "kept"}
