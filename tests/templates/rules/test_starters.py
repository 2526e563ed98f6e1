"""The bundled templates: each one keeps the rules that users' own ones are held to, works with what a run has, and
shows what a run has made of it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from api.schemas.templates import TemplateExportItem
from cli.samples import ARTICLE, Starter, Subject, demo_topics, read_starters, write_sample
from core.ai.writers.base import DEMO_MODEL
from core.ai.writers.demo import DemoWriter
from core.ai.writers.demo_brief import read_brief
from core.ai.writers.demo_phrases import phrases_of
from core.demo.story_files import STORIES
from core.templates.rules.model_settings import image_from_json
from core.templates.rules.templates import Engine, TemplateType, fill, is_reserved, missing_parts, parse
from core.texts.rules.tags import clean_tags

STARTERS = read_starters()
TEXTS = [starter for starter in STARTERS if starter.content["type"] == TemplateType.text]
LANGUAGES = ("de", "en")

CONSTANT = {
    *("Audience", "Company", "How to Apply", "How to Sign Up", "What We Do", "Product", "Practice", "Shop"),
    *("Blog Link", "Reservations", "Our Business", "Organisation", "How to Help"),
    *("Zielgruppe", "Unternehmen", "Bewerbung", "Anmeldung", "Was wir machen", "Produkt", "Kanzlei oder Praxis"),
    *("Laden", "Link zum Blog", "Reservierung", "Unser Betrieb", "Verein", "So hilft man"),
}
"""What stays the same for all posts of an assistant, which gives each variable one value."""

ASKED_LENGTH = re.compile(r"(\d+) (?:to|bis) ([\d.,]+) (?:characters|Zeichen)")
TO_FRIENDS = re.compile(r"(?i)\b(?:du|dir|dich|dein\w*|euch|euer\w*)\b")
TO_STRANGERS = re.compile(r"\b(?:Ihnen|Ihre?[mnrs]?)\b|(?<=\w )Sie\b")

every = pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.file.stem)
every_text = pytest.mark.parametrize("starter", TEXTS, ids=lambda starter: starter.file.stem)


def about(starter: Starter) -> Subject:
    return (starter if starter in TEXTS else starter.texts).subject


def filled(starter: Starter) -> str:
    names = {name: f"<{name}>" for name in parse(starter.content["body"]).variables}
    return fill(starter.content["body"], names)


@every
def test_it_can_be_saved_and_used(starter: Starter) -> None:
    content = starter.content
    assert starter.file.stem == f"{content['language']}-{content['key']}"
    # what the API takes from users
    own = ("key", "sample", "sample_text", "sample_written_by")
    item = TemplateExportItem.model_validate({k: v for k, v in content.items() if k not in own})
    parsed = parse(item.body)
    assert not parsed.errors
    assert not missing_parts(item.body, item.type)
    assert item.name
    assert item.description
    assert 2 <= len(item.tags) <= 5
    assert list(clean_tags(item.tags)) == item.tags == [tag.lower() for tag in item.tags]
    extra = {name for name in parsed.variables if not is_reserved(name)}
    assert len(extra) <= 2
    assert extra <= CONSTANT
    assert set(content["settings"]) == {item.type.value}


def test_there_are_23_of_each_language_and_each_has_its_mirror() -> None:
    kinds = {
        language: {
            starter.content["key"]: (starter.content["type"], starter.content["settings"].get("image"))
            for starter in STARTERS
            if starter.content["language"] == language
        }
        for language in LANGUAGES
    }
    assert [len(kinds[language]) for language in LANGUAGES] == [23, 23]
    assert kinds["de"].keys() == kinds["en"].keys()
    for key, (kind, image) in kinds["de"].items():
        mirror_kind, mirror_image = kinds["en"][key]
        assert kind == mirror_kind
        # the words that style a picture are in its language
        assert {**(image or {}), "style": ""} == {**(mirror_image or {}), "style": ""}
    engines = [image_from_json(image).engine for _, image in kinds["en"].values() if image]
    assert {engine: engines.count(engine) for engine in Engine} == {Engine.card: 3, Engine.ai: 1, Engine.carousel: 2}


def test_german_ones_say_whom_they_address() -> None:
    formal = {True: 0, False: 0}
    for starter in TEXTS:
        if starter.content["language"] == "de":
            said = read_brief(starter.content["body"], "", phrases_of("de")).formal
            assert ("„Sie“" in starter.content["body"]) is said
            assert ("„du“" in starter.content["body"]) is not said
            assert starter.content["name"].endswith("(Sie)") is said or starter.content["key"] == "non-profit"
            formal[said] += 1
    assert formal[True] >= 6


@every_text
def test_it_says_where_facts_come_from_and_what_to_do_without(starter: Starter) -> None:
    german = starter.content["language"] == "de"
    facts = next(
        line for line in starter.content["body"].splitlines() if line.startswith("Fakten:" if german else "Facts:")
    )
    assert ("Notizen" if german else "notes") in facts
    assert re.search(r"Ohne|Was dort fehlt" if german else r"Without|What is not in them", facts)


@every_text
def test_the_demo_writer_knows_its_kind_and_takes_no_order_for_wording(starter: Starter) -> None:
    phrases = phrases_of(starter.content["language"])
    brief = read_brief(filled(starter), "<Topic>", phrases)
    assert brief.kind is phrases.kinds[starter.content["key"]]
    assert not brief.own
    assert not brief.hooks
    # an article is no post, which has hashtags
    assert (brief.tags >= 1) is (starter.content["key"] != ARTICLE)


# its sample


@every
async def test_its_sample_was_made_by_a_run(starter: Starter) -> None:
    """`make samples` makes them anew."""
    if starter.content["sample_written_by"] != DEMO_MODEL:
        pytest.skip("a model wrote it, and would write another")
    made = await write_sample(starter, DemoWriter())
    assert (made.text, made.written_by) == (starter.content["sample_text"], starter.content["sample_written_by"])


@every
def test_its_sample_is_what_it_asks_for(starter: Starter) -> None:
    content = starter.content
    sample: str = content["sample_text"]
    assert sample
    assert "((" not in sample
    assert "[" not in sample
    assert "!" not in sample
    if starter in TEXTS:
        length = ASKED_LENGTH.search(content["body"])
        assert length
        least, most = int(length[1]), int(length[2].replace(",", "").replace(".", ""))
        assert least <= len(sample) <= most <= content["settings"]["text"]["max_characters"]
        for value in content["sample"]["variables"].values():
            assert value in sample or value in ("", *_told_to_the_writer(starter))
    else:
        assert len(sample.splitlines()[0]) <= 160
        told = [line for line in content["body"].splitlines() if len(parse(line).variables) == 0 and len(line) > 20]
        assert not any(line in sample for line in told)


def _told_to_the_writer(starter: Starter) -> Iterator[str]:
    """Values that are not meant to stand in the post word for word."""
    line_of = {name: line for line in starter.content["body"].splitlines() for name in parse(line).variables}
    for name, value in starter.content["sample"]["variables"].items():
        if not re.search(r'(?:[„“"])[^„“”"]*\(\(' + re.escape(name), line_of[name]):
            yield value


@every
@pytest.mark.parametrize("topic", range(3))
async def test_no_post_of_the_demos_topics_breaks_a_rule(starter: Starter, topic: int) -> None:
    content = starter.content
    known = list(demo_topics(content["language"], about(starter).variables))
    subject = known[(STARTERS.index(starter) + topic) % len(known)]
    for told in (subject, replace(subject, notes="")):
        text = (await write_sample(starter, DemoWriter(), told)).text
        assert "((" not in text
        assert "[" not in text
        assert not re.search(r"\{\w+\}", text)
        # a figure that nobody gave is invented
        given = " ".join((told.topic, told.notes, *told.variables.values()))
        assert set(re.findall(r"\d+", re.sub(r"(?m)^\d\. ", "", text))) <= set(re.findall(r"\d+", given))
        if starter in TEXTS and content["language"] == "de":
            own = text.replace(told.topic, "")
            for fact in re.split(r"(?<=[.!?]) ", told.notes):
                own = own.replace(fact, "")
            assert not (TO_FRIENDS if "„Sie“" in content["body"] else TO_STRANGERS).search(own)


def test_a_german_job_ad_is_open_to_all() -> None:
    [ad] = [starter for starter in TEXTS if starter.file.stem == "de-hiring"]
    assert "(m/w/d)" in ad.content["sample_text"].splitlines()[0]
    assert "(m/w/d)" in ad.content["body"]


def test_a_picture_shows_no_recognisable_face() -> None:
    told = {
        starter.content["language"]: starter.content["body"] for starter in STARTERS if "photo" in starter.file.stem
    }
    assert "keine erkennbaren Gesichter" in told["de"]
    assert "no recognisable faces" in told["en"]


# the demo's own


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.language)
async def test_neighbours_of_the_demo_read_differently(story: Any) -> None:
    content = {"type": "text", "body": story.body, "settings": {"text": {}}, "language": story.language, "name": ""}
    topics = list(demo_topics(story.language, {}))
    assert all(topic.notes for topic in topics)
    same_hook = 0
    pairs = 0
    for seed in range(20):
        starter = Starter(STARTERS[0].file, content | {"key": f"{seed}"})
        posts = [
            (await write_sample(starter, DemoWriter(), topic, turn=seed + number)).text
            for number, topic in enumerate(topics)
        ]
        frames = [_frame(post, topic) for post, topic in zip(posts, topics, strict=True)]
        for one, next_one in zip(frames, frames[1:], strict=False):
            pairs += 1
            assert one != next_one
            same_hook += one[0] == next_one[0]
    assert same_hook / pairs < 0.25


def _frame(post: str, topic: Subject) -> tuple[str, ...]:
    """A post without what is its topic's own."""
    for fact in re.split(r"(?<=[.!?]) ", topic.notes):
        post = post.replace(fact, "…")
    plain = re.sub(re.escape(topic.topic), "…", post, flags=re.IGNORECASE)
    return tuple(line for line in plain.splitlines() if line and not line.startswith("#"))
