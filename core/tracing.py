"""Traces by OpenTelemetry, off unless its standard variables name a place for them."""

import os
from typing import Final

from core.settings import WrongSetting, version

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PRIVATE: Final = ("url.path", "url.query")
"""Attributes that may contain a search or the token of a link."""


def is_tracing_on() -> bool:
    """Return whether the environment has an OTLP endpoint for traces, and does not turn traces off."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none"
    return not off and any(os.environ.get(name) for name in _ENDPOINTS)


def check_tracing() -> None:
    """Raise WrongSetting if traces are on, without the packages of the extra `tracing`."""
    if not is_tracing_on():
        return
    try:
        import opentelemetry.exporter.otlp.proto.http.trace_exporter
        import opentelemetry.sdk.trace.export  # noqa: F401
    except ImportError as error:
        name = next(name for name in _ENDPOINTS if os.environ.get(name))
        raise WrongSetting(
            name, "needs the packages of the extra `tracing`: pip install 'postloom[tracing]'"
        ) from error


def open_tracing(role: str) -> None:
    """Send the traces of this process by OTLP over HTTP, if they are on; call once, before the first client. The spans
    are those of FastAPI and Temporal's SDK. The service is `postloom-<role>` unless OTEL_SERVICE_NAME says otherwise.

    Raise WrongSetting as `check_tracing`.
    """
    if not is_tracing_on():
        return
    check_tracing()
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    class WithoutAddresses(SpanProcessor):
        """Blanks the addresses of requests; their route template stays."""

        def on_start(self, span: Span, parent_context: Context | None = None) -> None:
            span.set_attributes({name: "" for name in _PRIVATE if name in (span.attributes or {})})

    own = Resource({"service.name": f"postloom-{role}", "service.version": version()})
    provider = TracerProvider(resource=Resource.create().merge(own).merge(OTELResourceDetector().detect()))
    provider.add_span_processor(WithoutAddresses())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def close_tracing() -> None:
    """Send the traces that wait. Takes seconds if their receiver is away."""
    if not is_tracing_on():
        return
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):  # `open_tracing` was called
        provider.shutdown()
