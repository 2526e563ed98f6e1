import pytest

from core.brands.links import with_utm

UTM = {"utm_source": "{network}", "utm_medium": "social"}


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://a.example", "https://a.example?utm_source=linkedin&utm_medium=social"),
        ("https://a.example/shop?", "https://a.example/shop?utm_source=linkedin&utm_medium=social"),
        ("https://a.example/?a=1#top", "https://a.example/?a=1&utm_source=linkedin&utm_medium=social#top"),
        ("https://a.example/?utm_source=mail", "https://a.example/?utm_source=mail&utm_medium=social"),
        ("https://a.example/?utm_source=&utm_medium=", "https://a.example/?utm_source=&utm_medium="),
        ("https://a.example/?q=a+b%20c&x=ä", "https://a.example/?q=a+b%20c&x=ä&utm_source=linkedin&utm_medium=social"),
        ("", ""),
        ("mailto:me@a.example", "mailto:me@a.example"),
        ("https://[broken", "https://[broken"),
    ],
)
def test_a_link_gets_what_it_lacks_and_stays_otherwise(link: str, expected: str) -> None:
    assert with_utm(link, UTM, "linkedin") == expected


def test_a_value_is_encoded_and_an_empty_one_left_out() -> None:
    told = with_utm("https://a.example", {"utm_campaign": "Über & aus", "utm_term": "", "x": "{network}1"}, "bluesky")
    assert told == "https://a.example?utm_campaign=%C3%9Cber%20%26%20aus&x=bluesky1"


def test_without_parameters_nothing_changes() -> None:
    assert with_utm("https://a.example#top", {}, "linkedin") == "https://a.example#top"
