"""What the stories of the workflows share."""

import re
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.client import Client

from core.deliveries.repositories import deliveries
from core.runs.repositories import lateness
from tests.conftest import Networks
from tests.http_server import Server

HISTORIES = Path(__file__).parents[1] / "replay" / "histories"

Record = Callable[..., Awaitable[None]]


@pytest.fixture(autouse=True)
async def forgetful(networks: Networks) -> None:
    await networks.forget()


@pytest.fixture
def model() -> Iterator[Server]:
    """A model server, for `with_model`."""
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def record(request: pytest.FixtureRequest, temporal: Client) -> Record:
    """Keeps a story's history for the replay test, with `--record-histories`. Files that are there stay as they are:
    a change of a workflow must go on with them."""

    async def keep(story: str, workflow_id: str, run_id: str | None = None) -> None:
        if not request.config.getoption("--record-histories"):
            return
        history = await temporal.get_workflow_handle(workflow_id, run_id=run_id).fetch_history()
        HISTORIES.mkdir(exist_ok=True)
        with suppress(FileExistsError), (HISTORIES / f"{story}.json").open("x") as file:
            file.write(without_traces(history.to_json()) + "\n")

    return keep


def without_traces(history: str) -> str:
    """A history as JSON without what tells of the machine that recorded it and no replay looks at."""
    history = re.sub(rf"\d+@{re.escape(socket.gethostname())}", "1@tests", history)
    return re.sub(r'"stackTrace": "(?:[^"\\]|\\.)*"', '"stackTrace": ""', history)


@pytest.fixture
def short_window(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The least time that something may be late, which else is a minute."""
    asked = (lateness._post_query, lateness._run_query, lateness._account_deadline_query, deliveries._fence_statement)
    monkeypatch.setattr(lateness, "SHORTEST_WINDOW", timedelta(seconds=12))
    for statement in asked:
        statement.cache_clear()
    yield
    monkeypatch.undo()
    for statement in asked:
        statement.cache_clear()
