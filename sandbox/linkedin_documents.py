"""Documents of the stand-in for LinkedIn: uploads in one request, their states, and their pages on the board."""

import asyncio
import secrets
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

import pypdfium2
import pypdfium2.raw as pdfium
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from sandbox.cards import image_grid
from sandbox.faults import FaultKind, has_fault
from sandbox.http import Handler, origin
from sandbox.linkedin_images import UPLOAD_SECONDS
from sandbox.linkedin_problems import refuse
from sandbox.linkedin_requests import need_author, read_upload_order, rest_token, token_of
from sandbox.state import Row, State
from sandbox.videos import write

MAX_BYTES, MAX_PAGES = 100_000_000, 300
MAX_TITLE = 58
SHOWN_PAGES = 12
"""Of a document on the board; the whole document is behind its title."""
_PREFIX = "urn:li:document:"
_WIDTH = 440
"""Pixels of a page on the board."""
_ONE_AT_A_TIME = threading.Lock()
"""The library may be used by one thread only."""


@dataclass(frozen=True)
class Document(Row):
    """A document or an initialised upload; `uploaded_at` is None until the bytes are there. Times are epoch seconds.
    `pages`: 0 if it is no PDF that LinkedIn shows."""

    table: ClassVar[str] = "documents"
    id: str
    owner: str
    upload_expires_at: float
    uploaded_at: float | None = None
    size: int = 0
    pages: int = 0
    failed: bool = False

    @property
    def key(self) -> str:
        return self.id

    @property
    def file(self) -> str:
        return f"documents/{self.id}"


def is_document(urn: object) -> bool:
    return isinstance(urn, str) and urn.startswith(_PREFIX)


def urn_of(document: Document) -> str:
    return _PREFIX + document.id


def status_of(state: State, document: Document) -> str:
    if document.uploaded_at is None:
        return "WAITING_UPLOAD"
    if time.time() < document.uploaded_at + state.settings.image_processing_seconds:
        return "PROCESSING"
    return "PROCESSING_FAILED" if document.failed or not document.pages else "AVAILABLE"


async def start_upload(request: Request, state: State) -> Response:
    owner, _ = await read_upload_order(request, state)
    expires_at = time.time() + UPLOAD_SECONDS
    document = Document("D4E10AQ" + secrets.token_hex(8).upper(), owner, expires_at)
    state.save(document)
    value = {
        "uploadUrlExpiresAt": int(expires_at * 1000),
        "uploadUrl": f"{origin(request)}/dms-uploads/documents/{document.id}/0?ca=sandbox",
        "document": urn_of(document),
    }
    return JSONResponse({"value": value})


async def upload(request: Request, state: State) -> Response:
    """Store the whole file. A second upload to the same address spoils the document, as at LinkedIn."""
    token = token_of(request, state)
    document = state.table(Document).get(request.path_params["document_id"])
    if document is None:
        raise refuse(404)
    need_author(token, document.owner)
    if document.upload_expires_at < time.time():
        raise refuse(400, "ILLEGAL_ARGUMENT", "The upload address has expired")
    announced = request.headers.get("content-length", "")
    if not announced.isdecimal() or "transfer-encoding" in request.headers:
        raise refuse(411, "ILLEGAL_ARGUMENT", "The upload needs a Content-Length")
    if int(announced) > MAX_BYTES:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"The document has more than {MAX_BYTES} bytes")
    if request.headers.get("content-type") != "application/pdf":
        raise refuse(400, "ILLEGAL_ARGUMENT", "Content-Type must be application/pdf")
    part = state.path(document).with_suffix(f".{secrets.token_hex(4)}")
    size = await write(part, request.stream())
    part.replace(state.path(document))
    current = state.table(Document)[document.id]
    failed = current.failed or current.uploaded_at is not None or has_fault(request, FaultKind.processing_failed)
    pages = await asyncio.to_thread(_count_pages, state.path(document))
    state.save(replace(current, uploaded_at=time.time(), size=size, pages=pages, failed=failed))
    return Response(status_code=201)


