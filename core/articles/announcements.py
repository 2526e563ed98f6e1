"""Announce published articles by social posts with a link to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import GenerationState
from core.articles.rules.articles import ArticleFields
from core.assistants.repository import AssistantRepository
from core.assistants.tables import Assistant
from core.database import Sessions
from core.errors import Conflict, DomainError, ErrorCode, FieldError, InvalidInput, NotFound, SubscriptionRequired
from core.networks.published_pages import PageAnswer, ask_for
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.networks.rules.links import MAX_DESCRIPTION, MAX_TITLE, Link
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.outgoing.destinations import AsksNamedServers, Outside
from core.posts.changes import save_change
from core.posts.composing import ComposingService, Composition
from core.posts.fitting import fit_texts, longest_limit, post_hash, shortest_limit
from core.posts.recipients import chosen_accounts, open_deliveries
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, DeliveryState, PostStatus, RemovalState, Variant
from core.posts.tables.posts import Post
from core.posts.writings import PostWritingService, TemplateOrder, text_of
from core.runs.network_rooms import ending_on, network_kinds
from core.runs.text_orders import LONGEST_TEXT
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.repositories.templates import TemplateRepository
from core.templates.repositories.tryouts import TryoutRepository
from core.templates.rules.templates import TOPIC, TemplateType
from core.templates.tables import Tryout
from core.texts.rules.endings import Ending
from core.texts.rules.texts import cut_text

_FIRST_VERSION: Final = 1
"""Version of a draft that nobody has changed."""
_GONE: Final = frozenset({RemovalState.removed, RemovalState.waiting})


@dataclass(frozen=True)
class Announcement:
    """A requested announcement. `assistant_id`: whose hashtags and budget it uses, and with `by_template` whose
    template writes the text; else it starts with the article's summary."""

    article_id: UUID
    post_id: UUID
    account_ids: tuple[UUID, ...]
    assistant_id: UUID | None = None
    by_template: bool = False


@dataclass(frozen=True)
class AnnouncementResult:
    """`writing`: the text being written. `refusal`: why none is, although one was requested."""

    post_id: UUID
    writing: Tryout | None = None
    refusal: DomainError | None = None


@dataclass(frozen=True)
class AnnouncementService:
    sessions: Sessions
    composing: ComposingService
    writings: PostWritingService

    async def ask_for_page(self, user_id: UUID, article_id: UUID) -> tuple[str, PageAnswer]:
        """Return the article's address and the answer of its page; an address that could be anybody's is not called.
        Raises NotFound, Conflict (article_not_published)."""
        async with self.sessions() as session:
            article, _ = await _article(session, user_id, article_id)
        address, outside = _published_address(article)
        if outside is None:
            return address, PageAnswer(None, believed=True)
        return address, await ask_for(outside, address)

    async def announce(self, user_id: UUID, form: Announcement) -> AnnouncementResult:
        """Create a draft; with the same id again it stays as it is.

        Raises NotFound, Conflict (article_not_published, page_not_reached, page_not_shown), InvalidInput at
        `account_ids` or `assistant_id`.
        """
        address, answer = await self.ask_for_page(user_id, form.article_id)
        if not answer.is_there:
            raise page_error(answer)
        async with self.sessions() as session:
            article, fields = await _article(session, user_id, form.article_id)
            accounts = await _accounts(session, user_id, form.account_ids)
            assistant = await _assistant(session, user_id, form.assistant_id)
            order = await _order(session, assistant, article, fields, address, accounts) if form.by_template else None
        link = Link(address, cut_text(fields.title, MAX_TITLE), cut_text(_one_line(fields.summary), MAX_DESCRIPTION))
        files = tuple(ComposedFile(file.media_id, file.alt) for file in article.files[:1]) if fields.featured else ()
        text, variants = _fit(fields.summary or fields.title, accounts, assistant, link, len(files))
        composition = Composition(
            content=text,
            account_ids=tuple(account.id for account in accounts),
            variants=variants,
            files=files,
            link=link,
            time_zone=article.time_zone,
            language=article.language,
        )
        await self.composing.create(user_id, form.post_id, composition, announces=article)
        async with self.sessions.begin() as session:
            about = About(post_id=article.id)
            await NotifyingService(session).resolve(user_id, about, NotificationKind.announcement_failed)
        if order is None:
            return AnnouncementResult(form.post_id)
        try:
            writing = await self.writings.order_by_template(user_id, form.post_id, TemplateType.text, order)
        except (InvalidInput, SubscriptionRequired) as refusal:
            return AnnouncementResult(form.post_id, refusal=refusal)
        return AnnouncementResult(form.post_id, writing)

    async def apply_text(
        self, user_id: UUID, article_id: UUID, post_id: UUID, writing_id: UUID, *, untouched: bool = False
    ) -> int:
        """Make the written text the draft's, with a variant for each channel that it is too long for. Return the
        draft's version. `untouched`: only if nobody has changed the draft; idempotent.

        Raises NotFound, Conflict (generation_in_progress, post_not_editable, announcement_edited).
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
            if post.announces_id != article_id:
                raise NotFound(what="announcement", id=str(post_id))
            writing = await TryoutRepository(session).for_post(user_id, post_id, writing_id)
            if writing.state is not GenerationState.succeeded:
                raise Conflict(ErrorCode.generation_in_progress)
            if post.status is not PostStatus.draft or open_deliveries(post.deliveries):
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            accounts = await chosen_accounts(session, post)
            assistant = await _assistant(session, user_id, writing.assistant_id)
            content, variants = _fit(text_of(writing), accounts, assistant, Link.from_json(post.link), len(post.files))
            own = [variant.to_json() for variant in variants]
            if untouched and post.version != _FIRST_VERSION:
                if (post.version, post.content, post.variants) != (_FIRST_VERSION + 1, content, own):
                    raise Conflict(ErrorCode.announcement_edited)
                return post.version  # an earlier attempt has applied it
            post.content, post.variants = content, own
            post.written_by = writing.model or ""
            post.content_hash = post_hash(post, accounts)
            return (await save_change(session, post, followed=False)).version


def page_error(answer: PageAnswer) -> Conflict:
    """Return why the page cannot be announced yet."""
    if answer.status is None:
        return Conflict(ErrorCode.page_not_reached)
    return Conflict(ErrorCode.page_not_shown, status=answer.status)


async def _article(session: AsyncSession, user_id: UUID, article_id: UUID) -> tuple[Post, ArticleFields]:
    article, _ = await PostRepository(session).get(user_id, article_id)
    if article.article is None:
        raise NotFound(what="article", id=str(article_id))
    return article, ArticleFields.from_json(article.article)


def _published_address(article: Post) -> tuple[str, Outside | None]:
    """Return the article's address, and the destination by which it may be called; None: it is not called."""
    for delivery in article.deliveries:
        if delivery.state is DeliveryState.published and delivery.permalink and delivery.removal not in _GONE:
            site = channel(delivery.channel)
            outside = site.outside if isinstance(site, AsksNamedServers) else Outside()
            return delivery.permalink, None if site.traits.shows_anywhere else outside
    raise Conflict(ErrorCode.article_not_published)


