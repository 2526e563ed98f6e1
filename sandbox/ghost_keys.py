"""Admin API keys of the stand-in for Ghost: an integration's and one per person, the same at each start."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from sandbox.ghost_problems import refuse
from sandbox.people import PEOPLE
from sandbox.state import State

ROLES = {
    "ada-lindqvist": "Owner",
    "jonas-weber": "Editor",
    "mara-lind": "Administrator",
    "tom-okafor": "Contributor",
    "nora-feld": "Author",
}
MAX_SECONDS = 300
"""Seconds that a token is valid for, whatever its `exp` says."""


@dataclass(frozen=True)
class GhostKey:
    """A key. `person` empty: of an integration, whose posts belong to the site's owner."""

    person: str

    @property
    def id(self) -> str:
        return hashlib.sha256(f"ghost key of {self.person}".encode()).hexdigest()[:24]

    @property
    def secret(self) -> str:
        return hashlib.sha256(f"ghost secret of {self.person}".encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.id}:{self.secret}"

    @property
    def author(self) -> str:
        return self.person or "ada-lindqvist"

    @property
    def publishes(self) -> bool:
        return ROLES.get(self.person) != "Contributor"


KEYS = {key.id: key for key in (GhostKey(""), *(GhostKey(person) for person in PEOPLE))}


def key_of(request: Request, state: State) -> GhostKey:
    """Return the key that signed the request's token. Raise Refusal if the token is invalid."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "ghost" or not token:
        raise refuse(403, "NoPermissionError", message="Authorization failed")
    head, claims, signature = _parts(token)
    kid = head.get("kid")
    if not kid:
        raise refuse(400, "BadRequestError", "MISSING_ADMIN_API_KID", "Admin API kid missing.")
    key = KEYS.get(str(kid))
    if key is None or key.id in state.settings.ghost_keys_removed:
        raise refuse(401, "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY", "Unknown Admin API Key")
    if not key.person and not state.settings.ghost_integrations:
        raise refuse(403, "HostLimitError", message="Custom integrations are not supported on this plan.")
    signed = token.rpartition(".")[0].encode()
    wanted = hmac.digest(bytes.fromhex(key.secret), signed, "sha256")
    if head.get("alg") != "HS256" or not hmac.compare_digest(wanted, signature):
        raise _invalid("invalid signature")
    if not re.fullmatch(r"/?admin/?", str(claims.get("aud"))):
        raise _invalid("jwt audience invalid")
    now, issued, ends = time.time(), claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int) or (ends is not None and not isinstance(ends, int)):
        raise _invalid("iat required when maxAge is specified")
    if now > issued + MAX_SECONDS or (ends is not None and now >= ends):
        raise _invalid("jwt expired")
    return key


def _invalid(reason: str) -> Exception:
    return refuse(401, "UnauthorizedError", "INVALID_JWT", f"Invalid token: {reason}")


def _parts(token: str) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    try:
        head, claims, signature = (base64.urlsafe_b64decode(one + "=" * (-len(one) % 4)) for one in token.split("."))
        parts = json.loads(head), json.loads(claims)
    except (ValueError, binascii.Error) as error:
        raise refuse(400, "BadRequestError", "INVALID_JWT", "Invalid token") from error
    if not all(isinstance(one, dict) for one in parts):
        raise refuse(400, "BadRequestError", "INVALID_JWT", "Invalid token")
    return parts[0], parts[1], signature
