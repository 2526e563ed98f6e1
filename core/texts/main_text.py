"""The main text of a web page, by trafilatura in a process of its own: a page can be made so that it takes hours."""

from typing import Final

from core.script_processes import run_script

_MOST_HTML: Final = 1_000_000
"""Characters of a page that are read."""


async def main_text(html: str) -> str:
    """Return the main text of a page without menus, comments and tables: paragraphs between line feeds. Empty if it has
    none, or if finding it takes longer than ten seconds."""
    output = await run_script("core.texts.main_text_script", html[:_MOST_HTML].encode(errors="replace"))
    return (output or b"").decode(errors="replace").strip()
