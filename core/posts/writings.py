"""Texts, images and article parts that templates generate for a post being composed, and passages to be rewritten. They
are ordered and read here, and run as try-outs (`tryouts.py`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import GenerationState
from core.articles.rules.articles import MAX_BODY, MAX_TITLE
from core.articles.rules.outlines import (
    MOST_SECTIONS,
    Outline,
    Part,
    WantedPart,
    part_from_json,
    part_to_json,
    read_outline,
    read_search_fields,
)
from core.articles.rules.passages import MAX_REMARK, passage_at, passage_from_json, passage_to_json
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import ImageSource, Mode, TextPer
from core.assistants.rules.schedules import time_zones
from core.brands.repository import BrandRepository
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.ids import new_id
from core.languages import Language
from core.live import LiveKind
from core.media.repository import MediaRepository
from core.networks.rules.channels import ChannelKind
from core.networks.rules.links import MAX_TITLE as MAX_LINK_TITLE
from core.networks.rules.links import Link, tidied
from core.outgoing.pages import PageReader, SourcePage
from core.posts.fitting import facts_of, longest_limit
from core.posts.repositories.posts import PostRepository
from core.posts.tables.posts import Post
from core.runs.network_rooms import network_kinds, plan_texts
from core.runs.rules.runs import Brief, RunSetup
from core.runs.rules.samples import Sample, sample_to_json
from core.runs.text_orders import BRAND_VOICE, LONGEST_TEXT, own_voice, variable_values
from core.social_accounts.repositories.accounts import AccountRepository
from core.templates.repositories.templates import TemplateRepository
from core.templates.repositories.tryouts import TryoutRepository
from core.templates.rules.model_settings import (
    TextSettings,
    image_from_json,
    image_to_json,
    one_image,
    text_from_json,
    text_to_json,
)
from core.templates.rules.templates import (
    CONTENT,
    MAX_VALUE,
    TOPIC,
    TemplateType,
    fill,
    is_reserved,
    parse,
    used_values,
)
from core.templates.tables import Template, TemplateVersion, Tryout
from core.templates.tryouts import TryoutService
from core.texts.rules.texts import cut_text, one_line
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import MAX_TITLE as MAX_TITLE_OF_TOPIC
from core.topics.rules import notes_above, path_to


class Writing(StrEnum):
    """What is generated for a post."""

    text = "text"
    passage = "passage"
    image = "image"
    part = "part"
    """A part of an article."""


@dataclass(frozen=True)
class TemplateOrder:
    """The template and the topic. `inputs` are values of its variables, including the topic if none is chosen from a
    tree. The other fields are the post's as it is being composed, saved or not."""

    template_id: UUID
    version_id: UUID | None = None
    """The version; None: the newest."""
    assistant_id: UUID | None = None
    """The assistant whose budget pays; None: the post's."""
    topic_tree_id: UUID | None = None
    topic_id: UUID | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    notes: str = ""
    """About a topic among the inputs, for the writer."""
    content: str = ""
    """For an image: the text that it illustrates."""
    language: str = Language.en
    time_zone: str = "UTC"
    planned_at: datetime | None = None
    account_ids: tuple[UUID, ...] = ()
    per_network: bool = False
    """A text for each network of the accounts, and not one for all."""
    brand_id: UUID | None = None
    """The brand that is written for; None: the template's, if that has one."""
    address: str = ""
    """The page that the text is about. Its text is told to the writer as the notes on the topic, and its title is the
    topic unless another is named."""


@dataclass(frozen=True)
class PassageOrder:
    """`start` and `end` of the passage in `text`, in UTF-16 units."""

    text: str
    start: int
    end: int
    remark: str
    language: str = Language.en
    account_ids: tuple[UUID, ...] = ()


_LONGEST_PASSAGE: Final = 6_000
"""Limit of characters of a rewritten passage, or twice the passage's length if that is more."""


