"""The parts of an installation as processes of their own."""

import asyncio
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
from alembic import command
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError
from temporalio.client import Client

from cli import ports
from cli.__main__ import describe_failure
from cli.services import load_service_environment
from cli.stand_ins import STAND_INS
from core.database import migrate, open_engine, open_sessions
from core.ids import new_id
from core.installation.revisions import known_revisions
from core.installation.start_checks import StartRefused
from core.settings import ROOT, version
from core.workers.tables import WorkerBeat
from tests.architecture.test_migrations import config_for
from tests.cli.test_run import apart
from tests.patience import PATIENCE
from workflows.names import MAILS, MODELS


@pytest.fixture
def environ(tmp_path: Path, database: str, temporal: Client) -> dict[str, str]:
    """The environment of a role: the database of this test, the Temporal of all tests."""
    return {
        **apart(),
        "DATABASE_URL": database,
        "DATA_DIR": str(tmp_path),
        "PORT": str(ports.choose(0, {0})),
        "TEMPORAL_ADDRESS": temporal.service_client.config.target_host,
        "TEMPORAL_NAMESPACE": "default",
        "TEMPORAL_TLS": "false",
        "GRACEFUL_SECONDS": "1",
    }


def run(environ: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=PATIENCE)


class Role:
    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self._log = process, log

    @property
    def said(self) -> str:
        return self._log.read_text()

    async def says(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            await asyncio.sleep(0.1)


@contextmanager
def started(environ: Mapping[str, str], log: Path, *arguments: str) -> Iterator[Role]:
    with log.open("xb") as output:
        command = [sys.executable, "-m", "cli", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=output, stderr=output)
    try:
        yield Role(process, log)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            finally:
                process.kill()  # what does not end by itself must not stay behind


def status(environ: Mapping[str, str], path: str) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{environ['PORT']}{path}", timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_help_and_version_name_the_product(tmp_path: Path) -> None:
    environ = {**apart(), "DATA_DIR": str(tmp_path)}
    assert "Usage: postloom [OPTIONS] COMMAND" in run(environ, "--help").stdout
    assert run(environ, "version").stdout.split()[0] == version()


def test_a_failure_of_the_database_is_the_drivers_line_alone() -> None:
    error = OperationalError("SELECT 1", {}, Exception("connection\nfailed"))
    assert "sqlalche.me" in str(error)
    assert describe_failure(error) == "connection failed"


@pytest.mark.slow
async def test_serve_listens_by_itself_with_several_processes(environ: dict[str, str], tmp_path: Path) -> None:
    environ["API_PROCESSES"] = "2"
    with started(environ, tmp_path / "serve.log", "serve") as role:
        await role.says("Application startup complete")
        assert await asyncio.to_thread(status, environ, "/healthz") == 200
        children = psutil.Process(role.process.pid).children()
        assert len([child for child in children if "spawn_main" in " ".join(child.cmdline())]) == 2
        # the process that starts the others has not loaded the app
        assert psutil.Process(role.process.pid).memory_info().rss < 90_000_000
        taken = run(environ, "serve")
        assert (taken.returncode, "is taken by process" in taken.stderr) == (1, True)
    assert role.process.returncode == 0
    # multiprocessing's resource tracker ends by itself, after its parent
    assert not psutil.wait_procs(children, timeout=10)[1]


def test_several_processes_of_serve_refuse_a_wrong_setting_with_its_line(environ: dict[str, str]) -> None:
    """The checks of the start run in a process of their own."""
    refused = run({**environ, "API_PROCESSES": "2", "META_VERSION": "newest"}, "serve")
    assert (refused.returncode, refused.stderr.startswith("✗ META_VERSION: ")) == (1, True)
    assert len(refused.stderr.splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(StartRefused("clock: differs")))) == "clock: differs"


@pytest.mark.slow
async def test_a_worker_polls_the_chosen_queues_alone(environ: dict[str, str], tmp_path: Path) -> None:
    unknown = run(environ, "worker", "--queues", "nails")
    assert unknown.returncode == 1
    assert unknown.stderr.startswith("✗ --queues: there is no queue nails; there are assistants, runs, models, mails")
    with started(environ, tmp_path / "worker.log", "worker", "--queues", f"{MAILS},{MODELS}", "--no-loops") as role:
        await role.says(f"polling {MODELS}, {MAILS}")
        engine = open_engine(environ["DATABASE_URL"])
        async with open_sessions(engine)() as session, asyncio.timeout(PATIENCE):
            while not (polled := list(await session.scalars(select(WorkerBeat.queues)))):
                await asyncio.sleep(0.1)
        await engine.dispose()
        assert polled == [[MODELS, MAILS]]
    assert "stopping" in role.said


def test_migrate_needs_a_database(tmp_path: Path) -> None:
    done = run({**apart(), "DATA_DIR": str(tmp_path)}, "migrate")
    assert (done.returncode, done.stderr.startswith("✗ DATABASE_URL: is not set")) == (1, True)


