"""The bundled templates: each one keeps the rules that users' own ones are held to."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.schemas.templates import TemplateExportItem
from core.domain.tags import clean_tags
from core.domain.templates import TemplateType, is_reserved, needs, parse
from core.services.marketplace import STARTERS

FILES = sorted(STARTERS.glob("*.json"))


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_can_be_saved_and_used(path: Path) -> None:
    content = read(path)
    assert path.stem == f"{content['language']}-{content['key']}"
    # what the API takes from users
    item = TemplateExportItem.model_validate({k: v for k, v in content.items() if k not in ("key", "sample_text")})
    parsed = parse(item.body)
    assert not parsed.errors
    assert not needs(item.body, item.type)
    assert item.name
    assert item.description
    assert 2 <= len(item.tags) <= 5
    assert list(clean_tags(item.tags)) == item.tags == [tag.lower() for tag in item.tags]
    # an assistant has to be given a value for each of these
    assert len([name for name in parsed.variables if not is_reserved(name)]) <= 2
    assert set(content["settings"]) == {item.type.value}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_sample_is_what_it_asks_for(path: Path) -> None:
    content = read(path)
    sample = content["sample_text"]
    assert "((" not in sample
    assert "!" not in sample
    if content["type"] == "text":
        assert 300 <= len(sample) <= content["settings"]["text"]["max_characters"]
    else:
        assert len(sample.splitlines()[0]) <= 80


def test_there_are_ten_of_each_language_and_both_kinds() -> None:
    found = [read(path) for path in FILES]
    assert sorted(one["language"] for one in found) == ["de"] * 10 + ["en"] * 10
    for language in ("de", "en"):
        kinds = [one["type"] for one in found if one["language"] == language]
        assert kinds.count(TemplateType.image) >= 3
    layouts = {one["settings"].get("image", {}).get("card", {}).get("layout") for one in found}
    assert layouts >= {"number", "quote", "steps", "event"}