@dataclass(frozen=True)
class _About:
    topic_id: UUID | None = None
    title: str = ""
    path: tuple[str, ...] = ()
    notes: str = ""
    above: tuple[tuple[str, str], ...] = ()
    link: str = ""


@dataclass(frozen=True)
class PostWritingService:
    sessions: Sessions
    tryouts: TryoutService
    pages: PageReader

    async def order_by_template(self, user_id: UUID, post_id: UUID, type: TemplateType, order: TemplateOrder) -> Tryout:
        """Queue a try-out and return its row; the caller starts its workflow, or the reconcile if that fails.

        Raises NotFound for the post. InvalidInput: not_found on `template_id` or `topic_id`; template_required or
        image_template_required on `template_id`, of the other type; template_syntax and prompt_too_long on
        `template_id`; variable_value_required and content_too_long on `inputs.<name>`; content_empty on `content`; as
        `PageReader.read_source` on `address`. SubscriptionRequired.
        """
        page = await self._source(user_id, post_id, type, order) if order.address.strip() else None
        async with self.sessions.begin() as session:
            post, assistant = await PostRepository(session).get(user_id, post_id)
            tryout = await self._by_template(session, post, type, order, assistant or "", page)
            if post.article is not None and type is TemplateType.image:
                tryout.settings = one_image(tryout.settings)
            return await self._added(session, post, tryout, order.assistant_id)

    async def order_passage(self, user_id: UUID, post_id: UUID, order: PassageOrder) -> Tryout:
        """As `order_by_template`. Raises NotFound for the post; InvalidInput as `passage_at`, and content_too_long on
        `remark`."""
        async with self.sessions.begin() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
            passage = passage_at(order.text, order.start, order.end, order.remark)
            if len(passage.remark) > MAX_REMARK:
                problem = FieldError("remark", ErrorCode.content_too_long, length=len(passage.remark), limit=MAX_REMARK)
                raise InvalidInput(errors=[problem])
            if post.article is None:
                limit = passage.room(await _limit(session, user_id, order.account_ids))
            else:
                limit = min(passage.room(MAX_BODY), max(_LONGEST_PASSAGE, 2 * len(passage.text)))
            tryout = Tryout(
                type=TemplateType.text,
                body="",
                settings=text_to_json(TextSettings()),
                language=order.language,
                inputs={},
                passage=passage_to_json(passage) | {"limit": limit, "article": post.article is not None},
            )
            return await self._added(session, post, tryout)

    async def order_part(
        self, user_id: UUID, article_id: UUID, part: WantedPart, by: TemplateOrder | None, language: str
    ) -> Tryout:
        """Queue a part of an article, `by` a template if given. As `order_by_template`.

        Raises NotFound for the article. InvalidInput as there; template_required on `template_id` for an outline or a
        section without one; content_empty on `text` if there is no text to summarise or revise, on `number` for a
        section that is not among the headings, on `remark` for a revision without one; content_too_long on `remark`,
        `text`, `title` or `headings`.
        """
        async with self.sessions.begin() as session:
            post, assistant = await PostRepository(session).get(user_id, article_id)
            if post.article is None:
                raise NotFound(what="article", id=str(article_id))
            problems = _unusable(part)
            if by is None and part.part in (Part.outline, Part.section):
                problems.append(FieldError("template_id", ErrorCode.template_required))
            if problems:
                raise InvalidInput(errors=problems)
            if by is None:
                settings = text_to_json(TextSettings())
                tryout = Tryout(type=TemplateType.text, body="", settings=settings, language=language, inputs={})
            else:
                tryout = await self._by_template(session, post, TemplateType.text, by, assistant or "")
            tryout.part = part_to_json(part)
            return await self._added(session, post, tryout)

    async def get(self, user_id: UUID, post_id: UUID, tryout_id: UUID) -> tuple[Tryout, bool, str]:
        """Return the try-out, whether it is on a budget, and the alternative text of its image. Raises NotFound, also
        if its template was deleted."""
        async with self.sessions() as session:
            tryout = await TryoutRepository(session).for_post(user_id, post_id, tryout_id)
            budgeted, alt = False, ""
            if tryout.assistant_id:
                budgeted = (await AssistantRepository(session).get(user_id, tryout.assistant_id)).row.budget is not None
            if tryout.media_id:
                alt = (await MediaRepository(session).alts(user_id, [tryout.media_id])).get(tryout.media_id, "")
        return tryout, budgeted, alt

    async def open(self, user_id: UUID, post_id: UUID, tryout_id: UUID) -> Tryout:
        """Return a try-out that can still be stopped. Raises NotFound, Conflict (tryout_over)."""
        tryout, *_ = await self.get(user_id, post_id, tryout_id)
        if not tryout.is_open:
            raise Conflict(ErrorCode.tryout_over)
        return tryout

    async def _source(self, user_id: UUID, post_id: UUID, type: TemplateType, order: TemplateOrder) -> SourcePage:
        """Return the page of an order. No server is asked for an order that would be refused without its page, too."""
        typed = order.address.strip()
        async with self.sessions() as session:
            post, assistant = await PostRepository(session).get(user_id, post_id)
            unread = SourcePage(typed, typed, "")
            tryout = await self._by_template(session, post, type, order, assistant or "", unread)
            await self._admit(session, post, tryout, order.assistant_id)
        return await self.pages.read_source(typed)

    async def _by_template(
        self,
        session: AsyncSession,
        post: Post,
        type: TemplateType,
        order: TemplateOrder,
        assistant: str,
        page: SourcePage | None = None,
    ) -> Tryout:
        """`assistant`: the name of the post's assistant."""
        user_id = post.user_id
        template, version = await _template(session, user_id, type, order)
        about = await _about(session, user_id, order)
        if page is not None:
            about = _about_page(page, about)
        brief = _brief(order, about, assistant)
        if problems := _problems(version.body, type, brief, order):
            raise InvalidInput(errors=problems)
        brands = BrandRepository(session)
        await brands.ensure_own(user_id, order.brand_id)
        accounts = await AccountRepository(session).filter_connected(user_id, order.account_ids)
        settings = text_from_json(version.settings.get("text") or {})
        setup = RunSetup(
            brief=brief,
            mode=Mode.draft,
            template_version_id=version.id,
            image_source=ImageSource.none,
            image_template_version_id=None,
            account_ids=order.account_ids,
            brand=await brands.voice_of_text(user_id, order.brand_id, settings.brand_id, own_voice(brief.variables)),
            brand_id=order.brand_id or settings.brand_id,
            text_per=TextPer.network if order.per_network else TextPer.post,
            networks=network_kinds(account.kind for account in accounts),
        )
        plan = plan_texts(
            setup,
            accounts,
            total=longest_limit(accounts, LONGEST_TEXT),
            longest=LONGEST_TEXT,
            most=settings.max_characters,
            link=_link_beside(post, about, order),
            files=facts_of(post),
        )
        sample = Sample(
            setup=setup,
            slot=order.planned_at or utcnow(),
            topic_id=about.topic_id,
            # the composer takes one text as it is, for all accounts
            limit=min(plan.totals.values(), default=plan.total) if plan.shared else plan.total,
            networks=plan.networks,
            totals=plan.totals,
            shared=plan.shared,
        )
        content = {CONTENT: order.content} if type is TemplateType.image else {}
        return Tryout(
            template_id=template.id,
            number=version.number,
            type=type,
            body=version.body,
            settings=_settings(type, version.settings),
            language=order.language,
            inputs=dict(order.inputs) | content,
            sample=sample_to_json(sample),
        )

    async def _added(
        self, session: AsyncSession, post: Post, tryout: Tryout, assistant_id: UUID | None = None
    ) -> Tryout:
        await self._admit(session, post, tryout, assistant_id)
        session.add(tryout)
        await session.flush()
        await notify_browsers(session, post.user_id, LiveKind.tryout, tryout.id)
        return tryout

    async def _admit(self, session: AsyncSession, post: Post, tryout: Tryout, assistant_id: UUID | None) -> None:
        """Make it a try-out of the post. Raise SubscriptionRequired as `TryoutService.admit`."""
        tryout.id, tryout.user_id, tryout.created_at = new_id(), post.user_id, utcnow()
        tryout.post_id, tryout.assistant_id = post.id, assistant_id or post.assistant_id
        await self.tryouts.admit(session, tryout)


