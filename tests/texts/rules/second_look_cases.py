"""Texts for the second look: good ones, in which it finds nothing, and faulty ones with what it finds."""

from typing import Any, NamedTuple

from core.brands.rules import Address, BrandVoice, EmojiUse, Example, HashtagUse
from core.texts.rules.review import Finding

FORMAL = BrandVoice("Kanzlei Brandt", address=Address.formal, emoji=EmojiUse.none, hashtags=HashtagUse.none)
INFORMAL = BrandVoice("Radhaus", about="Fahrradwerkstatt in Lindhof", address=Address.informal)
FREE = BrandVoice("Radhaus", emoji=EmojiUse.free)
WITH_FACTS = BrandVoice(
    "Millerton Bakery",
    about="A bakery in Millerton",
    facts=("We bake since 1984.", "Sarah Holt is our baker.", "Order at millerton.example"),
    words_to_avoid=("cheap", "best price"),
    examples=(Example("Only on Saturday: 20 % off with Tom Baker."),),
)
AVOIDS = BrandVoice("Hofladen", words_to_avoid=("günstig", "Bio Qualität"), address=Address.any)


class Good(NamedTuple):
    language: str
    brief: str
    text: str
    more: dict[str, Any] = {}


class Faulty(NamedTuple):
    language: str
    brief: str
    text: str
    finding: Finding
    params: dict[str, str | int]
    more: dict[str, Any] = {}


