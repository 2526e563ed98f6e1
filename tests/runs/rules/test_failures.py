"""What is kept of failed attempts."""

from datetime import UTC, datetime
from typing import Any

from core.ai.rules.usage import Spent, Usage
from core.errors import Conflict, DomainError, ErrorCode, FieldError, ProviderError, Refused
from core.runs.rules.failures import KEPT_FAILURES, append_failure

AT = datetime(2026, 11, 23, 9, tzinfo=UTC)


def test_the_newest_stay_in_their_order() -> None:
    kept: list[dict[str, Any]] = []
    for attempt in range(1, KEPT_FAILURES + 4):
        before = list(kept)
        longer = append_failure(kept, attempt, ErrorCode.rate_limited, AT)
        assert kept == before
        kept = longer
    assert [one["attempt"] for one in kept] == list(range(4, KEPT_FAILURES + 4))
    assert kept[-1] == {"attempt": KEPT_FAILURES + 3, "code": "rate_limited", "at": "2026-11-23T09:00:00+00:00"}


def test_an_error_says_its_code_its_facts_and_the_fields() -> None:
    assert str(DomainError()) == "internal"
    assert str(Conflict(state="published", by=2)) == "stale_version (state=published, by=2)"
    places = [FieldError("name", ErrorCode.name_taken), FieldError("tags.1", ErrorCode.content_too_long, limit=40)]
    assert str(Conflict(ErrorCode.in_use, errors=places, uses=3)) == (
        "in_use (uses=3) name: name_taken; tags.1: content_too_long"
    )
    assert repr(places[1]) == "FieldError('tags.1', 'content_too_long', {'limit': 40})"


def test_a_providers_error_carries_its_words_and_what_was_spent() -> None:
    spent = Spent("openai", "a-model", Usage(3, None), "req_7")
    error = Refused(detail="d" * 5000, spent=spent, limit=2)
    assert (error.code, error.detail, error.spent) == (ErrorCode.delivery_refused, "d" * 4000, spent)
    assert (error.request_id, error.params) == ("req_7", {"limit": 2})
    assert ProviderError(request_id="req_8", spent=spent).request_id == "req_8"
    plain = ProviderError()
    assert (plain.request_id, plain.detail, plain.spent, plain.retry_after, plain.errors) == (None, "", None, None, [])
    assert plain.code is ErrorCode.provider_unavailable
