import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ErrorCode
from core.networks.rules.channels import ChannelLimits, PostFacts, check
from core.texts.rules.texts import (
    clean_output,
    cleaned,
    comparable,
    content_hash,
    cut_text,
    first_sentence,
    fits,
    one_line,
    sentences,
)
from tests.growth import grows_in_step


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Hello\t world \r\n\r\nnext\x00\x1b[0m  ", "Hello  world\n\nnext[0m"),
        ("a\n\n\n\n\n\nb", "a\n\n\nb"),
        ("a\n \n \n \n \nb", "a\n\n\nb"),
        ("\ufeff“Quoted.”", "Quoted."),
        ('"Quoted."', "Quoted."),
        ("„Zitat.“", "Zitat."),
        ("«Citation.»", "Citation."),
        ('"A" and "B"', '"A" and "B"'),
        ('"', '"'),
        ('""', ""),
        ("It's Joe's", "It's Joe's"),
        ("```\nThe post\n```", "The post"),
        ('```markdown\n\n"The post"\n\n```', "The post"),
        ("```\na\n```\nb\n```\nc\n```", "```\na\n```\nb\n```\nc\n```"),
        ("half \ud83d of a character", "half  of a character"),
        ("👩‍👩‍👧 stays, so does नमस्ते", "👩‍👩‍👧 stays, so does नमस्ते"),
        ("", ""),
        ("\n \t", ""),
    ],
)
def test_what_a_model_adds_goes(text: str, expected: str) -> None:
    assert clean_output(text, 1000) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("One sentence. Another one. And a third.", 30, "One sentence. Another one."),
        ("One sentence. Another one.", 26, "One sentence. Another one."),
        ("Really?! Yes (really). No way.", 24, "Really?! Yes (really)."),
        ("A heading\nThen a long line without end", 15, "A heading"),
        ("Am 3. Oktober kommt Dr. Weber. Und dann z. B. Frau Meier.", 50, "Am 3. Oktober kommt Dr. Weber."),
        ("Seit 2024. Dann kam mehr dazu.", 15, "Seit 2024."),
        ("こんにちは。元気ですか。はい元気です", 13, "こんにちは。元気ですか。"),
        # a sentence that would waste most of the room: a word
        ("Hi. This goes on for very long without any end", 30, "Hi. This goes on for very…"),
        ("word, another word and more", 14, "word, another…"),
        ("word, another", 10, "word…"),
        ("x" * 50, 10, "x" * 9 + "…"),
        ("anything", 1, ""),
        ("anything", 0, ""),
        ("anything", -5, ""),
        # whole characters: families, flags, marks, skin tones
        ("👩‍👩‍👧" * 3, 10, "👩‍👩‍👧…"),
        ("🇩🇪🇫🇷🇮🇹", 10, "🇩🇪🇫🇷…"),
        ("🇩🇪🇫🇷🇮🇹", 8, "🇩🇪…"),
        ("e\u0301" * 5, 6, "e\u0301e\u0301…"),
        ("👍🏽👍🏽", 6, "👍🏽…"),
    ],
)
def test_cutting(text: str, limit: int, expected: str) -> None:
    assert clean_output(text, limit) == expected


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "क\u0903",  # a mark with a width of its own
        "1\u20dd",  # a mark that encloses
        "n\u200c",
        "👩\u200d🔬",
        "👍\U0001f3fb",
        "👍\U0001f3ff",
        "🏴\U000e0020\U000e007f",
        "\U0001f1e6\U0001f1ff",
        "\u1100\u1160",
        "\u1100\u1161\u11ff",
        "\u1100\u11ff\u11a8",
        "\u1100\u1160\u1160",
    ],
)
def test_no_cut_goes_through_what_a_reader_sees_as_one_character(character: str) -> None:
    text, units = character * 6, len(character.encode("utf-16-le")) // 2
    for limit in range(2, 6 * units):
        whole = (limit - 1) // units
        assert clean_output(text, limit) == (f"{character * whole}…" if whole else "")


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        # a letter after half a flag, a flag after a letter: there a cut is possible
        ("🇩a🇩a🇩a", 3, "🇩…"),
        ("a🇩🇪a🇩🇪", 6, "a🇩🇪…"),
        ("a🇩🇪b", 3, "a…"),
        # a vowel that no consonant came before, a consonant that follows nothing it could end
        ("a\u1161a\u1161", 2, "a…"),
        ("\u1100a\u1100a", 2, "\u1100…"),
        # the first and the last that are no such character
        ("a\U0001f3faa\U0001f3fa", 2, "a…"),
        ("a\U0001f400a\U0001f400", 2, "a…"),
        # a text that just fits is not cut
        ("a b", 3, "a b"),
        ("🧵🧵", 4, "🧵🧵"),
        ("\uffff\uffff\uffff", 3, "\uffff\uffff\uffff"),
        # a word that ends where the room ends stays
        ("ab cd ef", 6, "ab cd…"),
        ("ab cdef", 6, "ab…"),
        ("abc defgh", 7, "abc…"),
        # no word is torn apart, however much of the room it takes; only a first one may be
        ("ab cdefghijk", 6, "ab…"),
        ("abcdefghijk l", 6, "abcde…"),
        ("(((((((((", 5, ""),
        # links, hashtags and mentions are there whole or not at all, and nothing touches a link's end
        ("See https://example.org/a/long/path today", 30, "See…"),
        ("See https://example.org/a now", 27, "See https://example.org/a …"),
        ("See https://example.org/a now", 26, "See https://example.org/a"),
        ("https://example.org/a/long/path", 20, ""),
        ("#averylonghashtag", 10, ""),
        ("Ride #bikes #everyday now", 17, "Ride #bikes…"),
        ("例えhttps://例え。jp/路径 次の文", 12, "例え…"),
        # where no space parts words, a cut may go between any two, but not within a tag
        ("元気ですか元気ですか元気ですか", 8, "元気ですか元気…"),
        ("元気ですか #自転車通勤 です", 10, "元気ですか…"),
    ],
)
def test_where_a_cut_may_go(text: str, limit: int, expected: str) -> None:
    assert clean_output(text, limit) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two!  Three?\nFour", ["One.", "Two!", "Three?", "Four"]),
        ("a\tb\r\nc\x00d", ["a b", "cd"]),
        ("He said “go.” Then went.", ["He said “go.”", "Then went."]),
        ("z. B. so. Und so.", ["z. B. so.", "Und so."]),
        ("It costs 3.50 a day. etc. goes on", ["It costs 3.50 a day. etc. goes on"]),
        (" \n\n", []),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


