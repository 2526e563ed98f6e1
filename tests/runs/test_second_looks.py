"""What a second look at a text knows, and which revised text replaces the first."""

from datetime import UTC, datetime

from core.ai.writers.base import TextOrder
from core.assistants.rules.assistants import SecondLook
from core.ids import new_id
from core.runs.rules.runs import Brief
from core.runs.second_looks import SecondLooks
from core.runs.text_orders import text_order_of_run
from core.templates.rules.model_settings import TextSettings
from core.texts.rules.endings import Ending
from core.texts.rules.review import ReviewNote

RULES = SecondLooks(SecondLook.rules, brand=None, ending=Ending(), revise=False)
DEFAULTS = TextSettings()


def order(language: str = "de", topic: str = "Schutzbleche", **more: str) -> TextOrder:
    return text_order_of_run(
        "Write a post about ((Topic)).",
        DEFAULTS,
        Brief("Rain", language, "UTC", {}, topic, **more),
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
