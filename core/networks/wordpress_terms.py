"""Categories and tags of a WordPress site."""

import html
from typing import Final

import httpx2

from core.errors import ErrorCode, Refused
from core.networks.connections import Credentials
from core.networks.posts import Article
from core.networks.wordpress_rest import Rest, code_of, failure_of, id_of, rows_of
from core.outgoing import http
from core.outgoing.http import text_of
from core.websites.rules.terms import MAX_NAME, Category, Taxonomy

_TAGS: Final = "/wp/v2/tags"
_CATEGORIES: Final = "/wp/v2/categories"
_MOST_PAGES: Final = 20
"""Maximum pages of 100 categories each."""


async def read_terms(rest: Rest, to: Credentials) -> Taxonomy:
    """Return all categories of the site and its most used tags."""
    categories: list[Category] = []
    for page in range(1, _MOST_PAGES + 1):
        query = {"per_page": "100", "page": str(page), "_fields": "id,name,parent"}
        answer = await rest.ask(to, "GET", _CATEGORIES, query=query)
        rows = rows_of(answer, to)
        categories += [
            Category(category_id, html.unescape(text_of(row, "name"))[:MAX_NAME], id_of({"id": row.get("parent")}))
            for row in rows
            if (category_id := id_of(row))
        ]
        pages = http.whole_number(answer.headers.get("x-wp-totalpages", ""))
        if not rows or pages is None or page >= pages:
            break
    query = {"per_page": "100", "orderby": "count", "order": "desc", "_fields": "id,name"}
    answer = await rest.ask(to, "GET", _TAGS, query=query)
    rows = rows_of(answer, to)
    names = (html.unescape(text_of(row, "name")).strip()[:MAX_NAME] for row in rows)
    return Taxonomy(tuple(categories), tuple(name for name in names if name))


async def tag_id(rest: Rest, to: Credentials, name: str) -> int:
    """Return the id of the tag with this name; create it if missing."""
    query = {"search": name, "per_page": "100", "_fields": "id,name"}
    answer = await rest.ask(to, "GET", _TAGS, query=query)
    for row in rows_of(answer, to):
        if html.unescape(text_of(row, "name")).casefold() == name.casefold() and (existing_id := id_of(row)):
            return int(existing_id)
    answer = await rest.ask(to, "POST", _TAGS, query={"_fields": "id"}, json={"name": name})
    if answer.is_success and (new_id := id_of(http.fields(answer))):
        return int(new_id)
    details = http.fields(answer).get("data")
    if (
        code_of(answer) == "term_exists"
        and isinstance(details, dict)
        and (duplicate_id := id_of({"id": details.get("term_id")}))
    ):
        return int(duplicate_id)
    raise failure_of(answer, to)


def require_categories(article: Article, answer: httpx2.Response) -> None:
    """Raise Refused for the first missing category: sites ignore unknown ones silently."""
    saved = http.fields(answer).get("categories")
    missing = [category for category in article.categories if isinstance(saved, list) and int(category) not in saved]
    if missing:
        raise Refused(ErrorCode.category_gone, detail=f"there is no category {missing[0]}")