async def test_migrate_stops_before_what_a_running_release_does_not_bear(
    environ: dict[str, str], database: str, tmp_path: Path
) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "0112")
    config.stdout.close()
    running = open_engine(database, application="postloom worker")
    async with running.connect():
        refused = await asyncio.to_thread(run, environ, "migrate")
    await running.dispose()
    assert (refused.returncode, refused.stderr.strip()) == (
        1,
        "✗ migrations 0113 are not safe beside a running release, and postloom worker uses this database: stop web app "
        "and workers on all nodes, then run `postloom migrate --offline`",
    )
    engine = open_engine(database)
    async with engine.begin() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "0112"
        # a transaction that lasts: others do not wait behind the migration for as long
        await connection.execute(text("LOCK TABLE runs"))
        with pytest.raises(OperationalError) as waited:
            await asyncio.to_thread(migrate, database, lock_seconds=1)
        assert isinstance(waited.value.orig, psycopg.errors.LockNotAvailable)
    await engine.dispose()
    done = run(environ, "migrate", "--offline")
    assert done.stdout == f"the database is at revision {known_revisions()[0]}\n", done.stderr
    assert run(environ, "migrate").returncode == 0


@pytest.mark.slow
async def test_a_build_gets_work_by_a_deploy(environ: dict[str, str], tmp_path: Path) -> None:
    nothing = run(environ, "deploy")
    assert nothing.stderr.startswith("✗ TEMPORAL_WORKER_BUILD_ID: is not set")
    environ["TEMPORAL_NAMESPACE"] = f"deploy-{new_id()}"
    assert run(environ, "temporal-setup").returncode == 0
    environ["TEMPORAL_WORKER_BUILD_ID"] = "2026.11"
    with started(environ, tmp_path / "worker.log", "worker") as role:
        await role.says("as build 2026.11, which gets work by `postloom deploy`")
        deployed = run(environ, "deploy", "--pause", "0")
        assert deployed.stdout.splitlines()[2:] == [
            "build 2026.11 is the current one",
            "0 runs and posts that were pinned to other builds go on with it",
        ], deployed.stderr
        back = run(environ, "deploy", "--rollback")
        assert back.stderr.startswith("✗ before build 2026.11 there were workers without a build, and none is running")
        other = run(environ, "deploy", "--build-id", "2026.12")
        assert other.stderr.startswith("✗ this is build 2026.11, which cannot replay for build 2026.12: run it there")


def test_two_settings_lead_a_node_to_a_sandbox_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in {*os.environ} - {*apart()}:
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    os.environ.update(
        DATA_DIR=str(tmp_path), SANDBOX="1", SANDBOX_URL="http://sandbox.test:4010", META_CLIENT_ID="mine"
    )
    load_service_environment()
    assert os.environ["LINKEDIN_API_URL"] == os.environ["MASTODON_SERVER_URL"] == "http://sandbox.test:4010"
    assert os.environ["SMTP_URL"] == "smtp+plain://sandbox.test:4025"
    assert os.environ["INTERNAL_PAGES"] == "http://sandbox.test:4010"
    assert "META_GRAPH_URL" not in os.environ
    prefixes = tuple(one.prefix for one in STAND_INS.values())
    assert len([name for name in os.environ if name.startswith(prefixes)]) > 15


@pytest.mark.slow
@pytest.mark.parametrize("role", ["serve", "worker"])
async def test_what_does_not_fit_stops_a_role_with_one_line(
    role: str, environ: dict[str, str], database: str, tmp_path: Path
) -> None:
    engine = open_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    await engine.dispose()
    done = await asyncio.to_thread(run, environ, role)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        "✗ DATABASE_URL: the database is at revision 0001, this release needs"
    )
    assert "Traceback" not in done.stderr
    if role == "worker":
        done = await asyncio.to_thread(run, {**environ, "TEMPORAL_NAMESPACE": "nowhere"}, role)
        assert done.returncode == 1
        assert "✗ TEMPORAL_NAMESPACE: the Temporal server has no namespace nowhere: run" in done.stderr
    wrong = await asyncio.to_thread(run, {**environ, "META_VERSION": "newest"}, role)
    assert (wrong.returncode, wrong.stderr.startswith("✗ META_VERSION: ")) == (1, True)
    done = await asyncio.to_thread(run, {**environ, "LOG_FORMAT": "json"}, role)
    assert done.returncode == 1
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert lines[-1]["event"].startswith("DATABASE_URL: the database is at revision 0001")


def test_an_installed_wheel_works_in_the_working_directory(tmp_path: Path) -> None:
    """Not in the environment's folder of packages, which nobody may write to."""
    packages, work = tmp_path / "packages", tmp_path / "work"
    for name in ("cli", "core"):
        shutil.copytree(ROOT / name, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "postloom-9.8.7.dist-info").mkdir()
    metadata = "Metadata-Version: 2.4\nName: postloom\nVersion: 9.8.7\n"
    (packages / "postloom-9.8.7.dist-info" / "METADATA").write_text(metadata)
    work.mkdir()
    (work / ".env").write_text("PORT=8123\n")
    code = """
import json
from core.settings import load_environment, read_settings, version
load_environment()
settings = read_settings()
print(json.dumps([version(), settings.port, str(settings.data_dir)]))
"""
    environ = {**apart(), "PYTHONPATH": str(packages)}
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=work, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["9.8.7", 8123, str(work / ".postloom")]
    said = subprocess.run(
        [sys.executable, "-P", "-m", "cli", "version"], cwd=work, env=environ, capture_output=True, text=True
    )
    assert said.stdout.split()[0] == "9.8.7"
