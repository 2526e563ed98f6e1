"""/api/docs: the OpenAPI document as a page without scripts. Swagger's page would load code from another host into our
origin, where the web app keeps its token, and would be empty without internet access."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

router = APIRouter(include_in_schema=False)
_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@router.get("/api/docs")
def read_docs(request: Request) -> HTMLResponse:
    """Every operation with its parameters, body and answers."""
    document = request.app.openapi()
    by_tag: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag[operation["tags"][0]].append({"method": method.upper(), "path": path, **operation})
    page = _templates.get_template("docs.html").render(
        info=document["info"], by_tag=by_tag, schemas=document["components"]["schemas"], name=_name, kind=_kind
    )
    return HTMLResponse(page)


def _name(schema: dict[str, Any]) -> str:
    """Return the name of the component that a schema refers to."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: dict[str, Any]) -> str:
    """Describe a schema in a few words."""
    if name := _name(schema):
        return name
    if choices := schema.get("anyOf"):
        return " or ".join(map(_kind, choices))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    words = [str(schema.get("type", "anything")), schema.get("format"), _bounds(schema)]
    return " ".join(word for word in words if word)


def _bounds(schema: dict[str, Any]) -> str:
    names = ("minimum", "maximum", "minLength", "maxLength", "pattern")
    bounds = [f"{name} {schema[name]}" for name in names if name in schema]
    return f"({', '.join(bounds)})" if bounds else ""
