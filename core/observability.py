"""Logs with the ids of what is processed, never with its content."""

import logging
import re
import sys

import structlog

_SECRET = ("token", "password", "secret", "authorization", "code", "api_key", "cookie")

# control characters, line separators and bidirectional marks
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _redact(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    for key in event:
        lowered = key.lower()
        if any(word in lowered for word in _SECRET) and lowered not in {"code", "error_code", "status_code"}:
            event[key] = "[redacted]"
    return event


def _on_one_line(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape line breaks and bidirectional marks: a caller's path or name cannot forge or reverse a log line."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = _BREAKS.sub(lambda match: match[0].encode("unicode_escape").decode(), value.rstrip())
    return event


def configure_logs(log_format: str = "console", level: int = logging.INFO) -> None:
    """Log one line per event to standard error: for people, or as JSON."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
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
            last,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
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
