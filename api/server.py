"""One process of the web application: `python -m api.server --fd 3` serves a listening socket that it was handed.

Several processes share one socket: the kernel gives each connection to one that is free, and one that dies leaves the
others serving (decision 26). `uvicorn --fd` takes a TCP socket for one of the file system, which costs TCP_NODELAY:
small answers would wait for the caller's acknowledgement.
"""

import argparse
import socket
import sys
from collections.abc import Sequence

import uvicorn

from api.callers import trusted_hosts
from core.settings import load_environment, read_settings

_COULD_NOT_START = 3
MOST_CONNECTIONS = 800
"""Of one process, idle ones and event streams included; more are answered with 503. Below the 1,024 open files that a
process commonly may have."""


def main(descriptors: Sequence[int]) -> None:
    load_environment()
    config = uvicorn.Config(
        "api.app:create_app",
        factory=True,
        http="api.patience:SlowClientProtocol",
        ws="none",
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        # longer than proxies and clients keep theirs (60 s): who sends on a connection that is just being closed gets
        # an error instead of an answer
        timeout_keep_alive=65,
        forwarded_allow_ips=trusted_hosts(read_settings().trusted_proxies),
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    server.run([socket.socket(fileno=descriptor) for descriptor in descriptors])
    if not server.started:
        sys.exit(_COULD_NOT_START)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, action="append", required=True, help="descriptor of a listening socket")
    main(parser.parse_args().fd)
