"""Rewrite a post that waits for approval, after a person's remark. The text they have seen is never published without
another answer: they are asked about the new text, or about the old one again."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai import prompts
from core.ai.model_calls import SUMMED, Meter, sum_or_none
from core.ai.model_texts import text_request, write_text
from core.ai.repositories.transactions import Cause
from core.ai.writers.base import TextOrder, Writer, Written, as_data
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
from core.errors import AwaitsMending, Conflict, ErrorCode, InvalidInput, KnownFault, NoMoreSpending, ProviderError
from core.networks.rules.links import Link
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.posts.changes import PostChange, notify_post_browsers, open_run_workflow, save_change
from core.posts.fitting import broken_rules, fit_texts, post_hash
from core.posts.recipients import assign_deliveries, chosen_accounts
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import Variant, parse_variants
from core.posts.tables.posts import Post
from core.runs.model_steps import ModelStep
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.tables import Run
from core.runs.text_orders import text_limit, text_order_of_run
from core.runs.writing import correcting_order, flaw_of
from core.social_accounts.repositories.accounts import AccountRepository
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import text_from_json
from core.texts.rules.endings import room_for
from core.texts.rules.texts import cut_text

WRITING_TIME: Final = timedelta(minutes=1)
"""Time that a rewrite takes; the person needs to read it before the deadline."""


@dataclass(frozen=True)
class RewritingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    approvals: ApprovalService
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
        """Write the requested text and ask about it. Does nothing if none is requested any more. Raises the errors of
        the writer's call, and Conflict or InvalidInput if the new text cannot replace the old one."""
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
            limit = text_limit(setup, accounts)
            order = await _order(session, post, run, setup, limit, old, remark)
        answer, used, how = await self._write_text(step.cause, order)
        new = _parse_new_text(post, answer.text, order)
        if post.article is None:
            text, variants = fit_texts(
                new.text,
                accounts,
                limit,
                setup.ending,
                order.max_characters,
                link=Link.from_json(post.link),
                images=len(post.files),
            )
            new = replace(new, text=text, variants=tuple(variants))
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post.id)
            approval = await ApprovalRepository(session).lock_current(post)
            if approval is None or approval.state is not ApprovalState.rewritten or approval.content_hash != old:
                return
            now = await database_now(session)
            if now >= approval.deadline_at:
                raise Conflict(ErrorCode.approval_expired)
            await self._replace_text(session, post, new, answer.model)
            await _record_evidence(session, post, order, used | how, remark)
            await self.approvals.request_approval(session, post, arming, now)
            post.version += 1

    async def _write_text(self, cause: Cause, order: TextOrder) -> tuple[Written, dict[str, Any], dict[str, Any]]:
        """Return the text, its usage, and facts about how it was made. A text with a flaw is written again once."""
        answer, used = await write_text(self.meter, cause, self.writer, order)
        flaw = flaw_of(answer.text, order)
        if flaw is None:
            return answer, used, {}
        try:
            again, more = await write_text(self.meter, cause, self.writer, correcting_order(order, flaw))
        except (NoMoreSpending, KnownFault, ProviderError) as error:
            # a person is waiting, so take the first text
            return answer, used, {"flaw": flaw.value, "correction": "accepted", "correction_code": error.code.value}
        sums = {name: sum_or_none([used[name], more[name]]) for name in SUMMED}
        if flaw_of(again.text, order):
            return answer, used | sums, {"flaw": flaw.value, "correction": "accepted"}
        return again, more | sums, {"flaw": flaw.value, "correction": "rewritten"}

    async def _admit(self, session: AsyncSession, post: Post, approval: Approval, remark: str) -> None:
        assert post.run_id is not None  # it has a workflow
        run, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        accounts = await AccountRepository(session).filter_connected(post.user_id, setup.account_ids)
        if not accounts:  # the run reports missing accounts itself
            return
        limit = text_limit(setup, accounts)
        order = await _order(session, post, run, setup, limit, approval.content_hash, remark)
        await self.meter.admit(session, post.user_id, text_request(self.writer, order))

    async def _requested(
        self, session: AsyncSession, user_id: UUID, run_id: UUID
    ) -> tuple[Post | None, Approval | None]:
        post = await PostRepository(session).find_by_run(user_id, run_id)
        approval = await ApprovalRepository(session).lock_current(post) if post else None
        is_requested = approval is not None and approval.state is ApprovalState.rewritten
        return (post, approval) if is_requested else (None, None)

    async def _replace_text(self, session: AsyncSession, post: Post, new: "_NewText", model: str) -> None:
        accounts = await chosen_accounts(session, post)
        if not accounts:
            raise InvalidInput(ErrorCode.account_disconnected)
        # keep texts that a person wrote for one account; variants fitted to a channel belong to the old text
        own = [variant for variant in parse_variants(post.variants) if variant.account_id is not None]
        post.content, post.written_by = new.text, model
        post.variants = [variant.to_json() for variant in (*new.variants, *own)]
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
        """Ask about the old text again, with the reason, until its deadline."""
        async with self.sessions.begin() as session:
            unlocked = await PostRepository(session).find_by_run(user_id, run_id)
            if unlocked is None:
                return
            post = await PostRepository(session).lock(user_id, unlocked.id, deleted=True)
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
    """The text that replaces a post's. `title`: of an article."""

    text: str
    title: str = ""
    variants: tuple[Variant, ...] = ()


