"""A Temporal cluster whose services are processes of their own, for `benchmarks.cluster`.

Temporal's server and its schema tool are built from their Go module, once: `python -m benchmarks.temporal_cluster`
takes a quarter of an hour on one processor. Its data is in a PostgreSQL of the system's packages, since the embedded
one lacks an extension that Temporal's schema needs; it is tuned as `docker/temporal.yaml` says.
"""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from cli import ports
from cli.children import Command
from cli.postgres import SUPERUSER
from core.settings import ROOT
from temporal.server import CACHE, NoServer, Say, succeeds, tell_path

VERSION: Final = "1.32.0"
"""Of the server: the newest that `go install` accepts, and that of the locked development server."""
SERVICES: Final = ("frontend", "history", "matching", "worker")
CONNECTIONS: Final = len(SERVICES) * (20 + 5) + 10
"""Most connections at once of all services to their databases, and of the schema tool."""
_MODULE: Final = "go.temporal.io/server/cmd"
_PROGRAMS: Final = {"server": "server", "sql": "tools/sql"}
"""Package of the module by the program's name."""
_DATABASES: Final = {"temporal": "temporal", "temporal_visibility": "visibility"}
"""Embedded schema by database."""
_PLUGIN: Final = "postgres12_pgx"
"""The driver that reaches a server by its socket."""
_HIGHEST_MEMBERSHIP_PORT: Final = 2**15 - 1
_BUILD_VARIABLES: Final = ("GOOS", "GOARCH", "GOBIN")


def find_programs(say: Say = lambda _: None) -> Path:
    """Return the folder with `server` and `sql`, built if missing. Raise NoServer."""
    folder = CACHE / f"temporal-server-{VERSION}"
    for program, package in _PROGRAMS.items():
        if os.access(folder / program, os.X_OK):
            continue
        go = shutil.which("go")
        if go is None:
            raise NoServer("the Temporal cluster is built from its Go module: install Go 1.26 or newer")
        say(f"building {_MODULE}/{package}@v{VERSION}, once; this takes up to half an hour")
        # those of a cross build in someone's environment would give a program for elsewhere
        env = {name: value for name, value in os.environ.items() if name not in _BUILD_VARIABLES}
        if not succeeds([go, "install", f"{_MODULE}/{package}@v{VERSION}"], say, {**env, "GOBIN": str(folder)}):
            raise NoServer(f"{_MODULE}/{package} cannot be built (see above)")
    return folder


def write_configuration(
    folder: Path, database_url: str, *, shards: int, taken: set[int]
) -> tuple[Path, dict[str, int]]:
    """Write the cluster's configuration into the folder. Return the file, and the port of each service. `taken`: ports
    that are chosen already; those of the cluster are added."""
    grpc = {service: ports.choose(0, taken) for service in SERVICES}

    def sql(name: str, connections: int) -> dict[str, Any]:
        settings = {
            "pluginName": _PLUGIN,
            "databaseName": name,
            **_connection(database_url),
            "connectProtocol": "tcp",
            "maxConns": connections,
            "maxIdleConns": connections,
            "maxConnLifetime": "1h",
        }
        return {"sql": settings}

    configuration = {
        "log": {"stdout": True, "level": "warn"},
        "persistence": {
            "defaultStore": "temporal",
            "visibilityStore": "temporal_visibility",
            "numHistoryShards": shards,
            "datastores": {"temporal": sql("temporal", 20), "temporal_visibility": sql("temporal_visibility", 5)},
        },
        "global": {"membership": {"maxJoinDuration": "30s", "broadcastAddress": "127.0.0.1"}},
        "services": {
            service: {
                "rpc": {
                    "grpcPort": grpc[service],
                    "membershipPort": _choose_membership_port(taken),
                    "bindOnLocalHost": True,
                }
            }
            for service in SERVICES
        },
        "publicClient": {"hostPort": f"127.0.0.1:{grpc['frontend']}"},
        "clusterMetadata": {
            "enableGlobalNamespace": False,
            "failoverVersionIncrement": 10,
            "masterClusterName": "active",
            "currentClusterName": "active",
            "clusterInformation": {
                "active": {
                    "enabled": True,
                    "initialFailoverVersion": 1,
                    "rpcName": "frontend",
                    "rpcAddress": f"127.0.0.1:{grpc['frontend']}",
                }
            },
        },
        "dcRedirectionPolicy": {"policy": "noop"},
        "dynamicConfigClient": {"filepath": str(ROOT / "docker" / "temporal.yaml"), "pollInterval": "60s"},
    }
    path = folder / "temporal.yaml"
    path.write_text(json.dumps(configuration, indent=1))  # JSON is YAML
    return path, grpc


def _choose_membership_port(taken: set[int]) -> int:
    """Return a port that fits into the schema's column of 15 bits."""
    while (port := ports.choose(20_000 + secrets.randbelow(10_000), taken)) > _HIGHEST_MEMBERSHIP_PORT:
        pass
    return port


def list_schema_commands(programs: Path, database_url: str) -> list[Command]:
    """Return the commands that make both databases and their schemas, in order."""
    connection = _connection(database_url)
    host, _, port = connection["connectAddr"].partition(":")
    commands = []
    for database, schema in _DATABASES.items():
        tool = [str(programs / "sql"), "--plugin", _PLUGIN, "--ep", host, "-p", port, "-u", connection["user"]]
        tool += ["--connect-attributes", urlencode(connection["connectAttributes"]), "--db", database]
        commands += [
            Command((*tool, *step), os.environ)
            for step in (
                ("create-database",),
                ("setup-schema", "-v", "0.0"),
                ("update-schema", "--schema-name", f"postgresql/v12/{schema}"),
            )
        ]
    return commands


def list_services(programs: Path, configuration: Path, *, apart: bool) -> dict[str, Command]:
    """Return the command of each process by its name: one per service, or one for all."""
    start = (str(programs / "server"), "--config-file", str(configuration), "--allow-no-auth", "start")
    if not apart:
        return {"temporal": Command(start, os.environ)}
    return {f"temporal {one}": Command((*start, "--service", one), os.environ) for one in SERVICES}


def _connection(database_url: str) -> Mapping[str, Any]:
    """Return the settings that lead to an embedded PostgreSQL, which listens on a socket alone: the driver prefers its
    folder to the address, which the configuration has to name."""
    [folder] = parse_qs(urlsplit(database_url).query)["host"]
    return {"connectAddr": "127.0.0.1:5432", "user": SUPERUSER, "connectAttributes": {"host": folder}}


if __name__ == "__main__":
    sys.exit(tell_path(find_programs))
