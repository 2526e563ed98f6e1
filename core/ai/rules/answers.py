"""Extracts the requested text from a model's answer, without anything that models and servers put around it.

Every text of a model passes `read_answer` before it is saved, counted or shown. `read_answer` is idempotent.
"""

import ast
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from core.ai.rules.answer_phrases import RULE, is_refusal, is_talk, without_closing, without_preamble
from core.ai.rules.markup import begins_as_html, plain_of_markdown, without_html
from core.ai.rules.reasoning import without_half_mark, without_reasoning


class Form(StrEnum):
    """The requested form of a text."""

    post = "post"
    """Plain text: a social post, or a line or two."""
    article = "article"
    """Markdown: an article or a part of one."""


class End(StrEnum):
    """How an answer ended."""

    complete = "complete"
    cut_off = "cut_off"
    filtered = "filtered"
    unknown = "unknown"
    """With an unknown reason: the answer may be incomplete."""


@dataclass(frozen=True)
class Answer:
    """`text` may be empty. `refusal`: the model's words if it refuses. `reasoned`: there was reasoning, which is not
    in the text."""

    text: str
    refusal: str = ""
    reasoned: bool = False


@dataclass(frozen=True)
class Content:
    """An answer's content before `read_answer`."""

    text: str = ""
    refusal: str = ""
    reasoned: bool = False

    def __add__(self, other: "Content") -> "Content":
        return Content(self.text + other.text, self.refusal + other.refusal, self.reasoned or other.reasoned)


_PASSES: Final = 8


def read_answer(raw: str, form: Form) -> Answer:
    """Return the answer without reasoning, chat marks and wrappers; a post also without Markdown."""
    bare = without_reasoning(clean_characters(raw, form))
    text = bare.text
    for _ in range(_PASSES):
        before, text = text, _unwrapped(without_reasoning(text).text, form)
        if text == before:
            break
    return Answer("", text, bare.reasoned) if is_refusal(text) else Answer(text, reasoned=bare.reasoned)


def shown_so_far(raw: str, form: Form) -> str:
    """Return the part of an unfinished answer that may be shown."""
    text = without_half_mark(raw)
    # after only a fence or JSON's start, it is unknown which part is the text
    return "" if re.match(r"\s*(?:`{1,3}\w*\s*)?(?:\Z|[{\[]\s*(?:\Z|[\"{]))", text) else read_answer(text, form).text


def read_end(reason: object) -> End:
    """Return the meaning of a `finish_reason` of any server. A missing reason in an otherwise whole answer counts as
    complete."""
    word = re.sub(r"\Afinish_?reason[._]", "", str(reason or "").strip().lower())
    return next((end for end, words in _ENDS.items() if word in words), End.unknown)


_ENDS: Final = {
    End.complete: {
        "",
        "stop",
        "stop_sequence",
        "eos",
        "eos_token",
        "end_turn",
        "complete",
        "completed",
        "finish",
        "finished",
        "end",
        "done",
        "stop_token",
    },
    End.cut_off: {
        *("length", "max_tokens", "max_output_tokens", "max_length", "model_length", "max_new_tokens"),
        *("model_context_window_exceeded", "context_length_exceeded"),
    },
    End.filtered: {
        *(
            "content_filter",
            "content-filter",
            "safety",
            "refusal",
            "recitation",
            "blocklist",
            "prohibited_content",
            "spii",
        ),
        *("guardrail_intervened", "content_filtered", "sensitive", "error_toxic", "image_safety"),
    },
}


def read_content(content: object) -> Content:
    """Return a message's content, which is a text or a list of parts; reasoning parts are no text."""
    if isinstance(content, str):
        return Content(content)
    if isinstance(content, list | tuple):
        return sum(map(read_content, content), Content())
    if content is None:
        return Content()
    kind, found = str(field(content, "type") or ""), Content()
    if "refusal" in kind:
        return Content(refusal=_string(field(content, "refusal")) or _string(field(content, "text")))
    if re.search("think|thought|reason|summary", kind):
        return Content(reasoned=True)
    if kind in ("", "text", "output_text", "input_text", "message"):
        text = field(content, "text")
        # a part may contain parts, or have its text in another field
        for inner in (text if isinstance(text, str) else field(text, "value"), field(content, "content")):
            if isinstance(inner, str | list):
                found += read_content(inner)
    return found


def reasoned_beside(message: object) -> bool:
    """Return whether a message has reasoning beside its content."""
    names = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
    return any(field(message, name) for name in names)


