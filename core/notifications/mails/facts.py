"""The values that fill the texts of a mail."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from core.approvals.rules import AtDeadline
from core.assistants.rules.budgets import BudgetUnit
from core.billing.rules import Limit, price_from_json
from core.crypto import normal_code, shown_code
from core.errors import ErrorCode
from core.i18n import Texts
from core.notifications.mails.letters import shown_budget, shown_moment, shown_price
from core.notifications.mails.traits import ABOUT
from core.notifications.rules import MailAbout, MailKind
from core.notifications.tables.mails import Mail
from core.users.tables.users import User

_LONGEST_NAME = 50  # characters

REASONS_OF_WEBSITES: Final = frozenset(
    {
        ErrorCode.account_disconnected,
        ErrorCode.channel_not_configured,
        ErrorCode.delivery_needs_reconnect,
        ErrorCode.reconnected_too_late,
        ErrorCode.provider_misconfigured,
    }
)
"""Reasons of a pause whose text differs if the assistant writes for a website."""


@dataclass(frozen=True)
class MailContext:
    """A mail with what its facts are made of."""

    mail: Mail
    user: User
    texts: Texts
    secret: str | None
    until: datetime | None
    """When the link or the code expires."""

    @property
    def params(self) -> dict[str, Any]:
        return self.mail.params

    def moment(self, name: str) -> datetime:
        return datetime.fromisoformat(str(self.params[name]))

    def day(self, moment: datetime, time_zone: str) -> str:
        return self.texts.weekday(moment.astimezone(ZoneInfo(time_zone)).date())

    def shown_moment(self, moment: datetime, *, until: bool = False) -> str:
        """Return the time in the user's time zone."""
        return shown_moment(moment, self.user.time_zone, self.texts, until=until)

    def name(self, name: str) -> str:
        return _shorten(str(self.params[name]))


def facts_of(context: MailContext, host: str) -> dict[str, str]:
    """Return the facts of a mail, each as one line."""
    facts = {
        "email": context.mail.to_email,
        "host": host,
        "when": context.shown_moment(context.mail.created_at),
        **_FACTS[ABOUT[context.mail.kind]](context),
    }
    return {name: one_line(value) for name, value in facts.items()}


def _user_facts(context: MailContext) -> dict[str, str]:
    return {"until": context.shown_moment(context.until, until=True)} if context.until else {}


def _invitation_facts(context: MailContext) -> dict[str, str]:
    assert context.until is not None  # otherwise the mail is refused
    user = context.user
    return {
        # the invited person's time zone is unknown, so only the day is given
        "until": context.day(context.until, user.time_zone),
        "code": shown_code(normal_code(context.secret or "")),
        "inviter": _shorten(str(context.params.get("inviter") or user.display_name or user.email)),
    }


def _budget_facts(context: MailContext) -> dict[str, str]:
    unit, amount = BudgetUnit(context.params["unit"]), int(context.params["amount"])
    return {
        "assistant": context.name("assistant"),
        "budget": shown_budget(unit, amount, context.texts),
        "until": context.day(context.moment("next_month"), str(context.params["time_zone"])),
    }


def _subscription_facts(context: MailContext) -> dict[str, str]:
    match context.mail.kind:
        case MailKind.allowance_reached:
            return _allowance_facts(context)
        case MailKind.subscription_ended:
            paused, texts = int(context.params["paused"]), context.texts
            return {"paused": texts.counted("mail.paused.some", paused) if paused else texts.text("mail.paused.none")}
        case MailKind.trial_ending | MailKind.payment_failed:
            moment = context.moment("until")
            day = context.day(moment, context.user.time_zone)
            return {
                "day": day,
                "until": context.shown_moment(moment, until=True),
                "charge": _charge(context.params.get("price"), day, context.texts),
            }
        case _:
            return {}


def _charge(stored: dict[str, Any] | None, day: str, texts: Texts) -> str:
    if stored is None:
        return texts.text("mail.charge.unknown")
    price = price_from_json(stored)
    per = texts.counted(f"mail.price_per.{price.interval}", price.interval_count, price=shown_price(price, texts))
    return texts.text("mail.charge.known", price=per, day=day)


