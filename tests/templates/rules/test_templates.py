import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ErrorCode, InvalidInput
from core.templates.rules.templates import (
    MAX_PROMPT,
    MAX_VALUE,
    RESERVED,
    TemplateType,
    Text,
    Variable,
    extra_variables,
    fill,
    is_reserved,
    max_filled_length,
    missing_parts,
    parse,
    used_values,
)
from core.topics.rules import MAX_TITLE
from tests.growth import grows_in_step


def problems(body: str) -> list[tuple[int, int, str]]:
    errors = parse(body).errors
    assert all((error.field, error.code) == ("body", ErrorCode.template_syntax) for error in errors)
    return [(error.params["line"], error.params["column"], error.params["problem"]) for error in errors]  # type: ignore[misc]


def test_variables_are_found_once_in_their_first_spelling() -> None:
    parsed = parse("((Topic)) for (( my   audience )), about ((TOPIC)) and ((My Audience))")
    assert parsed.variables == ("Topic", "my audience")
    assert parsed.parts == (
        Variable("Topic"),
        Text(" for "),
        Variable("my audience"),
        Text(", about "),
        Variable("TOPIC"),
        Text(" and "),
        Variable("My Audience"),
    )
    assert parsed.errors == ()


@pytest.mark.parametrize("name", ["Größe", "Gro\u0308ße", "हिन्दी", "主题", "a_b-c 2", "x" * 64])
def test_letters_of_any_script_make_names(name: str) -> None:
    assert parse(f"(({name}))").variables == (name,)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (r"\((Topic))", "((Topic))"),
        (r"a \(( b", "a (( b"),
        ("(see (below))", "(see (below))"),
        ("(((Topic)))", "(T)"),
        ("((((Topic))))", "((T))"),
        (r"\((((Topic))", "((T"),
        ("back\\slash \\( ((topic))", "back\\slash \\( T"),
    ],
)
def test_parentheses_that_are_text_stay(body: str, expected: str) -> None:
    assert parse(body).errors == ()
    assert fill(body, {"Topic": "T"}) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("((Topic", [(1, 1, "unbalanced")]),
        ("one\ntwo ((Topic\n))", [(2, 5, "unbalanced")]),
        ("((a ((Topic))", [(1, 1, "unbalanced")]),
        ("x (())", [(1, 3, "empty")]),
        ("((  ))", [(1, 1, "empty")]),
        ("ä\n\n ((a.b))", [(3, 2, "bad_name")]),
        ("((" + "x" * 65 + "))", [(1, 1, "too_long")]),
        ("((a!)) ((b)) (())", [(1, 1, "bad_name"), (1, 14, "empty")]),
    ],
)
def test_errors_have_their_place(body: str, expected: list[tuple[int, int, str]]) -> None:
    assert problems(body) == expected


def test_what_is_malformed_stays_as_written() -> None:
    assert fill("((a!)) (()) ((Topic)) ((x", {"topic": "T"}) == "((a!)) (()) T ((x"


def test_an_assistant_needs_topic_in_text_and_content_in_images() -> None:
    assert missing_parts("About (( topic ))", TemplateType.text) == []
    assert missing_parts("For ((CONTENT))", TemplateType.image) == []
    text, image = missing_parts("((Content))", TemplateType.text), missing_parts(r"\((Content))", TemplateType.image)
    assert [(error.field, error.code) for error in text] == [("body", ErrorCode.template_needs_topic)]
    assert [(error.field, error.code) for error in image] == [("body", ErrorCode.image_template_needs_content)]


def test_what_is_not_reserved_is_to_be_given_by_the_assistant() -> None:
    assert extra_variables("((Topic)) ((topic path)) ((Audience)) ((BRAND  VOICE)) ((audience))") == ("Audience",)
    assert all(map(is_reserved, RESERVED))
    assert not is_reserved("Topics")


def test_values_match_by_name_whatever_its_case() -> None:
    assert fill("((Topic))/((GRÖSSE))", {"TOPIC": "a", "größe": "b"}) == "a/b"


def test_a_missing_value_is_named_and_an_empty_one_is_a_value() -> None:
    assert fill("[((Topic))]", {"Topic": ""}) == "[]"
    with pytest.raises(InvalidInput) as caught:
        fill("((Topic)) ((Audience)) ((Tone))", {"topic": "x"})
    assert caught.value.code == ErrorCode.variable_value_required
    assert caught.value.params == {"name": "Audience"}
    assert [(error.field, error.code, error.params) for error in caught.value.errors] == [
        ("values.Audience", ErrorCode.variable_value_required, {"name": "Audience"}),
        ("values.Tone", ErrorCode.variable_value_required, {"name": "Tone"}),
    ]


