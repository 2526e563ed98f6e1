"""All errors of the product.

    DomainError
    ├── NotFound                 missing, or another user's
    ├── InvalidInput             one or more fields are wrong; nothing was saved
    ├── Conflict                 the state forbids the call (stale version, going out, …)
    ├── Denied                   wrong credentials or codes (never says which)
    ├── Unauthenticated          no, expired or revoked token
    ├── Forbidden                the scope is missing, or the user is disabled
    ├── Throttled                too many calls; carries the time to wait
    ├── Unavailable              a dependency is away; try again later
    ├── NoMoreSpending           attempts, budget or limit used up: final, no call made
    ├── KnownFault               a provider is known to fail: final, no call was made
    ├── AwaitsMending            as above, but a person may fix it in time: retry later
    ├── SubscriptionRequired     over the limit of the plan, or of the free plan
    └── ProviderError            an outside service; one class per outcome of a call
        ├── RetrySafe            certainly no effect: repeat
        ├── RateLimited          as above, with a time to wait
        ├── Ambiguous            may have taken effect: ask before any repeat
        ├── Refused              content or parameter refused: final
        ├── NeedsReconnect       token or permission gone: final until a person signs in again
        │   ├── TokenRefused     only the token: a refreshed token may work
        │   ├── RoleLost         only this account
        │   └── Blocked          as above, until the user has done what the network asks
        └── Misconfigured        our key, model, version or credit is wrong: the operator must act

HTTP statuses are set in `api/errors.py`, retry behaviour in `temporal/interceptors.py`.
Errors carry a code and parameters, never a sentence for people: the web app translates the codes.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Final

from core.ai.rules.usage import Spent


class ErrorCode(StrEnum):
    """Stable codes; the web app translates each one."""

    access_renewing = "access_renewing"
    account_ambiguous = "account_ambiguous"
    account_blocked = "account_blocked"
    account_disabled = "account_disabled"
    account_disconnected = "account_disconnected"
    account_role_lost = "account_role_lost"
    account_unknown = "account_unknown"
    account_write_only = "account_write_only"
    address_malformed = "address_malformed"
    address_not_allowed = "address_not_allowed"
    already_subscribed = "already_subscribed"
    already_verified = "already_verified"
    ambiguous_outcome = "ambiguous_outcome"
    announcement_edited = "announcement_edited"
    api_key_limit = "api_key_limit"
    api_version_retired = "api_version_retired"
    approval_declined = "approval_declined"
    approval_expired = "approval_expired"
    approval_held = "approval_held"
    approval_outdated = "approval_outdated"
    article_busy = "article_busy"
    assistant_inactive = "assistant_inactive"
    assistant_incomplete = "assistant_incomplete"
    alt_too_long = "alt_too_long"
    assistant_writes_articles = "assistant_writes_articles"
    bad_cron = "bad_cron"
    article_not_published = "article_not_published"
    bad_date_time = "bad_date_time"
    bad_time = "bad_time"
    billing_misconfigured = "billing_misconfigured"
    billing_not_configured = "billing_not_configured"
    billing_unavailable = "billing_unavailable"
    brand_needs_model = "brand_needs_model"
    budget_out_of_range = "budget_out_of_range"
    budget_spent = "budget_spent"
    budget_unpriced = "budget_unpriced"
    card_letters_missing = "card_letters_missing"
    category_gone = "category_gone"
    channel_not_configured = "channel_not_configured"
    channel_not_selected = "channel_not_selected"
    checkout_incomplete = "checkout_incomplete"
    connect_address_own = "connect_address_own"
    connect_address_taken = "connect_address_taken"
    connect_address_unusable = "connect_address_unusable"
    connect_app_passwords_off = "connect_app_passwords_off"
    connect_denied = "connect_denied"
    connect_endpoint_malformed = "connect_endpoint_malformed"
    connect_expired = "connect_expired"
    connect_failed = "connect_failed"
    connect_key_malformed = "connect_key_malformed"
    connect_key_refused = "connect_key_refused"
    connect_handle_malformed = "connect_handle_malformed"
    connect_login_refused = "connect_login_refused"
    connect_may_not_publish = "connect_may_not_publish"
    connect_no_business_account = "connect_no_business_account"
    connect_no_page = "connect_no_page"
    connect_ping_refused = "connect_ping_refused"
    connect_plan_too_small = "connect_plan_too_small"
    connect_redirect_not_registered = "connect_redirect_not_registered"
    connect_role_too_low = "connect_role_too_low"
    connect_scope_missing = "connect_scope_missing"
    connect_secret_malformed = "connect_secret_malformed"
    connect_server_unusable = "connect_server_unusable"
    connect_signature_refused = "connect_signature_refused"
    connect_page_needs_tls = "connect_page_needs_tls"
    connect_site_answers_page = "connect_site_answers_page"
    connect_site_differs = "connect_site_differs"
    connect_site_login_lost = "connect_site_login_lost"
    connect_site_other_kind = "connect_site_other_kind"
    connect_site_outdated = "connect_site_outdated"
    connect_site_rest_off = "connect_site_rest_off"
    connect_site_unreachable = "connect_site_unreachable"
    connect_used = "connect_used"
    consent_required = "consent_required"
    comment_not_allowed = "comment_not_allowed"
    comment_not_possible = "comment_not_possible"
    comment_refused = "comment_refused"
    comment_unknown = "comment_unknown"
    content_empty = "content_empty"
    content_too_long = "content_too_long"
    csv_broken_quote = "csv_broken_quote"
    csv_changed = "csv_changed"
    csv_column_twice = "csv_column_twice"
    csv_in_broken_quote = "csv_in_broken_quote"
    csv_question_open = "csv_question_open"
    csv_too_many_cells = "csv_too_many_cells"
    csv_too_many_columns = "csv_too_many_columns"
    csv_too_many_lines = "csv_too_many_lines"
    csv_unreadable = "csv_unreadable"
    csv_wrong_lines = "csv_wrong_lines"
    day_required = "day_required"
    delivery_address_unusable = "delivery_address_unusable"
    delivery_duplicate = "delivery_duplicate"
    delivery_held_for_review = "delivery_held_for_review"
    delivery_planned_by_site = "delivery_planned_by_site"
    document_locked = "document_locked"
    document_not_ready = "document_not_ready"
    document_refused = "document_refused"
    document_too_long = "document_too_long"
    document_unreadable = "document_unreadable"
    document_unsupported = "document_unsupported"
    file_too_large = "file_too_large"
    one_document = "one_document"
    site_clock_differs = "site_clock_differs"
    site_clock_wrong = "site_clock_wrong"
    site_zone_differs = "site_zone_differs"
    delivery_image_missing = "delivery_image_missing"
    delivery_needs_reconnect = "delivery_needs_reconnect"
    delivery_refused = "delivery_refused"
    delivery_unknown = "delivery_unknown"
    delivery_unreadable = "delivery_unreadable"
    demo_data_exists = "demo_data_exists"
    email_not_verified = "email_not_verified"
    email_taken = "email_taken"
    email_unchanged = "email_unchanged"
    ending_too_long = "ending_too_long"
    field_required = "field_required"
    field_too_long = "field_too_long"
    first_comment_not_granted = "first_comment_not_granted"
    first_comment_refused = "first_comment_refused"
    first_comment_unsupported = "first_comment_unsupported"
    fixed_while_published = "fixed_while_published"
    generation_in_progress = "generation_in_progress"
    hashtag_not_usable = "hashtag_not_usable"
    image_attempts_used = "image_attempts_used"
    image_failed = "image_failed"
    image_lost = "image_lost"
    image_not_ready = "image_not_ready"
    cover_refused = "cover_refused"
    image_ratio_refused = "image_ratio_refused"
    image_refused = "image_refused"
    image_required = "image_required"
    image_ratio_unfit = "image_ratio_unfit"
    image_template_missing = "image_template_missing"
    image_template_needs_content = "image_template_needs_content"
    image_template_required = "image_template_required"
    image_too_many_pixels = "image_too_many_pixels"
    image_too_small = "image_too_small"
    image_truncated = "image_truncated"
    image_type_refused = "image_type_refused"
    image_unknown = "image_unknown"
    image_unreadable = "image_unreadable"
    image_unsupported = "image_unsupported"
    in_use = "in_use"
    internal = "internal"
    invalid_email = "invalid_email"
    invalid_input = "invalid_input"
    invitation_invalid = "invitation_invalid"
    invitation_limit = "invitation_limit"
    invitation_other_email = "invitation_other_email"
    invitation_used = "invitation_used"
    limited_too_long = "limited_too_long"
    link_invalid = "link_invalid"
    link_not_usable = "link_not_usable"
    link_title_missing = "link_title_missing"
    login_failed = "login_failed"
    mail_misconfigured = "mail_misconfigured"
    mail_address_refused = "mail_address_refused"
    mail_refused = "mail_refused"
    mail_unavailable = "mail_unavailable"
    media_local = "media_local"
    media_unreachable = "media_unreachable"
    missed_outage = "missed_outage"
    missed_overtaken = "missed_overtaken"
    model_context_too_small = "model_context_too_small"
    model_incomplete = "model_incomplete"
    model_misconfigured = "model_misconfigured"
    model_reasoned_too_long = "model_reasoned_too_long"
    model_out_of_credit = "model_out_of_credit"
    model_refused = "model_refused"
    model_unavailable = "model_unavailable"
    name_required = "name_required"
    name_taken = "name_taken"
    not_found = "not_found"
    not_subscribed = "not_subscribed"
    nothing_to_skip = "nothing_to_skip"
    own_images_required = "own_images_required"
    page_not_reached = "page_not_reached"
    page_not_shown = "page_not_shown"
    password_common = "password_common"
    password_contains_email = "password_contains_email"
    password_too_long = "password_too_long"
    password_too_short = "password_too_short"
    password_wrong = "password_wrong"
    period_too_long = "period_too_long"
    post_ended = "post_ended"
    post_going_out = "post_going_out"
    post_not_editable = "post_not_editable"
    post_on_its_way = "post_on_its_way"
    post_unclear = "post_unclear"
    prompt_too_long = "prompt_too_long"
    provider_misconfigured = "provider_misconfigured"
    provider_unavailable = "provider_unavailable"
    quota_used = "quota_used"
    rate_limited = "rate_limited"
    reconnected_too_late = "reconnected_too_late"
    removal_not_possible = "removal_not_possible"
    removal_refused = "removal_refused"
    restored_from_backup = "restored_from_backup"
    run_armed = "run_armed"
    run_cancelled = "run_cancelled"
    run_ended = "run_ended"
    scope_missing = "scope_missing"
    second_factor_off = "second_factor_off"
    second_factor_on = "second_factor_on"
    second_factor_required = "second_factor_required"
    second_factor_wrong = "second_factor_wrong"
    server_busy = "server_busy"
    skip_not_next = "skip_not_next"
    skipped_by_hand = "skipped_by_hand"
    rewrite_same = "rewrite_same"
    rewrite_too_late = "rewrite_too_late"
    slug_malformed = "slug_malformed"
    slug_missing = "slug_missing"
    slug_taken = "slug_taken"
    too_many_pages = "too_many_pages"
    video_frame_rate_too_high = "video_frame_rate_too_high"
    video_not_ready = "video_not_ready"
    video_ratio_unfit = "video_ratio_unfit"
    video_refused = "video_refused"
    video_resolution_too_high = "video_resolution_too_high"
    video_stands_alone = "video_stands_alone"
    video_too_long = "video_too_long"
    video_too_many_pixels = "video_too_many_pixels"
    video_too_short = "video_too_short"
    video_too_small = "video_too_small"
    video_type_refused = "video_type_refused"
    video_type_unfit = "video_type_unfit"
    video_unreadable = "video_unreadable"
    video_unsupported = "video_unsupported"
    website_has_assistant = "website_has_assistant"
    slot_past = "slot_past"
    staging_lost = "staging_lost"
    stale_version = "stale_version"
    storage_unavailable = "storage_unavailable"
    subscription_ended = "subscription_ended"
    subscription_required = "subscription_required"
    suggestion_decided = "suggestion_decided"
    template_import_unreadable = "template_import_unreadable"
    template_needs_topic = "template_needs_topic"
    template_required = "template_required"
    template_syntax = "template_syntax"
    template_too_many = "template_too_many"
    temporal_unavailable = "temporal_unavailable"
    text_attempts_used = "text_attempts_used"
    time_slot_required = "time_slot_required"
    time_zone_required = "time_zone_required"
    title_missing = "title_missing"
    too_large = "too_large"
    too_many_ahead = "too_many_ahead"
    too_many_hashtags = "too_many_hashtags"
    too_many_images = "too_many_images"
    too_many_mentions = "too_many_mentions"
    too_many_tags = "too_many_tags"
    topic_depth_jump = "topic_depth_jump"
    topic_empty_title = "topic_empty_title"
    topic_feed_branch_deleted = "topic_feed_branch_deleted"
    topic_feed_gone = "topic_feed_gone"
    topic_feed_known = "topic_feed_known"
    topic_feed_too_many = "topic_feed_too_many"
    topic_feed_unreachable = "topic_feed_unreachable"
    topic_feed_unusable = "topic_feed_unusable"
    topic_inside_itself = "topic_inside_itself"
    topic_no_hyphen = "topic_no_hyphen"
    topic_root_stays = "topic_root_stays"
    topic_title_too_long = "topic_title_too_long"
    topic_too_many = "topic_too_many"
    topic_too_many_lines = "topic_too_many_lines"
    topic_tree_empty = "topic_tree_empty"
    topic_tree_required = "topic_tree_required"
    tryout_over = "tryout_over"
    unauthenticated = "unauthenticated"
    unavailable_too_long = "unavailable_too_long"
    undo_expired = "undo_expired"
    unknown_holidays = "unknown_holidays"
    unknown_time_zone = "unknown_time_zone"
    update_not_possible = "update_not_possible"
    utm_name_malformed = "utm_name_malformed"
    variable_value_required = "variable_value_required"
    veto_too_long = "veto_too_long"
    web_page_empty = "web_page_empty"
    web_page_reserved = "web_page_reserved"
    web_page_unreachable = "web_page_unreachable"
    web_page_unusable = "web_page_unusable"
    webhook_forged = "webhook_forged"


Params = Mapping[str, str | int | float | None]


class FieldError:
    """One invalid field of the input: `field` is a path such as `schedule.cron` or `lines.7`."""

    __slots__ = ("code", "field", "params")

    def __init__(self, field: str, code: ErrorCode, **params: str | int | float | None) -> None:
        self.field = field
        self.code = code
        self.params: Params = params

    def __repr__(self) -> str:
        return f"FieldError({self.field!r}, {self.code.value!r}, {dict(self.params)!r})"


class DomainError(Exception):
    """Base of all errors; `retryable`: the same call may be made again."""

    code: ErrorCode = ErrorCode.internal
    retryable = False

    def __init__(
        self,
        code: ErrorCode | None = None,
        *,
        retry_after: timedelta | None = None,
        errors: list[FieldError] | None = None,
        **params: str | int | float | None,
    ) -> None:
        if code is not None:
            self.code = code
        self.retry_after = retry_after
        self.errors = errors or []
        self.params: Params = params
        super().__init__(self.code.value, dict(params))

    def __str__(self) -> str:
        facts = ", ".join(f"{key}={value}" for key, value in self.params.items())
        places = "; ".join(f"{error.field}: {error.code}" for error in self.errors)
        return " ".join(part for part in (self.code.value, f"({facts})" if facts else "", places) if part)


class NotFound(DomainError):
    code = ErrorCode.not_found


class InvalidInput(DomainError):
    code = ErrorCode.invalid_input


class Conflict(DomainError):
    code = ErrorCode.stale_version


class Denied(DomainError):
    code = ErrorCode.login_failed


class Unauthenticated(DomainError):
    code = ErrorCode.unauthenticated


class Forbidden(DomainError):
    code = ErrorCode.scope_missing


class Throttled(DomainError):
    code = ErrorCode.rate_limited
    retryable = True


class Unavailable(DomainError):
    code = ErrorCode.temporal_unavailable
    retryable = True


class NoMoreSpending(DomainError):
    code = ErrorCode.text_attempts_used


class KnownFault(DomainError):
    """The code is that of the call in which the fault was found."""

    code = ErrorCode.provider_misconfigured


class AwaitsMending(DomainError):
    """A step would cost money in vain now, but can still succeed if a person fixes the fault in time. The code names
    the fault."""

    code = ErrorCode.provider_misconfigured
    retryable = True


class SubscriptionRequired(DomainError):
    """Parameters: the `limit`, how much is `allowed` and `used`, and whether the user is `subscribed` (1 or 0)."""

    code = ErrorCode.subscription_required


NOT_TAKEN_FILES: Final = frozenset(
    {
        ErrorCode.cover_refused,
        ErrorCode.delivery_image_missing,
        ErrorCode.document_refused,
        ErrorCode.image_failed,
        ErrorCode.image_refused,
        ErrorCode.image_ratio_refused,
        ErrorCode.video_refused,
    }
)
"""Refusals of a file: its upload cannot be used again."""

WAITS_FOR_OPERATOR: Final = frozenset(
    {ErrorCode.api_version_retired, ErrorCode.channel_not_configured, ErrorCode.provider_misconfigured}
)
"""Refusals of a network that end when the operator changes the settings."""

WAITS_FOR_NETWORK: Final = WAITS_FOR_OPERATOR | {ErrorCode.rate_limited}
"""Refusals that hold a post although its account is connected."""


class ProviderError(DomainError):
    """`detail` is the provider's own short message for logs and the ledger, without tokens. `spent` is the failed model
    call that may have cost something: the caller that catches the error books it."""

    code = ErrorCode.provider_unavailable

    def __init__(
        self,
        code: ErrorCode | None = None,
        *,
        detail: str = "",
        retry_after: timedelta | None = None,
        spent: Spent | None = None,
        request_id: str | None = None,
        **params: str | int | float | None,
    ) -> None:
        super().__init__(code, retry_after=retry_after, errors=None, **params)
        self.detail = detail[:4000]
        self.spent = spent
        self._request_id = request_id

    @property
    def request_id(self) -> str | None:
        """The provider's id of the call, if it sent one."""
        return self._request_id or (self.spent.request_id if self.spent else None)


class RetrySafe(ProviderError):
    retryable = True


class StagedLost(RetrySafe):
    """The staged post cannot be published any more, and no part of it was: stage it again."""

    code = ErrorCode.staging_lost


class RateLimited(ProviderError):
    code = ErrorCode.rate_limited
    retryable = True


class Ambiguous(ProviderError):
    code = ErrorCode.ambiguous_outcome
    retryable = True


class Refused(ProviderError):
    code = ErrorCode.delivery_refused


class NeedsReconnect(ProviderError):
    code = ErrorCode.delivery_needs_reconnect
    of_account = False
    """Whether only this account is affected, not all accounts of its grant."""


class TokenRefused(NeedsReconnect):
    """This token is not accepted any more. A refreshed token may be."""


class RoleLost(NeedsReconnect):
    """The user may not post for this account any more; the grant stays valid for other accounts."""

    code = ErrorCode.account_role_lost
    of_account = True


class Blocked(NeedsReconnect):
    """The network restricts the account: the user must sign in there, do what it asks, and connect it again."""

    code = ErrorCode.account_blocked
    of_account = True


class Misconfigured(ProviderError):
    code = ErrorCode.provider_misconfigured
    whole = True
    """True: nothing of the provider works. False: only one model does not."""