def writing_of(tryout: Tryout) -> Writing:
    if tryout.passage:
        return Writing.passage
    if tryout.part:
        return Writing.part
    return Writing.image if tryout.type is TemplateType.image else Writing.text


def text_of(tryout: Tryout) -> str:
    """Return the text to insert, for a passage with its surrounding spaces. Empty until there is output."""
    if tryout.passage and tryout.output:
        return passage_from_json(tryout.passage).taken_by(tryout.output)
    return tryout.output


def texts_of(tryout: Tryout) -> Mapping[ChannelKind, str]:
    """Return the finished text of each network; empty for one text."""
    return tryout.sampled.texts if tryout.sample else {}


def link_of(tryout: Tryout) -> Link | None:
    """Return the link of the page that the text is about, with the topic as its title."""
    brief = tryout.sampled.setup.brief if tryout.sample else None
    if brief is None or not brief.topic_link:
        return None
    title = "" if brief.topic == brief.topic_link else brief.topic
    return tidied(Link(brief.topic_link, cut_text(title, MAX_LINK_TITLE)))


def outline_of(tryout: Tryout) -> Outline | None:
    """Return the finished outline, or None."""
    if not _is_made(tryout, Part.outline):
        return None
    return read_outline(tryout.output, "")


def search_of(tryout: Tryout) -> tuple[str, str] | None:
    """Return the finished search title and description, or None."""
    return read_search_fields(tryout.output) if _is_made(tryout, Part.search) else None


