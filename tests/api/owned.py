"""One of everything that a user can have, for the tests that ask every operation for it."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import select

from core.ai.tables.transactions import Transaction
from core.articles.drafts import ArticleDraft
from core.articles.rules.articles import ArticleFields
from core.assistants.configuration import AssistantForm
from core.assistants.rules.assistants import ImageSource, Mode
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.brands.brands import BrandForm, BrandService
from core.brands.rules import BrandVoice
from core.container import Services
from core.feeds.feeds import FeedForm, TopicFeedService
from core.ids import new_id
from core.media.rules.cards import CardSettings
from core.media.rules.sequences import CardPage, PageKind
from core.media.sequences import SequenceForm
from core.networks.rules.channels import ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from core.posts.repositories.posts import PostRepository
from core.posts.writings import PassageOrder
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.templates import TemplateType
from core.templates.tryouts import TryoutForm
from core.templates.versions import TemplateForm, TemplateService
from core.topics.rules import PickFrom, Strategy
from core.topics.topic_trees import TopicTreeService
from core.users.tables.users import Scope, User
from tests.api.operations import Operation
from tests.conftest import Networks
from tests.factories import TEXT, Factory

PASSWORD = "loom over warp and weft"
QUICK = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])


@dataclass(frozen=True)
class Owned:
    user: User
    ids: dict[str, str]
    """By the name that a path's parameter has."""
    published: dict[str, str]
    """The same in the marketplace: what everybody sees."""

    def at(self, operation: Operation) -> str:
        """The operation's path to what this user has."""
        shown = self.published if operation.path.startswith("/marketplace/") else {}
        return operation.at(**{name: (self._of(operation) | shown)[name] for name in operation.ids})

    def hidden(self, operation: Operation) -> str:
        """The operation's path to what nobody else may know of."""
        return operation.at(**self._of(operation))

    def _of(self, operation: Operation) -> dict[str, str]:
        unknown = set(operation.ids) - set(self.ids)
        assert not unknown, f"own_everything in {__name__} has to make an object for {unknown}: {operation} names it"
        return {name: self.ids[name] for name in operation.ids}


