"""Orders to a writer for the parts of an article: outline, sections, summary, search texts, and a revision of the whole
article by a remark."""

from dataclasses import replace
from typing import Final

from core.ai import prompts
from core.ai.writers.base import PartOrder, TextOrder, as_data
from core.articles.rules.articles import MAX_BODY, MAX_TITLE, SHOWN_SEO_DESCRIPTION, SHOWN_SEO_TITLE
from core.articles.rules.outlines import LEAST_SECTIONS, LONGEST_SUMMARY, MOST_SECTIONS, Outline, Part, WantedPart
from core.i18n import english_name

LONGEST_ARTICLE: Final = 12_000
"""Characters if the template sets no limit: some 1,800 words."""
LEAST_SECTION: Final = 300
_TOLD: Final = 12_000
"""Limit of characters of the article that a writer is told; of a longer text its end."""


def outline_order(order: TextOrder, *, remark: str = "") -> TextOrder:
    """`order` is the run's order for its text, made from the template."""
    prompt = prompts.WRITE_OUTLINE.format(
        title=MAX_TITLE, least=LEAST_SECTIONS, most=MOST_SECTIONS, language=english_name(order.language)
    )
    most = MAX_TITLE + MOST_SECTIONS * MAX_TITLE
    return _part(order, prompt, "", most, PartOrder(Part.outline), remark)


def section_order(order: TextOrder, outline: Outline, number: int, before: str, *, remark: str = "") -> TextOrder:
    """Return the order for section `number`, from 0; `before` is the text before it."""
    heading = outline.headings[number]
    limit = section_room(order.max_characters, len(outline.headings))
    prompt = prompts.WRITE_SECTION.format(limit=limit, language=english_name(order.language))
    brief = (
        f"\n\nThe article's title: {as_data(outline.title)}\nIts headings: "
        f"{as_data('; '.join(heading for heading in outline.headings if heading) or 'none')}\n"
        f"The section to write: {as_data(heading or outline.title)}\n"
        f"What is written before it: {as_data(before[-_TOLD:]) if before else 'nothing.'}"
    )
    part = PartOrder(Part.section, text=before, heading=heading, number=number)
    return _part(order, prompt, brief, limit, part, remark)


def summary_order(order: TextOrder, title: str, body: str, *, remark: str = "") -> TextOrder:
    prompt = prompts.WRITE_SUMMARY.format(limit=LONGEST_SUMMARY, language=english_name(order.language))
    part = PartOrder(Part.summary, text=body, heading=title)
    return _part(order, prompt, _article(title, body), LONGEST_SUMMARY, part, remark)


def search_order(order: TextOrder, title: str, body: str, *, remark: str = "") -> TextOrder:
    prompt = prompts.WRITE_SEARCH_RESULT.format(
        title=SHOWN_SEO_TITLE, limit=SHOWN_SEO_DESCRIPTION, language=english_name(order.language)
    )
    most = SHOWN_SEO_TITLE + SHOWN_SEO_DESCRIPTION
    return _part(order, prompt, _article(title, body), most, PartOrder(Part.search, body, title), remark)


def revision_order(order: TextOrder, title: str, body: str, *, remark: str) -> TextOrder:
    limit = max(order.max_characters, len(body))
    prompt = prompts.REVISE_ARTICLE.format(limit=limit, language=english_name(order.language))
    part = PartOrder(Part.revision, text=body, heading=title)
    brief = "\n\nThe article: " + as_data(f"# {title}\n\n{body}")
    return _part(order, prompt, brief, limit, part, remark)


def part_order(order: TextOrder, request: WantedPart) -> TextOrder:
    """Return the order for a part of an article that somebody writes by hand."""
    title, text, remark = request.title, request.text, request.remark
    if request.part is Part.outline:
        return outline_order(order, remark=remark)
    if request.part is Part.section:
        return section_order(order, Outline(title, request.headings), request.number, text, remark=remark)
    if request.part is Part.summary:
        return summary_order(order, title, text, remark=remark)
    if request.part is Part.search:
        return search_order(order, title, text, remark=remark)
    return revision_order(order, title, text, remark=remark)


def article_room(limit: int | None) -> int:
    """Return the limit of characters of an article whose template asks for `limit`."""
    return min(limit or LONGEST_ARTICLE, MAX_BODY)


def section_room(room: int, sections: int) -> int:
    """Return the limit of characters of one section."""
    return max(LEAST_SECTION, room // sections)


def _article(title: str, body: str) -> str:
    return f"\n\nThe article's title: {as_data(title)}\nThe article: {as_data(body[:_TOLD])}"


def _part(order: TextOrder, prompt: str, brief: str, limit: int, part: PartOrder, remark: str) -> TextOrder:
    brand, tone = (order.task.brand, order.task.tone) if order.task else (None, "")
    return replace(
        order,
        instructions=prompts.article_instructions(prompt, order.language, brand=brand, tone=tone),
        brief=order.brief + brief + (prompts.REMARK + as_data(remark) if remark else ""),
        max_characters=limit,
        article=part,
    )
