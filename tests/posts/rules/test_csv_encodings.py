"""Encodings of files: read right, or asked about; never read wrong without a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.posts.rules.csv_encodings import TextEncoding, decode, readings_of

CODECS = {
    TextEncoding.windows_1252: "cp1252",
    TextEncoding.macintosh: "mac_roman",
    TextEncoding.ibm850: "cp850",
    TextEncoding.windows_1250: "cp1250",
    TextEncoding.windows_1251: "cp1251",
}
POSTS = (
    "Grüße aus Köln! Überzeugt? Wir ändern das früh, für größere Räume.",
    "„Schöne Grüße“, sagte sie … und ging – für 10 €.",
    "Don’t miss it – we’re open “late”. It’s worth £5…",
    "Ça va être très bon à l’été : où êtes-vous ? Déjà là, Noël à la crèche.",
    "¡Mañana será otro día! ¿Dónde está el niño? Más información aquí, señor.",
    "Perché è così? La città è più bella, però.",
    "Hej då, vi ses på söndag. Åre är kallt på våren.",
)
SHORT = (
    *("Köln", "schön", "für", "Straße", "Mädchen", "Größe", "Österreich", "Ägypten", "ähnlich", "10 € – heute"),
    *("Don’t", "It’s", "“Quoted”", "Café", "naïve résumé", "£5", "• First\n• Second", "œuvre", "Français", "l’été"),
    *(
        "así",
        "país",
        "título",
        "acción",
        "Não há ações",
        "São Paulo",
        "coração",
        "città",
        "più",
        "Malmö",
        "Åre är kallt",
    ),
    *("Zażółć gęślą jaźń", "Łódź", "Cześć", "Škoda", "Čeština", "Příliš žluťoučký kůň", "Árvíztűrő tükörfúrógép"),
    *("Привет, мир", "Скидка", "Größe 42½", "5 °C", "© Müller & Söhne", "Straßenfest für Groß & Klein"),
)


@pytest.mark.parametrize("post", POSTS)
def test_a_post_is_read_right_whichever_program_has_saved_it(post: str) -> None:
    for encoding in (TextEncoding.windows_1252, TextEncoding.macintosh, TextEncoding.ibm850):
        try:
            data = post.encode(CODECS[encoding])
        except UnicodeEncodeError:  # that program could not have saved it
            continue
        found = decode(data)
        assert found is not None
        assert not found.sure or found.text == post
        assert found.text == post, encoding
    found = decode(post.encode("cp1252"))
    assert found is not None
    assert found.sure


@pytest.mark.parametrize("post", SHORT)
def test_nothing_is_read_wrong_without_a_question(post: str) -> None:
    for encoding, codec in CODECS.items():
        try:
            data = post.encode(codec)
        except UnicodeEncodeError:
            continue
        found = decode(data)
        assert found is not None
        assert found.text == post or not found.sure, encoding
        if not found.sure:  # and what it is stands to choose from
            assert (encoding, post) in readings_of(data, (found.encoding, *found.others)) or "\n" in post


def test_marks_and_utf_8_leave_no_question() -> None:
    text = "Grüße, мир 🎉\r\n"
    for codec, encoding in (
        *(("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16")),
        *(("utf-16-le", "utf-16"), ("utf-16-be", "utf-16")),
    ):
        found = decode(("content\tdate\r\n" * 9 + text).encode(codec))
        assert found is not None
        assert (found.text.endswith(text), found.text[0], found.encoding, found.sure) == (True, "c", encoding, True)
        assert found.others == ()


def test_a_person_has_the_last_word() -> None:
    data = "schön".encode("mac_roman")
    for encoding in TextEncoding:
        found = decode(data, encoding)
        if encoding in (TextEncoding.utf_8, TextEncoding.utf_16):
            assert found is None
        else:
            assert found is not None
            assert (found.sure, found.encoding) == (True, encoding)


@given(st.binary(max_size=200))
def test_no_bytes_break_it(data: bytes) -> None:
    found = decode(data)
    assert found is None or "\0" not in found.text
    readings_of(data, CODECS)
