import pytest

from core.users.rules.email_addresses import normal_email


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" mara@Lindhof.DE ", "mara@lindhof.de"),
        ("Mara.Lind@lindhof.de", "Mara.Lind@lindhof.de"),
        ("mara@büro.de", "mara@büro.de"),
        ("\u202amara@lindhof.de\u202c", "mara@lindhof.de"),
        ("ma\u200bra@lindhof.de\ufeff", "mara@lindhof.de"),
        ("mara", None),
        ("mara@@lindhof.de", None),
        ("", None),
    ],
)
def test_one_spelling_of_each_address(typed: str, kept: str | None) -> None:
    assert normal_email(typed) == kept
