r"""Templates: text with variables in double parentheses.

`((Name))` is a variable, `\((` is two parentheses. In a longer run of opening parentheses the last two count,
a variable stays on one line, and `))` with nothing to close is text, as in `(see (below))`. A malformed variable
is reported and stays in the text unchanged.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from core.errors import ErrorCode, FieldError, InvalidInput

TOPIC = "Topic"
CONTENT = "Content"
RESERVED = (TOPIC, CONTENT, "Topic Path", "Language", "Date", "Channel", "Brand Voice")
MAX_NAME = 64
MAX_VALUE = 10_000
MAX_PROMPT = 100_000
"""Characters of a filled template: some 25,000 tokens, which every model in use accepts, and ten times the longest
body with a long value. A longer prompt is a mistake, such as a value used a thousand times."""
_LONGEST_FILLED = {TOPIC: 200, "Language": 50, "Date": 50, "Channel": 50}
"""Characters of the values that Postloom itself fills in, if they are shorter than `MAX_VALUE`."""
MAX_ERRORS = 100
MOST_IN_FILE = 1_000
"""Templates in one export or import file."""

# the name ends before the next `((`, so that a body of only opening parentheses is still parsed in linear time
_TOKEN = re.compile(r"(?P<escape>\\\(\()|\(\((?!\()(?P<name>(?:(?!\(\(|\)\))[^\n\r])*)\)\)|(?P<open>\(\((?!\())")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class TemplateType(StrEnum):
    text = "text"
    image = "image"


class Visibility(StrEnum):
    private = "private"
    public = "public"


class Origin(StrEnum):
    """Where a template of the marketplace comes from: bundled, or from a user of this installation."""

    starter = "starter"
    community = "community"


class Engine(StrEnum):
    """What makes the images of an image template. `carousel`: cards, a page each, of one post."""

    card = "card"
    ai = "ai"
    carousel = "carousel"


class ReasoningEffort(StrEnum):
    """How much a model thinks before it writes."""

    none = "none"
    minimal = "minimal"
    low = "low"
    medium = "medium"
    high = "high"
    xhigh = "xhigh"


class ImageQuality(StrEnum):
    auto = "auto"
    low = "low"
    medium = "medium"
    high = "high"


@dataclass(frozen=True)
class Text:
    """Literal text; an escape has already become its parentheses."""

    text: str


@dataclass(frozen=True)
class Variable:
    """A name as written, inner spaces collapsed."""

    name: str


@dataclass(frozen=True)
class Parsed:
    """`variables` are the names in order of appearance, each once in its first spelling."""

    parts: tuple[Text | Variable, ...]
    variables: tuple[str, ...]
    errors: tuple[FieldError, ...]


@lru_cache(maxsize=256)
def parse(body: str) -> Parsed:
    """Parse a body; never raises. Errors are template_syntax on `body` with line and column (from 1, in code
    points) of the opening parentheses and the problem: unbalanced, empty, bad_name or too_long. At most 100.
    """
    parts: list[Text | Variable] = []
    problems: list[tuple[int, str]] = []
    literal: list[str] = []
    # each name is checked once, however often it is used
    looked_at: dict[str | None, tuple[str | None, str | None]] = {}
    done = 0
    for token in _TOKEN.finditer(body):
        literal.append(body[done : token.start()])
        done = token.end()
        if token["escape"]:
            literal.append("((")
            continue
        written = token["name"]
        if written not in looked_at:
            looked_at[written] = _name(written)
        name, problem = looked_at[written]
        if problem:
            problems.append((token.start(), problem))
            literal.append(token[0])
            continue
        parts += [*_text(literal), Variable(name or "")]
        literal = []
    literal.append(body[done:])
    parts += _text(literal)
    names: dict[str, str] = {}
    for name in dict.fromkeys(part.name for part in parts if isinstance(part, Variable)):
        names.setdefault(_key(name), name)
    errors = tuple(_located(body, *problem) for problem in problems[:MAX_ERRORS])
    return Parsed(tuple(parts), tuple(names.values()), errors)


def is_reserved(name: str) -> bool:
    """Return whether Postloom fills in the variable."""
    return _key(name) in _RESERVED_KEYS


def extra_variables(body: str) -> tuple[str, ...]:
    """Return the variables for which an assistant has to give fixed values."""
    return tuple(name for name in parse(body).variables if not is_reserved(name))


def missing_parts(body: str, kind: TemplateType) -> list[FieldError]:
    """Return the errors that keep an assistant from using a template of this kind."""
    present = {_key(name) for name in parse(body).variables}
    if kind is TemplateType.text and _key(TOPIC) not in present:
        return [FieldError("body", ErrorCode.template_needs_topic)]
    if kind is TemplateType.image and _key(CONTENT) not in present:
        return [FieldError("body", ErrorCode.image_template_needs_content)]
    return []


def fill(body: str, values: Mapping[str, str]) -> str:
    """Return the body with its variables replaced. Names ignore case.

    Values are data: parentheses in them are literal, control characters except line feeds are removed, and values
    are cut at 10,000 characters. An empty value is valid.
    Raise InvalidInput: variable_value_required, with the first missing name; prompt_too_long on `body` if the result
    would exceed `MAX_PROMPT` characters, before it is built.
    """
    parsed = parse(body)
    values_by_key = {_key(name): value for name, value in values.items()}
    missing = [name for name in parsed.variables if _key(name) not in values_by_key]
    if missing:
        code = ErrorCode.variable_value_required
        errors = [FieldError(f"values.{name}", code, name=name) for name in missing]
        raise InvalidInput(code, errors=errors, name=missing[0])
    cleaned = {name: _clean(values_by_key[_key(name)]) for name in parsed.variables}
    by_key = {_key(name): value for name, value in cleaned.items()}
    spelled = {part.name: by_key[_key(part.name)] for part in parsed.parts if isinstance(part, Variable)}
    pieces = [part.text if isinstance(part, Text) else spelled[part.name] for part in parsed.parts]
    if (length := sum(map(len, pieces))) > MAX_PROMPT:
        problem = FieldError("body", ErrorCode.prompt_too_long, length=length, limit=MAX_PROMPT)
        raise InvalidInput(ErrorCode.prompt_too_long, errors=[problem], length=length, limit=MAX_PROMPT)
    return "".join(pieces)


def max_filled_length(body: str) -> int:
    """Return the most characters that the body can have after a run has filled it."""
    parts = parse(body).parts
    return sum(
        len(part.text) if isinstance(part, Text) else _LONGEST_BY_KEY.get(_key(part.name), MAX_VALUE) for part in parts
    )


def used_values(body: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the body's variables, in the body's order and spelling."""
    values_by_key = {_key(name): value for name, value in values.items()}
    return {name: values_by_key[_key(name)] for name in parse(body).variables if _key(name) in values_by_key}


