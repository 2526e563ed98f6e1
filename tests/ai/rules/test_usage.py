"""What the tokens of a call tell about its prompt."""

import pytest

from core.ai.rules.usage import Usage, is_prompt_cut


@pytest.mark.parametrize(
    ("size", "usage", "cut"),
    [
        (16_000, Usage(3_900, 196), True),  # a context of 4,096, filled to the last token
        (16_000, Usage(4_096, 300), True),
        (60_000, Usage(8_000, 192), True),
        (16_000, Usage(900, 300), True),  # no tokenizer makes so few of it
        (16_000, Usage(3_900, 300), False),
        (16_000, Usage(4_800, 300), False),
        (30_000, Usage(5_000, 300), False),  # of a script with three bytes a letter
        (1_500, Usage(450, 574), False),  # 1,024 by chance, and far too short
        (16_000, Usage(None, None), False),
        (16_000, Usage(0, 0), False),  # counted by nobody
        (16_000, Usage(20, 300, cached_tokens=3_900), False),  # counted beside the others
        (16_000, Usage(3_900, None), False),
    ],
)
def test_a_prompt_that_was_cut_is_told_by_its_tokens(size: int, usage: Usage, cut: bool) -> None:
    assert is_prompt_cut(size, usage) is cut
