"""What an assistant is set to do, and when it may be activated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.assistants.rules.schedules import Schedule, validate
from core.errors import ErrorCode, FieldError
from core.templates.rules.templates import RESERVED, TemplateType, missing_parts, parse


class Mode(StrEnum):
    """How much it may do alone."""

    draft = "draft"
    approval = "approval"
    """It prepares ahead and asks; nothing goes out that nobody has approved."""
    automatic = "automatic"

    @property
    def publishes(self) -> bool:
        return self is not Mode.draft


class ImageSource(StrEnum):
    none = "none"
    template = "template"
    own = "own"
    """Images of the gallery that were chosen for it."""


class ImageOrder(StrEnum):
    """How it goes through its own images. Either way none comes again before all were used."""

    in_turn = "in_turn"
    random = "random"


class ImageFallback(StrEnum):
    """What becomes of a post whose image cannot be had: the model refuses it, or the budget has no room for it."""

    without = "without"
    """It goes on with its text alone, where all of its channels take that."""
    card = "card"
    """A card is drawn instead, which needs no model."""
    ask = "ask"
    """It is kept as a draft for a person."""


class AssistantPhase(StrEnum):
    """What the projection says of the assistant itself; its runs have their own state."""

    inactive = "inactive"
    activating = "activating"
    asleep = "asleep"
    planning_failed = "planning_failed"
    """It lives and tries again by itself; until then no run begins."""
    paused = "paused"
    """It is to post, only not now: by a person, or by itself."""
    finished = "finished"


class RunState(StrEnum):
    preparing = "preparing"
    waiting = "waiting"
    """Its post is made, and a person may decide about it."""
    ready = "ready"
    publishing = "publishing"
    published = "published"
    drafted = "drafted"
    unknown = "unknown"
    held = "held"
    """It is over, and its post is kept for a person: nobody decided in time."""
    failed = "failed"
    missed = "missed"
    skipped = "skipped"
    """It did not go out on purpose: a person said so, or it stopped before it spent what it may not."""


OPEN_RUNS = (RunState.preparing, RunState.waiting, RunState.ready, RunState.publishing)
GONE_BY = frozenset({RunState.failed, RunState.held, RunState.missed, RunState.skipped})
"""How runs end that take no other's place."""
AWAITED = frozenset(
    {
        ErrorCode.api_version_retired,
        ErrorCode.delivery_needs_reconnect,
        ErrorCode.model_misconfigured,
        ErrorCode.model_out_of_credit,
        ErrorCode.provider_misconfigured,
    }
)
"""What a run waits to see mended before it spends anything, and by then it was too late."""
MISSES = frozenset({ErrorCode.missed_outage, ErrorCode.missed_overtaken, *AWAITED})
"""Reasons with which a run ends as missed instead of failed."""
BY_HAND = frozenset({ErrorCode.run_cancelled, ErrorCode.skipped_by_hand})
"""Reasons that a person gave: nothing that comes later takes their place."""
SKIPS = frozenset(
    {
        ErrorCode.approval_declined,
        ErrorCode.approval_expired,
        ErrorCode.budget_spent,
        ErrorCode.budget_unpriced,
        ErrorCode.subscription_required,
        *BY_HAND,
    }
)
"""Those with which it ends as skipped."""
LASTING = frozenset(
    {
        ErrorCode.account_disconnected,
        ErrorCode.api_version_retired,
        ErrorCode.assistant_incomplete,
        ErrorCode.channel_not_configured,
        ErrorCode.delivery_needs_reconnect,
        ErrorCode.model_misconfigured,
        ErrorCode.model_out_of_credit,
        ErrorCode.provider_misconfigured,
        ErrorCode.reconnected_too_late,
    }
)
"""Reasons that stay until a person has done something: the next run would fail for the same one."""
MOST_FAILURES = 3
"""Runs in a row that fail for the same lasting reason before an assistant pauses itself."""


def unpublished_state(code: str) -> RunState:
    """How a run ends whose step ended with that code."""
    if code in MISSES:
        return RunState.missed
    if code == ErrorCode.approval_held:
        return RunState.held
    return RunState.skipped if code in SKIPS else RunState.failed


FAILURES = frozenset({RunState.failed, RunState.missed})
"""States of runs that may have ended for a lasting reason."""


def lasting_failure(ended: Sequence[tuple[RunState, str | None]]) -> ErrorCode | None:
    """The lasting reason for which its newest runs have failed or were missed, if all did for the same; newest first.
    Runs that were missed for no lasting one, or skipped, say nothing and are not among them."""
    newest = ended[:MOST_FAILURES]
    reasons = {reason for _, reason in newest}
    if len(newest) < MOST_FAILURES or len(reasons) > 1 or any(state not in FAILURES for state, _ in newest):
        return None
    return next((code for code in LASTING if code == newest[0][1]), None)


