import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ErrorCode, InvalidInput
from core.texts.rules.tags import MAX_TAG, MAX_TAGS, checked_tags, clean_tags


def test_tags_stay_as_they_were_typed() -> None:
    assert clean_tags(["  Rad ", "rad", "Lasten  rad", "", " ", "RAD", "Straße", "STRASSE"]) == (
        "Rad",
        "Lasten rad",
        "Straße",
    )


def test_a_tag_is_the_same_however_its_letters_are_put_together() -> None:
    assert clean_tags(["Ko\u0308ln", "Köln"]) == ("Köln",)


@given(st.lists(st.text(max_size=60) | st.text("aA bß\0", max_size=60), max_size=40))
def test_any_tags_become_few_short_ones_without_doubles(tags: list[str]) -> None:
    clean = clean_tags(tags)
    assert len(clean) <= MAX_TAGS
    assert all(tag and len(tag) <= MAX_TAG and tag == tag.strip() and "\0" not in tag for tag in clean)
    assert len({tag.casefold() for tag in clean}) == len(clean)
    assert clean_tags(clean) == clean


def test_somebody_who_can_be_told_is_told_of_a_long_tag() -> None:
    assert checked_tags([f"  {'x' * MAX_TAG} ", "y  z"]) == ("x" * MAX_TAG, "y z")
    with pytest.raises(InvalidInput) as raised:
        checked_tags(["Rad", "x" * (MAX_TAG + 1), "y" * 60])
    assert [(found.field, found.code, found.params) for found in raised.value.errors] == [
        ("tags.1", ErrorCode.content_too_long, {"length": MAX_TAG + 1, "limit": MAX_TAG}),
        ("tags.2", ErrorCode.content_too_long, {"length": 60, "limit": MAX_TAG}),
    ]


def test_what_a_database_cannot_keep_goes() -> None:
    assert checked_tags(["R\0ad"]) == ("Rad",)
