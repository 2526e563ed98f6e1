"""Layout, texts and styles of the sandbox's pages."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse

WORDS = {
    "access": ("This app would like to:", "Diese App möchte:"),
    "allow": ("Allow", "Erlauben"),
    "as_whom": ("Continue as", "Weiter als"),
    "back": ("All mails", "Alle Mails"),
    "bluesky": ("Sandbox Bluesky", "Sandbox Bluesky"),
    "bluesky_intro": (
        "With one of these handles and any app password, such as abcd-efgh-ijkl-mnop, an account is connected.",
        "Ein Konto verbindest du mit einem dieser Profilnamen und irgendeinem App-Passwort, etwa abcd-efgh-ijkl-mnop.",
    ),
    "board": ("Posts", "Beiträge"),
    "board_intro": (
        "What was published to the sandbox, newest first.",
        "Was in der Sandbox veröffentlicht wurde, das Neueste zuerst.",
    ),
    "buy": ("Pay and subscribe", "Bezahlen und abonnieren"),
    "buy_trial": ("Start trial", "Testphase starten"),
    "cancel": ("Cancel", "Abbrechen"),
    "cancel_at_end": ("Cancel at the end of the period", "Zum Ende des Zeitraums kündigen"),
    "card_asks": (
        "Card that asks for a confirmation at each later payment",
        "Karte, die bei jeder späteren Zahlung eine Bestätigung verlangt",
    ),
    "card_declined": ("Card that is declined", "Karte, die abgelehnt wird"),
    "card_fails_later": (
        "Card that works now and fails at each later payment",
        "Karte, die jetzt funktioniert und bei jeder späteren Zahlung scheitert",
    ),
    "card_good": ("Card that works", "Karte, die funktioniert"),
    "card_none": ("No card: start the trial without one", "Keine Karte: Testphase ohne beginnen"),
    "checkout": ("Sandbox checkout", "Sandbox-Kasse"),
    "checkout_intro": (
        "No card is asked, nothing is charged and nothing is sent to Stripe.",
        "Es wird keine Karte verlangt, nichts abgebucht und nichts an Stripe gesendet.",
    ),
    "clear": ("Clear all", "Alle löschen"),
    "clock": ("Clock", "Uhr"),
    "closed": ("This checkout is over", "Diese Kasse ist geschlossen"),
    "closed_text": (
        "It was completed or has expired. Start again from the app.",
        "Sie wurde abgeschlossen oder ist abgelaufen. Beginne noch einmal in der App.",
    ),
    "consent": ("Sign in to Sandbox LinkedIn", "Bei Sandbox LinkedIn anmelden"),
    "consent_intro": (
        "These people are invented. No password is asked, nothing is sent to LinkedIn.",
        "Diese Personen sind erfunden. Es wird kein Passwort verlangt und nichts an LinkedIn gesendet.",
    ),
    "customers": ("Customers", "Kunden"),
    "date": ("Date", "Datum"),
    "day": ("day", "Tag"),
    "day_free": ("day free, then", "Tag kostenlos, danach"),
    "days": ("days", "Tage"),
    "days_free": ("days free, then", "Tage kostenlos, danach"),
    "declined": (
        "The card was declined. Choose another one.",
        "Die Karte wurde abgelehnt. Wähle eine andere.",
    ),
    "declines": ("declines that posts are published", "lehnt das Veröffentlichen ab"),
    "delete_customer": ("Delete", "Löschen"),
    "each_day": ("a day", "am Tag"),
    "each_month": ("a month", "im Monat"),
    "each_week": ("a week", "in der Woche"),
    "each_year": ("a year", "im Jahr"),
    "edited": ("edited", "bearbeitet"),
    "email": ("E-mail address", "E-Mail-Adresse"),
    "ended": ("Ended", "Beendet"),
    "ends_on": ("Ends", "Endet"),
    "events": ("Events", "Ereignisse"),
    "fault_effect": ("Carry the request out", "Anfrage trotzdem ausführen"),
    "fault_kind": ("What goes wrong", "Was schiefgeht"),
    "fault_minutes": ("Minutes until a limit ends", "Minuten bis zum Ende eines Limits"),
    "fault_percent": ("Percent of a limit", "Prozent eines Limits"),
    "fault_message": ("Message", "Meldung"),
    "fault_on": ("Which request", "Welche Anfrage"),
    "fault_order": ("Order this fault", "Störung anordnen"),
    "fault_seconds": ("Seconds", "Sekunden"),
    "fault_status": ("Status", "Status"),
    "fault_times": ("How many times", "Wie oft"),
    "fault_waiting": ("Still to happen", "Noch ausstehend"),
    "faults": ("Faults", "Störungen"),
    "faults_intro": (
        "Make the next requests fail, to see what the app does about it.",
        "Lass die nächsten Anfragen scheitern und sieh, was die App daraus macht.",
    ),
    "from": ("From", "Von"),
    "graph_consent": ("Log in to Sandbox Facebook", "Bei Sandbox Facebook anmelden"),
    "graph_consent_intro": (
        "These people are invented. No password is asked, nothing is sent to Facebook.",
        "Diese Personen sind erfunden. Es wird kein Passwort verlangt und nichts an Facebook gesendet.",
    ),
    "mastodon_consent": ("Log in to Sandbox Mastodon", "Bei Sandbox Mastodon anmelden"),
    "mastodon_consent_intro": (
        "These people are invented. No password is asked, nothing leaves this machine.",
        "Diese Personen sind erfunden. Es wird kein Passwort verlangt, nichts verlässt diesen Rechner.",
    ),
    "html": ("As formatted", "Formatiert"),
    "invoice": ("Invoice", "Rechnung"),
    "invoices": ("Invoices", "Rechnungen"),
    "keep": ("Keep the subscription", "Abo behalten"),
    "leave": ("Leave", "Verlassen"),
    "ghost": ("Sandbox Ghost", "Sandbox Ghost"),
    "ghost_integration": ("Integration", "Integration"),
    "ghost_intro": (
        "With the address of this page and one of these Admin API keys a site is connected.",
        "Eine Website verbindest du mit der Adresse dieser Seite und einem dieser Admin-API-Schlüssel.",
    ),
    "missing": ("Not here", "Nicht hier"),
    "missing_text": ("There is nothing at this address.", "Unter dieser Adresse gibt es nichts."),
    "mode_at_once": ("At once", "Sofort"),
    "mode_forged": ("Forged", "Gefälscht"),
    "mode_held": ("Held back", "Zurückgehalten"),
    "mode_lost": ("Lost", "Verloren"),
    "mode_shuffled": ("Shuffled", "Durcheinander"),
    "mode_twice": ("Twice", "Doppelt"),
    "next_asks": ("Next payment asks for a confirmation", "Nächste Zahlung verlangt eine Bestätigung"),
    "next_declined": ("Next payment fails", "Nächste Zahlung scheitert"),
    "no": ("no", "nein"),
    "no_card": ("No payment method.", "Kein Zahlungsmittel."),
    "no_customers": ("No customers yet.", "Noch keine Kunden."),
    "no_endpoint": (
        "No endpoint: events are kept and not sent.",
        "Kein Endpunkt: Ereignisse werden aufgehoben und nicht gesendet.",
    ),
    "no_events": ("Nothing has happened yet.", "Es ist noch nichts passiert."),
    "no_faults": ("No fault is waiting.", "Keine Störung steht aus."),
    "no_invoices": ("No invoices yet.", "Noch keine Rechnungen."),
    "no_mails": (
        "No mails yet. What the app sends appears here.",
        "Noch keine Mails. Was die App sendet, erscheint hier.",
    ),
    "no_posts": (
        "No posts yet. The first one appears here by itself.",
        "Noch keine Beiträge. Der erste erscheint hier von selbst.",
    ),
    "no_subject": ("(no subject)", "(kein Betreff)"),
    "no_subscription": ("No subscription.", "Kein Abo."),
    "outbox": ("Outbox", "Postausgang"),
    "outbox_intro": (
        "Mails the app sent. None of them left this machine.",
        "Mails, die die App gesendet hat. Keine davon hat diesen Rechner verlassen.",
    ),
    "page": ("Page", "Unternehmensseite"),
    "pay_now": ("Pay now", "Jetzt bezahlen"),
    "pay_with": ("Pay with", "Bezahlen mit"),
    "payment_method": ("Payment method", "Zahlungsmittel"),
    "portal": ("Sandbox customer portal", "Sandbox-Kundenportal"),
    "portal_back": ("Back to the app", "Zurück zur App"),
    "portal_intro": (
        "Invented invoices, invented cards. Nothing is sent to Stripe.",
        "Erfundene Rechnungen, erfundene Karten. Nichts wird an Stripe gesendet.",
    ),
    "post_by": ("Post by", "Beitrag von"),
    "price": ("Price", "Preis"),
    "refund_last": ("Refund the last payment", "Letzte Zahlung erstatten"),
    "release": ("Deliver what is held", "Zurückgehaltene zustellen"),
    "remove_card": ("Remove", "Entfernen"),
    "renews_on": ("Renews", "Verlängert sich"),
    "resume": ("Resume", "Fortsetzen"),
    "role_too_low": ("may only look", "darf nur zusehen"),
    "sandbox": ("Sandbox: nothing leaves this machine", "Sandbox: nichts verlässt diesen Rechner"),
    "save_card": ("Save", "Speichern"),
    "status": ("Status", "Status"),
    "stripe": ("Stripe", "Stripe"),
    "stripe_intro": (
        "Move the time of the subscriptions, and make events and payments go wrong.",
        "Stell die Zeit der Abos vor und lass Ereignisse und Zahlungen scheitern.",
    ),
    "subscription": ("Subscription", "Abo"),
    "to": ("To", "An"),
    "usual": ("as usual for the kind", "wie bei dieser Art üblich"),
    "webhooks": ("Webhooks", "Webhooks"),
    "without_page": ("without a page", "ohne Seite"),
    "webhook": ("Sandbox webhook", "Sandbox-Webhook"),
    "webhook_believe": ("Accept it", "Annehmen"),
    "webhook_intro": (
        "A receiver at /hooks/journal, or any other name there. It accepts messages that are signed by one of these"
        " secrets.",
        "Ein Empfänger unter /hooks/journal oder irgendeinem anderen Namen dort. Er nimmt Nachrichten an, die mit einem"
        " dieser Geheimnisse signiert sind.",
    ),
    "webhook_secret": ("Another secret", "Weiteres Geheimnis"),
    "wordpress": ("Sandbox WordPress", "Sandbox WordPress"),
    "wordpress_consent": ("Let an application in", "Eine Anwendung hereinlassen"),
    "wordpress_consent_intro": (
        "It gets a password of its own, which you can take back at any time.",
        "Sie bekommt ein eigenes Passwort, das du jederzeit zurücknehmen kannst.",
    ),
    "wordpress_intro": (
        "With one of these names and any application password of 24 letters and digits, the site is connected.",
        "Die Website verbindest du mit einem dieser Namen und irgendeinem Anwendungspasswort aus 24 Buchstaben und"
        " Ziffern.",
    ),
    "wrong_link": (
        "The app sent an authorisation request that LinkedIn would refuse.",
        "Die App hat eine Anfrage geschickt, die LinkedIn ablehnen würde.",
    ),
    "yes": ("yes", "ja"),
}

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


class Text:
    """Texts of one language, escaped for HTML."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __call__(self, key: str) -> str:
        return escape(WORDS[key][self.code == "de"])

    @staticmethod
    def escape(value: object) -> str:
        return escape(str(value))