def _allowance_facts(context: MailContext) -> dict[str, str]:
    limit, allowed, texts = Limit(context.params["limit"]), int(context.params["allowed"]), context.texts
    if limit is Limit.cost_micros:
        allowance = texts.text("mail.allowance.models", n=shown_budget(BudgetUnit.money, allowed, texts))
    else:
        allowance = texts.counted("mail.allowance.posts", allowed)
    subscription = "with" if context.params["subscribed"] else "without"
    return {
        "allowance": allowance,
        "until": context.day(context.moment("next_month"), str(context.params["time_zone"])),
        "more": texts.text(f"mail.allowance.{subscription}_subscription"),
    }


def _account_facts(context: MailContext) -> dict[str, str]:
    facts = {name: context.name(name) for name in ("account", "network")}
    if context.mail.kind is MailKind.account_expires:
        end = context.moment("expires_at")
        facts |= {"day": context.day(end, context.user.time_zone), "ends_at": context.shown_moment(end)}
    return facts


def _assistant_facts(context: MailContext) -> dict[str, str]:
    facts = {"assistant": context.name("assistant")}
    if context.mail.kind is MailKind.assistant_paused_itself:
        reason = ErrorCode(context.params["reason"])
        of_site = ".website" if context.params.get("article") and reason in REASONS_OF_WEBSITES else ""
        facts["reason"] = context.texts.text(f"mail.reason.{reason}{of_site}")
    return facts


def _post_facts(context: MailContext) -> dict[str, str]:
    network, published = (_shorten(" · ".join(context.params.get(name, ()))) for name in ("networks", "published"))
    facts = {"topic": context.name("topic"), "network": network}
    if context.mail.kind is not MailKind.post_failed:
        return facts
    # mails of older releases name no network, nor do those of a post whose deliveries were all cancelled
    which = "partly" if network and published else "nowhere" if network else "unnamed"
    state = context.texts.text(f"mail.not_published.{which}.state", network=network)
    said = context.texts.text(f"mail.not_published.{which}.text", **facts, published=published)
    return facts | {"state": state, "said": said}


def _run_facts(context: MailContext) -> dict[str, str]:
    return {"assistant": context.name("assistant"), "planned_at": context.shown_moment(context.moment("slot"))}


def _overview_facts(context: MailContext) -> dict[str, str]:
    texts, params = context.texts, context.params
    return {
        "day": texts.weekday(date.fromisoformat(str(params["day"]))),
        "count": texts.counted("mail.news", sum(params["counts"].values())),
    }


def _approval_facts(context: MailContext) -> dict[str, str]:
    texts, params = context.texts, context.params
    topic, planned_at = context.name("topic"), context.shown_moment(context.moment("planned_at"))
    noun = "article" if params.get("article") else "post"
    # mails of older releases have no `at_once`
    goes_out = "at_once" if params.get("at_once") else "planned"
    return {
        "assistant": context.name("assistant"),
        "topic": topic,
        "planned_at": planned_at,
        "deadline": context.shown_moment(context.moment("deadline"), until=True),
        "made": texts.text(f"mail.prepared.{noun}", topic=topic),
        "waits": texts.text(f"mail.waiting.{noun}"),
        "goes_out": texts.text(f"mail.goes_out.{goes_out}", planned_at=planned_at),
        # above the texts, to be read before deciding
        "by_demo": texts.text("mail.demo_writer") if params.get("demo") else "",
        "otherwise": texts.text(f"mail.at_deadline.{AtDeadline(str(params['at_deadline']))}"),
    }


_FACTS: Final[Mapping[MailAbout, Callable[[MailContext], dict[str, str]]]] = {
    MailAbout.approval: _approval_facts,
    MailAbout.post: _post_facts,
    MailAbout.article: _post_facts,
    MailAbout.run: _run_facts,
    MailAbout.assistant: _assistant_facts,
    MailAbout.budget: _budget_facts,
    MailAbout.account: _account_facts,
    MailAbout.subscription: _subscription_facts,
    MailAbout.user: _user_facts,
    MailAbout.invitation: _invitation_facts,
    MailAbout.overview: _overview_facts,
}


def one_line(value: str) -> str:
    """Return the value as one line, without line breaks, control or direction characters."""
    return "".join(char for char in " ".join(value.split()) if unicodedata.category(char)[0] != "C")


def _shorten(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
