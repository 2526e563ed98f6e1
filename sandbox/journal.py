"""A file that keeps rows over restarts: each change appends a line.

The operating system has the line before the response is sent, so it survives the end of the process, but there is no
fsync, so that 200 posts at once stay fast. Each start rewrites the file without its history.
"""

import json
import os
from pathlib import Path
from typing import Any


class Journal:
    """Rows by table and key; the last line wins. Raise ValueError for a damaged line before the last."""

    def __init__(self, path: Path) -> None:
        self.rows: dict[str, dict[str, dict[str, Any]]] = {}
        if path.exists():
            self._read(path)
        compact = path.with_suffix(".new")
        with compact.open("w", encoding="utf-8") as file:
            for table, rows in self.rows.items():
                file.writelines(_line(table, key, row) for key, row in rows.items())
        os.replace(compact, path)
        self._file = path.open("a", encoding="utf-8")

    def _read(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                table, key, row = json.loads(line)
            except ValueError as error:
                if number == len(lines):  # half written when the process was killed
                    break
                raise ValueError(f"{path}: line {number} is damaged") from error
            rows = self.rows.setdefault(table, {})
            if row is None:
                rows.pop(key, None)
            else:
                rows[key] = row

    def write(self, table: str, key: str, row: dict[str, Any] | None) -> None:
        self._file.write(_line(table, key, row))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _line(table: str, key: str, row: dict[str, Any] | None) -> str:
    return json.dumps([table, key, row], ensure_ascii=False, separators=(",", ":")) + "\n"