GOOD = (
    Good(
        "de",
        "Kette reinigen. Pro Rolle genügt ein Tropfen Öl. Dauert zehn Minuten.",
        "Öl auf einer schmutzigen Kette wird zu Schleifpaste.\n\nWisch sie erst trocken ab, dann kommt das Öl: pro "
        "Rolle 1 Tropfen. Nach 10 Minuten bist du fertig.\n\n#Fahrrad #Werkstatt",
        {"brand": INFORMAL, "fold": 110, "most_hashtags": 2},
    ),
    Good(
        "de",
        "Reparaturabend. Wann: Mittwoch, 14. Oktober, 18 bis 21 Uhr. Wo: Hafenstraße 8. Eintritt frei.",
        "Am 14.10. schrauben wir zusammen.\n\nVon 18:00 bis 21:00 Uhr ist die Werkstatt in der Hafenstraße 8 offen. "
        "Der Eintritt ist frei.",
    ),
    Good(
        "de",
        "Umsatz 2025: 1.200.000 Euro, plus 4,5 Prozent gegenüber 2024",
        "2025 haben wir 1,2 Millionen Euro umgesetzt. Das sind 4,5 % mehr als 2024.",
    ),
    Good(
        "de",
        "Umsatz 1,2 Mio. Euro",
        "Unser Umsatz im letzten Jahr: 1.200.000 €. Danke an alle, die dabei waren.",
    ),
    Good("de", "Miete: zwölf Monate Laufzeit", "Der Vertrag läuft 12 Monate. Danach könnt ihr monatlich kündigen."),
    Good("de", "Der Laden hat seit 12 Jahren offen.", "Seit zwölf Jahren öffnet hier morgens jemand die Tür."),
    Good(
        "de",
        "Wie man Rechnungen schreibt",
        "3 Fehler, die auf Rechnungen oft passieren:\n\n1. Die Nummer fehlt.\n2. Der Zeitraum fehlt.\n3. Die Anschrift "
        "ist alt.\n\nWas fällt dir noch ein?",
    ),
    Good(
        "de",
        "B2B-Vertrieb mit KI",
        "Im B2B-Vertrieb zählt, wer zuhört. Ein 3D-Modell oder ein Video in 4K ersetzt kein Gespräch, und CO2-neutral "
        "wird die Reise dadurch auch nicht.",
    ),
    Good(
        "de",
        "Industrie 4.0 in kleinen Betrieben",
        "Industrie 4.0 fängt klein an: mit einem Zähler an einer Maschine und jemandem, der die Zahlen liest.",
    ),
    Good(
        "de",
        "Anna Weber leitet die Werkstatt. Zitat von Anna: „Ich höre am Klang, was fehlt.“",
        "„Ich höre am Klang, was fehlt“, sagt Anna Weber. Sie leitet unsere Werkstatt.",
    ),
    Good(
        "de",
        "Ausbildung bei uns",
        "Im ersten Jahr lernst du die Maschinen kennen. Im zweiten planst du Aufträge, und im dritten hast du eigene "
        "Kunden. Jede Frau, jeder Mann, alle sind willkommen.",
    ),
    Good(
        "de",
        "Wohnungsübergabe. Fotos mit Datum helfen.",
        "Bei der Übergabe hilft ein Foto mit Datum. Bewahren Sie es zusammen mit dem Protokoll auf, und zeigen Sie es, "
        "wenn es Streit gibt.",
        {"brand": FORMAL, "fold": 140, "most_hashtags": 2},
    ),
    Good(
        "de",
        "Kundenstimme: „Du hast mir sehr geholfen“, sagte eine Mieterin.",
        "„Du hast mir sehr geholfen“, sagte eine Mieterin nach dem Termin. Haben Sie auch eine Frage? Schreiben Sie.",
        {"brand": FORMAL},
    ),
    Good(
        "de",
        "Unsere Kundinnen und Kunden",
        "Unsere Kundinnen kennen ihr Rad gut. Sie merken früh, wenn etwas schleift, und bringen es dir dann vorbei.",
        {"brand": INFORMAL},
    ),
    Good(
        "de",
        "Link: https://radhaus.example/termine?utm_source=linkedin",
        "Den nächsten freien Termin findest du hier: https://radhaus.example/termine",
        {"brand": INFORMAL},
    ),
    Good("de", "Partner: @radhaus@social.example", "Danke an @radhaus@social.example für den schönen Abend."),
    Good(
        "de",
        "Sommerfest",
        "Der Tisch steht, die Lampions hängen 🎉\n\nKomm vorbei und bring mit, was du gern isst 🍰",
        {"brand": FREE},
    ),
    Good(
        "de",
        "Herbst in der Werkstatt",
        "Im Herbst wird es früh dunkel.\n\nEin Blick auf das Rücklicht dauert nicht lange, und danach fährst du "
        "ruhiger nach Hause. 🚲",
        {"brand": INFORMAL},
    ),
    Good(
        "de",
        "Öffnungszeiten: Mo bis Fr 9–18 Uhr, Sa 10–14 Uhr. Telefon 07000 123 456",
        "Wir sind für euch da: montags bis freitags von 9 bis 18 Uhr, samstags von 10 bis 14 Uhr. Oder ruft an: 07000 "
        "123 456.",
    ),
    Good(
        "de",
        "Preise: Inspektion 59 €, mit Kette 74,90 €",
        "Die Inspektion kostet 59 Euro. Mit neuer Kette sind es 74,90 €.",
    ),
    Good(
        "de",
        "Käse aus der Region",
        "Ein guter Käse braucht Zeit, nicht nur Milch, sondern auch jemanden, der ihn jeden Tag wendet.",
        {"brand": AVOIDS},
    ),
    Good(
        "de",
        "Termin unter radhaus.example",
        "Was hast du zuletzt selbst repariert?\n\nTermin unter radhaus.example",
        {"earlier_closings": ("Termin unter radhaus.example",), "earlier_openings": ("Wer hat das Licht geprüft?",)},
    ),
    Good(
        "de",
        "Steuern: Frist 31. Juli. Müller & Söhne GmbH erklärt die Abgabe.",
        "Bis zum 31. Juli muss die Erklärung beim Amt sein. Die Müller & Söhne GmbH hilft, wenn Unterlagen fehlen.",
    ),
    Good(
        "de",
        "Wandel im Betrieb",
        "Wer sagt: „Das haben wir schon immer so gemacht“, der meint oft: „Ich weiß nicht, was danach kommt.“ Frag "
        "nach, bevor du widersprichst.",
    ),
    Good(
        "de",
        "Aloe Vera pflegen",
        "Im Roman blüht sie nur nachts. Auf der Fensterbank braucht deine Aloe Vera vor allem eines: wenig Wasser.",
    ),
    Good(
        "de",
        "Schwimmkurs",
        "Tauch die Hände ein, atme aus, zähl bis drei. So fängt jede Stunde an, und so hört die Angst auf.",
    ),
    Good(
        "en",
        "Clean your chain. One drop of oil for each roller. Takes ten minutes.",
        "Oil on a dirty chain turns into grinding paste.\n\nWipe it dry first, then give each roller 1 drop. After 10 "
        "minutes you are done.\n\n#cycling #repair",
        {"fold": 125, "most_hashtags": 5},
    ),
    Good(
        "en",
        "Repair night: Wednesday, 14 October, 6 to 9 pm, 8 Harbour Street. Free.",
        "On Wednesday, October 14, our doors are open from 18:00 to 21:00. Come to 8 Harbour Street and bring your "
        "bike. It is free.",
    ),
    Good(
        "en",
        "Revenue 2025: $1,200,000, up 4.5 percent on 2024",
        "In 2025 we made $1.2 million, which is 4.5% more than in 2024.",
    ),
    Good("en", "We have 25 employees", "Twenty-five people work here, and all of them know how the machine sounds."),
    Good(
        "en",
        "How to write an invoice",
        "5 mistakes that hold up an invoice:\n\n1) The number is missing.\n2) The period is missing.\n3) The address "
        "is old.\n4) The tax is wrong.\n5) Nobody sent it.",
    ),
    Good(
        "en",
        "Baking bread",
        "We start at night, because dough needs time. Come and see it: Sarah Holt has baked here since 1984.",
        {"brand": WITH_FACTS, "fold": 140},
    ),
    Good(
        "en",
        "Sourdough course",
        "Your first loaf may be flat. The second one teaches you more than any book. Order a place at "
        "https://www.millerton.example/courses",
        {"brand": WITH_FACTS},
    ),
    Good(
        "en",
        "Customer: Northwind Traders. Quote of Priya Shah: 'We close the books two days earlier.'",
        "“We close the books two days earlier,” says Priya Shah of Northwind Traders. Her team changed one thing: who "
        "opens the mail.",
    ),
    Good(
        "en",
        "Autumn on the farm",
        "On Monday the first frost came. By Friday the apples were in the cellar, and on Sunday we made juice. In "
        "Germany the harvest was late as well.",
    ),
    Good(
        "en",
        "Home office",
        "Zoom calls are tiring, and so are chats in Slack or Teams. Try a walk instead. I'm serious: nobody misses the "
        "slides.",
    ),
    Good(
        "en",
        "Seven habits of good mentors",
        "What Good Mentors Do Before the First Meeting\n\nThey read what you wrote, and ask one question about it.",
    ),
    Good(
        "en",
        "Question about bread",
        "Rye or wheat? Tell us which loaf disappears first at your place.",
        {"earlier_openings": ("Rye bread keeps longer.",), "earlier_closings": ("Come and try it on Saturday.",)},
    ),
    Good(
        "en",
        "Closing time",
        "We close at the end of the day shift. What is left over goes to the neighbours, and nobody throws bread away.",
    ),
    Good("en", "Contact: hello@millsons.example or @millsons", "Write to hello@millsons.example or ask @millsons."),
    Good(
        "en",
        "Trail guide",
        "The seamless jacket is back, and it is made of wool. The journey to the hut takes the whole day, so start "
        "early.",
    ),
    Good(
        "en",
        "Jobs in tech",
        "Ask a Product Manager or a Head of Marketing what Search Engine Optimization is, and you get two answers. "
        "People say: “It depends on what you want,” and they are right.",
    ),
    Good(
        "en",
        "Physics for beginners",
        "A lever works because a small force moves a long way. Put the stone close to the pivot and push at the far "
        "end.",
    ),
    Good(
        "en",
        "Opening hours: 9 am to 5 pm. Phone 01632 960 123",
        "We are here from 9:00 to 17:00, or call 01632 960 123.",
    ),
    Good("en", "Party", "The table is set 🎉\n\nBring a cake 🍰 and a friend 😊 or two 😀", {"brand": FREE}),
    Good(
        "en",
        "Prices: £12 for adults, £5.50 for children under 12",
        "Adults pay £12, children under 12 pay £5.50. No booking needed.",
    ),
    Good(
        "en",
        "Cheese of the month",
        "This cheese is made on a farm above the valley. It tastes of hay and nuts, and it keeps for weeks.",
        {"brand": WITH_FACTS, "most_hashtags": 0},
    ),
)