def language(request: Request) -> str:
    """Return `de` if the browser prefers German to English, else `en`."""
    liked: dict[str, float] = {}
    for part in request.headers.get("accept-language", "").lower().split(","):
        match = re.fullmatch(r"\s*(de|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([0-9.]{1,5}))?\s*", part)
        if match:
            weight = float(match[2]) if re.fullmatch(r"\d(\.\d*)?", match[2] or "") else 1.0
            liked[match[1]] = max(weight, liked.get(match[1], 0.0))
    return "de" if liked.get("de", 0.0) > liked.get("en", 0.0) else "en"


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


def linked(value: str, *, tags: bool = False) -> str:
    """Return plain text as HTML, with links for web addresses and, with `tags`, coloured hashtags."""
    parts = re.split(r"(https?://[^\s<>\"']*[^\s<>\"'.,;:!?)])", value)
    return "".join(
        f'<a href="{escape(part)}" rel="noreferrer">{escape(part)}</a>' if number % 2 else _plain(part, tags)
        for number, part in enumerate(parts)
    )


def is_web_address(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(one.isspace() for one in value)


def link_card(article: Mapping[str, str] | None, picture: str = "") -> str:
    """Return a link card with title and description as sent to the network, and the link's host."""
    if article is None:
        return ""
    source = article["source"]
    host = escape(urlsplit(source).netloc)
    shown = f'<img src="{escape(picture)}" alt="" loading="lazy">' if picture else ""
    title = f"<strong>{escape(article['title'])}</strong>" if article.get("title") else ""
    told = f"<span>{escape(article['description'])}</span>" if article.get("description") else ""
    return f'<a class="link" href="{escape(source)}" rel="noreferrer">{shown}{title}{told}<span>{host}</span></a>'


def _plain(part: str, tags: bool) -> str:
    # "&#" begins an escaped quotation mark, not a hashtag
    shown = escape(part)
    return re.sub(r"(?<![\w&])#(\w*[^\W\d_]\w*)", r'<span class="tag">#\1</span>', shown) if tags else shown


def missing(text: Text) -> HTMLResponse:
    """Return the page for a missing or deleted post or person, with status 404."""
    return HTMLResponse(page(text, text("missing"), f"<h1>{text('missing')}</h1><p>{text('missing_text')}</p>"), 404)
