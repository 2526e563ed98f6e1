"""The page of the WordPress stand-in on which a user authorizes an application, which then gets a password."""

import hashlib
import secrets
import string
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sandbox.consent import consent_page, refused_page
from sandbox.http import origin, with_query
from sandbox.people import PEOPLE
from sandbox.state import State
from sandbox.texts import Text
from sandbox.wordpress_login import ROLES, Password

PATH = "/wp-admin/authorize-application.php"
_LETTERS = string.ascii_letters + string.digits


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.get(PATH)
    async def ask(request: Request) -> Response:
        """Show the page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
        query = dict(request.query_params)
        text = Text.of(request)
        if problem := _problem(state, query):
            return refused_page(text, problem)
        if "sandbox_cancel" in query:
            refused = query.get("reject_url") or with_query(query["success_url"], {"success": "false"})
            return RedirectResponse(refused, 302)
        if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
            password = "".join(secrets.choice(_LETTERS) for _ in range(24))
            digest = hashlib.sha256(password.encode()).hexdigest()
            state.save(Password(person.sub, digest, str(uuid4())))
            granted = {"site_url": origin(request), "user_login": person.sub, "password": password}
            return RedirectResponse(with_query(query["success_url"], granted), 302)
        return consent_page(
            text,
            "wordpress_consent",
            query,
            redirect_uri=query["success_url"],
            app=query.get("app_name", ""),
            people=[(name, PEOPLE[name].name, role) for name, role in ROLES.items()],
        )

    return router


def _problem(state: State, query: dict[str, str]) -> str:
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
