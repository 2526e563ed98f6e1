"""Layout and styles of the sandbox's pages."""

from collections.abc import Iterable
from datetime import UTC, datetime

from starlette.responses import HTMLResponse

from sandbox.texts import Text

STYLE = """
:root {
  color-scheme: light dark;
  --canvas: light-dark(#eef2f2, #141b1e); --card: light-dark(#fff, #1d272b);
  --line: light-dark(#d6dede, #334046); --control: light-dark(#7d8a8d, #69777b);
  --text: light-dark(#172124, #e6ecec); --dim: light-dark(#566265, #a3b0b3);
  --link: light-dark(#115d67, #7cc5cf); --on: light-dark(#fff, #10191b);
  --note: light-dark(#fff2d0, #3a3018); --error: light-dark(#a52a20, #ff9d92);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header, main { max-width: 640px; margin: 0 auto; padding: 4px 16px 48px; }
header { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 14px 16px 0; }
header strong { margin-right: auto; }
h1 { font-size: 22px; letter-spacing: -.015em; margin: 14px 0 2px; overflow-wrap: anywhere; }
h1 + p { margin: 0 0 16px; }
h2 { font-size: 16px; margin: 22px 0 6px; }
p { color: var(--dim); }
a { color: var(--link); }
code, dd { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.note { background: var(--note); color: var(--text); padding: 7px 16px; text-align: center; font-size: 13px;
  margin: 0; }
.error { color: var(--error); font-weight: 600; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px;
  margin: 0 0 14px; }
h1 + .card { margin-top: 14px; }
.author { display: flex; gap: 11px; align-items: center; }
.author img { width: 46px; height: 46px; border-radius: 50%; }
.author.square img { border-radius: 8px; }
.author span { display: block; font-size: 13px; color: var(--dim); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--text); margin: 12px 0 0; }
.tag { color: var(--link); font-weight: 600; }
.images { display: grid; gap: 4px; margin-top: 12px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 220px), 1fr)); }
.images img { display: block; width: 100%; max-height: 520px; object-fit: cover; border-radius: 8px; }
.document { margin: 12px 0 0; font-size: 13px; color: var(--dim); }
.video { margin: 12px 0 0; }
.video video { display: block; width: 100%; max-height: 520px; border-radius: 8px; background: #000; }
.video figcaption { font-size: 13px; color: var(--dim); }
.link { display: block; border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px;
  margin-top: 12px; overflow: hidden; overflow-wrap: anywhere; color: var(--text); text-decoration: none; }
.link img { display: block; width: calc(100% + 24px); max-height: 320px; object-fit: cover; margin: -10px -12px 10px; }
.link strong, .link span { display: block; }
.link span { font-size: 13px; color: var(--dim); }
button { font: inherit; font-weight: 600; min-height: 40px; padding: 0 20px; border-radius: 20px;
  border: 1px solid var(--link); background: var(--link); color: var(--on); cursor: pointer; }
button.quiet { background: none; color: var(--link); }
.buttons { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 16px; }
fieldset { border: 0; padding: 0; margin: 14px 0; }
legend { font-weight: 600; padding: 0; margin-bottom: 6px; }
.choice { display: flex; gap: 12px; align-items: center; padding: 9px 12px; margin-bottom: 8px;
  border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.choice:has(:checked) { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.choice img { width: 36px; height: 36px; border-radius: 50%; }
.choice small { display: block; color: var(--dim); overflow-wrap: anywhere; }
.fields { display: grid; gap: 12px; align-items: end;
  grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); }
.fields label { font-size: 13px; color: var(--dim); min-width: 0; }
input:not([type=radio]), select { display: block; width: 100%; font: inherit; font-size: 16px;
  min-height: 40px; padding: 0 10px; color: var(--text); background: var(--canvas);
  border: 1px solid var(--control); border-radius: 8px; }
.rows { list-style: none; padding: 0; margin: 0 0 14px; }
.rows li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 14px;
  margin-bottom: 8px; overflow-wrap: anywhere; }
.rows span { color: var(--dim); font-size: 13px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; }
iframe { width: 100%; height: 540px; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
"""
# shows times in the browser's zone; a live page fetches itself every 5 s and replaces changed content
SCRIPT = """
const main = document.querySelector('main')
let shown = main.innerHTML
const style = { dateStyle: 'medium', timeStyle: 'medium' }
function localise() {
  for (const time of document.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, style)
}
async function renew() {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => null)  // restarting: the next round asks again
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.querySelector('main').innerHTML
  if (fresh === shown) return
  main.innerHTML = shown = fresh
  localise()
}
localise()
if (main.dataset.live) setInterval(renew, 5000)
"""


def page(text: Text, title: str, body: str, *, live: bool = False, navigation: bool = True) -> str:
    """Return a whole document. `title` and `body` are HTML; a live page reloads itself every 5 s."""
    links = (
        f'<header><strong>Sandbox</strong><a href="/">{text("board")}</a>'
        f'<a href="/bluesky">Bluesky</a><a href="/wp-admin/edit.php">WordPress</a><a href="/ghost/">Ghost</a>'
        f'<a href="/hooks">Webhook</a>'
        f'<a href="/outbox">{text("outbox")}</a><a href="/stripe/">{text("stripe")}</a>'
        f'<a href="/faults">{text("faults")}</a></header>'
        if navigation
        else ""
    )
    refresh = '<noscript><meta http-equiv="refresh" content="5"></noscript>' if live else ""
    return f"""<!doctype html><html lang="{text.code}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>{title} · {text("sandbox")}</title>
<link rel="icon" href="data:,">{refresh}<style>{STYLE}</style></head>
<body><p class="note">{text("sandbox")}</p>{links}<main{' data-live="1"' if live else ""}>{body}</main>
<script>{SCRIPT}</script></body></html>"""


def moment(seconds: float) -> str:
    """Return a time element, which the browser shows in its own zone and language."""
    at = datetime.fromtimestamp(seconds, UTC)
    return f'<time datetime="{iso(seconds)}">{at:%Y-%m-%d %H:%M:%S} UTC</time>'


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def cards_page(text: Text, title: str, cards: Iterable[str], above: str = "") -> HTMLResponse:
    """Return a live page of cards below the heading and `above`, which are HTML."""
    listed = "".join(cards) or f'<p class="card">{text("no_posts")}</p>'
    return HTMLResponse(page(text, title, f"<h1>{title}</h1>{above}{listed}", live=True))


def post_page(text: Text, author: str, card: str) -> HTMLResponse:
    """Return the page of one post."""
    title = f"{text('post_by')} {text.escape(author)}"
    return HTMLResponse(page(text, title, f"<h1>{title}</h1>{card}"))


def missing_page(text: Text, status: int = 404, *, navigation: bool = True) -> HTMLResponse:
    """Return the page for a missing or deleted post or person."""
    body = f"<h1>{text('missing')}</h1><p>{text('missing_text')}</p>"
    return HTMLResponse(page(text, text("missing"), body, navigation=navigation), status)
