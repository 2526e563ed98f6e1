"""Connecting a site by a page of its own: its user says yes there, and the browser brings back a password."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, UUID, uuid5

from core.crypto import new_token
from core.errors import ErrorCode, FieldError, InvalidInput, NotFound
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.social_accounts.connecting import AuthorizationRequest, ConnectingService, ConnectResult, translate_refusals

_MAX_TYPED: Final = 200


@dataclass(frozen=True)
class CallbackParameters:
    """What the callback's address held."""

    site: str
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class SitePasswords:
    connecting: ConnectingService

    def is_offered(self, kind: ChannelKind) -> bool | None:
        """Whether sites of that kind send browsers back to here; None: they have no such page."""
        site = channel(kind)
        return site.sends_back_to(self._back(kind)) if supports(site, BaseChannel.password_page) else None

    async def start(self, user_id: UUID, kind: ChannelKind, typed: str, language: str) -> AuthorizationRequest:
        """The way to the page of the site that somebody means. Raises NotFound for a kind without one, InvalidInput at
        `fields.site`."""
        site = self._site(kind)
        if not typed.strip() or len(typed) > _MAX_TYPED:
            with_field = ErrorCode.field_too_long if typed.strip() else ErrorCode.field_required
            raise InvalidInput(errors=[FieldError("fields.site", with_field)])
        state, browser_secret = new_token(), new_token()
        back = f"{self._back(kind)}?{urlencode({'state': state, 'language': language})}"
        with translate_refusals():
            base_url, address = await site.password_page(typed, back, self._app_id)
        await self.connecting.save_attempt(user_id, kind, state, browser_secret, base_url)
        return AuthorizationRequest(address, state, browser_secret)

    async def connect(
        self, user_id: UUID, kind: ChannelKind, *, state: str, browser_secret: str, handed: CallbackParameters | None
    ) -> ConnectResult:
        """`handed`: None where the person said no. The password is shown to the site that was left for alone.

        Raises NotFound, InvalidInput: connect_used, connect_expired, connect_denied, connect_site_differs, or another
        one of the `connect_…`.
        """
        site = self._site(kind)
        base_url = await self.connecting.use_attempt(user_id, kind, state, browser_secret)
        if handed is None:
            raise InvalidInput(ErrorCode.connect_denied)
        if not site.is_same_site(handed.site, base_url):
            raise InvalidInput(ErrorCode.connect_site_differs)
        form = site.form_of(base_url, handed.username, handed.password)
        try:
            connected = await self.connecting.start(user_id, kind, form)
        except InvalidInput as error:
            # there is no form that it could stand at
            if error.errors:
                raise InvalidInput(error.errors[0].code) from error
            raise
        assert isinstance(connected, ConnectResult)  # a form leads to it at once
        return connected

    def _site(self, kind: ChannelKind) -> BaseChannel:
        site = channel(kind)
        if not kind.is_site or not supports(site, BaseChannel.password_page):
            raise NotFound(what="website kind", id=kind)
        return site

    def _back(self, kind: ChannelKind) -> str:
        return self.connecting.redirect_uri(kind)

    @property
    def _app_id(self) -> UUID:
        """The same whenever this installation asks."""
        return uuid5(NAMESPACE_URL, self.connecting.public_url)
