"""The parts of a running Postloom: start them in the order of their dependencies, restart and stop them."""

import asyncio
import os
import signal
import socket
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from cli import ports, web_app
from cli.children import Command
from cli.plan import Plan
from cli.postgres import EmbeddedPostgres
from cli.progress import Progress, Step
from cli.supervisor import Child, RunFolder, StartFailed
from core.settings import IS_INSTALLED, ROOT
from temporal.server import dev_server_arguments, dev_server_ready, installed_dev_server

_READY_SECONDS = 60.0
# Ctrl-C ends everything within five seconds: first the users of the services, then the services
_USERS_SECONDS, _SERVICES_SECONDS = 3.0, 1.2
# most database connections at once: of the worker, a start's steps and PostgreSQL's reserve; of each API process
OTHERS_CONNECTIONS, API_CONNECTIONS = 60, 23
# run in ROOT: in a project it has to be first on sys.path, of an installed wheel not on it
_PYTHON: Final = (sys.executable, "-P", "-m") if IS_INSTALLED else (sys.executable, "-m")


class Stack:
    """All running parts, started in the order of their dependencies."""

    def __init__(
        self,
        plan: Plan,
        folder: RunFolder,
        progress: Progress,
        listening: Sequence[socket.socket],
        *,
        demo: bool,
        build_web_app: bool,
    ) -> None:
        self.plan = plan
        self._listening = tuple(one.fileno() for one in listening)
        self._demo = demo
        self._needs_build = build_web_app
        self._sandbox_ready = asyncio.Event()
        self._folder = folder
        self._progress = progress
        connections = OTHERS_CONNECTIONS + plan.settings.api_processes * API_CONNECTIONS
        postgres = EmbeddedPostgres(plan.folder, connections=connections, print_line=self._print_detail)
        self._postgres = postgres if plan.postgres else None
        self._services: list[Child] = []
        self._users: list[Child] = []
        self._environment: dict[str, str] = {}
        self.first_code = ""
        """Invitation code for the first user, set by `start`; empty if a user exists."""
        self.sign_in_link = ""
        """Sign-in link of the demo's user, set by `start`."""

    async def start(self) -> None:
        """Start each part as soon as its dependencies are ready. Raise StartFailed or PostgresError; `stop` then ends
        the started parts."""
        await _all_or_first_error(self._start_temporal(), self._start_product(), self._start_sandbox())
        await self._wait_for_worker()
        # the other API processes start last: the first one can answer, and each takes a CPU for seconds to load
        for number in range(2, self.plan.settings.api_processes + 1):
            await self._add_api(number).start()
        for child in (*self._services, *self._users):
            child.keep_running()

    async def _start_product(self) -> None:
        await _all_or_first_error(self._start_with_database(), self._build_web_app())
        await self._wait_for_web_app()

    async def _start_with_database(self) -> None:
        url = await self._start_postgres() if self._postgres else self.plan.settings.database_url
        assert url
        added = self.plan.environment(os.environ, url)
        self._environment = {**_without_temporal_settings(os.environ, self.plan.temporal), **added}
        self._folder.record(environment=added, url=self.plan.settings.public_url)
        with self._progress.step("Database schema"):
            await self._run_step("migrate")
        # they wait for Temporal themselves, because loading takes them longest
        await asyncio.gather(self._add_worker().start(), self._add_api().start())
        if self._demo:
            await self._seed()
        else:
            self.first_code = await self._run_step("first-code")

    async def _seed(self) -> None:
        await self._sandbox_ready.wait()  # accounts are connected there
        with self._progress.step("Demo data"):
            self.sign_in_link = await self._run_step("seed")

    async def _build_web_app(self) -> None:
        if not self._needs_build:
            return
        # a check or a test may build it right now; a file lock has no event to wait for
        while (lock := web_app.try_lock()) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        with lock:
            for work in web_app.list_stale_work(build=True, tests=False):
                with self._progress.step(work.name) as step:
                    for argv in work.commands:
                        command = Command(argv, os.environ, cwd=web_app.FRONTEND)
                        await _run_command(command, f"`{' '.join(argv)}`", step)
                    work.mark_done()

    async def stop(self) -> None:
        """Stop all parts, within five seconds."""
        await asyncio.gather(*(child.stop(within_seconds=_USERS_SECONDS) for child in self._users))
        await asyncio.gather(*(child.stop(within_seconds=_SERVICES_SECONDS) for child in self._services))
        if self._postgres:
            self._postgres.release()

    def kill(self) -> None:
        for child in (*self._users, *self._services):
            child.kill()

    async def _run_step(self, name: str) -> str:
        """Run a step of `cli/steps.py` in its own process, which frees its memory. Return its output. Raise
        StartFailed."""
        command = Command((*_PYTHON, "cli.steps", name), self._environment, cwd=ROOT)
        return (await _run_command(command, f"`{name}`")).strip()

    def _add_child(self, name: str, make: Callable[[], Command], group: list[Child]) -> Child:
        child = Child(name, make, self._folder, self._progress.print_line)
        group.append(child)
        return child

    def _print_detail(self, text: str) -> None:
        self._progress.print_line(f"  {text}")

    async def _start_postgres(self) -> str:
        """Return the URL of the server, which accepts connections."""
        server = self._postgres
        assert server
        child = self._add_child("PostgreSQL", server.prepare, self._services)
        with self._progress.step("PostgreSQL"):
            await child.start_and_wait(
                lambda: asyncio.to_thread(server.ready, child.pid), within_seconds=_READY_SECONDS
            )
        return server.url

    async def _start_temporal(self) -> None:
        if not self.plan.temporal:
            return
        plan = self.plan
        binary = installed_dev_server()
        if binary is None:
            with self._progress.step("Download of the Temporal server (once)") as step:
                command = Command((*_PYTHON, "temporal.server"), dict(os.environ), cwd=ROOT)
                binary = Path((await _run_command(command, "the download", step)).strip())
        arguments = dev_server_arguments(
            binary,
            port=plan.temporal_port,
            ui_port=plan.temporal_ui_port,
            http_port=plan.temporal_http_port,
            database=plan.folder / "temporal.db",
        )
        # the server is mostly idle: less memory matters more than the garbage collector's CPU time
        environment = {"GOGC": "50", **os.environ}
        with self._progress.step("Temporal"):
            child = self._add_child("Temporal", lambda: Command(arguments, environment, cwd=ROOT), self._services)
            try:
                await child.start_and_wait(
                    lambda: asyncio.to_thread(dev_server_ready, plan.temporal_http_port), within_seconds=_READY_SECONDS
                )
            except StartFailed as error:
                # Temporal reports a taken port only by a panic with a stack trace
                chosen = (plan.temporal_port, plan.temporal_ui_port, plan.temporal_http_port)
                raise _find_port_conflict("Temporal", chosen) or error from error

    async def _start_sandbox(self) -> None:
        if self.plan.sandbox:
            await self._start_networks()
        self._sandbox_ready.set()

    async def _start_networks(self) -> None:
        plan = self.plan
        addresses = ("--host", "127.0.0.1", "--port", str(plan.sandbox_port), "--smtp-port", str(plan.mail_port))
        argv: tuple[str, ...] = (*_PYTHON, "sandbox", *addresses, "--data", str(plan.folder / "sandbox"))
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        if plan.stripe:
            argv += ("--stripe-webhooks", f"{plan.local_url}/api/webhooks/stripe/")
            environment["STRIPE_WEBHOOK_SECRET"] = plan.stripe_webhook_secret
        with self._progress.step("Sandbox networks"):
            child = self._add_child("Sandbox", lambda: Command(argv, environment, cwd=ROOT), self._users)
            await child.start_and_wait(lambda: _responds(f"{plan.sandbox_url}/outbox"), within_seconds=_READY_SECONDS)

    def _add_worker(self) -> Child:
        argv = (*_PYTHON, "temporal")
        return self._add_child("Worker", lambda: Command(argv, self._environment, cwd=ROOT), self._users)

    def _add_api(self, number: int = 1) -> Child:
        argv = (*_PYTHON, "api.server", *(f"--fd={descriptor}" for descriptor in self._listening))
        name = "Web app" if number == 1 else f"Web app {number}"
        make = partial(Command, argv, cwd=ROOT, descriptors=self._listening)
        return self._add_child(name, lambda: make(self._environment), self._users)

    async def _wait_for_web_app(self) -> None:
        child = next(child for child in self._users if child.name == "Web app")
        with self._progress.step("Web app", child.began):
            await child.wait_until(lambda: _responds(f"{self.plan.local_url}/healthz"), within_seconds=_READY_SECONDS)

    async def _wait_for_worker(self) -> None:
        worker = next(child for child in self._users if child.name == "Worker")
        with self._progress.step("Worker", worker.began):
            ready = f"{self.plan.local_url}/readyz"
            if self.plan.temporal:
                await worker.wait_until(lambda: _responds(ready), within_seconds=_READY_SECONDS)
            elif not await _responds(ready):
                # a Temporal server that we do not run may be away: the app reports it and keeps working
                address = self.plan.settings.temporal_address
                self._progress.print_line(f"! Temporal at {address} or the worker is not ready")


