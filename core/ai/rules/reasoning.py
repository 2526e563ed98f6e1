"""Removes a model's reasoning and the marks of its chat format, which some servers leave in an answer.

A mark counts only where models put it: reasoning begins a line, the end of a turn ends one. A mark quoted in a
sentence, in quotation marks, in code or between words, is part of the text.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from typing import Final, NamedTuple

_NAMES: Final = (
    "think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|inner_monologue|internal_monologue"
    "|seed:think|mm:think|chain_of_thought|antthinking|longcat_think|planning"
)
_LESS, _MORE = "(?:<|&lt;)", "(?:>|&gt;)"
# of model families without angle brackets or with other names: Mistral, Kimi, Sky-T1, Cohere, Apertus, Gemma
_OTHER_OPENINGS: Final = (
    r"\[THINK\]|\[BEGIN_THINKING\]|◁think▷|<\|think(?:ing)?\|>|<\|begin_of_th(?:ought|inking)\|>"
    r"|<\|START_THINKING\|>|<\|inner_prefix\|>|<\|channel>\s*thought"
    r"|<unused94>(?:thought)?"
)
_OTHER_CLOSINGS: Final = (
    r"\[/THINK\]|\[END_THINKING\]|◁/think▷|<\|/think(?:ing)?\|>"
    r"|<\|end_of_th(?:ought|inking)\|>|<\|END_THINKING\|>|<\|inner_suffix\|>|<channel\|>|<unused95>"
)
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*$", re.MULTILINE)
_OPENING_OR_FENCE: Final = re.compile(
    rf"^[ \t]*(?:(?P<fence>`{{3,}}|~{{3,}})[\w+-]*[ \t]*$"
    rf"|(?P<opening>{_LESS}(?:{_NAMES})(?:\s[^<>\n]{{0,200}})?{_MORE}"
    rf"|{_OTHER_OPENINGS}))",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING: Final = re.compile(rf"{_LESS}\s*/\s*(?:{_NAMES})\s*{_MORE}|{_OTHER_CLOSINGS}", re.IGNORECASE)
_SELF_CLOSED: Final = re.compile(rf"^[ \t]*<(?:{_NAMES})\s*/>[ \t]*\n?", re.IGNORECASE | re.MULTILINE)
_DETAILS: Final = re.compile(
    r"^[ \t]*<details(?: type=\"reasoning\"[^>]*>"
    r"|[^>]*>\s*<summary>[^<]*(?:thought|thinking|reasoning|nachgedacht)[^<]*<).*?(?:</details>|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
# harmony, the format of gpt-oss
_CHANNEL: Final = re.compile(
    r"(?:<\|start\|>\s*\w*\s*)?<\|channel\|>\s*(?P<name>analysis|commentary|final|thought|thinking|reflection)\b"
    r"[^<\n]*(?:<\|constrain\|>[^<\n]*)?(?:<\|message\|>)?",
    re.IGNORECASE,
)
# the same if a server has removed the marks but not their names
_BARE_CHANNELS: Final = re.compile(
    r"\A\s*(?:assistant)?(?:analysis|commentary)(?=[A-ZÄÖÜ\n]).*assistantfinal", re.DOTALL
)
_BARE_ANALYSIS: Final = re.compile(r"\A\s*(?:assistant)?analysis[A-Z][\w']* .*\Z", re.DOTALL)
# reasoning marked by words: Ollama's command line, Granite, and labels on separate lines
_LABELLED_REASONING: Final = (
    r"(?:\*\*|#+ *)?(?:Thinking|Thought process|Reasoning|Chain of thought|Überlegung(?:en)?|Gedankengang|Denkprozess)"
    r":?(?:\*\*)?:?[ \t]*\n"
)
_LABELLED_ANSWER: Final = (
    r"(?:\*\*|#+ *)?(?:Final |Finale[rs]? |Fertige[rs]? )?(?:Answer|Post|Response|Text|Antwort|Beitrag):(?:\*\*)?[ \t]*"
)
_SPELLED: Final = re.compile(
    r"\A\s*(?:Thinking\.{3}\s*\n.*?\n\.{3}\s*done thinking\.?"
    r"|```(?:think|thinking|thoughts?|reasoning)[ \t]*\n.*?(?:\n```[ \t]*(?=\n)|\Z)"
    r"|Here is my thought process:.*?\nHere is my response:"
    rf"|{_LABELLED_REASONING}.*?\n{_LABELLED_ANSWER}(?=\n))",
    re.IGNORECASE | re.DOTALL,
)

_ROLE: Final = (
    r"<\|im_start\|>[ \t]*(?P<chatml>\w+)?(?:<\|im_sep\|>)?[ \t]*\n?"
    r"|<\|(?:start_header_id|header_start)\|>\s*(?P<llama>\w+)\s*<\|(?:end_header_id|header_end)\|>\s*"
    r"|<\|im_(?P<kimi>assistant|user|system)\|>[^<\n]{0,40}<\|im_middle\|>"
    r"|<seed:bos>\s*(?P<seed>assistant|user|system)?[ \t]*\n?|\[\|(?P<exaone>assistant|user|system)\|\]"
    r"|<\|(?P<apertus>assistant|user|system)_start\|>"
    r"|<start_of_turn>[ \t]*(?P<gemma>\w+)?[ \t]*\n?|<\|turn>[ \t]*(?P<gemma4>\w+)?[ \t]*\n?"
    r"|<\|start_of_role\|>\s*(?P<granite>\w+)\s*<\|end_of_role\|>|<[|｜](?P<bare>assistant|user|system)[|｜]>"
    r"|<\|start\|>\s*(?P<harmony>assistant|user|system|developer)?|<\|START_OF_TURN_TOKEN\|>"
    r"|<\|(?P<cohere>CHATBOT|USER|SYSTEM)_TOKEN\|>|(?P<inst>\[INST\])|(?P<answer>\[/INST\])"
)
_END: Final = (
    r"<\|(?:im_end|eot|eot_id|eom|eom_id|end|endoftext|end_of_text|end_of_turn|endofturn|endofprompt|return|call|eos"
    r"|END_OF_TURN_TOKEN|(?:assistant|user|system)_end|observation)\|>|<seed:eos>|\[\|endofturn\|\]"
    r"|\[end of text\](?=\s*\Z)"
    r"|<[|｜]end[▁_]of[▁_]sentence[|｜]>|<end_of_turn>|<end_of_utterance>|<turn\|>|\A\s*<s>|</s>(?=\s*\Z)"
)
_TURN: Final = re.compile(rf"(?P<role>{_ROLE})|(?P<end>{_END})", re.IGNORECASE)
# a role whose marks are missing
_ROLE_ALONE: Final = re.compile(r"\A\s*(?:(?:assistant|model)[ \t]*\n+|(?:Assistant|ASSISTANT):[ \t]*\n+)")
_LOOSE: Final = re.compile(
    r"<\|(?:begin_of_text|startoftext|begin_of_solution|end_of_solution|START_RESPONSE|END_RESPONSE|message"
    r"|START_TEXT|END_TEXT|python_tag|fim_suffix|sep|pad)\|>|<[|｜]begin[▁_]of[▁_]sentence[|｜]>|<(?:bos|eos|pad|unk)>"
    r"|</?value>",
    re.IGNORECASE,
)
# any other mark of this form
_ANY_MARK: Final = re.compile(r"<\|[a-z][a-z0-9]*(?:_[a-z0-9]+)*\|>", re.IGNORECASE)
# a mark cut off by the end of the answer
_HALF_MARK: Final = re.compile(
    r"(?:(?:<[|｜]/?[\w▁]*[|｜]?(?:>\s*\w*)?)+<?|(?:<|&lt;?|&)/?[a-z_:]{0,20}|\[/?[A-Z_]{0,14}|\[\|[a-z]{0,10}\|?"
    r"|◁/?\w{0,5}▷?)\Z",
    re.IGNORECASE,
)
_ANSWER_TAG: Final = (
    "(?P<tag>answer|final_answer|final|(?:assistant_)?response|output|post|social_post|beitrag|antwort)"
)
_ANSWER: Final = re.compile(
    rf"(?:\A|\n)[ \t]*<{_ANSWER_TAG}>\s*(?P<inner>.*?)\s*</(?P=tag)>\s*\Z", re.IGNORECASE | re.DOTALL
)
# the closing tag alone, if the prompt opened it
_ANSWER_END: Final = re.compile(rf"(?:(?<=\S)|\n\s*)</{_ANSWER_TAG}>\s*\Z", re.IGNORECASE)
_ROLE_NAMES: Final = (
    *("chatml", "llama", "kimi", "seed", "exaone", "apertus", "gemma", "gemma4", "granite", "bare"),
    *("harmony", "cohere"),
)
_OWN_ROLES: Final = {"assistant", "model", "chatbot"}
_AROUND: Final = 200
"""Characters on each side that decide whether a mark is quoted."""
_OPENING_QUOTES, _CLOSING_QUOTES = "`\"'“„‚‘«»‹›(", "`\"'”“’‘»«›‹)"


class AnswerWithoutReasoning(NamedTuple):
    text: str
    reasoned: bool
    """Whether there was reasoning."""


def without_reasoning(text: str) -> AnswerWithoutReasoning:
    """Return the text without reasoning and chat marks; empty if the answer has nothing else."""
    text, reasoned = _final_channel(text)
    for pattern in (_SELF_CLOSED, _DETAILS, _BARE_CHANNELS, _BARE_ANALYSIS, _SPELLED):
        bare = pattern.sub("", text)
        reasoned, text = reasoned or bare != text, bare
    bare = _without_blocks(text)
    reasoned, text = reasoned or bare != text, bare
    # if the prompt opened the reasoning, the answer has only its end
    if closings := list(_marks(_CLOSING, text)):
        text, reasoned = text[closings[-1].end() :], True
    text = _ROLE_ALONE.sub("", _without(_ANY_MARK, _own_turn(_without(_LOOSE, text))))
    if inner := _ANSWER.search(text):
        text = inner["inner"]
    elif (closing := _ANSWER_END.search(text)) and f"<{closing['tag']}" not in text[: closing.start()]:
        text = text[: closing.start()]
    return AnswerWithoutReasoning(text, reasoned)


def ends_unopened_reasoning(text: str) -> bool:
    """Return whether the text contains the end of reasoning that the prompt opened."""
    return next(_marks(_CLOSING, _without_blocks(text)), None) is not None


def without_half_mark(text: str) -> str:
    """Return an unfinished text without the beginning of a mark at its end."""
    return _HALF_MARK.sub("", text)


def is_quoted(text: str, mark: re.Match[str]) -> bool:
    """Return whether a sentence quotes the mark: in quotation marks, in code, or as a word among words."""
    start, end = mark.span()
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    after = text[end : end + _AROUND].partition("\n")[0]
    if before and before[-1] in _OPENING_QUOTES and after and after[0] in _CLOSING_QUOTES:
        return True
    if before.count("`") % 2 and "`" in after:
        return True
    words = before.rstrip(" \t")
    among = len(words) < len(before) and words[-1:].isalnum() and after.lstrip(" \t")
    return bool(among) and (after[0] in " \t.,;:!?)" and not after.lstrip(" \t").startswith(("<", "[")))


def _final_channel(text: str) -> AnswerWithoutReasoning:
    found = list(_marks(_CHANNEL, text))
    if not found:
        return AnswerWithoutReasoning(text, False)
    ends = [*(match.start() for match in found[1:]), len(text)]
    finals = [
        text[match.end() : end] for match, end in zip(found, ends, strict=True) if match["name"].lower() == "final"
    ]
    reasoned = any(match["name"].lower() != "final" for match in found)
    return AnswerWithoutReasoning(finals[-1] if finals else text[: found[0].start()], reasoned)


def _without_blocks(text: str) -> str:
    """Remove the text between each opening and the next closing, or the end if there is none. Openings in code blocks
    do not count."""
    kept, start, at, fence = list[str](), 0, 0, ""
    while found := _OPENING_OR_FENCE.search(text, at):
        at = found.end()
        if found["fence"]:
            mark = found["fence"][:3]
            fence = "" if fence == mark else fence or mark
        elif not fence:
            kept.append(text[start : found.start()])
            closing = _CLOSING.search(text, at)
            start = at = closing.end() if closing else len(text)
    return "".join((*kept, text[start:]))


def _marks(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the marks that are not quoted in a sentence or in a code block."""
    fences = [fence.start() for fence in _FENCE.finditer(text)]
    for mark in pattern.finditer(text):
        before = bisect(fences, mark.start())
        in_code = before % 2 == 1 and before < len(fences)  # an unclosed fence begins no block
        if not in_code and not is_quoted(text, mark):
            yield mark


def _without(marks: re.Pattern[str], text: str) -> str:
    kept, start = list[str](), 0
    for mark in _marks(marks, text):
        kept.append(text[start : mark.start()])
        start = mark.end()
    return "".join((*kept, text[start:]))


def _own_turn(text: str) -> str:
    """Return the model's first turn: further turns are made up."""
    role, start, turns = "", 0, list[tuple[str, str]]()
    for mark in _marks(_TURN, text):
        turns.append((role, text[start : mark.start()]))
        start, role = mark.end(), _role(mark)
    if not turns:
        return text
    turns.append((role, text[start:]))
    own = (content for role, content in turns if content.strip() and (not role or role in _OWN_ROLES))
    return next(own, "")


def _role(mark: re.Match[str]) -> str:
    if mark["end"]:
        return ""
    if mark["inst"]:
        return "user"
    named = (mark[name] for name in _ROLE_NAMES)
    return next((name.lower() for name in named if name), "")
