"""What a network answers to an upload means: whatever it is, nobody has seen anything, so it is never unclear."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Picture
from pydantic import SecretStr

from core.errors import (
    Blocked,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    TokenRefused,
)
from core.networks.bluesky import BlueskyChannel, BlueskySettings
from core.networks.connections import Credentials
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.mastodon import MastodonChannel, MastodonSettings
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType
from tests.http_server import Answer, Server

TOKEN = "a-secret-token"


@dataclass(frozen=True)
class Upload:
    """`path`: the call that is answered. `before`: what the calls before it are."""

    connect: Callable[[str], LinkedInChannel | MastodonChannel | BlueskyChannel]
    path: str
    before: Callable[[str], dict[str, Answer]] = lambda _: {}


def linkedin(url: str) -> LinkedInChannel:
    return LinkedInChannel(
        LinkedInSettings(client_id="app", client_secret=SecretStr("hush"), auth_url=url, api_url=url)
    )


def place(url: str) -> dict[str, Answer]:
    return {"/rest/images": Answer(body={"value": {"uploadUrl": f"{url}/up", "image": "urn:li:image:A"}})}


UPLOADS = {
    "linkedin place": Upload(linkedin, "/rest/images"),
    "linkedin": Upload(linkedin, "/up", place),
    "mastodon": Upload(lambda url: MastodonChannel(MastodonSettings(internal_servers=url)), "/api/v2/media"),
    "bluesky": Upload(
        lambda url: BlueskyChannel(BlueskySettings(internal_servers=url)), "/xrpc/com.atproto.repo.uploadBlob"
    ),
}

AWAY = (RetrySafe, ErrorCode.provider_unavailable)
EVERYWHERE = [
    (Answer(429, {"error": "RateLimitExceeded"}), RateLimited, ErrorCode.rate_limited),
    (Answer(502, b"<h1>Sorry</h1>"), *AWAY),
    (Answer(drop=True), *AWAY),
]


def of_bluesky(name: str) -> dict[str, Any]:
    return {"error": name, "message": f"Echo of {TOKEN}"}


RECONNECT = ErrorCode.delivery_needs_reconnect
LINKEDINS = [
    (Answer(400), Refused, ErrorCode.delivery_refused),
    (Answer(401), TokenRefused, RECONNECT),
    (Answer(403), NeedsReconnect, RECONNECT),
    (Answer(426), Misconfigured, ErrorCode.api_version_retired),
    (Answer(204), *AWAY),
]
ALONE: dict[str, list[tuple[Answer, type[ProviderError], ErrorCode]]] = {
    "linkedin place": [*LINKEDINS, (Answer(body=b'{"value":{"up'), *AWAY)],
    # the token has just been accepted, so the address of the upload has ended
    "linkedin": [(answer, *AWAY) if answer.status in (401, 403) else row for row in LINKEDINS for answer in row[:1]],
    "mastodon": [
        (Answer(401), NeedsReconnect, RECONNECT),
        (Answer(403, {"error": "Your login is currently disabled"}), Blocked, ErrorCode.account_blocked),
        (Answer(422, {"error": f"Validation failed: {TOKEN}"}), Refused, ErrorCode.delivery_refused),
        (Answer(body=b"<h1>Sorry</h1>"), *AWAY),
        (Answer(202, b'{"id":"1'), *AWAY),
    ],
    "bluesky": [
        (Answer(400, of_bluesky("BlobTooLarge")), Refused, ErrorCode.image_refused),
        (Answer(400, of_bluesky("ExpiredToken")), TokenRefused, RECONNECT),
        (Answer(401, of_bluesky("AccountTakedown")), Blocked, ErrorCode.account_blocked),
        (Answer(body=b'{"blob":{"ref":{"$li'), *AWAY),
        (Answer(body={"blob": "bafk"}), *AWAY),
    ],
}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests point the networks at their stand-ins."""
    for name in [name for name in os.environ if name.startswith(("LINKEDIN_", "MASTODON_", "BLUESKY_"))]:
        monkeypatch.delenv(name)


def a_picture() -> Image:
    file = BytesIO()
    Picture.new("RGB", (4, 3)).save(file, "JPEG")
    return Image(file.getvalue(), "image/jpeg", "A red bicycle")


@pytest.mark.parametrize(
    ("network", "answer", "kind", "code"),
    [(network, *row) for network in UPLOADS for row in [*EVERYWHERE, *ALONE[network]]],
)
async def test_what_an_upload_is_answered_is_never_unclear(
    server: Server, network: str, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    upload = UPLOADS[network]
    for path, before in {**upload.before(server.url), upload.path: answer}.items():
        server.answers(path, before)
    to = Credentials("7237", AccountType.person, TOKEN, server.url)
    with pytest.raises(ProviderError) as raised:
        await upload.connect(server.url).stage(to, Outgoing("Hello", (a_picture(),)))
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert TOKEN not in raised.value.detail
