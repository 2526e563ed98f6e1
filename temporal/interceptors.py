"""What happens around every activity: the product's errors become Temporal's, the one place that decides about retries,
outcomes are counted, and log lines get the ids."""

from typing import Any

from structlog.contextvars import bound_contextvars
from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory, FailureError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from activities.delivering import Delivered
from core.errors import AwaitsMending, DomainError, RateLimited
from core.metrics import DELIVERIES
from workflows.names import network_of_queue


class _ErrorTranslation(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        try:
            return await super().execute_activity(input)
        except DomainError as error:
            if not error.retryable:
                activity.logger.warning("the step failed: %s", error.code)
            raise ApplicationError(
                error.code.value,  # only the code: histories contain no content
                type=error.code.value,
                non_retryable=not error.retryable,
                next_retry_delay=error.retry_after,
                category=(
                    ApplicationErrorCategory.BENIGN
                    if isinstance(error, (AwaitsMending, RateLimited))
                    else ApplicationErrorCategory.UNSPECIFIED
                ),
            ) from None
        except FailureError:
            raise
        except Exception as error:
            # a defect: its type and place, but not its message, which may contain a user's text or a token
            name = type(error).__name__
            raise ApplicationError(name, type=name).with_traceback(error.__traceback__) from None


_IDS = ("user_id", "assistant_id", "run_id", "post_id", "delivery_id", "mail_id", "grant_id", "tryout_id")


class _LogContext(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        order = input.args[0] if input.args else None
        found = {name: getattr(order, name, None) for name in _IDS}
        with bound_contextvars(
            workflow_id=info.workflow_id,
            workflow_run_id=info.workflow_run_id,
            activity=info.activity_type,
            attempt=info.attempt,
            **{name: str(value) for name, value in found.items() if value},
        ):
            return await super().execute_activity(input)


class LogContext(Interceptor):
    """Adds the ids of workflow and order to each log line of an activity."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _LogContext(next)


class _CountDeliveries(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        result = await super().execute_activity(input)
        if isinstance(result, Delivered):
            DELIVERIES.labels(network_of_queue(activity.info().task_queue), result.outcome).inc()
        return result


class DeliveryCounts(Interceptor):
    """Counts how attempts to deliver a post end."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _CountDeliveries(next)


class DomainErrors(Interceptor):
    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _ErrorTranslation(next)
