"""Which PDFs are let in, and what is known of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import ErrorCode, InvalidInput
from core.media import pdf_pages
from core.media.programs import run_program
from core.media.rules.media import DocumentFacts, MediaKind, kind_of
from core.media.uploads import CleanedUpload, Decoder
from tests.documents import A4, a_pdf, locked_pdf
from tests.pictures import HTML, MP4, PDF, jpeg, opened, png


async def checked(folder: Path, data: bytes) -> CleanedUpload:
    file = folder / "original"
    file.write_bytes(data)
    return await Decoder().check(file, MediaKind.document)


async def test_a_document_is_kept_as_it_is(tmp_path: Path) -> None:
    found = await checked(tmp_path, a_pdf(3))
    assert (found.file, found.data) == (tmp_path / "original", b"")
    assert (found.kind, found.mime, found.facts) == (MediaKind.document, "application/pdf", DocumentFacts(3))
    assert (found.width, found.height, found.page_sizes_differ) == (*A4, False)
    small = opened(found.thumbnail)
    assert (small.format, max(small.size)) == ("WEBP", 480)
    assert small.convert("RGB").getpixel((100, 470)) != small.convert("RGB").getpixel((100, 10))  # it is not blank


async def test_pages_of_several_sizes_are_told(tmp_path: Path) -> None:
    found = await checked(tmp_path, a_pdf(3, sizes=(A4, (842, 595))))
    assert (found.width, found.height, found.page_sizes_differ) == (*A4, True)
    assert not (await checked(tmp_path, a_pdf(2, sizes=(A4, (595.2, 841.9))))).page_sizes_differ


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (locked_pdf(user="rain", owner="sun"), ErrorCode.document_locked),
        (locked_pdf(user="", owner="sun"), ErrorCode.document_locked),
        (PDF, ErrorCode.document_unreadable),
        (b"%PDF-1.7\n", ErrorCode.document_unreadable),
        (b"%PDF-1.7\n" + HTML, ErrorCode.document_unreadable),
        (a_pdf()[:300], ErrorCode.document_unreadable),
        (a_pdf(0), ErrorCode.document_unreadable),
        (a_pdf(301), ErrorCode.document_too_long),
        (a_pdf(1, sizes=((14_000, 2),)), ErrorCode.document_unreadable),
        (a_pdf(1, sizes=((20_000, 20_000),)), ErrorCode.document_unreadable),
    ],
    ids=["password", "restricted", "rest", "empty", "page", "cut", "no page", "long", "line", "huge"],
)
async def test_what_networks_cannot_show_is_refused(tmp_path: Path, data: bytes, code: ErrorCode) -> None:
    with pytest.raises(InvalidInput) as raised:
        await checked(tmp_path, data)
    assert raised.value.code is code
    if code is ErrorCode.document_too_long:
        assert raised.value.params == {"found": 301, "limit": 300}


async def test_a_page_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "document"
    file.write_bytes(a_pdf(2, sizes=(A4, (842, 595))))
    first, second = [opened(await Decoder().draw_page(file, page)) for page in (1, 2)]
    assert (first.size[1], second.size[0]) == (1200, 1200)
    for page in (0, 3):
        with pytest.raises(InvalidInput):
            await Decoder().draw_page(file, page)


def test_a_page_gets_little_processor_time(tmp_path: Path) -> None:
    """Anybody who has its address may ask for it."""
    (tmp_path / "file").write_bytes(a_pdf())
    drawn = f"""
import resource, runpy, sys
sys.argv = ["pdf_pages.py", "draw", {str(tmp_path / "file")!r}, "1", {str(tmp_path / "page.webp")!r}]
runpy.run_path({pdf_pages.__file__!r}, run_name="__main__")
print(resource.getrlimit(resource.RLIMIT_CPU)[0])
"""
    ended = subprocess.run([sys.executable, "-P", "-c", drawn], capture_output=True, text=True, check=True)
    assert ended.stdout == "{}10\n"


async def test_the_program_gets_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://a-secret")
    program = tmp_path / "program.py"
    program.write_text("import json, os, sys; json.dump(dict(os.environ), sys.stdout)")
    assert "DATABASE_URL" in os.environ
    assert set(await run_program(program) or {}) <= {"LC_ALL", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


async def test_a_program_that_ends_itself_has_no_answer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys; sys.exit('it broke')")
    assert await run_program(program) is None
    assert "it broke" in caplog.text


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (a_pdf(), MediaKind.document),
        (MP4, MediaKind.video),
        (jpeg(), MediaKind.image),
        (png(), MediaKind.image),
        (b" " + a_pdf(), MediaKind.image),
        (b"", MediaKind.image),
    ],
)
def test_the_kind_of_a_file_is_what_it_begins_like(data: bytes, kind: MediaKind) -> None:
    assert kind_of(data[:64]) is kind
