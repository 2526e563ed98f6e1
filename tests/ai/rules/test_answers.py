"""Answers of real models, in German and English, and the texts that are in them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ai.rules.answers import Content, End, Form, read_answer, read_content, read_end, shown_so_far
from tests.growth import grows_in_step

POST = "Regen ist kein Drama: Schutzbleche helfen.\n\nWer fährt heute mit?\n\n#Fahrrad #Regen"


def post(raw: str) -> str:
    return read_answer(raw, Form.post).text


def article(raw: str) -> str:
    return read_answer(raw, Form.article).text


# --- reasoning and chat marks

REASONING = "Der Nutzer will einen Post.\n\nIch schreibe: ```\nHallo\n``` und nenne <think> nicht."


@pytest.mark.parametrize(
    "raw",
    [
        "<think>{r}</think>\n\n{p}",
        "<think>\n{r}\n</think>{p}",
        "<THINK>{r}</THINK> {p}",
        "<think></think>\n\n{p}",
        "<think/>\n{p}",
        "<think time=3s>{r}</think>\n{p}",
        "<thinking>{r}</thinking>\n\n{p}",
        "<thought>{r}</thought>\n\n{p}",
        "<reasoning>{r}</reasoning>\n\n{p}",
        "<reflection>{r}</reflection>\n\n{p}",
        "<scratchpad>{r}</scratchpad>\n\n{p}",
        "<seed:think>{r}</seed:think>{p}",
        "&lt;think&gt;{r}&lt;/think&gt;\n\n{p}",
        "<think>{r}</think>\n<think>{r}</think>\n\n{p}",
        "<think>a</think><think>b</think>{p}",
        "<think>a <think>b</think> c</think>\n\n{p}",
        "{p}\n\n<think>War das gut?</think>",
        "{p}\n<think>War das gut?",
        # the prompt has opened it
        "{r}\n</think>\n\n{p}",
        "Ich überlege. </think> {p}",
        "Ich überlege.</think>{p}",
        "Ein Entwurf:\n```\nHallo\n\nGut.\n</think>\n\n{p}",
        # other families
        "[THINK]{r}[/THINK]{p}",
        "◁think▷{r}◁/think▷{p}",
        "<|begin_of_thought|>{r}<|end_of_thought|>\n\n<|begin_of_solution|>{p}<|end_of_solution|>",
        "<|START_THINKING|>{r}<|END_THINKING|><|START_RESPONSE|>{p}<|END_RESPONSE|>",
        "<|channel>thought\n{r}<channel|>{p}",
        "<unused94>thought\n{r}<unused95>{p}",
        '<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\n> {r}\n</details>\n{p}',
        "Thinking...\nDer Nutzer will einen Post.\n...done thinking.\n\n{p}",
        "Here is my thought process:\nOne.\n\nHere is my response:\n{p}",
        "**Überlegung:**\nErst das Wetter.\n\n**Finaler Beitrag:**\n{p}",
        # harmony
        "<|channel|>analysis<|message|>{r}<|end|><|start|>assistant<|channel|>final<|message|>{p}<|return|>",
        "<|start|>assistant<|channel|>final<|message|>{p}",
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|>"
        "<|start|>assistant<|channel|>final <|constrain|>text<|message|>{p}<|return|>",
        "{r}<|end|><|start|>assistant<|channel|>final<|message|>{p}",
        "analysisWe need a post in German.assistantfinal{p}",
        # turns
        "{p}<|im_end|>",
        "{p}<|im_end|>\n<|im_start|>user\nDanke!<|im_end|>\n<|im_start|>assistant\nGern.",
        "<|im_start|>assistant\n{p}<|im_end|>",
        "{p}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nDanke",
        "<|start_header_id|>assistant<|end_header_id|>\n\n{p}",
        "<start_of_turn>model\n{p}<end_of_turn>",
        "<|assistant|>\n{p}<|end|>\n<|user|>\nUnd jetzt?",
        "[INST] Schreib einen Post. [/INST] {p}</s>",
        "<s> {p} </s>",
        "{p}<|endoftext|>Human: and now?",
        "{p}<｜end▁of▁sentence｜>",
        "<|im_end|>{p}",
        "<answer>{p}</answer>",
        "<think>{r}</think>\n<answer>\n{p}\n</answer>",
        "<value>{p}</value>",
        # GLM, Llama 4, Kimi, Seed, EXAONE, Phi, Apertus, Vicuna and marks that nobody has listed
        "<think>{r}</think>\n<|begin_of_box|>{p}<|end_of_box|>",
        "<|header_start|>assistant<|header_end|>\n\n{p}<|eot|>",
        "<|im_assistant|>assistant<|im_middle|>{p}<|im_end|><|im_user|>user<|im_middle|>Danke",
        "<seed:bos>assistant\n{p}<seed:eos>",
        "[|assistant|]{p}[|endofturn|]\n[|user|]Danke",
        "<|im_start|>assistant<|im_sep|>{p}<|im_end|>",
        "<|assistant_start|><|inner_prefix|>{r}<|inner_suffix|>{p}<|assistant_end|>",
        "{p}<|observation|>",
        "{p} [end of text]",
        "<|reserved_special_token_0|>{p}<|vision_end|>",
        "<|think|>{r}<|/think|>{p}",
        "[BEGIN_THINKING]{r}[END_THINKING]{p}",
        "<antThinking>{r}</antThinking>\n{p}",
        "<longcat_think>{r}</longcat_think>{p}",
        "```thinking\nErst das Wetter.\n```\n\n{p}",
        "<assistant_response>{p}</assistant_response>",
        # the prompt has opened it
        "{p}</answer>",
    ],
)
def test_reasoning_and_chat_marks_are_never_text(raw: str) -> None:
    assert post(raw.format(p=POST, r=REASONING)) == POST


@pytest.mark.parametrize(
    "raw",
    [
        "<think>",
        "<think>Der Nutzer will",
        "<think>Der Nutzer will</think>",
        "Ich überlege noch.</think>",
        "<|channel|>analysis<|message|>We need",
        "<|channel|>analysis<|message|>We need<|end|>",
        "analysisWe need a post in German. Let me think.",
        "[THINK]Mal sehen",
    ],
)
def test_reasoning_alone_is_an_empty_answer_and_says_so(raw: str) -> None:
    answer = read_answer(raw, Form.post)
    assert (answer.text, answer.reasoned) == ("", True)


@pytest.mark.parametrize("raw", ["", " \n", "\x00", "\u200b\u2060", "<|im_end|>", "---", "```\n```", '""'])
def test_nothing_is_nothing(raw: str) -> None:
    assert read_answer(raw, Form.post).text == ""
    assert not read_answer(raw, Form.post).reasoned


# --- what stands around a text


@pytest.mark.parametrize(
    "before",
    [
        "Here is your post:\n\n",
        "Here's your post:\n",
        "Here is the LinkedIn post:\n\n",
        "Here's a short, friendly post about rain:\n\n",
        "Here is a revised version of the post with a friendlier tone:\n\n",
        "Sure! Here's a post about mudguards:\n\n",
        "Sure, here is your Instagram caption:\n\n",
        "Certainly! Here is the shortened version:\n\n---\n\n",
        "Of course! I've written a post for you.\n\n",
        "Sure!\n\n",
        "Below is your social media post:\n\n",
        "**Here is your post:**\n\n",
        "Hier ist dein Post:\n\n",
        "Hier ist dein Beitrag für LinkedIn:\n\n",
        "Hier ist ein Vorschlag für deinen Post:\n\n",
        "Hier ist die gekürzte Fassung:\n\n",
        "Gerne! Hier ist ein Beitrag über Schutzbleche:\n\n",
        "Gerne, hier kommt dein LinkedIn-Post:\n\n",
        "Natürlich! Hier ist der Text:\n\n",
        "Gerne!\n\n",
        "Hier ist mein Vorschlag:\n\n",
        "Post:\n\n",
        "**LinkedIn-Post:**\n\n",
        "## LinkedIn Post\n\n",
        "**Post:** ",
        "Überarbeitete Version:\n\n",
        "Klar, hier ist ein Post für dich:\n\n",
        "Alright, here's the revised post with fewer hashtags:\n\n",
        "Hier ist eine gekürzte Version des Beitrags (unter 280 Zeichen):\n\n",
        "Here's a shortened version (under 280 characters):\n\n",
        "Basierend auf deinen Angaben ist hier ein Post:\n\n",
        "Based on your notes, here is a post:\n\n",
        "Absolut! Hier ist dein Text:\n\n",
        "Dein Post:\n\n",
        "Post-Text:\n\n",
        "assistant\n\n",
        "Assistant:\n\n",
        "Gern geschehen! Hier ist dein Post:\n\n",
        "Aber gerne! Hier ist ein Vorschlag:\n\n",
        "Tolle Idee! Hier ist dein Post:\n\n",
        "Kein Problem – hier ist die neue Version:\n\n",
        "Sure — here's the caption:\n\n",
        "I'd be happy to help! Here's a post:\n\n",
        "Sure thing! Here's a draft you can post:\n\n",
        "Here's a LinkedIn post tailored to your audience:\n\n",
        "Here you go:\n\n",
        "✍️ Hier ist dein Post:\n\n",
        "📝 **Post:**\n\n",
        "Hier findest du den überarbeiteten Text:\n\n",
        "So könnte dein Post aussehen:\n\n",
        "Ein möglicher Post könnte so lauten:\n\n",
        "Wie wäre es mit folgendem Text?\n\n",
        "Ich habe folgenden Beitrag für dich verfasst:\n\n",
        "I've drafted the following post for you:\n\n",
        "The following is a draft of the post:\n\n",
    ],
)
def test_a_preamble_that_is_set_apart_goes(before: str) -> None:
    assert post(before + POST) == POST


@pytest.mark.parametrize(
    "after",
    [
        "\n---\nSoll ich ihn anpassen?",
        "\n\nSoll ich den Text noch kürzen?",
        "\n\nMöchtest du, dass ich den Ton anpasse?",
        "\n\nSag mir gerne Bescheid, wenn ich etwas ändern soll!",
        "\n\nLass mich wissen, ob du Änderungen wünschst.",
        "\n\nWenn du möchtest, kann ich auch eine kürzere Version schreiben.",
        "\n\n---\n\n*Gerne passe ich den Post noch an deinen Stil an und formuliere ihn lockerer!*".replace(
            "und formuliere ihn lockerer", "und kürze den Text, um ihn anzupassen"
        ),
        "\n\nWould you like me to adjust the tone?",
        "\n\nLet me know if you'd like any changes!",
        "\n\nLet me know if you would like me to make it shorter or add hashtags.",
        "\n\nFeel free to adjust it to your needs!",
        "\n\nWant me to create another version?",
        "\n\nIf you'd like, I can write a different version for Instagram.",
        "\n\nI hope this helps!",
        "\n\n(123 Zeichen)",
        "\n\n*(280 characters including spaces)*",
        "\n(Zeichenanzahl: 123)",
        "\n\n**Zeichen:** 123",
        "\n\nCharacter count: 123",
        " (123 Zeichen)",
        "\n\n---\n\n**Why this works:** It begins with a question.\n\nAnd it ends with one.",
        "\n\n---\n\nDieser Beitrag nutzt eine freundliche Sprache und endet mit einer Frage.",
        "\n\n(123 Zeichen)\n\nSoll ich ihn anpassen?",
        "\n\n✨ Soll ich den Post noch anpassen?",
        "\n\nMöchtest du noch Änderungen am Text?",
        "\n\nGefällt dir der Beitrag oder soll ich etwas ändern?",
        "\n\nIs there anything you'd like me to change?",
        "\n\nHow does this look? Would you like me to make any adjustments?",
        "\n\n*Hinweis: Ich habe den Text bewusst kurz gehalten.*",
        "\n\nNote: I kept it under 280 characters.",
        "\n\n24/280 Zeichen",
        "\n\n**Länge:** 123 Zeichen",
        "\n\n80 Zeichen",
        "\n\n(Umfang: 123 Zeichen)",
        "\n\nTotal: 123 characters",
        "\n\n_Zeichenanzahl (inkl. Leerzeichen): 123_",
        "\n\nDer Post hat 123 Zeichen.",
        "\n\nThis post is 123 characters long.",
        "\n\nPasst das für dich so?",
        "\n\nSoll ich noch eine Version für Instagram erstellen?",
        "\n\nMelde dich, falls ich noch etwas anpassen soll.",
        "\n\nBei Bedarf passe ich den Text gerne an.",
        "\n\nI can also provide a version for Instagram if you'd like.",
        "\n\nWould you like a shorter version?",
        "\n\n✅ Fertig! Soll ich noch etwas ändern?",
        "\n\nViel Spaß beim Posten!",
    ],
)
def test_a_closing_that_is_set_apart_goes(after: str) -> None:
    assert post(POST + after) == POST


@pytest.mark.parametrize(
    "raw",
    [
        "```\n{p}\n```",
        "```text\n{p}\n```",
        "```markdown\n{p}\n```",
        "Sure!\n```\n{p}\n```",
        "Hier ist dein Post:\n\n```\n{p}\n```\n\nSoll ich ihn anpassen?",
        "Here is your post:\n~~~\n{p}\n~~~",
        "Hier ist dein Post:\n\n---\n\n{p}\n\n---",
        "---\n{p}\n---",
        "***\n\n{p}",
        '"{p}"',
        "„{p}“",
        "“{p}”",
        "«{p}»",
        'Here is your post:\n\n"{p}"',
        '```\n"{p}"\n```',
    ],
)
def test_wrappers_go(raw: str) -> None:
    assert post(raw.format(p=POST)) == POST


def test_a_wrapper_in_one_line() -> None:
    assert post("Hier ist dein Post: --- Hallo Welt --- ") == "Hallo Welt"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('{"post":"Hallo"}', "Hallo"),
        ('{"post": "Hallo\\n\\nWelt"}', "Hallo\n\nWelt"),
        ('{"post": "Hallo\n\nWelt"}', "Hallo\n\nWelt"),
        ('```json\n{"post": "Hallo"}\n```', "Hallo"),
        ('Here is the JSON:\n\n```json\n{"text": "Hallo"}\n```', "Hallo"),
        ('{"linkedin_post": "Hallo"}', "Hallo"),
        ('{"beitrag": {"text": "Hallo"}}', "Hallo"),
        ('{"posts": ["Hallo"]}', "Hallo"),
        ('["Hallo"]', "Hallo"),
        ('[{"content": "Hallo"}]', "Hallo"),
        ('{"title": "Titel", "content": "Hallo", "hashtags": ["Rad", "#Regen"]}', "Hallo\n\n#Rad #Regen"),
        ('{"content": "Hallo #Rad", "hashtags": ["#Rad"]}', "Hallo #Rad"),
        ("{'post': 'Hallo'}", "Hallo"),
        ("\\boxed{Hallo Welt}", "Hallo Welt"),
        ('{"variante": "Heute ist ein guter Tag."}', "Heute ist ein guter Tag."),
        ('"Hallo\\nWelt"', "Hallo\nWelt"),
        ("Hallo\\n\\nWelt", "Hallo\n\nWelt"),
        # what is half, or has no text, is none
        ('{"post":"Hallo', ""),
        ('{"post": ""}', ""),
        ('{"title": "Hallo", "hashtags": []}', ""),
        # and what is no wrapper is the text
        ('{"mood": "coffee"}', '{"mood": "coffee"}'),
        ("[Werbung] Heute neu", "[Werbung] Heute neu"),
        ("{Platz für Ideen}", "{Platz für Ideen}"),
    ],
)
def test_json(raw: str, text: str) -> None:
    assert post(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<p>Hallo</p><p>Welt</p>", "Hallo\n\nWelt"),
        ("<p>Hallo<br>Welt &amp; mehr</p>", "Hallo\nWelt & mehr"),
        ("Hallo <strong>Welt</strong>", "Hallo Welt"),
        ("<h1>Titel</h1>\n<ul>\n<li>eins</li>\n<li>zwei</li>\n</ul>", "Titel\n\n- eins\n- zwei"),
        ('Mehr <a href="https://example.de/?a=1&amp;b=2">im Blog</a>.', "Mehr im Blog (https://example.de/?a=1&b=2)."),
        ("<!DOCTYPE html><html><head><title>x</title></head><body><p>Hallo</p></body></html>", "Hallo"),
        ("Fisch &amp; Chips", "Fisch & Chips"),
        ("https://example.de/?a=1&copy=2", "https://example.de/?a=1&copy=2"),
        ("Nutze <p> statt <br>.", "Nutze <p> statt <br>."),
        ("Liebe ist <3", "Liebe ist <3"),
        ("1 < 2 und 3 > 2", "1 < 2 und 3 > 2"),
        ("<a und b> sind Namen", "<a und b> sind Namen"),
    ],
)
def test_html(raw: str, text: str) -> None:
    assert post(raw) == text


def test_of_several_texts_the_first_is_the_post() -> None:
    other = "Schnee ist weich, und am Morgen danach hart. Lass etwas Luft aus beiden Reifen, dann rollt es."
    assert post(f"**Option 1: Freundlich**\n{POST}\n\n**Option 2:**\n{other}") == POST
    assert post(f"Hier sind zwei Vorschläge:\n\n### Variante A\n\n{POST}\n\n### Variante B\n\n{other}") == POST
    poll = "Womit fahrt ihr?\n\nOption 1:\nBus\n\nOption 2:\nRad"
    assert post(poll) == poll


# --- Markdown of posts


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (
            "**Fett**\n### Titel\n[Text](https://example.de)\n---\nSoll ich ihn anpassen?",
            "Fett\nTitel\nText (https://example.de)",
        ),
        ("**Heute:** neu", "Heute: neu"),
        ("Regen hilft **sehr\nund immer**.", "Regen hilft sehr\nund immer."),
        ("***Heute*** neu", "Heute neu"),
        ("*Heute* und _morgen_", "Heute und morgen"),
        ("__Heute__ neu", "Heute neu"),
        ("~~99 €~~ 79 €", "99 € 79 €"),
        ("# Titel #\n\nText", "Titel\n\nText"),
        ("## **Titel**\nText", "Titel\nText"),
        ("- **eins**: a\n- zwei", "- eins: a\n- zwei"),
        ("* eins\n* zwei", "* eins\n* zwei"),
        ("1. eins\n2. zwei", "1. eins\n2. zwei"),
        ("> Ein Zitat\n> in zwei Zeilen", "Ein Zitat\nin zwei Zeilen"),
        ("Mehr: [example.de](https://example.de/)", "Mehr: https://example.de/"),
        ("[https://a.de](https://a.de)", "https://a.de"),
        ("[Wiki](https://de.wikipedia.org/wiki/Rad_(Technik))", "Wiki (https://de.wikipedia.org/wiki/Rad_(Technik))"),
        ('[Shop](https://a.de "Titel") und [Mail](mailto:a@b.de)', "Shop (https://a.de) und Mail (a@b.de)"),
        ("**[Shop](https://a.de/a_b_c)**", "Shop (https://a.de/a_b_c)"),
        ("<https://a.de>", "https://a.de"),
        ("[Shop][1] ist offen.\n\n[1]: https://a.de", "Shop (https://a.de) ist offen."),
        ("![Bild](https://a.de/x.png)\nText", "Text"),
        ("Nimm `make` dafür", "Nimm make dafür"),
        ("So:\n```python\nprint(a_b_c)\n```\nFertig.", "So:\nprint(a_b_c)\nFertig."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"),
        (r"\#Rad und \*Stern\*, a\_b", "#Rad und Stern, a_b"),
        ("Titel【4:0†source】 steht da", "Titel steht da"),
        ("Text\ue200cite\ue202turn0search0\ue201.", "Text."),
    ],
)
def test_a_post_has_no_markdown(raw: str, text: str) -> None:
    assert post(raw) == text


# --- what must survive

LEGITIMATE = [
    POST,
    "#Fahrrad ist schön\n#Regen auch",
    "#1 in Deutschland",
    "Hallo\n\n---\n\nWelt",
    "@anna_b_c und @_max_ und https://a.de/_x_/a__b__c?d=*e*",
    "https://example.de/a_b_c_",
    "a_b_c und __init__ und snake_case_name",
    "Mitarbeiter*innen, Kund*innen und Kolleg*innen",
    "Preis* ab 5 €\n\n*nur solange der Vorrat reicht",
    "5 * 3 * 2 = 30",
    "2**3 und 4**5",
    "¯\\_(ツ)_/¯",
    "C:\\_temp",
    "> 50 % der Leute\n>>> Jetzt anmelden",
    "Familie 👨‍👩‍👧, Herz ❤️, England 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f, Daumen 👍🏽",
    "שלום עולם, מה שלומך?",
    "مرحبا بالعالم",
    "می‌خواهم",
    "नमस्ते",
    "葛\U000e0100城",
    "Viele Modelle schreiben <think> vor ihre Antwort.",
    "Modelle denken zwischen <think> und </think>.",
    'Wer "<think>" liest, sieht Überlegungen, und "</think>" beendet sie.',
    "Das Token `<|im_end|>` beendet einen Zug, `</think>` das Denken.",
    "Das Token <|im_end|> beendet einen Zug.",
    'Er sagte: "Ja." Sie sagte: "Nein."',
    "Here is our new bike:\n\nhttps://example.com",
    "Here is a post about chain care:\n\nhttps://example.com #bikes",
    "Here are 5 tips for your next post:\n\n1. Be short.",
    "Hier ist unser neuer Beitrag im Blog:\n\nhttps://example.de",
    "Das ist dein Beitrag zum Klimaschutz!\n\nFahr heute mit dem Rad.",
    "Super!\n\nUnser Laden ist wieder offen.",
    "Ich habe einen Beitrag über Ketten geschrieben:\n\nEr steht im Blog.",
    "Tipp: Öl die Kette.",
    "Titel: Mein Fahrrad\n\nHallo",
    "Unser Rad.\n\nMöchtest du mitmachen?",
    "Unser Rad.\n\nWould you like to join us?",
    "Unser Rad.\n\nLet me know in the comments!",
    "Unser Rad.\n\nSag Bescheid, wenn du Fragen hast!",
    "Unser Rad.\n\nSag Bescheid, wenn du den Termin ändern willst.",
    "Unser Rad.\n\nFalls Sie Änderungen an Ihrer Buchung wünschen, rufen Sie an.",
    "Neue Frisur?\n\nIf you want a different style, call us.",
    "Neue App.\n\nWenn du möchtest, teste die neue Version!",
    "Wetter.\n\nIch kann das Wetter nicht ändern, aber meine Kleidung.",
    "Maße\nLänge: 180 cm",
    "Kurz gesagt:\n280 Zeichen reichen.",
    "Angebot.\n\n---\nHinweis: Gilt nur am Samstag.",
    "Text.\n\n---\nDieser Beitrag enthält Werbung.",
    "Es tut mir leid, aber wir müssen heute schließen.",
    "I'm sorry, but I can't stop talking about this bike.",
    "I can't help but smile.",
    "Leider kann ich heute nicht dabei sein. Bis morgen!",
    "Leider kann ich den Post erst morgen schreiben.",
    "Ich kann euch keinen besseren Laden nennen.",
    "As an AI startup, we cannot ignore the rain.",
    "Als KI-Firma können wir den Regen nicht ignorieren.",
    "Reasoning is hard.\n\nSo is rain.",
    "Analyse: Regen hilft.\n\nFazit: Schutzblech.",
    "Wir suchen dich (m/w/d)!",
    "Nur noch 3 (drei) Plätze",
    "• eins\n• zwei\n– drei",
    "[ ] Kette ölen\n[x] Luft prüfen",
    "[Anzeige] Neu im Laden",
    "Unser Rad.\n\nDo you want to change it up?",
    "Unser Rad.\n\nMöchtest du Änderungen an deiner Buchung?",
    "Unser Rad.\n\nGefällt dir der neue Laden?",
    "Unser Rad.\n\nHinweis: Ich habe diesen Beitrag selbst bezahlt.",
    "Unser Rad.\n\nWas meinst du? Soll ich lieber Bus fahren?",
    "Hier ist dein Vorteil:\n\n10 % auf alles.",
    "Das ist der Plan:\n\nErst Öl, dann Luft.",
    "Sure, rain is wet.\n\nRide anyway.",
    "Natürlich! Wir haben auch im Regen offen.",
    "Sure.\n\nThat's what my boss said when I asked for a raise.",
    "Sure!\n\n… sagte niemand, der je bei Regen Rad fuhr.",
    "Gern.\n\nDas ist das Wort, das unser Team am häufigsten sagt.",
    "Got it!\n\nOur new bike has arrived.",
    "Kein Problem!\n\nWir reparieren jede Kette.",
    "Tolle Idee!\n\nAnna fährt mit dem Rad zur Arbeit.",
    "So könnte deine Küche aussehen:\n\nHell und leise.",
    "Wie wäre es damit:\n\nEin Tag ohne Auto.",
    "Ich schreibe Bewerbungen.\n\nSoll ich deinen Text auch überarbeiten? Schreib mir!",
    "Mein Lebenslauf.\n\nSoll ich etwas ändern? Schreibt es in die Kommentare!",
    "Copywriting by Anna.\n\nWant me to rewrite it? Send me a message!",
    "New look!\n\nShould I add more hashtags? Asking for a friend.",
    "Free template.\n\nFeel free to edit it and share it.",
    "Gym.\n\nWould you prefer a shorter version of this workout?",
    "Tipps.\n\nI hope this helps someone who needs it today.",
    "Unser Rat.\n\nIch hoffe, das hilft euch weiter!",
    "Maße\nLänge: 180",
    "Here's a text you can send your boss:\n\nIt rains.",
    "Here's a summary of our week:\n\n- Öl\n- Luft",
    "Hier ist die Antwort auf eure häufigste Frage:\n\nJa, wir haben offen.",
    "So könnte die Antwort lauten:\n\nJa.",
    "Wie wäre es mit folgendem Ergebnis?\n\n3:1",
    "Der Text.\n\nDer Text hat 3 Zeichen zu viel.",
    "Unser Shop.\n\nBrauchst du noch andere Varianten?",
    "Ich nähe.\n\nBei Bedarf passe ich das Kleid gerne an.",
    "Fitness.\n\nWould you like a different tone in your muscles?",
    "Challenge!\n\nViel Spaß beim Posten eurer Ergebnisse!",
    "Ende der Durchsage. </post>",
    "[Thinking] out loud",
    "Twitter war mal kurz.\n\n280 Zeichen.",
    "SMS können nur\n160 Zeichen",
    "Unsere Regel für Passwörter:\n12 Zeichen",
    "Kasse.\n\nGesamt: 45",
    "Als KI-Beraterin bin ich oft gefragt, aber nicht immer.",
    "Anna: Kommst du mit?\nBen: Na klar!",
    "Frage: Wie oft ölen?\nAntwort: Alle 200 km.\n\nWas möchtest du noch wissen?",
    "Model\n\nAnna trägt Größe 38.",
    "MODEL:\n\nS-Works 2026",
    "In F# heißt es f <| x |> g.",
    "Das Token <|begin_of_box|> beginnt einen Kasten.",
    "Ketten [|| oder |] sind Zeichen.",
    "Post vom Amt:\n\nDas Rad ist zugelassen.",
    "Assistant wanted!\n\nApply now.",
    "Modellrad 2026\n\nJetzt da.",
]


@pytest.mark.parametrize("text", LEGITIMATE)
def test_a_text_that_is_a_post_stays_as_it_is(text: str) -> None:
    answer = read_answer(text, Form.post)
    assert (answer.text, answer.refusal) == (text, "")


@pytest.mark.parametrize("text", LEGITIMATE)
@pytest.mark.parametrize(
    "wrapper", ["<think>x</think>\n\n{}", "Here is your post:\n\n{}", "```\n{}\n```", "{}<|im_end|>"]
)
def test_and_it_comes_out_of_a_wrapper_whole(text: str, wrapper: str) -> None:
    announced = text.startswith("Here is a post") and wrapper.startswith("Here")
    if not announced:
        assert post(wrapper.format(text)) == text


ARTICLE = (
    "# Kettenpflege\n\nEine **gute** Kette [hält](https://a.de).\n\n## Öl\n\n- eins\n- zwei\n\n> Zitat\n\n"
    "```python\ndef f(a_b_c):\n    return '<think>'\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "```html\n<think>\n<p>x</p>\n</think>\n<|im_end|>\n<value>1</value>\n<|channel|>final<|message|>x\n```"
    "\n\n---\n\nEnde &amp; aus."
)


@pytest.mark.parametrize(
    "raw",
    [
        "{a}",
        "<think>{r}</think>\n\n{a}",
        "Hier ist der überarbeitete Artikel:\n\n{a}",
        "Sure! Here is the revised article:\n\n---\n\n{a}\n\n---",
        "{a}\n\nSoll ich mit dem nächsten Abschnitt fortfahren?",
        "{a}\n\nLet me know if you'd like any changes!",
        "{a}<|im_end|>",
    ],
)
def test_an_article_keeps_its_markdown(raw: str) -> None:
    assert article(raw.replace("{r}", "Mal sehen.").replace("{a}", ARTICLE)) == ARTICLE


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("```markdown\n# A\n\nText **fett**\n```", "# A\n\nText **fett**"),
        ("Here is the section:\n\n```markdown\nText\n```", "Text"),
        ("```python\nprint(1)\n```", "```python\nprint(1)\n```"),
        ("So:\n\n```\nprint(1)\n```", "So:\n\n```\nprint(1)\n```"),
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'),
        ('{"article": "# A\\n\\nText"}', "# A\n\nText"),
        ("### Ergebnis\n\nText", "### Ergebnis\n\nText"),
        ("**Zusammenfassung:**\n\nText", "**Zusammenfassung:**\n\nText"),
        ("<h2>A</h2><p>Text <strong>fett</strong></p>", "## A\n\nText **fett**"),
        ("Text mit <em>Tag</em>", "Text mit <em>Tag</em>"),
        ("\tx = 1\n\ty", "x = 1\n    y"),
    ],
)
def test_wrappers_of_articles(raw: str, text: str) -> None:
    assert article(raw) == text


# --- characters


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Hal\x00lo\x1b[0m\r\nWelt\x7f", "Hallo[0m\nWelt"),
        ("a\u2028b\tc", "a\nb c"),
        ("\ufeffHallo\u200b W\u2060elt\u00ad", "Hallo Welt"),
        ("Hallo\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065", "Hallo"),
        ("\u202eHallo\u202c \u2066Welt\u2069", "Hallo Welt"),
        ("Scho\u0308n", "Schön"),
        ("a\ufe0f\ufe01\ufe02b\U000e0101\U000e0102", "a\ufe0fb"),
        ("half \ud83d of", "half  of"),
    ],
)
def test_what_nobody_sees_is_gone(raw: str, text: str) -> None:
    assert post(raw) == text


# --- refusals


@pytest.mark.parametrize(
    "raw",
    [
        "I'm sorry, but I can't assist with that request.",
        "I’m sorry, but I can’t help with that.",
        "I cannot fulfill this request.",
        "I can't create content that promotes violence, as it goes against my guidelines.",
        "Sorry, I can't write this post.",
        "I apologize, but I am not able to generate this content.",
        "As an AI language model, I cannot write about that.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Tut mir leid, aber ich kann diesen Beitrag nicht schreiben.",
        "Leider kann ich dieser Anfrage nicht nachkommen.",
        "Ich kann dir dabei leider nicht helfen.",
        "Ich kann diese Anfrage nicht erfüllen.",
        "Als KI kann ich dazu keine Inhalte erstellen.",
        "<think>Das darf ich nicht.</think>\n\nEs tut mir leid, aber dabei kann ich nicht helfen.",
    ],
)
@pytest.mark.parametrize("form", Form)
def test_a_refusal_in_words_is_no_text(raw: str, form: Form) -> None:
    answer = read_answer(raw, form)
    assert answer.text == ""
    assert answer.refusal.split()[0] in raw


def test_an_article_about_refusals_is_none() -> None:
    long = "I'm sorry, but I can't assist with that. So say many models.\n\n" + "And here is why. " * 60
    assert read_answer(long, Form.article).refusal == ""


# --- the shape of an answer


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (None, Content()),
        ("Hallo", Content("Hallo")),
        ([], Content()),
        ([{"type": "text", "text": "Hallo"}], Content("Hallo")),
        (["Hal", "lo"], Content("Hallo")),
        ([{"text": "Hal"}, {"type": "output_text", "text": "lo"}], Content("Hallo")),
        ([{"type": "text", "text": {"value": "Hallo", "annotations": []}}], Content("Hallo")),
        ({"type": "text", "text": "Hallo"}, Content("Hallo")),
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
                {"type": "redacted_thinking", "data": "x"},
                {"type": "text", "text": "Hallo"},
            ],
            Content("Hallo", reasoned=True),
        ),
        ([{"type": "reasoning", "text": "Hm"}, {"type": "text", "text": "Hallo"}], Content("Hallo", reasoned=True)),
        ([{"type": "refusal", "refusal": "Nein."}], Content(refusal="Nein.")),
        ([{"type": "image_url", "image_url": {"url": "x"}}, None, 5, {"type": "text", "text": None}], Content()),
    ],
)
def test_content_of_any_shape(content: object, read: Content) -> None:
    assert read_content(content) == read


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (None, End.complete),
        ("stop", End.complete),
        ("STOP", End.complete),
        ("eos", End.complete),
        ("end_turn", End.complete),
        ("length", End.cut_off),
        ("max_tokens", End.cut_off),
        ("MAX_TOKENS", End.cut_off),
        ("FinishReason.STOP", End.complete),
        ("FINISH_REASON_MAX_TOKENS", End.cut_off),
        ("model_context_window_exceeded", End.cut_off),
        ("sensitive", End.filtered),
        ("content_filter", End.filtered),
        ("SAFETY", End.filtered),
        ("tool_calls", End.unknown),
        ("error", End.unknown),
        ("abort", End.unknown),
        ("insufficient_system_resource", End.unknown),
        (7, End.unknown),
    ],
)
def test_how_an_answer_ended(reason: object, end: End) -> None:
    assert read_end(reason) is end


# --- while it is written


def seen(raw: str) -> list[str]:
    return [shown_so_far(raw[:length], Form.post) for length in range(len(raw) + 1)]


@pytest.mark.parametrize(
    "raw",
    [
        "<think>Geheim, sehr Geheim.</think>\n\nHallo Welt",
        "<|channel|>analysis<|message|>Geheim<|end|><|start|>assistant<|channel|>final<|message|>Hallo Welt<|return|>",
        "[THINK]Geheim[/THINK]Hallo Welt",
        "<|think|>Geheim<|/think|>Hallo Welt",
        "[BEGIN_THINKING]Geheim[END_THINKING]Hallo Welt",
        "```thinking\nGeheim\n```\n\nHallo Welt",
        "<|header_start|>assistant<|header_end|>\n\nHallo Welt<|eot|>",
        "[|assistant|]Hallo Welt[|endofturn|]",
        '{"reasoning": "Geheim", "post": "Hallo Welt"}',
        "Hallo Welt\n<think>Geheim</think>",
    ],
)
def test_nobody_sees_reasoning_while_a_text_comes(raw: str) -> None:
    shown = seen(raw)
    assert not [one for one in shown if "Geheim" in one or "assistant" in one or "<" in one or "[" in one or "{" in one]
    assert "Hallo Welt" in shown or raw.startswith("{")


# --- properties

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=80)
PIECES = st.lists(
    st.one_of(
        WORDS,
        st.sampled_from(
            [
                *(
                    "<think>",
                    "</think>",
                    "<|im_end|>",
                    "<|channel|>final<|message|>",
                    "```",
                    "```json\n",
                    "\n",
                    "\n\n---\n\n",
                ),
                *(
                    "**",
                    "*",
                    "_",
                    "`",
                    '"',
                    "{",
                    '{"post":"',
                    "}",
                    "[",
                    "](https://a.de)",
                    "# ",
                    "> ",
                    "<p>",
                    "</p>",
                    "&amp;",
                ),
                *(
                    "Here is your post:\n\n",
                    "\n\nSoll ich ihn anpassen?",
                    "(123 Zeichen)",
                    "\\n\\n",
                    "\\*",
                    "Sure!\n\n",
                    "<br>",
                ),
            ]
        ),
    ),
    max_size=12,
).map("".join)


@given(PIECES, st.sampled_from(Form))
def test_reading_again_changes_nothing(raw: str, form: Form) -> None:
    once = read_answer(raw, form).text
    assert read_answer(once, form).text == once


@given(PIECES, st.sampled_from(Form))
def test_no_character_is_left_that_nobody_may_keep(raw: str, form: Form) -> None:
    text = read_answer(raw, form).text
    assert not [each for each in text if unicodedata.category(each) in ("Cc", "Cs") and each != "\n"]
    assert text == unicodedata.normalize("NFC", text)
    assert not set(text) & set("\u202d\u202e\u200b")
    text.encode()


@given(st.text(st.characters(categories=["L", "N"], codec="utf-8"), min_size=1, max_size=60), WORDS)
def test_reasoning_never_comes_through(secret: str, words: str) -> None:
    marked = f"geheim{secret}geheim"
    for raw in (f"<think>{words}{marked}</think>\n\nHallo", f"<think>{words}{marked}"):
        assert marked not in post(raw)


@given(st.lists(st.text("abcdefgäöüß ABC.,!?\n", max_size=40), max_size=6).map("\n".join))
def test_plain_words_stay(text: str) -> None:
    lines = [line.rstrip() for line in text.split("\n")]
    assert post(text).split() == " ".join(lines).split()


@pytest.mark.parametrize(
    "piece",
    [
        "<think>\n",
        "</think>",
        " __a",
        " **a",
        "[a](",
        "```\n",
        "<style>",
        "<|im_end|>",
        "> ",
        "{",
        "*",
        "_a_ ",
        "\n---\n",
        "<a ",
    ],
)
@pytest.mark.parametrize("form", Form)
def test_long_odd_answers_take_no_longer_than_their_length(piece: str, form: Form) -> None:
    assert grows_in_step(lambda size: "Hallo " + piece * size, lambda raw: read_answer(raw, form), 1500)


@pytest.mark.parametrize("count", ["({} characters)", "{} characters"])
def test_a_number_of_characters_may_have_more_digits_than_one_can_count_with(count: str) -> None:
    raw = f"A text about rain, and about bikes.\n\n{count.format('9' * 5_000)}"
    assert read_answer(raw, Form.post).text.startswith("A text about rain")
