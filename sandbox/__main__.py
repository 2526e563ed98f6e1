"""`python -m sandbox --host 127.0.0.1 --port 8001 --smtp-port 8025 --data DIR`

With `--stripe-webhooks URL` Stripe's events are sent there, signed with each secret of STRIPE_WEBHOOK_SECRET."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from sandbox.app import run_sandbox

STRIPE_SECRET = "STRIPE_WEBHOOK_SECRET"


async def serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with run_sandbox(
        options.data,
        host=options.host,
        port=options.port,
        smtp_port=options.smtp_port,
        access_log=options.access_log,
        stripe_webhooks=options.stripe_webhooks,
        stripe_secrets=[one.strip() for one in os.environ.get(STRIPE_SECRET, "").split(",") if one.strip()],
    ) as sandbox:
        sys.stdout.write(f"Sandbox on {sandbox.url}/, mail on {options.host}:{sandbox.smtp_port}\n")
        sys.stdout.flush()
        await stop.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until a signal. `arguments`: those of the command line unless given. Return the exit code."""
    parser = argparse.ArgumentParser(prog="sandbox", description="Stand-in for the networks, mail and Stripe.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0: a free port")
    parser.add_argument("--smtp-port", type=int, default=0, help="0: a free port")
    parser.add_argument("--data", type=Path, required=True, help="folder for everything that the sandbox receives")
    parser.add_argument("--access-log", action="store_true", help="log each request")
    signed = f"URL of Stripe's webhooks, signed with ${STRIPE_SECRET}"
    parser.add_argument("--stripe-webhooks", default="", metavar="URL", help=signed)
    options = parser.parse_args(arguments)
    if options.stripe_webhooks and not os.environ.get(STRIPE_SECRET):
        parser.error(f"--stripe-webhooks needs {STRIPE_SECRET} in the environment")
    try:
        asyncio.run(serve(options))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"The sandbox cannot start: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