def field(thing: object, name: str) -> Any:
    """Return a field of a client's object or of plain JSON, or None if it is missing."""
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


# --- characters

_LINE_END: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSEEN: Final = re.compile(
    # controls except line feeds, lone surrogates, marks that change the text direction
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069"
    # invisible characters that no script needs; private use characters with which services mark sources
    "\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\ue000-\ue2ff]"
)
# invisible tag letters, except in the flag of a region
_TAGS: Final = re.compile("(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f)|[\U000e0000-\U000e007f]")
# a second variation selector, or an ideographic one after another character, hides data and has no meaning
_SELECTORS: Final = re.compile(
    "(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f\U000e0100-\U000e01ef]+"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]+"
)
_CITATION: Final = re.compile(
    "\ue200[^\ue200\ue201]{0,300}\ue201|【\\d+[:†][^】\n]{0,80}】|:contentReference\\[oaicite:\\d+\\]\\{index=\\d+\\}"
)
_SPACES_AT_END: Final = re.compile(r"[ \t]+$", re.MULTILINE)
_MANY_LINES: Final = re.compile(r"\n{4,}")


def clean_characters(text: str, form: Form) -> str:
    """Return the text in NFC, with only line feeds as line ends and without invisible characters."""
    tab = " " if form is Form.post else "    "  # indents code in an article
    text = _LINE_END.sub("\n", _CITATION.sub("", text)).replace("\t", tab)
    text = _SELECTORS.sub("", _TAGS.sub(lambda found: found["flag"] or "", _UNSEEN.sub("", text)))
    return unicodedata.normalize("NFC", text).strip()


# --- wrappers of a text


def _unwrapped(text: str, form: Form) -> str:
    """Remove wrappers in one pass: an outer one may contain further ones."""
    text = _out_of_json(text.strip())
    if "\n" not in text and r"\n\n" in text:  # line feeds are escaped
        text = text.replace(r"\n", "\n")
    if boxed := _BOXED.match(text):
        text = boxed["inner"].strip()
    text = _out_of_fence(text, form)
    if form is Form.post or begins_as_html(text):
        text = without_html(text, markdown=form is Form.article)
    text = without_preamble(text, form is Form.article)
    text = without_closing(text, form is Form.article)
    if form is Form.post:
        text = _first_of_several(text)
    text = _without_rules(text)
    if form is Form.post:
        text = plain_of_markdown(text)
    text = _MANY_LINES.sub("\n\n\n", _SPACES_AT_END.sub("", text)).strip()
    return _out_of_quotes(text)


_KEY: Final = (
    r"(?:\w*[_ -])?(?:post|posting|text|content|contents|caption|tweet|beitrag|inhalt|message|body|output|response"
    r"|answer|antwort|result|ergebnis|article|artikel|markdown|section|abschnitt|summary|zusammenfassung|copy|posts"
    r"|value)"
    r"(?:[_ -](?:text|content|body|de|en))?"
)
_NAMED: Final = re.compile(_KEY, re.IGNORECASE)
_LIKE_JSON: Final = re.compile(rf"\A[\[{{\s]*\{{\s*[\"']{_KEY}[\"']\s*:\s*[\"'\[{{]", re.IGNORECASE)
_BESIDE_TEXT: Final = frozenset(
    ("title", "titel", "headline", "hashtags", "tags", "link", "url", "image", "cta", "language", "platform")
)


def _out_of_json(text: str) -> str:
    if text[:1] not in ("{", "[", '"'):
        return text
    try:
        inner = _find_text(_read_json(text))
    except (ValueError, RecursionError):
        # in an unreadable wrapper, the text cannot be found
        return "" if _LIKE_JSON.match(text) else text
    return text if inner is None else inner.strip()


def _find_text(found: Any) -> str | None:
    """Return the text in a JSON answer, empty if it has none, or None if the JSON is no wrapper."""
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        # several texts are no wrapper of one
        return _find_text(found[0]) if len(found) == 1 else None
    if not isinstance(found, dict):
        return None
    named = [value for key, value in found.items() if _NAMED.fullmatch(str(key))]
    for value in named:
        if text := _find_text(value):
            return f"{text}{_row_of_hashtags(found, text)}"
    if named or any(str(key).lower() in _BESIDE_TEXT for key in found):
        return ""
    only = list(found.values())
    return only[0] if len(only) == 1 and isinstance(only[0], str) and len(only[0].split()) > 3 else None