def _is_made(tryout: Tryout, part: Part) -> bool:
    ordered = part_from_json(tryout.part).part if tryout.part else None
    return ordered is part and tryout.state is GenerationState.succeeded


def _unusable(part: WantedPart) -> list[FieldError]:
    problems = [
        FieldError(field, ErrorCode.content_too_long, length=length, limit=limit)
        for field, length, limit in (
            ("title", len(part.title), MAX_TITLE),
            ("text", len(part.text), MAX_BODY),
            ("remark", len(part.remark), MAX_REMARK),
            # only sections use the headings
            ("headings", len(part.headings) if part.part is Part.section else 0, MOST_SECTIONS * 3),
        )
        if length > limit
    ]
    if part.part is Part.section and part.number not in range(len(part.headings)):
        problems.append(FieldError("number", ErrorCode.content_empty))
    if part.part in (Part.summary, Part.search, Part.revision) and not part.text.strip():
        problems.append(FieldError("text", ErrorCode.content_empty))
    if part.part is Part.revision and not part.remark.strip():
        problems.append(FieldError("remark", ErrorCode.content_empty))
    return problems


async def _template(
    session: AsyncSession, user_id: UUID, type: TemplateType, order: TemplateOrder
) -> tuple[Template, TemplateVersion]:
    templates = TemplateRepository(session)
    try:
        template, version, *_ = await templates.get(user_id, order.template_id)
        if order.version_id:
            version = await templates.version(user_id, order.version_id)
    except NotFound as error:
        raise InvalidInput(errors=[FieldError("template_id", ErrorCode.not_found)]) from error
    if template.type is not type:
        text = type is TemplateType.text
        code = ErrorCode.template_required if text else ErrorCode.image_template_required
        raise InvalidInput(errors=[FieldError("template_id", code)])
    return template, version


