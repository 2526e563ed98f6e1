import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.rules.typography import typeset

# the signs that the rules look at, and some around them
SIGNS = st.text(alphabet="ab9 .,:;!?-–—\"'„“”‚‘’()[]`*|#@/\n\u00a0%€zZB", max_size=60)


def shown(text: str) -> str:
    return text.replace("\u00a0", "~")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Er sagte "komm" und ging.', "Er sagte „komm“ und ging."),
        ("„so” und “so” und „so“", "„so“ und „so“ und „so“"),
        ('"Was heißt "nahtlos"?", fragt sie.', "„Was heißt ‚nahtlos‘?“, fragt sie."),
        ("\"'Ja', sagte er.\"", "„‚Ja‘, sagte er.“"),
        ('("ja") und "Zeit"-Beilage', "(„ja“) und „Zeit“-Beilage"),
        # a mark without a counterpart, inches, apostrophes
        ('"offen', '"offen'),
        ('"offen\n\n"zu"', '"offen\n\n„zu“'),
        ('27" Monitor, 5\'10"', '27" Monitor, 5\'10"'),
        ("Geht's? Hans' Rad", "Geht’s? Hans' Rad"),
        ("Wort - Wort -- Wort--Wort — Wort—Wort", "Wort – Wort – Wort – Wort – Wort – Wort"),
        ("Ein- und Ausgang, 9-12 Uhr, 9—12", "Ein- und Ausgang, 9-12~Uhr, 9–12"),
        ("- eins\n- zwei", "- eins\n- zwei"),
        ("Warte...  ja....", "Warte… ja…"),
        ("5% von 49€ für 20 kg um 9 Uhr", "5~% von 49~€ für 20~kg um 9~Uhr"),
        ("50%ig, 20 kgs, B2B", "50%ig, 20 kgs, B2B"),
        ("z.B. und z. B. und i.d.R. und Z.B.", "z.~B. und z.~B. und i.~d.~R. und Z.~B."),
        ("Wirklich ? Ja ! :) so : ja", "Wirklich? Ja! :) so: ja"),
    ],
)
def test_german(text: str, expected: str) -> None:
    assert shown(typeset(text, "de")) == expected
    assert shown(typeset(typeset(text, "de"), "de")) == expected


def test_english_has_dashes_ellipses_and_single_spaces_alone() -> None:
    text = 'It - is...  "so" — isn\'t it ? yes--no, run --verbose at 5%'
    assert typeset(text, "en") == 'It – is… "so" — isn\'t it ? yes – no, run --verbose at 5%'


def test_another_language_stays() -> None:
    assert typeset('"a" - b...', "fr") == '"a" - b...'


@pytest.mark.parametrize(
    "part",
    [
        'https://a.example/x--y...z?a="b"-c',
        "www.a.example/x--y",
        "info--a@b.example",
        "#a-b--c",
        "@c--d@e.example",
        '`a -- "b"...`',
    ],
)
def test_addresses_mentions_hashtags_and_code_stay(part: str) -> None:
    assert part in typeset(f'Siehe {part} - "so"', "de")
    assert typeset(f'Siehe "{part}"', "de").startswith("Siehe „")


def test_an_article_keeps_code_tables_and_targets() -> None:
    text = "\n".join(
        [
            '# Titel - "so"',
            "",
            "- Punkt - eins",
            "> - Zitat",
            "",
            "| a | - |",
            "|---|---|",
            "",
            '    code -- "x"',
            "",
            "```py",
            "x = \"a\" -- 'b'...",
            "```",
            "",
            '[Text "so"](https://x.example "Titel - 1")',
            "",
            '[x]: https://y.example "T"',
            "",
            "---",
        ]
    )
    expected = text.replace('# Titel - "so"', "# Titel – „so“").replace("Punkt - eins", "Punkt – eins")
    expected = expected.replace('[Text "so"]', "[Text „so“]")
    assert typeset(text, "de", markdown=True) == expected
    assert typeset(expected, "de", markdown=True) == expected


@given(SIGNS, st.sampled_from(["de", "en"]), st.booleans())
def test_applied_again_it_changes_nothing(text: str, language: str, markdown: bool) -> None:
    once = typeset(text, language, markdown=markdown)
    assert typeset(once, language, markdown=markdown) == once


@given(SIGNS)
def test_letters_and_digits_stay_in_order(text: str) -> None:
    assert [each for each in typeset(text, "de") if each.isalnum()] == [each for each in text if each.isalnum()]
