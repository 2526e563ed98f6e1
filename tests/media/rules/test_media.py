from hypothesis import given
from hypothesis import strategies as st

from core.media.rules.media import MAX_NAME, clean_name, file_name


def test_a_file_keeps_its_own_name_alone() -> None:
    assert file_name("C:\\Users\\mara\\Fahrrad im Regen.JPG") == "Fahrrad im Regen.JPG"
    assert file_name("../../etc/passwd") == "passwd"
    assert file_name("photo\x00\r\n\u202egpj.exe") == "photo gpj.exe"
    assert file_name("Scho\u0308n.png") == "Schön.png"
    assert file_name("a/b/") == ""
    assert file_name("\ufeffRain\u2028and\u2066 wind.png") == "Rain and wind.png"


def test_a_title_is_no_path() -> None:
    assert clean_name("  Summer / Winter\t2026 ") == "Summer / Winter 2026"


@given(st.text(max_size=400) | st.text("a/\\ \n\u202e\ud800", max_size=400))
def test_any_name_can_be_shown_and_stored(name: str) -> None:
    for clean in (file_name(name), clean_name(name)):
        assert len(clean) <= MAX_NAME
        assert clean == clean.strip()
        assert clean_name(clean) == clean
        assert not any(ord(letter) < 32 or "\ud800" <= letter <= "\udfff" for letter in clean)
        clean.encode()
    assert not {"/", "\\"} & set(file_name(name))
