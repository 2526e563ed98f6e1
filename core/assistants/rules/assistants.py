"""The settings of an assistant and the states of its runs, and what activation requires."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.assistants.rules.schedules import Schedule, validate
from core.errors import ErrorCode, FieldError
from core.templates.rules.templates import RESERVED, TemplateType, missing_parts, parse


class Mode(StrEnum):
    """How much an assistant may do without a person."""

    draft = "draft"
    approval = "approval"
    """It prepares ahead and asks; nothing is published without approval."""
    automatic = "automatic"

    @property
    def publishes(self) -> bool:
        return self is not Mode.draft


class ImageSource(StrEnum):
    none = "none"
    template = "template"
    own = "own"
    """Chosen images of the gallery."""


class ImageOrder(StrEnum):
    """Order in which its own images are used. No image is repeated before all were used."""

    in_turn = "in_turn"
    random = "random"


class ImageFallback(StrEnum):
    """What happens to a post whose image cannot be made: the model refuses it, or it exceeds the budget."""

    ask = "ask"
    """The post is kept as a draft for a person."""
    card = "card"
    """A card is drawn instead, without a model."""
    without = "without"
    """The post continues without an image if all of its channels allow that."""


class TextPer(StrEnum):
    """How many texts an assistant writes for a post."""

    post = "post"
    """One for all networks."""
    network = "network"
    """One for each network, with the same message."""


class TopicLink(StrEnum):
    """What a post does with the link of its topic, which a feed has added."""

    none = "none"
    """Nothing, unless the template names it by ((Link))."""
    append = "append"
    """It stands below the text, in place of the assistant's own link."""


class SecondLook(StrEnum):
    """What happens to a text once it is written."""

    off = "off"
    rules = "rules"
    """It is checked by rules; what they find is shown at the post."""
    revision = "revision"
    """As `rules`; what they find is given back to the model once, to be mended."""


class AssistantPhase(StrEnum):
    """The phase of an assistant; its runs have their own state."""

    inactive = "inactive"
    activating = "activating"
    asleep = "asleep"
    planning_failed = "planning_failed"
    """It retries planning by itself; until then no run begins."""
    paused = "paused"
    """It is active but does not post now: paused by a person, or by itself."""
    finished = "finished"


class RunState(StrEnum):
    preparing = "preparing"
    waiting = "waiting"
    """Its post is ready for a person's decision."""
    ready = "ready"
    publishing = "publishing"
    published = "published"
    drafted = "drafted"
    unknown = "unknown"
    held = "held"
    """It has ended, and its post is kept as a draft: nobody decided in time. Not to be confused with a held delivery,
    which waits."""
    failed = "failed"
    missed = "missed"
    skipped = "skipped"
    """Not published on purpose: a person decided so, or it would have spent more than allowed."""


OPEN_RUNS = (RunState.preparing, RunState.waiting, RunState.ready, RunState.publishing)
GONE_BY = frozenset({RunState.failed, RunState.held, RunState.missed, RunState.skipped})
"""Final states of runs that replace no other run."""
AWAITED = frozenset(
    {
        ErrorCode.api_version_retired,
        ErrorCode.delivery_needs_reconnect,
        ErrorCode.model_misconfigured,
        ErrorCode.model_out_of_credit,
        ErrorCode.provider_misconfigured,
    }
)
"""Faults to be fixed before a run spends anything. The run waits for that until it is too late."""
MISSES = frozenset({ErrorCode.missed_outage, ErrorCode.missed_overtaken, *AWAITED})
"""Reasons that end a run as missed instead of failed."""
BY_HAND = frozenset({ErrorCode.run_cancelled, ErrorCode.skipped_by_hand})
"""Reasons given by a person; no later reason replaces them."""
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
"""Reasons that end a run as skipped."""
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
"""Reasons that last until a person acts: the next run would fail for the same one."""
MOST_FAILURES = 3
"""Consecutive failures for the same lasting reason after which an assistant pauses itself."""


def unpublished_state(code: str) -> RunState:
    """Return the final state of a run that ended with that code."""
    if code in MISSES:
        return RunState.missed
    if code == ErrorCode.approval_held:
        return RunState.held
    if code == ErrorCode.restored_from_backup:
        return RunState.unknown
    return RunState.skipped if code in SKIPS else RunState.failed


FAILURES = frozenset({RunState.failed, RunState.missed})
"""States of runs that may have ended for a lasting reason."""


def lasting_failure(ended: Sequence[tuple[RunState, str | None]]) -> ErrorCode | None:
    """Return the lasting reason if the newest runs all failed or were missed for it. `ended`: newest first, without
    skipped runs and runs missed for other reasons."""
    newest = ended[:MOST_FAILURES]
    reasons = {reason for _, reason in newest}
    if len(newest) < MOST_FAILURES or len(reasons) > 1 or any(state not in FAILURES for state, _ in newest):
        return None
    return next((code for code in LASTING if code == newest[0][1]), None)


@dataclass(frozen=True)
class Pause:
    """Nothing starts from `since` to `until`, or without an end. `reason`: why the assistant paused itself; None if a
    person did."""

    since: datetime
    until: datetime | None
    reason: ErrorCode | None

    def holds(self, now: datetime) -> bool:
        return self.until is None or now < self.until


class PreparedRuns(StrEnum):
    """What happens to prepared runs when their assistant is paused, switched off or deleted."""

    publish = "publish"
    cancel = "cancel"


class StepKind(StrEnum):
    """The steps of a run in their order. For an article, `text` means its sections."""

    topic = "topic"
    outline = "outline"
    text = "text"
    summary = "summary"
    search = "search"
    """Title and description of an article for search results."""
    image = "image"
    check = "check"


BEGINS_WRITING = frozenset({StepKind.outline, StepKind.text})
"""The steps that begin the spending on a text."""


class TextKind(StrEnum):
    """Texts that a model may be asked for in a run: each once for each network or section, and once more where the
    answer had a flaw or the second look found something."""

    written = "written"
    shortened = "shortened"
    """The written text, shortened because it was too long for its channels."""
    rewritten = "rewritten"
    """Another text because the first repeated an earlier post, or the text with what the second look found mended."""
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
    """The parts of a configuration that activation requires. Texts are the bodies of the pinned versions."""

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
    """Error codes of chosen networks that require an image."""
    publishes: bool
    own_images: int = 0
    """Number of chosen images that are still in the gallery."""


def missing(setup: AssistantParts) -> list[FieldError]:
    """Return all that prevents activation, in the order of the form."""
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
    """Return the error; a network's own code comes first."""
    own = (code for code in needed if code is not ErrorCode.image_required)
    return FieldError(field, next(own, otherwise))


def _template(field: str, body: str, kind: TemplateType, variables: Mapping[str, str]) -> list[FieldError]:
    problems = [FieldError(field, problem.code, **problem.params) for problem in missing_parts(body, kind)]
    filled_names = {name.casefold() for name, value in variables.items() if value.strip()}
    known_names = {name.casefold() for name in RESERVED}
    for name in parse(body).variables:
        if name.casefold() not in known_names | filled_names:
            problems.append(FieldError(f"variables.{name}", ErrorCode.variable_value_required, name=name))
    return problems
