"""What an operator can do about a workflow's state or end: one line for its current details."""

from typing import Final

from core.errors import ErrorCode

STEP: Final = "nothing; whether it is tried again, why and when, stands under Pending Activities"

_RECONNECT: Final = (
    "its owner connects the account again (Social Accounts); the next run goes out then, "
    "and a post that is there already is tried again on its page"
)
_LOOK: Final = "its owner looks at the network and says on the post's page whether it is there"
_REFUSED: Final = "its owner reads on the post's page what the network said, changes the post and tries it again"
_OWNER: Final = "its owner reads in the app what it means and what they can do"
_WANTED: Final = "nothing: a person wanted it so"
_MODEL: Final = "check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name"

REMEDIES: Final = {
    ErrorCode.access_renewing: "nothing: it goes on once its network has given a new token",
    ErrorCode.account_disconnected: _RECONNECT,
    ErrorCode.approval_declined: _WANTED,
    ErrorCode.approval_expired: "nothing: nobody approved it in time, and its assistant is set to skip it then",
    ErrorCode.approval_held: "nothing: its owner decides on the post's page",
    ErrorCode.assistant_incomplete: "its owner completes the assistant's configuration",
    ErrorCode.budget_spent: "nothing, or its owner raises the assistant's budget",
    ErrorCode.budget_unpriced: "give the model a price, or its owner sets a budget in tokens",
    ErrorCode.delivery_duplicate: _REFUSED,
    ErrorCode.delivery_needs_reconnect: _RECONNECT,
    ErrorCode.delivery_refused: _REFUSED,
    ErrorCode.delivery_unknown: _LOOK,
    ErrorCode.internal: "a defect: look for the run's id in the worker's log, mend it, then its owner tries again",
    ErrorCode.limited_too_long: "nothing: its network takes more only when it is too late; its owner tries again then",
    ErrorCode.missed_outage: "nothing: it was too late; look why the worker, the database or Temporal was away",
    ErrorCode.missed_overtaken: "nothing: a newer run of the assistant had taken its place",
    ErrorCode.model_misconfigured: _MODEL,
    ErrorCode.model_out_of_credit: "top up the credit at the model's provider",
    ErrorCode.model_unavailable: "nothing, or look at the status page of the model's provider",
    ErrorCode.api_version_retired: "set a version of its API that the network still answers (…_VERSION)",
    ErrorCode.provider_misconfigured: "check the network's settings (client id, secret, base addresses)",
    ErrorCode.reconnected_too_late: _RECONNECT,
    ErrorCode.run_cancelled: _WANTED,
    ErrorCode.run_ended: "nothing: its workflow was ended from outside",
    ErrorCode.skipped_by_hand: _WANTED,
    ErrorCode.subscription_ended: "nothing, or its owner subscribes again (Subscription)",
    ErrorCode.subscription_required: "nothing: it goes on next month, or its owner subscribes (Subscription)",
    ErrorCode.unavailable_too_long: "nothing, or look at the network's status page; its owner tries the post again",
}


def remedy(code: str) -> str:
    """Return the advice for the error code, "" without one."""
    return next((text for known, text in REMEDIES.items() if known.value == code), _OWNER if code else "")


def waiting_remedy(code: str) -> str:
    """Return the advice for a delivery that is held for its network or this server's settings."""
    if code == ErrorCode.rate_limited:
        return "nothing: it goes out by itself once its network takes posts again"
    return f"{remedy(code)}; then it goes out by itself"


def pause_remedy(code: str, *, ends: bool) -> str:
    """Return the advice for a paused assistant: by itself because of `code`, or by a person."""
    if code:
        return f"{remedy(code)}; then its owner resumes the assistant"
    return "nothing: it goes on then by itself" if ends else "nothing: its owner resumes it when they want to"


def planning_remedy(code: str) -> str:
    """Return the advice for an assistant that could not be planned."""
    if code == ErrorCode.invalid_input.value:
        return "its schedule is not well formed: its owner corrects and saves it (Configuration)"
    return "a defect, or no worker had time: look for the workflow's id in the worker's log; mended, it plans by itself"
