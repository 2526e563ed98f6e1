"""`make run` and `make demo`: start all parts, restart them when they end, and stop them cleanly."""

import asyncio
import json
import os
import secrets
import signal
import socket
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from cli import peek, ports, web_app
from cli.children import Command
from cli.postgres import EmbeddedPostgres, PostgresError
from cli.progress import Progress, Step
from cli.stand_ins import STAND_INS
from cli.supervisor import Child, RunFolder, StartFailed
from core.settings import ROOT, Settings, WrongSetting, load_environment, read_settings, secret_keys
from temporal.server import dev_server_arguments, dev_server_ready, installed_dev_server

DEMO_DATA_DIR: Final = ".postloom-demo"
# preferred ports of the embedded parts; a taken one is replaced by a free one
TEMPORAL_PORT, TEMPORAL_UI_PORT, SANDBOX_PORT, MAIL_PORT = 7233, 8233, 4010, 4025
_READY_SECONDS = 60.0
# Ctrl-C ends everything within five seconds: first the users of the services, then the services
_USERS_SECONDS, _SERVICES_SECONDS = 3.0, 1.2
_WORKER_GRACE = "2"
# most database connections at once: of the worker, a start's steps and PostgreSQL's reserve; of each API process
OTHERS_CONNECTIONS, API_CONNECTIONS = 60, 23
_OWN_TEMPORAL: Final = ("TEMPORAL_ADDRESS", "TEMPORAL_PROFILE", "TEMPORAL_CONFIG_FILE")
_NETWORK_PREFIXES: Final = tuple(stand_in.prefix for stand_in in STAND_INS.values())
_PYTHON: Final = (sys.executable, "-m")  # run in ROOT, so that it is first on sys.path


@dataclass(frozen=True)
class Plan:
    """Which embedded parts run, and where."""

    settings: Settings
    folder: Path
    postgres: bool
    temporal: bool
    sandbox: bool
    stripe: bool
    """Whether Stripe is the sandbox's stand-in."""
    temporal_port: int
    temporal_ui_port: int
    temporal_http_port: int
    sandbox_port: int
    mail_port: int
    sandbox_secret: str = field(repr=False)

    @property
    def sandbox_url(self) -> str:
        return f"http://127.0.0.1:{self.sandbox_port}"

    @property
    def stripe_webhook_secret(self) -> str:
        return f"whsec_{self.sandbox_secret}"

    @property
    def local_url(self) -> str:
        """The web app's address on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.settings.host, self.settings.host)
        return f"http://{host}:{self.settings.port}"

    @property
    def temporal_ui_url(self) -> str | None:
        embedded = f"http://127.0.0.1:{self.temporal_ui_port}"
        return self.settings.temporal_ui_url or (embedded if self.temporal else None)

    def environment(self, environ: Mapping[str, str], database_url: str) -> dict[str, str]:
        """Return the variables that the services get in addition to `environ`, whose own values are kept."""
        settings = self.settings
        added = {
            "DATA_DIR": str(settings.data_dir),
            "DATABASE_URL": database_url,
            "PUBLIC_URL": settings.public_url,
            "PYTHONUNBUFFERED": "1",
        }
        if "GRACEFUL_SECONDS" not in environ:
            added["GRACEFUL_SECONDS"] = _WORKER_GRACE
        if self.temporal:
            # a profile in the user's home must not change the connection to the embedded server
            added |= {
                "TEMPORAL_ADDRESS": f"127.0.0.1:{self.temporal_port}",
                "TEMPORAL_NAMESPACE": "default",
                "TEMPORAL_TLS": "false",
                "TEMPORAL_CONFIG_FILE": os.devnull,
            }
        if self.temporal_ui_url:
            added["TEMPORAL_UI_URL"] = self.temporal_ui_url
        if self.sandbox:
            if not settings.smtp_url:
                added["SMTP_URL"] = f"smtp://127.0.0.1:{self.mail_port}"
                added["MAIL_OUTBOX_URL"] = f"{self.sandbox_url}/outbox"
            for stand_in in STAND_INS.values():
                if not _sets_any(environ, (stand_in.prefix,)):
                    added |= stand_in.settings(self.sandbox_url, self.sandbox_secret)
                    added["SANDBOX_URL"] = self.sandbox_url
        if self.stripe:
            added |= {
                # letters and digits, as in Stripe's keys
                "STRIPE_SECRET_KEY": f"sk_test_{''.join(filter(str.isalnum, self.sandbox_secret))}",
                "STRIPE_WEBHOOK_SECRET": self.stripe_webhook_secret,
                "STRIPE_PRICE_ID": "price_sandbox",
                "STRIPE_API_URL": f"{self.sandbox_url}/stripe",
            }
        return added


def make_plan(settings: Settings, environ: Mapping[str, str], *, demo: bool = False) -> Plan:
    """Decide by the settings which parts are embedded, and choose their ports."""
    postgres = settings.database_url is None
    temporal = not any(environ.get(name) for name in _OWN_TEMPORAL)
    sandbox = settings.sandbox
    if sandbox is None:
        sandbox = postgres and temporal and not _sets_any(environ, _NETWORK_PREFIXES)
    stripe = settings.sandbox_stripe if settings.sandbox_stripe is not None else demo
    taken = {0, settings.port}
    return Plan(
        settings=settings,
        folder=settings.data_dir,
        postgres=postgres,
        temporal=temporal,
        sandbox=sandbox,
        stripe=stripe and sandbox and not settings.stripe_secret_key,
        temporal_port=ports.choose(TEMPORAL_PORT, taken),
        temporal_ui_port=ports.choose(TEMPORAL_UI_PORT, taken),
        temporal_http_port=ports.choose(0, taken),
        sandbox_port=ports.choose(SANDBOX_PORT, taken),
        mail_port=ports.choose(MAIL_PORT, taken),
        sandbox_secret=_kept_secret(settings.data_dir / "sandbox.secret") if sandbox else "",
    )


def _taken_meanwhile(name: str, mine: Sequence[int]) -> StartFailed | None:
    """Return the error for a part if another process took one of its ports since it was chosen, else None."""
    for port in mine:
        if not ports.is_free("127.0.0.1", port):
            owner = ports.owner_of(port) or "a process that cannot be seen from here"
            return StartFailed(f"{name}: port {port} was taken by {owner} during this start: start once more")
    return None


def _sets_any(environ: Mapping[str, str], prefixes: tuple[str, ...]) -> bool:
    """Return whether a client id, a secret or an address of a network is set."""
    ends = ("_ID", "_SECRET", "_URL")
    return any(value and name.startswith(prefixes) and name.endswith(ends) for name, value in environ.items())


def _without_temporals(environ: Mapping[str, str], embedded: bool) -> dict[str, str]:
    """Return the environment; for the embedded server without Temporal's connection (API key, TLS, profile)."""
    ours = ("TEMPORAL_CODEC_KEYS", "TEMPORAL_UI_URL")
    return {k: v for k, v in environ.items() if not embedded or k in ours or not k.startswith("TEMPORAL_")}


