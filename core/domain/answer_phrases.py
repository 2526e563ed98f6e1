"""What models say around a text, in German and English: that it follows, how long it is, what else could be made of it;
and how they refuse one.

A sentence counts only where it is set apart from the text and is about the text. Posts begin with "Here is our new
bike:", end with "Would you like to join us?" and say "Sorry, we are closed": all of that stays.
"""

import re
from typing import Final

RULE: Final = r"(?:-{3,}|\*{3,}|_{3,}|={3,}|—{2,}|─{3,})"
"""A line that parts two texts."""

_POST_NOUNS: Final = (
    r"posts?|postings?|beitr(?:ag|äge)|caption|bildunterschrift|bildbeschreibung|tweet|thread|alt[- ]?texte?|text"
    r"|draft"
    r"|entwurf|version|fassung|variante|vorschlag|suggestion|copy|rewrite|passage|umformulierung|description"
    r"|beschreibung"
    r"|summary|zusammenfassung|title|titel|result|ergebnis|answer|antwort|response|json"
)
_ARTICLE_NOUNS: Final = (
    rf"{_POST_NOUNS}|articles?|artikel|sections?|abschnitt|outline|gliederung|plan|markdown|revision"
)
_LABELS: Final = (
    r"post|posting|beitrag|caption|bildunterschrift|tweet|text|draft|entwurf|alt[- ]?text|antwort|answer|response"
)
_NETWORKS: Final = r"linkedin|facebook|instagram|mastodon|bluesky|twitter|threads|social[- ]media"
_YES: Final = (
    r"(?:sure(?: thing)?|certainly|of course|absolutely|gladly|great|okay|ok|alright|all right|got it|understood"
    r"|no problem"
    r"|with pleasure|gerne?(?: doch)?|sehr gerne?|klar(?: doch)?|na klar|natürlich|selbstverständlich|alles klar"
    r"|verstanden"
    r"|perfekt|super|kein problem)"
)
# what a post would hardly begin with
_ONLY_AN_ASSISTANTS: Final = re.compile(
    r"(?:sure(?: thing)?|certainly|of course|understood|got it|(?:sehr )?gerne?|verstanden|kein problem"
    r"|no problem)[!.,]*\Z",
    re.IGNORECASE,
)
_HERE: Final = (
    r"(?:here(?:['’]s| is| are)|below is|below you(?:['’]ll| will) find|hier(?: ist| sind| kommt| hast du)?"
    r"|nachfolgend|anbei"
    r"|im folgenden)"
)
_MADE: Final = r"(?:i(?:['’]ve| have) (?:written|created|drafted|rewritten|revised)|ich habe(?: dir)?|this is|das ist)"
_WHOSE: Final = (
    r"(?:your|dein(?:e|en|er)?|ihr(?:e|en)?|euer|eure[rn]?|der|die|das|den|ein(?:e|en)?|the|a|an|one|folgende[rn]?)"
)
# what is somebody's own, or a list of tips, is what a post tells of
_ADJECTIVES: Final = (
    r"(?:(?!(?:for|für|to|of|von|in|on|zu|tips?|tipps?|our|unser\w*|my|meine?[nr]?|\d+)\b)[\w-]+,? ){0,3}(?:[\w-]+-)?"
)
_ABOUT: Final = (
    r"(?: (?:for|about|on|in|within|under|with|based|as|that|of|using|written|für|über|zu|zum|zur|auf|im|mit"
    r"|unter|als"
    r"|nach|gemäß|ohne|without|optimized|optimiert|rund um)\b[^:\n]{0,120})?"
)


def _preamble(nouns: str, labels: str) -> re.Pattern[str]:
    """Four kinds: after a yes, with a colon, with whose it is, a label."""
    what = rf"(?:{_WHOSE} )?{_ADJECTIVES}(?:{nouns}){_ABOUT}"
    mine = r"(?:my|mein(?:e|en)?) (?:suggestion|draft|proposal|vorschlag|entwurf|version|fassung)"
    label = (
        rf"(?:(?:final|finale[rs]?|fertige[rs]?|new|neue[rs]?|revised|überarbeitete[rs]?|shortened|gekürzte[rs]?"
        rf"|shorter"
        rf"|kürzere[rs]?|improved|verbesserte[rs]?|optimierte[rs]?|german|english|deutsche[rs]?|englische[rs]?) "
        rf"(?:(?:{_NETWORKS})[- ])?(?:{nouns})|(?:(?:{_NETWORKS})[- ])?(?:{labels}))"
    )
    return re.compile(
        rf"(?:{_YES}[!,.:–-]*\s+(?:{_HERE}|{_MADE})[,:]? {what}\s*[:.!]?"
        rf"|(?:{_HERE})[,:]? (?:{what}|{mine})\s*:"
        r"|(?:here(?:['’]s| is)|hier ist) (?:your|dein|ihr) (?:[\w-]+[- ])?(?:post|posting|caption|tweet)[.!]?"
        rf"|(?:#+\s*{label}\s*:?|\*\*{label}:?\*\*:?|{label}:))\Z",
        re.IGNORECASE,
    )


