"""The page on which a person lets an app act for them."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse

from sandbox.cards import picture_of
from sandbox.pages import page
from sandbox.texts import Text


def consent_page(
    text: Text,
    name: str,
    query: Mapping[str, str],
    *,
    redirect_uri: str,
    app: str = "",
    permissions: Iterable[str] = (),
    people: Iterable[tuple[str, str, str]],
) -> HTMLResponse:
    """Return the page. `name`: of its texts; `permissions`: what the app asks for; `people` to choose from, as (id,
    name, note in HTML)."""
    hidden = "".join(
        f'<input type="hidden" name="{text.escape(name)}" value="{text.escape(value)}">'
        for name, value in query.items()
        if not name.startswith("sandbox_")
    )
    choices = "".join(
        f'<label class="choice"><input type="radio" name="sandbox_person" value="{person}"'
        f"{'' if number else ' checked'}>"
        f'<img src="{picture_of(person)}" alt=""><span>{text.escape(shown)}<small>{note}</small></span></label>'
        for number, (person, shown, note) in enumerate(people)
    )
    host = text.escape(urlsplit(redirect_uri).netloc)
    client = f"<strong>{text.escape(app)}</strong> <span>{host}</span>" if app else f"<strong>{host}</strong>"
    items = "".join(f"<li>{text.escape(one)}</li>" for one in dict.fromkeys(permissions))
    listed = f"<p>{text('access')}</p><ul>{items}</ul>" if items else ""
    body = f"""<h1>{text(name)}</h1><p>{text(f"{name}_intro")}</p>
<form method="get" class="card">{hidden}
<p class="text">{client}</p>{listed}
<fieldset><legend>{text("as_whom")}</legend>{choices}</fieldset>
<div class="buttons"><button>{text("allow")}</button>
<button class="quiet" name="sandbox_cancel" value="1">{text("cancel")}</button></div></form>"""
    return HTMLResponse(page(text, text(name), body, navigation=False))


def refused_page(text: Text, reason: object) -> HTMLResponse:
    """Return the page for a request that the network would not show its consent page for."""
    body = f"<h1>{text('missing')}</h1><p>{text('wrong_link')}</p><p><code>{text.escape(reason)}</code></p>"
    return HTMLResponse(page(text, text("missing"), body, navigation=False), 400)


def redirect_problem(query: Mapping[str, str]) -> str:
    """Return what is wrong with redirect URI, response type or client id; empty if nothing is."""
    redirect_uri = query.get("redirect_uri", "")
    parts = urlsplit(redirect_uri)
    if parts.scheme not in ("http", "https") or not parts.netloc or "#" in redirect_uri:
        return "redirect_uri must be absolute and without a fragment"
    if query.get("response_type") != "code":
        return "response_type must be code"
    return "" if query.get("client_id") else "client_id is missing"
