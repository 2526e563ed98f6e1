"""What the search over everything of a user finds."""

from enum import StrEnum


class SearchKind(StrEnum):
    assistant = "assistant"
    template = "template"
    topic_tree = "topic_tree"
    post = "post"
    image = "image"