_PREAMBLES: Final = {
    False: _preamble(_POST_NOUNS, _LABELS),
    # a heading of an article may be called anything
    True: _preamble(_ARTICLE_NOUNS, r"(?!)"),
}
_FIRST_LINE: Final = re.compile(r"\A[^\n]{1,220}")
_INLINE_WRAPPER: Final = re.compile(r"\A(?P<said>[^\n]*?:)\s+(?P<rest>---[ \t]+.*)\Z", re.DOTALL)
_BOLD_LABEL: Final = re.compile(
    rf"\A\*\*(?:(?:{_NETWORKS})[- ])?(?:post|beitrag|text|caption|tweet|antwort|answer)(?::\*\*|\*\*:)[ \t]*(?=\S)",
    re.IGNORECASE,
)
_YOURS: Final = re.compile(r"\b(?:your|deine?[nr]?)\b", re.IGNORECASE)
_NO_WORDS: Final = re.compile(r"https?://\S+|[#@]\w+")


def _is_preamble(line: str, article: bool) -> bool:
    line = line.strip()
    bare = line if line.startswith(("**", "#")) else line.strip("*_ ")
    return len(bare) <= 220 and "\n" not in bare and _PREAMBLES[article].match(bare) is not None


def without_preamble(text: str, article: bool) -> str:
    """Return the text without a first line that only says that it follows, and is set apart from it."""
    if not article:
        text = _BOLD_LABEL.sub("", text)
    if (inline := _INLINE_WRAPPER.match(text)) and _is_preamble(inline["said"], article):
        return inline["rest"]
    first = _FIRST_LINE.match(text)
    if first is None:
        return text
    line, rest = first[0], text[first.end() :]
    if rest and not rest.startswith("\n"):
        return text
    if not rest.strip():
        # a label alone may be what was asked for
        return "" if _is_preamble(line, article) and re.match(rf"{_YES}|{_HERE}", line, re.IGNORECASE) else text
    if rest.startswith("\n\n") and _ONLY_AN_ASSISTANTS.match(line.strip()):
        return rest.strip()
    if not _is_preamble(line, article):
        return text
    # above an address alone it is what a person announces
    announces = "://" in rest and not any(each.isalpha() for each in _NO_WORDS.sub("", rest))
    return text if announces and not _YOURS.search(line) else rest.strip()


