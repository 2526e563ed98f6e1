"""`make run` as a whole, and what it decides before it starts anything."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.pool import QueuePool

from cli import ports
from cli.children import ProcessIdentity
from cli.plan import make_plan
from cli.run import listen
from cli.stack import API_CONNECTIONS, OTHERS_CONNECTIONS
from cli.stand_ins import STAND_INS
from cli.supervisor import StartFailed
from core.container import Services, open_services
from core.settings import ROOT, Settings
from temporal.server import SEARCH_ATTRIBUTES
from temporal.worker import POOL_SIZE
from tests.patience import PATIENCE
from workflows import names


def test_without_any_setting_all_is_embedded_and_the_sandbox_stands_in(tmp_path: Path) -> None:
    plan = make_plan(Settings(data_dir=tmp_path), {})
    added = plan.environment({}, "postgresql+psycopg://here")
    assert (plan.postgres, plan.temporal, plan.sandbox) == (True, True, True)
    assert added["LINKEDIN_API_URL"] == added["LINKEDIN_AUTH_URL"] == plan.sandbox_url
    assert added["META_GRAPH_URL"] == added["META_DIALOG_URL"] == plan.sandbox_url
    assert added["SMTP_URL"] == f"smtp://127.0.0.1:{plan.mail_port}"
    assert added["TEMPORAL_ADDRESS"] == f"127.0.0.1:{plan.temporal_port}"
    again = make_plan(Settings(data_dir=tmp_path), {})
    assert again.sandbox_secret == plan.sandbox_secret


@pytest.mark.parametrize(
    ("environ", "settings", "sandbox"),
    [
        ({"LINKEDIN_CLIENT_ID": "mine"}, {}, False),
        ({"LINKEDIN_API_URL": "https://mine.test"}, {}, False),
        ({"TEMPORAL_ADDRESS": "elsewhere:7233"}, {}, False),
        ({}, {"database_url": "postgresql://elsewhere/db"}, False),
        ({}, {"sandbox": False}, False),
        ({"TEMPORAL_ADDRESS": "elsewhere:7233"}, {"sandbox": True}, True),
    ],
)
def test_the_sandbox_is_on_only_where_nothing_real_is_set(
    environ: dict[str, str], settings: dict[str, Any], sandbox: bool, tmp_path: Path
) -> None:
    assert make_plan(Settings(data_dir=tmp_path, **settings), environ).sandbox is sandbox


def test_what_is_set_is_never_pointed_at_the_sandbox(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, sandbox=True, smtp_url="smtp://real")
    environ = {"LINKEDIN_CLIENT_ID": "mine", "TEMPORAL_ADDRESS": "elsewhere:7233", "GRACEFUL_SECONDS": "9"}
    added = make_plan(settings, environ).environment(environ, "postgresql+psycopg://here")
    assert not {"LINKEDIN_CLIENT_ID", "LINKEDIN_API_URL", "SMTP_URL", "TEMPORAL_ADDRESS", "GRACEFUL_SECONDS"} & set(
        added
    )


@pytest.mark.parametrize(
    ("settings", "demo", "stands_in"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"sandbox_stripe": True}, False, True),
        ({"sandbox_stripe": False}, True, False),
        ({"sandbox": False}, True, False),
        ({"stripe_secret_key": "sk_live_mine"}, True, False),
    ],
)
def test_nobody_is_charged_but_by_the_stand_in_where_it_is_wanted(
    settings: dict[str, Any], demo: bool, stands_in: bool, tmp_path: Path
) -> None:
    plan = make_plan(Settings(data_dir=tmp_path, **settings), {}, demo=demo)
    added = plan.environment({}, "postgresql+psycopg://here")
    assert plan.stripe is stands_in
    assert added.get("STRIPE_API_URL") == (f"{plan.sandbox_url}/stripe" if stands_in else None)


def test_a_taken_port_is_named_with_its_owner_and_the_setting() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(StartFailed, match=rf"port {port} is taken by process {os.getpid()} .*set PORT"):
            listen(Settings(port=port))


def test_the_development_server_registers_what_the_workflows_use() -> None:
    assert set(SEARCH_ATTRIBUTES) == {key.name for key in names.SEARCH_ATTRIBUTES}


async def test_the_database_has_connections_for_every_process(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none")
    async with open_services(settings) as api, open_services(settings, pool_size=POOL_SIZE) as worker:
        # besides the pool: two for readiness, and what listens; the steps of a start and PostgreSQL keep ten
        assert _most(api) + 2 + 1 <= API_CONNECTIONS
        assert _most(worker) + 2 + 2 + 10 <= OTHERS_CONNECTIONS


def _most(services: Services) -> int:
    pool = services.engine.pool
    assert isinstance(pool, QueuePool)
    return pool.size() + pool._max_overflow


def apart() -> dict[str, str]:
    """The environment without the servers that the tests have."""
    theirs = ("TEMPORAL_", "DATABASE_", *(stand_in.prefix for stand_in in STAND_INS.values()))
    return {name: value for name, value in os.environ.items() if not name.startswith(theirs)}


class Started:
    """`python -m cli run` in a process of its own."""

    def __init__(self, data: Path, port: int, api_processes: int = 1) -> None:
        environ = {**apart(), "DATA_DIR": str(data), "PORT": str(port), "API_PROCESSES": str(api_processes)}
        self.data, self.port = data, port
        self.output = data.with_name(f"run-{time.monotonic_ns()}.txt")
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cli", "run"], cwd=ROOT, env=environ, stdout=output, stderr=output
            )
        try:
            self._wait_until_ready()
        except AssertionError:
            self.stop()  # no later test has a process left behind
            raise

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while "Ctrl-C" not in self.output.read_text():
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.05)

    def stop(self) -> None:
        """Nothing, where it has ended."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)

    def children(self) -> dict[str, ProcessIdentity]:
        known = json.loads((self.data / "run.json").read_text())["children"]
        return {name: ProcessIdentity(pid, started) for name, (pid, started, _) in known.items()}

    def started(self, log: str) -> int:
        """How often the process of the web app that writes this log was ready."""
        return (self.data / "logs" / log).read_text().count("Application startup complete")

    def serves(self) -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)


