"""From an occurrence to a finished draft: topic, text, checks. Every step may be repeated and continues from what an
earlier attempt saved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai import prompts
from core.ai.model_calls import Meter
from core.ai.provider_faults import FaultService
from core.ai.writers.base import TextOrder, Writer
from core.articles.drafts import free_slug, slug_problems
from core.articles.rules.articles import ArticleFields
from core.assistants.configuration import missing_fields
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules.assistants import OPEN_RUNS, RunState, StepKind
from core.assistants.tables import Assistant
from core.brands.repository import BrandRepository
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.deliveries.tables.deliveries import Delivery
from core.demo.demo_texts import DemoTexts
from core.errors import AwaitsMending, Conflict, ErrorCode, FieldError, InvalidInput, KnownFault, Misconfigured
from core.ids import new_id
from core.live import LiveKind
from core.media.rules.media import MediaKind
from core.posts.changes import PlannedDelivery, planned_deliveries
from core.posts.fitting import broken_rules, own_hash, own_text, post_hash
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus
from core.posts.tables.posts import Post
from core.runs.model_steps import ModelStep
from core.runs.network_rooms import TextPlan, network_kinds, plan_texts
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import Brief, RunSetup
from core.runs.runnable import ensure_accounts_connected, ensure_runnable
from core.runs.tables import Run, TextVersion
from core.runs.text_orders import LONGEST_TEXT, MAX_OBJECTIONS, channel_names, own_voice, text_limit, text_order_of_run
from core.runs.writing import FinishedTexts, WritingService
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import text_from_json
from core.templates.tables import TemplateVersion
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import Strategy, candidates, notes_above, path_to, pick

REMEMBERED_TOPICS = 10
"""Recent topics that are loaded to find the current position in a tree, even if some of them were deleted."""


@dataclass(frozen=True)
class RunBeginning:
    wants_image: bool
    publishes: bool
    article: bool
    """Whether it writes an article, section by section."""


@dataclass(frozen=True)
class CheckedDraft:
    post_id: UUID
    content_hash: str
    deliveries: tuple[PlannedDelivery, ...]
    asks: bool
    """Whether a person may decide about the post first."""
    due: int
    """How many posts are scheduled for about its time."""
    version: int
    """The post's version."""


@dataclass(frozen=True)
class TextJob:
    """What the text step has to write, and for whom."""

    run: Run
    setup: RunSetup
    version: TemplateVersion
    accounts: Sequence[Account]
    plan: TextPlan
    order: TextOrder
    objections: int
    """Number of remarks on declined earlier posts that the prompt quotes."""
    edits: int
    """Number of changes of people in earlier posts that the prompt quotes."""
    versions: Sequence[TextVersion]
    """What earlier attempts have written."""


