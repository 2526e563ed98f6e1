"""What an operator can do about a workflow's state or end: one line for its current details."""

from typing import Final

from core.errors import ErrorCode

STEP: Final = "nothing; retries and their reason are listed under Pending Activities"

_RECONNECT: Final = (
    "its owner connects the account again (Social Accounts); the next run is then published, and a "
    "failed post can be retried on its page"
)
_LOOK: Final = "its owner checks at the network whether the post is there, and answers on the post's page"
_REFUSED: Final = "its owner reads the network's answer on the post's page, changes the post and retries it"
_OWNER: Final = "its owner reads the explanation in the app"
_WANTED: Final = "nothing: a person decided this"
_MODEL: Final = "check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name"

REMEDIES: Final = {
    ErrorCode.access_renewing: "nothing: the post is published after the network has issued a new token",
    ErrorCode.account_disconnected: _RECONNECT,
    ErrorCode.approval_declined: _WANTED,
    ErrorCode.approval_expired: "nothing: the assistant skips posts that nobody has approved in time",
    ErrorCode.approval_held: "nothing: its owner decides on the post's page",
    ErrorCode.assistant_incomplete: "its owner completes the assistant's configuration",
    ErrorCode.budget_spent: "nothing, or its owner raises the assistant's budget",
    ErrorCode.budget_unpriced: "set a price for the model (PRICES_FILE), or its owner sets a budget in tokens",
    ErrorCode.delivery_duplicate: _REFUSED,
    ErrorCode.delivery_needs_reconnect: _RECONNECT,
    ErrorCode.delivery_refused: _REFUSED,
    ErrorCode.delivery_unknown: _LOOK,
    ErrorCode.internal: "a defect: find the run's id in the worker's log and fix the defect, then its owner retries",
    ErrorCode.limited_too_long: "nothing: the network's limit ends too late for the post; its owner retries it then",
    ErrorCode.missed_outage: "nothing: it was too late; find out why the worker, the database or Temporal was down",
    ErrorCode.missed_overtaken: "nothing: a newer run of the assistant replaced this one",
    ErrorCode.model_misconfigured: _MODEL,
    ErrorCode.model_out_of_credit: "top up the credit at the model's provider",
    ErrorCode.model_unavailable: "nothing, or check the status page of the model's provider",
    ErrorCode.api_version_retired: "set a version of the network's API that is still supported (…_VERSION)",
    ErrorCode.provider_misconfigured: "check the network's settings (client id, secret, base addresses)",
    ErrorCode.reconnected_too_late: _RECONNECT,
    ErrorCode.restored_from_backup: _LOOK,
    ErrorCode.run_cancelled: _WANTED,
    ErrorCode.run_ended: "nothing: the workflow was ended from outside",
    ErrorCode.skipped_by_hand: _WANTED,
    ErrorCode.subscription_ended: "nothing, or its owner subscribes again (Subscription)",
    ErrorCode.subscription_required: "nothing: publishing continues next month, or its owner subscribes (Subscription)",
    ErrorCode.topic_feed_unreachable: "nothing: the feed's server is asked again; its owner may delete the feed",
    ErrorCode.unavailable_too_long: "nothing, or check the network's status page; its owner retries the post",
}


def remedy(code: str) -> str:
    """Return the advice for the error code, "" without one."""
    return next((text for known, text in REMEDIES.items() if known.value == code), _OWNER if code else "")


def waiting_remedy(code: str) -> str:
    """Return the advice for a delivery that is held for its network or this server's settings."""
    if code == ErrorCode.rate_limited:
        return "nothing: the post is published when the network accepts posts again"
    return f"{remedy(code)}; then the post is published"


def pause_remedy(code: str, *, ends: bool) -> str:
    """Return the advice for a paused assistant: by itself because of `code`, or by a person."""
    if code:
        return f"{remedy(code)}; then its owner resumes the assistant"
    return "nothing: the assistant resumes then" if ends else "nothing: its owner resumes it"


def planning_remedy(code: str) -> str:
    """Return the advice for an assistant that could not be planned."""
    if code == ErrorCode.invalid_input.value:
        return "the schedule is invalid: its owner corrects and saves it (Configuration)"
    return "a defect, or a busy worker: find the workflow's id in the worker's log; planning is retried"
