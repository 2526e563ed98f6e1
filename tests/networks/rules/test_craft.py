"""Each network has its craft, and one text for several networks keeps within what each of them takes."""

from hypothesis import given
from hypothesis import strategies as st

from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import CRAFT, craft_of_all


def test_each_network_has_its_craft_within_what_it_accepts() -> None:
    assert set(CRAFT) == set(ChannelKind)
    for kind, craft in CRAFT.items():
        limits = channel(kind).limits
        assert 0 < craft.length[0] < craft.length[1] <= limits.max_characters, kind
        assert craft.fold is None or craft.fold < craft.length[1], kind
        assert 0 <= craft.hashtags[0] <= craft.hashtags[1], kind
        assert limits.max_hashtags is None or craft.hashtags[1] <= limits.max_hashtags, kind


@given(kinds=st.lists(st.sampled_from(ChannelKind), min_size=1, unique=True))
def test_one_text_for_several_networks_keeps_within_each(kinds: list[ChannelKind]) -> None:
    all_of_them = craft_of_all(kinds)
    for craft in (CRAFT[kind] for kind in kinds):
        assert all_of_them.hashtags[0] <= craft.hashtags[0]
        assert all_of_them.hashtags[1] <= craft.hashtags[1]
        assert all_of_them.emoji <= craft.emoji
        assert all_of_them.length[1] <= craft.length[1]
        assert craft.fold is None or (all_of_them.fold is not None and all_of_them.fold <= craft.fold)
    if len(kinds) == 1:
        assert all_of_them == CRAFT[kinds[0]]
