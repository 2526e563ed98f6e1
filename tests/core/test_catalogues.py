"""The catalogues of texts: complete, and alike in every language."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from string import Formatter
from zoneinfo import ZoneInfo

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

import core
from core.approvals.rules import AtDeadline
from core.assistants.rules.assistants import LASTING
from core.billing.rules import Interval
from core.i18n import CATALOGUES, Texts, english_name, texts_in
from core.languages import Language
from core.notifications.mails.facts import REASONS_OF_WEBSITES
from core.notifications.mails.traits import FOOTERS, WITH_ARTICLE_TEXT, WITHOUT_ACTION
from core.notifications.rules import MAILED_KINDS, MailKind
from core.posts.rules.posts import PostStatus

PACKAGE = Path(core.__file__).parent
EVERY = pytest.mark.parametrize("language", Language)


def read(language: str) -> Catalog:
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """The forms of each message by its key: one, or as many as the language has."""
    return {key_of(message): forms_of(message) for message in read(language) if message.id}


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms_of(message: Message) -> tuple[str, ...]:
    return (message.string or "",) if message.string is None or isinstance(message.string, str) else (*message.string,)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def of_mail(key: str, kind: MailKind) -> set[str]:
    parts = ["subject", "preview", "title", "text", *([] if kind in WITHOUT_ACTION else ["action", "below"])]
    return {f"{key}.{part}" for part in parts}


def built_keys() -> set[str]:
    """Keys that the code puts together of codes."""
    return {
        *(key for kind in MailKind for key in of_mail(f"mail.{kind}", kind)),
        *(key for kind in WITH_ARTICLE_TEXT for key in of_mail(f"mail.{kind}.article", kind)),
        *(f"mail.footer.{footer}" for footer in FOOTERS.values()),
        *(f"mail.counted.{kind}" for kind in MAILED_KINDS),
        *(f"mail.counted.{kind}.article" for kind, mailed in MAILED_KINDS.items() if mailed.article_list_path),
        *(f"mail.reason.{code}" for code in LASTING),
        *(f"mail.reason.{code}.website" for code in REASONS_OF_WEBSITES),
        *(f"mail.at_deadline.{one}" for one in AtDeadline),
        *(f"mail.price_per.{one}" for one in Interval),
        *(f"mail.{name}.{what}" for name in ("prepared", "waiting") for what in ("post", "article")),
        *(
            f"mail.not_published.{which}.{part}"
            for which in ("partly", "nowhere", "unnamed")
            for part in ("state", "text")
        ),
        *(f"mail.goes_out.{when}" for when in ("planned", "at_once")),
        *(f"mail.moment.{word}" for word in ("at", "until")),
        *(f"mail.allowance.{word}_subscription" for word in ("with", "without")),
        *(f"feed.{name}{part}" for name in ("gone", "missing") for part in ("", "_title")),
        *(f"calendar.{status}" for status in PostStatus),
        *(f"calendar.{status}" for status in ("planned", "missed", "unknown")),
    }


def written_keys() -> set[str]:
    """Keys that stand in the code and in the templates as they are."""
    files = [file for ending in ("py", "html", "txt") for file in PACKAGE.rglob(f"*.{ending}")]
    key = re.compile(r"""(?:text|counted|paragraphs)\(\s*["']((?:mail|feed|calendar|article)\.[\w.]+)["']""")
    return {found for file in files for found in key.findall(file.read_text())}


@EVERY
def test_a_catalogue_has_a_text_for_every_key_and_none_besides(language: Language) -> None:
    assert set(messages(language)) == built_keys() | written_keys()


@EVERY
def test_every_form_of_a_text_is_translated(language: Language) -> None:
    catalogue = read(language)
    assert [message.id for message in catalogue if message.fuzzy and message.id] == []
    for message in catalogue:
        forms = forms_of(message)
        assert all(forms), message.id
        assert len(forms) == (1 if isinstance(message.id, str) else catalogue.num_plurals), message.id


@EVERY
def test_a_text_names_the_same_facts_in_every_language(language: Language) -> None:
    english = messages(Language.en)
    for key, forms in messages(language).items():
        # the form for one thing may leave its number out
        wanted = placeholders(english[key][-1])
        assert [one for one in forms if wanted - placeholders(one) - {"n"}] == [], key
        assert [one for one in forms if placeholders(one) - wanted] == [], key
        assert placeholders(forms[-1]) == wanted, key
        assert {one.count("\n\n") for one in forms} == {english[key][-1].count("\n\n")}, key


@pytest.mark.parametrize(
    "read_text",
    [
        lambda texts: texts.text("mail.nothing"),
        lambda texts: texts.paragraphs("mail.nothing", {}),
        lambda texts: texts.counted("mail.nothing", 2),
        lambda texts: texts.text("mail.frame.first_picture"),
        lambda texts: texts.paragraphs("mail.verify_email.text", {}),
        lambda texts: texts.counted("mail.price_per.day", 2),
    ],
)
@EVERY
def test_a_missing_text_or_fact_is_an_error(language: Language, read_text: Callable[[Texts], str]) -> None:
    with pytest.raises(LookupError):
        read_text(texts_in(language))


def test_every_catalogue_is_one_of_a_language() -> None:
    assert {file.name for file in CATALOGUES.iterdir()} == {f"{language}.po" for language in Language}
    for language in Language:
        assert texts_in(language).locale.language == language


@pytest.mark.parametrize("language", ["fr", "", "../en"])
def test_a_language_without_a_catalogue_is_answered_in_english(language: str) -> None:
    assert texts_in(language) is texts_in(Language.en)
    assert english_name(language) == "English"


def test_dates_and_money_are_written_as_the_language_does() -> None:
    english, german = texts_in("en"), texts_in("de")
    day, moment = date(2027, 3, 14), datetime(2027, 3, 14, 7, 5, tzinfo=UTC)
    assert (english.day(day), german.day(day)) == ("14 March 2027", "14. März 2027")
    assert (english.weekday(day), german.weekday(day)) == ("Sunday, 14 March 2027", "Sonntag, 14. März 2027")
    assert english.time(moment, ZoneInfo("Europe/Berlin")) == german.time(moment, ZoneInfo("Europe/Berlin")) == "08:05"
    assert (english.money(Decimal("1290"), "EUR"), german.money(Decimal("1290"), "EUR")) == (
        "€1,290.00",
        "1.290,00\xa0€",
    )
    assert (english.money(Decimal("129000"), "JPY"), english.number(20_000)) == ("JP¥129,000", "20,000")
    assert [english_name(language) for language in ("de", "en")] == ["German", "English"]