messy = st.lists(
    st.text(max_size=8)
    | st.sampled_from(
        [
            "Sentence one. ",
            "And? ",
            "z. B. ",
            "👩‍👩‍👧",
            "🇩🇪",
            "e\u0301",
            "\n\n",
            '"',
            "```",
            "「",
            " ",
            "word ",
            "한",
            "\ud800",
        ]
    ),
    max_size=40,
).map("".join)


@given(messy, st.integers(0, 120))
def test_cleaned_text_fits_every_channel(text: str, limit: int) -> None:
    cleaned = clean_output(text, limit)
    codes = {error.code for error in check(PostFacts(cleaned), ChannelLimits(max_characters=limit, max_images=1))}
    assert codes <= {ErrorCode.content_empty}
    assert cleaned == cleaned.strip()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]|\n{4}|[ \t]\n", cleaned)


@given(messy, st.integers(2, 60))
def test_a_cut_text_is_the_beginning_of_the_whole_one(text: str, limit: int) -> None:
    whole, cut = clean_output(text, 10_000), clean_output(text, limit)
    if cut != whole:
        assert whole.startswith(cut) or (cut.endswith("…") and whole.startswith(cut[:-1]))
        following = whole[len(cut.removesuffix("…") if not whole.startswith(cut) else cut) :]
        assert not following.startswith(("\u0301", "\u200d"))


@given(messy)
def test_text_with_room_enough_loses_no_letter(text: str) -> None:
    text = text.replace("```", "")  # which may name a language
    letters = re.findall(r"[A-Za-z]", text)
    assert re.findall(r"[A-Za-z]", clean_output(text, 10_000)) == letters


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Sleep for a month. Wake on time.", 100, "Sleep for a month."),
        ("Am 3. Oktober ist frei. Danach nicht.", 100, "Am 3. Oktober ist frei."),
        ("A heading\nand more", 100, "A heading"),
        ("\n\n  Only   words \n", 100, "Only words"),
        ("Durable timers beat cron every day. Yes.", 20, "Durable timers beat…"),
        ("", 10, ""),
        ("a\tb\x00c\r\nd", 100, "a bc"),
        ("exactly so", 10, "exactly so"),
        ("no end here", 100, "no end here"),
    ],
)
def test_first_sentence(text: str, limit: int, expected: str) -> None:
    assert first_sentence(text, limit) == expected


@given(messy, st.integers(0, 60))
def test_a_first_sentence_is_one_line_that_fits(text: str, limit: int) -> None:
    sentence = first_sentence(text, limit)
    assert "\n" not in sentence
    assert len(sentence.encode("utf-16-le")) // 2 <= limit


