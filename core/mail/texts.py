"""The words of all mails. `{email}`, `{inviter}`, `{code}`, `{until}`, `{when}`, `{host}`,
`{assistant}`, `{budget}`, `{account}`, `{network}`, `{reason}`, `{topic}`, `{planned_at}`, `{deadline}`, `{otherwise}`,
`{by_demo}`, `{day}`, `{count}`, `{paused}`, `{charge}`, `{allowance}` and `{more}` are its facts. A paragraph that its
facts leave empty is left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.domain.approvals import AtDeadline
from core.domain.errors import ErrorCode
from core.domain.notifications import NotificationKind
from core.domain.subscriptions import Interval
from core.models import MailKind


@dataclass(frozen=True)
class Words:
    subject: str
    preview: str
    """What an inbox shows behind the subject."""
    title: str
    before: tuple[str, ...]
    """Paragraphs above the button, or all of them where there is none."""
    action: str | None = None
    """On the button. None: a notice, from which nothing can be done."""
    after: tuple[str, ...] = ()


class Footer(StrEnum):
    """Why somebody gets a mail."""

    account = "account"
    invitation = "invitation"
    approval = "approval"
    notification = "notification"
    overview = "overview"
    subscription = "subscription"


@dataclass(frozen=True)
class Frame:
    """What stands around every mail of a language."""

    address: str
    """Above the link in full."""
    picture: str
    """In the plain text, before the words that describe a picture."""
    footers: Mapping[Footer, str]


FRAMES: Final = {
    "en": Frame(
        address="Or open this address:",
        picture="Picture",
        footers={
            Footer.account: "Sent by Postloom at {host}, because it concerns your account.",
            Footer.invitation: "Sent by Postloom at {host}, because {inviter} entered your address there.",
            Footer.approval: "Sent by Postloom at {host}, because your assistant needs your approval.",
            Footer.notification: "Sent by Postloom at {host}, because you get notifications by mail.",
            Footer.overview: "Sent by Postloom at {host}, because you have chosen the daily overview.",
            Footer.subscription: "Sent by Postloom at {host}, because it concerns your subscription.",
        },
    ),
    "de": Frame(
        address="Oder öffne diese Adresse:",
        picture="Bild",
        footers={
            Footer.account: "Von Postloom auf {host} verschickt, weil es um dein Konto geht.",
            Footer.invitation: "Von Postloom auf {host} verschickt, weil {inviter} dort deine Adresse angegeben hat.",
            Footer.approval: "Von Postloom auf {host} verschickt, weil dein Assistent deine Freigabe braucht.",
            Footer.notification: "Von Postloom auf {host} verschickt, weil du Benachrichtigungen per Mail bekommst.",
            Footer.overview: "Von Postloom auf {host} verschickt, weil du die tägliche Übersicht gewählt hast.",
            Footer.subscription: "Von Postloom auf {host} verschickt, weil es um dein Abonnement geht.",
        },
    ),
}
FIRST_PICTURE: Final = {"en": "The first of {n} pictures", "de": "Das erste von {n} Bildern"}
BY_DEMO: Final = {
    "en": "The demo writer wrote the text: it is sample text, made without a language model.",
    "de": "Den Text hat der Demo-Texter geschrieben: Es ist ein Beispieltext, ohne Sprachmodell erstellt.",
}
"""Of a post that somebody is asked about."""
FOOTERS: Final = {
    **dict.fromkeys(MailKind, Footer.notification),
    **dict.fromkeys(
        (
            MailKind.verify_email,
            MailKind.change_email,
            MailKind.email_changed,
            MailKind.reset_password,
            MailKind.password_changed,
        ),
        Footer.account,
    ),
    **dict.fromkeys(
        (
            MailKind.trial_ending,
            MailKind.payment_failed,
            MailKind.subscription_ended,
            MailKind.allowance_reached,
        ),
        Footer.subscription,
    ),
    MailKind.invitation: Footer.invitation,
    MailKind.approval_wanted: Footer.approval,
    MailKind.approval_reminder: Footer.approval,
    MailKind.daily_overview: Footer.overview,
}

MADE: Final = {
    "en": ("a post about “{topic}”", "the article “{topic}”"),
    "de": ("einen Beitrag über „{topic}“", "den Artikel „{topic}“"),
}
WAITS: Final = {"en": ("A post", "An article"), "de": ("Ein Beitrag", "Ein Artikel")}
"""Of what somebody is asked about: of a post, of an article."""
GOES_OUT: Final = {
    "en": ("It is scheduled for {planned_at}.", "It goes out as soon as you approve it."),
    "de": ("Geplant ist er für {planned_at}.", "Er geht raus, sobald du ihn freigibst."),
}
"""When a post goes out that somebody is asked about: at its time, or (1) at once."""
AT_DEADLINE: Final = {
    "en": {
        AtDeadline.hold: "Without an answer it is kept as a draft and not published.",
        AtDeadline.skip: "Without an answer it is skipped.",
        AtDeadline.publish: "Without an answer it is published.",
    },
    "de": {
        AtDeadline.hold: "Ohne Antwort bleibt er als Entwurf liegen und wird nicht veröffentlicht.",
        AtDeadline.skip: "Ohne Antwort fällt er aus.",
        AtDeadline.publish: "Ohne Antwort wird er veröffentlicht.",
    },
}
"""What becomes of a post that nobody has decided about."""

PAUSED: Final = {
    "en": ("None of your assistants was active.", "1 assistant pauses.", "{n} assistants pause."),
    "de": ("Keiner deiner Assistenten war aktiv.", "1 Assistent pausiert.", "{n} Assistenten pausieren."),
}
"""How many do since a subscription has ended: none, one, several."""

CHARGE: Final = {
    "en": (
        "After that it goes on as a subscription, charged to your payment method: what it costs is on its page.",
        "After that it goes on as a subscription: {price}, charged to your payment method on {day} for the first time.",
    ),
    "de": (
        "Danach geht es als Abonnement weiter, das über deine Zahlungsart abgerechnet wird: Was es kostet, steht auf "
        "seiner Seite.",
        "Danach geht es als Abonnement weiter: {price}, zum ersten Mal am {day} über deine Zahlungsart abgerechnet.",
    ),
}
"""What a trial becomes: where nobody knows the price, and where it is known."""
PER: Final = {
    "en": {
        Interval.day: ("{price} a day", "{price} every {n} days"),
        Interval.week: ("{price} a week", "{price} every {n} weeks"),
        Interval.month: ("{price} a month", "{price} every {n} months"),
        Interval.year: ("{price} a year", "{price} every {n} years"),
    },
    "de": {
        Interval.day: ("{price} am Tag", "{price} alle {n} Tage"),
        Interval.week: ("{price} pro Woche", "{price} alle {n} Wochen"),
        Interval.month: ("{price} im Monat", "{price} alle {n} Monate"),
        Interval.year: ("{price} im Jahr", "{price} alle {n} Jahre"),
    },
}

PUBLISHED: Final = {
    "en": ("1 published post or article", "{n} published posts and articles"),
    "de": ("1 veröffentlichter Beitrag oder Artikel", "{n} veröffentlichte Beiträge und Artikel"),
}
FOR_MODELS: Final = {"en": "{n} for models", "de": "{n} für Modelle"}
MORE: Final = {
    "en": {
        False: "With a subscription you can go on at once.",
        True: "That is what your subscription includes.",
    },
    "de": {
        False: "Mit einem Abonnement kannst du sofort weitermachen.",
        True: "So viel ist in deinem Abonnement enthalten.",
    },
}
"""What can be done about an allowance that is used up, without a subscription and with one."""

ENGLISH: Final = {
    MailKind.verify_email: Words(
        subject="Verify your email for Postloom",
        preview="One click, and your account is ready.",
        title="Verify your email",
        before=("Somebody signed up for Postloom with {email}. If that was you, confirm that this address is yours.",),
        action="Verify email",
        after=(
            "The link works once, until {until}.",
            "If you did not sign up, delete this mail: without the link nothing happens.",
        ),
    ),
    MailKind.change_email: Words(
        subject="Confirm your new email for Postloom",
        preview="Until then your account keeps the old one.",
        title="Confirm your new email",
        before=(
            "Your Postloom account is to use {email} from now on. Confirm that this address is yours. "
            "Until then the old one stays.",
        ),
        action="Confirm email",
        after=(
            "The link works once, until {until}.",
            "If you did not ask for this, delete this mail: nothing changes.",
        ),
    ),
    MailKind.email_changed: Words(
        subject="Your email for Postloom was changed",
        preview="{email} no longer signs in.",
        title="Your email was changed",
        before=(
            "Your Postloom account got another email on {when}. {email} no longer signs in, and Postloom sends "
            "no more mails there.",
            "If that was you, there is nothing to do. If not, contact whoever runs {host} right away.",
        ),
    ),
    MailKind.reset_password: Words(
        subject="Set a new password for Postloom",
        preview="The link works once, until {until}.",
        title="Set a new password",
        before=("Somebody asked for a new password for {email}.",),
        action="Set new password",
        after=(
            "The link works once, until {until}. All devices have to log in again afterwards.",
            "If that was not you, delete this mail: your password stays as it is.",
        ),
    ),
    MailKind.password_changed: Words(
        subject="Your password for Postloom was changed",
        preview="Other devices have to log in again.",
        title="Your password was changed",
        before=(
            "The password of your Postloom account ({email}) was changed on {when}. Other devices have to log in "
            "again.",
            "If that was you, there is nothing to do. If not, ask for a new password on the login page of {host} "
            "right away, and contact whoever runs {host}.",
        ),
    ),
    MailKind.invitation: Words(
        subject="{inviter} invites you to Postloom",
        preview="Assistants that plan, write and publish your social media posts.",
        title="{inviter} invites you to Postloom",
        before=(
            "With Postloom, assistants plan, write, illustrate and publish your social media posts: you say what "
            "about and when.",
        ),
        action="Sign up",
        after=(
            "Your invitation code is {code}. It is valid once, for {email}, until {until}.",
            "If you have an account here already, just log in: you need no code.",
            "If you did not expect this, delete this mail: there is no account unless you sign up.",
        ),
    ),
    MailKind.approval_wanted: Words(
        subject="{assistant} asks: {topic}",
        preview="{goes_out}",
        title="{waits} waits for you",
        before=(
            "{assistant} has prepared {made}. {goes_out}",
            "You can decide until {deadline}. {otherwise}",
            "{by_demo}",
        ),
        action="Look at it and decide",
        after=(
            "Opening the page decides nothing, its buttons do, without a login: forward this mail to nobody who is not "
            "to decide. It is asked of {email}.",
        ),
    ),
    MailKind.approval_reminder: Words(
        subject="Still open: {topic}",
        preview="You can decide until {deadline}.",
        title="{waits} still waits for you",
        before=(
            "{assistant} has prepared {made}. {goes_out}",
            "You can decide until {deadline}. {otherwise}",
            "{by_demo}",
        ),
        action="Look at it and decide",
        after=(
            "Opening the page decides nothing, its buttons do, without a login: forward this mail to nobody who is not "
            "to decide. It is asked of {email}.",
        ),
    ),
    MailKind.budget_spent: Words(
        subject="{assistant} has reached its budget",
        preview="It skips its runs until {until}.",
        title="{assistant} has reached its budget",
        before=(
            "Your assistant may use {budget} a month for models. The next text or image could have taken it beyond "
            "that, so it stopped before asking for it. Until {until} it skips every run that does not fit.",
            "If it should go on now, raise its budget.",
        ),
        action="Change the budget",
        after=("Once a month and assistant this is told to {email}.",),
    ),
    MailKind.budget_unpriced: Words(
        subject="{assistant} cannot keep its budget",
        preview="Its model has no known price, so its runs are skipped.",
        title="{assistant} cannot keep its budget",
        before=(
            "Your assistant may use {budget} a month for models, but nobody knows what its model costs. So it skips "
            "its runs instead of spending without a limit.",
            "Set a budget in tokens, or choose a model with a known price in its template.",
        ),
        action="Change the budget",
        after=("Once a month and assistant this is told to {email}.",),
    ),
    MailKind.account_expires: Words(
        subject="{network}: the login of {account} ends on {day}",
        preview="Connect it again before that, and nothing is left out.",
        title="Renew the login of {account}",
        before=(
            "What {network} has allowed Postloom for {account} ends on {ends_at}. It cannot be renewed without you. "
            "Connect the account again before that; your posts, dates and assistants stay as they are.",
        ),
        action="Connect again",
        after=("This is told to {email} two weeks, one week and a day ahead, until the account is connected again.",),
    ),
    MailKind.account_needs_reconnecting: Words(
        subject="{network} no longer lets Postloom post as {account}",
        preview="Connect it again, and your assistants go on.",
        title="Connect {account} again",
        before=(
            "{network} has taken back the permission to post as {account}, or it has expired. Until you connect the "
            "account again nothing goes out through it, and what would be posted through it alone is not written.",
        ),
        action="Connect again",
        after=("This is told once to {email}, until it works again.",),
    ),
    MailKind.assistant_paused: Words(
        subject="{assistant} has paused itself",
        preview="{reason}",
        title="{assistant} has paused itself",
        before=(
            "Three dates in a row came to nothing for the same reason: {reason} The next ones would, too, so your "
            "assistant begins none any more.",
            "Once that is mended, resume it. Slots during the pause are skipped.",
        ),
        action="Open the assistant",
        after=("Each time it pauses itself, {email} is told once.",),
    ),
    MailKind.post_failed: Words(
        subject="Not published: {topic}",
        preview="Its page says why, and tries again where you want it.",
        title="A post was not published",
        before=(
            "“{topic}” did not go out, or not on all of its channels. What went out stays out.",
            "The page of the post says what the reason was. There you can try again.",
        ),
        action="Open the post",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.run_failed: Words(
        subject="{assistant} could not write a post",
        preview="Slot: {planned_at}.",
        title="A run has failed",
        before=(
            "{assistant} was to make a post for {planned_at}, and failed before there was one. Nothing was published.",
            "Under Runs it says at which step, and why. The next slot stays as it is.",
        ),
        action="Open the runs",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.removal_failed: Words(
        subject="Still on {network}: {topic}",
        preview="The network did not delete it.",
        title="A post could not be deleted",
        before=(
            "“{topic}” was to be deleted on {network}, and is still there.",
            "The page of the post says why. There you can try again; on {network} you can delete it yourself.",
        ),
        action="Open the post",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.update_failed: Words(
        subject="Still as it was on {network}: {topic}",
        preview="What you changed is saved here.",
        title="An article could not be updated",
        before=(
            "“{topic}” is out on {network}, without what you have changed since. Your changes are saved here.",
            "The page of the article says why. There you can update it once more, or discard the changes.",
        ),
        action="Open the article",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.takedown_failed: Words(
        subject="Still on {network}: {topic}",
        preview="The website did not take it down.",
        title="An article could not be taken down",
        before=(
            "“{topic}” was to be taken down, and can still be read on {network}.",
            "The page of the article says why. There you can try again; on the website you can delete it yourself.",
        ),
        action="Open the article",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.comment_failed: Words(
        subject="Without its first comment on {network}: {topic}",
        preview="The post itself is out.",
        title="A first comment is missing",
        before=(
            "“{topic}” is out on {network}. Its first comment is not below it, or nobody knows.",
            "The page of the post says why. There you can have it put once more.",
        ),
        action="Open the post",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.announcement_ready: Words(
        subject="An announcement is waiting: {topic}",
        preview="It goes out once you say so.",
        title="An article is to be announced",
        before=(
            "“{topic}” is published. A social post that announces it is kept as a draft for you.",
            "Look at it, change what you like, and let it go out.",
        ),
        action="Open the draft",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.announcement_failed: Words(
        subject="Not announced: {topic}",
        preview="The article itself is out.",
        title="An article was not announced",
        before=(
            "“{topic}” is published, but no social post announces it.",
            "The page of the article says why. There you can announce it yourself.",
        ),
        action="Open the article",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.planning_failed: Words(
        subject="{assistant} cannot plan its dates",
        preview="Until it can, no run begins.",
        title="{assistant} cannot plan its dates",
        before=(
            "The next slots of {assistant} could not be determined, several times in a row. Until they are, no run "
            "begins.",
            "Its page says why. It tries again by itself.",
        ),
        action="Open the assistant",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.post_unknown: Words(
        subject="Is it there? {topic}",
        preview="{network} did not answer.",
        title="Nobody knows whether a post is there",
        before=(
            "“{topic}” was sent to {network}, but no answer came back, and {network} cannot be asked what became of "
            "it.",
            "Look there, then say on the page of the post whether it was published. Until then it is not sent again, "
            "so that it does not appear twice.",
        ),
        action="Open the post",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.trial_ending: Words(
        subject="Your trial ends on {day}",
        preview="What happens then, and what you can do.",
        title="Your trial ends soon",
        before=(
            "You can try Postloom until {until}. {charge} Without a payment method it ends then, and your assistants "
            "pause.",
            "You see how you pay on the page of your subscription. You can end it there until then, and are charged "
            "nothing.",
        ),
        action="Open the subscription",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.payment_failed: Words(
        subject="Your payment has not gone through",
        preview="Everything stays unlocked until {until}.",
        title="Your payment has not gone through",
        before=(
            "Your subscription could not be charged. We retry automatically, and until {until} everything stays "
            "unlocked. If it has not worked by then, your assistants pause.",
            "It helps to check the payment method.",
        ),
        action="Open the subscription",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.subscription_ended: Words(
        subject="Your subscription has ended",
        preview="{paused} Nothing is deleted.",
        title="Your subscription has ended",
        before=(
            "{paused} What is planned already still goes out, as far as the free allowance reaches. Nothing is "
            "deleted: you can read and edit everything.",
            "Once you subscribe again, one click lets your assistants go on. Posts due during the pause are skipped.",
        ),
        action="Open the subscription",
        after=("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.allowance_reached: Words(
        subject="Used up for this month: {allowance}",
        preview="It goes on from {until}.",
        title="Used up for this month: {allowance}",
        before=(
            "You have used what is included in a month, or what comes next could have gone beyond it. Until {until} "
            "assistants skip what does not fit. A planned post or article that is due before then is not published; "
            "you can try it again later.",
            "{more}",
        ),
        action="Open the subscription",
        after=("Told once a month to {email}. Which mails you get, you choose under Account, Notifications.",),
    ),
    MailKind.daily_overview: Words(
        subject="Your day with Postloom: {count}",
        preview="The overview of {day}.",
        title="What is new",
        before=("Until 8:00 on {day} this came up, and you have not looked at it yet:",),
        action="Open Postloom",
        after=(
            "This overview comes to {email} at 8:00, and only where there is something to tell. What it tells of, you "
            "choose under Account, Notifications.",
        ),
    ),
}

GERMAN: Final = {
    MailKind.verify_email: Words(
        subject="Bestätige deine E-Mail-Adresse für Postloom",
        preview="Ein Klick, dann ist dein Konto bereit.",
        title="Bestätige deine E-Mail-Adresse",
        before=(
            "Mit {email} hat sich jemand bei Postloom registriert. Wenn du das warst, bestätige, dass die Adresse "
            "dir gehört.",
        ),
        action="E-Mail-Adresse bestätigen",
        after=(
            "Der Link gilt einmal, bis {until}.",
            "Wenn du dich nicht registriert hast, lösche diese Mail: Ohne den Link passiert nichts.",
        ),
    ),
    MailKind.change_email: Words(
        subject="Bestätige deine neue E-Mail-Adresse für Postloom",
        preview="Bis dahin behält dein Konto die alte.",
        title="Bestätige deine neue E-Mail-Adresse",
        before=(
            "Dein Postloom-Konto soll ab jetzt {email} verwenden. Bestätige, dass die Adresse dir gehört. "
            "Bis dahin bleibt die alte.",
        ),
        action="E-Mail-Adresse bestätigen",
        after=(
            "Der Link gilt einmal, bis {until}.",
            "Wenn du das nicht wolltest, lösche diese Mail: Es ändert sich nichts.",
        ),
    ),
    MailKind.email_changed: Words(
        subject="Deine E-Mail-Adresse für Postloom wurde geändert",
        preview="Mit {email} kannst du dich nicht mehr anmelden.",
        title="Deine E-Mail-Adresse wurde geändert",
        before=(
            "Dein Postloom-Konto hat am {when} eine andere E-Mail-Adresse bekommen. Mit {email} kannst du dich "
            "nicht mehr anmelden, und Postloom schickt keine Mails mehr dorthin.",
            "Wenn du das warst, ist nichts zu tun. Wenn nicht, melde dich gleich bei denen, die {host} betreiben.",
        ),
    ),
    MailKind.reset_password: Words(
        subject="Neues Passwort für Postloom festlegen",
        preview="Der Link gilt einmal, bis {until}.",
        title="Neues Passwort festlegen",
        before=("Für {email} hat jemand ein neues Passwort angefordert.",),
        action="Neues Passwort festlegen",
        after=(
            "Der Link gilt einmal, bis {until}. Danach müssen sich alle Geräte neu anmelden.",
            "Wenn du das nicht warst, lösche diese Mail: Dein Passwort bleibt, wie es ist.",
        ),
    ),
    MailKind.password_changed: Words(
        subject="Dein Passwort für Postloom wurde geändert",
        preview="Andere Geräte müssen sich neu anmelden.",
        title="Dein Passwort wurde geändert",
        before=(
            "Das Passwort deines Postloom-Kontos ({email}) wurde am {when} geändert. Andere Geräte müssen sich neu "
            "anmelden.",
            "Wenn du das warst, ist nichts zu tun. Wenn nicht, fordere gleich auf der Anmeldeseite von {host} ein "
            "neues an und melde dich bei denen, die {host} betreiben.",
        ),
    ),
    MailKind.invitation: Words(
        subject="{inviter} lädt dich zu Postloom ein",
        preview="Assistenten, die deine Beiträge planen, schreiben und veröffentlichen.",
        title="{inviter} lädt dich zu Postloom ein",
        before=(
            "Mit Postloom planen, schreiben, bebildern und veröffentlichen Assistenten deine Social-Media-Beiträge: "
            "Du sagst, worüber und wann.",
        ),
        action="Registrieren",
        after=(
            "Dein Einladungscode ist {code}. Er gilt einmal, für {email}, bis {until}.",
            "Wenn du hier schon ein Konto hast, melde dich einfach an: Du brauchst keinen Code.",
            "Wenn du das nicht erwartest, lösche diese Mail: Ohne Registrierung gibt es kein Konto.",
        ),
    ),
    MailKind.approval_wanted: Words(
        subject="{assistant} fragt: {topic}",
        preview="{goes_out}",
        title="{waits} wartet auf dich",
        before=(
            "{assistant} hat {made} vorbereitet. {goes_out}",
            "Du kannst bis {deadline} entscheiden. {otherwise}",
            "{by_demo}",
        ),
        action="Ansehen und entscheiden",
        after=(
            "Das Öffnen der Seite entscheidet nichts, das tun ihre Knöpfe, und zwar ohne Anmeldung: Leite diese Mail "
            "an niemanden weiter, der nicht entscheiden soll. Gefragt ist {email}.",
        ),
    ),
    MailKind.approval_reminder: Words(
        subject="Noch offen: {topic}",
        preview="Du kannst bis {deadline} entscheiden.",
        title="{waits} wartet noch auf dich",
        before=(
            "{assistant} hat {made} vorbereitet. {goes_out}",
            "Du kannst bis {deadline} entscheiden. {otherwise}",
            "{by_demo}",
        ),
        action="Ansehen und entscheiden",
        after=(
            "Das Öffnen der Seite entscheidet nichts, das tun ihre Knöpfe, und zwar ohne Anmeldung: Leite diese Mail "
            "an niemanden weiter, der nicht entscheiden soll. Gefragt ist {email}.",
        ),
    ),
    MailKind.budget_spent: Words(
        subject="{assistant} hat das Budget erreicht",
        preview="Bis {until} werden Läufe ausgelassen.",
        title="{assistant} hat das Budget erreicht",
        before=(
            "Dein Assistent darf im Monat {budget} für Modelle ausgeben. Der nächste Text oder das nächste Bild hätte "
            "darüber liegen können, deshalb hat er vorher aufgehört. Bis {until} lässt er jeden Lauf aus, der nicht "
            "mehr hineinpasst.",
            "Wenn er jetzt weitermachen soll, erhöhe das Budget.",
        ),
        action="Budget ändern",
        after=("Das erfährst du einmal im Monat und Assistent unter {email}.",),
    ),
    MailKind.budget_unpriced: Words(
        subject="{assistant} kann das Budget nicht einhalten",
        preview="Der Preis des Modells ist nicht bekannt, deshalb werden Läufe ausgelassen.",
        title="{assistant} kann das Budget nicht einhalten",
        before=(
            "Dein Assistent darf im Monat {budget} für Modelle ausgeben, aber niemand weiß, was sein Modell kostet. "
            "Deshalb lässt er seine Läufe aus, statt ohne Grenze auszugeben.",
            "Lege das Budget in Token fest oder wähle in der Vorlage ein Modell, dessen Preis bekannt ist.",
        ),
        action="Budget ändern",
        after=("Das erfährst du einmal im Monat und Assistent unter {email}.",),
    ),
    MailKind.account_expires: Words(
        subject="{network}: Die Anmeldung von {account} endet am {day}",
        preview="Verbinde das Konto vorher neu, dann fällt nichts aus.",
        title="Anmeldung von {account} erneuern",
        before=(
            "Was {network} Postloom für {account} erlaubt hat, endet am {ends_at}. Ohne dich lässt es sich nicht "
            "verlängern. Verbinde das Konto vorher neu; deine Beiträge, Termine und Assistenten bleiben, wie sie sind.",
        ),
        action="Neu verbinden",
        after=(
            "Das erfährst du zwei Wochen, eine Woche und einen Tag vorher unter {email}, bis das Konto neu verbunden "
            "ist.",
        ),
    ),
    MailKind.account_needs_reconnecting: Words(
        subject="{network} lässt Postloom nicht mehr als {account} veröffentlichen",
        preview="Verbinde das Konto neu, dann machen deine Assistenten weiter.",
        title="{account} neu verbinden",
        before=(
            "{network} hat die Erlaubnis zurückgenommen, als {account} zu veröffentlichen, oder sie ist abgelaufen. "
            "Bis du das Konto neu verbindest, geht darüber nichts hinaus, und was nur dort erscheinen würde, wird "
            "nicht geschrieben.",
        ),
        action="Neu verbinden",
        after=("Das erfährst du einmal unter {email}, bis es wieder funktioniert.",),
    ),
    MailKind.assistant_paused: Words(
        subject="{assistant} hat sich selbst pausiert",
        preview="{reason}",
        title="{assistant} hat sich selbst pausiert",
        before=(
            "Aus drei Terminen hintereinander wurde aus demselben Grund nichts: {reason} Mit den nächsten wäre es "
            "ebenso, deshalb beginnt dein Assistent keine mehr.",
            "Sobald das behoben ist, setze ihn fort. Was in die Pause fällt, wird nicht nachgeholt.",
        ),
        action="Assistenten öffnen",
        after=("Das erfährst du bei jeder solchen Pause einmal unter {email}.",),
    ),
    MailKind.post_failed: Words(
        subject="Nicht veröffentlicht: {topic}",
        preview="Auf der Seite des Beitrags steht, warum. Dort kannst du es noch einmal versuchen.",
        title="Ein Beitrag wurde nicht veröffentlicht",
        before=(
            "„{topic}“ ging nicht hinaus, oder nicht auf allen Kanälen. Was veröffentlicht ist, bleibt veröffentlicht.",
            "Auf der Seite des Beitrags steht der Grund. Dort kannst du es noch einmal versuchen.",
        ),
        action="Beitrag öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.run_failed: Words(
        subject="{assistant} konnte keinen Beitrag schreiben",
        preview="Termin: {planned_at}.",
        title="Ein Lauf ist gescheitert",
        before=(
            "{assistant} sollte einen Beitrag für {planned_at} machen und ist gescheitert, bevor es einen gab. "
            "Veröffentlicht wurde nichts.",
            "Unter Läufe steht, bei welchem Schritt und warum. Der nächste Termin kommt wie geplant.",
        ),
        action="Läufe öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.removal_failed: Words(
        subject="Noch auf {network}: {topic}",
        preview="Das Netzwerk hat ihn nicht gelöscht.",
        title="Ein Beitrag konnte nicht gelöscht werden",
        before=(
            "„{topic}“ sollte auf {network} gelöscht werden und ist noch da.",
            "Auf der Seite des Beitrags steht der Grund. Dort kannst du es noch einmal versuchen; auf {network} kannst "
            "du ihn selbst löschen.",
        ),
        action="Beitrag öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.update_failed: Words(
        subject="Noch die alte Fassung auf {network}: {topic}",
        preview="Deine Änderungen sind hier gespeichert.",
        title="Ein Artikel konnte nicht aktualisiert werden",
        before=(
            "„{topic}“ steht auf {network} noch ohne das, was du seither geändert hast. Deine Änderungen sind hier "
            "gespeichert.",
            "Auf der Seite des Artikels steht der Grund. Dort kannst du ihn noch einmal aktualisieren oder die "
            "Änderungen verwerfen.",
        ),
        action="Artikel öffnen",
        after=("Geht einmal an {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",),
    ),
    MailKind.takedown_failed: Words(
        subject="Noch auf {network}: {topic}",
        preview="Die Website hat ihn nicht gelöscht.",
        title="Ein Artikel konnte nicht zurückgezogen werden",
        before=(
            "„{topic}“ sollte zurückgezogen werden und ist auf {network} noch zu lesen.",
            "Auf der Seite des Artikels steht der Grund. Dort kannst du es noch einmal versuchen; auf der Website "
            "kannst du ihn selbst löschen.",
        ),
        action="Artikel öffnen",
        after=("Geht einmal an {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",),
    ),
    MailKind.comment_failed: Words(
        subject="Ohne ersten Kommentar auf {network}: {topic}",
        preview="Der Beitrag selbst ist draußen.",
        title="Ein erster Kommentar fehlt",
        before=(
            "„{topic}“ steht auf {network}. Sein erster Kommentar steht nicht darunter, oder niemand weiß es.",
            "Auf der Seite des Beitrags steht, warum. Dort kannst du ihn noch einmal setzen lassen.",
        ),
        action="Beitrag öffnen",
        after=("Geht einmal an {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",),
    ),
    MailKind.announcement_ready: Words(
        subject="Eine Ankündigung wartet: {topic}",
        preview="Sie geht raus, sobald du es sagst.",
        title="Ein Artikel soll angekündigt werden",
        before=(
            "„{topic}“ ist veröffentlicht. Ein Beitrag, der ihn ankündigt, liegt als Entwurf für dich bereit.",
            "Sieh ihn dir an, ändere, was du möchtest, und lass ihn raus.",
        ),
        action="Entwurf öffnen",
        after=("Geht einmal an {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",),
    ),
    MailKind.announcement_failed: Words(
        subject="Nicht angekündigt: {topic}",
        preview="Der Artikel selbst ist draußen.",
        title="Ein Artikel wurde nicht angekündigt",
        before=(
            "„{topic}“ ist veröffentlicht, aber kein Beitrag kündigt ihn an.",
            "Die Seite des Artikels sagt, warum. Dort kannst du ihn selbst ankündigen.",
        ),
        action="Artikel öffnen",
        after=("Geht einmal an {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",),
    ),
    MailKind.planning_failed: Words(
        subject="{assistant} kann keine Termine planen",
        preview="Bis das gelingt, beginnt kein Lauf.",
        title="{assistant} kann keine Termine planen",
        before=(
            "Die nächsten Termine von {assistant} ließen sich mehrmals hintereinander nicht planen. Bis das gelingt, "
            "beginnt kein Lauf.",
            "Auf der Seite des Assistenten steht der Grund. Er versucht es von selbst wieder.",
        ),
        action="Assistenten öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.post_unknown: Words(
        subject="Ist er da? {topic}",
        preview="{network} hat nicht geantwortet.",
        title="Niemand weiß, ob ein Beitrag da ist",
        before=(
            "„{topic}“ wurde an {network} geschickt, aber es kam keine Antwort zurück, und {network} sagt nicht, was "
            "daraus wurde.",
            "Sieh dort nach und gib dann auf der Seite des Beitrags an, ob er veröffentlicht ist. Bis dahin wird er "
            "nicht noch einmal geschickt, damit er nicht doppelt erscheint.",
        ),
        action="Beitrag öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.trial_ending: Words(
        subject="Deine Testphase endet am {day}",
        preview="Was dann passiert und was du tun kannst.",
        title="Deine Testphase endet bald",
        before=(
            "Du kannst Postloom bis {until} testen. {charge} Ohne Zahlungsart endet es dann, und deine Assistenten "
            "pausieren.",
            "Wie du bezahlst, steht auf der Seite deines Abonnements. Dort kannst du es bis dahin auch kündigen, dann "
            "bezahlst du nichts.",
        ),
        action="Abonnement öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.payment_failed: Words(
        subject="Deine Zahlung hat nicht geklappt",
        preview="Bis {until} bleibt alles freigeschaltet.",
        title="Deine Zahlung hat nicht geklappt",
        before=(
            "Dein Abonnement konnte nicht abgerechnet werden. Das wird von selbst noch einmal versucht, und bis "
            "{until} bleibt alles freigeschaltet. Wenn es bis dahin nicht geklappt hat, pausieren deine Assistenten.",
            "Am besten prüfst du deine Zahlungsart.",
        ),
        action="Abonnement öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.subscription_ended: Words(
        subject="Dein Abonnement ist abgelaufen",
        preview="{paused} Gelöscht wird nichts.",
        title="Dein Abonnement ist abgelaufen",
        before=(
            "{paused} Was schon geplant ist, geht noch hinaus, soweit das kostenlose Kontingent reicht. Gelöscht wird "
            "nichts: Du kannst alles lesen und bearbeiten.",
            "Sobald du wieder ein Abonnement hast, setzt du deine Assistenten mit einem Klick fort. Was in die "
            "Pause fällt, wird nicht nachgeholt.",
        ),
        action="Abonnement öffnen",
        after=(
            "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.allowance_reached: Words(
        subject="Für diesen Monat aufgebraucht: {allowance}",
        preview="Ab dem {until} geht es weiter.",
        title="Für diesen Monat aufgebraucht: {allowance}",
        before=(
            "Du hast verbraucht, was im Monat enthalten ist, oder das Nächste hätte darüber liegen können. Bis zum "
            "{until} lassen Assistenten aus, was nicht mehr hineinpasst. Ein geplanter Beitrag oder Artikel, der "
            "vorher fällig ist, wird nicht veröffentlicht; du kannst es später noch einmal versuchen.",
            "{more}",
        ),
        action="Abonnement öffnen",
        after=(
            "Das erfährst du einmal im Monat unter {email}. Welche Mails du bekommst, wählst du unter Konto, "
            "Benachrichtigungen.",
        ),
    ),
    MailKind.daily_overview: Words(
        subject="Dein Tag mit Postloom: {count}",
        preview="Der Überblick vom {day}.",
        title="Was es Neues gibt",
        before=("Bis zum {day} um 8:00 Uhr ist das aufgelaufen, und du hast es noch nicht angesehen:",),
        action="Postloom öffnen",
        after=(
            "Dieser Überblick kommt um 8:00 Uhr an {email}, und nur, wenn es etwas zu sagen gibt. Was darin steht, "
            "wählst du unter Konto, Benachrichtigungen.",
        ),
    ),
}

_TOLD_ONCE: Final = {
    "en": ("Told once to {email}. Which mails you get, you choose under Account, Notifications.",),
    "de": (
        "Das erfährst du einmal unter {email}. Welche Mails du bekommst, wählst du unter Konto, Benachrichtigungen.",
    ),
}
OF_ARTICLES: Final = {
    "en": {
        MailKind.account_needs_reconnecting: Words(
            subject="{account} no longer takes articles from Postloom",
            preview="Connect the website again, and its assistant goes on.",
            title="Connect {account} again",
            before=(
                "{account} ({network}) no longer accepts the access that Postloom has. Until you connect the website "
                "again, no article goes out there, and none is written for it.",
            ),
            action="Connect again",
            after=("This is told once to {email}, until it works again.",),
        ),
        MailKind.post_failed: Words(
            subject="Not published: {topic}",
            preview="Its page says why, and tries again where you want it.",
            title="An article was not published",
            before=(
                "The article “{topic}” did not go out.",
                "The page of the article says what the reason was. There you can try again.",
            ),
            action="Open the article",
            after=_TOLD_ONCE["en"],
        ),
        MailKind.run_failed: Words(
            subject="{assistant} could not write an article",
            preview="Slot: {planned_at}.",
            title="A run has failed",
            before=(
                "{assistant} was to make an article for {planned_at}, and failed before it was ready. Nothing was "
                "published.",
                "Under Runs it says at which step, and why. The next slot stays as it is.",
            ),
            action="Open the runs",
            after=_TOLD_ONCE["en"],
        ),
        MailKind.removal_failed: Words(
            subject="Still on {network}: {topic}",
            preview="The website did not delete it.",
            title="An article could not be deleted",
            before=(
                "The article “{topic}” was to be deleted on {network}, and is still there.",
                "The page of the article says why. There you can try again; on {network} you can delete it yourself.",
            ),
            action="Open the article",
            after=_TOLD_ONCE["en"],
        ),
        MailKind.post_unknown: Words(
            subject="Is it there? {topic}",
            preview="{network} did not answer.",
            title="Nobody knows whether an article is there",
            before=(
                "The article “{topic}” was sent to {network}, but no answer came back, and {network} cannot be asked "
                "what became of it.",
                "Look there, then say on the page of the article whether it was published. Until then it is not sent "
                "again, so that it does not appear twice.",
            ),
            action="Open the article",
            after=_TOLD_ONCE["en"],
        ),
    },
    "de": {
        MailKind.account_needs_reconnecting: Words(
            subject="{account} nimmt keine Artikel von Postloom mehr an",
            preview="Verbinde die Website neu, dann macht ihr Assistent weiter.",
            title="{account} neu verbinden",
            before=(
                "{account} ({network}) nimmt den Zugang von Postloom nicht mehr an. Bis du die Website neu verbindest, "
                "geht dort kein Artikel hinaus, und es wird auch keiner für sie geschrieben.",
            ),
            action="Neu verbinden",
            after=("Das erfährst du einmal unter {email}, bis es wieder funktioniert.",),
        ),
        MailKind.post_failed: Words(
            subject="Nicht veröffentlicht: {topic}",
            preview="Auf der Seite des Artikels steht, warum. Dort kannst du es noch einmal versuchen.",
            title="Ein Artikel wurde nicht veröffentlicht",
            before=(
                "Der Artikel „{topic}“ ging nicht hinaus.",
                "Auf der Seite des Artikels steht der Grund. Dort kannst du es noch einmal versuchen.",
            ),
            action="Artikel öffnen",
            after=_TOLD_ONCE["de"],
        ),
        MailKind.run_failed: Words(
            subject="{assistant} konnte keinen Artikel schreiben",
            preview="Termin: {planned_at}.",
            title="Ein Lauf ist gescheitert",
            before=(
                "{assistant} sollte einen Artikel für {planned_at} machen und ist gescheitert, bevor er fertig war. "
                "Veröffentlicht wurde nichts.",
                "Unter Läufe steht, bei welchem Schritt und warum. Der nächste Termin kommt wie geplant.",
            ),
            action="Läufe öffnen",
            after=_TOLD_ONCE["de"],
        ),
        MailKind.removal_failed: Words(
            subject="Noch auf {network}: {topic}",
            preview="Die Website hat ihn nicht gelöscht.",
            title="Ein Artikel konnte nicht gelöscht werden",
            before=(
                "Der Artikel „{topic}“ sollte auf {network} gelöscht werden und ist noch da.",
                "Auf der Seite des Artikels steht der Grund. Dort kannst du es noch einmal versuchen; auf {network} "
                "kannst du ihn selbst löschen.",
            ),
            action="Artikel öffnen",
            after=_TOLD_ONCE["de"],
        ),
        MailKind.post_unknown: Words(
            subject="Ist er da? {topic}",
            preview="{network} hat nicht geantwortet.",
            title="Niemand weiß, ob ein Artikel da ist",
            before=(
                "Der Artikel „{topic}“ wurde an {network} geschickt, aber es kam keine Antwort zurück, und {network} "
                "sagt nicht, was daraus wurde.",
                "Sieh dort nach und gib dann auf der Seite des Artikels an, ob er veröffentlicht ist. Bis dahin wird "
                "er nicht noch einmal geschickt, damit er nicht doppelt erscheint.",
            ),
            action="Artikel öffnen",
            after=_TOLD_ONCE["de"],
        ),
    },
}
"""What is said in other words where it is about an article and the website that it goes to, whose name `{network}` is
there. Of a login that was lost `{account}` is the website, `{network}` its kind."""

COUNTED: Final = {
    "en": {
        NotificationKind.approval_needed: ("1 post asks for your OK", "{n} posts ask for your OK"),
        NotificationKind.post_failed: ("1 post was not published", "{n} posts were not published"),
        NotificationKind.post_waits: ("1 post goes out later", "{n} posts go out later"),
        NotificationKind.run_failed: ("1 run has failed", "{n} runs have failed"),
        NotificationKind.removal_failed: (
            "1 post was not deleted at its network",
            "{n} posts were not deleted at their networks",
        ),
        NotificationKind.update_failed: ("1 article was not updated", "{n} articles were not updated"),
        NotificationKind.takedown_failed: ("1 article was not taken down", "{n} articles were not taken down"),
        NotificationKind.comment_failed: ("1 post lacks its first comment", "{n} posts lack their first comment"),
        NotificationKind.announcement_ready: ("1 announcement waits for you", "{n} announcements wait for you"),
        NotificationKind.announcement_failed: ("1 article was not announced", "{n} articles were not announced"),
        NotificationKind.planning_failed: (
            "1 assistant cannot plan its dates",
            "{n} assistants cannot plan their dates",
        ),
        NotificationKind.post_unknown: ("1 post may or may not be there", "{n} posts may or may not be there"),
        NotificationKind.account_expires: ("The login of 1 account ends soon", "The logins of {n} accounts end soon"),
        NotificationKind.account_reconnect: ("1 account needs a new login", "{n} accounts need a new login"),
        NotificationKind.assistant_paused_itself: (
            "1 assistant has paused itself",
            "{n} assistants have paused themselves",
        ),
        NotificationKind.budget_reached: (
            "1 assistant has reached its budget",
            "{n} assistants have reached their budget",
        ),
        NotificationKind.trial_ending: ("Your trial ends soon", "Your trial ends soon"),
        NotificationKind.payment_failed: ("1 payment has not gone through", "{n} payments have not gone through"),
        NotificationKind.subscription_ended: ("Your subscription has ended", "Your subscription has ended"),
        NotificationKind.allowance_reached: (
            "1 allowance is used up for this month",
            "{n} allowances are used up for this month",
        ),
    },
    "de": {
        NotificationKind.approval_needed: ("1 Beitrag wartet auf dein OK", "{n} Beiträge warten auf dein OK"),
        NotificationKind.post_failed: (
            "1 Beitrag wurde nicht veröffentlicht",
            "{n} Beiträge wurden nicht veröffentlicht",
        ),
        NotificationKind.post_waits: ("1 Beitrag geht später raus", "{n} Beiträge gehen später raus"),
        NotificationKind.run_failed: ("1 Lauf ist gescheitert", "{n} Läufe sind gescheitert"),
        NotificationKind.removal_failed: (
            "1 Beitrag wurde in seinem Netzwerk nicht gelöscht",
            "{n} Beiträge wurden in ihren Netzwerken nicht gelöscht",
        ),
        NotificationKind.update_failed: (
            "1 Artikel wurde nicht aktualisiert",
            "{n} Artikel wurden nicht aktualisiert",
        ),
        NotificationKind.takedown_failed: (
            "1 Artikel wurde nicht zurückgezogen",
            "{n} Artikel wurden nicht zurückgezogen",
        ),
        NotificationKind.comment_failed: (
            "Bei 1 Beitrag fehlt der erste Kommentar",
            "Bei {n} Beiträgen fehlt der erste Kommentar",
        ),
        NotificationKind.announcement_ready: ("1 Ankündigung wartet auf dich", "{n} Ankündigungen warten auf dich"),
        NotificationKind.announcement_failed: (
            "1 Artikel wurde nicht angekündigt",
            "{n} Artikel wurden nicht angekündigt",
        ),
        NotificationKind.planning_failed: (
            "1 Assistent kann keine Termine planen",
            "{n} Assistenten können keine Termine planen",
        ),
        NotificationKind.post_unknown: (
            "Bei 1 Beitrag ist unklar, ob er da ist",
            "Bei {n} Beiträgen ist unklar, ob sie da sind",
        ),
        NotificationKind.account_expires: (
            "Die Anmeldung von 1 Konto endet bald",
            "Die Anmeldungen von {n} Konten enden bald",
        ),
        NotificationKind.account_reconnect: (
            "1 Konto braucht eine neue Anmeldung",
            "{n} Konten brauchen eine neue Anmeldung",
        ),
        NotificationKind.assistant_paused_itself: (
            "1 Assistent hat sich selbst pausiert",
            "{n} Assistenten haben sich selbst pausiert",
        ),
        NotificationKind.budget_reached: (
            "1 Assistent hat sein Budget erreicht",
            "{n} Assistenten haben ihr Budget erreicht",
        ),
        NotificationKind.trial_ending: ("Deine Testphase endet bald", "Deine Testphase endet bald"),
        NotificationKind.payment_failed: ("1 Zahlung hat nicht geklappt", "{n} Zahlungen haben nicht geklappt"),
        NotificationKind.subscription_ended: ("Dein Abonnement ist abgelaufen", "Dein Abonnement ist abgelaufen"),
        NotificationKind.allowance_reached: (
            "1 Kontingent ist für diesen Monat aufgebraucht",
            "{n} Kontingente sind für diesen Monat aufgebraucht",
        ),
    },
}
"""What an overview says of one, and of several."""

COUNTED_ARTICLES: Final = {
    "en": {
        NotificationKind.approval_needed: ("1 article asks for your OK", "{n} articles ask for your OK"),
        NotificationKind.post_failed: ("1 article was not published", "{n} articles were not published"),
        NotificationKind.post_waits: ("1 article goes out later", "{n} articles go out later"),
        NotificationKind.removal_failed: (
            "1 article was not deleted at its website",
            "{n} articles were not deleted at their websites",
        ),
        NotificationKind.post_unknown: ("1 article may or may not be there", "{n} articles may or may not be there"),
        NotificationKind.account_reconnect: ("1 website needs new access", "{n} websites need new access"),
    },
    "de": {
        NotificationKind.approval_needed: ("1 Artikel wartet auf dein OK", "{n} Artikel warten auf dein OK"),
        NotificationKind.post_failed: (
            "1 Artikel wurde nicht veröffentlicht",
            "{n} Artikel wurden nicht veröffentlicht",
        ),
        NotificationKind.post_waits: ("1 Artikel geht später raus", "{n} Artikel gehen später raus"),
        NotificationKind.removal_failed: (
            "1 Artikel wurde auf seiner Website nicht gelöscht",
            "{n} Artikel wurden auf ihren Websites nicht gelöscht",
        ),
        NotificationKind.post_unknown: (
            "Bei 1 Artikel ist unklar, ob er da ist",
            "Bei {n} Artikeln ist unklar, ob sie da sind",
        ),
        NotificationKind.account_reconnect: ("1 Website braucht neuen Zugang", "{n} Websites brauchen neuen Zugang"),
    },
}
"""The same of those that are about articles, or about websites."""

NEWS: Final = {"en": ("1 thing is new", "{n} things are new"), "de": ("1 Neuigkeit", "{n} Neuigkeiten")}

WORDS: Final = {"en": ENGLISH, "de": GERMAN}

REASONS: Final = {
    "en": {
        ErrorCode.account_disconnected: "None of its accounts is connected any more.",
        ErrorCode.api_version_retired: "The network no longer answers the version of its API that is set here.",
        ErrorCode.assistant_incomplete: "Its configuration is not complete any more.",
        ErrorCode.channel_not_configured: "The network is not set up on this installation.",
        ErrorCode.delivery_needs_reconnect: "The network no longer accepts the connection of its account.",
        ErrorCode.reconnected_too_late: "Its account was not connected again in time.",
        ErrorCode.model_misconfigured: "The key or the name of its model is wrong.",
        ErrorCode.model_out_of_credit: "The credit for its model is used up.",
        ErrorCode.provider_misconfigured: "Postloom's access to the network is not set up correctly.",
    },
    "de": {
        ErrorCode.account_disconnected: "Keines seiner Konten ist noch verbunden.",
        ErrorCode.api_version_retired: "Das Netzwerk beantwortet die API-Version nicht mehr, die hier eingestellt ist.",
        ErrorCode.assistant_incomplete: "Seine Konfiguration ist nicht mehr vollständig.",
        ErrorCode.channel_not_configured: "Das Netzwerk ist auf dieser Installation nicht eingerichtet.",
        ErrorCode.delivery_needs_reconnect: "Das Netzwerk nimmt die Verbindung seines Kontos nicht mehr an.",
        ErrorCode.reconnected_too_late: "Sein Konto wurde nicht rechtzeitig neu verbunden.",
        ErrorCode.model_misconfigured: "Der Schlüssel oder der Name seines Modells stimmt nicht.",
        ErrorCode.model_out_of_credit: "Das Guthaben für sein Modell ist aufgebraucht.",
        ErrorCode.provider_misconfigured: "Der Zugang von Postloom zum Netzwerk ist nicht richtig eingerichtet.",
    },
}
"""Why an assistant has paused itself: one sentence for each of `core.domain.assistants.LASTING`."""

REASONS_OF_ARTICLES: Final = {
    "en": {
        ErrorCode.account_disconnected: "Its website is not connected any more.",
        ErrorCode.channel_not_configured: "Websites of that kind are not set up on this installation.",
        ErrorCode.delivery_needs_reconnect: "Its website no longer accepts the access that Postloom has.",
        ErrorCode.reconnected_too_late: "Its website was not connected again in time.",
        ErrorCode.provider_misconfigured: "Postloom's access to the website is not set up correctly.",
    },
    "de": {
        ErrorCode.account_disconnected: "Seine Website ist nicht mehr verbunden.",
        ErrorCode.channel_not_configured: "Websites dieser Art sind auf dieser Installation nicht eingerichtet.",
        ErrorCode.delivery_needs_reconnect: "Seine Website nimmt den Zugang von Postloom nicht mehr an.",
        ErrorCode.reconnected_too_late: "Seine Website wurde nicht rechtzeitig neu verbunden.",
        ErrorCode.provider_misconfigured: "Der Zugang von Postloom zur Website ist nicht richtig eingerichtet.",
    },
}
"""Those that read otherwise of one that writes for a website."""