_MARKS: Final = r"[*_]{0,3}"
_TAIL: Final = (
    r"(?:,? ?(?:inkl|incl|including|mit|with|ohne|without|insgesamt|total|in total|gesamt)\b[^\n()\]]{0,50})?"
)
_NUMBER: Final = r"(?:ca\.|etwa|rund|approx\.?|approximately|about|exactly|genau|~)?\s*\d[\d.,]*(?:\s*/\s*\d[\d.,]*)?"
_COUNT: Final = re.compile(
    # in brackets at the end, or in a line of its own
    rf"(?:[ \t]+{_MARKS}[(\[]{_MARKS}{_NUMBER}\s*(?:zeichen|characters?|chars?)\b{_TAIL}{_MARKS}[)\]]"
    rf"|\n[ \t]*{_MARKS}[(\[]?{_MARKS}(?:{_NUMBER}\s*(?:zeichen|characters?|chars?|wörter|words)\b{_TAIL}"
    r"|(?:zeichen(?:anzahl|zahl|länge)?|anzahl (?:der )?zeichen|(?:character|word) count|characters?|wortanzahl"
    r"|wortzahl)"
    rf"{_MARKS}\s*:{_MARKS}\s*{_NUMBER}(?:\s*(?:zeichen|characters?|chars?|words|wörter))?{_TAIL}){_MARKS}[)\]]?)"
    rf"{_MARKS}\.?{_MARKS}[ \t]*\Z",
    re.IGNORECASE,
)
# what is offered is the writer's own work, and it is about the text: readers are asked and offered other things
_OFFER_EN: Final = (
    r"(?:would you like|do you want|want) me to|should i|shall i|(?:just |please )?let me know if|feel free to"
    r"|i can (?:also|gladly|easily|happily)|i(?:['’]m| am|['’]d be| would be) happy to|happy to"
    r"|if you(?:['’]d| would)? (?:like|want|need|prefer)\b(?=.*\b(?:i|me)\b)|would you prefer"
)
_EDIT_EN: Final = (
    r"(?:adjust|change|modify|revise|tweak|shorten|rewrite|rephrase|edit|refine|adapt|tailor|expand|translate) "
    r"(?:it|this|that|the (?:post|text|tone|style|caption|wording|draft|length|hashtags)|anything)\b"
    r"|make it (?:shorter|longer|more|less|punchier|funnier|sound)"
    r"|(?:any|some) (?:changes|adjustments|edits|tweaks|revisions|modifications)(?! (?:to|in|of) your)|adjustments"
    r"|(?:another|different|alternative|shorter|longer) (?:versions?|variations?|draft|tone|wording)"
    r"|add (?:more )?(?:hashtags|emojis)|(?:create|write|draft|suggest) (?:another|more|an image|a version"
    r"|a different)"
)
_OFFER_DE: Final = (
    r"soll ich|(?:möchtest|willst) du,? dass ich|(?:möchten|wollen) sie,? dass ich"
    r"|(?:wenn|falls) (?:du|sie)\b(?=.*\b(?:ich|mir|mich)\b)|sag(?:en sie)? (?:mir )?(?:gerne? |einfach )?bescheid"
    r"|lass(?:en sie)? (?:es )?mich (?:gerne? |einfach )?wissen|gib (?:mir )?(?:gerne? |einfach )?bescheid"
    r"|(?:gerne? )?(?:kann|passe|ändere|erstelle|formuliere|schreibe|kürze) ich|ich (?:kann|passe) (?:dir|ihnen"
    r"|auch|gerne?|ihn|den)"
    r"|passt (?:das|der|es|er) so|(?:hast du|haben sie) (?:noch )?änderungswünsche"
)
_EDIT_DE: Final = (
    r"\b(?:ihn|es|text|post|beitrag|ton|tonfall|stil|caption|entwurf|version|formulierung|daran|noch etwas"
    r"|etwas)\b[^.?!\n]{0,60}"
    r"(?:anpass|änder|überarbeit|kürz|umschreib|umformulier|verlänger|erweiter|übersetz|optimier|verfeiner"
    r"|formulier)\w*"
    r"|\banpassungen\b(?! an (?:deine|ihre|eure))|änderungen(?! an (?:deine|ihre|eure))|änderungswünsche"
    r"|(?:andere|weitere|alternative|kürzere|längere) (?:versionen|version|varianten|variante|fassung|vorschläge"
    r"|hashtags)"
    r"|anderen (?:ton|tonfall)|(?:lockerer|formeller|kürzer|länger|werblicher|emotionaler) (?:formulier|gestalt"
    r"|schreib|mach)\w*"
    r"|passt (?:das|der|es|er) so"
)
_EDIT_ARTICLE: Final = (
    r"|continue|next section|other sections|nächsten? abschnitt|fortfahren|weiterschreiben|mit dem nächsten"
)
_CLOSINGS: Final = {
    article: re.compile(rf"\A(?=(?:{_OFFER_EN}|{_OFFER_DE})\b).*?(?:{_EDIT_EN}|{_EDIT_DE}{more})", re.IGNORECASE)
    for article, more in ((False, ""), (True, _EDIT_ARTICLE))
}
_HOPE: Final = re.compile(
    r"\A(?:i hope (?:this|that|it) helps|hope (?:this|that) helps|ich hoffe,? (?:das|der \w+|es) (?:hilft|gefällt"
    r"|passt)|viel erfolg"
    r" (?:mit|beim) (?:dem|deinem) (?:post|beitrag|posten))[^\n]{0,80}\Z",
    re.IGNORECASE,
)
# below a line that ends the text
_NOTE: Final = re.compile(
    r"\A[*_]{0,3}(?:(?:note|notes|hinweis|anmerkung)\W+)?(?:why this works|warum das funktioniert"
    r"|image suggestion|bildvorschlag"
    r"|bildidee|explanation|erläuterung"
    r"|(?:this|the|dieser|der) (?:post|version|draft|text|caption|beitrag|entwurf) (?:is (?:designed|written"
    r"|crafted|kept)|uses|keeps"
    r"|stays|highlights|follows|avoids|ist so|nutzt|verwendet|hält|bleibt|folgt|richtet sich|spricht|setzt|greift"
    r"|vermeidet))\b",
    re.IGNORECASE,
)
_LAST_PARAGRAPH: Final = re.compile(rf"\n(?P<apart>[ \t]*\n+|[ \t]*{RULE}[ \t]*\n+)(?P<last>[^\n]+)\Z")
_AFTER_RULE: Final = re.compile(rf"\n[ \t]*{RULE}[ \t]*\n+(?P<last>(?:(?!\n[ \t]*{RULE}[ \t]*\n).)+)\Z", re.DOTALL)


