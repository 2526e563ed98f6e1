"""One process of the web application: `python -m api.server --fd 3` serves a listening socket that it was handed.

Several processes share one socket: the kernel gives each connection to one that is free, and one that dies leaves the
others serving (decision 26). `uvicorn --fd` takes a TCP socket for one of the file system, which costs TCP_NODELAY:
small answers would wait for the caller's acknowledgement.
"""

import argparse
import gc
import socket
import sys
from collections.abc import Sequence

import uvicorn

_COULD_NOT_START = 3
MOST_CONNECTIONS = 800
"""Of one process, idle ones and event streams included; more are answered with 503. Below the 1,024 open files that a
process commonly may have."""


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # what is loaded by now stays: to look through it again takes a tenth of a second of everybody's time
        gc.enable()
        gc.collect()
        gc.freeze()
        # and a list's rows are gone with its answer: looking for circles among them costs a tenth of it
        gc.set_threshold(10_000, 20, 50)


def main(descriptors: Sequence[int]) -> None:
    # until everything is loaded, a tenth of the time would go into looking for garbage among what stays
    gc.disable()
    config = uvicorn.Config(
        "api.app:create_app",
        factory=True,
        http="api.patience:PatientHttp",
        ws="none",
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        # longer than proxies and clients keep theirs (60 s): who sends on a connection that is just being closed gets
        # an error instead of an answer
        timeout_keep_alive=65,
        # who calls is for TRUSTED_PROXIES to say; uvicorn on its own would believe anybody on this machine
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    server.run([socket.socket(fileno=descriptor) for descriptor in descriptors])
    if not server.started:
        sys.exit(_COULD_NOT_START)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fd", type=int, action="append", required=True, help="descriptor of a listening socket")
    main(parser.parse_args().fd)
