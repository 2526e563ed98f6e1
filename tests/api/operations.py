"""The operations of the OpenAPI document, with a valid body for each: new ones are tested without being named."""

import base64
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from api.app import bare_app
from api.errors import STATUS
from core.errors import ErrorCode
from core.settings import ROOT
from tests.clips import video

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMQjE0HAAFYANakCVSMAAAAAElFTkSuQmCC"
)
"""One pixel, as a PNG."""


@cache
def document() -> dict[str, Any]:
    return bare_app().openapi()


@dataclass(frozen=True)
class Operation:
    name: str
    method: str
    path: str
    """Below `/api`, with its parameters in braces."""
    details: dict[str, Any]

    @property
    def needs_token(self) -> bool:
        return bool(self.details.get("security"))

    @property
    def takes_keys(self) -> bool:
        """Whether it is for API keys, too."""
        return any("api_key" in way for way in self.details.get("security", ()))

    @property
    def streams(self) -> bool:
        """Whether its answer has no end."""
        return "text/event-stream" in self.details["responses"].get("200", {}).get("content", {})

    def refuses(self, code: ErrorCode) -> bool:
        """Whether it says that it may answer so."""
        answer = self.details["responses"].get(str(STATUS[code]), {})
        return code in answer.get("description", "").split(", ")

    def parameters(self, place: str) -> list[dict[str, Any]]:
        return [found for found in self.details.get("parameters", ()) if found["in"] == place]

    @property
    def ids(self) -> list[str]:
        """Names of the path's parameters that are ids of objects."""
        return [found["name"] for found in self.parameters("path") if found["schema"].get("format") == "uuid"]

    @property
    def body_schema(self) -> dict[str, Any] | None:
        """Of JSON; None for an operation that takes none, or a file."""
        schema = self._content.get("application/json")
        return resolved(schema["schema"]) if schema else None

    @property
    def takes_file(self) -> bool:
        return "multipart/form-data" in self._content

    @property
    def takes_bytes(self) -> bool:
        return "application/octet-stream" in self._content

    @property
    def _content(self) -> dict[str, Any]:
        found: dict[str, Any] = self.details.get("requestBody", {}).get("content", {})
        return found

    def body(self) -> dict[str, Any] | None:
        """A valid one that names no object."""
        schema = self.body_schema
        return None if schema is None else _example(schema)

    def sent(self) -> dict[str, Any]:
        """What a client is told to send, valid as well."""
        needed = {found["name"]: _example(found["schema"]) for found in self.parameters("query") if found["required"]}
        asked = {"params": needed} if needed else {}
        if self.takes_file:
            return {"files": {"file": ("a picture.png", PICTURE, "image/png")}, **asked}
        if self.takes_bytes:
            return {"content": video(0.2), **asked}
        return {"json": self.body(), **asked}

    def at(self, **ids: str) -> str:
        """The path; what is no id takes its first allowed value."""
        values = dict(ids)
        for found in self.parameters("path"):
            values.setdefault(found["name"], str(_example(found["schema"])))
        return self.path.format(**values)

    def __str__(self) -> str:
        return self.name


@cache
def operations() -> tuple[Operation, ...]:
    return tuple(_operations())


def changed_operations() -> tuple[Operation, ...]:
    """Those that take or answer something else than at the point where this branch left main, or, on main, than in
    the last commit. All of them where that point has no document."""
    base = _git("merge-base", "HEAD", "main") or _git("rev-parse", "HEAD") or ""
    committed = _git("show", f"{base.strip()}:frontend/openapi.json")
    if committed is None:
        return operations()
    before: dict[str, Any] = json.loads(committed)
    return tuple(
        operation
        for operation in operations()
        if _shape(operation.details, document())
        != _shape(before["paths"].get(f"/api{operation.path}", {}).get(operation.method.lower(), {}), before)
    )


def _git(*arguments: str) -> str | None:
    """None: no git, no repository, no such commit or file."""
    try:
        done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _shape(details: dict[str, Any], whole: dict[str, Any]) -> str:
    """What an operation takes and, where it goes well, answers; the schemas that it names written out."""
    good = {status: answer for status, answer in details.get("responses", {}).items() if status.startswith("2")}
    told = {key: details.get(key) for key in ("parameters", "requestBody", "security")}
    named: dict[str, Any] = {}

    def collect(found: Any) -> None:
        if isinstance(found, list):
            for inner in found:
                collect(inner)
        elif isinstance(found, dict):
            name = str(found.get("$ref", "")).rpartition("/")[2]
            if name and name not in named:
                named[name] = whole["components"]["schemas"][name]
                collect(named[name])
            for inner in found.values():
                collect(inner)

    collect([good, told])
    return json.dumps([good, told, named], sort_keys=True)


def _operations() -> Iterator[Operation]:
    for path, methods in document()["paths"].items():
        for method, details in methods.items():
            yield Operation(details["operationId"], method.upper(), path.removeprefix("/api"), details)


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    return resolved(document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])


def _example(schema: dict[str, Any]) -> Any:
    """From `examples`, else the plainest value; of what is optional only what has an example."""
    schema = resolved(schema)
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            required = schema.get("required", ())
            return {
                name: _example(inner)
                for name, inner in schema.get("properties", {}).items()
                if name in required or "examples" in resolved(inner)
            }
        case "array":
            return [_example(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "string":
            return {
                "uuid": "00000000-0000-7000-8000-000000000000",
                "date": "2026-11-21",
                "date-time": "2126-11-21T09:00:00Z",
            }.get(schema.get("format", ""), "example")
    return None