def _parse_new_text(post: Post, answer: str, order: TextOrder) -> _NewText:
    if post.article is None:
        return _NewText(cut_text(answer, order.max_characters))
    title, text = read_revision(answer, ArticleFields.from_json(post.article).title)
    return _NewText(cut_text(text, MAX_BODY), title)


async def _order(
    session: AsyncSession, post: Post, run: Run, setup: RunSetup, limit: int, content_hash: str, remark: str
) -> TextOrder:
    """Return the order of the rewrite. `limit`: characters of its accounts. `content_hash`, `remark`: of the text that
    the person has read."""
    version = await TemplateRepository(session).version(post.user_id, setup.template_version_id)
    facts = await RunRepository(session).step_facts(post.user_id, run.id, StepKind.text)
    turn = await PostRepository(session).count_by_assistant(post.user_id, run.assistant_id)
    settings = text_from_json(version.settings.get("text") or {})
    order = text_order_of_run(
        version.body,
        settings,
        setup.brief,
        slot=run.slot,
        limit=limit - room_for(setup.ending) if post.article is None else article_room(settings.max_characters),
        user_id=post.user_id,
        # the built-in writer varies by seed and turn
        seed=f"{run.id}:{content_hash}",
        turn=turn + int(facts.get("rewrites", 0)),
    )
    if post.article is not None:
        title = ArticleFields.from_json(post.article).title
        order = revision_order(order, title, post.content, remark=remark, tone=settings.tone)
        return replace(order, refused=(*facts.get("refused", ()), post.content))
    again = prompts.REWRITE_REQUEST.format(text=as_data(post.content), remark=as_data(remark))
    refused = (*facts.get("refused", ()), post.content)
    return replace(order, brief=order.brief + again, unlike=post.content, refused=refused)


async def _record_evidence(
    session: AsyncSession, post: Post, order: TextOrder, used: dict[str, Any], remark: str
) -> None:
    """Save the latest prompt and the usage of all texts in the step's evidence."""
    assert post.run_id is not None
    runs = RunRepository(session)
    before = await runs.step_facts(post.user_id, post.run_id, StepKind.text)
    for name in ("flaw", "correction", "correction_code"):  # these belong to the previous text
        before.pop(name, None)
    sums = {name: sum_or_none([before.get(name), used.get(name)]) for name in SUMMED}
    again = {
        "prompt": order.brief,
        "rewrites": int(before.get("rewrites", 0)) + 1,
        "remark": remark,
        "refused": list(order.refused),
    }
    await runs.finish_step(post.user_id, post.run_id, StepKind.text, facts=before | used | sums | again)
