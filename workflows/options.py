"""Options of activities. Activities that may be repeated without a check have many attempts; the publishing activity
may too, because it looks up before it calls again."""

from datetime import timedelta
from uuid import UUID

from temporalio.common import Priority, RetryPolicy
from temporalio.workflow import ActivityConfig, LocalActivityConfig

from core.deliveries.rules.retries import FIRST_RETRY, LONGEST_RETRY
from workflows.names import DELIVERY, HOUSEKEEPING, MAILS, MODELS, REQUEST, RUNS, WRITING, deliver_queue, owned_by


def with_summary(
    step: ActivityConfig,
    summary: str,
    *,
    until: timedelta | None = None,
    priority: Priority | None = None,
    owner: UUID | None = None,
) -> ActivityConfig:
    """Return the options with the summary that operators read. `until` limits all attempts together. Without a
    `priority` the step has that of its options, or of its workflow. `owner`: the user whose turn it takes."""
    config = step.copy()
    config["summary"] = summary
    if until is not None:
        config["schedule_to_close_timeout"] = until
    if priority is not None:
        config["priority"] = priority
    if owner is not None:
        config["priority"] = owned_by(owner, config.get("priority", Priority()))
    return config


# once: it is pure, so a repeat would fail as well, and delay the answer to a concurrent update
PLAN_STEP = LocalActivityConfig(
    summary="plan",
    start_to_close_timeout=timedelta(seconds=5),
    schedule_to_close_timeout=timedelta(seconds=15),
    retry_policy=RetryPolicy(maximum_attempts=1),
)

SHOW_STEP = LocalActivityConfig(
    summary="show",
    start_to_close_timeout=timedelta(seconds=3),
    schedule_to_close_timeout=timedelta(seconds=8),
    retry_policy=RetryPolicy(maximum_attempts=3),
)

# a year of minutely slots: half a million rows
MISSED_STEP = ActivityConfig(
    task_queue=RUNS,
    priority=HOUSEKEEPING,
    start_to_close_timeout=timedelta(minutes=30),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=60)),
)

DATABASE_STEP = ActivityConfig(
    task_queue=RUNS,
    start_to_close_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30)),
)

# a feed and the pages of its new items, each within ten seconds
FEED_STEP = ActivityConfig(
    task_queue=RUNS,
    priority=HOUSEKEEPING,
    start_to_close_timeout=timedelta(minutes=15),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=5)),
)

# a model has no side effects, so temporary errors are simply retried
_MODEL_RETRIES = RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(seconds=60))

# a call takes at most two minutes, and most steps make one to three. With a call for each of many networks it may be
# more: a repeat continues from the answers that are stored
TEXT_STEP = ActivityConfig(
    task_queue=MODELS,
    priority=WRITING,
    start_to_close_timeout=timedelta(minutes=7),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

IMAGE_STEP = ActivityConfig(
    task_queue=MODELS,
    priority=WRITING,
    start_to_close_timeout=timedelta(minutes=6),
    heartbeat_timeout=timedelta(seconds=45),
    retry_policy=_MODEL_RETRIES,
)

# a user waits for it, so it gives up early; one attempt has the time of a slow image
TRYOUT_STEP = ActivityConfig(
    task_queue=MODELS,
    priority=WRITING,
    start_to_close_timeout=timedelta(minutes=6),
    schedule_to_close_timeout=timedelta(minutes=15),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

SUGGESTION_STEP = ActivityConfig(
    task_queue=MODELS,
    priority=WRITING,
    start_to_close_timeout=timedelta(seconds=180),
    schedule_to_close_timeout=timedelta(minutes=10),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

# one call per user at the payment provider, which may take seconds; while it is away, nothing is lost
COMPARE_STEP = ActivityConfig(
    task_queue=RUNS,
    priority=HOUSEKEEPING,
    start_to_close_timeout=timedelta(minutes=30),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=10), maximum_interval=timedelta(minutes=15)),
)

# no limit here: the mail's row says when it is too old to be sent
MAIL_STEP = ActivityConfig(
    task_queue=MAILS,
    start_to_close_timeout=timedelta(seconds=120),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5)),
)


# follow-ups, without a limit here: the row counts the attempts that reached the network, and says when to give up
FOLLOW_UP_STEP = ActivityConfig(
    task_queue=RUNS,
    start_to_close_timeout=timedelta(minutes=3),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=30), maximum_interval=timedelta(hours=1)),
)

# its author waits for it, and it may have many images
REVISION_STEP = ActivityConfig(
    start_to_close_timeout=timedelta(minutes=4),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=10), maximum_interval=timedelta(minutes=5)),
)

_STAGING = timedelta(minutes=90)
"""For the uploads of a post: the largest video takes 67 minutes at the slowest speed that is not given up
(`core/networks/uploads.py`)."""


def in_network_queue(step: ActivityConfig, channel: str, what: str) -> ActivityConfig:
    """Return the options for the queue of the network."""
    config = with_summary(step, f"{what} at {channel}")
    config["task_queue"] = deliver_queue(channel)
    return config


def steer_step(summary: str) -> LocalActivityConfig:
    """A user waits for the answer, and may ask again if there is none."""
    return LocalActivityConfig(
        summary=summary,
        start_to_close_timeout=timedelta(seconds=2),
        schedule_to_close_timeout=timedelta(seconds=2),
        retry_policy=RetryPolicy(maximum_attempts=1),
    )


def stage_step(channel: str, delivery_id: UUID, until: timedelta) -> ActivityConfig:
    """Uploads publish nothing, so they are repeated until it is too late to post. A video may take long; each of its
    calls has a time of its own."""
    return ActivityConfig(
        summary=f"stage {channel}",
        activity_id=f"stage-{delivery_id}",
        task_queue=deliver_queue(channel),
        priority=REQUEST,
        start_to_close_timeout=_STAGING,
        schedule_to_close_timeout=until,
        heartbeat_timeout=timedelta(seconds=30),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=5)),
    )


def renew_step(channel: str) -> ActivityConfig:
    """One call for new tokens, repeated while the network is away; then the workflow reads the result."""
    return ActivityConfig(
        summary=f"renew at {channel}",
        task_queue=deliver_queue(channel),
        start_to_close_timeout=timedelta(seconds=90),
        schedule_to_close_timeout=timedelta(hours=1),
        heartbeat_timeout=timedelta(seconds=30),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=5)),
    )


def ready_step(channel: str, delivery_id: UUID) -> ActivityConfig:
    """One read at the network; a timer of the workflow repeats it."""
    return ActivityConfig(
        summary=f"ready {channel}",
        task_queue=deliver_queue(channel),
        priority=REQUEST,
        start_to_close_timeout=timedelta(seconds=45),
        schedule_to_close_timeout=timedelta(minutes=15),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=1)),
    )


def delivery_step(channel: str, delivery_id: UUID, arm: timedelta, until: timedelta) -> ActivityConfig:
    """Waits in the worker from arming to the slot, then makes the one call. What is not staged yet, for example after
    an edit, is uploaded first, and a video needs as long for that as in `stage_step`. Heartbeats tell a dead worker."""
    return ActivityConfig(
        summary=f"deliver {channel}",
        activity_id=f"deliver-{delivery_id}",
        task_queue=deliver_queue(channel),
        priority=DELIVERY,
        start_to_close_timeout=arm + _STAGING,
        schedule_to_close_timeout=until,
        heartbeat_timeout=timedelta(seconds=30),
        retry_policy=RetryPolicy(initial_interval=FIRST_RETRY, maximum_interval=LONGEST_RETRY),
    )
