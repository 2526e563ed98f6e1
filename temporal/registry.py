"""All workflows and activities, and the queues that run them: one list for worker, replayer and tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from activities.articles import ArticleWriting
from activities.comparing import Comparing
from activities.delivering import Delivering
from activities.drafting import Drafting
from activities.feeding import Feeding
from activities.follow_ups import Announcing, Commenting, Removing, Revising
from activities.granting import Granting
from activities.imaging import Imaging
from activities.mailing import Mailing
from activities.post_progress import PostProgress
from activities.projecting import Projecting
from activities.rewriting import Rewriting
from activities.scheduling import Scheduling
from activities.steering import Steering
from activities.suggesting import Suggesting
from activities.tryouts import Tryouts
from core.container import Services
from core.networks.rules.channels import ChannelKind
from workflows.assistant import AssistantWorkflow
from workflows.comparison import ComparisonWorkflow
from workflows.feed import FeedWorkflow
from workflows.follow_ups import AnnouncementWorkflow, FirstCommentWorkflow, RemovalWorkflow, RevisionWorkflow
from workflows.grant import GrantWorkflow
from workflows.mail import MailWorkflow
from workflows.names import ASSISTANTS, MAILS, MODELS, RUNS, deliver_queue
from workflows.post import PostWorkflow
from workflows.run import RunWorkflow
from workflows.suggestion import SuggestionWorkflow
from workflows.tryout import TryoutWorkflow

_RUNS_WORKFLOWS: Sequence[type] = (
    RunWorkflow,
    PostWorkflow,
    MailWorkflow,
    TryoutWorkflow,
    SuggestionWorkflow,
    ComparisonWorkflow,
    GrantWorkflow,
    FirstCommentWorkflow,
    RemovalWorkflow,
    RevisionWorkflow,
    AnnouncementWorkflow,
    FeedWorkflow,
)
WORKFLOWS: Sequence[type] = (AssistantWorkflow, *_RUNS_WORKFLOWS)

Step = Callable[..., Any]


@dataclass(frozen=True)
class WorkerGroup:
    """What one queue's worker runs."""

    queue: str
    workflows: Sequence[type] = ()
    steps: Sequence[Step] = ()
    step_slots: int = 100
    heartbeats: timedelta = timedelta(seconds=60)
    """Longest interval in which heartbeats reach the server, whose answer contains cancellations."""
    cached: int = 500
    """Workflows kept in memory. Others are replayed from their beginning whenever they wake."""


@dataclass(frozen=True)
class Steps:
    """The activities with their services."""

    scheduling: Scheduling
    drafting: Drafting
    articles: ArticleWriting
    imaging: Imaging
    delivering: Delivering
    mailing: Mailing
    projecting: Projecting
    post_progress: PostProgress
    rewriting: Rewriting
    tryouts: Tryouts
    suggesting: Suggesting
    steering: Steering
    comparing: Comparing
    granting: Granting
    commenting: Commenting
    removing: Removing
    revising: Revising
    announcing: Announcing
    feeding: Feeding

    @classmethod
    def of(cls, services: Services) -> "Steps":
        return cls(
            Scheduling(),
            Drafting(services.drafting),
            ArticleWriting(services.article_writing),
            Imaging(services.imaging),
            Delivering(services.delivering, services.staging),
            Mailing(services.mailing),
            Projecting(services.projecting),
            PostProgress(services.publishing, services.approvals),
            Rewriting(services.rewriting),
            Tryouts(services.tryouts),
            Suggesting(services.suggestions),
            Steering(services.slot_skips),
            Comparing(services.subscriptions),
            Granting(services.renewals),
            Commenting(services.first_comments),
            Removing(services.removals),
            Revising(services.revisions),
            Announcing(services.auto_announcements),
            Feeding(services.topic_feed_readings),
        )


def groups(steps: Steps) -> list[WorkerGroup]:
    return [
        WorkerGroup(
            ASSISTANTS,
            [AssistantWorkflow],
            [steps.scheduling.plan, steps.projecting.assistant, steps.steering.skip, steps.steering.unskip],
            20,
            # an assistant wakes a few times a day and has a short history: half a megabyte each costs more than
            # replaying it
            cached=100,
        ),
        WorkerGroup(
            RUNS,
            _RUNS_WORKFLOWS,
            [
                steps.drafting.begin,
                steps.drafting.check,
                steps.projecting.missed,
                steps.projecting.finish,
                steps.projecting.fail,
                steps.post_progress.look,
                steps.post_progress.outline,
                steps.post_progress.end,
                steps.rewriting.keep_text,
                steps.tryouts.end_tryout,
                steps.suggesting.end_suggestion,
                steps.comparing.compare_subscriptions,
                steps.granting.look_at_grant,
                steps.announcing.announce_article,
                steps.feeding.read_feed,
            ],
            100,
            # runs due at a full hour wake within a minute
            cached=2000,
        ),
        WorkerGroup(
            MODELS,
            (),
            [
                steps.drafting.write,
                steps.drafting.write_checked,
                steps.articles.plan_article,
                steps.articles.write_section,
                steps.articles.write_summary,
                steps.articles.write_search,
                steps.rewriting.write_again,
                steps.imaging.make,
                steps.tryouts.make_tryout,
                steps.suggesting.suggest,
            ],
            50,
            # a user who cancels a try-out does not pay for another minute of writing
            timedelta(seconds=2),
        ),
        WorkerGroup(MAILS, (), [steps.mailing.send_mail], 20),
        *(_network_group(kind, steps) for kind in ChannelKind),
    ]


def _network_group(kind: ChannelKind, steps: Steps) -> WorkerGroup:
    return WorkerGroup(
        deliver_queue(kind),
        (),
        [
            steps.delivering.stage,
            steps.delivering.ready,
            steps.delivering.deliver,
            steps.granting.renew_grant,
            steps.commenting.put_first_comment,
            steps.removing.remove_at_network,
            steps.revising.update_at_site,
        ],
        # armed deliveries wait in the worker: slots for what is due in two minutes, cheap as they are async
        2000,
    )


def queues() -> list[str]:
    return [ASSISTANTS, RUNS, MODELS, MAILS, *(deliver_queue(kind) for kind in ChannelKind)]