def _kept_secret(path: Path) -> str:
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(24))
    return path.read_text().strip()


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
        bring_web_app: bool,
    ) -> None:
        self.plan = plan
        self._listening = tuple(one.fileno() for one in listening)
        self._demo = demo
        self._bring_web_app = bring_web_app
        self._sandbox_ready = asyncio.Event()
        self._folder = folder
        self._progress = progress
        connections = OTHERS_CONNECTIONS + plan.settings.api_processes * API_CONNECTIONS
        self._postgres = (
            EmbeddedPostgres(plan.folder, connections=connections, say=self._mention) if plan.postgres else None
        )
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
            await self._api(number).start()
        for child in (*self._services, *self._users):
            child.keep()

    async def _start_product(self) -> None:
        await _all_or_first_error(self._start_with_database(), self._build_web_app())
        await self._wait_for_web_app()

    async def _start_with_database(self) -> None:
        server, child = self._postgres, await self._begin_postgres()
        url = server.url if server else self.plan.settings.database_url
        assert url
        added = self.plan.environment(os.environ, url)
        self._environment = {**_without_temporals(os.environ, self.plan.temporal), **added}
        self._folder.note(environment=added, url=self.plan.settings.public_url)
        newest, note = peek.newest_revision(), self.plan.folder / "schema.revision"
        # if an earlier start left the schema current, worker and API load while the server gets ready
        users = await self._start_users() if server and _text(note) == newest else []
        if server and child:
            await child.wait_until(lambda: _true(server.ready(child.pid)), within=_READY_SECONDS)
        seen = json.loads(await self._module("cli.peek"))
        if seen["revision"] != newest:
            # the note is of another database: stop worker and API before the migration
            await asyncio.gather(*(child.stop(within=_USERS_SECONDS) for child in users))
            self._users = [child for child in self._users if child not in users]
            users = []
            with self._progress.step("Database schema"):
                await self.step("migrate")
        note.write_text(newest)
        if not users:
            await self._start_users()
        if self._demo:
            await self._seed()
        elif not seen["has_users"]:
            self.first_code = (await self.step("first-code")).strip()

    async def _seed(self) -> None:
        await self._sandbox_ready.wait()  # accounts are connected there
        with self._progress.step("Demo data"):
            self.sign_in_link = (await self.step("seed")).strip()

    async def _build_web_app(self) -> None:
        if not self._bring_web_app:
            return
        # a check or a test may build it right now; a file lock has no event to wait for
        while (lock := web_app.try_lock()) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        with lock:
            for work in web_app.missing(build=True, tests=False):
                with self._progress.step(work.name) as step:
                    for argv in work.commands:
                        command = Command(argv, os.environ, cwd=web_app.FRONTEND)
                        await _output(command, f"`{' '.join(argv)}`", step)
                    work.done()

    async def stop(self) -> None:
        """Stop all parts, within five seconds."""
        await asyncio.gather(*(child.stop(within=_USERS_SECONDS) for child in self._users))
        await asyncio.gather(*(child.stop(within=_SERVICES_SECONDS) for child in self._services))
        if self._postgres:
            self._postgres.release()

    def kill(self) -> None:
        for child in (*self._users, *self._services):
            child.kill()

    async def step(self, name: str) -> str:
        """Run a step of `cli/steps.py` in its own process, which frees its memory. Return its output. Raise
        StartFailed."""
        return await self._module("cli.steps", name)

    async def _module(self, *names: str) -> str:
        return await _output(Command((*_PYTHON, *names), self._environment, cwd=ROOT), f"`{' '.join(names)}`")

    def _child(self, name: str, make: Callable[[], Command], within: list[Child]) -> Child:
        child = Child(name, make, self._folder, self._progress.say)
        within.append(child)
        return child

    def _mention(self, text: str) -> None:
        self._progress.say(f"  {text}")

    async def _begin_postgres(self) -> Child | None:
        """Start PostgreSQL without waiting until it is ready. Afterwards its URL is known."""
        if self._postgres is None:
            return None
        child = self._child("PostgreSQL", self._postgres.prepare, self._services)
        with self._progress.step("PostgreSQL"):
            await child.start()
        return child

    async def _start_users(self) -> list[Child]:
        """Start worker and API. They wait for Temporal themselves, because loading takes them longest."""
        users = [self._worker(), self._api()]
        await asyncio.gather(*(child.start() for child in users))
        return users

    async def _start_temporal(self) -> None:
        if not self.plan.temporal:
            return
        plan = self.plan
        binary = installed_dev_server()
        if binary is None:
            with self._progress.step("Getting the Temporal server (once)") as step:
                command = Command((*_PYTHON, "temporal.server"), dict(os.environ), cwd=ROOT)
                binary = Path((await _output(command, "the search for it", step)).strip())
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
            child = self._child("Temporal", lambda: Command(arguments, environment, cwd=ROOT), self._services)
            try:
                await child.start_and_wait(
                    lambda: asyncio.to_thread(dev_server_ready, plan.temporal_http_port), within=_READY_SECONDS
                )
            except StartFailed as error:
                # Temporal reports a taken port only by a panic with a stack trace
                mine = (plan.temporal_port, plan.temporal_ui_port, plan.temporal_http_port)
                raise _taken_meanwhile("Temporal", mine) or error from error

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
            child = self._child("Sandbox", lambda: Command(argv, environment, cwd=ROOT), self._users)
            await child.start_and_wait(lambda: _answers(f"{plan.sandbox_url}/outbox"), within=_READY_SECONDS)

    def _worker(self) -> Child:
        argv = (*_PYTHON, "temporal")
        return self._child("Worker", lambda: Command(argv, self._environment, cwd=ROOT), self._users)

    def _api(self, number: int = 1) -> Child:
        argv = (*_PYTHON, "api.server", *(f"--fd={descriptor}" for descriptor in self._listening))
        name = "Web app" if number == 1 else f"Web app {number}"
        make = partial(Command, argv, cwd=ROOT, descriptors=self._listening)
        return self._child(name, lambda: make(self._environment), self._users)

    async def _wait_for_web_app(self) -> None:
        child = next(child for child in self._users if child.name == "Web app")
        with self._progress.step("Web app", child.began):
            await child.wait_until(lambda: _answers(f"{self.plan.local_url}/healthz"), within=_READY_SECONDS)

    async def _wait_for_worker(self) -> None:
        worker = next(child for child in self._users if child.name == "Worker")
        with self._progress.step("Worker", worker.began):
            ready = f"{self.plan.local_url}/readyz"
            if self.plan.temporal:
                await worker.wait_until(lambda: _answers(ready), within=_READY_SECONDS)
            elif not await _answers(ready):
                # a Temporal server that we do not run may be away: the app reports it and keeps working
                self._progress.say(f"! Temporal at {self.plan.settings.temporal_address} or the worker is not ready")


