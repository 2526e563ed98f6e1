"""Upgrade an installation to the image, use it, and restore a backup: `python docker/smoke.py IMAGE [PREVIOUS]`.

The release before it runs first, from its sources: PREVIOUS is a commit, by default the last tag, or without tags the
parent of HEAD. PostgreSQL and Temporal are the project's embedded ones, on the loopback interface: their images are not
needed. The containers share the host's network, so nothing else may use the ports of `_PORTS`.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import httpx2  # noqa: E402
from visit import Visit, make_image, wait_for  # noqa: E402

from cli.ports import is_free  # noqa: E402
from cli.postgres import SUPERUSER, choose_route, find_binaries  # noqa: E402
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
_PLANNED: Final = timedelta(seconds=90)
"""Long enough for the upgrade; a post that is late all the same goes out at once."""
_IMAGE_USER: Final = 10001
_FIND_UNLISTED: Final = """
import json, re
from importlib.metadata import distributions
listed = json.load(open("/usr/share/postloom/sbom/python.cdx.json"))["components"]
assert json.load(open("/usr/share/postloom/sbom/web-app.cdx.json"))["components"]
normal = lambda name, version: (re.sub("[-_.]+", "-", name).lower(), version)
there = {normal(one.metadata["Name"], one.version) for one in distributions()}
print(sorted(name for name, _ in there - {normal(one["name"], one["version"]) for one in listed}))
"""
"""Prints the installed packages that the list of the image's contents lacks."""
_PODMAN: Final = ("podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs")
# as in compose.yaml; podman's own limits are above what a container on a small machine may set
_SAFE: Final = (
    *("--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges"),
    *("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096", "--network", "host"),
)


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
    def __init__(self, name: str, environment: dict[str, str], data: Path) -> None:
        self._name = name
        self._environment = [part for item in environment.items() for part in ("--env", "=".join(item))]
        self._environment += ["--volume", f"{data}:/var/lib/postloom"]
        self._prefix = f"postloom-smoke-{secrets.token_hex(3)}"

    def command(self, entrypoint: str = "") -> list[str]:
        """Return what runs a command of the image, without the command."""
        options = ["--no-healthcheck", *(["--entrypoint", entrypoint] if entrypoint else [])]
        return [*_PODMAN, "run", "--rm", *_SAFE, *options, *self._environment, self._name]

    def call(self, *command: str, entrypoint: str = "") -> str:
        """Run a command to its end. Return what it printed."""
        done = subprocess.run([*self.command(entrypoint), *command], capture_output=True, text=True)
        if done.returncode != 0:
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