@dataclass(frozen=True)
class Pause:
    """From `since` on nothing is begun, to `until` or without an end. `reason`: the assistant paused itself for it;
    None where a person did."""

    since: datetime
    until: datetime | None
    reason: ErrorCode | None

    def holds(self, now: datetime) -> bool:
        return self.until is None or now < self.until


class PreparedRuns(StrEnum):
    """What becomes of runs that are prepared when their assistant is paused, switched off or deleted."""

    publish = "publish"
    cancel = "cancel"


class StepKind(StrEnum):
    """The steps of a run in their order. Of an article the text is that of its sections."""

    topic = "topic"
    outline = "outline"
    text = "text"
    summary = "summary"
    search = "search"
    """What a page of search results shows of an article."""
    image = "image"
    check = "check"


BEGINS_WRITING = frozenset({StepKind.outline, StepKind.text})
"""The steps of which the first one to begin means that a run spends on a text."""


class TextKind(StrEnum):
    """Texts that a model may be asked for within one run, each once, but for the sections of an article."""

    written = "written"
    shortened = "shortened"
    """The written one, which was longer than its channels take."""
    rewritten = "rewritten"
    """Another one, since the first repeated an earlier post."""
    outline = "outline"
    section = "section"
    summary = "summary"
    search = "search"


class StepState(StrEnum):
    active = "active"
    done = "done"
    failed = "failed"


@dataclass(frozen=True)
class AssistantParts:
    """What of a configuration decides whether it may be activated. Texts are the pinned versions' bodies."""

    name: str
    schedule: Schedule | None
    topic_tree: bool
    enabled_topics: int
    template_body: str | None
    image_source: ImageSource
    image_template_body: str | None
    variables: Mapping[str, str]
    accounts: int
    needs_image: Sequence[ErrorCode]
    """Networks among the chosen ones that take no post without an image."""
    publishes: bool
    own_images: int = 0
    """Chosen ones that are still in the gallery."""


def missing(setup: AssistantParts) -> list[FieldError]:
    """Everything that keeps an assistant from being activated, in the order of its form."""
    problems: list[FieldError] = []
    if not setup.name.strip():
        problems.append(FieldError("name", ErrorCode.name_required))
    if not setup.topic_tree:
        problems.append(FieldError("topic_tree_id", ErrorCode.topic_tree_required))
    elif setup.enabled_topics == 0:
        problems.append(FieldError("topic_tree_id", ErrorCode.topic_tree_empty))
    if setup.template_body is None:
        problems.append(FieldError("template_id", ErrorCode.template_required))
    else:
        problems += _template("template_id", setup.template_body, TemplateType.text, setup.variables)
    if setup.schedule is None:
        problems.append(FieldError("schedule", ErrorCode.time_slot_required))
    else:
        problems += validate(setup.schedule)
    if setup.image_source is ImageSource.template:
        if setup.image_template_body is None:
            problems.append(FieldError("image_template_id", ErrorCode.image_template_missing))
        else:
            problems += _template("image_template_id", setup.image_template_body, TemplateType.image, setup.variables)
    elif setup.image_source is ImageSource.own:
        if setup.own_images == 0:
            problems.append(_image_lacks("image_media_ids", setup.needs_image, ErrorCode.own_images_required))
    elif setup.needs_image:
        problems.append(_image_lacks("image_source", setup.needs_image))
    if setup.publishes and setup.accounts == 0:
        problems.append(FieldError("account_ids", ErrorCode.channel_not_selected))
    return problems


def _image_lacks(
    field: str, needed: Sequence[ErrorCode], otherwise: ErrorCode = ErrorCode.image_required
) -> FieldError:
    """A network may have a sentence of its own."""
    own = (code for code in needed if code is not ErrorCode.image_required)
    return FieldError(field, next(own, otherwise))


def _template(field: str, body: str, kind: TemplateType, variables: Mapping[str, str]) -> list[FieldError]:
    problems = [FieldError(field, found.code, **found.params) for found in missing_parts(body, kind)]
    given = {name.casefold() for name, value in variables.items() if value.strip()}
    known = {name.casefold() for name in RESERVED}
    for name in parse(body).variables:
        if name.casefold() not in known | given:
            problems.append(FieldError(f"variables.{name}", ErrorCode.variable_value_required, name=name))
    return problems
