"""The kinds of search results."""

from enum import StrEnum


class SearchKind(StrEnum):
    assistant = "assistant"
    template = "template"
    topic_tree = "topic_tree"
    post = "post"
    image = "image"
