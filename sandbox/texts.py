"""The texts of the sandbox's pages, in English and German."""

import re
from html import escape

from starlette.requests import Request

TEXTS = {
    "access": ("This app would like to:", "Diese App möchte:"),
    "allow": ("Allow", "Erlauben"),
    "as_whom": ("Continue as", "Weiter als"),
    "back": ("All mails", "Alle Mails"),
    "bluesky": ("Sandbox Bluesky", "Sandbox Bluesky"),
    "bluesky_intro": (
        "Connect an account with one of these handles and any app password, for example abcd-efgh-ijkl-mnop.",
        "Verbinde ein Konto mit einem dieser Profilnamen und einem beliebigen App-Passwort, zum Beispiel"
        " abcd-efgh-ijkl-mnop.",
    ),
    "board": ("Posts", "Beiträge"),
    "board_intro": (
        "Posts published to the sandbox, newest first.",
        "In der Sandbox veröffentlichte Beiträge, neueste zuerst.",
    ),
    "buy": ("Pay and subscribe", "Bezahlen und abonnieren"),
    "buy_trial": ("Start trial", "Testphase starten"),
    "cancel": ("Cancel", "Abbrechen"),
    "cancel_at_end": ("Cancel at the end of the period", "Zum Ende des Zeitraums kündigen"),
    "card_asks": (
        "Card that needs a confirmation for each later payment",
        "Karte, die für jede spätere Zahlung eine Bestätigung verlangt",
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
        "No card details needed. Nothing is charged, and nothing is sent to Stripe.",
        "Keine Kartendaten nötig. Es wird nichts abgebucht und nichts an Stripe gesendet.",
    ),
    "clear": ("Clear all", "Alle löschen"),
    "clock": ("Clock", "Uhr"),
    "closed": ("This checkout is closed", "Diese Kasse ist geschlossen"),
    "closed_text": (
        "The checkout was completed or has expired. Start again in the app.",
        "Die Kasse wurde abgeschlossen oder ist abgelaufen. Beginne in der App von vorn.",
    ),
    "consent": ("Sign in to Sandbox LinkedIn", "Bei Sandbox LinkedIn anmelden"),
    "consent_intro": (
        "These people are invented. You need no password, and nothing is sent to LinkedIn.",
        "Diese Personen sind erfunden. Du brauchst kein Passwort, und nichts wird an LinkedIn gesendet.",
    ),
    "customers": ("Customers", "Kunden"),
    "date": ("Date", "Datum"),
    "day": ("day", "Tag"),
    "day_free": ("day free, then", "Tag kostenlos, danach"),
    "days": ("days", "Tage"),
    "days_free": ("days free, then", "Tage kostenlos, danach"),
    "declined": ("The card was declined. Choose another one.", "Die Karte wurde abgelehnt. Wähle eine andere."),
    "declines": ("declines publishing", "lehnt das Veröffentlichen ab"),
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
    "fault_add": ("Add fault", "Störung hinzufügen"),
    "fault_effect": ("Carry out the request", "Anfrage trotzdem ausführen"),
    "fault_kind": ("Fault", "Störung"),
    "fault_message": ("Message", "Meldung"),
    "fault_minutes": ("Minutes until the limit ends", "Minuten bis zum Ende des Limits"),
    "fault_on": ("Request", "Anfrage"),
    "fault_pending": ("Pending faults", "Ausstehende Störungen"),
    "fault_percent": ("Percentage of the limit", "Prozent des Limits"),
    "fault_seconds": ("Seconds", "Sekunden"),
    "fault_status": ("Status", "Status"),
    "fault_times": ("How many times", "Wie oft"),
    "faults": ("Faults", "Störungen"),
    "faults_intro": (
        "Make the next requests fail and see how the app handles it.",
        "Lass die nächsten Anfragen scheitern und sieh, wie die App damit umgeht.",
    ),
    "from": ("From", "Von"),
    "ghost": ("Sandbox Ghost", "Sandbox Ghost"),
    "ghost_integration": ("Integration", "Integration"),
    "ghost_intro": (
        "Connect a site with the address of this page and one of these Admin API keys.",
        "Verbinde eine Website mit der Adresse dieser Seite und einem dieser Admin-API-Schlüssel.",
    ),
    "graph_consent": ("Log in to Sandbox Facebook", "Bei Sandbox Facebook anmelden"),
    "graph_consent_intro": (
        "These people are invented. You need no password, and nothing is sent to Facebook.",
        "Diese Personen sind erfunden. Du brauchst kein Passwort, und nichts wird an Facebook gesendet.",
    ),
    "html": ("Formatted", "Formatiert"),
    "invoice": ("Invoice", "Rechnung"),
    "invoices": ("Invoices", "Rechnungen"),
    "keep": ("Keep the subscription", "Abo behalten"),
    "leave": ("Leave", "Verlassen"),
    "mastodon_consent": ("Log in to Sandbox Mastodon", "Bei Sandbox Mastodon anmelden"),
    "mastodon_consent_intro": (
        "These people are invented. You need no password, and nothing leaves this machine.",
        "Diese Personen sind erfunden. Du brauchst kein Passwort, und nichts verlässt diesen Rechner.",
    ),
    "missing": ("Not found", "Nicht gefunden"),
    "missing_text": ("There is nothing at this address.", "Unter dieser Adresse gibt es nichts."),
    "mode_at_once": ("At once", "Sofort"),
    "mode_forged": ("Forged", "Gefälscht"),
    "mode_held": ("Held back", "Zurückgehalten"),
    "mode_lost": ("Lost", "Verloren"),
    "mode_shuffled": ("Shuffled", "Durcheinander"),
    "mode_twice": ("Twice", "Doppelt"),
    "next_asks": ("Next payment needs a confirmation", "Nächste Zahlung verlangt eine Bestätigung"),
    "next_declined": ("Next payment fails", "Nächste Zahlung scheitert"),
    "no": ("no", "nein"),
    "no_card": ("No payment method.", "Kein Zahlungsmittel."),
    "no_customers": ("No customers yet.", "Noch keine Kunden."),
    "no_endpoint": (
        "No endpoint: events are stored but not sent.",
        "Kein Endpunkt: Ereignisse werden gespeichert, aber nicht gesendet.",
    ),
    "no_events": ("No events yet.", "Noch keine Ereignisse."),
    "no_faults": ("No pending faults.", "Keine ausstehenden Störungen."),
    "no_invoices": ("No invoices yet.", "Noch keine Rechnungen."),
    "no_mails": ("No mails yet. Mails from the app appear here.", "Noch keine Mails. Mails der App erscheinen hier."),
    "no_posts": (
        "No posts yet. New posts appear here automatically.",
        "Noch keine Beiträge. Neue Beiträge erscheinen hier automatisch.",
    ),
    "no_subject": ("(no subject)", "(kein Betreff)"),
    "no_subscription": ("No subscription.", "Kein Abo."),
    "outbox": ("Outbox", "Postausgang"),
    "outbox_intro": (
        "Mails sent by the app. None has left this machine.",
        "Mails, die die App gesendet hat. Keine hat diesen Rechner verlassen.",
    ),
    "page": ("Page", "Unternehmensseite"),
    "pay_now": ("Pay now", "Jetzt bezahlen"),
    "pay_with": ("Pay with", "Bezahlen mit"),
    "payment_method": ("Payment method", "Zahlungsmittel"),
    "portal": ("Sandbox customer portal", "Sandbox-Kundenportal"),
    "portal_back": ("Back to the app", "Zurück zur App"),
    "portal_intro": (
        "Invented invoices and cards. Nothing is sent to Stripe.",
        "Erfundene Rechnungen und Karten. Nichts wird an Stripe gesendet.",
    ),
    "post_by": ("Post by", "Beitrag von"),
    "price": ("Price", "Preis"),
    "refund_last": ("Refund the last payment", "Letzte Zahlung erstatten"),
    "release": ("Deliver what is held", "Zurückgehaltene zustellen"),
    "remove_card": ("Remove", "Entfernen"),
    "renews_on": ("Renews", "Verlängert sich"),
    "resume": ("Resume", "Fortsetzen"),
    "role_too_low": ("read only", "nur Lesezugriff"),
    "sandbox": ("Sandbox: nothing leaves this machine", "Sandbox: nichts verlässt diesen Rechner"),
    "save_card": ("Save", "Speichern"),
    "status": ("Status", "Status"),
    "stripe": ("Stripe", "Stripe"),
    "stripe_intro": (
        "Move the clock of the subscriptions forward, and make events and payments fail.",
        "Stell die Uhr der Abos vor, und lass Ereignisse und Zahlungen scheitern.",
    ),
    "subscription": ("Subscription", "Abo"),
    "threads_consent": ("Log in to Sandbox Threads", "Bei Sandbox Threads anmelden"),
    "threads_consent_intro": (
        "These people are invented. You need no password, and nothing is sent to Threads.",
        "Diese Personen sind erfunden. Du brauchst kein Passwort, und nichts wird an Threads gesendet.",
    ),
    "to": ("To", "An"),
    "usual": ("default for this fault", "Standard für diese Störung"),
    "webhook": ("Sandbox webhook", "Sandbox-Webhook"),
    "webhook_add": ("Add secret", "Geheimnis hinzufügen"),
    "webhook_intro": (
        "A webhook receiver at /hooks/journal or any other name. It accepts messages signed with one of these secrets.",
        "Ein Webhook-Empfänger unter /hooks/journal oder einem beliebigen anderen Namen. Er nimmt Nachrichten an, die"
        " mit einem dieser Geheimnisse signiert sind.",
    ),
    "webhook_secret": ("Another secret", "Weiteres Geheimnis"),
    "webhooks": ("Webhooks", "Webhooks"),
    "without_page": ("without a page", "ohne Seite"),
    "wordpress": ("Sandbox WordPress", "Sandbox WordPress"),
    "wordpress_consent": ("Authorize an application", "Eine Anwendung autorisieren"),
    "wordpress_consent_intro": (
        "The application gets its own password, which you can revoke at any time.",
        "Die Anwendung bekommt ein eigenes Passwort, das du jederzeit widerrufen kannst.",
    ),
    "wordpress_intro": (
        "Connect the site with one of these names and any application password of 24 letters and digits.",
        "Verbinde die Website mit einem dieser Namen und einem beliebigen Anwendungspasswort aus 24 Buchstaben und"
        " Ziffern.",
    ),
    "wrong_link": (
        "The app sent an authorization request that the network would refuse.",
        "Die App hat eine Anfrage geschickt, die das Netzwerk ablehnen würde.",
    ),
    "yes": ("yes", "ja"),
}


class Text:
    """Texts of one language, escaped for HTML."""

    def __init__(self, code: str) -> None:
        self.code = code

    @classmethod
    def of(cls, request: Request) -> "Text":
        """Return the texts in the language that the browser prefers."""
        return cls(_language(request))

    def __call__(self, key: str) -> str:
        return escape(TEXTS[key][self.code == "de"])

    @staticmethod
    def escape(value: object) -> str:
        return escape(str(value))


def _language(request: Request) -> str:
    """Return `de` if the browser prefers German to English, else `en`."""
    weights: dict[str, float] = {}
    for part in request.headers.get("accept-language", "").lower().split(","):
        match = re.fullmatch(r"\s*(de|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([0-9.]{1,5}))?\s*", part)
        if match:
            weight = float(match[2]) if re.fullmatch(r"\d(\.\d*)?", match[2] or "") else 1.0
            weights[match[1]] = max(weight, weights.get(match[1], 0.0))
    return "de" if weights.get("de", 0.0) > weights.get("en", 0.0) else "en"
