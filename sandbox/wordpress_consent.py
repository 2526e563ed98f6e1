"""The page of the WordPress stand-in on which a user authorizes an application, which then gets a password."""

import hashlib
import secrets
import string
from urllib.parse import urlencode, urlsplit
from uuid import UUID, uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sandbox.linkedin import origin
from sandbox.pages import Text, language, page
from sandbox.state import PEOPLE, State
from sandbox.wordpress_login import ROLES, Password

PATH = "/wp-admin/authorize-application.php"
_LETTERS = string.ascii_letters + string.digits


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.get(PATH)
    async def ask(request: Request) -> Response:
        """Show the page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
        query = dict(request.query_params)
        text = Text(language(request))
        if wrong := _wrong(state, query):
            body = f"<h1>{text('missing')}</h1><p>{text.escape(wrong)}</p>"
            return HTMLResponse(page(text, text("missing"), body, navigation=False), 400)
        if "sandbox_cancel" in query:
            refused = query.get("reject_url") or _with(query["success_url"], {"success": "false"})
            return RedirectResponse(refused, 302)
        if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
            password = "".join(secrets.choice(_LETTERS) for _ in range(24))
            digest = hashlib.sha256(password.encode()).hexdigest()
            state.keep(Password(person.sub, digest, str(uuid4())))
            handed = {"site_url": origin(request), "user_login": person.sub, "password": password}
            return RedirectResponse(_with(query["success_url"], handed), 302)
        hidden = "".join(
            f'<input type="hidden" name="{text.escape(name)}" value="{text.escape(value)}">'
            for name, value in query.items()
            if not name.startswith("sandbox_")
        )
        people = "".join(
            f'<label class="choice"><input type="radio" name="sandbox_person" value="{name}"'
            f"{'' if number else ' checked'}>"
            f'<img src="/sandbox/pictures/{name}.svg" alt=""><span>{text.escape(PEOPLE[name].name)}'
            f"<small>{role}</small></span></label>"
            for number, (name, role) in enumerate(ROLES.items())
        )
        body = f"""<h1>{text("wordpress_consent")}</h1><p>{text("wordpress_consent_intro")}</p>
<form method="get" class="card">{hidden}
<p class="text"><strong>{text.escape(query.get("app_name", ""))}</strong>
<span>{text.escape(urlsplit(query["success_url"]).netloc)}</span></p>
<fieldset><legend>{text("as_whom")}</legend>{people}</fieldset>
<div class="buttons"><button>{text("allow")}</button>
<button class="quiet" name="sandbox_cancel" value="1">{text("cancel")}</button></div></form>"""
        return HTMLResponse(page(text, text("wordpress_consent"), body, navigation=False))

    return router


def _wrong(state: State, query: dict[str, str]) -> str:
    """Return why WordPress would refuse the request; empty if it is valid."""
    try:
        UUID(query.get("app_id", ""))
    except ValueError:
        return "The application ID must be a UUID."
    for name in ("success_url", "reject_url"):
        address = urlsplit(query.get(name, ""))
        if not address.scheme or (address.scheme == "http" and not state.settings.wordpress_local):
            return f"The {name} must be served over a secure connection."
    return "" if state.settings.wordpress_passwords else "Application passwords are not available."


def _with(address: str, more: dict[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(more)}"
