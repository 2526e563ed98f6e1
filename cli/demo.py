"""What `make demo` fills an empty installation with: a user whose two assistants post every few minutes."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2

from core.container import Services, open_services
from core.domain.assistants import ImageSource, Mode
from core.domain.cards import CardSettings
from core.domain.channels import ChannelKind
from core.domain.schedules import Frequency, Schedule
from core.domain.templates import TemplateType
from core.domain.topics import PickFrom, Strategy
from core.models import User
from core.repositories.assistants import AssistantRepository
from core.services.cards import CardForm
from core.services.configuring import AssistantForm, ConfiguringService
from core.services.templating import TemplateForm, TemplatingService
from core.services.topic_trees import TopicTreeService
from core.settings import Settings, WrongSetting
from temporal.client import connect
from temporal.gateway import Gateway

EMAIL = "demo@postloom.example"
ZONE = "Europe/Berlin"


@dataclass(frozen=True)
class Story:
    """One assistant with all it needs, in one language."""

    language: str
    person: str
    """Who it posts as, on the sandbox's pages."""
    tree: str
    topics: str
    template: str
    body: str
    picture: str
    assistant: str
    tag: str
    cron: str


STORIES = (
    Story(
        language="en",
        person="mara-lind",
        tree="Commuting by cargo bike",
        topics="""- Commuting by cargo bike
-- Weather
--- Rain without drama
--- Riding in the first snow
--- What a headwind really costs
-- Money
--- What a service costs
--- Company bikes and taxes
--- Eleven bikes instead of four vans
-- Everyday life
--- Parking without a garage
--- Two children and the weekly shopping
--- Finding a quiet route""",
        template="Practical tip",
        body=(
            "Write a short LinkedIn post about ((Topic)) for people who ride to work. "
            "Open with one concrete observation, give one tip that helps today, and end with a question."
        ),
        picture="Card with headline",
        assistant="Commuter tips",
        tag="commuting",
        cron="*/2 * * * *",
    ),
    Story(
        language="de",
        person="jonas-weber",
        tree="Werkstatt und Pflege",
        topics="""- Werkstatt und Pflege
-- Antrieb
--- Kette in fünf Minuten reinigen
--- Wann eine Kette wirklich fertig ist
--- Schaltung nachstellen ohne Werkzeug
-- Sicherheit
--- Bremsbeläge selbst prüfen
--- Licht, das im Herbst reicht
--- Reifendruck bei Regen
-- Kaufen
--- Gebraucht kaufen ohne Reue
--- Woran man eine gute Werkstatt erkennt""",
        template="Werkstatt-Wissen",
        body=(
            "Schreibe einen kurzen LinkedIn-Beitrag über ((Topic)) für Menschen, die jeden Tag Rad fahren. "
            "Beginne mit einer Beobachtung aus der Werkstatt, gib einen Tipp und schließe mit einer Frage."
        ),
        picture="Karte mit Überschrift",
        assistant="Werkstatt-Wissen",
        tag="Werkstatt",
        cron="1-59/2 * * * *",
    ),
)
CARD = "((Topic))\n((Content))"


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
    return f"{settings.public_url}/signin?link={link}"


async def _tell(services: Services, gateway: Gateway, user: User, story: Story) -> None:
    account_id = await _connect(services, user, story.person)
    async with services.sessions.begin() as session:
        templates = TemplatingService(session)
        _, text, *_ = await templates.create(
            user.id,
            TemplateForm(TemplateType.text, story.template, "", story.language, (story.tag,), story.body),
        )
        _, image, *_ = await templates.create(
            user.id, TemplateForm(TemplateType.image, story.picture, "", story.language, (story.tag,), CARD)
        )
        tree, _, _ = await TopicTreeService(session).create(user.id, story.tree, story.topics)
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


async def _connect(services: Services, user: User, person: str) -> UUID:
    """As a browser would: the network's consent page sends it back with a code."""
    address = await services.connecting.start(user.id, ChannelKind.linkedin)
    async with httpx2.AsyncClient(timeout=10) as browser:
        answer = await browser.get(f"{address}&sandbox_person={person}")
    location = answer.headers.get("location")
    if location is None:
        raise WrongSetting("LINKEDIN_AUTH_URL", "does not lead to the sandbox, which the demo posts to")
    back = parse_qs(urlsplit(location).query)
    accounts = await services.connecting.finish(
        user.id, ChannelKind.linkedin, state=back["state"][0], code=back["code"][0], error=None
    )
    return accounts[0].id


async def _pictures(services: Services, user: User) -> None:
    for story in STORIES:
        title = story.topics.splitlines()[-1].lstrip("-").strip()
        form = CardForm(title, story.tree, CardSettings(foot=story.assistant))
        await services.cards.save(user.id, form, f"{title}. {story.tree}", [story.tag])
