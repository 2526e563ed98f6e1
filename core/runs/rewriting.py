"""Rewrite a post that waits for approval, after a person's remark. The text they have seen is never published without
another answer: they are asked about the new text, or about the old one again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai import prompts
from core.ai.model_calls import SUMMED, Meter, sum_or_none
from core.ai.model_texts import text_request
from core.ai.writers.base import TextOrder, Writer, as_data
from core.approvals.questions import ApprovalService, lock_waiting
from core.approvals.repositories.approvals import ApprovalRepository
from core.approvals.rules import ApprovalState, reminder_at
from core.approvals.tables.approvals import Approval
from core.articles.orders import article_room, revision_order
from core.articles.rules.articles import MAX_BODY, ArticleFields
from core.articles.rules.outlines import read_revision
from core.articles.writing import TEXTS
from core.assistants.rules.assistants import RunState, StepKind
from core.database import Sessions
from core.database_clock import database_now
from core.errors import AwaitsMending, Conflict, DomainError, ErrorCode, InvalidInput
from core.networks.registry import channel
from core.networks.rules.links import Link
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.posts.changes import PostChange, notify_post_browsers, open_run_workflow, save_change
from core.posts.fitting import broken_rules, carousel_pages, post_hash
from core.posts.recipients import assign_deliveries, chosen_accounts
from core.posts.repositories.posts import PostRepository
from core.posts.rules.edited_texts import note_earlier_pages
from core.posts.rules.posts import Variant, parse_variants
from core.posts.tables.posts import Post
from core.runs.carousels import CarouselOrder, StructuredPages
from core.runs.imaging import ImagingService
from core.runs.kept_rewrites import KeptRewrite, MadeTexts, discard_answers, without_answers
from core.runs.model_steps import ModelStep
from core.runs.network_rooms import TextPlan, plan_texts, without_parameters
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.second_looks import SecondLooks
from core.runs.tables import Run
from core.runs.text_orders import LONGEST_TEXT, text_limit, text_order_of_run
from core.runs.unstored_texts import UnstoredTexts
from core.runs.writing import (
    DraftText,
    FurtherText,
    Place,
    TextOrders,
    correct_flaw,
    earlier_posts,
    facts_of_networks,
    find_faults,
    orders_for,
    set_type,
)
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import text_from_json
from core.texts.rules.review import ReviewNote, parse_review
from core.texts.rules.texts import cut_text

_OF_ONE_TEXT: Final = (
    *("flaw", "correction", "correction_code", "texts", "networks", "copied", "copied_code"),
    *("fitting", "fitting_code", "first_characters", "limit", "found", "revision", "revised", "revision_code"),
    *("similarity", "first_similarity", "similar_post_id", "similar_topic", "compared"),
    *("repetition", "repetition_code", "prompt_cut"),
)
"""What the evidence says about a text, and no longer after a rewrite."""
WRITING_TIME: Final = timedelta(minutes=1)
"""Time that a rewrite takes; the person needs to read it before the deadline."""


@dataclass(frozen=True)
class RewritingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    approvals: ApprovalService
    imaging: ImagingService
    catch_up: timedelta

    async def request_rewrite(self, user_id: UUID, post_id: UUID, *, content_hash: str, remark: str) -> PostChange:
        """Request another text instead of the one shown. Raises Conflict: approval_outdated if this content waits for
        no approval, approval_expired after the deadline, rewrite_too_late shortly before it, post_not_editable if the
        run does not wait for the answer; SubscriptionRequired."""
        async with self.sessions.begin() as session:
            post, approval, now = await lock_waiting(session, user_id, post_id, content_hash)
            if now + WRITING_TIME >= approval.deadline_at:
                raise Conflict(ErrorCode.rewrite_too_late)
            workflow = await open_run_workflow(session, post)
            if workflow is None:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            if self.meter.entitlements.asks:
                await self._admit(session, post, approval, remark)
            approval.state, approval.decided_at, approval.remark = ApprovalState.rewritten, now, remark
            approval.remind_at = approval.rewrite_error = None
            await NotifyingService(session).resolve(user_id, About(post_id=post.id), NotificationKind.approval_needed)
            assert post.run_id is not None  # it has a workflow
            await RunRepository(session).set_state(user_id, post.run_id, RunState.preparing)
            return await save_change(session, post, workflow)

    async def write(self, user_id: UUID, run_id: UUID, attempt: int, arming: timedelta) -> None:
        """Write the requested text and ask about it, with the run's carousel drawn anew. Does nothing if none is
        requested any more. A repeat pays for no text and no pages again that an earlier attempt has got. Raises the
        errors of the writer's call, of drawing and storing, and Conflict or InvalidInput if the new text cannot replace
        the old one."""
        async with self.sessions() as session:
            post, approval = await self._requested(session, user_id, run_id)
            if post is None or approval is None:
                return
            texts = 1 if post.article is None else TEXTS
            step = ModelStep(self.sessions, user_id, run_id, StepKind.text, attempt, texts=texts)
            old, remark = approval.content_hash, approval.remark
            run, setup = await RunRepository(session).get_with_setup(user_id, run_id)
            accounts = await AccountRepository(session).filter_connected(user_id, setup.account_ids)
            try:
                await ensure_runnable(
                    session, user_id, run_id, setup, self.catch_up, self.meter.entitlements, just_read=(run, accounts)
                )
            except AwaitsMending as error:
                # the person is waiting: ask about the old text instead
                raise Conflict(error.code) from error
            order, plan = await self._order(session, post, run, setup, accounts, old, remark)
            pages = "pages" in await RunRepository(session).step_facts(user_id, run_id, StepKind.image)
            looks = replace(SecondLooks.of_run(setup, self.writer), remark=remark)
            compares = post.article is None and not looks.are_off
            earlier = await earlier_posts(session, user_id, run.assistant_id, beside=run_id) if compares else []
        orders = orders_for(order)
        kept = await KeptRewrite.load(self.sessions, approval, run_id)
        # a person asked for each rewrite, so each may make the calls for its texts
        texts = max(texts, len(orders.alone)) + kept.number * len(orders.alone) + (kept.number + 1) * pages
        cause = replace(step.cause, texts=texts)
        source = UnstoredTexts(self.meter, cause, self.writer)
        made, how = await kept.texts(orders, partial(_write_texts, source, orders))
        if post.article is None:
            found = find_faults(made, orders, earlier, looks)
            notes = tuple(note for notes in found.values() for note in notes)
            how = how | ({"found": [note.to_json() for note in notes]} if notes else {})
            new = replace(_new_texts(post, made, orders, plan, accounts), notes=notes)
        else:
            new = _parse_revision(post, made[None])
        carousel = None
        if new.text != post.content:
            carousel = await self.imaging.redraw_carousel(
                user_id, run_id, attempt, new.text, lambda order: kept.pages(partial(self._structure, source, order))
            )
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post.id)
            approval = await ApprovalRepository(session).lock_current(post)
            if approval is None or approval.state is not ApprovalState.rewritten or approval.content_hash != old:
                await discard_answers(session, user_id, run_id)
                return
            now = await database_now(session)
            if now >= approval.deadline_at:
                raise Conflict(ErrorCode.approval_expired)
            if carousel is not None:
                await PostRepository(session).set_files(post, carousel.files)
            elif carousel_pages(post) and (
                note := note_earlier_pages(parse_review(post.review), post.content, new.text)
            ):
                new = replace(new, notes=(*new.notes, note))
            await self._replace_text(session, post, new)
            await _record_evidence(session, post, order, how, remark)
            if carousel is not None:
                runs = RunRepository(session)
                await runs.finish_step(user_id, run_id, StepKind.image, facts=carousel.facts)
            await self.approvals.request_approval(session, post, arming, now)
            post.version += 1

    async def _structure(self, source: UnstoredTexts, order: CarouselOrder) -> StructuredPages:
        """Return the pages of the new text. If there is no time for the model or its call fails, the text's sentences
        are the pages: the person waits."""
        structuring = self.imaging.structuring
        if not source.has_time():
            return structuring.plain(order)
        try:
            return await structuring.structure(source.cause, order)
        except DomainError as error:
            return structuring.plain(order, error)

    async def _admit(self, session: AsyncSession, post: Post, approval: Approval, remark: str) -> None:
        assert post.run_id is not None  # it has a workflow
        run, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        accounts = await AccountRepository(session).filter_connected(post.user_id, setup.account_ids)
        if not accounts:  # the run reports missing accounts itself
            return
        order, _ = await self._order(session, post, run, setup, accounts, approval.content_hash, remark)
        await self.meter.admit(session, post.user_id, text_request(self.writer, order))

    async def _order(
        self,
        session: AsyncSession,
        post: Post,
        run: Run,
        setup: RunSetup,
        accounts: Sequence[Account],
        content_hash: str,
        remark: str,
    ) -> tuple[TextOrder, TextPlan]:
        """Return the order of the rewrite, and how its texts are ended. `content_hash`, `remark`: of the text that the
        person has read."""
        version = await TemplateRepository(session).version(post.user_id, setup.template_version_id)
        facts = await RunRepository(session).step_facts(post.user_id, run.id, StepKind.text)
        turn = await PostRepository(session).count_by_assistant(post.user_id, run.assistant_id)
        settings = text_from_json(version.settings.get("text") or {})
        plan = plan_texts(
            setup,
            accounts,
            total=text_limit(setup, accounts),
            longest=LONGEST_TEXT,
            most=settings.max_characters,
            one_for_all=self.writer.one_for_all,
        )
        is_article = post.article is not None
        order = text_order_of_run(
            version.body,
            settings,
            setup.brief,
            slot=run.slot,
            limit=article_room(settings.max_characters) if is_article else plan.limit,
            user_id=post.user_id,
            # the built-in writer varies by seed and turn
            seed=f"{run.id}:{content_hash}",
            turn=turn + int(facts.get("rewrites", 0)),
            networks=() if is_article else plan.networks,
            shared=plan.shared,
            hashtags=setup.ending.keeps_hashtags,
            brand=setup.brand,
        )
        refused = (*facts.get("refused", ()), post.content)
        if post.article is not None:
            title = ArticleFields.from_json(post.article).title
            order = revision_order(order, title, post.content, remark=remark)
            return replace(order, refused=refused), plan
        again = prompts.REWRITE_REQUEST.format(text=_quoted(post, setup, plan), remark=as_data(remark))
        return replace(order, brief=order.brief + again, unlike=post.content, refused=refused), plan

    async def _requested(
        self, session: AsyncSession, user_id: UUID, run_id: UUID
    ) -> tuple[Post | None, Approval | None]:
        post = await PostRepository(session).find_by_run(user_id, run_id)
        approval = await ApprovalRepository(session).lock_current(post) if post else None
        is_requested = approval is not None and approval.state is ApprovalState.rewritten
        return (post, approval) if is_requested else (None, None)

    async def _replace_text(self, session: AsyncSession, post: Post, new: "_NewText") -> None:
        accounts = await chosen_accounts(session, post)
        if not accounts:
            raise InvalidInput(ErrorCode.account_disconnected)
        # keep texts that a person wrote for one account; variants fitted to a channel belong to the old text
        own = [variant for variant in parse_variants(post.variants) if variant.account_id is not None]
        post.content, post.written_by = new.text, new.model
        post.variants = [variant.to_json() for variant in (*new.variants, *own)]
        if post.article is None:
            post.review = [note.to_json() for note in new.notes]
            post.written = {"content": post.content, "variants": post.variants}
        if post.article is not None:
            post.article = replace(ArticleFields.from_json(post.article), title=new.title).to_json()
            post.topic_title = new.title
        if problems := broken_rules(post, accounts):
            raise InvalidInput(problems[0].code, errors=problems)
        post.content_hash = post_hash(post, accounts)
        if await ApprovalRepository(session).lock_current(post):  # the person has already read this very text
            raise Conflict(ErrorCode.rewrite_same)
        assign_deliveries(session, post, accounts)

    async def give_up(self, user_id: UUID, run_id: UUID, code: ErrorCode) -> None:
        """Ask about the old text again, with the reason, until its deadline. What was paid for the new one stays in the
        evidence."""
        async with self.sessions.begin() as session:
            unlocked = await PostRepository(session).find_by_run(user_id, run_id)
            if unlocked is None:
                return
            post = await PostRepository(session).lock(user_id, unlocked.id, deleted=True)
            await discard_answers(session, user_id, run_id)
            approval = await ApprovalRepository(session).lock_current(post)
            if approval is None or approval.state is not ApprovalState.rewritten:
                return
            now = await database_now(session)
            approval.state, approval.decided_at, approval.rewrite_error = ApprovalState.waiting, None, code
            approval.remind_at = reminder_at(now, approval.deadline_at)
            # a text with an objection must not be published by default
            approval.at_deadline = approval.at_deadline.without_publishing()
            await RunRepository(session).set_state(user_id, run_id, RunState.waiting)
            # no mail: the reminder follows anyway
            again = f"{approval.id}:{post.version}"
            about = About(post_id=post.id)
            await NotifyingService(session).notify(user_id, NotificationKind.approval_needed, again, about)
            await notify_post_browsers(session, post)


@dataclass(frozen=True)
class _NewText:
    """The text that replaces a post's. `title`: of an article. `notes`: of the second look."""

    text: str
    model: str
    title: str = ""
    variants: tuple[Variant, ...] = ()
    notes: tuple[ReviewNote, ...] = ()


