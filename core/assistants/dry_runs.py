"""Dry runs of an assistant's form, saved or not: ordered and read here, run as try-outs (`tryouts.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.rules.outlines import Outline, Part, WantedPart, part_to_json, read_outline
from core.assistants.configuration import AssistantForm
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import AssistantParts, ImageSource, TopicLink, missing
from core.assistants.rules.occurrences import occurrences
from core.assistants.rules.schedules import validate
from core.brands.repository import BrandRepository
from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, InvalidInput, NotFound
from core.ids import new_id, run_workflow
from core.live import LiveKind
from core.posts.fitting import longest_limit
from core.posts.repositories.posts import PostRepository
from core.runs.drafting import REMEMBERED_TOPICS
from core.runs.network_rooms import network_kinds, plan_texts
from core.runs.rules.runs import Brief, RunSetup
from core.runs.rules.samples import Sample, sample_to_json
from core.runs.text_orders import LONGEST_TEXT, channel_names, own_voice
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.repositories.templates import TemplateRepository
from core.templates.repositories.tryouts import TryoutRepository
from core.templates.rules.model_settings import text_from_json, text_to_json
from core.templates.rules.templates import TemplateType
from core.templates.tables import TemplateVersion, Tryout
from core.templates.tryouts import TryoutService
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import TopicNode, candidates, notes_above, path_to, pick
from core.websites.repositories.websites import WebsiteRepository

_ASKED = ("topic_tree_id", "template_id", "image_template_id", "variables")
"""Fields that a sample needs; schedule and accounts are not among them."""


@dataclass(frozen=True)
class DryRunService:
    sessions: Sessions
    tryouts: TryoutService

    async def order(
        self, user_id: UUID, form: AssistantForm, *, assistant_id: UUID | None, topic_id: UUID | None
    ) -> Tryout:
        """Queue a dry run and return its row; the caller starts its workflow, or the reconcile if that fails.

        `assistant_id` is the saved assistant of the form: its earlier posts decide about the topic, and the calls are
        on its budget. `topic_id` replaces the topic that would be next.

        Raises NotFound, InvalidInput (assistant_incomplete) with what is missing for a sample, SubscriptionRequired.
        """
        async with self.sessions.begin() as session:
            if assistant_id:
                await AssistantRepository(session).ensure_exists(user_id, assistant_id)
            templates = TemplateRepository(session)
            text = await _version(templates, user_id, form.template_version_id)
            image = await _version(templates, user_id, form.image_template_version_id)
            nodes: list[TopicNode] = []
            if form.topic_tree_id:
                await TopicRepository(session).get(user_id, form.topic_tree_id)
                nodes = await TopicRepository(session).nodes(user_id, form.topic_tree_id)
            if topic_id and all(node.id != topic_id for node in nodes):
                raise NotFound(what="topic", id=str(topic_id))
            self._must_be_enough(form, nodes, text, image)
            assert text is not None
            account_ids = form.account_ids
            if form.website_id:
                website = await WebsiteRepository(session).find(user_id, form.website_id)
                if website is None:
                    raise NotFound(what="website", id=str(form.website_id))
                account_ids = (website.account_id,)
            accounts = await AccountRepository(session).filter_connected(user_id, account_ids)
            tryout_id, slot = new_id(), _next_slot(form)
            node = await self._topic(session, user_id, form, nodes, assistant_id, topic_id, slot, tryout_id)
            settings = text_from_json(text.settings.get("text") or {})
            brands, voice = BrandRepository(session), own_voice(form.variables)
            await brands.ensure_own(user_id, form.brand_id)
            brand = await brands.voice_of_text(user_id, form.brand_id, settings.brand_id, voice)
            brand_id = form.brand_id or settings.brand_id
            setup = replace(_setup(form, nodes, node, accounts), brand=brand, brand_id=brand_id)
            plan = plan_texts(
                setup,
                accounts,
                total=longest_limit(accounts, LONGEST_TEXT),
                longest=LONGEST_TEXT,
                most=settings.max_characters,
            )
            sample = Sample(
                setup=setup,
                slot=slot or utcnow(),
                topic_id=node.id,
                limit=plan.total,
                networks=plan.networks,
                totals=plan.totals,
                shared=plan.shared,
            )
            tryout = Tryout(
                id=tryout_id,
                user_id=user_id,
                template_id=text.template_id,
                number=text.number,
                type=TemplateType.text,
                body=text.body,
                settings=text_to_json(settings),
                language=form.language,
                inputs={},
                assistant_id=assistant_id,
                sample=sample_to_json(sample),
                # for an article only title and headings: the whole would take and cost as much as a run
                part=part_to_json(WantedPart(Part.outline)) if form.website_id else None,
                created_at=utcnow(),
            )
            await self.tryouts.admit(session, tryout)
            session.add(tryout)
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.tryout, tryout.id)
        return tryout

    async def get(self, user_id: UUID, tryout_id: UUID) -> tuple[Tryout, Sequence[Account], bool]:
        """Return the try-out, its accounts that are still connected, and whether it is on a budget."""
        async with self.sessions() as session:
            tryout = await TryoutRepository(session).sample(user_id, tryout_id)
            accounts = await AccountRepository(session).filter_connected(user_id, tryout.sampled.setup.account_ids)
            budgeted = False
            if tryout.assistant_id:
                budgeted = (await AssistantRepository(session).get(user_id, tryout.assistant_id)).row.budget is not None
        return tryout, accounts, budgeted

    def outline(self, tryout: Tryout) -> Outline | None:
        """Return an article's outline as far as it is written; None for a post, or before any output."""
        return read_outline(tryout.output, "") if tryout.part and tryout.output.strip() else None

    async def open(self, user_id: UUID, tryout_id: UUID) -> Tryout:
        """Return a try-out that can still be stopped. Raises NotFound, Conflict (tryout_over)."""
        tryout, *_ = await self.get(user_id, tryout_id)
        if not tryout.is_open:
            raise Conflict(ErrorCode.tryout_over)
        return tryout

    def _must_be_enough(
        self, form: AssistantForm, nodes: list[TopicNode], text: TemplateVersion | None, image: TemplateVersion | None
    ) -> None:
        problems = missing(
            AssistantParts(
                name=form.name,
                schedule=form.schedule,
                topic_tree=form.topic_tree_id is not None,
                enabled_topics=len(candidates(nodes, form.pick_from)) if nodes else 0,
                template_body=text.body if text else None,
                image_source=form.image_source,
                image_template_body=image.body if image else None,
                variables=form.variables,
                accounts=len(form.account_ids),
                needs_image=(),
                publishes=False,
            )
        )
        if asked_problems := [problem for problem in problems if problem.field.partition(".")[0] in _ASKED]:
            raise InvalidInput(ErrorCode.assistant_incomplete, errors=asked_problems)

    async def _topic(
        self,
        session: AsyncSession,
        user_id: UUID,
        form: AssistantForm,
        nodes: list[TopicNode],
        assistant_id: UUID | None,
        topic_id: UUID | None,
        slot: datetime | None,
        tryout_id: UUID,
    ) -> TopicNode:
        by_id = {node.id: node for node in nodes}
        if topic_id:
            return by_id[topic_id]
        recent: list[UUID] = []
        if assistant_id:
            back = max(form.no_repeat, REMEMBERED_TOPICS)
            recent = await PostRepository(session).recent_topics(user_id, assistant_id, back)
        chosen = pick(
            candidates(nodes, form.pick_from),
            form.strategy,
            # the same seed as the run of that slot
            seed=run_workflow(assistant_id, slot) if assistant_id and slot else str(tryout_id),
            recent=recent,
            no_repeat=form.no_repeat,
        )
        return by_id[chosen.id]