def _count_pages(path: Path) -> int:
    """Return the number of pages of a PDF without a password that has few enough; 0 for anything else."""
    with _ONE_AT_A_TIME:
        try:
            with pypdfium2.PdfDocument(path) as document:
                locked = pdfium.FPDF_GetSecurityHandlerRevision(document) != -1
                return 0 if locked or len(document) > MAX_PAGES else len(document)
        except pypdfium2.PdfiumError:
            return 0


def read_document(request: Request, state: State) -> Response:
    """The state of a page's document; a member's token cannot read that."""
    token = rest_token(request, state)
    document = state.table(Document).get(request.path_params["urn"].removeprefix(_PREFIX))
    if document is None:
        raise refuse(404)
    need_author(token, document.owner, reading=True)
    status = status_of(state, document)
    answer = {"id": urn_of(document), "owner": document.owner, "status": status}
    if status == "AVAILABLE":
        answer["downloadUrl"] = origin(request) + document_path(document.id)
    return JSONResponse(answer)


def usable_document(value: dict[str, Any], author: str, state: State) -> list[str]:
    """Return [id, title] of the document in a post. Raise Refusal if the author cannot use it."""
    urn, title = str(value.get("id")), value.get("title")
    document = state.table(Document).get(urn.removeprefix(_PREFIX))
    if document is None:
        raise refuse(422, "UNPROCESSABLE_ENTITY", f"Document {urn} does not exist")
    if document.owner != author:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Document {urn} is not owned by the author")
    if not isinstance(title, str) or not title.strip():
        missing = "ERROR :: /content/media/title :: field is required but not found and has no default value"
        raise refuse(422, "UNPROCESSABLE_ENTITY", missing)
    if len(title) > MAX_TITLE:
        raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"title is longer than {MAX_TITLE} characters")
    if unknown := set(value) - {"id", "title"}:
        raise refuse(422, "UNPROCESSABLE_ENTITY", f"ERROR :: /content/media/{min(unknown)} :: unrecognized field found")
    match status_of(state, document):
        case "AVAILABLE":
            return [document.id, title]
        case "PROCESSING_FAILED":
            raise refuse(400, "MEDIA_ASSET_PROCESSING_FAILED", f"Document {urn} could not be processed")
        case _:
            raise refuse(400, "MEDIA_ASSET_WAITING_UPLOAD", f"Document {urn} is not ready")


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/rest/documents", start_upload),
    ("GET", "/rest/documents/{urn}", read_document),
    ("PUT", "/dms-uploads/documents/{document_id}/{rest:path}", upload),
)


# on the board


def document_path(document_id: str) -> str:
    return f"/sandbox/documents/{document_id}"


def document_pages(document: Document, title: str) -> str:
    """Return the first pages, and the title with a link to the file."""
    path = document_path(document.id)
    shown = range(1, min(document.pages, SHOWN_PAGES) + 1)
    images: Iterable[tuple[str, str]] = ((f"{path}/{page}", f"{title}, {page}/{document.pages}") for page in shown)
    return f'<p class="document"><a href="{path}">{escape(title)}</a> · PDF · {document.pages}</p>{image_grid(images)}'


def document_as_json(document: Document, title: str, base: str) -> dict[str, Any]:
    url = base + document_path(document.id)
    return {"id": document.id, "title": title, "url": url, "pages": document.pages, "bytes": document.size}


def read_file(state: State, document_id: str) -> Response:
    document = state.table(Document).get(document_id)
    if document is None or document.uploaded_at is None:
        return Response(status_code=404)
    return FileResponse(state.path(document), media_type="application/pdf")


async def read_page(state: State, document_id: str, page: int) -> Response:
    """Return a picture of a page, counted from 1."""
    document = state.table(Document).get(document_id)
    if document is None or not 1 <= page <= document.pages:
        return Response(status_code=404)
    return Response(await asyncio.to_thread(_draw, state.path(document), page - 1), media_type="image/png")


def _draw(path: Path, index: int) -> bytes:
    output = BytesIO()
    with _ONE_AT_A_TIME, pypdfium2.PdfDocument(path) as document:
        page = document[index]
        page.render(scale=_WIDTH / page.get_width(), may_draw_forms=False).to_pil().save(output, "PNG")
    return output.getvalue()
