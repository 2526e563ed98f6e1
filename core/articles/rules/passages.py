"""A passage of a text to be rewritten: its position, and inserting the answer.

Positions are in UTF-16 units, as browsers count. Nothing outside of the passage is changed.
"""

from dataclasses import dataclass
from typing import Any, Final

from core.errors import ErrorCode, FieldError, InvalidInput

MAX_REMARK: Final = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Passage:
    before: str
    text: str
    after: str
    remark: str

    def taken_by(self, text: str) -> str:
        """Return the new text with the spaces and line ends that surround the passage."""
        bare = self.text.strip()
        start = self.text.index(bare)
        return f"{self.text[:start]}{text.strip()}{self.text[start + len(bare) :]}"

    def whole(self, text: str) -> str:
        """Return the whole text with `text` instead of the passage."""
        return f"{self.before}{text}{self.after}"

    def room(self, limit: int) -> int:
        """Return the limit of the new text in UTF-16 units if the whole may have `limit`: at least the passage's
        length."""
        return max(_units(self.text), limit - _units(self.before) - _units(self.after))


def passage_at(text: str, start: int, end: int, remark: str) -> Passage:
    """Return the passage from `start` to before `end`, in UTF-16 units. Raises InvalidInput: invalid_input on `start`
    or `end` outside of the text or within a character; content_empty on `end` if the passage is blank, on `remark` if
    it is blank."""
    units, problems = text.encode("utf-16-le", "surrogatepass"), list[FieldError]()
    parts = []
    for field, begins, ends in (("start", 0, start), ("end", start, end), ("end", end, len(units) // 2)):
        try:
            if not 0 <= begins <= ends <= len(units) // 2:
                raise ValueError
            parts.append(units[2 * begins : 2 * ends].decode("utf-16-le"))
        except ValueError as error:  # also for half of a character
            raise InvalidInput(errors=[FieldError(field, ErrorCode.invalid_input)]) from error
    before, passage, after = parts
    if not passage.strip():
        problems.append(FieldError("end", ErrorCode.content_empty))
    if not remark.strip():
        problems.append(FieldError("remark", ErrorCode.content_empty))
    if problems:
        raise InvalidInput(errors=problems)
    return Passage(before, passage, after, remark.strip())


def passage_to_json(passage: Passage) -> dict[str, Any]:
    return {"before": passage.before, "text": passage.text, "after": passage.after, "remark": passage.remark}


def passage_from_json(stored: dict[str, Any]) -> Passage:
    return Passage(stored["before"], stored["text"], stored["after"], stored["remark"])


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
