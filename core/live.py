"""What the browsers of a user are told of while it changes."""

from enum import StrEnum


class LiveKind(StrEnum):
    """The sort of thing that has changed."""

    everything = "all"
    """Of any sort: what changed meanwhile was heard by nobody."""
    account = "account"
    assistant = "assistant"
    media = "media"
    notification = "notification"
    post = "post"
    run = "run"
    subscription = "subscription"
    template = "template"
    topic_suggestion = "topic_suggestion"
    topic_tree = "topic_tree"
    tryout = "tryout"
    user = "user"
    website = "website"
