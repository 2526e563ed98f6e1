"""Start an installation from the image as the compose file does, and use it once: `python docker/smoke.py IMAGE`.

PostgreSQL and Temporal are the project's embedded ones, on the loopback interface: their images are not needed. The
containers share the host's network, so nothing else may use the ports of `_PORTS`.
"""

import json
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import httpx2  # noqa: E402

from cli.ports import is_free  # noqa: E402
from cli.postgres import SUPERUSER, choose_route  # noqa: E402
from temporal.server import dev_server_arguments, find_dev_server  # noqa: E402

_PORTS: Final = {
    "postgres": 25432,
    "temporal": 27233,
    "ui": 27234,
    "http": 27243,
    "app": 28000,
    "metrics": 29464,
    "sandbox": 24010,
    "mails": 24025,
}
_WORKER_METRICS: Final = 29484  # beyond those that the processes of the web app may take
_SANDBOX: Final = f"http://127.0.0.1:{_PORTS['sandbox']}"
_APP: Final = f"http://127.0.0.1:{_PORTS['app']}"
_READY_SECONDS: Final = 60.0
_PODMAN: Final = ("podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs")
# as in compose.yaml; podman's own limits are above what a container on a small machine may set
_SAFE: Final = (
    *("--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges"),
    *("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "--network", "host"),
)

T = TypeVar("T")


def wait_for(what: str, look: Callable[[], T | None], seconds: float = _READY_SECONDS) -> T:
    deadline = time.monotonic() + seconds
    while True:
        try:
            if (found := look()) is not None:
                return found
        except (httpx2.HTTPError, OSError):
            pass
        if time.monotonic() > deadline:
            raise SystemExit(f"✗ {what}: not within {seconds:.0f} s")
        time.sleep(0.3)


@contextmanager
def run_process(arguments: Sequence[str], **options: Any) -> Iterator[None]:
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def run_database(folder: Path) -> Iterator[str]:
    """Yield the address of an empty database on the loopback interface."""
    route = choose_route(folder)
    route.data.mkdir(mode=0o700, parents=True)
    if route.user:
        folder.chmod(0o755)
        subprocess.run(["chown", str(route.user.pw_uid), str(route.data)], check=True)
    route.run("initdb", "-D", str(route.data), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C")
    route.run("postgres", "--single", "-D", str(route.data), SUPERUSER, text="CREATE DATABASE postloom\n")
    port = _PORTS["postgres"]
    options = ("listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "max_connections=200")
    settings = [part for option in options for part in ("-c", option)]
    command = route.command("postgres", "-D", str(route.data), *settings)
    with run_process(command.launch_arguments(), env=command.env, cwd=command.cwd):
        pid_file = route.data / "postmaster.pid"
        wait_for("PostgreSQL", lambda: True if pid_file.exists() and "ready" in pid_file.read_text() else None)
        yield f"postgresql://{SUPERUSER}@127.0.0.1:{port}/postloom"


@contextmanager
def run_temporal() -> Iterator[str]:
    arguments = dev_server_arguments(
        find_dev_server(), port=_PORTS["temporal"], ui_port=_PORTS["ui"], http_port=_PORTS["http"], database=None
    )
    with run_process(arguments):
        address = f"http://127.0.0.1:{_PORTS['http']}/api/v1/namespaces/default"
        wait_for("Temporal", lambda: True if httpx2.get(address).is_success else None)
        yield f"127.0.0.1:{_PORTS['temporal']}"


class Image:
    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self._name = name
        self._environment = [part for item in environment.items() for part in ("--env", "=".join(item))]
        self._prefix = f"postloom-smoke-{secrets.token_hex(3)}"

    def call(self, *command: str, entrypoint: str = "", check: bool = True) -> str:
        """Run a command to its end. Return what it printed."""
        options = ["--no-healthcheck", *(["--entrypoint", entrypoint] if entrypoint else [])]
        arguments = [*_PODMAN, "run", "--rm", *_SAFE, *options, *self._environment, self._name, *command]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise SystemExit(f"✗ {' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def serve(self, role: str, *command: str, **more: str) -> Iterator[None]:
        """Run a role until the block ends. Raise SystemExit if it does not get healthy or does not stop."""
        name = f"{self._prefix}-{role}"
        variables = [part for item in more.items() for part in ("--env", "=".join(item))]
        arguments = ["run", "--detach", "--name", name, *_SAFE, *self._environment, *variables, self._name, *command]
        began = time.monotonic()
        subprocess.run([*_PODMAN, *arguments], check=True, capture_output=True)
        try:
            wait_for(f"{role} healthy", lambda: self._is_healthy(name))
            print(f"✓ {role}: healthy after {time.monotonic() - began:.1f} s")
            yield
            subprocess.run([*_PODMAN, "stop", "--time", "40", name], check=True, capture_output=True)
            shown = subprocess.check_output([*_PODMAN, "inspect", "--format", "{{.State.ExitCode}}", name], text=True)
            if shown.strip() != "0":
                raise SystemExit(f"✗ {role}: ended with {shown.strip()} at SIGTERM")
        except BaseException:
            subprocess.run([*_PODMAN, "logs", "--tail", "30", name])
            raise
        finally:
            subprocess.run([*_PODMAN, "rm", "--force", name], capture_output=True)

    def _is_healthy(self, name: str) -> bool | None:
        """Return True if the image's own check passes. There is no systemd here that would run it by a timer."""
        done = subprocess.run([*_PODMAN, "healthcheck", "run", name], capture_output=True)
        return True if done.returncode == 0 else None


def post_once(code: str) -> None:
    """Sign up, connect an account at the sandbox, plan a post, and find it on the sandbox's board."""
    with httpx2.Client(base_url=f"{_APP}/api", timeout=30) as client, httpx2.Client(base_url=_SANDBOX) as sandbox:
        email, word = "smoke@example.org", secrets.token_hex(6)
        body = {"email": email, "password": secrets.token_urlsafe(16), "invitation_code": code, "language": "en"}
        signed = client.post("/auth/signup/", json={**body, "consent": True}).raise_for_status().json()
        client.headers["Authorization"] = f"Bearer {signed['token']}"

        def find_link() -> str | None:
            mails = sandbox.get("/sandbox/mails", params={"to": email}).json()
            found = re.search(r"/verify-email#token=(\S+)", "".join(mail["text"] for mail in mails))
            return found and found[1]

        token = wait_for("the mail that verifies the address", find_link)
        client.post("/users/verify-email/", json={"token": token}).raise_for_status()
        print("✓ signed up, by an invitation and a mail")

        started = client.post("/accounts/connect/linkedin/", json={"fields": {}}).raise_for_status().json()
        consent = sandbox.get(f"{started['authorize_url']}&sandbox_person=ada-lindqvist")
        back = parse_qs(urlsplit(consent.headers["location"]).query)
        granted = {"state": back["state"][0], "code": back["code"][0]}
        connected = client.post("/accounts/connect/linkedin/callback/", json=granted).raise_for_status().json()
        [account] = connected["accounts"]

        post_id = str(uuid4())
        draft = {"id": post_id, "content": f"The word {word}.", "time_zone": "UTC", "language": "en"}
        made = client.post("/social-media-posts/", json={**draft, "account_ids": [account["id"]], "files": []})
        planned = datetime.now(UTC) + timedelta(seconds=20)
        wanted = {"version": made.raise_for_status().json()["version"], "planned_at": planned.isoformat()}
        client.post(f"/social-media-posts/{post_id}/publish/", json=wanted).raise_for_status()
        wait_for(
            "the post on the board",
            lambda: True if word in json.dumps(sandbox.get("/sandbox/posts").json()) else None,
            90,
        )
        print("✓ a planned post is on the sandbox's board")


def main(name: str) -> None:
    if taken := [port for port in (*_PORTS.values(), _WORKER_METRICS) if not is_free("127.0.0.1", port)]:
        raise SystemExit(f"✗ something else listens on {taken}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="postloom-smoke-")))
        environment = {
            "DATABASE_URL": stack.enter_context(run_database(folder)),
            "TEMPORAL_ADDRESS": stack.enter_context(run_temporal()),
            "TEMPORAL_NAMESPACE": "smoke",
            "SECRET_KEY": secrets.token_hex(32),
            "HOST": "127.0.0.1",
            "PORT": str(_PORTS["app"]),
            "PUBLIC_URL": _APP,
            "HEALTH_URL": f"{_APP}/healthz",
            "SANDBOX": "1",
            "SANDBOX_URL": _SANDBOX,
            "SMTP_URL": f"smtp+plain://127.0.0.1:{_PORTS['mails']}",
            "MAIL_OUTBOX_URL": f"{_SANDBOX}/outbox",
            "METRICS_PORT": str(_PORTS["metrics"]),
        }
        image = Image(name, environment)
        written = image.call("-c", "id -u; touch /x || echo refused; touch /tmp/x && echo kept", entrypoint="/bin/sh")
        if written.split() != ["10001", "refused", "kept"]:
            raise SystemExit(f"✗ user and file system: {written}")
        print("✓ runs as user 10001, on a file system that is not writable")
        for command in ("migrate", "temporal-setup"):
            for _ in range(2):  # both are repeated at each upgrade
                print(f"✓ {command}: {' / '.join(image.call(command).splitlines())}")
        sandbox = ("sandbox", "--port", str(_PORTS["sandbox"]), "--smtp-port", str(_PORTS["mails"]))
        stack.enter_context(image.serve("sandbox", *sandbox, HEALTH_URL=_SANDBOX))
        metrics = {"METRICS_PORT": str(_WORKER_METRICS), "HEALTH_URL": f"http://127.0.0.1:{_WORKER_METRICS}/metrics"}
        stack.enter_context(image.serve("worker", "worker", **metrics))
        stack.enter_context(image.serve("app", "serve"))
        wait_for("/readyz", lambda: True if httpx2.get(f"{_APP}/readyz").is_success else None)
        page = httpx2.get(_APP).raise_for_status()
        if 'id="root"' not in page.text:
            raise SystemExit("✗ the image has no web app")
        print(f"✓ ready, with the web app; {image.call('doctor').strip()}")
        post_once(image.call("invite").strip())
    print("✓ all roles ended by themselves at SIGTERM")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the servers and containers too
    main(sys.argv[1])