async def _accounts(session: AsyncSession, user_id: UUID, account_ids: Sequence[UUID]) -> list[Account]:
    """Return these accounts at networks in order. Raises InvalidInput."""
    by_id = {account.id: account for account in await AccountRepository(session).filter_connected(user_id, account_ids)}
    problems = [
        FieldError(f"account_ids.{at}", ErrorCode.account_disconnected)
        for at, account_id in enumerate(account_ids)
        if account_id not in by_id or by_id[account_id].kind.is_site
    ]
    if not account_ids:
        problems.append(FieldError("account_ids", ErrorCode.channel_not_selected))
    if problems:
        raise InvalidInput(errors=problems)
    return [by_id[account_id] for account_id in dict.fromkeys(account_ids)]


async def _assistant(session: AsyncSession, user_id: UUID, assistant_id: UUID | None) -> Assistant | None:
    if assistant_id is None:
        return None
    try:
        return (await AssistantRepository(session).get(user_id, assistant_id)).row
    except NotFound as error:
        raise InvalidInput(errors=[FieldError("assistant_id", ErrorCode.not_found)]) from error


async def _order(
    session: AsyncSession,
    assistant: Assistant | None,
    article: Post,
    fields: ArticleFields,
    address: str,
    accounts: Sequence[Account],
) -> TemplateOrder:
    """Return the order for a text about the article, by the assistant's template version."""
    if assistant is None or assistant.template_version_id is None:
        raise InvalidInput(errors=[FieldError("assistant_id", ErrorCode.template_required)])
    version = await TemplateRepository(session).version(article.user_id, assistant.template_version_id)
    return TemplateOrder(
        template_id=version.template_id,
        version_id=version.id,
        assistant_id=assistant.id,
        inputs={**{name: str(value) for name, value in assistant.variables.items()}, TOPIC: fields.title},
        notes="\n\n".join(part for part in (fields.summary, address) if part),
        language=article.language,
        time_zone=article.time_zone,
        account_ids=tuple(account.id for account in accounts),
    )


def _fit(
    text: str, accounts: Sequence[Account], assistant: Assistant | None, link: Link | None, images: int
) -> tuple[str, tuple[Variant, ...]]:
    """Return the text of an announcement, and its variants. Each ends as a text of the assistant's does there."""
    ending, endings = _ending(assistant), dict[ChannelKind, Ending]()
    for kind in network_kinds(account.kind for account in accounts):
        total = shortest_limit([account for account in accounts if account.kind == kind], LONGEST_TEXT, link)
        endings[kind] = ending_on(kind, ending, None, total)
    shared = next(iter(endings.values()), ending)
    longest = longest_limit(accounts, LONGEST_TEXT)
    return fit_texts(text, accounts, longest, shared, link=link, images=images, endings=endings)


def _ending(assistant: Assistant | None) -> Ending:
    """Return the assistant's ending without its link, which the article's address replaces."""
    return replace(assistant.ending, link="") if assistant else Ending()


def _one_line(text: str) -> str:
    return " ".join(text.split())
