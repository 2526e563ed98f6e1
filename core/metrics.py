"""The metrics that this process counts, in the client library's own registry. docs/monitoring.md lists them all.

Labels are networks, models, codes and route templates: never an id, a path or a text of a user.
"""

from datetime import timedelta
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from core.ai.rules.usage import CURRENCY, Usage

_LATENESS_BUCKETS: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)  # seconds

HTTP_REQUESTS: Final = Counter(
    "postloom_http_requests", "Answered HTTP requests by route template.", ["method", "route", "status"]
)
HTTP_SECONDS: Final = Histogram(
    "postloom_http_request_duration_seconds",
    "Time from a request to the end of its answer, without event streams.",
    ["method", "route"],
)
EVENT_STREAMS: Final = Gauge("postloom_event_streams", "Open event streams of browsers.")

DELIVERY_LATENESS: Final = Histogram(
    "postloom_delivery_lateness_seconds",
    "Time from a post's planned time to its publishing call. attempt: first, repeated, or held (it had waited for its "
    "account, its network or a setting).",
    ["network", "attempt"],
    buckets=_LATENESS_BUCKETS,
)
DELIVERIES: Final = Counter("postloom_deliveries", "Ended attempts to deliver a post.", ["network", "outcome"])

_MODEL = ["provider", "model"]
MODEL_CALLS: Final = Counter("postloom_model_calls", "Model calls that were billed or free.", [*_MODEL, "outcome"])
MODEL_TOKENS: Final = Counter("postloom_model_tokens", "Tokens that models counted.", [*_MODEL, "direction"])
MODEL_COST: Final = Counter("postloom_model_cost", f"Known cost of model calls in {CURRENCY}.", _MODEL)
MODEL_UNPRICED: Final = Counter("postloom_model_unpriced_calls", "Model calls whose cost is unknown.", _MODEL)

MAIL_FAILURES: Final = Counter("postloom_mail_failures", "Failed attempts to send a mail, by error code.", ["code"])
STORAGE_FAILURES: Final = Counter("postloom_storage_failures", "Failed accesses to the media storage.")


def observe_lateness(network: str, late: timedelta, *, attempts: int, was_held: bool) -> None:
    """Count how late a publishing call is. `attempts`: number of this attempt, from 1."""
    attempt = "held" if was_held else "first" if attempts == 1 else "repeated"
    DELIVERY_LATENESS.labels(network, attempt).observe(max(late.total_seconds(), 0))


def count_model_call(provider: str, model: str, outcome: str, usage: Usage, cost_micros: int | None) -> None:
    """Count a model call with its tokens and cost, as far as they are known."""
    MODEL_CALLS.labels(provider, model, outcome).inc()
    MODEL_TOKENS.labels(provider, model, "input").inc(usage.input_tokens or 0)
    MODEL_TOKENS.labels(provider, model, "output").inc(usage.output_tokens or 0)
    if cost_micros is None:
        MODEL_UNPRICED.labels(provider, model).inc()
    else:
        MODEL_COST.labels(provider, model).inc(cost_micros / 1_000_000)
