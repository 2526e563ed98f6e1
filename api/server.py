"""The web app: `postloom serve` listens by itself, `python -m api.server --fd 3` serves an inherited listening socket.

Several processes share one socket: the kernel gives each connection to a free one, and if one dies the others still
serve (decision 26). `uvicorn --fd` treats a TCP socket as a Unix socket and does not set TCP_NODELAY: small answers
would wait for the client's acknowledgement.
"""

import argparse
import asyncio
import logging
import socket
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from ipaddress import IPv4Network, IPv6Network
from multiprocessing import get_context

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from core.observability import configure_logs
from core.settings import Settings, WrongSetting, load_environment, read_settings

logger = logging.getLogger(__name__)

MOST_CONNECTIONS = 800
"""Maximum connections of one process, including idle ones and event streams; more are answered with 503. Below the
usual limit of 1,024 open files."""


def serve(sockets: Sequence[socket.socket], *, processes: int = 1) -> None:
    """Serve the listening sockets until a signal; uvicorn starts several processes and restarts those that die. The
    environment is loaded. Raise StartRefused or WrongSetting; exit with 3 if the app does not start."""
    settings = read_settings()
    configure_logs(settings.log_format)
    config = _configure_server(settings, processes)
    if processes == 1:
        check_start()
        server = uvicorn.Server(config)
        server.run(list(sockets))
        started = server.started
    else:
        # this process serves nothing: what the checks load would stay in its memory
        with ProcessPoolExecutor(1, get_context("spawn")) as checking:
            checking.submit(check_start).result()
        supervisor = Multiprocess(config, list(sockets))
        supervisor.run()
        started = all(one.exitcode != STARTUP_FAILURE for one in supervisor.processes)
    if not started:
        sys.exit(STARTUP_FAILURE)


def check_start() -> None:
    """Raise StartRefused or WrongSetting. What does not answer yet is left to /readyz, so that the app says what it
    waits for."""
    from core.installation.start_checks import StartDelayed, open_start_checks
    from core.settings_check import check_settings
    from core.tracing import check_tracing

    async def run_checks() -> None:
        async with open_start_checks(settings) as checks:
            try:
                await checks.run()
            except StartDelayed as delayed:
                logger.warning("not ready: %s: %s", delayed, delayed.reason)

    settings = read_settings()
    configure_logs(settings.log_format)
    check_tracing()
    check_settings(settings)
    asyncio.run(run_checks())


def trusted_hosts(proxies: Iterable[IPv4Network | IPv6Network]) -> list[str]:
    """Return uvicorn's `forwarded_allow_ips`. A dual-stack socket shows IPv4 addresses as ::ffff:10.0.0.1."""
    hosts = []
    for proxy in proxies:
        hosts.append(str(proxy))
        if isinstance(proxy, IPv4Network):
            hosts.append(f"::ffff:{proxy.network_address}/{96 + proxy.prefixlen}")
    return hosts


def _configure_server(settings: Settings, processes: int) -> uvicorn.Config:
    return uvicorn.Config(
        "api.app:create_app",
        factory=True,
        workers=processes,
        http="api.patience:SlowClientProtocol",
        ws="none",
        access_log=False,  # api/request_log.py writes it
        log_config=None,  # uvicorn's lines are written like all others
        limit_concurrency=MOST_CONNECTIONS,
        # longer than proxies and clients keep theirs (60 s): a request on a connection that is being closed would get
        # an error
        timeout_keep_alive=65,
        forwarded_allow_ips=trusted_hosts(settings.trusted_proxies),
        timeout_graceful_shutdown=1,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, action="append", required=True, help="file descriptor of a listening socket")
    arguments = parser.parse_args()
    load_environment()
    try:
        serve([socket.socket(fileno=descriptor) for descriptor in arguments.fd])
    except Exception as error:
        from core.installation.start_checks import StartRefused

        if not isinstance(error, StartRefused | WrongSetting):
            raise
        raise SystemExit(str(error)) from None
