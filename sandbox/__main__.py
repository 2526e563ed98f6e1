"""`python -m sandbox --host 127.0.0.1 --port 8001 --smtp-port 8025 --data DIR`"""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from sandbox.app import running


async def serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with running(
        options.data,
        host=options.host,
        port=options.port,
        smtp_port=options.smtp_port,
        access_log=options.access_log,
    ) as sandbox:
        sys.stdout.write(f"Sandbox on {sandbox.url}/, mail on {options.host}:{sandbox.smtp_port}\n")
        sys.stdout.flush()
        await stop.wait()


def main() -> int:
    parser = argparse.ArgumentParser(prog="sandbox", description="Stands in for the networks; nothing leaves.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--smtp-port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--data", type=Path, required=True, help="folder that keeps everything received")
    parser.add_argument("--access-log", action="store_true")
    options = parser.parse_args()
    try:
        asyncio.run(serve(options))
    except OSError as error:
        sys.stderr.write(f"The sandbox cannot start: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