_UNPROVEN = Finding.unproven
FAULTY = (
    Faulty("de", "Kette pflegen", "Eine saubere Kette hält 40 % länger.", _UNPROVEN, {"what": "40 %"}),
    Faulty("de", "Wir sind eine Werkstatt.", "Seit 1998 reparieren wir Räder.", _UNPROVEN, {"what": "1998"}),
    Faulty("de", "Fest am Samstag", "Am 12. Mai feiern wir im Hof.", _UNPROVEN, {"what": "12. Mai"}),
    Faulty("de", "Fest um 18 Uhr", "Los geht es um 19:30 Uhr.", _UNPROVEN, {"what": "19:30 Uhr"}),
    Faulty("de", "Kundin lobt uns", "Schon 2.500 Kundinnen sind zufrieden.", _UNPROVEN, {"what": "2.500 Kundinnen"}),
    Faulty("de", "Werkstatt", "Seit zwölf Jahren sind wir hier.", _UNPROVEN, {"what": "zwölf Jahren"}),
    Faulty("de", "Inspektion", "Die Inspektion kostet 49 €.", _UNPROVEN, {"what": "49 €"}),
    Faulty("de", "Werkstatt", "Unser Meister Thomas Berger prüft jedes Rad.", _UNPROVEN, {"what": "Thomas Berger"}),
    Faulty("de", "Werkstatt", "Lenas Rad fährt wieder.", _UNPROVEN, {"what": "Lenas"}),
    Faulty("de", "Werkstatt", "Frau Krüger hat ihr Rad zurück.", _UNPROVEN, {"what": "Krüger"}),
    Faulty(
        "de",
        "Unser neuer Kunde",
        "Mit der Nordlicht Systeme GmbH planen wir.",
        _UNPROVEN,
        {"what": "Nordlicht Systeme GmbH"},
    ),
    Faulty(
        "de",
        "Stimmen von Kunden",
        "„Endlich fährt mein Rad wieder leise“, sagt eine Kundin.",
        _UNPROVEN,
        {"what": "Endlich fährt mein Rad wieder leise"},
    ),
    Faulty(
        "de",
        "Termine",
        "Buche auf www.werkstatt-lindhof.de deinen Termin.",
        _UNPROVEN,
        {"what": "werkstatt-lindhof.de"},
    ),
    Faulty("de", "Termine", "Schreib an info@radhaus.example.", _UNPROVEN, {"what": "info@radhaus.example"}),
    Faulty("de", "Termine", "Danke an @stadt_lindhof für den Platz.", _UNPROVEN, {"what": "@stadt_lindhof"}),
    Faulty(
        "en", "Bread", "Only this week: 20% off.", _UNPROVEN, {"what": "20%"}, {"brand": WITH_FACTS}
    ),  # of an example post
    Faulty("en", "Bread", "Founded in 1921, we still bake at night.", _UNPROVEN, {"what": "1921"}),
    Faulty("en", "Bread", "We served 10,000 customers last year.", _UNPROVEN, {"what": "10,000"}),
    Faulty("en", "Bread", "Three million people cannot be wrong.", _UNPROVEN, {"what": "Three million"}),
    Faulty("en", "Bread", "Emily Carter bakes at night.", _UNPROVEN, {"what": "Emily Carter"}),
    Faulty("en", "Bread", "We worked with Harborview Partners on this.", _UNPROVEN, {"what": "Harborview Partners"}),
    Faulty("en", "Bread", "Our second shop opens in Springfield soon.", _UNPROVEN, {"what": "Springfield"}),
    Faulty("en", "Bread", "Ask Mrs. Fielding about the rye.", _UNPROVEN, {"what": "Fielding"}),
    Faulty(
        "en",
        "Bread",
        "“I never eat anything else now,” says a neighbour.",
        _UNPROVEN,
        {"what": "I never eat anything else now,"},
    ),
    Faulty("en", "Bread", "Order at https://bread-now.com today.", _UNPROVEN, {"what": "bread-now.com"}),
    Faulty(
        "de",
        "KI",
        "In der heutigen schnelllebigen Welt zählt Ruhe.",
        Finding.cliche,
        {"what": "In der heutigen schnelllebigen Welt"},
    ),
    Faulty("de", "KI", "Das ist ein echter Gamechanger.", Finding.cliche, {"what": "Gamechanger"}),
    Faulty("de", "KI", "Das Ergebnis? Mehr Ruhe.", Finding.cliche, {"what": "Das Ergebnis?"}),
    Faulty(
        "de", "KI", "So heben wir Service auf das nächste Level.", Finding.cliche, {"what": "auf das nächste Level"}
    ),
    Faulty("de", "KI", "Schnell. Sicher. Einfach.", Finding.cliche, {"what": "Schnell. Sicher. Einfach."}),
    Faulty("en", "AI", "Let’s dive in.", Finding.cliche, {"what": "Let’s dive in"}),
    Faulty("en", "AI", "We are thrilled to announce our course.", Finding.cliche, {"what": "thrilled to announce"}),
    Faulty("en", "AI", "It's not just a tool, it's a friend.", Finding.cliche, {"what": "It's not just a tool, it's"}),
    Faulty(
        "en", "AI", "No forms. No waiting. Just bread.", Finding.cliche, {"what": "No forms. No waiting. Just bread."}
    ),
    Faulty(
        "en",
        "Bread",
        "We bake at night. What do you think?\n\n#bread",
        Finding.cliche,
        {"what": "What do you think? #bread"},
    ),
    Faulty(
        "de", "Obst", "Heute gibt es günstige Äpfel.", Finding.avoided_word, {"what": "günstige"}, {"brand": AVOIDS}
    ),
    Faulty(
        "en", "Bread", "The best price in town.", Finding.avoided_word, {"what": "best price"}, {"brand": WITH_FACTS}
    ),
    Faulty(
        "de",
        "Licht",
        "Wann hast du zuletzt dein Licht geprüft? Der Herbst kommt.",
        Finding.repeated_opening,
        {"what": "Wann hast du zuletzt dein Licht geprüft?"},
        {"earlier_openings": ("Ein Tropfen genügt.", "Wann hast du zuletzt die Kette geölt?")},
    ),
    Faulty(
        "en",
        "Bread",
        "Rye keeps for days.\n\nWhich loaf do you like best?\n\n#bread",
        Finding.repeated_closing,
        {"what": "Which loaf do you like best?"},
        {"earlier_closings": ("And which loaf do you like best?",)},
    ),
    Faulty("de", "Mietrecht", "Hast du Fragen? Wir sind da.", Finding.wrong_address, {"what": "du"}, {"brand": FORMAL}),
    Faulty(
        "de",
        "Räder",
        "Bringen Sie Ihr Rad vorbei.",
        Finding.wrong_address,
        {"what": "Sie"},
        {"brand": INFORMAL},
    ),
    Faulty(
        "de",
        "Regen",
        "Rain is no drama when you have the right mudguards. We show you how to fit them and what matters.",
        Finding.wrong_language,
        {},
    ),
    Faulty(
        "de",
        "Licht",
        "Prüf dein Licht.\n\n#Licht #Rad #Herbst #Lindhof",
        Finding.too_many_hashtags,
        {"count": 4, "most": 3},
        {"most_hashtags": 3},
    ),
    Faulty(
        "de",
        "Mietrecht",
        "Fristen gelten für alle.\n\n#Mietrecht",
        Finding.too_many_hashtags,
        {"count": 1, "most": 0},
        {"brand": FORMAL, "most_hashtags": 3},
    ),
    Faulty(
        "de",
        "Licht",
        "Prüf dein Licht.\n\n🚲 🔦 🌧️",
        Finding.too_many_emoji,
        {"count": 3, "most": 2},
        {"brand": INFORMAL},
    ),
    Faulty(
        "de",
        "Licht",
        "🚲 Prüf dein Licht.\n\nEs wird früh dunkel.",
        Finding.too_many_emoji,
        {"count": 1, "most": 0, "where": "first_line"},
        {"brand": INFORMAL},
    ),
    Faulty(
        "de",
        "Licht",
        "Wer im Herbst mit dem Rad zur Arbeit fährt und abends wieder nach Hause, der braucht ein Licht, das andere "
        "sehen, auch wenn es regnet. Prüf es heute.",
        Finding.late_message,
        {"fold": 110},
        {"fold": 110},
    ),
)
