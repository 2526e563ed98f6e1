"""Whether first comments can be published through an account, as far as is known before a call."""

from core.errors import ErrorCode, FieldError
from core.networks.base import BaseChannel, supports
from core.social_accounts.tables import Account


def comment_refusal(network: BaseChannel, account: Account) -> FieldError | None:
    """Return why a network that has first comments takes none from the operator's app for this account: the consent
    lacks the permission, or a call was refused. None: nothing is known against it."""
    permission = network.traits.comment_permission
    if permission is None or not supports(network, BaseChannel.comment):
        return None
    if account.grant is not None and permission.scope not in account.grant.scopes:
        return refusal_of(network, ErrorCode.first_comment_not_granted)
    return refusal_of(network, ErrorCode.first_comment_refused) if account.comments_refused_at else None


def refusal_of(network: BaseChannel, code: ErrorCode) -> FieldError:
    """Return the refusal with what the operator needs."""
    permission = network.traits.comment_permission
    needs = (
        {"scope": permission.scope, "product": permission.product, "setting": permission.setting} if permission else {}
    )
    return FieldError("first_comment", code, network=network.label, **needs)