class Sources:
    """A release before, run from its sources by this project's Python."""

    def __init__(self, commit: str, folder: Path, environment: dict[str, str]) -> None:
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], check=True, capture_output=True).stdout
        folder.mkdir()
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
        (folder / "frontend" / "dist").mkdir(exist_ok=True)
        self._folder, self._log = folder, folder / "smoke.log"
        self._environment = {**os.environ, **environment}

    def call(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "cli", *command],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise SystemExit(f"✗ {' '.join(command)} of the release before: {done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def serve(self, role: str, **more: str) -> Iterator[None]:
        """Run a role until the block ends, and wait for its end."""
        command = [sys.executable, "-m", "cli", role]
        environment = {**self._environment, **more}
        with (
            self._log.open("a") as log,
            subprocess.Popen(command, cwd=self._folder, env=environment, stdout=log, stderr=log) as process,
        ):
            try:
                yield
            except BaseException:
                print("\n".join(self._log.read_text().splitlines()[-30:]))
                raise
            finally:
                process.terminate()


def find_previous() -> str:
    """Return the commit of the last tag before HEAD, or HEAD's parent. Raise SystemExit in a clone without history."""
    for command in (["describe", "--tags", "--abbrev=0", "HEAD~1"], ["rev-parse", "--verify", "HEAD~1"]):
        found = subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.strip()
    raise SystemExit("✗ the release before is not in this clone: git fetch --unshallow, or name it as PREVIOUS")


@contextmanager
def run_roles(image: Image) -> Iterator[None]:
    """Run web app and worker until the block ends."""
    metrics = {"METRICS_PORT": str(_WORKER_METRICS), "HEALTH_URL": f"http://127.0.0.1:{_WORKER_METRICS}/metrics"}
    with image.serve("worker", "worker", **metrics), image.serve("app", "serve"):
        wait_for("/readyz", is_ready)
        yield


@dataclass(frozen=True)
class Backups:
    """backup.sh and restore.sh, for a database and a folder of images of one's own."""

    folder: Path
    media: Path
    database_url: str
    image: Image

    def make(self) -> str:
        """Return the backup's folder."""
        backup = self._run("backup.sh", str(self.folder), "--plain-keys").splitlines()[-1]
        print("✓ backup")
        return backup

    def restore(self, backup: str) -> None:
        print(f"✓ restore: {' / '.join(self._run('restore.sh', backup, '--replace').splitlines())}")

    def _run(self, script: str, *arguments: str) -> str:
        environment = {
            **os.environ,
            "PATH": f"{find_binaries()}:{os.environ['PATH']}",  # pg_dump of the server's version
            "DATABASE_URL": self.database_url,
            "MEDIA_URL": self.media.as_uri(),
            "SECRET_KEY": "smoke",  # only what the backup keeps: the containers have their own
            "POSTLOOM": " ".join(self.image.command()),
        }
        done = subprocess.run(
            ["sh", str(ROOT / "docker" / script), *arguments], env=environment, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise SystemExit(f"✗ {script}: {done.stdout}{done.stderr}")
        return done.stdout


class Before(NamedTuple):
    """What the release before leaves."""

    visit: Visit
    post_id: str
    """Of a planned post with an image."""
    word: str
    """In its text."""
    assistant_id: str
    topic: str


def use_before(previous: Sources) -> Before:
    """Use the release before, and end it."""
    word, topic, first = (secrets.token_hex(6) for _ in range(3))
    for command in ("migrate", "temporal-setup"):
        previous.call(command)
    with previous.serve("serve"), previous.serve("worker", METRICS_PORT=str(_WORKER_METRICS)):
        wait_for("/readyz of the release before", is_ready, 120)
        visit = Visit(_APP, _SANDBOX, previous.call("invite").strip())
        visit.plan_post(first, timedelta(seconds=5))
        visit.wait_for_board("release before: a planned post", first)
        post_id = visit.plan_post(word, _PLANNED, image=make_image())
        return Before(visit, post_id, word, visit.make_assistant(topic), topic)


def use_after(before: Before) -> None:
    """Check that everything from before the upgrade goes on."""
    visit = before.visit
    if visit.read_image(before.post_id)[:4] != b"\x89PNG":
        raise SystemExit("✗ the image of a post from before the upgrade")
    visit.wait_for_board("the post that was planned before the upgrade", before.word, _PLANNED.total_seconds() + 60)
    visit.run_assistant(before.assistant_id)
    visit.wait_for_board("a post by an assistant from before the upgrade", before.topic)


def use_new(code: str) -> None:
    visit, word, topic = Visit(_APP, _SANDBOX, code), secrets.token_hex(6), secrets.token_hex(6)
    visit.plan_post(word, timedelta(seconds=15))
    visit.run_assistant(visit.make_assistant(topic))
    visit.wait_for_board("a planned post", word)
    visit.wait_for_board("a post by an assistant", topic)


def hand_over(folder: Path) -> None:
    """Give files of this user to the image's."""
    subprocess.run(["chown", "-R", f"{_IMAGE_USER}:{_IMAGE_USER}", str(folder)], check=True)


def is_ready() -> bool | None:
    return True if httpx2.get(f"{_APP}/readyz").is_success else None


def main(name: str, commit: str) -> None:
    if taken := [port for port in (*_PORTS.values(), _WORKER_METRICS) if not is_free("127.0.0.1", port)]:
        raise SystemExit(f"✗ something else listens on {taken}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="postloom-smoke-")))
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir()
        hand_over(data)
        environment = {
            "DATABASE_URL": stack.enter_context(run_database(folder)),
            "TEMPORAL_ADDRESS": stack.enter_context(run_temporal()),
            "TEMPORAL_NAMESPACE": "smoke",
            "SECRET_KEY": secrets.token_hex(32),
            "HOST": "127.0.0.1",
            "PORT": str(_PORTS["app"]),
            "PUBLIC_URL": _APP,
            "API_PROCESSES": "1",
            "SANDBOX": "1",
            "SANDBOX_URL": _SANDBOX,
            "SMTP_URL": f"smtp+plain://127.0.0.1:{_PORTS['mails']}",
            "MAIL_OUTBOX_URL": f"{_SANDBOX}/outbox",
            "METRICS_PORT": str(_PORTS["metrics"]),
        }
        image = Image(name, {**environment, "HEALTH_URL": f"{_APP}/healthz"}, data)
        written = image.call("-c", "id -u; touch /x || echo refused; touch /tmp/x && echo kept", entrypoint="/bin/sh")
        if written.split() != [str(_IMAGE_USER), "refused", "kept"]:
            raise SystemExit(f"✗ user and file system: {written}")
        print(f"✓ runs as user {_IMAGE_USER}, on a file system that is not writable")
        if (unlisted := image.call("-c", _FIND_UNLISTED, entrypoint="python").strip()) != "['postloom']":
            raise SystemExit(f"✗ the list of the image's contents lacks {unlisted}")
        print("✓ lists its contents")
        sandbox = ("sandbox", "--port", str(_PORTS["sandbox"]), "--smtp-port", str(_PORTS["mails"]))
        stack.enter_context(image.serve("sandbox", *sandbox, HEALTH_URL=_SANDBOX))

        before = use_before(Sources(commit, folder / "previous", {**environment, "DATA_DIR": str(data)}))
        hand_over(data)
        print(f"✓ release before ({commit[:12]}): used, and ended")
        for command in (["migrate", "--offline"], ["temporal-setup"]):
            for _ in range(2):  # both are repeated at each upgrade
                print(f"✓ {' '.join(command)}: {' / '.join(image.call(*command).splitlines())}")
        backups = Backups(folder / "backups", data / "media", environment["DATABASE_URL"], image)
        with run_roles(image):
            page = httpx2.get(_APP).raise_for_status()
            if 'id="root"' not in page.text:
                raise SystemExit("✗ the image has no web app")
            print(f"✓ with the web app; {image.call('doctor').strip()}")
            use_after(before)
            use_new(image.call("invite").strip())
            planned = before.visit.plan_post(later := secrets.token_hex(6), _PLANNED, image=make_image())
            before.visit.plan_post(due := secrets.token_hex(6), timedelta(seconds=25))
            backup = backups.make()
            before.visit.wait_for_board("a post between backup and restore", due)
        shutil.rmtree(data / "media")
        backups.restore(backup)
        hand_over(data)
        with run_roles(image):
            if before.visit.read_image(planned)[:4] != b"\x89PNG":
                raise SystemExit("✗ the image of a restored post")
            before.visit.wait_for_board("a post that was planned before the backup", later, 180)
            before.visit.wait_for_board("still one post between backup and restore", due)
    print("✓ all roles ended by themselves at SIGTERM")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the servers and containers too
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else find_previous())