async def _output(command: Command, what: str, step: Step | None = None) -> str:
    """Run a command and return its output; each line becomes the step's note. Raise StartFailed with the last lines."""
    process = await asyncio.create_subprocess_exec(
        *command.launched(),
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


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


async def _true(value: bool) -> bool:
    return value


async def _answers(url: str) -> bool:
    """Return whether the URL answers with status 200 within two seconds."""

    def ask() -> bool:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    return await asyncio.to_thread(ask)


def listen(settings: Settings) -> list[socket.socket]:
    """Return the listening sockets that all API processes share. Raise StartFailed if the port is taken (naming its
    owner and the setting) or the host is not this machine's."""
    try:
        if ports.is_free(settings.host, settings.port):
            return ports.listen(settings.host, settings.port)
    except OSError as error:
        raise StartFailed(f"HOST: cannot listen on {settings.host} port {settings.port}: {error.strerror}") from None
    owner = ports.owner_of(settings.port)
    raise StartFailed(
        f"port {settings.port} is taken by {owner or 'a process that cannot be seen from here'}: "
        f"set PORT to another one, for example PORT={settings.port + 10}"
    )


def table(plan: Plan, folder: RunFolder) -> list[tuple[str, str]]:
    """Return name and address of each part. The first row is the address to open."""
    public = plan.settings.public_url
    rows = [("Web app", public), ("API docs", f"{public}/api/docs")]
    if plan.local_url.split("//")[1] not in (public.split("//")[1], f"127.0.0.1:{plan.settings.port}"):
        rows.append(("listens on", plan.local_url))
    if plan.temporal_ui_url:
        rows.append(("Temporal Web UI", plan.temporal_ui_url))
    if plan.sandbox:
        rows += [("Sandbox networks", f"{plan.sandbox_url}/"), ("Mail outbox", f"{plan.sandbox_url}/outbox")]
    if plan.stripe:
        rows.append(("Sandbox Stripe", f"{plan.sandbox_url}/stripe/"))
    return [*rows, ("Data folder", str(plan.folder)), ("Logs", str(folder.logs))]


async def _serve(stack: Stack, folder: RunFolder, progress: Progress) -> None:
    """Run until a signal. Raise StartFailed or PostgresError after stopping the started parts."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        if stop.is_set():  # second signal: kill at once
            stack.kill()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, asked)
    starting = asyncio.create_task(_start(stack, folder, progress))
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            starting.result()
            await stopped
    finally:
        starting.cancel()
        stopped.cancel()
        await asyncio.gather(starting, stopped, return_exceptions=True)
        folder.note(stopping=True)
        with progress.step("Stopped"):
            await stack.stop()


async def _start(stack: Stack, folder: RunFolder, progress: Progress) -> None:
    await stack.start()
    rows = table(stack.plan, folder)
    if stack.sign_in_link:
        rows.append(("Sign in as demo", stack.sign_in_link))
    elif code := stack.first_code:
        rows.append(("First invitation", f"{code}   {stack.plan.settings.public_url}/signup#code={code}"))
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {value}" for name, value in rows]
    progress.say("\n".join(["", *lines, "", "  Ctrl-C stops everything.", ""]))


def run(*, demo: bool = False, bring_web_app: bool = False) -> int:
    """Start everything and run until Ctrl-C. Return the exit code; print a failure in one line, with the last log
    lines of the part that failed."""
    load_environment()
    if demo and not os.environ.get("DATA_DIR"):
        os.environ["DATA_DIR"] = DEMO_DATA_DIR
    progress = Progress()
    try:
        settings = read_settings()
        folder = RunFolder(settings.data_dir)
        for name in folder.open():
            progress.say(f"  ended {name}, left over from a run that was killed")
    except (WrongSetting, StartFailed) as error:
        progress.say(f"✗ {error}")
        return 1
    os.umask(0o077)  # other users may not read logs, mails and databases
    try:
        folder.note()
        with ExitStack() as closing:
            listening = [closing.enter_context(one) for one in listen(settings)]
            secret_keys(settings)
            plan = make_plan(settings, os.environ, demo=demo)
            stack = Stack(plan, folder, progress, listening, demo=demo, bring_web_app=bring_web_app)
            asyncio.run(_serve(stack, folder, progress))
    except (StartFailed, PostgresError, WrongSetting, OSError) as error:
        progress.say(f"✗ {error}")
        return 1
    finally:
        folder.close()
    return 0
