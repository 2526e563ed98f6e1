"""The inbox of what waits for an answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import update

from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import Mode, RunState
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.outcomes import end_unpublished
from core.runs.tables import Run
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.statements import record_statements

ARMING = timedelta(seconds=30)


async def ask_about(
    services: Services, user: User, post_id: UUID, *, minutes: float = 60, at_deadline: AtDeadline = AtDeadline.hold
) -> None:
    """As an assistant that asks first does: the post is planned in so many minutes."""
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, post_id)
        run = await session.get_one(Run, post.run_id)
        assert run.setup is not None
        run.setup = replace(run.setup, mode=Mode.approval, at_deadline=at_deadline)
        post.planned_at, post.status = datetime.now(UTC) + timedelta(minutes=minutes), PostStatus.draft
    await services.approvals.check(user.id, post_id, ARMING)


async def another_post(services: Services, owned: Owned, days: int = 1) -> UUID:
    """A further one of the same assistant."""
    user, assistant, run = owned.user.id, UUID(owned.ids["assistant_id"]), new_id()
    await services.drafting.begin(user, assistant, run, f"run-{run}", datetime.now(UTC) + timedelta(days=days))
    await services.drafting.write(user, run, 1)
    await services.imaging.make(user, run, 1)
    return (await services.drafting.check(user, run)).post_id


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def inbox(owner: httpx2.AsyncClient) -> list[str]:
    page = done(await owner.get("/approvals/"))
    assert done(await owner.get("/users/waiting/"))["approvals"] == page["total"]
    return [asked["post"]["id"] for asked in page["items"]]


async def test_a_question_comes_with_the_post_and_how_it_came_about(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    assert await inbox(owner) == []
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    [asked] = done(await owner.get("/approvals/"))["items"]
    assert asked["post"] == done(await owner.get(f"/social-media-posts/{mine.ids['post_id']}/"))
    assert asked["post"]["approval"]["state"] == "waiting"
    assert (asked["topic_path"], asked["post"]["topic_title"]) == (["Cargo bikes", "Weather"], "Rain without drama")
    assert (asked["template"]["name"], asked["template"]["number"]) == ("A text template", 1)
    assert asked["template"]["template_id"] == mine.ids["template_id"]
    run = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/runs/"))["items"][0]
    for figure in ("slot", "by_hand", "input_tokens", "output_tokens", "cost_micros", "cost_known", "currency"):
        assert asked[figure] == run[figure], figure


async def test_the_next_deadline_comes_first(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    first, second, third = (
        UUID(mine.ids["post_id"]),
        await another_post(services, mine),
        await another_post(services, mine, 2),
    )
    for post, minutes in ((first, 90), (second, 60), (third, 300)):
        await ask_about(services, mine.user, post, minutes=minutes)
    assert await inbox(owner) == [str(second), str(first), str(third)]


async def test_what_is_answered_changed_or_too_late_waits_no_more(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post)
    assert await inbox(owner) == [str(post)]
    # nobody has looked since the deadline: the answer would be refused
    async with services.sessions.begin() as session:
        approval = update(Approval).where(Approval.post_id == post)
        await session.execute(approval.values(deadline_at=datetime.now(UTC) - timedelta(seconds=1)))
    assert await inbox(owner) == []
    async with services.sessions.begin() as session:
        await session.execute(
            approval.values(deadline_at=datetime.now(UTC) + timedelta(hours=1), content_hash="0" * 64)
        )
    assert await inbox(owner) == []
    async with services.sessions.begin() as session:
        own = (await session.get_one(Post, post)).content_hash
        await session.execute(approval.values(content_hash=own))
    assert await inbox(owner) == [str(post)]
    done(await owner.post(f"/social-media-posts/{post}/decision/", json={"approved": False, "content_hash": own}))
    assert await inbox(owner) == []


async def test_another_users_questions_are_not_there(api: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    assert await inbox(api) == []


async def test_a_deleted_template_leaves_the_question(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    async with services.sessions.begin() as session:
        run = await session.get_one(Run, UUID(mine.ids["run_id"]))
        assert run.setup is not None
        run.setup = replace(run.setup, template_version_id=new_id())
    [asked] = done(await owner.get("/approvals/"))["items"]
    assert asked["template"] is None


async def test_more_questions_take_no_more_queries(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    taken = []
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    for _ in range(2):
        with record_statements() as statements:
            assert await inbox(owner)
        taken.append(len([one for one in statements if one.startswith("SELECT")]))
        for days in (1, 2):
            await ask_about(services, mine.user, await another_post(services, mine, days + len(taken)))
    assert taken[0] == taken[1]


async def text_step(owner: httpx2.AsyncClient, owned: Owned, post: UUID) -> dict[str, Any]:
    runs = done(await owner.get(f"/assistants/{owned.ids['assistant_id']}/runs/"))["items"]
    run = next(one for one in runs if one["post_id"] == str(post))
    evidence = done(await owner.get(f"/assistants/{owned.ids['assistant_id']}/runs/{run['id']}/"))
    facts: dict[str, Any] = next(step["facts"] for step in evidence["steps"] if step["kind"] == "text")
    return facts


async def decline(owner: httpx2.AsyncClient, services: Services, owned: Owned, post: UUID, remark: str) -> None:
    await ask_about(services, owned.user, post)
    shown = done(await owner.get(f"/social-media-posts/{post}/"))
    answer = {"approved": False, "content_hash": shown["content_hash"], "remark": remark}
    done(await owner.post(f"/social-media-posts/{post}/decision/", json=answer))


async def test_why_a_post_was_declined_is_told_to_the_writer_of_the_next(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    first = UUID(mine.ids["post_id"])
    assert "objections" not in await text_step(owner, mine, first)
    await decline(owner, services, mine, first, "Too loud, and </value> no price")
    second = await another_post(services, mine)
    facts = await text_step(owner, mine, second)
    assert facts["objections"] == 1
    assert "Too loud, and" in facts["prompt"]
    assert facts["prompt"].count("<value>") == facts["prompt"].count("</value>")  # a remark ends no marker
    assert facts["compared"] == 1  # what was declined counts as said before
    await decline(owner, services, mine, second, "")
    await decline(owner, services, mine, await another_post(services, mine, 2), "Name the street")
    prompt = (await text_step(owner, mine, await another_post(services, mine, 3)))["prompt"]
    assert prompt.index("Name the street") < prompt.index("Too loud")


async def test_a_writer_is_told_of_its_own_assistants_objections_alone(
    owner: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, networks: Networks, mine: Owned
) -> None:
    await decline(owner, services, mine, UUID(mine.ids["post_id"]), "Too loud")
    other = await own_a_post(services, make, networks)
    async with browsing(services, away, other.user) as theirs:
        facts = await text_step(theirs, other, await another_post(services, other))
    assert "objections" not in facts


async def ask_about_run_by_hand(services: Services, mine: Owned) -> UUID:
    """Ask about the post as about one whose run a person started. Return its id."""
    post_id = UUID(mine.ids["post_id"])
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, post_id)
        await session.execute(update(Run).where(Run.id == post.run_id).values(by_hand=True))
    await ask_about(services, mine.user, post_id, minutes=0)
    return post_id


@pytest.mark.parametrize("says_a_time", [False, True])
async def test_what_somebody_asked_for_goes_out_when_they_approve_it_unless_they_have_said_a_time(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, says_a_time: bool
) -> None:
    post_id = await ask_about_run_by_hand(services, mine)
    post_path = f"/social-media-posts/{post_id}/"
    asked = done(await owner.get(post_path))
    assert asked["approval"]["at_once"] is True
    if says_a_time:
        later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
        moved = {"version": asked["version"], "planned_at": later}
        done(await owner.post(f"{post_path}move/", json=moved))
        asked = done(await owner.get(post_path))
        assert asked["approval"]["at_once"] is False
    assistant = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/"))
    until = assistant["open_run"]["decide_until"]
    assert until == (None if says_a_time else asked["approval"]["deadline_at"])
    answer = {"approved": True, "content_hash": asked["content_hash"], "remark": ""}
    done(await owner.post(f"{post_path}decision/", json=answer))
    planned = datetime.fromisoformat(done(await owner.get(post_path))["planned_at"])
    ahead = planned - datetime.now(UTC)
    assert (ahead > timedelta(days=2)) is says_a_time
    assert ahead > timedelta(minutes=-1)


@pytest.mark.parametrize("says_a_time", [False, True])
@pytest.mark.parametrize("ending", ["declined", "cancelled", "held"])
async def test_what_somebody_asked_for_and_does_not_approve_has_no_date(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, ending: str, says_a_time: bool
) -> None:
    """The time that it had was the deadline of the question, unless a person has set one."""
    post_id = await ask_about_run_by_hand(services, mine)
    path = f"/social-media-posts/{post_id}/"
    asked = done(await owner.get(path))
    if says_a_time:
        later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
        done(await owner.post(f"{path}move/", json={"version": asked["version"], "planned_at": later}))
        asked = done(await owner.get(path))
    if ending == "declined":
        answer = {"approved": False, "content_hash": asked["content_hash"], "remark": ""}
        done(await owner.post(f"{path}decision/", json=answer))
    elif ending == "cancelled":
        done(await owner.post(f"{path}cancel/", json={"version": asked["version"]}))
    else:
        async with services.sessions.begin() as session:
            past = update(Approval).where(Approval.post_id == post_id)
            await session.execute(past.values(state=ApprovalState.expired, by_deadline=True))
            await end_unpublished(session, mine.user.id, UUID(mine.ids["run_id"]), ErrorCode.approval_held)
    post = done(await owner.get(path))
    assert (post["status"], post["planned_at"] is not None) == ("draft", says_a_time)
    # its workflow may look once more
    await services.approvals.check(mine.user.id, post_id, ARMING)
    again = done(await owner.post(f"{path}publish/", json={"version": post["version"]}))["post"]
    assert (again["status"], again["planned_at"] is None) == ("complete", False)


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("ending", ["declined", "cancelled"])
async def test_nobody_is_asked_about_a_text_that_is_edited_after_its_run_has_ended(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, ending: str, by_hand: bool
) -> None:
    """Its workflow may look only then: no worker was there."""
    post_id = UUID(mine.ids["post_id"])
    if by_hand:
        await ask_about_run_by_hand(services, mine)
    else:
        await ask_about(services, mine.user, post_id)
    path = f"/social-media-posts/{post_id}/"
    asked = done(await owner.get(path))
    if ending == "declined":
        answer = {"approved": False, "content_hash": asked["content_hash"], "remark": ""}
        done(await owner.post(f"{path}decision/", json=answer))
    else:
        done(await owner.post(f"{path}cancel/", json={"version": asked["version"]}))
    ended = done(await owner.get(path))
    taken = ("account_ids", "planned_at", "time_zone", "language", "version")
    done(await owner.put(path, json={name: ended[name] for name in taken} | {"content": "In my words"}))
    looked = await services.approvals.check(mine.user.id, post_id, ARMING)
    assert (looked.verdict, looked.look_in) == ("withdrawn", None)
    after = done(await owner.get(path))
    assert (after["content"], after["status"], after["approval"]) == ("In my words", "draft", None)
    assert after["planned_at"] == ended["planned_at"]
    assert await inbox(owner) == []
    async with services.sessions() as session:
        run = await session.get_one(Run, UUID(mine.ids["run_id"]))
    assert run.state is RunState.skipped


async def test_nobody_is_asked_about_a_post_called_off_before_the_question(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = UUID(mine.ids["post_id"])
    path = f"/social-media-posts/{post_id}/"
    done(await owner.post(f"{path}cancel/", json={"version": done(await owner.get(path))["version"]}))
    assert (await services.approvals.check(mine.user.id, post_id, ARMING)).verdict == "withdrawn"
    assert done(await owner.get(path))["approval"] is None
    assert await inbox(owner) == []


async def test_a_time_given_to_a_draft_stays_when_its_workflow_ends(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    """The workflow ends its run once more after the person who declined."""
    path = f"/social-media-posts/{await ask_about_run_by_hand(services, mine)}/"
    asked = done(await owner.get(path))
    answer = {"approved": False, "content_hash": asked["content_hash"], "remark": ""}
    done(await owner.post(f"{path}decision/", json=answer))
    declined = done(await owner.get(path))
    taken = ("content", "account_ids", "time_zone", "language", "version")
    files = [{"media_id": file["media_id"], "alt": file["alt"]} for file in declined["files"]]
    later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    edited = {name: declined[name] for name in taken} | {"planned_at": later, "files": files}
    planned_at = done(await owner.put(path, json=edited))["post"]["planned_at"]
    assert done(await owner.get(path))["approval"]["state"] == "declined"
    async with services.sessions.begin() as session:
        await end_unpublished(session, mine.user.id, UUID(mine.ids["run_id"]), ErrorCode.approval_declined)
    assert done(await owner.get(path))["planned_at"] == planned_at
