"""A text that is written for the roomiest channel, and fitted to the others."""

from dataclasses import dataclass
from typing import cast
from uuid import uuid4

import pytest

from core.domain.channels import ChannelKind, ChannelLimits, Counting
from core.domain.ids import new_id
from core.domain.posts import variant_for
from core.domain.texts import Ending
from core.models import Account, Post
from core.services.fitting import fitted_texts, hash_of, roomiest

LINK = "https://example.org/a-rather-long-address"
ENDING = Ending(always=("#weaving",), link=LINK)
TEXT = " ".join(f"Sentence number {at} is about weaving." for at in range(40))


@dataclass
class Network:
    limits: ChannelLimits


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> dict[str, ChannelLimits]:
    """By kind, of networks that are not there yet as well."""
    known: dict[str, ChannelLimits] = {}
    monkeypatch.setattr("core.services.fitting.channel", lambda kind: Network(known[kind]))
    return known


def kind(name: str) -> ChannelKind:
    return cast(ChannelKind, name)


def test_each_channel_gets_what_fits_it_and_none_is_cut_for_another(limits: dict[str, ChannelLimits]) -> None:
    limits |= {"wide": ChannelLimits(3000, 1), "tight": ChannelLimits(300, 1), "middle": ChannelLimits(5000, 1)}
    kinds = [kind("wide"), kind("tight"), kind("middle"), kind("tight")]
    assert roomiest(kinds, 1) == 5000
    whole, variants = fitted_texts(TEXT, kinds, 5000, ENDING)
    assert whole == f"{TEXT}\n\n{LINK}\n\n#weaving"
    assert [(variant.channel, variant.account_id) for variant in variants] == [("tight", None)]
    [tight] = variants
    assert 200 < len(tight.content) <= 300
    assert tight.content.endswith(f".\n\n{LINK}\n\n#weaving"), "link and hashtags are whole"
    assert [variant_for(variants, one, uuid4()) for one in kinds] == [None, 0, None, 0]


def test_what_a_network_weighs_is_cut_until_it_fits(limits: dict[str, ChannelLimits]) -> None:
    # each word counts ten
    weighed = ChannelLimits(300, 1, counting=Counting.weighted, weigh=lambda text: 10 * len(text.split()))
    limits["weighed"] = weighed
    _, [variant] = fitted_texts(TEXT, [kind("weighed")], 3000, ENDING)
    assert 100 < weighed.length(variant.content) <= 300


def test_the_same_name_at_another_server_is_another_destination() -> None:
    """Or what was approved for one would go out to the other."""

    def bound(base_url: str) -> str:
        account = Account(id=new_id(), kind=ChannelKind.mastodon, base_url=base_url, external_id="ada")
        return hash_of(Post(content="Hello", variants=[], files=[]), [account])

    assert bound("https://one.example") != bound("https://two.example")
    assert bound("https://one.example") == bound("https://one.example")
