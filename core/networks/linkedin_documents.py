"""Documents at LinkedIn: a PDF is uploaded in one request, processed, then used in a post.

Readers turn its pages. An upload that breaks off is begun again: what is not in a post is seen by nobody. Sources:
https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api.
"""

from datetime import timedelta
from typing import Final
from urllib.parse import quote, urlsplit

from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.media.rules.media import DOCUMENT_TITLE
from core.networks.connections import Credentials
from core.networks.linkedin_posts import author_of
from core.networks.linkedin_videos import ADDRESS_ENDED, LinkedInCalls
from core.networks.posts import Document
from core.networks.rules.files import DocumentLimits
from core.networks.uploads import streamed, upload_time
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import clip

LIMITS: Final = DocumentLimits(max_bytes=100_000_000, max_pages=300, max_title=DOCUMENT_TITLE)
READY_AGAIN: Final = timedelta(seconds=5)
_PREFIX: Final = "urn:li:document:"
_CONFIRMED: Final = (200, 201)


def is_document(urn: str) -> bool:
    return urn.startswith(_PREFIX)


async def upload_document(calls: LinkedInCalls, to: Credentials, document: Document) -> str:
    """Return the id of the uploaded document, which LinkedIn then processes."""
    assert document.read is not None
    order = {"initializeUploadRequest": {"owner": author_of(to)}}
    response = await calls.rest(to, "POST", "/rest/documents?action=initializeUpload", json=order)
    if response.status_code != 200:
        raise await calls.refused(response, to)
    value = http.fields(response).get("value")
    place = value if isinstance(value, dict) else {}
    url, urn = text_of(place, "uploadUrl"), text_of(place, "document")
    if not (url and is_document(urn)):
        raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    if not calls.is_linkedins(url):
        # the token would be sent there
        raise Refused(ErrorCode.document_refused, detail=clip(f"upload to another host: {urlsplit(url).netloc}"))
    # one request with its length: what is sent in parts overwrites itself
    request = streamed(document.read(), document.size, document.mime)
    request["headers"]["Authorization"] = f"Bearer {to.access_token}"
    put = await calls.put(url, within=upload_time(document.size), **request)
    if put.status_code in ADDRESS_ENDED:
        raise RetrySafe(detail=http.excerpt(put, (to.access_token,)))
    if put.status_code not in _CONFIRMED:
        error: ProviderError = await calls.refused(put, to)
        raise Refused(ErrorCode.document_refused, detail=error.detail) if type(error) is Refused else error
    return urn


async def is_document_ready(calls: LinkedInCalls, to: Credentials, urn: str) -> bool | None:
    """Return whether the document may be used; None: unknown, since a person's token may not read that. Raise Refused
    if LinkedIn cannot process it."""
    response = await calls.rest(to, "GET", f"/rest/documents/{quote(urn, safe='')}")
    if response.status_code in (401, 426, 429):
        raise await calls.refused(response, to)
    if response.is_client_error:
        return None
    # a server's failure is asked again, as a document that is being processed
    status = text_of(http.fields(response), "status") if response.status_code == 200 else ""
    if status == "PROCESSING_FAILED":
        raise Refused(ErrorCode.document_refused, detail=http.excerpt(response, (to.access_token,)))
    return status == "AVAILABLE"
