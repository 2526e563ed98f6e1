"""docs/operating: the index leads to every page, each alert has its section, and links to sections lead somewhere."""

import re
from pathlib import Path

import pytest
import yaml

from core.settings import ROOT
from tests.architecture.test_decisions import DOCUMENTS

GUIDE = ROOT / "docs" / "operating"
_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_SECTION_LINK = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives to the headings."""
    headings = _HEADING.findall(_BLOCK.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_sections(document: Path, text: str) -> list[str]:
    """Return the links of the text to sections that are not there; files that are missing are not its matter."""
    found = []
    for name, anchor in _SECTION_LINK.findall(_BLOCK.sub("", text)):
        target = document.parent / name if name else document
        if re.match(r"[a-z]+:", name) or target.suffix != ".md" or not target.exists():
            continue
        if anchor not in anchors(target.read_text()):
            found.append(f"{name}#{anchor}")
    return found


def test_the_index_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(operating/([\w-]+\.md)\)", GUIDE.with_suffix(".md").read_text()))
    assert linked == {page.name for page in GUIDE.glob("*.md")}


def test_each_alert_has_its_section() -> None:
    rules = yaml.safe_load((ROOT / "docker/monitoring/alerts.yaml").read_text())["groups"][0]["rules"]
    sections = re.findall(r"^## (.+)$", (GUIDE / "alerts.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in rules]
    for rule in rules:
        assert rule["annotations"]["guide"] == f"docs/operating/alerts.md#{rule['alert'].lower()}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.relative_to(ROOT).as_posix())
def test_links_to_sections_lead_somewhere(document: Path) -> None:
    assert dead_sections(document, document.read_text()) == []


def test_a_dead_link_to_a_section_would_be_seen() -> None:
    text = "## What is\n\n[a](#what-is) [b](#what-was) [c](alerts.md#postslate) [d](alerts.md#no) [e](https://h.example/#x)"
    assert dead_sections(GUIDE / "alerts.md", text) == ["#what-is", "#what-was", "alerts.md#no"]
    assert anchors("# SECRET_KEY\n\n## `/readyz`: what, and why\n") == {"secret_key", "readyz-what-and-why"}
