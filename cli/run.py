"""`make run` and `make demo`: start all parts, restart them when they end, and stop them cleanly."""

import asyncio
import os
import signal
import socket
from contextlib import ExitStack
from typing import Final

from cli import ports
from cli.plan import Plan, make_plan
from cli.postgres import PostgresError
from cli.progress import Progress
from cli.stack import Stack
from cli.supervisor import RunFolder, StartFailed
from core.settings import Settings, WrongSetting, load_environment, read_settings, secret_keys

DEMO_DATA_DIR: Final = ".postloom-demo"


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


def list_addresses(plan: Plan, folder: RunFolder) -> list[tuple[str, str]]:
    """Return name and address of each part. The first row is the address to open."""
    public = plan.settings.public_url
    rows = [("Web app", public), ("API docs", f"{public}/api/docs")]
    if plan.local_url.split("//")[1] not in (public.split("//")[1], f"127.0.0.1:{plan.settings.port}"):
        rows.append(("Local address", plan.local_url))
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

    def request_stop() -> None:
        if stop.is_set():  # second signal: kill at once
            stack.kill()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, request_stop)
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
        folder.record(stopping=True)
        with progress.step("Stopped"):
            await stack.stop()


async def _start(stack: Stack, folder: RunFolder, progress: Progress) -> None:
    await stack.start()
    rows = list_addresses(stack.plan, folder)
    if stack.sign_in_link:
        rows.append(("Sign in as demo", stack.sign_in_link))
    elif code := stack.first_code:
        rows.append(("First invitation", f"{code}   {stack.plan.settings.public_url}/signup#code={code}"))
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {value}" for name, value in rows]
    progress.print_line("\n".join(["", *lines, "", "  Ctrl-C stops everything.", ""]))


def run(*, demo: bool = False, build_web_app: bool = False) -> int:
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
            progress.print_line(f"  ended {name}, left over from a run that was killed")
    except (WrongSetting, StartFailed) as error:
        progress.print_line(f"✗ {error}")
        return 1
    os.umask(0o077)  # other users may not read logs, mails and databases
    try:
        folder.record()
        with ExitStack() as closing:
            listening = [closing.enter_context(one) for one in listen(settings)]
            secret_keys(settings)
            plan = make_plan(settings, os.environ, demo=demo)
            stack = Stack(plan, folder, progress, listening, demo=demo, build_web_app=build_web_app)
            asyncio.run(_serve(stack, folder, progress))
    except (StartFailed, PostgresError, WrongSetting, OSError) as error:
        progress.print_line(f"✗ {error}")
        return 1
    finally:
        folder.close()
    return 0
