"""Where a mail leads to."""

from typing import Final
from urllib.parse import quote, urlencode

from core.crypto import Vault, normal_code, shown_code
from core.i18n import Texts
from core.notifications.mails.letters import Line
from core.notifications.mails.traits import ABOUT
from core.notifications.rules import MAILED_KINDS, MailAbout, MailKind
from core.notifications.tables.mails import Mail
from core.users.invitations import invitation_proof

# the part after # stays in the browser and out of the logs of servers and proxies
_TOKEN_PATHS: Final = {
    MailKind.verify_email: "/verify-email#token=",
    MailKind.change_email: "/verify-email#token=",
    MailKind.reset_password: "/signin?reset#token=",
}


def path_of(mail: Mail, secret: str | None, vault: Vault) -> str | None:
    """Return the path of the button's link; None for a mail without one. `secret`: the mail's token or code."""
    params = mail.params
    match ABOUT[mail.kind]:
        case MailAbout.approval:
            token = f"?decide#token={quote(secret, safe='')}" if secret else ""
            return f"/social-media-posts/{params['post_id']}{token}"
        case MailAbout.post:
            return f"/social-media-posts/{params['post_id']}"
        case MailAbout.article:
            return f"/posts/{params['post_id']}"
        case MailAbout.run:
            return f"/assistants/{params['assistant_id']}?tab=runs"
        case MailAbout.assistant:
            return f"/assistants/{params['assistant_id']}"
        case MailAbout.budget:
            return f"/assistants/{params['assistant_id']}?tab=configuration"
        case MailAbout.account:
            return "/websites" if params.get("article") else "/account"
        case MailAbout.subscription:
            return "/subscription"
        case MailAbout.overview:
            return "/"
        case MailAbout.invitation:
            return _sign_up_path(mail.to_email, secret, vault) if secret else None
        case MailAbout.user:
            return f"{_TOKEN_PATHS[mail.kind]}{quote(secret, safe='')}" if secret else None


def _sign_up_path(email: str, code: str, vault: Vault) -> str:
    proof = vault.sign(invitation_proof(code, email))
    values = {"code": shown_code(normal_code(code)), "email": email, "proof": proof}
    return f"/signup#{urlencode(values, quote_via=quote)}"


def overview_lines(mail: Mail, public_url: str, texts: Texts) -> list[Line]:
    """Return the number per kind, with a link to their list; articles and websites have lists of their own."""
    counts, articles = mail.params["counts"], mail.params.get("articles", {})
    lines = []
    for kind, mailed in MAILED_KINDS.items():
        of_articles = int(articles.get(kind, 0)) if mailed.article_list_path else 0
        others = int(counts.get(kind, 0)) - of_articles
        if others > 0:
            lines.append(Line(texts.counted(f"mail.counted.{kind}", others), f"{public_url}{mailed.list_path}"))
        if of_articles > 0:
            text = texts.counted(f"mail.counted.{kind}.article", of_articles)
            lines.append(Line(text, f"{public_url}{mailed.article_list_path}"))
    return lines
