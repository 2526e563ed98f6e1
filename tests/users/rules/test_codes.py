import pytest

from core.crypto import normal_code


@pytest.mark.parametrize(
    "typed",
    [
        "7KQXM2RVTA",
        "7kqxm-2rvta",
        " 7KQXM 2RVTA ",
        "\u202a7KQXM\u20112RVTA\u202c",
        "7KQXM–2RV\u200bTA",
        "７ＫＱＸＭ２ＲＶＴＡ",
    ],
)
def test_a_code_is_the_same_however_it_was_copied(typed: str) -> None:
    assert normal_code(typed) == "7KQXM2RVTA"
