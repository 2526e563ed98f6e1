"""The pages of a post without a model."""

from core.media.card_renderer.page_excerpts import pages_of_text
from core.media.rules.sequences import MAX_PAGES, PageKind, check_pages

POST = """Wer im Winter fährt, braucht drei Dinge – und keines davon kostet viel.

Licht: einen Finger tiefer stellen. Es blendet weniger und zeigt mehr von der Straße.

Vor der ersten Frostnacht prüfen wir:
- Reifendruck auf 3,5 bar
- Kette mit Nasswetteröl
- Bremsbeläge

104 von 117 Regentagen waren wir unterwegs. „Das Rad erinnert mich an die Bremsen“, sagt Mara Lindhof.

Komm am Samstag vorbei! https://lindhof.example #Fahrrad #Winter"""


def test_sentences_lists_figures_and_quotations_become_pages_in_their_order() -> None:
    pages = pages_of_text(POST, title="Rad im Winter", most=10)
    assert [(page.kind, page.headline, page.text) for page in pages] == [
        (PageKind.cover, "Rad im Winter", ""),
        (PageKind.point, "Wer im Winter fährt, braucht drei Dinge – und keines davon kostet viel.", ""),
        (PageKind.point, "Licht: einen Finger tiefer stellen.", "Es blendet weniger und zeigt mehr von der Straße."),
        (
            PageKind.list,
            "Vor der ersten Frostnacht prüfen wir",
            "Reifendruck auf 3,5 bar\nKette mit Nasswetteröl\nBremsbeläge",
        ),
        (PageKind.number, "104 von 117 Regentagen waren wir unterwegs.", ""),
        (PageKind.quote, "„Das Rad erinnert mich an die Bremsen“", "sagt Mara Lindhof"),
        (PageKind.call_to_action, "Komm am Samstag vorbei!", ""),
    ]


def test_without_a_title_the_first_sentence_is_the_cover() -> None:
    pages = pages_of_text(POST, title="", most=10)
    assert (pages[0].headline, pages[1].headline) == (
        "Wer im Winter fährt, braucht drei Dinge – und keines davon kostet viel.",
        "Licht: einen Finger tiefer stellen.",
    )


def test_never_more_than_asked_for_and_never_too_few() -> None:
    for most in range(12):
        pages = pages_of_text(POST, title="Rad im Winter", most=most)
        assert len(pages) <= most
        assert check_pages(pages) == [] if most >= 3 else pages == ()
    long = pages_of_text(POST * 9, title="Rad im Winter", most=99)
    assert len(long) <= MAX_PAGES
    assert check_pages(long) == []
    for short in ("", "Ride.", "One sentence that is rather long. And then a short one."):
        assert pages_of_text(short, title="", most=10) == ()


def test_long_sentences_and_items_are_cut_at_a_word() -> None:
    items = "\n".join(f"- {letter}{' item' * 34}" for letter in "abcdef")
    long = f"First a short sentence.\n\nThese six things:\n{items}\n\nShort words here. And then{' word' * 300}."
    for title in ("Winter", "word " * 60):
        pages = pages_of_text(long, title=title, most=10)
        assert check_pages(pages) == []
        texts = [page.text for page in pages if len(page.text) > 800]
        assert len(texts) == 2
        assert texts[0].splitlines()[-1].endswith(" item")
        assert texts[1].endswith(" word…")
