"""What a second look at a text knows, and which revised text replaces the first."""

from datetime import UTC, datetime

import pytest

from core.ai.writers.base import TextOrder
from core.assistants.rules.assistants import SecondLook
from core.ids import new_id
from core.runs.rules.runs import Brief
from core.runs.second_looks import SecondLooks, is_better
from core.runs.text_orders import text_order_of_run
from core.templates.rules.model_settings import TextSettings
from core.texts.rules.endings import Ending
from core.texts.rules.review import Finding, ReviewNote

RULES = SecondLooks(SecondLook.rules, brand=None, ending=Ending(), revise=False)
DEFAULTS = TextSettings()


def order(topic: str = "Schutzbleche", topic_link: str = "") -> TextOrder:
    return text_order_of_run(
        "Write a post about ((Topic)).",
        DEFAULTS,
        Brief("Rain", "de", "UTC", {}, topic, topic_link=topic_link),
        slot=datetime(2027, 1, 1, tzinfo=UTC),
        limit=3000,
        user_id=new_id(),
        seed="s",
    )


def look(text: str, order: TextOrder) -> tuple[ReviewNote, ...]:
    return RULES.look(text, order, None, ())


def test_a_text_may_say_whose_page_its_topic_is() -> None:
    """The prompt asks for it, whether the post links to the page or not."""
    text = "Gravelbikes werden leichter, schreibt heise.de. Wir sehen das anders: Ein Rad muss halten."
    of_page = order(topic="Gravelbikes", topic_link="https://www.heise.de/news/gravelbikes.html")
    assert "say whose page it is" in of_page.brief
    assert look(text, of_page) == ()
    assert [note.params for note in look(text, order(topic="Gravelbikes"))] == [{"what": "heise.de"}]


# what a revision keeps

WORN = "In der heutigen schnelllebigen Zeit ist Ankommen alles."
POST = (
    "Wer bei Regen fährt, kommt mit nassen Hosen an. Lange Schutzbleche halten Beine und Kette trocken. "
    f"{WORN} Miss zuerst deine Reifen, dann passt das Blech auf Anhieb.\n\n"
    "Wir bauen es dir jeden Samstag an: https://radhaus.example/termine"
)
CLICHE = ReviewNote(Finding.cliche, params={"what": "In der heutigen schnelllebigen Zeit"})
FORMAL = (
    "Wenn Sie bei Regen fahren, brauchen Sie Schutzbleche. Messen Sie zuerst Ihre Reifen und bestellen Sie dann das "
    "passende Paar. Kommen Sie vorbei, bauen wir es Ihnen an. Ihr Rad bleibt trocken, und Sie auch."
)
INFORMAL = (
    "Wenn du bei Regen fährst, brauchst du Schutzbleche. Miss zuerst deine Reifen und bestell dann das passende Paar. "
    "Kommst du vorbei, bauen wir es dir an. Dein Rad bleibt trocken, und du auch."
)
LONG = (
    "Wer bei Regen mit dem Rad zur Arbeit fährt und keine langen Schutzbleche hat, kommt mit nassen Hosen an und hat "
    "noch dazu eine Kette, die bald rostet. Miss zuerst deine Reifen. Dann passt das Blech auf Anhieb, und "
    "die Kette dankt es dir."
)


@pytest.mark.parametrize(
    ("first", "note", "revised"),
    [
        pytest.param(POST, CLICHE, POST.replace(WORN, "Trocken ankommen ist alles."), id="a worn phrase"),
        pytest.param(POST, CLICHE, POST.replace(f"{WORN} ", ""), id="the sentence is left out"),
        pytest.param(
            POST,
            ReviewNote(Finding.unproven, params={"what": "Samstag"}),
            POST[: POST.index("\n\n")],
            id="with what depends on it",
        ),
        pytest.param(
            POST,
            ReviewNote(Finding.repeated_opening, params={"what": "Wer bei Regen fährt, kommt mit nassen Hosen an."}),
            POST.replace("Wer bei Regen fährt, kommt mit nassen Hosen an.", "Nasse Hosen müssen nicht sein."),
            id="another beginning",
        ),
        pytest.param(
            LONG,
            ReviewNote(Finding.late_message, params={"fold": 100}),
            f"Ohne Schutzbleche sind Hosen und Kette nass.{LONG[LONG.index(' Miss') :]}",
            id="a short first sentence",
        ),
        pytest.param(FORMAL, ReviewNote(Finding.wrong_address, params={"what": "Sie"}), INFORMAL, id="the address"),
        pytest.param(
            f"{POST}\n\n#Regen #Rad #Hose",
            ReviewNote(Finding.too_many_hashtags, params={"count": 3, "most": 1}),
            f"{POST}\n\n#Regen",
            id="fewer hashtags",
        ),
        pytest.param(
            WORN, CLICHE, "Heute ist Ankommen alles, trotz der schnelllebigen Zeit.", id="nothing but the finding"
        ),
    ],
)
def test_a_revision_that_mends_what_was_found_replaces_the_text(first: str, note: ReviewNote, revised: str) -> None:
    assert is_better(revised, (), first, [note], order())


@pytest.mark.parametrize(
    "revised",
    [
        pytest.param(f"Trocken ankommen ist alles.{POST[POST.index(' Miss') :]}", id="the second half"),
        pytest.param(POST.replace(WORN, "").replace(": https://radhaus.example/termine", "."), id="no link"),
        pytest.param(POST.replace(WORN, "").replace("termine", "termin"), id="another link"),
    ],
)
def test_a_revision_that_drops_what_is_right_does_not_replace_the_text(revised: str) -> None:
    assert not is_better(revised, (), POST, [CLICHE], order())


def test_a_revision_that_is_still_in_the_wrong_language_has_to_be_the_same_text() -> None:
    language = ReviewNote(Finding.wrong_language)
    other = "Snow is soft at first, and hard the morning after. Let some air out of both tyres and take it slowly."
    first = (
        "Long mudguards keep legs and chain dry, and that is what you want when it rains. In today's fast-paced world, "
        "arriving dry is a game changer."
    )
    found = [language, ReviewNote(Finding.cliche, params={"what": "In today's fast-paced world"})]
    assert not is_better(other, [language], first, found, order())
    assert is_better(POST, [], first, found, order())
