"""`python -m api.openapi`: writes the document from which the web app's client is generated."""

import json
import sys
from pathlib import Path
from typing import Any

from api.app import bare_app

TARGET = Path(__file__).resolve().parents[1] / "frontend" / "openapi.json"


def document() -> dict[str, Any]:
    return bare_app().openapi()


def text() -> str:
    return json.dumps(document(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())
    sys.stdout.write(f"wrote {TARGET.relative_to(Path.cwd())}\n")