@pytest.mark.slow
def test_it_survives_a_kill_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    port = ports.choose(0, {0})
    killed = Started(tmp_path / "data", port)
    assert killed.serves()
    left = killed.children().values()
    killed.process.kill()
    killed.process.wait()

    again = Started(tmp_path / "data", port, api_processes=2)
    try:
        _survives_and_ends(again, left)
    finally:
        again.stop()


def _survives_and_ends(again: Started, left: Iterable[ProcessIdentity]) -> None:
    assert not any(mark.is_alive() for mark in left)
    assert again.serves()
    _kill_the_first_of_two(again)
    assert set(again.children()) == {"PostgreSQL", "Temporal", "Sandbox", "Worker", "Web app", "Web app 2"}
    children = again.children().values()
    assert all(mark.is_alive() for mark in children)
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait(PATIENCE) == 0
    assert not any(mark.is_alive() for mark in children)
    assert not (again.data / "run.json").exists()
    assert ports.is_free("127.0.0.1", again.port)


def _kill_the_first_of_two(run: Started) -> None:
    """Whoever asks meanwhile is answered by the second, until the first is there again."""
    deadline = time.monotonic() + PATIENCE
    while not run.started("web-app-2.log"):
        assert time.monotonic() < deadline, run.output.read_text()
        time.sleep(0.05)
    ready = run.started("web-app.log")
    first = run.children()["Web app"]
    os.kill(first.pid, signal.SIGKILL)
    answered = 0
    while run.started("web-app.log") == ready:
        assert run.serves()
        answered += 1
        assert time.monotonic() < deadline, run.output.read_text()
    assert answered > 10
    assert run.children()["Web app"] != first
    assert "! Web app ended with SIGKILL; starting it again" in run.output.read_text()
