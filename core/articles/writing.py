"""Writes the article of a run part by part: outline, sections, summary, search texts. Each part is a step. Finished
parts are shown at once, and a repeated step does not ask the model again for an answer that is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import SUMMED, Meter, cut_prompts, sum_or_none
from core.ai.model_texts import write_text
from core.ai.provider_faults import FaultService
from core.ai.writers.base import DEMO_MODEL, TextOrder, Writer
from core.articles.drafts import free_slug
from core.articles.orders import article_room, outline_order, search_order, section_order, section_room, summary_order
from core.articles.rules.articles import ArticleFields, slug_of
from core.articles.rules.outlines import (
    MOST_SECTIONS,
    Outline,
    body_of,
    read_outline,
    read_search_fields,
    read_summary,
    section_text,
    skeleton_of,
)
from core.assistants.rules.assistants import StepKind, TextKind
from core.database import Sessions, notify_browsers_of_all
from core.errors import AwaitsMending, ErrorCode, InvalidInput, KnownFault, Misconfigured, NoMoreSpending, ProviderError
from core.i18n import texts_in
from core.ids import new_id
from core.live import LiveKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostSource, PostStatus
from core.posts.tables.posts import Post
from core.runs.model_steps import ModelStep
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.tables import Run, TextVersion
from core.runs.text_orders import MAX_OBJECTIONS, objections_text, text_order_of_run
from core.runs.writing import SECOND_ANSWER, correcting_order, flaw_of
from core.social_accounts.repositories.accounts import AccountRepository
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import text_from_json
from core.texts.rules.typography import typeset
from core.texts.rules.written_language import Flaw

TEXTS: Final = MOST_SECTIONS + 3
"""Limit of texts per article: sections, outline, summary and search texts."""


@dataclass(frozen=True)
class ArticleWritingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    faults: FaultService
    catch_up: timedelta
    """How late an article may be published."""

    async def write_outline(self, user_id: UUID, run_id: UUID, attempt: int) -> int:
        """Write title and headings, and create the article. Return the number of sections to write: 0 if the article
        has passed its checks. Raises as the writer's call; AwaitsMending as `DraftingService.write`."""
        if await self._is_checked(user_id, run_id):
            return 0
        step = self._step(user_id, run_id, StepKind.outline, attempt)
        async with self.sessions() as session:
            has_article = await PostRepository(session).find_by_run(user_id, run_id) is not None
            _, setup = await RunRepository(session).get_with_setup(user_id, run_id)
        if setup.publishes and not has_article:
            # faulty networks may work again: check before paying for a text that cannot be published
            await self.faults.recheck(user_id, setup.account_ids)
        work, order = await self._written(step, TextKind.outline, lambda work: outline_order(work.order))
        outline = work.outline()
        async with self.sessions.begin() as session:
            if await PostRepository(session).find_by_run(user_id, run_id) is None:
                post = await _begin_article(session, work, outline)
                await self._finish(session, step, work, order, post, {"sections": len(outline.headings)})
        return len(outline.headings)

    async def write_section(self, user_id: UUID, run_id: UUID, number: int, attempt: int) -> None:
        """Write section `number`, from 0, after all before it. Raises as `write_outline`."""
        if await self._is_checked(user_id, run_id):
            return
        step = self._step(user_id, run_id, StepKind.text, attempt)
        work, order = await self._written(
            step,
            TextKind.section,
            lambda work: section_order(
                work.order,
                work.outline(),
                number,
                body_of(work.outline().headings, work.sections(number)),
            ),
            part=number,
        )
        outline, sections = work.outline(), work.sections(number + 1)
        async with self.sessions.begin() as session:
            post = await _lock_article(session, user_id, run_id)
            last = len(sections) == len(outline.headings)
            post.content = (body_of if last else skeleton_of)(outline.headings, sections)
            if last:
                post.content += source_line(work.setup)
                await self._finish(session, step, work, order, post, {"sections": len(sections)})
            else:
                await _notify_browsers(session, post, run_id)

    async def write_summary(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """Raises as `write_outline`."""
        await self._field(
            self._step(user_id, run_id, StepKind.summary, attempt),
            TextKind.summary,
            summary_order,
            lambda fields, answer: replace(fields, summary=read_summary(answer)),
        )

    async def write_search(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """Write title and description for search results. Raises as `write_outline`."""

        def with_search(fields: ArticleFields, answer: str) -> ArticleFields:
            title, description = read_search_fields(answer)
            return replace(fields, seo_title=title, seo_description=description)

        step = self._step(user_id, run_id, StepKind.search, attempt)
        await self._field(step, TextKind.search, search_order, with_search)

    async def _field(
        self,
        step: ModelStep,
        kind: TextKind,
        order_of: Callable[..., TextOrder],
        apply: Callable[[ArticleFields, str], ArticleFields],
    ) -> None:
        """Write one of the article's fields from its whole text."""

        def make(work: _ArticleInProgress) -> TextOrder:
            outline = work.outline()
            sections = work.sections(len(outline.headings))
            return order_of(work.order, outline.title, body_of(outline.headings, sections))

        if await self._is_checked(step.user_id, step.run_id):
            return
        work, order = await self._written(step, kind, make)
        async with self.sessions.begin() as session:
            post = await _lock_article(session, step.user_id, step.run_id)
            fields = apply(ArticleFields.from_json(post.article or {}), work.answer(kind))
            post.article = fields.to_json()
            await self._finish(session, step, work, order, post, {})

    async def _is_checked(self, user_id: UUID, run_id: UUID) -> bool:
        async with self.sessions() as session:
            return await RunRepository(session).is_checked(user_id, run_id)

    def _step(self, user_id: UUID, run_id: UUID, kind: StepKind, attempt: int) -> ModelStep:
        return ModelStep(self.sessions, user_id, run_id, kind, attempt, texts=TEXTS)

    async def _written(
        self, step: ModelStep, kind: TextKind, make: Callable[["_ArticleInProgress"], TextOrder], *, part: int = 0
    ) -> tuple["_ArticleInProgress", TextOrder]:
        """Return the article including the answer of that kind, and the order for it."""
        async with self.sessions.begin() as session:
            work = await _load_article(session, step)
            if (kind, part) in work.kept:
                return await self._in_its_language(step, kind, part, work, make(work))
            accounts = await AccountRepository(session).filter_connected(step.user_id, work.setup.account_ids)
            provider_and_model = self.writer.provider, work.order.model or self.writer.model
            await ensure_runnable(
                session,
                step.user_id,
                step.run_id,
                work.setup,
                self.catch_up,
                self.meter.entitlements,
                just_read=(work.run, accounts),
                asks=provider_and_model,
            )
            place = {"section": part + 1, "sections": len(work.outline().headings)} if kind is TextKind.section else {}
            await step.start(session, *provider_and_model, doing=kind, more=place)
        async with step.record_failures():
            order = make(work)
        try:
            async with step.record_failures():
                answer, used = await write_text(self.meter, step.cause, self.writer, order)
        except (KnownFault, Misconfigured) as error:
            raise AwaitsMending(error.code) from error
        work = await self._keep(step, kind, part, work, content=answer.text, used=used)
        return await self._in_its_language(step, kind, part, work, order)

    async def _in_its_language(
        self, step: ModelStep, kind: TextKind, part: int, work: "_ArticleInProgress", order: TextOrder
    ) -> tuple["_ArticleInProgress", TextOrder]:
        """Return them with a second answer if the first is in another language than the article."""
        flaw = flaw_of(work.kept[kind, part].content or "", order)
        if flaw is not Flaw.language or (kind, SECOND_ANSWER - part) in work.kept:
            return work, order
        try:
            async with step.record_failures():
                answer, used = await write_text(self.meter, step.cause, self.writer, correcting_order(order, flaw))
        except (NoMoreSpending, KnownFault, ProviderError) as error:
            if isinstance(error, ProviderError) and error.retryable:
                raise
            return await self._keep(step, kind, SECOND_ANSWER - part, work, reason=error.code), order
        return await self._keep(step, kind, SECOND_ANSWER - part, work, content=answer.text, used=used), order

    async def _keep(
        self, step: ModelStep, kind: TextKind, part: int, work: "_ArticleInProgress", **values: Any
    ) -> "_ArticleInProgress":
        async with self.sessions.begin() as session:
            version = await RunRepository(session).add_text(step.user_id, step.run_id, kind, part=part, **values)
        return replace(work, kept={**work.kept, (kind, part): version})

    async def _finish(
        self,
        session: AsyncSession,
        step: ModelStep,
        work: "_ArticleInProgress",
        order: TextOrder,
        post: Post,
        facts: Mapping[str, Any],
    ) -> None:
        used = work.used(_OF_STEP[step.kind])
        sums = {name: sum_or_none([usage.get(name) for usage in used]) for name in SUMMED}
        flawed = work.corrections(_OF_STEP[step.kind])
        evidence = {"template_version_id": str(work.setup.template_version_id), "prompt": order.brief}
        await RunRepository(session).finish_step(
            step.user_id,
            step.run_id,
            step.kind,
            facts=used[0] | sums | cut_prompts(used) | evidence | flawed | dict(facts),
        )
        if step.kind is StepKind.outline:
            await TemplateRepository(session).count_use(step.user_id, work.setup.template_version_id)
            changes = [(step.user_id, LiveKind.template, work.template_id)]
            await notify_browsers_of_all(session, changes)
        await _notify_browsers(session, post, step.run_id)


_OF_STEP: Final = {
    StepKind.outline: TextKind.outline,
    StepKind.text: TextKind.section,
    StepKind.summary: TextKind.summary,
    StepKind.search: TextKind.search,
}


@dataclass(frozen=True)
class _ArticleInProgress:
    """A run's article in progress. `order` is the template's order, not yet for a part."""

    run: Run
    setup: RunSetup
    order: TextOrder
    template_id: UUID
    kept: Mapping[tuple[TextKind, int], TextVersion]

    def answer(self, kind: TextKind, part: int = 0) -> str:
        """Return the answer with the typography of the article's language. The built-in writer's has it already."""
        first, second = self.kept[kind, part], self._second_answer(kind, part)
        answer = (first.content or "") if second is None else second
        if first.used.get("model") == DEMO_MODEL:
            return answer
        return typeset(answer, self.order.language, markdown=True)

    def _second_answer(self, kind: TextKind, part: int) -> str | None:
        """Return the answer that replaces the first one, if there is one without flaws."""
        version = self.kept.get((kind, SECOND_ANSWER - part))
        if version is None or not version.content or flaw_of(version.content, self.order):
            return None
        return version.content

    def corrections(self, kind: TextKind) -> dict[str, Any]:
        """Return the step's evidence about answers in another language."""
        parts = [SECOND_ANSWER - part for of, part in self.kept if of is kind and part < 0]
        if not parts:
            return {}
        better = all(self._second_answer(kind, part) is not None for part in parts)
        return {"flaw": Flaw.language.value, "correction": "rewritten" if better else "accepted"}

    def outline(self) -> Outline:
        return read_outline(self.answer(TextKind.outline), self.setup.brief.topic)

    def sections(self, count: int) -> list[str]:
        """Return the first `count` sections as they are in the article."""
        headings = self.outline().headings
        room = section_room(self.order.max_characters, len(headings))
        return [section_text(self.answer(TextKind.section, at), headings[at], room) for at in range(count)]

    def used(self, kind: TextKind) -> list[dict[str, Any]]:
        """Return the usage of each call for that kind."""
        return [version.used for (of, _), version in self.kept.items() if of is kind and version.used]


def source_line(setup: RunSetup) -> str:
    """Return the line that names the page that the article is about, to follow its text. Empty if the assistant does
    not end texts with the link of their topic."""
    link = setup.source_link
    if not link:
        return ""
    host = (urlsplit(link).hostname or "").removeprefix("www.")
    return f"\n\n{texts_in(setup.brief.language).text('article.source', page=f'[{host}](<{link}>)')}"


async def _load_article(session: AsyncSession, step: ModelStep) -> _ArticleInProgress:
    user_id, run_id = step.user_id, step.run_id
    run, setup = await RunRepository(session).get_with_setup(user_id, run_id)
    version = await TemplateRepository(session).version(user_id, setup.template_version_id)
    settings = text_from_json(version.settings.get("text") or {})
    before = await PostRepository(session).writing_context(
        user_id, run.assistant_id, beside=run_id, texts=1, objections=MAX_OBJECTIONS, edits=0
    )
    order = text_order_of_run(
        version.body,
        settings,
        setup.brief,
        slot=run.slot,
        limit=article_room(settings.max_characters) - len(source_line(setup)),
        user_id=user_id,
        seed=str(run_id),
        turn=await PostRepository(session).count_by_assistant(user_id, run.assistant_id),
        brand=setup.brand,
    )
    versions = await RunRepository(session).list_texts(user_id, run_id)
    return _ArticleInProgress(
        run=run,
        setup=setup,
        order=replace(order, latest=before.latest, brief=order.brief + objections_text(before.objections)),
        template_id=version.template_id,
        kept={(version.kind, version.part): version for version in versions},
    )


async def _begin_article(session: AsyncSession, work: _ArticleInProgress, outline: Outline) -> Post:
    run, brief = work.run, work.setup.brief
    account_ids = [str(account_id) for account_id in work.setup.account_ids]
    slug = await free_slug(
        session, run.user_id, account_ids, slug_of(outline.title) or slug_of(brief.topic) or run.id.hex[:12]
    )
    post = Post(
        id=new_id(),
        user_id=run.user_id,
        assistant_id=run.assistant_id,
        run_id=run.id,
        source=PostSource.assistant,
        status=PostStatus.draft,
        content=skeleton_of(outline.headings, ()),
        article=ArticleFields(title=outline.title, slug=slug).to_json(),
        topic_title=outline.title,
        language=brief.language,
        written_by=work.kept[TextKind.outline, 0].used["model"],
        account_ids=account_ids,
        planned_at=run.slot,
        time_zone=brief.time_zone,
    )
    session.add(post)
    await session.flush()
    return post


async def _lock_article(session: AsyncSession, user_id: UUID, run_id: UUID) -> Post:
    """Return the run's article, locked until the transaction ends."""
    posts = PostRepository(session)
    article = await posts.find_by_run(user_id, run_id)
    if article is None:
        raise InvalidInput(ErrorCode.content_empty)
    return await posts.lock(user_id, article.id, deleted=True)


async def _notify_browsers(session: AsyncSession, post: Post, run_id: UUID) -> None:
    changed: Sequence[tuple[LiveKind, UUID]] = ((LiveKind.run, run_id), (LiveKind.post, post.id))
    await notify_browsers_of_all(session, [(post.user_id, kind, id) for kind, id in changed])
