"""The parts of an installation as processes of their own: web app, worker, sandbox."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from cli.services import load_service_environment, service_settings
from core.settings import WrongSetting, read_settings


def serve_web_app() -> None:
    """Serve on HOST:PORT with API_PROCESSES processes, until a signal. Raise StartFailed or WrongSetting."""
    settings = service_settings()
    from api.server import serve
    from cli.run import listen

    with ExitStack() as closing:
        sockets = [closing.enter_context(one) for one in listen(settings)]
        serve(sockets, processes=settings.api_processes)


def run_worker(queues: Sequence[str], *, loops: bool) -> None:
    """Run one worker for these queues, or for all, until a signal. Raise WrongSetting."""
    service_settings()
    from temporal.__main__ import main
    from temporal.registry import queues as list_queues

    known = list_queues()
    if unknown := [queue for queue in queues if queue not in known]:
        raise WrongSetting("--queues", f"there is no queue {', '.join(unknown)}; there are {', '.join(known)}")
    main(queues, loops=loops)


def run_sandbox(host: str, port: int, smtp_port: int, data: Path | None, stripe_webhooks: str) -> int:
    """Run the stand-ins until a signal. Return the exit code. Raise WrongSetting without the packages for it."""
    load_service_environment()
    try:
        from sandbox.__main__ import main
    except ModuleNotFoundError as error:
        if error.name != "aiosmtpd":
            raise
        raise WrongSetting("sandbox", "needs the package aiosmtpd: install postloom[sandbox]") from None
    folder = data or read_settings().data_dir / "sandbox"
    arguments = ["--host", host, "--port", str(port), "--smtp-port", str(smtp_port), "--data", str(folder)]
    return main([*arguments, *(["--stripe-webhooks", stripe_webhooks] if stripe_webhooks else [])])
