"""Whether a migration only adds: no statement that worked before it fails after it, waits long for it, or answers
something else. Statements of SQLAlchemy name their columns, so what is added does not concern them."""

import re
from collections.abc import Mapping, Sequence, Set

_NAME = r"[\w.\"]+"
_SETTINGS = re.compile(r"(SET|RESET) lock_timeout|(UPDATE|INSERT INTO) alembic_version|COMMENT ON|SELECT ")
_TYPE = r"(?!\w*SERIAL)\w+( PRECISION| VARYING)?(\([\d, ]+\))?( WITH(OUT)? TIME ZONE)?(\[\])?"
_VALUE = rf"('[^']*'|(?!NULL\b)[\w.-]+|now\(\))(::{_TYPE})?"
_COLUMN = re.compile(rf"ADD COLUMN {_NAME} {_TYPE}( DEFAULT {_VALUE}( NOT NULL)?)?", re.IGNORECASE)
_LITERAL = r"'[^']*'"


def find_changes(statements: Sequence[str], columns: Mapping[str, Set[str]], unique: Set[str]) -> list[str]:
    """Return the statements that do more than add. `columns`: those of each table before; `unique`: the unique indexes
    before."""
    told = [" ".join(statement.split()) for statement in statements]
    made = {name(found[1]) for one in told if (found := re.match(rf"CREATE TABLE ({_NAME})", one))}
    added: dict[str, set[str]] = {}
    for one in told:
        if found := re.match(rf"ALTER TABLE ({_NAME}) ADD COLUMN ({_NAME})", one):
            added.setdefault(name(found[1]), set()).add(name(found[2]))
    return [one for one in told if not _only_adds(one, made, added, columns, unique)]


def name(quoted: str) -> str:
    return quoted.replace('"', "").removeprefix("public.")


def _only_adds(
    statement: str, made: Set[str], added: Mapping[str, Set[str]], columns: Mapping[str, Set[str]], unique: Set[str]
) -> bool:
    if ";" in re.sub(_LITERAL, "", statement):
        return False
    if _SETTINGS.match(statement):
        return True
    if statement.startswith("CREATE TABLE"):
        return _lets_go(statement)
    if found := re.match(rf"CREATE (UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?{_NAME} ON ({_NAME})", statement):
        return name(found[4]) in made or bool(found[2] and not found[1])
    if found := re.match(rf"DROP INDEX CONCURRENTLY (IF EXISTS )?({_NAME})$", statement):
        return name(found[2]) not in unique
    if found := re.match(rf"ALTER TABLE ({_NAME}) (.*)", statement):
        table = name(found[1])
        return table in made or _adds_to(found[2], added.get(table, set()), columns.get(table, set()))
    return False


def _lets_go(statement: str) -> bool:
    """Whether rows that it refers to can still be deleted by whoever does not know it."""
    return statement.count("REFERENCES ") == len(re.findall(r"ON DELETE (?:CASCADE|SET NULL)", statement))


def _adds_to(action: str, added: Set[str], before: Set[str]) -> bool:
    if _COLUMN.fullmatch(action):
        return True
    if action.startswith("ADD CONSTRAINT ") and action.endswith(" NOT VALID") and not _has_several(action):
        # whoever does not know the new columns leaves them empty, which every constraint on them alone accepts
        own = re.sub(rf"REFERENCES .*?\([^)]*\)|{_LITERAL}", "", action)
        words = set(re.findall(r"\w+", own))
        return bool(words & added) and not words & before and "UNIQUE" not in words and _lets_go(action)
    return re.fullmatch(rf"VALIDATE CONSTRAINT {_NAME}", action) is not None


def _has_several(action: str) -> bool:
    """Whether it has a comma outside of parentheses."""
    rest = re.sub(_LITERAL, "", action)
    while rest != (inner := re.sub(r"\([^()]*\)", "", rest)):
        rest = inner
    return "," in rest
