"""The story of one post by its rows, in order of time, for an operator: ids, states and codes, no tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.ai.tables.transactions import Transaction
from core.database import Sessions
from core.deliveries.repositories.delivery_log import DeliveryLogRepository
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.deliveries.tables.delivery_log import DeliveryEntry
from core.monitoring.repository import StoryRepository
from core.notifications.tables.mails import Mail
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run, RunStep

_SHOWN = 70
"""Characters of the post's content."""


@dataclass(frozen=True)
class Event:
    at: datetime
    subject: str
    text: str


@dataclass(frozen=True)
class Story:
    post_id: UUID
    run_workflow: str | None
    """Id of the workflow of its run, if it has one."""
    follow_ups: Sequence[tuple[FollowUpKind, UUID]]
    """First comments, removals and revisions that were requested, with the delivery's id."""
    mail_ids: Sequence[UUID]
    facts: Sequence[str]
    events: Sequence[Event]


@dataclass(frozen=True)
class StoryService:
    sessions: Sessions

    async def read(self, id: UUID) -> Story | None:
        """Return the story of the post, or of the post that has this delivery or run; None if there is none."""
        async with self.sessions() as session:
            rows = StoryRepository(session)
            post = await rows.find_post(id)
            if post is None:
                return None
            mails = await rows.list_mails(post.user_id, post.id)
            notifications = await rows.list_notifications(post.user_id, post.id)
            entries = await DeliveryLogRepository(session).list_for_post(post.user_id, post.id)
            run: Run | None = None
            steps: Sequence[RunStep] = ()
            calls: Sequence[Transaction] = ()
            if post.run_id:
                run = await RunRepository(session).get(post.user_id, post.run_id)
                steps = await RunRepository(session).list_steps(post.user_id, post.run_id)
                calls = await rows.list_model_calls(post.user_id, post.run_id)
        events = [
            *_post_events(post),
            *(_run_events(run, steps, calls) if run else ()),
            *(event for delivery in post.deliveries for event in _delivery_events(delivery)),
            *map(_step_event, entries),
            *(event for mail in mails for event in _mail_events(mail)),
            *(Event(one.created_at, "notification", one.kind.value) for one in notifications),
        ]
        return Story(
            post_id=post.id,
            run_workflow=run.workflow_id if run else None,
            follow_ups=[found for delivery in post.deliveries for found in _follow_ups(delivery)],
            mail_ids=[mail.id for mail in mails],
            facts=list(_facts(post, run)),
            events=sorted(events, key=lambda event: event.at),
        )


def _facts(post: Post, run: Run | None) -> Iterator[str]:
    yield f"post {post.id}, {post.status.value}, by {post.source.value}, version {post.version}"
    yield f"owner {post.user_id}"
    if post.assistant_id:
        yield f"assistant {post.assistant_id}"
    if run:
        yield f"run {run.id}, {run.state.value}{f' ({run.reason})' if run.reason else ''}, slot {run.slot:%F %T} UTC"
    yield f"planned for {post.planned_at:%F %T} UTC" if post.planned_at else "no planned time"
    if post.deleted_at:
        yield f"deleted at {post.deleted_at:%F %T} UTC"
    content = " ".join(post.content.split())
    yield f"text: {content[:_SHOWN]}{'…' if len(content) > _SHOWN else ''} ({len(post.content)} characters)"
    for delivery in post.deliveries:
        told = f", {delivery.error_code}" if delivery.error_code else ""
        until = f", held until {delivery.held_until:%F %T} UTC" if delivery.state is DeliveryState.held else ""
        again = f", next attempt {delivery.retry_at:%F %T} UTC" if delivery.retry_at and not delivery.settled_at else ""
        yield (
            f"delivery {delivery.id} to {delivery.channel.value} (account {delivery.account_id}): "
            f"{delivery.state.value}{told}, {delivery.attempts} attempts{until}{again}"
        )
        if delivery.provider_id:
            yield f"  at the network: {delivery.provider_id} {delivery.permalink or ''}".rstrip()


def _post_events(post: Post) -> Iterator[Event]:
    yield Event(post.created_at, "post", "written down")
    if post.deleted_at:
        yield Event(post.deleted_at, "post", "deleted")
    for approval in post.approvals:
        yield Event(approval.created_at, "approval", f"asked, deadline {approval.deadline_at:%F %T} UTC")
        if approval.decided_at:
            by = "the deadline" if approval.by_deadline else "a person"
            yield Event(approval.decided_at, "approval", f"{approval.state.value} by {by}")


def _run_events(run: Run, steps: Sequence[RunStep], calls: Sequence[Transaction]) -> Iterator[Event]:
    yield Event(run.created_at, "run", f"begun{' by hand' if run.by_hand else ''}")
    if run.finished_at:
        yield Event(run.finished_at, "run", f"{run.state.value}{f', {run.reason}' if run.reason else ''}")
    for step in steps:
        yield from _failures(f"step {step.kind.value}", step.failures)
        yield Event(step.started_at, f"step {step.kind.value}", f"begun, attempt {step.attempt}")
        if step.finished_at:
            yield Event(step.finished_at, f"step {step.kind.value}", step.state.value)
    for call in calls:
        tokens = f"{_known(call.input_tokens)} + {_known(call.output_tokens)} tokens"
        text = f"{call.provider} {call.model}: {call.outcome.value} in {call.duration_ms} ms, {tokens}"
        yield Event(call.created_at, "model call", text)


def _known(figure: int | None) -> str:
    return "unknown" if figure is None else str(figure)


def _failures(subject: str, failures: Sequence[dict[str, Any]]) -> Iterator[Event]:
    for failure in failures:
        at = datetime.fromisoformat(str(failure["at"]))
        yield Event(at, subject, f"attempt {failure['attempt']} failed: {failure['code']}")


def _delivery_events(delivery: Delivery) -> Iterator[Event]:
    subject = f"delivery {delivery.channel.value}"
    yield from _failures(subject, delivery.failures)
    for at, text in (
        (delivery.called_at, "fence: the publishing call was made"),
        (delivery.settled_at, f"settled: {delivery.state.value}"),
        (delivery.decided_at, "decided by a person"),
        (delivery.removed_at, "removed at the network"),
        (delivery.revised_at, "changed at the site"),
    ):
        if at:
            yield Event(at, subject, text)


def _step_event(entry: DeliveryEntry) -> Event:
    calls = [
        f"{call['asked']} → {call['status'] or 'no answer'} ({call['milliseconds']} ms)" for call in entry.exchanges
    ]
    code = f", {entry.error_code}" if entry.error_code else ""
    text = f"{entry.step.value}, attempt {entry.attempt}: {entry.decision.value}{code}"
    return Event(entry.at, "evidence", "; ".join([text, *calls]))


def _mail_events(mail: Mail) -> Iterator[Event]:
    subject = f"mail {mail.kind.value}"
    yield Event(mail.created_at, subject, f"written down ({mail.id})")
    if mail.sent_at:
        yield Event(mail.sent_at, subject, "sent")
    elif mail.error:
        yield Event(mail.created_at, subject, f"{mail.state.value}: {mail.error}")


def _follow_ups(delivery: Delivery) -> Iterator[tuple[FollowUpKind, UUID]]:
    for kind, requested in (
        (FollowUpKind.first_comment, delivery.comment),
        (FollowUpKind.removal, delivery.removal),
        (FollowUpKind.revision, delivery.revision or delivery.revised_at),
    ):
        if requested:
            yield kind, delivery.id