def _is_closing(text: str, article: bool) -> bool:
    """Whether it only asks or tells whoever ordered the text what may become of it."""
    line = text.strip()
    while (bare := line.strip("*_ \t()[]>–—-")) != line:
        line = bare
    if len(line) > 400 or "\n\n" in line:
        return False
    said = re.sub(r"\A[^\w\"'„“]+", "", line)  # an emoji
    return (
        any(found.match(said) is not None for found in (_CLOSINGS[article], _HOPE))
        or _COUNT.match(f"\n{line}") is not None
    )


def without_closing(text: str, article: bool) -> str:
    """Return the text without a last paragraph that is about it, where that is set apart."""
    counted = _COUNT.sub("", text).rstrip() if not article else text
    text = counted or text
    if (last := _LAST_PARAGRAPH.search(text)) and _is_closing(last["last"], article):
        return text[: last.start()].rstrip()
    if (last := _AFTER_RULE.search(text)) and len(last["last"]) < 1500 and _NOTE.match(last["last"].strip()):
        return text[: last.start()].rstrip()
    return text


_SORRY: Final = (
    r"(?:i['’]?m (?:really |very )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|es tut mir (?:sehr "
    r"|wirklich )?leid"
    r"|tut mir leid|entschuldigung|leider|bedaure|ich bedaure)"
)
_CANNOT_EN: Final = (
    r"i (?:can['’]?t|cannot|can not|won['’]?t|will not|am (?:not able|unable) to|['’]?m (?:not able|unable) to"
    r"|must decline to"
    r"|have to decline)|i['’]m (?:not able|unable) to|i am (?:not able|unable) to"
)
_TASK_EN: Final = (
    r"(?:help (?:you )?with|assist(?: you)?(?: with)?\b|comply|fulfil+|do that\b|engage in"
    r"|(?:create|write|generate|produce|provide|draft|support|continue with) (?:this|that|the|a|an|any|such )?"
    r"\s*(?:\w+ ){0,4}?(?:content|posts?|text|article|request|caption)\b)"
)
_CANNOT_DE: Final = r"(?:kann|darf|möchte|werde) ich|ich (?:kann|darf|möchte|werde|bin nicht in der lage)"
_WRITE_DE: Final = r"(?:schreiben|erstellen|verfassen|generieren|bearbeiten|liefern)"
_TASK_DE: Final = (
    r"[^.!?\n]{0,100}?(?:nicht (?:(?:weiter)?helfen|behilflich|unterstützen|nachkommen|erfüllen)"
    rf"|(?:post|beitrag|text|artikel|inhalte?n?)\b[^.!?\n]{{0,60}}?(?:nicht )?{_WRITE_DE}"
    rf"|keine[nr]? (?:\w+ ){{0,3}}?(?:post|beitrag|text|artikel|inhalte)\b[^.!?\n]{{0,60}}?{_WRITE_DE})"
)
_REQUEST: Final = (
    r"request|guideline|polic(?:y|ies)|inappropriate|harmful"
    r"|anfrage|richtlinie|nutzungsbedingung|unangemessen|schädlich"
)
_REFUSING: Final = re.compile(
    rf"\A(?:{_SORRY}[,.!]?(?: (?:but|aber|dass))? ?[^.!?\n]{{0,40}}?(?:(?:{_CANNOT_EN}) {_TASK_EN}"
    rf"|(?:{_CANNOT_DE})\b{_TASK_DE})"
    rf"|(?=[^\n]*(?:{_REQUEST}))(?:(?:{_CANNOT_EN}) {_TASK_EN}|(?:{_CANNOT_DE})\b{_TASK_DE})"
    r"|(?:dabei|damit|hierbei|bei diesem thema) kann ich (?:dir |ihnen )?(?:leider )?nicht (?:weiter)?helfen"
    r"|ich kann (?:dir |ihnen )?(?:dabei|damit|hierbei) (?:leider )?nicht (?:weiter)?helfen"
    r"|as an ai(?: language)?(?: model| assistant)?,? i\b[^\n]{0,120}(?:can['’]?t|cannot|unable|not able)"
    r"|als (?:ki|ki-\w+|sprachmodell|künstliche intelligenz),? (?:kann|darf|bin|habe) ich\b[^\n]{0,120}(?:nicht"
    r"|keine))",
    re.IGNORECASE,
)
_LONGEST_REFUSAL: Final = 700


def is_refusal(text: str) -> bool:
    """Return whether the answer says that there will be no text."""
    return len(text) <= _LONGEST_REFUSAL and _REFUSING.match(text) is not None


def is_talk(before: str, after: str, article: bool) -> bool:
    """Return whether what stands before and after a block of text is but about it. Both may be empty."""
    announced = _is_preamble(before, article) or re.fullmatch(rf"{_YES}[!.,:]*", before, re.IGNORECASE)
    return bool(not before or announced) and (not after or _is_closing(after, article))