def test_values_are_data() -> None:
    assert fill("((Topic))", {"Topic": "((Content))", "Content": "secret"}) == "((Content))"
    assert fill("((Topic))", {"Topic": "a\x00b\x1b[0m\tc\r\nd\re\u0085"}) == "ab[0m c\nd\ne"
    assert fill("((Topic))", {"Topic": "x" * 10_001}) == "x" * 10_000


@pytest.mark.parametrize("piece", ["((", "((a", "(", "((a))", "))", "\\((", "((a!))", "(()) "])
def test_long_bodies_take_no_more_per_letter(piece: str) -> None:
    def read(body: str) -> None:
        assert len(parse(body).errors) <= 100

    assert grows_in_step(lambda size: piece * (size // len(piece)), read, 50_000)


bodies = st.lists(
    st.sampled_from(["((", "))", "(", ")", "\\((", "\\", "Topic", " ", "\n", "\r\n", "((Topic))", "((a b))", "ä", "!"])
    | st.text(max_size=5),
    max_size=25,
).map("".join)


@given(bodies)
def test_any_body_is_read_and_filling_loses_no_literal_text(body: str) -> None:
    parsed = parse(body)
    literal = "".join(part.text for part in parsed.parts if isinstance(part, Text))
    filled = fill(body, dict.fromkeys(parsed.variables, "v"))
    assert filled == "".join(part.text if isinstance(part, Text) else "v" for part in parsed.parts)
    # written back, with its parentheses escaped, the literal text is the same again
    assert fill(literal.replace("((", "\\(("), {}) == literal
    assert all(one != Text("") for one in parsed.parts)


@given(bodies)
def test_every_error_points_at_its_opening_parentheses(body: str) -> None:
    lines = body.split("\n")
    for line, column, _ in problems(body):
        assert lines[line - 1][column - 1 :].startswith("((")


@given(bodies)
def test_of_many_values_the_variables_take_their_own_whatever_the_case(body: str) -> None:
    variables = parse(body).variables
    given = {f"  {name.upper()} ": name for name in variables} | {"Nobody asks for this one": "x"}
    found = used_values(body, given)
    assert tuple(found) == variables
    assert fill(body, found) == fill(body, given)


@given(st.text(), st.text(), st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_a_value_arrives_unchanged_between_what_surrounds_it(before: str, after: str, value: str) -> None:
    before, after = before.replace("(", "").replace("\\", ""), after.replace("(", "").lstrip(")")
    assert fill(f"{before}((Topic)){after}", {"Topic": value}) == before + value + after


@given(
    st.lists(
        st.sampled_from(["((Topic))", "((topic))", "((A))", "((Date))", "text", "\\\\((", "((", "\n"]), max_size=12
    )
)
def test_no_run_fills_more_than_the_longest(pieces: list[str]) -> None:
    body = "".join(pieces)
    values = {"A": "x" * 2 * MAX_VALUE, "Topic": "x" * MAX_TITLE, "Date": "Wednesday, 30 September 2026"}
    if max_filled_length(body) <= MAX_PROMPT:
        assert len(fill(body, values)) <= max_filled_length(body)
    assert max_filled_length("((A)) and ((TOPIC))") == MAX_VALUE + len(" and ") + MAX_TITLE


def test_a_filled_template_has_a_total_limit_that_is_asked_before_it_is_written() -> None:
    value = "x" * MAX_VALUE
    assert len(fill("((A))" * 10, {"A": value})) == MAX_PROMPT
    with pytest.raises(InvalidInput) as caught:
        fill("((A))" * 10 + "!", {"A": value})
    assert caught.value.code is ErrorCode.prompt_too_long
    assert caught.value.params == {"length": MAX_PROMPT + 1, "limit": MAX_PROMPT}
    assert [(error.field, error.code, error.params) for error in caught.value.errors] == [
        ("body", ErrorCode.prompt_too_long, {"length": MAX_PROMPT + 1, "limit": MAX_PROMPT})
    ]
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInput):
            fill("((A))" * 4000, {"A": value})
        assert tracemalloc.get_traced_memory()[1] < 5_000_000  # of 40 MB
    finally:
        tracemalloc.stop()
