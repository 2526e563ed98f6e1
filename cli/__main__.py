"""The `postloom` command: `./postloom` in the project, `postloom` where the wheel is installed.

Each command imports what it needs."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from cli.end_process import end_process
from cli.progress import Progress

app = typer.Typer(
    name="postloom",
    help="Postloom: AI assistants that plan, write, illustrate and publish social media posts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


BuildWebApp = Annotated[bool, typer.Option("--build-web-app", hidden=True, help="Build the web app first.")]


@app.command()
def run(build_web_app: BuildWebApp = False) -> None:
    """Start everything and run until Ctrl-C."""
    from cli.run import run as start

    raise typer.Exit(start(build_web_app=build_web_app))


@app.command()
def demo(build_web_app: BuildWebApp = False) -> None:
    """Start everything with demo data in a separate folder; print a sign-in link."""
    from cli.run import run as start

    raise typer.Exit(start(demo=True, build_web_app=build_web_app))


@app.command()
def serve() -> None:
    """Serve web app and API on HOST:PORT, by API_PROCESSES processes."""
    from cli.roles import serve_web_app

    serve_web_app()


@app.command()
def worker(
    queues: Annotated[str, typer.Option(metavar="A,B", help="Poll only these task queues.")] = "",
    no_loops: Annotated[bool, typer.Option("--no-loops", help="Leave the background loops to other workers.")] = False,
) -> None:
    """Run one worker: all workflows and their steps, or those of some queues."""
    from cli.roles import run_worker

    run_worker([name.strip() for name in queues.split(",") if name.strip()], loops=not no_loops)


@app.command()
def migrate(
    offline: Annotated[
        bool, typer.Option("--offline", help="Web app and workers of the older release are stopped on all nodes.")
    ] = False,
) -> None:
    """Bring the database to this release's revision."""
    from cli.migrate import migrate_database

    print(f"the database is at revision {migrate_database(offline=offline)}")


@app.command()
def deploy(
    build_id: Annotated[str, typer.Option(help="Build to deploy; default: TEMPORAL_WORKER_BUILD_ID.")] = "",
    rollback: Annotated[bool, typer.Option("--rollback", help="Go back to the build before the current one.")] = False,
    replay: Annotated[bool, typer.Option(help="Replay open workflows with this code first.")] = True,
    sample: Annotated[int, typer.Option(min=1, help="Open workflows of each type to replay.")] = 50,
    pause: Annotated[float, typer.Option(min=0, help="Seconds before each look at what is stuck.")] = 90,
) -> None:
    """With Worker Versioning: lead work to the workers of a build, step by step."""
    from cli.deploy import run

    run(build_id, rollback=rollback, replay=replay, sample=sample, pause=pause)


@app.command()
def restored(
    moved: Annotated[
        bool, typer.Option("--moved", help="Everything was stopped before the backup, and nothing ran since.")
    ] = False,
    temporal_lost: Annotated[
        bool, typer.Option("--temporal-lost", help="Temporal's data is lost or was removed: do not ask it.")
    ] = False,
) -> None:
    """Make a database that was restored from a backup safe to start on: nothing is published twice."""
    import asyncio

    from cli.restored import mark_moved, mark_restored
    from cli.services import settings_with_database

    with settings_with_database() as settings:
        asyncio.run(
            mark_moved(settings, print) if moved else mark_restored(settings, print, temporal=not temporal_lost)
        )


@app.command("temporal-setup")
def temporal_setup(
    retention: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=1, help="Days for which closed workflows are kept; of a new namespace 30."),
    ] = None,
    commands: Annotated[bool, typer.Option(help="Only print the commands for an administrator.")] = False,
) -> None:
    """Make the namespace and the search attributes on the Temporal server."""
    from cli.temporal_setup import set_up_temporal

    raise typer.Exit(set_up_temporal(retention, commands=commands))


@app.command()
def sandbox(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the networks; 0: a free one.")] = 4010,
    smtp_port: Annotated[int, typer.Option(help="Port of the mail server; 0: a free one.")] = 4025,
    data: Annotated[Path | None, typer.Option(help="Folder of what is received; default: DATA_DIR/sandbox.")] = None,
    stripe_webhooks: Annotated[str, typer.Option(metavar="URL", help="Where events of Stripe's stand-in go.")] = "",
) -> None:
    """Run the stand-ins of the networks, of a mail server and of Stripe."""
    from cli.roles import run_sandbox

    raise typer.Exit(run_sandbox(host, port, smtp_port, data, stripe_webhooks))


@app.command()
def doctor() -> None:
    """Check every dependency and setting, one line each. Exit with 1 if one fails."""
    import asyncio

    from cli.doctor import examine

    raise typer.Exit(asyncio.run(examine()))


@app.command()
def version() -> None:
    """Print the version."""
    from core.settings import version

    print(version())


