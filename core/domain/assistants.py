"""What an assistant is set to do, and when it may be activated."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.domain.errors import ErrorCode, FieldError
from core.domain.schedules import Schedule, validate
from core.domain.templates import RESERVED, TemplateType, needs, parse


class Mode(StrEnum):
    """How much it may do alone."""

    draft = "draft"
    automatic = "automatic"


class ImageSource(StrEnum):
    none = "none"
    template = "template"


class AssistantPhase(StrEnum):
    """What the projection says of the assistant itself; its runs have their own state."""

    inactive = "inactive"
    activating = "activating"
    asleep = "asleep"
    planning_failed = "planning_failed"
    """It lives and tries again by itself; until then no run begins."""
    finished = "finished"


class RunState(StrEnum):
    preparing = "preparing"
    ready = "ready"
    publishing = "publishing"
    published = "published"
    drafted = "drafted"
    unknown = "unknown"
    failed = "failed"
    missed = "missed"
    skipped = "skipped"
    """It stopped by itself, before it spent what it may not."""


OPEN_RUNS = (RunState.preparing, RunState.ready, RunState.publishing)
MISSES = frozenset({ErrorCode.missed_outage, ErrorCode.missed_overtaken, ErrorCode.run_cancelled})
"""Reasons with which a run ends as missed instead of failed."""
SKIPS = frozenset({ErrorCode.budget_spent, ErrorCode.budget_unpriced})
"""Those with which it ends as skipped."""


def given_up(code: str) -> RunState:
    """How a run ends whose step ended with that code."""
    if code in MISSES:
        return RunState.missed
    return RunState.skipped if code in SKIPS else RunState.failed


class PreparedRuns(StrEnum):
    """What becomes of runs that are prepared when their assistant is switched off or deleted."""

    publish = "publish"
    cancel = "cancel"


class StepKind(StrEnum):
    """The steps of a run in their order."""

    topic = "topic"
    text = "text"
    image = "image"
    check = "check"


class StepState(StrEnum):
    active = "active"
    done = "done"
    failed = "failed"


@dataclass(frozen=True)
class Configured:
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
    needs_image: bool
    """Whether one of the chosen channels takes no post without an image."""
    publishes: bool


def missing(setup: Configured) -> list[FieldError]:
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
    elif setup.needs_image:
        problems.append(FieldError("image_source", ErrorCode.image_template_required))
    if setup.publishes and setup.accounts == 0:
        problems.append(FieldError("account_ids", ErrorCode.channel_not_selected))
    return problems


def _template(field: str, body: str, kind: TemplateType, variables: Mapping[str, str]) -> list[FieldError]:
    problems = [FieldError(field, found.code, **found.params) for found in needs(body, kind)]
    given = {name.casefold() for name, value in variables.items() if value.strip()}
    known = {name.casefold() for name in RESERVED}
    for name in parse(body).variables:
        if name.casefold() not in known | given:
            problems.append(FieldError(f"variables.{name}", ErrorCode.variable_value_required, name=name))
    return problems