async def _run_command(command: Command, what: str, step: Step | None = None) -> str:
    """Run a command and return its output; each line becomes the step's note. Raise StartFailed with the last lines."""
    process = await asyncio.create_subprocess_exec(
        *command.launch_arguments(),
        env=dict(command.env),
        cwd=command.cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    assert process.stderr
    output: list[str] = []
    lines: list[str] = []

    async def listen(stream: asyncio.StreamReader) -> None:
        async for line in stream:
            lines.append(line.decode(errors="replace").rstrip())
            if stream is process.stdout:
                output.append(f"{lines[-1]}\n")
            if step:
                step.note(lines[-1])

    try:
        await asyncio.gather(listen(process.stdout), listen(process.stderr))
        code = await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    if code != 0:
        raise StartFailed("\n".join([f"{what} failed:", *(f"    {line}" for line in lines[-20:])]))
    return "".join(output)


async def _all_or_first_error(*parts: Awaitable[None]) -> None:
    """Wait for all parts. Cancel the others at the first error and raise it unchanged."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _responds(url: str) -> bool:
    """Return whether the URL answers with status 200 within two seconds."""

    def request() -> bool:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    return await asyncio.to_thread(request)


def _find_port_conflict(name: str, chosen: Sequence[int]) -> StartFailed | None:
    """Return the error for a part if another process took one of its chosen ports, else None."""
    for port in chosen:
        if not ports.is_free("127.0.0.1", port):
            owner = ports.owner_of(port) or "a process that cannot be seen from here"
            return StartFailed(f"{name}: port {port} was taken by {owner} during this start: start again")
    return None


def _without_temporal_settings(environ: Mapping[str, str], embedded: bool) -> dict[str, str]:
    """Return the environment; for the embedded server without Temporal's connection (API key, TLS, profile)."""
    ours = ("TEMPORAL_CODEC_KEYS", "TEMPORAL_UI_URL")
    return {k: v for k, v in environ.items() if not embedded or k in ours or not k.startswith("TEMPORAL_")}
