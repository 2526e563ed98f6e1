"""What of a post its card shows."""

import pytest

from core.media.card_renderer.excerpts import Excerpt, excerpt, sentence_of
from core.media.rules.cards import CardLayout

POST = """Rain without drama: start simple.

What helps:
Full mudguards keep you drier than any jacket. They weigh little.

What would you add?

#rain"""
SENTENCE = "Full mudguards keep you drier than any jacket."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (POST, SENTENCE),
        ("Rain without drama. Full mudguards help a lot on wet days.", "Full mudguards help a lot on wet days."),
        ("Nothing but short.", "Nothing but short."),
        ("Is this one a question that is long enough?", "Is this one a question that is long enough?"),
        ("1. Put the mudguards on before it rains.\nThen ride on as you always do.", "Then ride on as you always do."),
        ("", ""),
    ],
)
def test_a_sentence_says_something_and_not_the_headline_again(content: str, said: str) -> None:
    assert sentence_of(content, "Rain without drama") == said


@pytest.mark.parametrize("layout", [CardLayout.steps, None])
def test_steps_are_the_posts_list_each_in_a_sentence(layout: CardLayout | None) -> None:
    post = "How to\n1. Wipe it. Use a rag.\n2. Oil it.\nDone?"
    assert excerpt(post, "Chain", "- other", layout) == Excerpt("1. Wipe it.\n2. Oil it.", CardLayout.steps)
    assert excerpt(POST, "Chain", "- Wipe\n- Oil", layout) == Excerpt("- Wipe\n- Oil", CardLayout.steps)


@pytest.mark.parametrize("layout", [CardLayout.event, None])
@pytest.mark.parametrize(
    ("notes", "shown"),
    [
        ("When: Saturday, 13 March\nWhere: Mill Lane 3\nBring: a knife", "Saturday, 13 March, Mill Lane 3"),
        ("Wann: 11. März, 18.30 Uhr\nWir reden über alles.", "11. März, 18.30 Uhr"),
        ("We meet on 13 March. Come early.", "We meet on 13 March"),
    ],
)
def test_a_date_comes_with_its_place(layout: CardLayout | None, notes: str, shown: str) -> None:
    assert excerpt(POST, "Knives", notes, layout) == Excerpt(shown, CardLayout.event)


@pytest.mark.parametrize("layout", [CardLayout.number, None])
def test_a_figure_is_of_the_topic_the_notes_or_the_post(layout: CardLayout | None) -> None:
    counted = "It rained on 117 days of the year."
    assert excerpt(POST, "Rain", f"Rain is wet. {counted}", layout) == Excerpt(counted, CardLayout.number)
    assert excerpt(f"Hello. {counted}", "Rain", "", layout) == Excerpt(counted, CardLayout.number)
    said = "They come in all shapes."
    assert excerpt(f"117 days of rain. {said}", "117 days of rain", "", layout) == Excerpt(said, CardLayout.number)


@pytest.mark.parametrize("layout", [CardLayout.steps, CardLayout.event, CardLayout.number, CardLayout.statement])
def test_what_a_post_does_not_have_becomes_a_statement(layout: CardLayout) -> None:
    assert excerpt(POST, "Rain without drama", "", layout) == Excerpt(SENTENCE, CardLayout.statement)
    assert excerpt(POST, "Rain without drama", "", CardLayout.quote) == Excerpt(SENTENCE, CardLayout.quote)
    assert excerpt(POST, "Rain without drama", "", None) == Excerpt(SENTENCE, None)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "Frost: Road salt eats chains faster than rain does.\n\nRinse it off.",
            "Road salt eats chains faster than rain does.",
        ),
        ("Frost: time to look at the bike again.\n\nRoad salt eats chains.", "Road salt eats chains."),
        ("Frost: Is that true?\n\nRoad salt eats chains.", "Road salt eats chains."),
    ],
)
def test_a_topic_before_what_is_said_of_it_is_left_out(content: str, said: str) -> None:
    assert sentence_of(content, "Frost") == said
