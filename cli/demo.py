"""What `make demo` fills an empty installation with: a user whose two assistants post every few minutes."""

from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
from sqlalchemy.ext.asyncio import AsyncSession

from cli.demo_stories import CARD, STORIES, Story
from core.container import Services, open_services
from core.domain.assistants import ImageSource, Mode
from core.domain.cards import CardSettings
from core.domain.channels import ChannelKind
from core.domain.model_settings import ImageSettings, TextSettings, image_to_json, text_to_json
from core.domain.schedules import Frequency, Schedule
from core.domain.templates import Engine, TemplateType
from core.domain.topics import PickFrom, Strategy
from core.models import User
from core.repositories.assistants import AssistantRepository
from core.repositories.topics import TopicRepository
from core.services.cards import CardForm
from core.services.configuring import AssistantForm, ConfiguringService
from core.services.templating import TemplateForm, TemplatingService
from core.services.topic_trees import TopicTreeService
from core.settings import Settings, WrongSetting
from temporal.client import connect
from temporal.gateway import Gateway

EMAIL = "demo@postloom.example"
ZONE = "Europe/Berlin"


async def seed(settings: Settings) -> str:
    """A link that signs in. What is there already is kept: a second start only makes a new link."""
    async with open_services(settings, pool_size=2) as services:
        user = await services.identity.add_verified(EMAIL, language="en", time_zone=ZONE, name="Mara Lind")
        async with services.sessions() as session:
            existing = await AssistantRepository(session).count_active(user.id)
        if not existing:
            gateway = Gateway(await connect(settings, lazy=True), settings)
            for story in STORIES:
                await _tell(services, gateway, user, story)
            await _pictures(services, user)
        link = await services.identity.sign_in_link(user.id)
    return f"{settings.public_url}/signin?link#token={link}"


async def _tell(services: Services, gateway: Gateway, user: User, story: Story) -> None:
    account_id = await _connect(services, user, story.person)
    async with services.sessions.begin() as session:
        templates = TemplatingService(session)
        _, text, *_ = await templates.create(
            user.id,
            TemplateForm(
                TemplateType.text,
                story.template,
                story.description,
                story.language,
                (story.tag,),
                story.body,
                {"text": text_to_json(TextSettings(tone=story.tone))},
            ),
        )
        _, image, *_ = await templates.create(
            user.id,
            TemplateForm(
                TemplateType.image,
                story.picture,
                "",
                story.language,
                (story.tag,),
                CARD,
                {"image": image_to_json(ImageSettings(engine=Engine.card))},
            ),
        )
        trees = TopicTreeService(session)
        tree, _, _ = await trees.create(user.id, story.tree, story.topics)
        await _note(session, trees, user, tree.id, story)
        configuring = ConfiguringService(session)
        made = await configuring.create(
            user.id,
            AssistantForm(
                name=story.assistant,
                tags=(story.tag,),
                topic_tree_id=tree.id,
                strategy=Strategy.least_recent,
                pick_from=PickFrom.leaves,
                template_version_id=text.id,
                image_source=ImageSource.template,
                image_template_version_id=image.id,
                variables={},
                account_ids=(account_id,),
                schedule=Schedule(Frequency.cron, ZONE, cron=story.cron),
                mode=Mode.automatic,
                language=story.language,
                lead_minutes=1,
            ),
        )
        full = await configuring.activate(user.id, made.row.id)
    # what does not reach Temporal now, the worker's reconcile brings
    await gateway.configure(full.row, full.status, {account.kind for account in full.accounts})


async def _note(session: AsyncSession, trees: TopicTreeService, user: User, tree_id: UUID, story: Story) -> None:
    for topic in await TopicRepository(session).nodes(user.id, tree_id):
        if notes := story.notes.get(topic.title):
            await trees.change(user.id, tree_id, topic.id, title=None, notes=notes, enabled=None, weight=None)


async def _connect(services: Services, user: User, person: str) -> UUID:
    """As a browser would: the network's consent page sends it back with a code."""
    departure = await services.connecting.start(user.id, ChannelKind.linkedin)
    async with httpx2.AsyncClient(timeout=10) as browser:
        answer = await browser.get(f"{departure.authorize_url}&sandbox_person={person}")
    location = answer.headers.get("location")
    if location is None:
        raise WrongSetting("LINKEDIN_AUTH_URL", "does not lead to the sandbox, which the demo posts to")
    back = parse_qs(urlsplit(location).query)
    accounts = await services.connecting.finish(
        user.id,
        ChannelKind.linkedin,
        state=back["state"][0],
        browser_secret=departure.browser_secret,
        code=back["code"][0],
        error=None,
    )
    return accounts[0].id


async def _pictures(services: Services, user: User) -> None:
    for story in STORIES:
        title = story.topics.splitlines()[-1].lstrip("-").strip()
        form = CardForm(title, story.tree, CardSettings(foot=story.assistant))
        await services.cards.save(user.id, form, f"{title}. {story.tree}", [story.tag])
