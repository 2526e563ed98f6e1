"""What an operator can do about why a run ended or an assistant cannot plan: one line for their current details."""

from typing import Final

from core.domain.errors import ErrorCode

_RECONNECT: Final = "its owner connects the account again (Social Accounts); then they try the post again on its page"
_LOOK: Final = "its owner looks at the network and says on the post's page whether it is there"
_MODEL: Final = "check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name"

REMEDIES: Final = {
    ErrorCode.account_disconnected: _RECONNECT,
    ErrorCode.approval_held: "nothing: its owner decides on the post's page",
    ErrorCode.assistant_incomplete: "its owner completes the assistant's configuration",
    ErrorCode.budget_spent: "nothing, or its owner raises the assistant's budget",
    ErrorCode.budget_unpriced: "give the model a price, or its owner sets a budget in tokens",
    ErrorCode.delivery_needs_reconnect: _RECONNECT,
    ErrorCode.delivery_unknown: _LOOK,
    ErrorCode.internal: "a defect: look for the run's id in the worker's log, mend it, then its owner tries again",
    ErrorCode.missed_outage: "nothing: it was too late; look why the worker, the database or Temporal was away",
    ErrorCode.model_misconfigured: _MODEL,
    ErrorCode.model_out_of_credit: "top up the credit at the model's provider",
    ErrorCode.model_unavailable: "nothing, or look at the status page of the model's provider",
    ErrorCode.provider_misconfigured: "check the network's settings (client id, secret, API version)",
    ErrorCode.run_ended: "nothing: its workflow was ended from outside",
}


def remedy(code: str) -> str:
    """Empty where there is nothing to do about it beyond what the app tells its owner."""
    return next((text for known, text in REMEDIES.items() if known.value == code), "")


def planning_remedy(code: str) -> str:
    """About an assistant that could not be planned."""
    if code == ErrorCode.invalid_input.value:
        return "its schedule is not well formed: its owner corrects and saves it (Configuration)"
    return "a defect, or no worker had time: look for the workflow's id in the worker's log; mended, it plans by itself"
