"""The kinds of changes about which a user's browsers are notified."""

from enum import StrEnum


class LiveKind(StrEnum):
    """What has changed."""

    everything = "all"
    """Any kind: changes may have been missed while nobody listened."""
    account = "account"
    assistant = "assistant"
    brand = "brand"
    media = "media"
    notification = "notification"
    post = "post"
    run = "run"
    subscription = "subscription"
    template = "template"
    topic_feed = "topic_feed"
    topic_suggestion = "topic_suggestion"
    topic_tree = "topic_tree"
    tryout = "tryout"
    user = "user"
    website = "website"
