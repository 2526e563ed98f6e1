"""Connecting a site by its own authorization page: the user agrees there, and the browser returns with a password."""

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
    """The parameters of the callback."""

    site: str
    username: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class SitePasswords:
    connecting: ConnectingService

    def is_offered(self, kind: ChannelKind) -> bool | None:
        """Return whether sites of that kind redirect to this installation; None: they have no such page."""
        site = channel(kind)
        return site.sends_back_to(self._back(kind)) if supports(site, BaseChannel.password_page) else None

    async def start(self, user_id: UUID, kind: ChannelKind, typed: str, language: str) -> AuthorizationRequest:
        """Return the address of the site's authorization page. Raises NotFound for a kind without one, InvalidInput at
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
        """Connect the site. `handed`: None if the person refused. The password is only sent to the site where it
        started.

        Raises NotFound, InvalidInput: connect_used, connect_expired, connect_denied, connect_site_differs, or another
        code `connect_…`.
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
            # there is no form with that field
            if error.errors:
                raise InvalidInput(error.errors[0].code) from error
            raise
        assert isinstance(connected, ConnectResult)  # connecting by a form has one step
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
        """The installation's constant id."""
        return uuid5(NAMESPACE_URL, self.connecting.public_url)
