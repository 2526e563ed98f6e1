"""What a step's failure tells Temporal and the log."""

import io
import logging
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from temporalio.api.failure.v1 import Failure
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from core.container import Services
from core.errors import ErrorCode, RetrySafe
from temporal.interceptors import DomainErrors

MARKER = "somebody's own words"


class Raising(ActivityInboundInterceptor):
    def __init__(self, error: Exception) -> None:
        self.error = error

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        raise self.error


async def translated(error: Exception) -> ApplicationError:
    asked: Any = None
    with pytest.raises(ApplicationError) as raised:
        await DomainErrors().intercept_activity(Raising(error)).execute_activity(asked)
    return raised.value


def told(error: Exception) -> str:
    """All that Temporal keeps of it, and all that a log says."""
    failure = Failure()
    converter = DataConverter.default
    converter.failure_converter.to_failure(error, converter.payload_converter, failure)
    found = io.StringIO()
    handler = logging.StreamHandler(found)
    logger = logging.getLogger("test_interceptors")
    logger.addHandler(handler)
    logger.error("Completing activity as failed", exc_info=error)
    logger.removeHandler(handler)
    return f"{failure}\n{found.getvalue()}"


@pytest.mark.parametrize("value", [f"{MARKER}\x00", MARKER])
async def test_the_parameters_of_a_database_error_reach_neither_log_nor_failure(services: Services, value: str) -> None:
    """NUL, which PostgreSQL refuses, and a value that is no number, which it repeats in its own words."""
    statement = "SELECT CAST(:value AS text)" if "\x00" in value else "SELECT CAST(CAST(:value AS text) AS int)"
    with pytest.raises(DBAPIError) as raised:
        async with services.sessions.begin() as session:
            await session.execute(text(statement), {"value": value})
    assert f"'value': '{MARKER}" not in str(raised.value)
    error = await translated(raised.value)
    assert (error.type, error.non_retryable) == (type(raised.value).__name__, False)
    assert MARKER not in told(error)
    # where it happened stays
    assert "execute_activity" in told(error)


async def test_a_defect_tells_its_type_and_place_alone() -> None:
    error = await translated(ValueError(MARKER))
    assert (error.message, error.type, error.non_retryable) == ("ValueError", "ValueError", False)
    assert MARKER not in told(error)


async def test_what_is_a_failure_already_stays_as_it_is() -> None:
    error = ApplicationError("as it is", type="other", non_retryable=True)
    assert await translated(error) is error


async def test_a_known_failure_is_its_code() -> None:
    error = await translated(RetrySafe(ErrorCode.model_unavailable, detail=MARKER))
    assert error.type == ErrorCode.model_unavailable
    assert MARKER not in told(error)
