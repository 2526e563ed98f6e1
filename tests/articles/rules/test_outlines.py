"""What a model answers becomes the parts of an article."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.articles.rules.articles import MAX_TITLE, SHOWN_SEO_DESCRIPTION, SHOWN_SEO_TITLE
from core.articles.rules.outlines import (
    LONGEST_HEADING,
    LONGEST_SUMMARY,
    MOST_SECTIONS,
    Outline,
    body_of,
    read_outline,
    read_revision,
    read_search_fields,
    read_summary,
    section_text,
    skeleton_of,
)
from core.texts.rules.markdown import html_of

TOKENS = [*'ab ä#*-1.)\n\n`~"„“:', "Title: ", "## ", "```", "\n## "]
ANSWERS = st.lists(st.sampled_from(TOKENS), max_size=200).map("".join)


@pytest.mark.parametrize(
    "answer",
    [
        "Winter tyres\n\n## When\n## Which",
        "# Winter tyres\n- When\n- Which\n",
        "Title: Winter tyres\n1. When\n2) Which",
        "**Winter tyres**\n\n* **When**\n* Which",
        "```markdown\nTitel: „Winter tyres“\n### When ###\n### Which\n```",
        "Winter tyres\nWhen\nWhich",
    ],
)
def test_title_and_headings_are_read_however_they_are_marked(answer: str) -> None:
    assert read_outline(answer, "Tyres") == Outline("Winter tyres", ("When", "Which"))


def test_an_outline_without_headings_is_a_text_without_headings_and_one_of_nothing_has_the_topic_as_title() -> None:
    assert read_outline("Winter tyres", "Tyres") == Outline("Winter tyres", ("",))
    assert read_outline("\n \n", "Tyres\nin winter") == Outline("Tyres in winter", ("",))


@given(answer=ANSWERS)
def test_an_outline_has_one_section_at_least_none_twice_and_nothing_too_long(answer: str) -> None:
    outline = read_outline(answer, "Tyres")
    assert outline.title.strip()
    assert len(outline.title) <= MAX_TITLE
    assert 1 <= len(outline.headings) <= MOST_SECTIONS
    assert len(set(outline.headings)) == len(outline.headings)
    assert all(len(one) <= LONGEST_HEADING and "\n" not in one for one in outline.headings)


def test_a_section_does_not_repeat_its_heading_and_has_only_headings_below_it() -> None:
    answer = "## When:\n\nBelow seven.\n\n# Why\n\n## And how\n\n```\n# not a heading\n```\n\n#### Deeper"
    assert section_text(answer, "When", 1000) == (
        "Below seven.\n\n### Why\n\n### And how\n\n```\n# not a heading\n```\n\n#### Deeper"
    )


@settings(max_examples=300)
@given(answer=ANSWERS, heading=st.text(max_size=20))
def test_whatever_a_section_says_the_article_has_the_headings_of_its_outline(answer: str, heading: str) -> None:
    said = section_text(answer, heading, 300)
    assert len(said) <= 300 + len("\n```````")
    assert html_of(body_of(["When", "Which"], [said, "Wide ones."])).count("<h2>") == 2


def test_what_is_still_to_come_stands_there_with_its_heading_alone() -> None:
    assert skeleton_of(["When", "Which"], ["Below seven."]) == "## When\n\nBelow seven.\n\n## Which"
    assert skeleton_of([""], []) == ""
    assert body_of([""], ["Just a text."]) == "Just a text."


@given(answer=ANSWERS)
def test_what_lists_and_search_results_show_is_short_and_on_one_line(answer: str) -> None:
    title, description = read_search_fields(answer)
    for text, most in (
        (title, SHOWN_SEO_TITLE),
        (description, SHOWN_SEO_DESCRIPTION),
        (read_summary(answer), LONGEST_SUMMARY),
    ):
        assert len(text) <= most
        assert "\n" not in text


def test_labels_are_not_part_of_what_they_name() -> None:
    assert read_search_fields("Title: Tyres\nDescription: Wide ones.") == ("Tyres", "Wide ones.")
    assert read_summary("Zusammenfassung: Breite\nReifen.") == "Breite Reifen."


def test_a_revision_begins_with_its_title_or_keeps_the_one_that_it_had() -> None:
    assert read_revision("# Tyres\n\nWide ones.", "Old") == ("Tyres", "Wide ones.")
    assert read_revision("Wide ones.\n\n## When", "Old") == ("Old", "Wide ones.\n\n## When")
