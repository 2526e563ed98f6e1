"""Users of the WordPress stand-in: application passwords, roles and capabilities.

All people are users, with any application password of 24 letters and digits except WRONG.
"""

import base64
import hashlib
import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.cards import picture_of
from sandbox.http import origin
from sandbox.people import PEOPLE, Person
from sandbox.state import Row, State
from sandbox.wordpress_problems import refuse

WRONG = "0" * 24
"""The only well-formed application password that is refused."""
_CONTRIBUTOR = ("edit_posts",)
_AUTHOR = (*_CONTRIBUTOR, "publish_posts", "upload_files", "edit_published_posts", "delete_published_posts")
_EDITOR = (*_AUTHOR, "edit_others_posts", "delete_others_posts", "manage_categories", "unfiltered_html")
CAPABILITIES = {
    "administrator": (*_EDITOR, "manage_options"),
    "editor": _EDITOR,
    "author": _AUTHOR,
    "contributor": _CONTRIBUTOR,
}
ROLES = {
    "ada-lindqvist": "administrator",
    "jonas-weber": "editor",
    "mara-lind": "editor",
    "tom-okafor": "contributor",
    "nora-feld": "author",
}
_APP_PASSWORD = re.compile(r"[a-zA-Z0-9]{24}")


@dataclass(frozen=True)
class Password(Row):
    """An application password that was used to sign in."""

    table: ClassVar[str] = "wordpress_passwords"
    lasting: ClassVar[bool] = True
    person: str
    digest: str
    uuid: str
    revoked: bool = False

    @property
    def key(self) -> str:
        return f"{self.person} {self.digest}"


def capabilities(person: Person) -> tuple[str, ...]:
    return CAPABILITIES[ROLES[person.sub]]


def number_of(person: Person) -> int:
    return 1 + list(PEOPLE).index(person.sub)


def password_of(request: Request, state: State) -> Password | None:
    """Return the request's password; None without a login. Raise Refusal for a wrong login, on every route."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic" or state.settings.wordpress_strips_login or not state.settings.wordpress_passwords:
        return None
    try:
        name, _, typed = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return None
    of_mail = {person.email: person for person in PEOPLE.values()}
    if (person := PEOPLE.get(name) or of_mail.get(name)) is None:
        raise refuse(401, "invalid_email" if "@" in name else "invalid_username", "Unknown username.")
    password = re.sub(r"[^a-zA-Z0-9]", "", typed)
    digest = hashlib.sha256(password.encode()).hexdigest()
    known = state.table(Password).get(f"{person.sub} {digest}")
    if not _APP_PASSWORD.fullmatch(password) or password == WRONG or (known and known.revoked):
        raise refuse(401, "incorrect_password", "The provided password is an invalid application password.")
    if known is None:
        known = Password(person.sub, digest, str(uuid4()))
        state.save(known)
    return known


def person_of(request: Request, state: State, may: str = "", code: str = "rest_forbidden") -> Person:
    password = password_of(request, state)
    if password is None:
        raise refuse(401, code if may else "rest_not_logged_in", "You are not currently logged in.")
    person = PEOPLE[password.person]
    if may and may not in capabilities(person):
        raise refuse(403, code, "Sorry, you are not allowed to do that.")
    return person


def read_me(request: Request, state: State) -> Response:
    person = person_of(request, state)
    shown: dict[str, Any] = {
        "id": number_of(person),
        "name": person.name,
        "slug": person.sub,
        "avatar_urls": {"96": origin(request) + picture_of(person.sub)},
    }
    if request.query_params.get("context") == "edit":
        shown["username"], shown["email"], shown["roles"] = person.sub, person.email, [ROLES[person.sub]]
        shown["capabilities"] = dict.fromkeys((*capabilities(person), ROLES[person.sub]), True)
    return respond(request, shown)


def read_password(request: Request, state: State) -> Response:
    password = password_of(request, state)
    if password is None:
        raise refuse(401, "rest_not_logged_in", "You are not currently logged in.")
    return respond(request, {"uuid": password.uuid, "app_id": "", "name": "Postloom", "last_ip": "127.0.0.1"})


def remove_password(request: Request, state: State, uuid: str) -> Response:
    person = person_of(request, state)
    found = next((one for one in state.table(Password).values() if (one.person, one.uuid) == (person.sub, uuid)), None)
    if found is None or found.revoked:
        raise refuse(404, "rest_application_password_not_found", "Application password not found.")
    state.save(replace(found, revoked=True))
    return JSONResponse({"deleted": True, "previous": {"uuid": uuid, "name": "Postloom"}})


def respond(request: Request, body: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(select_fields(request, body), status)


def select_fields(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that the request asks for."""
    wanted = request.query_params.get("_fields")
    return {name: body[name] for name in wanted.split(",") if name in body} if wanted else body
