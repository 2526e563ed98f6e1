"""One process of the web app: `python -m api.server --fd 3` serves an inherited listening socket.

Several processes share one socket: the kernel gives each connection to a free one, and if one dies the others still
serve (decision 26). `uvicorn --fd` treats a TCP socket as a Unix socket and does not set TCP_NODELAY: small answers
would wait for the client's acknowledgement.
"""

import argparse
import socket
import sys
from collections.abc import Sequence

import uvicorn

from api.callers import trusted_hosts
from core.observability import configure_logs
from core.settings import load_environment, read_settings

_COULD_NOT_START = 3
MOST_CONNECTIONS = 800
"""Maximum connections of one process, including idle ones and event streams; more are answered with 503. Below the
usual limit of 1,024 open files."""


def main(descriptors: Sequence[int]) -> None:
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    config = uvicorn.Config(
        "api.app:create_app",
        factory=True,
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
    server = uvicorn.Server(config)
    server.run([socket.socket(fileno=descriptor) for descriptor in descriptors])
    if not server.started:
        sys.exit(_COULD_NOT_START)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, action="append", required=True, help="file descriptor of a listening socket")
    main(parser.parse_args().fd)
