"""The calls of the Threads API that faults can hit. Its errors are those of Meta's Graph API."""

import re

from sandbox.faults import FaultyApi, Target
from sandbox.graph_problems import answer_of, refuse
from sandbox.http import Refusal

_TOKENS = "/threads/(oauth/access_token|access_token|refresh_access_token)"
_VERSION = r"/threads/v1\.0"
_CONTAINERS = re.compile(_VERSION + r"/\d+/threads")


def refuse_unseen(number: str) -> Refusal:
    """Return the error for a container or post that is missing, or too new to be seen."""
    return refuse(24, 4279009, f"The requested resource does not exist: {number}")


API = FaultyApi(
    prefixes=("/threads/v", "/threads/oauth/access_token", "/threads/access_token", "/threads/refresh_access_token"),
    paths=re.compile(f"{_VERSION}/.+|{_TOKENS}"),
    targets=(
        (Target.posts, "POST", re.compile(_VERSION + r"/\d+/threads_publish")),
        (Target.deletes, "DELETE", re.compile(_VERSION + r"/\d+")),
        (Target.images, "POST", _CONTAINERS),
        (Target.upload, "POST", _CONTAINERS),
        (Target.drafts, "POST", _CONTAINERS),
        (Target.quota, "GET", re.compile(_VERSION + r"/\d+/threads_publishing_limit")),
        (Target.token, None, re.compile(_TOKENS)),
        (Target.userinfo, "GET", re.compile(_VERSION + "/me")),
        (Target.reads, "GET", re.compile(_VERSION + r"/\d+(/threads)?")),
    ),
    answer=answer_of,
)
