"""One mail as it is read: subject, plain text, HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from core.domain.budgets import BudgetUnit
from core.domain.dates import shown_weekday
from core.domain.subscriptions import Price, decimals_of
from core.mail.texts import FOOTERS, FRAMES, OF_ARTICLES, WORDS
from core.models import MailKind

MARK_ID: Final = "mark@postloom"
"""Under which the HTML finds the picture that travels inside the mail: nothing is loaded from outside."""

PICTURE_ID: Final = "picture@postloom"
"""The same for the picture of the post that the mail is about."""

_SIGNS: Final = {
    "en": {"EUR": "€", "USD": "US$", "GBP": "£", "JPY": "JP¥"},
    "de": {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥"},
}
"""Of currencies that have one, as the web app's locales write them."""
_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Quote:
    """A text of several lines that the mail shows as it is."""

    label: str
    text: str


@dataclass(frozen=True)
class Shown:
    """A picture that travels inside the mail."""

    alt: str
    caption: str = ""


@dataclass(frozen=True)
class Line:
    """One of several things that a mail counts, and where they are."""

    text: str
    link: str


@dataclass(frozen=True)
class Letter:
    subject: str
    text: str
    html: str


@cache
def mark() -> bytes:
    """The boxed mark, 96 pixels wide."""
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
    """`facts` are plain lines of text, whoever wrote them: they are escaped here. `link` belongs to the kinds with
    an action; the others carry none. `quotes` and `lines` stand above its button. `article`: it is about one, or about
    a website. `picture` has to be attached as PICTURE_ID."""
    own = OF_ARTICLES[language].get(kind) if article else None
    words, frame = own or WORDS[language][kind], FRAMES[language]
    shown = {
        "language": language,
        "subject": words.subject.format_map(facts),
        "preview": words.preview.format_map(facts),
        "title": words.title.format_map(facts),
        "before": [said for part in words.before if (said := part.format_map(facts))],
        "quotes": quotes,
        "picture": picture,
        "picture_id": PICTURE_ID,
        "picture_label": frame.picture,
        "lines": lines,
        "action": words.action,
        "link": link,
        "address": frame.address,
        "after": [part.format_map(facts) for part in words.after],
        "footer": frame.footers[FOOTERS[kind]].format_map(facts),
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


def shown_budget(unit: BudgetUnit, amount: int, language: str) -> str:
    """`$12.50` and `12,50 $`, or `20,000 tokens` and `20.000 Token`."""
    number = f"{amount:,}" if unit is BudgetUnit.tokens else f"{Decimal(amount) / 1_000_000:,.2f}"
    if language == "de":
        number = number.translate(str.maketrans(",.", ".,"))
    if unit is BudgetUnit.tokens:
        return f"{number} {'Token' if language == 'de' else 'tokens'}"
    return f"{number} $" if language == "de" else f"${number}"


def shown_price(price: Price, language: str) -> str:
    """`€29.00` and `29,00 €`; a currency without a sign of its own by its code."""
    decimals, sign = decimals_of(price.currency), _SIGNS[language].get(price.currency)
    number = f"{Decimal(price.cents).scaleb(-decimals):,.{decimals}f}"
    if language == "de":
        return f"{number.translate(str.maketrans(',.', '.,'))}\u00a0{sign or price.currency}"
    return f"{sign}{number}" if sign else f"{price.currency}\u00a0{number}"


def shown_moment(moment: datetime, zone: str, language: str, *, until: bool = False) -> str:
    """In a sentence, on the clock of whoever reads it: after "on", or `until` it."""
    local = moment.astimezone(ZoneInfo(zone))
    day, clock = shown_weekday(local.date(), language), f"{local:%H:%M}".removeprefix("0")
    if language == "de":
        return f"{day}{',' if until else ' um'} {clock} Uhr ({zone})"
    return f"{day}{',' if until else ' at'} {clock} ({zone})"