async def _about(session: AsyncSession, user_id: UUID, order: TemplateOrder) -> _About:
    if order.topic_id is None or order.topic_tree_id is None:
        title = next(iter(used_values(f"(({TOPIC}))", order.inputs).values()), "").strip()
        return _About(title=title, notes=order.notes)
    nodes = await TopicRepository(session).nodes(user_id, order.topic_tree_id)
    node = next((node for node in nodes if node.id == order.topic_id), None)
    if node is None:
        raise InvalidInput(errors=[FieldError("topic_id", ErrorCode.not_found)])
    return _About(node.id, node.title, path_to(nodes, node.id), node.notes, notes_above(nodes, node.id), node.link)


def _about_page(page: SourcePage, about: _About) -> _About:
    """Return what is written about if a page is named: the page's text takes the place of the topic's notes, which are
    told as those on what it belongs to."""
    title = about.title or cut_text(one_line(page.title), MAX_TITLE_OF_TOPIC) or page.url
    own_notes = ((title, about.notes),) if about.notes.strip() else ()
    return replace(about, title=title, notes=page.text, above=(*own_notes, *about.above), link=page.url)


def _link_beside(post: Post, about: _About, order: TemplateOrder) -> Link | None:
    """Return the link that the post has beside the text: a named page takes the place of its own one, and a topic's
    page does not."""
    own = Link.from_json(post.link)
    return tidied(Link(about.link)) if about.link and (own is None or order.address.strip()) else own


def _brief(order: TemplateOrder, about: _About, assistant: str) -> Brief:
    filled = {name: value for name, value in order.inputs.items() if value.strip()}
    return Brief(
        name=assistant,
        language=order.language,
        time_zone=order.time_zone if order.time_zone in time_zones() else "UTC",
        # reserved variables take the post's values, except a given voice and a text to be reworked
        variables={name: value for name, value in filled.items() if not is_reserved(name)}
        | used_values(f"(({BRAND_VOICE})) (({CONTENT}))", filled),
        topic=about.title,
        topic_path=about.path,
        topic_notes=about.notes,
        notes_above=about.above,
        topic_link=about.link,
    )


def _problems(body: str, type: TemplateType, brief: Brief, order: TemplateOrder) -> list[FieldError]:
    """Return all problems that prevent generation."""
    if parse(body).errors:
        return [FieldError("template_id", ErrorCode.template_syntax)]
    image = type is TemplateType.image
    if image and not order.content.strip():
        return [FieldError("content", ErrorCode.content_empty)]
    values = variable_values(brief, day=brief.day(order.planned_at or utcnow()))
    if not brief.topic:
        del values[TOPIC]
    if image:
        values[CONTENT] = order.content
    used, problems = used_values(body, values), list[FieldError]()
    for name in parse(body).variables:
        field = f"inputs.{name}"
        if name not in used:
            problems.append(FieldError(field, ErrorCode.variable_value_required, name=name))
        elif len(value := used[name]) > MAX_VALUE and not (image and used_values(f"(({CONTENT}))", {name: value})):
            problems.append(FieldError(field, ErrorCode.content_too_long, length=len(value), limit=MAX_VALUE))
    if not problems:
        try:
            fill(body, used)
        except InvalidInput as error:
            return [FieldError("template_id", error.code, **error.params) for error in error.errors]
    return problems


async def _limit(session: AsyncSession, user_id: UUID, account_ids: Sequence[UUID]) -> int:
    """Return the most characters that one of the accounts takes: the others may have texts of their own."""
    accounts = await AccountRepository(session).filter_connected(user_id, account_ids)
    return longest_limit(accounts, LONGEST_TEXT)


def _settings(type: TemplateType, stored: dict[str, Any]) -> dict[str, Any]:
    if type is TemplateType.text:
        return text_to_json(text_from_json(stored.get("text") or {}))
    return image_to_json(image_from_json(stored.get("image") or {}))