def _parse_revision(post: Post, made: DraftText) -> _NewText:
    """Return the new title and text of an article."""
    assert post.article is not None
    title, text = read_revision(made.text, ArticleFields.from_json(post.article).title)
    return _NewText(cut_text(text, MAX_BODY), made.model, title)


def _new_texts(
    post: Post, made: Mapping[Place, DraftText], orders: TextOrders, plan: TextPlan, accounts: Sequence[Account]
) -> _NewText:
    """Return the new text and variants of a social post."""
    texts = {place: cut_text(draft.text, orders.alone[place].max_characters) for place, draft in made.items()}
    own = {place: text for place, text in texts.items() if place is not None}
    link, images = Link.from_json(post.link), len(post.files)
    content, variants = plan.fit(texts.get(None, ""), own, accounts, link=link, images=images)
    return _NewText(content, next(iter(made.values())).model, variants=variants)


async def _write_texts(source: UnstoredTexts, orders: TextOrders) -> MadeTexts:
    """Return the texts, and facts about how they were made, with the usage of their calls. A text with a flaw is
    written again once. A network without a text takes the first one that there is."""
    first = await source.first_texts(orders)
    instead = next(text for text in first.values() if text.text)
    made: dict[Place, DraftText] = {}
    facts: dict[Place, dict[str, Any]] = {}
    for place, order in orders.alone.items():
        text, copied = first[place], dict[str, Any]()
        if not text.text:
            text, copied = instead, {"copied": True, "copied_code": text.reason}
        chosen, model, how = await correct_flaw(text.text, text.model, order, partial(source.ask, place))
        # an article's code stays as it is
        shown = FurtherText(chosen, model) if order.article else set_type(FurtherText(chosen, model), order)
        made[place] = DraftText(shown.text, model)
        facts[place] = copied | how
    how = facts[None] if None in facts else facts_of_networks(made, facts)
    return made, source.used[0] | source.sums() | how


