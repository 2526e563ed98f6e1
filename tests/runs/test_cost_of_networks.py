"""Three networks in one answer cost at most 1.4 times the tokens of one text as soon as there are ten earlier posts,
and without Instagram's long texts from the first post on, measured on the demo's topics."""

import json
from itertools import islice
from typing import Any

import pytest

from cli.samples import NOBODY, SLOT, demo_topics, read_starters
from core.ai.writers.base import TextOrder
from core.ai.writers.network_texts import schema_of
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import CRAFT, NetworkRoom
from core.runs.rules.runs import Brief
from core.runs.text_orders import LONGEST_TEXT, text_order_of_run
from core.templates.rules.model_settings import text_from_json

MOST = 1.4
WITH_SHORT_TEXTS = (ChannelKind.threads, ChannelKind.mastodon, ChannelKind.bluesky)
EARLIER = [
    f"Opening {number} has some words of its own, as many as openings have.\n\nThen it goes on.\n\nClosing {number} "
    "asks for something that a reader can do this week."
    for number in range(10)
]
"""Texts of ten earlier posts."""


def tokens(text: str) -> int:
    return len(text) // 4


def answer_to(order: TextOrder) -> str:
    """An answer with texts of the usual length of each network."""
    texts = {room.kind.value: "word " * (sum(CRAFT[room.kind].length) // 10) for room in order.networks}
    return json.dumps(texts) if order.several else next(iter(texts.values()))


def cost(order: TextOrder) -> int:
    form = json.dumps(schema_of(order.networks)) if order.several else ""
    return tokens(order.instructions + order.brief + form) + tokens(answer_to(order))


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("third", "latest"),
    [
        (ChannelKind.instagram, EARLIER),
        *((kind, latest) for kind in WITH_SHORT_TEXTS for latest in (EARLIER, [])),
    ],
)
def test_three_networks_cost_little_more_than_one(language: str, third: ChannelKind, latest: list[str]) -> None:
    kinds = (ChannelKind.linkedin, ChannelKind.facebook, third)
    compared = 0
    for starter in read_starters():
        content = starter.content
        if content["type"] != "text" or content["language"] != language:
            continue
        for subject in islice(demo_topics(language, starter.subject.variables, content["key"]), 3):
            brief = Brief(
                name="Shop",
                language=language,
                time_zone="Europe/Berlin",
                variables=subject.variables,
                topic=subject.topic,
                topic_path=subject.path,
                topic_notes=subject.notes,
            )

            def order(*kinds: ChannelKind, content: dict[str, Any] = content, brief: Brief = brief) -> TextOrder:
                return text_order_of_run(
                    content["body"],
                    text_from_json(content["settings"]["text"]),
                    brief,
                    slot=SLOT,
                    limit=LONGEST_TEXT,
                    user_id=NOBODY,
                    seed="a run",
                    networks=[NetworkRoom(kind, 3000) for kind in kinds],
                    latest=latest,
                )

            assert cost(order(*kinds)) <= MOST * cost(order(kinds[0])), (content["key"], subject.topic)
            compared += 1
    assert compared > 30
