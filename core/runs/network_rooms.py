"""For which networks a post is written, how long its text may be on each, and what ends it there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.assistants.rules.assistants import TextPer
from core.brands.links import with_utm
from core.brands.rules import BrandVoice
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.networks.rules.links import Link
from core.posts.fitting import fit_each, fit_texts, limits_of_account
from core.posts.rules.posts import Variant
from core.runs.rules.runs import RunSetup
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending, room_for

_LEAST_SHARE = 4
"""A text keeps at least this part of its network's characters, however long its ending is: one fourth."""


@dataclass(frozen=True)
class TextPlan:
    """How a post's texts are written and ended."""

    networks: tuple[NetworkRoom, ...]
    """In display order. Empty without accounts."""
    shared: bool
    """One text for all networks."""
    limit: int
    """Characters of the text that all networks share, without its ending."""
    endings: Mapping[ChannelKind, Ending]
    """By network: links differ where the brand's parameters name the network."""
    ending: Ending
    """Of the text that all networks share."""

    @property
    def kinds(self) -> tuple[ChannelKind, ...]:
        """The networks that have a text of their own, in display order; empty for one text."""
        return () if self.shared else tuple(room.kind for room in self.networks)

    def fit(
        self,
        text: str,
        texts: Mapping[ChannelKind, str],
        accounts: Sequence[Account],
        *,
        link: Link | None = None,
        images: int = 0,
    ) -> tuple[str, tuple[Variant, ...]]:
        """Return a post's text and variants, of one `text` or of `texts` for each network; `link` and `images` as of
        `fit_texts`."""
        if texts:
            return fit_each(texts, accounts, self.endings, link=link, images=images)
        total = self.limit + room_for(self.ending)
        return fit_texts(
            text, accounts, total, self.ending, self.limit, link=link, images=images, endings=self.endings
        )


def network_kinds(accounts: Iterable[Account]) -> tuple[ChannelKind, ...]:
    """Return the social networks of the accounts, in display order."""
    kinds = {ChannelKind(account.kind) for account in accounts}
    return tuple(kind for kind in NETWORKS if kind in kinds)


def plan_texts(
    setup: RunSetup, accounts: Sequence[Account], *, limit: int, longest: int, most: int | None, one_for_all: bool
) -> TextPlan:
    """Return the plan for the run's texts. `limit`: the widest of the accounts' limits; `longest`: the most characters
    of a network's own text unless the template sets another limit (`most`); `one_for_all`: the writer writes no text
    for each network."""
    endings = {kind: ending_on(setup.ending, setup.brand, kind) for kind in network_kinds(accounts)}
    ending = next(iter(endings.values()), ending_on(setup.ending, setup.brand, None))
    shared = one_for_all or setup.text_per is TextPer.post or len(setup.networks) < 2 or not endings
    rooms = []
    for kind, own in endings.items():
        room = min(limits_of_account(account).max_characters for account in accounts if account.kind == kind)
        if not shared:
            room = min(room, most or longest)
        rooms.append(NetworkRoom(kind, max(room - room_for(own), room // _LEAST_SHARE)))
    needed = max(map(room_for, endings.values()), default=room_for(ending))
    shared_limit = min(limit - needed, most or limit)
    return TextPlan(tuple(rooms), shared, shared_limit, endings, ending)


def ending_on(ending: Ending, brand: BrandVoice | None, kind: ChannelKind | None) -> Ending:
    """Return the ending with the brand's parameters in its link. Without a network, the link stays as it is."""
    if brand is None or kind is None or not ending.link:
        return ending
    return replace(ending, link=with_utm(ending.link, brand.utm, kind.value))
