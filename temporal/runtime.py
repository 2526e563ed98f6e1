"""The runtime of Temporal's SDK: its logs, and its metrics for the process's page."""

import logging
import socket

from temporalio import activity, workflow
from temporalio.runtime import LogForwardingConfig, LoggingConfig, PrometheusConfig, Runtime, TelemetryConfig

from core.settings import Settings


def open_runtime(settings: Settings) -> tuple[str, ...]:
    """Set up metrics and the core's logs; call before the first client of the process. Return the pages of the SDK's
    metrics, which `serve_metrics` includes in the process's own page: none if metrics are off.

    The SDK serves its metrics only itself. It listens on this machine alone, at a port that nobody has to know.
    """
    address = f"127.0.0.1:{_free_port()}" if settings.metrics_port else ""
    metrics = (
        PrometheusConfig(bind_address=address, durations_as_seconds=True, unit_suffix=True, counters_total_suffix=True)
        if address
        else None
    )
    logs = LoggingConfig(
        filter=LoggingConfig.default.filter,
        # the facts become fields (core/observability.py)
        forwarding=LogForwardingConfig(
            logger=logging.getLogger("temporal.core"),
            prepend_target_on_message=False,
            append_log_fields_to_message=False,
        ),
    )
    activity.logger.activity_info_on_message = False
    workflow.logger.workflow_info_on_message = False
    Runtime.set_default(Runtime(telemetry=TelemetryConfig(metrics=metrics, logging=logs)))
    return (f"http://{address}/metrics",) if address else ()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