@pytest.mark.parametrize("piece", ["a", "a ", ". ", "\n", '"', "🇩🇪", "e\u0301", "z. B. ", "!", "```\n"])
def test_a_model_gone_wild_takes_no_more_per_letter(piece: str) -> None:
    def clean(text: str) -> None:
        assert len(clean_output(text, 3000)) <= 3000
        assert len(first_sentence(text, 100)) <= 100

    assert grows_in_step(lambda size: piece * (size // len(piece)), clean, 50_000)


def test_the_hash_is_of_exactly_what_was_shown() -> None:
    shown = content_hash("text", ["f1", "f2"], ["linkedin", "facebook"])
    assert re.fullmatch("[0-9a-f]{64}", shown)
    assert content_hash("text", ["f1", "f2"], ["facebook", "linkedin"]) == shown
    others = [
        content_hash("text ", ["f1", "f2"], ["linkedin", "facebook"]),
        content_hash("text", ["f2", "f1"], ["linkedin", "facebook"]),
        content_hash("text", ["f1f2"], ["linkedin", "facebook"]),
        content_hash("text", ["f1"], ["f2", "linkedin", "facebook"]),
        content_hash("text", ["f1", "f2"], ["linkedin", "linkedin", "facebook"]),
        content_hash('text",["f1"', ["f2"], ["linkedin", "facebook"]),
        content_hash("text", ["f1", "f2"], ["linkedin", "facebook"], "comment"),
        content_hash("text", ["f1", "f2"], ["linkedin", "facebook"], link={"url": "a", "title": "b"}),
        content_hash("text", ["f1", "f2"], ["linkedin", "facebook"], link={"url": "b", "title": "a"}),
        content_hash("text", ["f1", "f2"], ["linkedin", "facebook"], "comment", {"url": "a", "title": "b"}),
    ]
    assert len({shown, *others}) == len(others) + 1


parts = st.tuples(st.text(st.characters()), st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))


@given(parts, parts)
def test_different_content_has_a_different_hash(
    one: tuple[str, list[str], list[str]], other: tuple[str, list[str], list[str]]
) -> None:
    same = (one[0], one[1], sorted(one[2])) == (other[0], other[1], sorted(other[2]))
    assert (content_hash(*one) == content_hash(*other)) == same


def test_a_hash_stays_the_same_in_every_release() -> None:
    assert content_hash("Grüße", ["f"], ["linkedin"]) == (
        "096342c051ecac0d3e1ec22ce8c6c1c1777d94b6d3c89db6ded3f0417fdcfe50"
    )


def test_comparable_ignores_what_networks_change() -> None:
    assert comparable(" Grüße\r\n\r\nan  alle\u00a0da ") == comparable("Gru\u0308ße\n\n\nan alle da")
    assert comparable("a\u200bb\ufe0f") == comparable("ab")
    assert comparable("ab") != comparable("a b")
    assert comparable("Text") != comparable("text")


@given(st.text(st.characters()))
def test_comparable_is_stable(text: str) -> None:
    assert comparable(comparable(text)) == comparable(text)
    assert comparable(f"\n{text}  ") == comparable(text)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Mara\nLind", "Mara Lind"),
        ("Mara\r\nBcc: x", "Mara Bcc: x"),
        ("a\u2028b\tc", "a b c"),
        ("\u202etxt.exe", "txt.exe"),
        ("\u2067x\u2069\x07", "x"),
        ("\u200b\ufeff Mara\u3164\u200b ", "Mara"),
        ("\u200b\u3164\u2800", ""),
        ("\U0001f3f4\U000e0067\U000e007f ❤\ufe0f", "\U0001f3f4\U000e0067\U000e007f ❤\ufe0f"),
        ("שלום \u200fMara 👩\u200d🔬", "שלום \u200fMara 👩\u200d🔬"),
    ],
)
def test_a_name_is_one_line_that_turns_nothing_around(typed: str, kept: str) -> None:
    assert one_line(typed) == kept


words = st.sampled_from(
    [
        "ride",
        "Regen.",
        "no!",
        "(well)",
        "z. B.",
        "https://example.org/a?b=c&d=e.f",
        "www.example.org/Straße",
        "#cargobike",
        "#Übermut_24",
        "@mara.lind",
        "👩‍👩‍👧",
        "👍🏽👍🏽",
        "🇩🇪🇫🇷",
        "1️⃣",
        "नमस्ते",
        "e\u0301tude",
        "–",
    ]
)


@given(st.lists(words, min_size=1, max_size=60), st.lists(st.sampled_from([" ", "\n", "\n\n"])), st.integers(40, 300))
def test_a_cut_tears_nothing_apart(told: list[str], between: list[str], limit: int) -> None:
    gaps = [*between, *[" "] * len(told)]
    whole = cleaned("".join(word + gap for word, gap in zip(told, gaps, strict=False)))
    cut = cut_text(whole, limit)
    assert fits(cut, limit)
    kept = cut.removesuffix("…").split()
    # the last may have lost what only ends it: a mark before the ellipsis
    assert kept[:-1] == whole.split()[: len(kept) - 1]
    assert not kept or whole.split()[len(kept) - 1].rstrip(",;:–—-([{") == kept[-1].rstrip(",;:–—-([{")
    if links := [word for word in kept if "example.org" in word]:
        assert set(links) <= set(told)
        assert not cut.endswith(f"{links[-1]}…")


@given(st.lists(words, min_size=1, max_size=60).map(" ".join), st.integers(0, 300))
def test_a_text_is_cut_once(told: str, limit: int) -> None:
    cut = cut_text(cleaned(told), limit)
    assert cut_text(cut, limit) == cut
