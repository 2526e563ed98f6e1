"""What room a text has beside the link and the hashtags below it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.assistants.rules.assistants import ImageSource, Mode, TextPer
from core.brands.rules import BrandVoice
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link
from core.posts.fitting import longest_limit
from core.runs.network_rooms import TextPlan, finish_sample, plan_texts
from core.runs.rules.runs import Brief, RunSetup, setup_from_json, setup_to_json
from core.runs.rules.samples import Sample, sample_from_json, sample_to_json
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending, HashtagPolicy, hashtags

UTM = {
    "utm_source": "{network}",
    "utm_medium": "social",
    "utm_campaign": "winter-tyres-autumn-2026-early-birds",
    "utm_content": "assistant-posts",
}
LINK = f"https://spokes.example/{'winter-' * 20}tyres"
TEXT = "Soft rubber grips in the cold. Winter tyres stay soft when the road freezes."
BLUESKY, INSTAGRAM, LINKEDIN = ChannelKind.bluesky, ChannelKind.instagram, ChannelKind.linkedin


def planned(ending: Ending, *kinds: ChannelKind, utm: dict[str, str] = UTM) -> tuple[RunSetup, TextPlan, list[Account]]:
    accounts = [Account(id=new_id(), kind=kind, external_id=kind.value) for kind in kinds]
    setup = RunSetup(
        brief=Brief("Spokes", "en", "UTC", {}, "Tyres"),
        mode=Mode.automatic,
        template_version_id=new_id(),
        image_source=ImageSource.none,
        image_template_version_id=None,
        account_ids=(),
        ending=ending,
        brand=BrandVoice("Spokes", utm=utm),
        text_per=TextPer.network,
        networks=kinds,
    )
    total = longest_limit(accounts, 300)
    return setup, plan_texts(setup, accounts, total=total, longest=3000, most=None), accounts


def test_a_text_keeps_a_fourth_of_the_room_and_the_link_loses_its_parameters() -> None:
    _, plan, accounts = planned(Ending(link=LINK, always=("#Tyres",)), BLUESKY)
    content, variants = plan.fit(TEXT, {}, accounts)
    assert plan.limit >= 75
    assert (content, variants) == (f"{TEXT}\n\n{LINK}\n\n#Tyres", ())


def test_where_that_is_not_enough_the_fixed_hashtags_go_as_well() -> None:
    link = LINK + "/" + "x" * 50
    _, plan, accounts = planned(Ending(link=link, always=("#TyresForTheWinter",)), BLUESKY)
    assert plan.limit >= 75
    assert plan.fit(TEXT, {}, accounts)[0] == f"{TEXT}\n\n{link}"


def test_a_link_that_takes_nearly_all_leaves_a_text_to_write() -> None:
    _, plan, _ = planned(Ending(link=LINK + "/" + "x" * 120), BLUESKY)
    assert plan.limit == 75


@pytest.mark.parametrize("link", ["", "https://spokes.example/x"])
def test_fixed_hashtags_leave_a_fourth_of_the_room_to_the_text(link: str) -> None:
    tags = tuple(f"#TyresForWinterNumber{at}" for at in range(10, 25))
    _, plan, accounts = planned(Ending(link=link, always=tags), LINKEDIN, BLUESKY, utm={})
    own = "\n\n#RubberForTheColdSeason #SpokesGripTheRoad #ColdStreetsInWinter"
    content, (variant,) = plan.fit("", dict.fromkeys((LINKEDIN, BLUESKY), TEXT * 3 + own), accounts)
    assert all(tag in content for tag in tags)
    assert len(variant.content) <= 300
    text, _, row = variant.content.rpartition("\n\n")
    assert text.startswith("Soft rubber grips in the cold.")
    # the first of the fixed ones
    kept = [tag for tag in row.split() if tag in tags]
    assert len(kept) >= 8
    assert tuple(kept) == tags[: len(kept)]
    assert link in text


@pytest.mark.parametrize("kinds", [(LINKEDIN, INSTAGRAM), (INSTAGRAM,)])
def test_a_networks_text_has_at_most_its_hashtags(kinds: tuple[ChannelKind, ...]) -> None:
    tags = tuple(f"#Tyres{at}" for at in range(27))
    setup, plan, accounts = planned(Ending(always=tags), *kinds)
    text = TEXT + "\n\n#Rubber #Spokes #Grip #Road"
    content, variants = plan.fit(text, {}, accounts)
    assert plan.fit("", dict.fromkeys(kinds, text), accounts) == (content, variants)
    texts = dict.fromkeys(kinds, content) | {variant.channel: variant.content for variant in variants}
    assert texts[INSTAGRAM] == TEXT + "\n\n" + " ".join(("#Rubber", "#Spokes", "#Grip", *tags))
    if LINKEDIN in kinds:
        assert len(hashtags(texts[LINKEDIN])) == 31
    sample = Sample(
        setup, datetime(2026, 12, 1, tzinfo=UTC), None, plan.total, networks=plan.networks, totals=plan.totals
    )
    assert finish_sample(sample, "", dict.fromkeys(kinds, text), plan.limit)[1] == texts


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (Ending(HashtagPolicy.none, always=("#Tyres",)), 1),
        (Ending(HashtagPolicy.at_most, 3, ("#Tyres",)), 3),
        (Ending(HashtagPolicy.at_most, 0), 0),
        (Ending(), 30),
    ],
)
def test_a_networks_most_hashtags_add_none_to_those_of_the_policy(ending: Ending, expected: int) -> None:
    _, plan, accounts = planned(ending, INSTAGRAM)
    text = TEXT + "\n\n" + " ".join(f"#Rubber{at}" for at in range(35))
    assert len(hashtags(plan.fit(text, {}, accounts)[0])) == expected


def test_a_network_with_most_hashtags_has_no_variant_of_the_same_text() -> None:
    _, plan, accounts = planned(Ending(always=("#Tyres",)), LINKEDIN, INSTAGRAM)
    assert plan.fit(f"{TEXT} #Rubber", {}, accounts)[1] == ()


def test_only_the_small_network_loses_them() -> None:
    _, plan, accounts = planned(Ending(link=LINK, always=("#Tyres",)), LINKEDIN, BLUESKY)
    content, (variant,) = plan.fit("", {LINKEDIN: TEXT, BLUESKY: TEXT}, accounts)
    assert "utm_source=linkedin" in content
    assert variant.content == f"{TEXT}\n\n{LINK}\n\n#Tyres"


@pytest.mark.parametrize("long", [0, 120])
def test_a_dry_run_shows_what_a_run_would_publish(long: int) -> None:
    setup, plan, accounts = planned(Ending(link=LINK + "x" * long, always=("#Tyres",)), LINKEDIN, BLUESKY)
    sample = Sample(
        setup, datetime(2026, 12, 1, tzinfo=UTC), None, plan.total, networks=plan.networks, totals=plan.totals
    )
    texts = {LINKEDIN: TEXT, BLUESKY: TEXT * 3}
    content, (variant,) = plan.fit("", texts, accounts)
    shown = finish_sample(sample_from_json(sample_to_json(sample)), "", texts, plan.limit)[1]
    assert shown == {LINKEDIN: content, BLUESKY: variant.content}
    assert len(variant.content) <= 300


def test_each_text_of_a_composed_post_leaves_room_for_the_address_below_it() -> None:
    mastodon, threads = ChannelKind.mastodon, ChannelKind.threads
    setup, _, accounts = planned(Ending(), LINKEDIN, threads, mastodon)
    link = Link("https://spokes.example/" + "x" * 77)  # counts 23 at Mastodon

    def totals(*files: FileFacts) -> dict[ChannelKind, int]:
        plan = plan_texts(setup, accounts, total=3000, longest=3000, most=None, link=link, files=files)
        assert {room.kind: room.limit for room in plan.networks} == plan.totals
        return dict(plan.totals)

    assert totals() == {LINKEDIN: 3000, threads: 500, mastodon: 475}
    image = FileFacts(1000, 1000)
    assert totals(image) == {LINKEDIN: 3000, threads: 398, mastodon: 475}
    assert totals(image, image) == {LINKEDIN: 2898, threads: 398, mastodon: 475}


def test_a_sample_of_an_older_release_has_no_totals() -> None:
    setup, plan, _ = planned(Ending(link="https://spokes.example"), BLUESKY)
    sample = Sample(setup, datetime(2026, 12, 1, tzinfo=UTC), None, plan.total, networks=plan.networks)
    stored = sample_to_json(sample)
    del stored["totals"]
    assert sample_from_json(stored) == replace(sample, totals={})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("More: https://spokes.example/x", "More: https://spokes.example/x?a=bluesky"),
        ("See https://spokes.example/x. Now.", "See https://spokes.example/x?a=bluesky. Now."),
        ("See https://spokes.example/x: now", "See https://spokes.example/x?a=bluesky: now"),
        ("See https://spokes.example/xy", "See https://spokes.example/xy\n\nhttps://spokes.example/x?a=bluesky"),
        ("See https://spokes.example/x.pdf", "See https://spokes.example/x.pdf\n\nhttps://spokes.example/x?a=bluesky"),
        ("See https://spokes.example/x:y", "See https://spokes.example/x:y\n\nhttps://spokes.example/x?a=bluesky"),
        ("See https://spokes.example/x@2", "See https://spokes.example/x@2\n\nhttps://spokes.example/x?a=bluesky"),
    ],
)
def test_a_link_that_the_text_names_gets_its_parameters_there(text: str, expected: str) -> None:
    _, plan, accounts = planned(Ending(link="https://spokes.example/x"), BLUESKY, utm={"a": "{network}"})
    assert plan.fit(text, {}, accounts)[0] == expected
    assert plan.fit("", {BLUESKY: text}, accounts)[0] == expected


@pytest.mark.parametrize(
    ("site", "page", "is_own"),
    [
        ("https://spokes.example/shop", "https://www.spokes.example/news", True),
        ("https://www.spokes.example", "https://blog.spokes.example/news", True),
        ("https://blog.spokes.example", "https://spokes.example/news", False),
        ("https://spokes.example", "https://notspokes.example/news", False),
        ("", "https://spokes.example/news", False),
    ],
)
def test_a_topics_page_gets_the_parameters_only_at_a_site_of_our_own(site: str, page: str, is_own: bool) -> None:
    setup, plan, accounts = planned(Ending(link=site).with_topic_link(page), BLUESKY, utm={"a": "{network}"})
    expected = f"{page}?a=bluesky" if is_own else page
    assert plan.fit(f"Read {page}", {}, accounts)[0] == f"Read {expected}"
    # also after the set-up was stored with its run
    again = setup_from_json(setup_to_json(setup))
    plan = plan_texts(again, accounts, total=300, longest=3000, most=None)
    assert plan.fit(TEXT, {}, accounts)[0] == f"{TEXT}\n\n{expected}"
