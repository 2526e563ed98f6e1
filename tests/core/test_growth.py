"""That the tests of growth can fail."""

from tests.growth import calls, grows_in_step


def test_what_looks_at_all_for_each_is_told_from_what_looks_once() -> None:
    def once(numbers: list[int]) -> int:
        return sum(number * number for number in numbers)

    def all_for_each(numbers: list[int]) -> int:
        return sum(number in numbers for number in numbers)

    assert grows_in_step(lambda size: list(range(size)), once, 2500)
    assert not grows_in_step(lambda size: list(range(size)), all_for_each, 600)


def test_calls_are_counted() -> None:
    assert calls(lambda: [abs(number) for number in range(1000)]) >= 1000
    assert calls(lambda: None) < 10
