"""Whether first comments can be published through an account, as far as is known before a call."""

from datetime import timedelta
from typing import Final

from core.clock import utcnow
from core.errors import ErrorCode, FieldError
from core.networks.base import BaseChannel, supports
from core.social_accounts.tables import Account

REFUSED_FOR: Final = timedelta(days=1)
"""How long a refused call keeps others back. Then the next comment asks again: the app may have got the product."""


def comment_refusal(network: BaseChannel, account: Account) -> FieldError | None:
    """Return why a network that has first comments takes none from the operator's app for this account: the consent
    lacks the permission, or a call was refused lately. None: nothing is known against it."""
    permission = network.traits.comment_permission
    if permission is None or not supports(network, BaseChannel.comment):
        return None
    if account.grant is not None and permission.scope not in account.grant.scopes:
        return refusal_of(network, ErrorCode.first_comment_not_granted)
    refused_at = account.comments_refused_at
    is_refused = refused_at is not None and utcnow() < refused_at + REFUSED_FOR
    return refusal_of(network, ErrorCode.first_comment_refused) if is_refused else None


def refusal_of(network: BaseChannel, code: ErrorCode) -> FieldError:
    """Return the refusal with what the operator needs."""
    permission = network.traits.comment_permission
    needs = (
        {"scope": permission.scope, "product": permission.product, "setting": permission.setting} if permission else {}
    )
    return FieldError("first_comment", code, network=network.label, **needs)