@dataclass(frozen=True)
class DraftingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    faults: FaultService
    catch_up: timedelta
    """How late a post may still be published."""
    demo_texts: DemoTexts

    async def begin(
        self,
        user_id: UUID,
        assistant_id: UUID,
        run_id: UUID,
        workflow_id: str,
        slot: datetime,
        *,
        by_hand: bool = False,
    ) -> RunBeginning:
        """Create the run's row and pick its topic. Raises InvalidInput if the assistant is incomplete, Conflict
        (run_cancelled) if the run's row is closed already."""
        problems: list[FieldError] = []
        async with self.sessions.begin() as session:
            runs = RunRepository(session)
            full = await AssistantRepository(session).get(user_id, assistant_id)
            run = await runs.insert_or_get(
                Run(
                    id=run_id,
                    user_id=user_id,
                    assistant_id=assistant_id,
                    workflow_id=workflow_id,
                    slot=slot,
                    by_hand=by_hand,
                )
            )
            # not `topic_id`: it is None again once the topic was deleted
            has_begun = bool(run.stored_setup)
            if not has_begun and run.state not in OPEN_RUNS:
                raise Conflict(ErrorCode.run_cancelled)
            if not has_begun and not (problems := missing_fields(full)):
                await self._pick_topic(session, full, run)
            await notify_browsers(session, user_id, LiveKind.run, run.id)
            setup = run.setup
        if problems:  # raised after the commit: the run's row stays, to be failed for this reason
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=problems)
        assert setup is not None  # set together with the topic
        return RunBeginning(
            wants_image=setup.wants_image, publishes=setup.publishes, article=setup.website_id is not None
        )

    async def _pick_topic(self, session: AsyncSession, full: FullAssistant, run: Run) -> None:
        row = full.row
        # checked by `missing_fields`
        assert row.topic_tree_id is not None
        assert row.template_version_id is not None
        nodes = await TopicRepository(session).nodes(run.user_id, row.topic_tree_id)
        recent = await PostRepository(session).recent_topics(run.user_id, row.id, max(row.no_repeat, REMEMBERED_TOPICS))
        chosen = pick(
            candidates(nodes, row.pick_from),
            row.strategy,
            seed=run.workflow_id,
            recent=recent,
            no_repeat=row.no_repeat,
        )
        path, node = path_to(nodes, chosen.id), next(node for node in nodes if node.id == chosen.id)
        # Lock the topic before the run's row references it: a reference followed by a lock would deadlock two runs.
        await TopicRepository(session).count_use(run.user_id, chosen.id, run.slot)
        run.topic_id = chosen.id
        brands, of_template = BrandRepository(session), await _brand_of_template(session, row)
        run.setup = RunSetup(
            brief=Brief(
                name=row.name,
                language=row.language,
                time_zone=(row.schedule or {}).get("time_zone", "UTC"),
                variables=row.variables,
                topic=chosen.title,
                topic_path=path,
                topic_notes=node.notes,
                topic_link=node.link,
                notes_above=notes_above(nodes, chosen.id),
                channels=channel_names(full.accounts),
            ),
            mode=row.mode,
            template_version_id=row.template_version_id,
            image_source=row.image_source,
            image_template_version_id=row.image_template_version_id,
            account_ids=tuple(account.id for account in full.accounts),
            image_order=row.image_order,
            ending=row.ending_for(node.link),
            catch_up_minutes=row.catch_up_minutes,
            image_fallback=row.image_fallback,
            veto_minutes=row.veto_minutes,
            at_deadline=row.at_deadline,
            website_id=row.website_id,
            brand=await brands.voice_of_text(row.user_id, row.brand_id, of_template, own_voice(row.variables)),
            brand_id=row.brand_id or of_template,
            text_per=row.text_per,
            networks=network_kinds(account.kind for account in full.accounts),
            second_look=row.second_look,
        )
        await session.flush()
        await RunRepository(session).finish_step(
            run.user_id,
            run.id,
            StepKind.topic,
            facts={
                "title": chosen.title,
                "path": " / ".join(path),
                "strategy": Strategy(row.strategy).value,
                "pick_from": row.pick_from.value,
            },
        )

    async def write(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """Write the text once: a repeated step finds the post and calls no model again. Raises AwaitsMending if a known
        fault would make it useless now; the repeat checks again."""
        step = ModelStep(self.sessions, user_id, run_id, StepKind.text, attempt)
        try:
            job = await self._start_text(step)
        except AwaitsMending:
            await self._recheck_networks(user_id, run_id)
            job = await self._start_text(step)
        if job is None:
            return
        writing = WritingService(self.sessions, self.meter, self.writer, self.catch_up)
        step = replace(step, texts=max(1, len(job.order.networks)))
        try:
            made = await writing.write_finished_texts(
                step, job.setup, job.run.assistant_id, job.order, job.run.slot, job.versions
            )
        except (KnownFault, Misconfigured) as error:
            raise AwaitsMending(error.code) from error
        await self._save_draft(job, made)

    async def _start_text(self, step: ModelStep) -> TextJob | None:
        """Start the step and return what it has to write, or None if it is written. Raises the errors of
        `ensure_runnable`, and InvalidInput (variable_value_required)."""
        user_id, run_id = step.user_id, step.run_id
        async with self.sessions.begin() as session:
            run, setup = await RunRepository(session).get_with_setup(user_id, run_id)
            if await _is_written(session, user_id, run_id):
                return None
            version = await TemplateRepository(session).version(user_id, setup.template_version_id)
            settings = text_from_json(version.settings.get("text") or {})
            accounts = await AccountRepository(session).filter_connected(user_id, setup.account_ids)
            turn = await PostRepository(session).count_by_assistant(user_id, run.assistant_id)
            before = await PostRepository(session).writing_context(
                user_id,
                run.assistant_id,
                beside=run_id,
                texts=prompts.MAX_EARLIER,
                objections=MAX_OBJECTIONS,
                edits=prompts.MAX_EDITS,
            )
            model = settings.model or self.writer.model
            await ensure_runnable(
                session,
                user_id,
                run_id,
                setup,
                self.catch_up,
                self.meter.entitlements,
                just_read=(run, accounts),
                asks=(self.writer.provider, model),
            )
            versions = await RunRepository(session).list_texts(user_id, run_id)
            await step.start(session, self.writer.provider, model)
        async with step.record_failures():
            plan = plan_texts(
                setup,
                accounts,
                total=text_limit(setup, accounts),
                longest=LONGEST_TEXT,
                most=settings.max_characters,
                one_for_all=self.writer.one_for_all,
            )
            order = text_order_of_run(
                version.body,
                settings,
                setup.brief,
                slot=run.slot,
                limit=plan.limit,
                user_id=user_id,
                seed=str(run_id),
                turn=turn,
                networks=plan.networks,
                shared=plan.shared,
                hashtags=setup.ending.keeps_hashtags,
                brand=setup.brand,
                latest=before.texts,
                edits=before.edits,
                objections=before.objections,
            )
        objections, edits = len(before.objections), len(before.edits)
        return TextJob(run, setup, version, accounts, plan, order, objections, edits, versions)

    async def _save_draft(self, job: TextJob, made: FinishedTexts) -> None:
        """Save the texts as a draft, fitted to its channels, and finish the step."""
        run, setup, version = job.run, job.setup, job.version
        text, fitted = job.plan.fit(made.text, made.texts, job.accounts)
        variants = [variant.to_json() for variant in fitted]
        async with self.sessions.begin() as session:
            post = Post(
                id=new_id(),
                user_id=run.user_id,
                assistant_id=run.assistant_id,
                run_id=run.id,
                source=PostSource.assistant,
                status=PostStatus.draft,
                content=text,
                variants=variants,
                written={"content": text, "variants": variants},
                review=[note.to_json() for note in made.notes],
                topic_title=setup.brief.topic,
                language=setup.brief.language,
                written_by=made.model,
                planned_at=run.slot,
                time_zone=setup.brief.time_zone,
            )
            session.add(post)
            await session.flush()
            await RunRepository(session).finish_step(
                run.user_id,
                run.id,
                StepKind.text,
                facts=made.facts
                | {"template_version_id": str(setup.template_version_id), "prompt": job.order.brief}
                | ({"objections": job.objections} if job.objections else {})
                | ({"edits": job.edits} if job.edits else {}),
            )
            await TemplateRepository(session).count_use(run.user_id, version.id)
            changed = ((LiveKind.template, version.template_id), (LiveKind.run, run.id), (LiveKind.post, post.id))
            await notify_browsers_of_all(session, [(run.user_id, kind, id) for kind, id in changed])

    async def _recheck_networks(self, user_id: UUID, run_id: UUID) -> None:
        """Check whether networks with a known fault work again."""
        async with self.sessions() as session:
            _, setup = await RunRepository(session).get_with_setup(user_id, run_id)
        await self.faults.recheck(user_id, setup.account_ids)

    async def check(self, user_id: UUID, run_id: UUID) -> CheckedDraft:
        """Check the draft against the rules of its channels, once, and store its hash, which identifies the content
        from here on. Raises InvalidInput with the broken rules."""
        async with self.sessions.begin() as session:
            runs, posts = RunRepository(session), PostRepository(session)
            run, setup = await runs.get_with_setup(user_id, run_id)
            post = await posts.find_by_run(user_id, run_id)
            if post is None:
                raise InvalidInput(ErrorCode.content_empty)
            if await runs.is_checked(user_id, run_id):
                # checked already, by an attempt whose answer was lost or before Temporal lost the workflow; since then
                # a person may have chosen other accounts or another text
                planned, due = planned_deliveries(post, post.deliveries), await posts.count_due_with(run.slot)
                asks = setup.asks and bool(planned)
                return CheckedDraft(post.id, post.content_hash or "", planned, asks, due, post.version)
            accounts = await AccountRepository(session).filter_connected(user_id, setup.account_ids)
            ensure_accounts_connected(setup, accounts)
            if self.demo_texts.are_asked_about(setup.mode, accounts, written_by=post.written_by):
                setup = run.setup = replace(setup, asks_about_demo=True)
            await _replace_taken_slug(session, post)
            held = await runs.image_problem(user_id, run_id)
            publishes = setup.publishes and held is None
            problems = [
                problem
                for problem in broken_rules(post, accounts)
                # the person who decides adds the image
                if not (held and problem.field == "files")
            ]
            if problems:
                raise InvalidInput(problems[0].code, errors=problems)
            post.content_hash = post_hash(post, accounts)
            deliveries = _deliveries(post, accounts) if publishes else []
            session.add_all(deliveries)
            asks = publishes and setup.asks
            post.status = PostStatus.complete if publishes and not asks else PostStatus.draft
            await session.flush()
            kinds = [file.media.kind for file in post.files]
            await runs.finish_step(
                user_id,
                run_id,
                StepKind.check,
                facts={
                    "characters": len(post.content),
                    "images": len(kinds) - kinds.count(MediaKind.document),
                    "documents": kinds.count(MediaKind.document),
                    "content_hash": post.content_hash,
                },
            )
            if not asks:  # else whoever asks says so
                await runs.set_state(user_id, run_id, RunState.ready if publishes else RunState.drafted, reason=held)
            changed = ((LiveKind.run, run_id), (LiveKind.post, post.id))
            await notify_browsers_of_all(session, [(user_id, kind, id) for kind, id in changed])
            due = await posts.count_due_with(run.slot) if deliveries else 0
            planned = planned_deliveries(post, deliveries)
            return CheckedDraft(post.id, post.content_hash, planned, asks, due, post.version)


async def _brand_of_template(session: AsyncSession, row: Assistant) -> UUID | None:
    """Return the brand that the assistant's text template names."""
    if not row.template_version_id:
        return None
    version = await TemplateRepository(session).version(row.user_id, row.template_version_id)
    return text_from_json(version.settings.get("text") or {}).brand_id


async def _is_written(session: AsyncSession, user_id: UUID, run_id: UUID) -> bool:
    """Return whether the post is there, or has been: a checked post may have been deleted since."""
    has_post = await PostRepository(session).find_by_run(user_id, run_id) is not None
    return has_post or await RunRepository(session).is_checked(user_id, run_id)


async def _replace_taken_slug(session: AsyncSession, post: Post) -> None:
    """Give an article another slug if another article has taken its slug since it was begun."""
    if post.article is not None and await slug_problems(session, post):
        fields = ArticleFields.from_json(post.article)
        slug = await free_slug(session, post.user_id, post.account_ids, fields.slug)
        post.article = replace(fields, slug=slug).to_json()


def _deliveries(post: Post, accounts: Sequence[Account]) -> list[Delivery]:
    """Return a delivery for each account: its existing one, or a new one."""
    existing = {delivery.account_id: delivery for delivery in post.deliveries}
    return [
        existing.get(account.id)
        or Delivery(
            id=new_id(),
            user_id=post.user_id,
            post_id=post.id,
            account_id=account.id,
            channel=account.kind,
            state=DeliveryState.pending,
            content_hash=post.content_hash,
            own_hash=own_hash(post, account),
            content=own_text(post, account),
        )
        for account in accounts
    ]