async def _version(templates: TemplateRepository, user_id: UUID, version_id: UUID | None) -> TemplateVersion | None:
    return await templates.version(user_id, version_id) if version_id else None


def _next_slot(form: AssistantForm) -> datetime | None:
    """Return the next slot; None if the schedule is incomplete or has ended."""
    if validate(form.schedule):
        return None
    occurrence = next(iter(occurrences(form.schedule, utcnow())), None)
    return occurrence.slot if occurrence else None


def _setup(form: AssistantForm, nodes: list[TopicNode], node: TopicNode, accounts: Sequence[Account]) -> RunSetup:
    assert form.template_version_id is not None
    wrong = {problem.field for problem in validate(form.schedule)}
    draws = form.image_source is ImageSource.template
    return RunSetup(
        brief=Brief(
            name=form.name,
            language=form.language,
            time_zone="UTC" if "schedule.time_zone" in wrong else form.schedule.time_zone,
            variables=form.variables,
            topic=node.title,
            topic_path=path_to(nodes, node.id),
            topic_notes=node.notes,
            topic_link=node.link,
            notes_above=notes_above(nodes, node.id),
            channels=channel_names(accounts),
        ),
        mode=form.mode,
        template_version_id=form.template_version_id,
        image_source=form.image_source,
        image_template_version_id=form.image_template_version_id if draws else None,
        account_ids=tuple(account.id for account in accounts),
        image_fallback=form.image_fallback,
        ending=form.ending.with_topic_link(node.link) if form.topic_link is TopicLink.append else form.ending,
        text_per=form.text_per,
        networks=network_kinds(account.kind for account in accounts),
        second_look=form.second_look,
    )
