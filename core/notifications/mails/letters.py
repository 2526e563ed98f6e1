"""Rendering of a mail: subject, plain text, HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from core.assistants.rules.budgets import BudgetUnit
from core.billing.rules import Price, decimals_of
from core.i18n import Texts, texts_in
from core.notifications.mails.traits import ABOUT, FOOTERS, WITH_ARTICLE_TEXT, WITHOUT_ACTION
from core.notifications.rules import MailKind

MARK_ID: Final = "mark@postloom"
"""The Content-ID of the logo, which is attached to the mail: nothing is loaded from outside."""

PICTURE_ID: Final = "picture@postloom"
"""The Content-ID of the post's image."""

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Quote:
    """A text of several lines, shown unchanged."""

    label: str
    text: str


@dataclass(frozen=True)
class Shown:
    """An image attached to the mail."""

    alt: str
    caption: str = ""


@dataclass(frozen=True)
class Line:
    """An item that a mail counts, and a link to its list."""

    text: str
    link: str


@dataclass(frozen=True)
class Letter:
    subject: str
    text: str
    html: str


@cache
def mark() -> bytes:
    """Return the boxed logo, 96 pixels wide."""
    return (_FOLDER / "mark.png").read_bytes()


def letter(
    kind: MailKind,
    language: str,
    facts: Mapping[str, str],
    link: str | None,
    quotes: Sequence[Quote] = (),
    lines: Sequence[Line] = (),
    *,
    article: bool = False,
    picture: Shown | None = None,
) -> Letter:
    """Render a mail. `facts` are plain lines of text; they are escaped here. `link` is only for kinds with an action.
    `quotes` and `lines` come above the button. `article`: the mail is about an article or a website. `picture` has to
    be attached as PICTURE_ID."""
    texts = texts_in(language)
    key = f"mail.{kind}.article" if article and kind in WITH_ARTICLE_TEXT else f"mail.{kind}"
    shown = {
        "language": language,
        "subject": texts.text(f"{key}.subject", **facts),
        "preview": texts.text(f"{key}.preview", **facts),
        "title": texts.text(f"{key}.title", **facts),
        "before": texts.paragraphs(f"{key}.text", facts),
        "quotes": quotes,
        "picture": picture,
        "picture_id": PICTURE_ID,
        "picture_label": texts.text("mail.frame.picture"),
        "lines": lines,
        "action": "" if kind in WITHOUT_ACTION else texts.text(f"{key}.action"),
        "link": link,
        "address": texts.text("mail.frame.address"),
        "after": [] if kind in WITHOUT_ACTION else texts.paragraphs(f"{key}.below", facts),
        "footer": texts.text(f"mail.footer.{FOOTERS[ABOUT[kind]]}", **facts),
        "mark": MARK_ID,
    }
    return Letter(
        subject=str(shown["subject"]),
        text=_environment().get_template("base.txt").render(shown),
        html=_environment().get_template("base.html").render(shown),
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def shown_budget(unit: BudgetUnit, amount: int, texts: Texts) -> str:
    """`US$12.50` and `12,50 $`, or `20,000 tokens` and `20.000 Token`."""
    if unit is BudgetUnit.tokens:
        return texts.counted("mail.tokens", amount, number=texts.number(amount))
    return texts.money(Decimal(amount) / 1_000_000, "USD")


def shown_price(price: Price, texts: Texts) -> str:
    """`€29.00` and `29,00 €`."""
    return texts.money(Decimal(price.cents).scaleb(-decimals_of(price.currency)), price.currency)


def shown_moment(moment: datetime, zone: str, texts: Texts, *, until: bool = False) -> str:
    """Return the time in the reader's zone as part of a sentence: after "on", or after `until`."""
    time_zone = ZoneInfo(zone)
    day, time = texts.weekday(moment.astimezone(time_zone).date()), texts.time(moment, time_zone)
    return texts.text(f"mail.moment.{'until' if until else 'at'}", day=day, time=time, zone=zone)
