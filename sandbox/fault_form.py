"""Endpoints and page with which tests and people add faults."""

import json
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import FaultKind, Faults, Target, read_fault
from sandbox.pages import page
from sandbox.texts import Text


def routes(faults: Faults) -> APIRouter:
    router = APIRouter()

    @router.post("/sandbox/faults")
    async def add(request: Request) -> Response:
        try:
            fault = read_fault(json.loads(await request.body()))
        except (ValueError, TypeError) as error:
            return JSONResponse({"error": str(error)}, 422)
        return JSONResponse(faults.add(fault), 201)

    @router.get("/sandbox/faults")
    async def active() -> Response:
        return JSONResponse(faults.active())

    @router.delete("/sandbox/faults")
    async def clear() -> Response:
        faults.clear()
        return Response(status_code=204)

    @router.get("/faults")
    async def form(request: Request) -> Response:
        return HTMLResponse(_form(faults, Text.of(request)))

    @router.post("/faults")
    async def submit(request: Request) -> Response:
        fields: dict[str, Any] = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
        if "clear" in fields:
            faults.clear()
            return RedirectResponse("/faults", 303)
        try:
            if "effect" in fields:
                fields["effect"] = fields["effect"] == "true"
            faults.add(read_fault(fields))
        except ValueError as error:
            return HTMLResponse(_form(faults, Text.of(request), str(error)), 422)
        return RedirectResponse("/faults", 303)

    return router


def _form(faults: Faults, text: Text, error: str = "") -> str:
    pending = "".join(
        f"<li><strong>{text.escape(row['on'])}: {text.escape(row['kind'])}</strong> <span>× {row['times']}</span></li>"
        for row in faults.active()
    )
    targets = "".join(f"<option>{on}</option>" for on in Target)
    kinds = "".join(f"<option>{kind}</option>" for kind in FaultKind)
    problem_line = f'<p class="error" role="alert">{text.escape(error)}</p>' if error else ""
    listed = f'<ul class="rows">{pending}</ul>' if pending else f"<p>{text('no_faults')}</p>"
    clear = (
        f'<form method="post"><button class="quiet" name="clear" value="1">{text("clear")}</button></form>'
        if pending
        else ""
    )
    body = f"""<h1>{text("faults")}</h1><p>{text("faults_intro")}</p>{problem_line}
<form method="post" class="card fields">
<label>{text("fault_on")}<select name="on">{targets}</select></label>
<label>{text("fault_kind")}<select name="kind">{kinds}</select></label>
<label>{text("fault_status")}<input name="status" inputmode="numeric" placeholder="500"></label>
<label>{text("fault_times")}<input name="times" inputmode="numeric" value="1"></label>
<label>{text("fault_seconds")}<input name="seconds" inputmode="decimal"></label>
<label>{text("fault_minutes")}<input name="minutes" inputmode="numeric"></label>
<label>{text("fault_percent")}<input name="percent" inputmode="numeric" placeholder="100"></label>
<label>{text("fault_message")}<input name="message"></label>
<label>{text("fault_effect")}<select name="effect"><option value="">{text("usual")}</option>
<option value="true">{text("yes")}</option><option value="false">{text("no")}</option></select></label>
<button>{text("fault_add")}</button></form>
<h2>{text("fault_pending")}</h2>{listed}{clear}"""
    return page(text, text("faults"), body)