async def own_a_post(services: Services, make: Factory, networks: Networks) -> Owned:
    """With what belongs to it, in half the time of everything."""
    user = await make.user()
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).password_hash = QUICK.hash(PASSWORD)
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    run, slot = new_id(), datetime.now(UTC)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(user.id, run, 1)
    await services.imaging.make(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    async with services.sessions() as session:
        post = await PostRepository(session).find_by_run(user.id, run)
        assert post is not None
        assert assistant.template_version_id is not None
        template = (await TemplateRepository(session).version(user.id, assistant.template_version_id)).template_id
    return Owned(
        user,
        {
            "account_id": str(account.id),
            "grant_id": str(account.grant_id),
            "assistant_id": str(assistant.id),
            "delivery_id": str(checked.deliveries[0][0]),
            "media_id": str(post.files[0].media_id),
            "post_id": str(post.id),
            "run_id": str(run),
            "template_id": str(template),
            "tree_id": str(assistant.topic_tree_id),
        },
        {},
    )


async def own_everything(services: Services, make: Factory, networks: Networks) -> Owned:
    owned = await own_a_post(services, make, networks)
    user, ids = owned.user, {name: UUID(value) for name, value in owned.ids.items()}
    async with services.sessions() as session:
        assistant = await session.get_one(Assistant, ids["assistant_id"])
    form = TryoutForm(TEXT, {}, "en", {"Topic": "Riding in snow"})
    tryout = await services.tryouts.order(user.id, ids["template_id"], new_id(), form)
    await services.tryouts.make(user.id, tryout.id, 1)
    sample = await services.dry_runs.order(
        user.id,
        AssistantForm(
            name="",
            tags=(),
            topic_tree_id=assistant.topic_tree_id,
            strategy=Strategy.in_order,
            pick_from=PickFrom.leaves,
            template_version_id=assistant.template_version_id,
            image_source=ImageSource.none,
            image_template_version_id=None,
            variables={},
            account_ids=(ids["account_id"],),
            schedule=Schedule(Frequency.daily, "UTC"),
            mode=Mode.draft,
            language="en",
            lead_minutes=15,
        ),
        assistant_id=assistant.id,
        topic_id=None,
    )
    await services.tryouts.make(user.id, sample.id, 1)
    passage = PassageOrder("Wait for the rain to stop.", 0, 4, "Milder")
    writing = await services.post_writings.order_passage(user.id, ids["post_id"], passage)
    await services.tryouts.make(user.id, writing.id, 1)
    async with services.sessions.begin() as session:
        templates, trees = TemplateService(session), TopicTreeService(session)
        published = TemplateForm(TemplateType.text, "For everybody", "", "en", (), TEXT)
        public, *_ = await templates.create(user.id, published)
        await templates.publish(user.id, public.id, public.version, None)
        assert assistant.topic_tree_id is not None
        nodes = await trees.topics.nodes(user.id, assistant.topic_tree_id)
        topic, gone = (next(node for node in nodes if node.title == title) for title in ("Weather", "Money"))
        deletion, _ = await trees.remove(user.id, assistant.topic_tree_id, gone.id)
    round = await services.suggestions.order(
        user.id, assistant.topic_tree_id, topic.id, new_id(), wanted=3, language="en"
    )
    await services.suggestions.run_round(user.id, round.id, 1)
    feeds = TopicFeedService(services.sessions, PageReader(Outside((networks.url,))))
    form_of_feed = FeedForm(topic.id, f"{networks.url}/sandbox/feed", 3, False)
    feed, *_ = await feeds.add(user.id, assistant.topic_tree_id, form_of_feed)
    async with services.sessions.begin() as session:
        about = About(post_id=ids["post_id"])
        await NotifyingService(session).notify(user.id, NotificationKind.post_failed, "a test", about)
    told = (await services.notifications.list_page(user.id, unread=True, offset=0, limit=1))[0][0]
    async with services.sessions() as session:
        paid = (await session.scalars(select(Transaction).where(Transaction.user_id == user.id).limit(1))).one()
    async with services.sessions.begin() as session:
        brand, _ = await BrandService(session).create(user.id, BrandForm(BrandVoice("House style")))
    pages = (CardPage(PageKind.cover, "Rain"), *(CardPage(PageKind.point, text) for text in "ABC"))
    page, *_ = await services.sequences.save(user.id, SequenceForm(pages, CardSettings()), [])
    preset = await services.cards.add_preset(user.id, "House style", CardSettings())
    await services.identity.sign_in_by_link(await services.identity.sign_in_link(user.id), "a telephone")
    key, _ = await services.account_security.add_api_key(user.id, "nightly export", Scope.read)
    invitation = await services.invitations.create(user.id, email=None, send=False)
    login = {"site": networks.url, "username": "ada-lindqvist", "app_password": new_id().hex[:24]}
    website = await services.websites.connect(user.id, ChannelKind.wordpress, login, "en")
    article = new_id()
    await services.composing.create(user.id, article, ArticleDraft("Text", ArticleFields(title="Title"), website))
    return Owned(
        user,
        owned.ids
        | {
            "article_id": str(article),
            "brand_id": str(brand.id),
            "deletion_id": str(deletion),
            "dry_run_id": str(sample.id),
            "feed_id": str(feed.id),
            "invitation_id": str(invitation.row.id),
            "key_id": str(key.id),
            "notification_id": str(told.row.id),
            "page_id": str(page.id),
            "preset_id": str(preset.id),
            "session_id": str((await services.account_security.sessions_of(user.id))[0].id),
            "suggestion_id": str(round.id),
            "topic_id": str(topic.id),
            "transaction_id": str(paid.id),
            "tryout_id": str(tryout.id),
            "website_id": str(website),
            "writing_id": str(writing.id),
        },
        {"template_id": str(public.id)},
    )