@app.command()
def settings(
    env_example: Annotated[bool, typer.Option(help="Write .env.example instead.")] = False,
) -> None:
    """List every setting: meaning, default, value, and source of the value."""
    from cli import settings_command

    if env_example:
        settings_command.ENV_EXAMPLE.write_text(settings_command.env_example())
        return
    settings_command.show_settings()


@app.command()
def invite(count: Annotated[int, typer.Argument(min=1, max=1000, help="Number of codes.")] = 1) -> None:
    """Print new invitation codes, one per line."""
    import asyncio

    from cli.invite import new_codes
    from cli.services import service_settings

    print("\n".join(asyncio.run(new_codes(service_settings(), count))))


@app.command()
def codec() -> None:
    """Decrypt Temporal's data for operators: the codec endpoint of Temporal's Web UI and command line."""
    from cli.codec_command import serve

    serve()


@app.command()
def owner(user_id: Annotated[UUID, typer.Argument(help="Id of the user, as workflows and log lines name it.")]) -> None:
    """Print whose workflow it is: e-mail address and state of a user."""
    import asyncio

    from cli.owner import describe_owner
    from cli.services import service_settings

    lines = asyncio.run(describe_owner(service_settings(), user_id))
    if lines is None:
        raise typer.BadParameter(f"there is no user {user_id}")
    print_lines(lines)


@app.command()
def post(id: Annotated[UUID, typer.Argument(help="Id of the post, or of its run or a delivery.")]) -> None:
    """Print the story of a post: its rows and its workflows, with times in UTC."""
    import asyncio

    from cli.post_story import tell
    from cli.services import service_settings

    lines = asyncio.run(tell(service_settings(), id))
    if lines is None:
        raise typer.BadParameter(f"there is no post, run with a post, or delivery {id}")
    print_lines(lines)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that contain what users and networks wrote: nothing in them may steer the terminal."""
    from core.observability import escape_controls

    print("\n".join(map(escape_controls, lines)))


keys = typer.Typer(help="The keys that encrypt tokens and codes.", no_args_is_help=True)
app.add_typer(keys, name="keys")


@keys.callback()
def _keys() -> None:
    """The keys that encrypt tokens and codes."""


@keys.command("rotate")
def rotate_keys() -> None:
    """Encrypt everything again with the first key of SECRET_KEY."""
    import asyncio

    from cli.keys import describe_rotation, rotate
    from cli.services import settings_with_database
    from core.settings import secret_keys

    with settings_with_database() as settings:
        rotated = asyncio.run(rotate(settings))
    print("\n".join(describe_rotation(rotated, len(secret_keys(settings)))))
    if rotated.lost:
        raise typer.Exit(1)


@keys.command("accept")
def accept_keys() -> None:
    """Let nodes start with this SECRET_KEY alone, though others were in use: their values are lost."""
    import asyncio

    from cli.keys import accept
    from cli.services import settings_with_database

    with settings_with_database() as settings:
        asyncio.run(accept(settings))


@app.command(hidden=True, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def develop(context: typer.Context, target: str) -> None:
    """Run a developer target of the Makefile."""
    from cli.develop import run_target

    raise typer.Exit(run_target(target, context.args))


def describe_failure(error: BaseException) -> str:
    """Return the failure in one line. Of SQLAlchemy's errors, which add the statement and a link, that is the driver's
    own message."""
    while (cause := getattr(error, "orig", None)) is not None:
        error = cause
    return " ".join(str(error).split()) or type(error).__name__


def log_failure(error: BaseException) -> None:
    """Log what a person can mend as one line; anything else is a defect, and has its traceback."""
    import logging

    from sqlalchemy.exc import DBAPIError

    from cli.deploy import DeployRefused
    from cli.postgres import PostgresError
    from cli.supervisor import StartFailed
    from core.installation.start_checks import StartDelayed, StartRefused
    from core.observability import configure_logs
    from core.settings import WrongSetting

    configure_logs("json")
    expected = (
        WrongSetting,
        DeployRefused,
        StartRefused,
        StartDelayed,
        StartFailed,
        PostgresError,
        DBAPIError,
        OSError,
    )
    logging.getLogger("cli").error(
        "%s", describe_failure(error), exc_info=None if isinstance(error, expected) else error
    )


def main() -> None:
    """Run a command. Print a failure in one line (with LOG_FORMAT=json as a line of the log), or with
    POSTLOOM_TRACEBACK=1 the traceback."""
    code = 0
    try:
        app(prog_name=app.info.name)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        if os.environ.get("POSTLOOM_TRACEBACK"):
            raise
        if os.environ.get("LOG_FORMAT") == "json":
            log_failure(error)
        else:
            Progress(sys.stderr).print_line(f"✗ {describe_failure(error)}")
        code = 1
    except KeyboardInterrupt:
        code = 130
    end_process(code)


if __name__ == "__main__":
    main()
