"""Texts of the demo writer are published on a real network only after the user's approval (decision 98)."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.ai.writers.base import DEMO_MODEL
from core.assistants.rules.assistants import Mode
from core.networks.registry import channel
from core.social_accounts.tables import Account


@dataclass(frozen=True)
class DemoTexts:
    model: str
    """The text model of this installation."""
    sandbox_url: str | None

    @property
    def are_written_here(self) -> bool:
        return self.model == DEMO_MODEL

    def are_asked_about(self, mode: Mode, accounts: Iterable[Account], *, written_by: str | None = None) -> bool:
        """Return whether a text needs approval before it is published to `accounts`. `written_by`: the model that
        wrote it; None: nothing is written yet."""
        written = self.model if written_by is None else written_by
        return written == DEMO_MODEL and mode.publishes and any(not self._simulated(account) for account in accounts)

    def _simulated(self, account: Account) -> bool:
        """Return whether the account is on the sandbox, by the address of its posts."""
        if self.sandbox_url is None:
            return False
        url = self.sandbox_url.rstrip("/")
        # on networks with several servers, the account has the address
        if account.base_url:
            return account.base_url == url or account.base_url.startswith(f"{url}/")
        return channel(account.kind).calls_only(url)
