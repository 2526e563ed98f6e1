"""What a person does with an installation that publishes to the sandbox, over HTTP."""

import re
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx2
from PIL import Image

READY_SECONDS: Final = 60.0

T = TypeVar("T")


def wait_for(what: str, look: Callable[[], T | None], seconds: float = READY_SECONDS) -> T:
    """Return what `look` returns once it is not None. Raise SystemExit after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if (found := look()) is not None:
                return found
        except (httpx2.HTTPError, OSError):
            pass
        if time.monotonic() > deadline:
            raise SystemExit(f"✗ {what}: not within {seconds:.0f} s")
        time.sleep(0.3)


class Visit:
    """A new user, with an account at the sandbox's LinkedIn."""

    def __init__(self, app: str, sandbox: str, invitation_code: str, **client: Any) -> None:
        self._client = httpx2.Client(base_url=f"{app}/api", timeout=30, **client)
        self._sandbox = httpx2.Client(base_url=sandbox)
        self._sign_up(f"smoke-{secrets.token_hex(3)}@example.org", invitation_code)
        self._account_id = self._connect()

    def close(self) -> None:
        self._client.close()
        self._sandbox.close()

    def plan_post(self, word: str, wait: timedelta, *, image: bytes | None = None) -> str:
        """Plan a post that contains the word. Return its id."""
        files = [{"media_id": self._post("/media/", files={"file": ("a.png", image)})["id"]}] if image else []
        post_id = str(uuid4())
        draft = {"id": post_id, "content": f"The word {word}.", "time_zone": "UTC", "language": "en"}
        made = self._post("/social-media-posts/", json={**draft, "account_ids": [self._account_id], "files": files})
        planned = datetime.now(UTC) + wait
        wanted = {"version": made["version"], "planned_at": planned.isoformat()}
        self._post(f"/social-media-posts/{post_id}/publish/", json=wanted)
        return post_id

    def read_image(self, post_id: str) -> bytes:
        """Return the image of a post, as its page shows it."""
        post = self._client.get(f"/social-media-posts/{post_id}/").raise_for_status().json()
        address = str(self._client.base_url.join(post["files"][0]["url"]))
        return self._client.get(address).raise_for_status().content

    def make_assistant(self, word: str) -> str:
        """Make an assistant that writes about the word once a year, and activate it. Return its id."""
        topic = f"Topic {word}"
        tree = self._post("/topics/", json={"name": topic, "text": f"- {topic}"})
        offered = self._client.get("/marketplace/", params={"type": "text", "language": "en"}).raise_for_status().json()
        template = self._post(f"/marketplace/{offered['items'][0]['id']}/copy/")
        body = {
            "name": topic,
            "language": "en",
            "mode": "automatic",
            "schedule": {"frequency": "cron", "cron": "0 0 1 1 *", "time_zone": "UTC"},
            "account_ids": [self._account_id],
            "topic_tree_id": tree["id"],
            "template_version_id": template["version_id"],
            "variables": dict.fromkeys(template["variables"], topic),
        }
        made = self._post("/assistants/", json=body)
        self._post(f"/assistants/{made['id']}/activate/")
        return str(made["id"])

    def run_assistant(self, assistant_id: str) -> None:
        self._post(f"/assistants/{assistant_id}/run/", json={"request_id": str(uuid4())})

    def wait_for_board(self, what: str, word: str, seconds: float = 90) -> None:
        """Wait until a post on the sandbox's board contains the word; raise SystemExit if there are two."""

        def count() -> int | None:
            posts = self._sandbox.get("/sandbox/posts").json()
            return sum(word in post["text"] for post in posts) or None

        if (found := wait_for(what, count, seconds)) > 1:
            raise SystemExit(f"✗ {what}: {found} times")
        print(f"✓ {what}")

    def _post(self, path: str, **options: Any) -> Any:
        answer = self._client.post(path, **options)
        if answer.is_error:
            raise SystemExit(f"✗ {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def _sign_up(self, email: str, code: str) -> None:
        body = {"email": email, "password": secrets.token_urlsafe(16), "invitation_code": code, "language": "en"}
        signed = self._post("/auth/signup/", json={**body, "consent": True})
        self._client.headers["Authorization"] = f"Bearer {signed['token']}"

        def find_link() -> str | None:
            mails = self._sandbox.get("/sandbox/mails", params={"to": email}).json()
            found = re.search(r"/verify-email#token=(\S+)", "".join(mail["text"] for mail in mails))
            return found and found[1]

        self._post("/users/verify-email/", json={"token": wait_for("the mail that verifies the address", find_link)})
        print("✓ signed up, by an invitation and a mail")

    def _connect(self) -> str:
        started = self._post("/accounts/connect/linkedin/", json={"fields": {}})
        consent = self._sandbox.get(f"{started['authorize_url']}&sandbox_person=ada-lindqvist")
        back = parse_qs(urlsplit(consent.headers["location"]).query)
        granted = {"state": back["state"][0], "code": back["code"][0]}
        [account] = self._post("/accounts/connect/linkedin/callback/", json=granted)["accounts"]
        return str(account["id"])


def make_image() -> bytes:
    written = BytesIO()
    Image.new("RGB", (600, 315), "teal").save(written, "PNG")
    return written.getvalue()
