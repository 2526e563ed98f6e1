"""Logs with the ids of what is processed, never with its content."""

import logging
import re
import sys
from types import TracebackType

import structlog

_SECRET = ("token", "password", "secret", "authorization", "code", "api_key", "cookie")

_ADDRESS = re.compile(r"[^\s<>@\"'(),;:]+@[\w.-]+")
_SDK_NAMES = {
    "activity_type": "activity",
    "attempt": "attempt",
    "task_queue": "task_queue",
    "workflow_id": "workflow_id",
    "workflow_run_id": "workflow_run_id",
    "run_id": "workflow_run_id",
    "workflow_type": "workflow",
}
"""Facts of the SDK's loggers, and their names as fields. `run_id` is ours: the id of an assistant's run."""

# control characters, line separators and bidirectional marks
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _redact(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    for key in event:
        lowered = key.lower()
        if any(word in lowered for word in _SECRET) and lowered not in {"code", "error_code", "status_code"}:
            event[key] = "[redacted]"
    return event


def _without_addresses(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Mask e-mail addresses, also in tracebacks: a mail server's refusal may name its recipient."""
    for key, value in event.items():
        if isinstance(value, str) and "@" in value:
            event[key] = _ADDRESS.sub("[address]", value)
    return event


def _without_colors(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Leave out uvicorn's second copy of a message, which has escape sequences."""
    event.pop("color_message", None)
    return event


def _with_workflow(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Make fields of what the loggers of Temporal's SDK know: ids of workflow and activity, facts of the core."""
    for name in ("temporal_activity", "temporal_workflow"):
        known = event.pop(name, None) or {}
        event.update({_SDK_NAMES[key]: value for key, value in known.items() if key in _SDK_NAMES})
    if core := event.pop("temporal_log", None):
        event.update({f"core_{key}": str(value) for key, value in core.fields.items()})
    return event


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log what ends the process like everything else, instead of printing a traceback of many lines."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger("postloom").critical("the process ends: %s", kind.__name__, exc_info=(kind, error, trace))


def escape_controls(text: str) -> str:
    """Return the text with its control characters, line breaks and bidirectional marks escaped."""
    return _BREAKS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _on_one_line(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape line breaks and bidirectional marks: a caller's path or name cannot forge or reverse a log line."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = escape_controls(value.rstrip())
    return event


def configure_logs(log_format: str = "console", level: int = logging.INFO) -> None:
    """Log one line per event to standard error: for people; or as JSON, and then warnings and uncaught errors too."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _with_workflow,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_colors,
        _redact,
        _on_one_line,
    ]
    last: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _without_addresses,
            last,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    if log_format == "json":
        logging.captureWarnings(True)
        sys.excepthook = _log_uncaught
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("httpx2", "httpcore2", "openai", "stripe", "urllib3", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