def _text(pieces: list[str]) -> list[Text | Variable]:
    text = "".join(pieces)
    return [Text(text)] if text else []


def _name(written: str | None) -> tuple[str | None, str | None]:
    """Return the name between the parentheses, inner spaces collapsed, and its problem."""
    if written is None:
        return None, "unbalanced"
    name = " ".join(written.split())
    return name, _name_problem(name)


def _name_problem(name: str) -> str | None:
    if not name:
        return "empty"
    if len(name) > MAX_NAME:
        return "too_long"
    return None if all(map(_in_names, name)) else "bad_name"


def _in_names(character: str) -> bool:
    # marks too: without them most words of Hindi, and decomposed umlauts, would not be letters
    return character in " _-" or unicodedata.category(character) in _LETTERS


def _located(body: str, start: int, problem: str) -> FieldError:
    line = body.count("\n", 0, start) + 1
    column = start - body.rfind("\n", 0, start)
    return FieldError("body", ErrorCode.template_syntax, line=line, column=column, problem=problem)


def _key(name: str) -> str:
    """Return the key by which spellings of a name are compared."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def _clean(value: str) -> str:
    lines = value[: 2 * MAX_VALUE].replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return _CONTROL.sub("", lines)[:MAX_VALUE]


_LONGEST_BY_KEY = {_key(name): length for name, length in _LONGEST_FILLED.items()}
_RESERVED_KEYS = frozenset(map(_key, RESERVED))