def _quoted(post: Post, setup: RunSetup, plan: TextPlan) -> str:
    """Return the post's texts as data: of each network, or the one text. Their links are without the brand's
    parameters, or the new text for one network would keep those of another."""
    if plan.shared:
        return as_data(without_parameters(post.content, setup))
    own = {one.channel: one.content for one in parse_variants(post.variants) if one.account_id is None}
    texts = {room.kind: without_parameters(own.get(room.kind, post.content), setup) for room in plan.networks}
    return "; ".join(f"for {channel(kind).label}: {as_data(text)}" for kind, text in texts.items())


async def _record_evidence(
    session: AsyncSession, post: Post, order: TextOrder, how: dict[str, Any], remark: str
) -> None:
    """Save the latest prompt, how its text was made, and the usage of all texts in the step's evidence."""
    assert post.run_id is not None
    runs = RunRepository(session)
    before = await runs.step_facts(post.user_id, post.run_id, StepKind.text)
    for name in _OF_ONE_TEXT:
        before.pop(name, None)
    sums = {name: sum_or_none([before.get(name), how.get(name)]) for name in SUMMED}
    again = {
        "prompt": order.brief,
        "rewrites": int(before.get("rewrites", 0)) + 1,
        "remark": remark,
        "refused": list(order.refused),
    }
    await runs.finish_step(post.user_id, post.run_id, StepKind.text, facts=without_answers(before) | how | sums | again)
