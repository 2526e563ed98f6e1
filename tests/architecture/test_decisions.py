"""docs/decisions: each page follows one template, README.md lists all pages, and links in documents lead somewhere."""

import re
from datetime import date
from pathlib import Path

import pytest

from core.settings import ROOT

FOLDER = ROOT / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
DOCUMENTS = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG")),
]
PARTS = ["Context", "Decision", "Consequences", "Alternatives"]

_FILE = re.compile(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")
_TITLE = re.compile(r"# (\d+)\. (\S.*)")
_STATUS = re.compile(
    r"Status: (?:accepted|(?:partly )?superseded by \[decision \d+\]\([\w.-]+\).*?), (\d{4}-\d{2}-\d{2})\b"
)
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\| \[\d+\]\(.+\|$", re.MULTILINE)


def status(page: Path) -> str:
    """Return the paragraph below the title as one line."""
    return " ".join(page.read_text().split("\n\n")[1].split())


def row(page: Path) -> str:
    """Return the page's row in README.md."""
    title = _TITLE.match(page.read_text())
    assert title is not None, f"{page.name} does not begin with '# N. Title'"
    number, topic = title.groups()
    said = status(page)
    if said.startswith("Status: superseded"):
        word = "superseded"
    else:
        word = "partly superseded" if "partly superseded by" in said else "accepted"
    return f"| [{number}]({page.name}) | {topic} | {word} |"


def links(text: str) -> list[str]:
    """Return the files that relative links name."""
    found = [link.partition("#")[0] for link in _LINK.findall(_CODE.sub("", text))]
    return [link for link in found if link and not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_follows_the_template(page: Path) -> None:
    text = page.read_text()
    name, title, dated = _FILE.fullmatch(page.name), _TITLE.match(text), _STATUS.match(status(page))
    assert name is not None, "the file is not named NNNN-topic.md"
    assert title is not None, "the page does not begin with '# N. Title'"
    assert int(title[1]) == int(name[1])
    assert dated is not None, f"not a status with its date: {status(page)}"
    assert date.fromisoformat(dated[1])
    parts = re.split(r"^## (.+)\n", _CODE.sub("", text), flags=re.MULTILINE)[1:]
    assert parts[::2] == PARTS
    assert all(part.strip() for part in parts[1::2])


def test_no_number_is_used_twice() -> None:
    assert len(PAGES) > 100
    assert len({page.name[:4] for page in PAGES}) == len(PAGES)


def test_the_table_lists_every_page() -> None:
    assert _ROW.findall((FOLDER / "README.md").read_text()) == [row(page) for page in PAGES]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.relative_to(ROOT).as_posix())
def test_relative_links_lead_to_files(document: Path) -> None:
    assert [link for link in links(document.read_text()) if not (document.parent / link).exists()] == []


def test_a_dead_link_would_be_seen() -> None:
    assert links("[a](b.md#c), ![d](e/f.png), [g](https://h.example), [i](#j), `[k](l.md)`") == ["b.md", "e/f.png"]
