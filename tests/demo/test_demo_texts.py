"""Texts of the demo writer go to a real network only after a person has approved them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from core.ai.writers.base import DEMO_MODEL
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import Mode
from core.assistants.tables import Assistant
from core.container import Services, wire
from core.demo.demo_texts import DemoTexts
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.tables.posts import Post
from core.runs.drafting import CheckedDraft
from core.runs.rules.runs import setup_from_json, setup_to_json
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.conftest import Networks, browsing
from tests.factories import Factory

SLOT = datetime(2036, 11, 21, 9, tzinfo=UTC)
ARMING = timedelta(seconds=75)


@pytest.fixture
async def assistant(make: Factory, user: User, networks: Networks) -> Assistant:
    account = await make.account(user, networks.url)
    return await make.assistant(user, accounts=(account.id,), mode=Mode.automatic)


@pytest.fixture
def real(services: Services) -> Services:
    """Of an installation whose networks are no sandbox."""
    settings = services.settings.model_copy(update={"sandbox_url": None})
    return wire(settings, services.engine, services.sessions)


async def prepared(services: Services, assistant: Assistant, written_by: str = DEMO_MODEL) -> CheckedDraft:
    run, owner = new_id(), assistant.user_id
    await services.drafting.begin(owner, assistant.id, run, f"run-{run}", SLOT)
    await services.drafting.write(owner, run, 1)
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.run_id == run).values(written_by=written_by))
    checked = await services.drafting.check(owner, run)
    assert await services.drafting.check(owner, run) == checked  # a step may be repeated
    return checked


async def asked(services: Services, post: CheckedDraft, owner: Any) -> Approval:
    looked = await services.approvals.check(owner, post.post_id, ARMING)
    assert looked.verdict == "waiting"
    async with services.sessions() as session:
        return (await session.scalars(select(Approval).where(Approval.post_id == post.post_id))).one()


async def test_in_the_sandbox_they_go_out_by_themselves(services: Services, assistant: Assistant) -> None:
    assert not (await prepared(services, assistant)).asks


async def test_before_a_real_network_a_person_is_asked(real: Services, assistant: Assistant) -> None:
    checked = await prepared(real, assistant)
    assert checked.asks
    approval = await asked(real, checked, assistant.user_id)
    assert (approval.state, approval.at_deadline) == (ApprovalState.waiting, AtDeadline.hold)
    async with real.sessions() as session:
        mail = (await session.scalars(select(Mail).where(Mail.user_id == assistant.user_id))).one()
        post = await session.get_one(Post, checked.post_id)
    assert (mail.kind, mail.params["demo"], post.status) == (MailKind.approval_needed, True, "draft")


async def test_what_a_model_wrote_is_not_asked_about(real: Services, assistant: Assistant) -> None:
    assert not (await prepared(real, assistant, "gpt-6-luna")).asks


@pytest.mark.parametrize(
    ("mode", "veto", "at_deadline", "becomes"),
    [
        (Mode.automatic, 30, AtDeadline.hold, AtDeadline.hold),
        (Mode.approval, None, AtDeadline.publish, AtDeadline.hold),
        (Mode.approval, None, AtDeadline.skip, AtDeadline.skip),
    ],
)
async def test_without_an_answer_nothing_goes_out(
    real: Services,
    assistant: Assistant,
    mode: Mode,
    veto: int | None,
    at_deadline: AtDeadline,
    becomes: AtDeadline,
) -> None:
    async with real.sessions.begin() as session:
        values = {"mode": mode, "veto_minutes": veto, "at_deadline": at_deadline}
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(**values))
    checked = await prepared(real, assistant)
    assert (await asked(real, checked, assistant.user_id)).at_deadline is becomes


async def test_a_draft_is_a_draft_and_nobody_is_asked(real: Services, assistant: Assistant) -> None:
    async with real.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(mode=Mode.draft))
    checked = await prepared(real, assistant)
    assert (checked.asks, checked.deliveries) == (False, ())


@pytest.mark.parametrize("simulated", [True, False])
async def test_the_assistants_page_says_so(
    services: Services, real: Services, assistant: Assistant, user: User, away: Gateway, simulated: bool
) -> None:
    async with browsing(services if simulated else real, away, user) as client:
        for found in (
            done(await client.get(f"/assistants/{assistant.id}/")),
            done(await client.get("/assistants/"))["items"][0],
            done(await client.get(f"/assistants/{assistant.id}/live/"))["assistant"],
        ):
            assert (found["demo_writer"], found["asks_about_demo"]) == (True, not simulated)


@pytest.mark.parametrize(
    ("kind", "base_url", "asked"),
    [
        (ChannelKind.linkedin, "", False),
        (ChannelKind.facebook, "", False),
        (ChannelKind.mastodon, "{url}", False),
        (ChannelKind.mastodon, "https://mastodon.example", True),
        (ChannelKind.mastodon, "{url}.example", True),
        (ChannelKind.webhook, "{url}/hooks/journal", False),
        (ChannelKind.wordpress, "https://journal.example", True),
        (ChannelKind.hosted_feed, "", True),
    ],
)
def test_an_account_is_simulated_where_its_posts_go_to_the_sandbox(
    networks: Networks, kind: ChannelKind, base_url: str, asked: bool
) -> None:
    account = Account(kind=kind, base_url=base_url.format(url=networks.url), external_id="one", name="One")
    demo_texts = DemoTexts(DEMO_MODEL, networks.url)
    assert demo_texts.are_asked_about(Mode.automatic, [account]) is asked
    assert not replace(demo_texts, model="gpt-6-luna").are_asked_about(Mode.automatic, [account])


async def test_a_run_of_an_older_release_is_as_it_was(services: Services, assistant: Assistant) -> None:
    run = new_id()
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", SLOT)
    async with services.sessions() as session:
        setup = (await session.get_one(Run, run)).setup
    assert setup is not None
    stored = setup_to_json(setup)
    del stored["asks_about_demo"]
    assert setup_from_json(stored) == setup
