"""The embedded PostgreSQL, for real: start, stop, and what a kill leaves."""

import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from cli.children import ProcessIdentity
from cli.postgres import EmbeddedPostgres, PostgresError, choose_route, find_binaries
from core.database import migrate
from core.settings import ROOT
from tests.cli.test_run import apart
from tests.patience import PATIENCE

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become others")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once by the first test that starts it: initdb takes most of the time."""
    return tmp_path_factory.mktemp("data")


@contextmanager
def server(folder: Path) -> Iterator[str]:
    postgres = EmbeddedPostgres(folder, durable=False)
    url = postgres.start().replace("+psycopg", "")
    try:
        yield url
    finally:
        postgres.stop()


def ask(url: str, query: LiteralString) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
        return row and row[0]


def test_data_survives_a_restart(folder: Path) -> None:
    with server(folder) as url, psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
    with server(folder) as url:
        assert ask(url, "SELECT seven FROM kept") == 7


def test_it_listens_on_no_port_and_leaves_no_socket(folder: Path) -> None:
    with server(folder) as url:
        sockets = Path(url.partition("?host=")[2])
        assert ask(url, "SHOW listen_addresses") == ""
        assert sockets.stat().st_mode & 0o077 == 0
        assert ask(url, "SELECT datlocprovider::text FROM pg_database WHERE datname = 'postloom'") == "b"
    assert not sockets.exists()


def test_a_folder_serves_one_at_a_time(folder: Path) -> None:
    with server(folder), pytest.raises(PostgresError, match="another process uses"):
        EmbeddedPostgres(folder).start()


def test_a_killed_starter_takes_it_along_and_the_next_start_works(folder: Path) -> None:
    script = (
        "import os, sys, time; from pathlib import Path; from cli.postgres import EmbeddedPostgres;"
        f"p = EmbeddedPostgres(Path({str(folder)!r})); print(p.start(), p._process.pid, flush=True); time.sleep(60)"
    )
    starter = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert starter.stdout
    url, pid = starter.stdout.readline().split()
    sockets = Path(url.partition("?host=")[2])
    mark = ProcessIdentity.of(int(pid))
    assert mark
    assert sockets.exists()
    starter.kill()
    starter.wait()
    starter.stdout.close()
    deadline = time.monotonic() + PATIENCE
    while mark.is_alive() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not mark.is_alive()
    with server(folder) as url:
        assert ask(url, "SELECT 1") == 1
    assert not sockets.exists()


def test_keys_are_accepted_while_nothing_runs(tmp_path: Path) -> None:
    """`make run` stops its database when a node is refused."""
    data = tmp_path / "data"
    with server(data) as url:
        migrate(url.replace("postgresql:", "postgresql+psycopg:"))
        with psycopg.connect(url) as connection:
            connection.execute("INSERT INTO secret_key_uses VALUES ('hashes', 'another', now())")
    environ = {**apart(), "DATA_DIR": str(data), "SECRET_KEY": "a key of at least 32 characters: the only one left"}
    command = [sys.executable, "-m", "cli", "keys"]
    refused, accepted, rotated = (
        subprocess.run([*command, name], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=PATIENCE)
        for name in ("rotate", "accept", "rotate")
    )
    assert refused.returncode == 1
    assert "SECRET_KEY: has another last key" in refused.stderr, refused.stderr
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert (rotated.returncode, rotated.stderr) == (0, "")
    with server(data) as url:
        assert ask(url, "SELECT count(*) FROM secret_key_uses WHERE fingerprint = 'another'") == 0


def test_a_server_that_was_killed_starts_again(folder: Path) -> None:
    postgres = EmbeddedPostgres(folder, durable=False)
    postgres.start()
    assert postgres._process
    postgres._process.kill()
    postgres._process.wait()
    postgres.release()
    with server(folder) as url:
        assert ask(url, "SELECT 1") == 1


def test_a_pid_file_whose_number_is_another_process_by_now_hinders_nothing(folder: Path) -> None:
    data = choose_route(folder).data
    with subprocess.Popen(["sleep", "60"]) as other:
        (data / "postmaster.pid").write_text(f"{other.pid}\n{data}\n0\n5432\n/nowhere\n\n  1  1\nready   \n")
        try:
            with server(folder) as url:
                assert ask(url, "SELECT 1") == 1
            assert other.poll() is None
        finally:
            other.send_signal(signal.SIGTERM)


def test_a_half_made_cluster_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "postgres.new" / "base").mkdir(parents=True)
    with server(tmp_path) as url:
        assert ask(url, "SELECT 1") == 1
    assert not (tmp_path / "postgres.new").exists()


@as_root
def test_as_root_it_runs_as_someone_else(folder: Path) -> None:
    with server(folder):
        route = choose_route(folder)
        assert route.user
        assert route.user.pw_uid != 0
        assert route.data.stat().st_uid == route.user.pw_uid


@as_root
def test_as_root_it_runs_in_a_folder_that_only_root_may_enter(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    said: list[str] = []
    postgres = EmbeddedPostgres(closed / "data", durable=False, print_line=said.append)
    url = postgres.start().replace("+psycopg", "")
    try:
        assert ask(url, "SELECT 1") == 1
        assert len(said) == 1
        assert postgres._process
        status = Path(f"/proc/{postgres._process.pid}/status").read_text()
        uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
        assert "0" not in uids
    finally:
        postgres.stop()


@as_root
def test_data_keep_their_owner(folder: Path) -> None:
    with server(folder):
        pass
    owner = choose_route(folder).data.stat().st_uid
    assert choose_route(folder).user == pwd.getpwuid(owner)


def test_the_binaries_are_those_of_the_package() -> None:
    assert (find_binaries() / "initdb").exists()
