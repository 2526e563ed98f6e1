import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.media.rules.media import MAX_NAME, MediaKind, clean_name, default_title, file_name


def test_a_file_keeps_its_own_name_alone() -> None:
    assert file_name("C:\\Users\\mara\\Fahrrad im Regen.JPG") == "Fahrrad im Regen.JPG"
    assert file_name("../../etc/passwd") == "passwd"
    assert file_name("photo\x00\r\n\u202egpj.exe") == "photo gpj.exe"
    assert file_name("Scho\u0308n.png") == "Schön.png"
    assert file_name("a/b/") == ""
    assert file_name("\ufeffRain\u2028and\u2066 wind.png") == "Rain and wind.png"


def test_a_title_is_no_path() -> None:
    assert clean_name("  Summer / Winter\t2026 ") == "Summer / Winter 2026"


@pytest.mark.parametrize(
    ("kind", "name", "title"),
    [
        (MediaKind.document, "Eight_questions.pdf", "Eight questions"),
        (MediaKind.video, "my_clip  v3.MP4", "my clip v3"),
        (MediaKind.video, "Rain.mov.m4v", "Rain.mov"),
        (
            MediaKind.document,
            "Fenders, lights and a few other things that help you in the rain.pdf",
            "Fenders, lights and a few other things that help you in",
        ),
        (MediaKind.document, "A" * 80, "A" * 58),
        (MediaKind.video, "A" * 80, "A" * 80),
        (MediaKind.image, "Rain.png", ""),
    ],
)
def test_a_file_without_a_title_is_called_by_its_name(kind: MediaKind, name: str, title: str) -> None:
    """As `file-title.ts` shows it before the post is saved."""
    assert default_title(kind, name) == title


@given(st.text(max_size=400) | st.text("a/\\ \n\u202e\ud800", max_size=400))
def test_any_name_can_be_shown_and_stored(name: str) -> None:
    for clean in (file_name(name), clean_name(name)):
        assert len(clean) <= MAX_NAME
        assert clean == clean.strip()
        assert clean_name(clean) == clean
        assert not any(ord(letter) < 32 or "\ud800" <= letter <= "\udfff" for letter in clean)
        clean.encode()
    assert not {"/", "\\"} & set(file_name(name))
