"""For which networks a post is written, how long its text may be on each, and what ends it there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.assistants.rules.assistants import TextPer
from core.brands.links import with_utm
from core.brands.rules import BrandVoice
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link
from core.posts.fitting import fit_each, fit_texts, shortest_limit
from core.posts.rules.posts import Variant
from core.runs.rules.runs import RunSetup
from core.runs.rules.samples import Sample
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending, finished, replace_link, room_for

_LEAST_SHARE = 0.25
"""A text is written for at least this share of its characters, however long its ending is."""


@dataclass(frozen=True)
class TextPlan:
    """How a post's texts are written and ended."""

    networks: tuple[NetworkRoom, ...]
    """In display order, each with its room without the ending. Empty without accounts."""
    shared: bool
    """One text for all networks."""
    totals: Mapping[ChannelKind, int]
    """The most characters on each network, with the ending, and without the address of a link below it."""
    total: int
    """Characters of the one text for all networks, with its ending."""
    limit: int
    """As `total`, without the ending."""
    endings: Mapping[ChannelKind, Ending]
    """By network: links differ where the brand's parameters name the network."""
    ending: Ending
    """Of the one text for all networks."""

    def fit(
        self,
        text: str,
        texts: Mapping[ChannelKind, str],
        accounts: Sequence[Account],
        *,
        link: Link | None = None,
        images: int = 0,
    ) -> tuple[str, tuple[Variant, ...]]:
        """Return a post's text and variants, made of one `text` or of `texts` for each network. `link`, `images`: as of
        `fit_texts`."""
        if texts:
            return fit_each(texts, accounts, self.endings, link=link, images=images)
        return fit_texts(
            text, accounts, self.total, self.ending, self.limit, link=link, images=images, endings=self.endings
        )


def plan_texts(
    setup: RunSetup,
    accounts: Sequence[Account],
    *,
    total: int,
    longest: int,
    most: int | None,
    one_for_all: bool = False,
    link: Link | None = None,
    files: Sequence[FileFacts] = (),
) -> TextPlan:
    """Return the plan for the run's texts. `total`: the widest limit of the accounts; `longest`: the most characters of
    a network's own text unless the template sets another limit (`most`); `one_for_all`: the writer writes no text for
    each network; `link`: of a post with these `files`, for which each network's own text leaves room."""
    kinds = network_kinds(account.kind for account in accounts)
    totals = {
        kind: shortest_limit([account for account in accounts if account.kind == kind], total, link, files)
        for kind in kinds
    }
    endings = {kind: ending_on(kind, setup.ending, setup.brand, totals[kind]) for kind in kinds}
    ending = next(iter(endings.values()), setup.ending)
    shared = one_for_all or setup.text_per is TextPer.post or len(setup.networks) < 2 or not kinds
    rooms = []
    for kind in kinds:
        room = _room_above([endings[kind]], totals[kind])
        rooms.append(NetworkRoom(kind, room if shared else min(room, most or longest)))
    limit = _room_above(endings.values() or (ending,), total)
    return TextPlan(tuple(rooms), shared, totals, total, min(limit, most or limit), endings, ending)


def _room_above(endings: Iterable[Ending], total: int) -> int:
    """Return the characters that a text may have above each of these endings."""
    return max(total - max(map(room_for, endings)), int(total * _LEAST_SHARE))


def room_of_sample(sample: Sample) -> int:
    """Return the characters that the one text of a sample may have above its endings."""
    return _room_above(_endings_of(sample).values() or (sample.setup.ending,), sample.limit)


def network_kinds(kinds: Iterable[ChannelKind | str]) -> tuple[ChannelKind, ...]:
    """Return the social networks among them, in display order."""
    found = set(map(ChannelKind, kinds))
    return tuple(kind for kind in NETWORKS if kind in found)


def ending_on(kind: ChannelKind, ending: Ending, brand: BrandVoice | None, total: int) -> Ending:
    """Return the ending of a network's text: its link has the brand's parameters, unless it leads to others. Where it
    would leave less than the least share of the network's characters (`total`), it loses first the parameters, then as
    many of the last fixed hashtags as it takes. It has no more hashtags than the network takes."""
    if (most_hashtags := channel(kind).limits.max_hashtags) is not None:
        ending = ending.with_most_hashtags(most_hashtags)
    most = total - int(total * _LEAST_SHARE)
    complete = replace(ending, link=_link_on(kind, ending, brand))
    if complete.link != ending.link:
        complete = replace(complete, bare_link=ending.link)
    fewer = (replace(ending, always=ending.always[:count]) for count in range(len(ending.always), -1, -1))
    choices = (complete, *fewer)
    return next((choice for choice in choices if room_for(choice) <= most), choices[-1])


def without_parameters(text: str, setup: RunSetup) -> str:
    """Return the text with its link as the writer knows it, whichever network's parameters it has."""
    for kind in NETWORKS:
        link = _link_on(kind, setup.ending, setup.brand)
        if link != setup.ending.link:
            text = replace_link(text, link, setup.ending.link)
    return text


def _link_on(kind: ChannelKind, ending: Ending, brand: BrandVoice | None) -> str:
    return with_utm(ending.link, brand.utm if brand and ending.is_own else {}, kind.value)


def finish_sample(
    sample: Sample, text: str, texts: Mapping[ChannelKind, str], most: int
) -> tuple[str, dict[ChannelKind, str]]:
    """Return the one text of a sample, or the first of its `texts`, and the text of each network, all with their
    endings. `most`: characters of the one text itself."""
    endings = _endings_of(sample)
    if not texts:
        return finished(text, sample.limit, next(iter(endings.values()), sample.setup.ending), most), {}
    of_networks = {}
    for room in sample.networks:
        ending = endings[room.kind]
        limit = room.limit + room_for(ending)
        of_networks[room.kind] = finished(texts[room.kind], min(limit, sample.totals.get(room.kind, limit)), ending)
    return next(iter(of_networks.values())), of_networks


def _endings_of(sample: Sample) -> dict[ChannelKind, Ending]:
    setup, totals = sample.setup, sample.totals
    return {
        room.kind: ending_on(room.kind, setup.ending, setup.brand, totals.get(room.kind, sample.limit))
        for room in sample.networks
    }
