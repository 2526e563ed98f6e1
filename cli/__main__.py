"""The `postloom` command: `python -m cli`, or `./postloom` in the project. Each command imports what it needs."""

import os
import sys
from typing import Annotated
from uuid import UUID

import typer

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
    print("\n".join(lines))


@app.command()
def post(id: Annotated[UUID, typer.Argument(help="Id of the post, or of its run or a delivery.")]) -> None:
    """Print the story of a post: its rows and its workflows, with times in UTC."""
    import asyncio

    from cli.post_story import tell
    from cli.services import service_settings

    lines = asyncio.run(tell(service_settings(), id))
    if lines is None:
        raise typer.BadParameter(f"there is no post, run with a post, or delivery {id}")
    print("\n".join(lines))


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
    from cli.services import service_settings
    from core.settings import secret_keys

    settings = service_settings()
    rotated = asyncio.run(rotate(settings))
    print("\n".join(describe_rotation(rotated, len(secret_keys(settings)))))
    if rotated.lost:
        raise typer.Exit(1)


@app.command(hidden=True, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def develop(context: typer.Context, target: str) -> None:
    """Run a developer target of the Makefile."""
    from cli.develop import run_target

    raise typer.Exit(run_target(target, context.args))


def main() -> None:
    """Run a command. Print a failure in one line, or with POSTLOOM_TRACEBACK=1 the traceback."""
    try:
        app()
    except Exception as error:
        if os.environ.get("POSTLOOM_TRACEBACK"):
            raise
        Progress(sys.stderr).print_line(f"✗ {' '.join(str(error).split()) or type(error).__name__}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