def _read_json(text: str) -> Any:
    """Parse JSON, or the Python dict that some models write instead. Raise ValueError or RecursionError."""
    try:
        return json.loads(text, strict=False)
    except ValueError:
        if not text.startswith("{'"):
            raise
    try:
        return ast.literal_eval(text)
    except (SyntaxError, MemoryError) as error:
        raise ValueError from error


def _row_of_hashtags(found: dict[str, Any], text: str) -> str:
    tags = next((value for key, value in found.items() if str(key).lower() in ("hashtags", "tags")), None)
    if isinstance(tags, str):
        tags = tags.split()
    if not isinstance(tags, list):
        return ""
    row = [f"#{tag.strip().lstrip('#')}" for tag in tags if isinstance(tag, str) and re.fullmatch(r"\s*#?\w+\s*", tag)]
    return "\n\n" + " ".join(row) if row and row[0] not in text else ""


_FENCED: Final = re.compile(
    r"(?P<before>\A|\A[^`]*?\n)[ \t]*(?P<fence>`{3,}"
    r"|~{3,})(?P<language>[\w+-]*)[ ]*\n(?P<inner>.*?)\n?[ \t]*(?P=fence)"
    r"[ \t]*(?P<after>\n.*)?\Z",
    re.DOTALL,
)
_TEXT_FENCES: Final = {"", "text", "txt", "plaintext", "plain", "markdown", "md", "post", "html"}


def _out_of_fence(text: str, form: Form) -> str:
    """Return the content of a code block if the answer consists of it and words about it."""
    found = _FENCED.match(text)
    if not found or found["fence"] in found["inner"] or found["fence"] in (found["after"] or ""):
        return text
    wraps_json = found["language"].lower() == "json" and _LIKE_JSON.match(found["inner"].strip())
    if found["language"].lower() not in _TEXT_FENCES and not wraps_json:
        return text
    before, after = found["before"].strip(), (found["after"] or "").strip()
    return found["inner"].strip() if is_talk(before, after, form is Form.article) else text


_RULE_FIRST: Final = re.compile(rf"\A(?:[ \t]*{RULE}[ \t]*(?:\n+|\Z))+")
_RULE_LAST: Final = re.compile(rf"(?:(?:\n|\A)[ \t]*{RULE}[ \t]*)+\Z")
_INLINE_RULES: Final = re.compile(r"\A---[ \t]+(?P<inner>[^\n]+?)[ \t]+---\Z")


def _without_rules(text: str) -> str:
    if inline := _INLINE_RULES.match(text):
        return inline["inner"]
    return _RULE_LAST.sub("", _RULE_FIRST.sub("", text)).strip()


_BOXED: Final = re.compile(r"\A\\boxed\{(?P<inner>[^{}]*)\}\Z")
_CHOICE: Final = re.compile(
    r"^(?:#{1,6} +|\*\*)?(?:option|version|variante|vorschlag|alternative) (?P<number>[12ab])\b[^\n]{0,60}?"
    r"(?::\*\*|\*\*:?|:)[ \t]*\n|^#{1,6} +(?:option|version|variante|vorschlag"
    r"|alternative) (?P<level>[12ab])\b[^\n]{0,60}\n",
    re.IGNORECASE | re.MULTILINE,
)
_LEAST_CHOICE: Final = 60
"""Minimum characters of each of several texts; shorter ones may be choices within a post."""


def _first_of_several(text: str) -> str:
    """Return the first text if the answer offers several, each below a numbered heading."""
    found = list(_CHOICE.finditer(text))
    numbers = [(match["number"] or match["level"]).lower() for match in found]
    if numbers[:2] not in (["1", "2"], ["a", "b"]) or len(text[: found[0].start()].strip()) > _LEAST_CHOICE:
        return text
    first, rest = text[found[0].end() : found[1].start()].strip(), text[found[1].end() :].strip()
    return first if min(len(first), len(rest)) >= _LEAST_CHOICE else text


_QUOTES: Final = ('""', "''", "“”", "‘’", "„“", "„”", "‚‘", "«»", "»«", "‹›", "›‹", "「」")


def _out_of_quotes(text: str) -> str:
    """Remove quotes around the whole text, unless they also occur inside, as in `"A" and "B"`."""
    middle = text[1:-1]
    if len(text) > 1 and text[0] + text[-1] in _QUOTES and not {text[0], text[-1]} & set(middle):
        return middle.strip()
    return text
