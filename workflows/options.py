"""Kinds of steps. Only one that may be repeated blindly gets many attempts; the publishing step may be repeated
because it looks before it posts."""

from datetime import timedelta
from uuid import UUID

from temporalio.common import RetryPolicy
from temporalio.workflow import ActivityConfig, LocalActivityConfig

from workflows.names import MAILS, MODELS, RUNS, deliver_queue


def named(step: ActivityConfig, summary: str, *, until: timedelta | None = None) -> ActivityConfig:
    """A kind of step with the words that operators read beside it; `until` bounds all of its attempts together."""
    config = step.copy()
    config["summary"] = summary
    if until is not None:
        config["schedule_to_close_timeout"] = until
    return config


# once: it is pure, so a repeat at once would fail as well, and hold up the answer to whoever has saved meanwhile
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

# of a year of minutes: half a million rows
MISSED_STEP = ActivityConfig(
    task_queue=RUNS,
    start_to_close_timeout=timedelta(minutes=30),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=60)),
)

DATABASE_STEP = ActivityConfig(
    task_queue=RUNS,
    start_to_close_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30)),
)

# a model publishes nothing, so whatever may pass is simply asked again
_MODEL_RETRIES = RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(seconds=60))

# up to three calls, of which each may take two minutes
TEXT_STEP = ActivityConfig(
    task_queue=MODELS,
    start_to_close_timeout=timedelta(minutes=7),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

IMAGE_STEP = ActivityConfig(
    task_queue=MODELS,
    start_to_close_timeout=timedelta(minutes=6),
    heartbeat_timeout=timedelta(seconds=45),
    retry_policy=_MODEL_RETRIES,
)

# somebody sits and waits for it, so it gives up early; the time of one attempt is that of a slow image
TRYOUT_STEP = ActivityConfig(
    task_queue=MODELS,
    start_to_close_timeout=timedelta(minutes=6),
    schedule_to_close_timeout=timedelta(minutes=15),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

SUGGESTION_STEP = ActivityConfig(
    task_queue=MODELS,
    start_to_close_timeout=timedelta(seconds=180),
    schedule_to_close_timeout=timedelta(minutes=10),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=_MODEL_RETRIES,
)

# each user is asked for at the payment provider, whose answer may take seconds; while it is away, so is nothing lost
COMPARE_STEP = ActivityConfig(
    task_queue=RUNS,
    start_to_close_timeout=timedelta(minutes=30),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=10), maximum_interval=timedelta(minutes=15)),
)

# without a limit of its own: the mail's row says when it is too old to be sent
MAIL_STEP = ActivityConfig(
    task_queue=MAILS,
    start_to_close_timeout=timedelta(seconds=120),
    heartbeat_timeout=timedelta(seconds=30),
    retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5)),
)


# what follows a publication; without a limit of its own: the row counts the attempts that reached the network, and says
# when to give up
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


def at_network(step: ActivityConfig, channel: str, what: str) -> ActivityConfig:
    """A kind of step in the queue of its network."""
    config = named(step, f"{what} at {channel}")
    config["task_queue"] = deliver_queue(channel)
    return config


def steer_step(summary: str) -> LocalActivityConfig:
    """Somebody waits for the answer, and may ask again where there is none."""
    return LocalActivityConfig(
        summary=summary,
        start_to_close_timeout=timedelta(seconds=2),
        schedule_to_close_timeout=timedelta(seconds=2),
        retry_policy=RetryPolicy(maximum_attempts=1),
    )


def stage_step(channel: str, delivery_id: UUID, until: timedelta) -> ActivityConfig:
    """Uploads: publish nothing, so they are repeated until it is too late to post."""
    return ActivityConfig(
        summary=f"stage {channel}",
        activity_id=f"stage-{delivery_id}",
        task_queue=deliver_queue(channel),
        start_to_close_timeout=timedelta(seconds=150),
        schedule_to_close_timeout=until,
        heartbeat_timeout=timedelta(seconds=30),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=5)),
    )


def renew_step(channel: str) -> ActivityConfig:
    """One call for new tokens, repeated while the network is away; then its workflow looks what has become of them."""
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
        start_to_close_timeout=timedelta(seconds=45),
        schedule_to_close_timeout=timedelta(minutes=15),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=1)),
    )


def delivery_step(channel: str, delivery_id: UUID, arm: timedelta, until: timedelta) -> ActivityConfig:
    """It waits in the worker from arming to the slot, then makes the one call."""
    return ActivityConfig(
        summary=f"deliver {channel}",
        activity_id=f"deliver-{delivery_id}",
        task_queue=deliver_queue(channel),
        start_to_close_timeout=arm + timedelta(seconds=150),
        schedule_to_close_timeout=until,
        heartbeat_timeout=timedelta(seconds=30),
        retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=5)),
    )
