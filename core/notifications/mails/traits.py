"""What each kind of mail is about, and how the kinds differ."""

from collections.abc import Mapping
from typing import Final

from core.notifications.rules import MAILED_KINDS, MailAbout, MailKind

ABOUT: Final[Mapping[MailKind, MailAbout]] = {
    **{mail: kind.about for kind in MAILED_KINDS.values() for mail in kind.mails},
    MailKind.verify_email: MailAbout.user,
    MailKind.change_email: MailAbout.user,
    MailKind.email_changed: MailAbout.user,
    MailKind.reset_password: MailAbout.user,
    MailKind.password_changed: MailAbout.user,
    MailKind.invitation: MailAbout.invitation,
    MailKind.daily_overview: MailAbout.overview,
}

REQUESTED: Final = frozenset(
    {MailKind.verify_email, MailKind.change_email, MailKind.reset_password, MailKind.invitation}
)
"""Mails that a person asks for, with a link or code that expires."""

WITHOUT_ACTION: Final = frozenset({MailKind.email_changed, MailKind.password_changed})
"""Mails without a button and the text below it."""

WITH_ARTICLE_TEXT: Final = frozenset(
    mail for kind in MAILED_KINDS.values() if kind.has_article_text for mail in kind.mails
)
"""Mails whose text differs for an article or a website. In those `{network}` is the website's name; for a disconnected
website `{account}` is its name, `{network}` its kind."""

FOOTERS: Final[Mapping[MailAbout, str]] = {
    **dict.fromkeys(MailAbout, "notification"),
    MailAbout.user: "account",
    MailAbout.approval: "approval",
    MailAbout.subscription: "subscription",
    MailAbout.invitation: "invitation",
    MailAbout.overview: "overview",
}
"""The footer of a mail, which says why it was sent."""
