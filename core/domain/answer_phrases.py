"""What models say around a text, in German and English: that it follows, how long it is, what else could be made of it;
and how they refuse one.

A sentence counts only where it is set apart from the text and is about the text. Posts begin with "Here is our new
bike:", end with "Would you like to join us?" and say "Sorry, we are closed": all of that stays.
"""

import re
from typing import Final

from core.domain.channels import NETWORKS

RULE: Final = r"(?:-{3,}|\*{3,}|_{3,}|={3,}|—{2,}|─{3,})"
"""A line that parts two texts."""

_POST_NOUNS: Final = (
    r"posts?|postings?|beitr(?:ag|äge)|caption|bildunterschrift|bildbeschreibung|tweet|thread|alt[- ]?texte?|text"
    r"|draft|entwurf|version|fassung|variante|vorschlag|suggestion|copy|rewrite|passage|umformulierung|description"
    r"|beschreibung|summary|zusammenfassung|title|titel|result|ergebnis|answer|antwort|response|json"
)
_ARTICLE_NOUNS: Final = (
    rf"{_POST_NOUNS}|articles?|artikel|sections?|abschnitt|outline|gliederung|plan|markdown|revision"
)
_LABELS: Final = (
    r"post|posting|beitrag|caption|bildunterschrift|tweet|text|draft|entwurf|alt[- ]?text|antwort|answer|response"
    r"|post-?text|(?:your|deine?|ihre?) (?:post|posting|beitrag|caption|text)"
)
_NETWORKS: Final = "|".join(
    (*sorted({kind.value.partition("_")[0] for kind in NETWORKS}), "twitter|threads|social[- ]media")
)
_YES: Final = (
    r"(?:sure(?: thing)?|certainly|of course|absolut(?:ely)?|gladly|great|okay|ok|alright|all right|got it"
    r"|understood|no problem|with pleasure|gerne?(?: doch)?|sehr gerne?|klar(?: doch)?|na klar|natürlich"
    r"|selbstverständlich|alles klar|verstanden|perfekt|super|kein problem)"
)
# what a post would hardly begin with
_ONLY_AN_ASSISTANTS: Final = re.compile(
    r"(?:sure(?: thing)?|certainly|of course|understood|got it|(?:sehr )?gerne?|verstanden|kein problem"
    r"|no problem)[!.,]*\Z",
    re.IGNORECASE,
)
_HERE: Final = (
    r"(?:here(?:['’]s| is| are)|below is|below you(?:['’]ll| will) find|hier(?: ist| sind| kommt| hast du)?"
    r"|nachfolgend|anbei|im folgenden)"
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
    r"(?: (?:for|about|on|in|within|under|with|based|as|that|of|using|written|für|über|zu|zum|zur|auf|im|mit|unter"
    r"|als|nach|gemäß|ohne|without|optimized|optimiert|rund um|des|deines|ihres)\b[^:\n]{0,120}| \([^()\n]{1,80}\))?"
)


def _preamble(nouns: str, labels: str) -> re.Pattern[str]:
    """Four kinds: after a yes, with a colon, with whose it is, a label."""
    what = rf"(?:{_WHOSE} )?{_ADJECTIVES}(?:{nouns}){_ABOUT}"
    mine = r"(?:my|mein(?:e|en)?) (?:suggestion|draft|proposal|vorschlag|entwurf|version|fassung)"
    label = (
        rf"(?:(?:final|finale[rs]?|fertige[rs]?|new|neue[rs]?|revised|überarbeitete[rs]?|shortened|gekürzte[rs]?"
        rf"|shorter|kürzere[rs]?|improved|verbesserte[rs]?|optimierte[rs]?|german|english|deutsche[rs]?"
        rf"|englische[rs]?) "
        rf"(?:(?:{_NETWORKS})[- ])?(?:{nouns})|(?:(?:{_NETWORKS})[- ])?(?:{labels}))"
    )
    return re.compile(
        rf"(?:{_YES}[!,.:–-]*\s+(?:{_HERE}|{_MADE})[,:]? {what}\s*[:.!]?|(?:{_HERE})[,:]? (?:{what}|{mine})\s*:"
        rf"|(?:basierend auf|based on|auf basis|wie gewünscht|as requested)\b[^:\n]{{0,100}}\b(?:hier"
        rf"|here)\b[^:\n]{{0,40}}"
        rf"\b(?:{nouns}){_ABOUT}\s*:"
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
    r"|i can (?:also|gladly|easily|happily)|i(?:['’]m| am|['’]d be| would be) happy to|happy to|if you(?:['’]d"
    r"| would)? (?:like|want|need|prefer)\b(?=.*\b(?:i|me)\b)|would you prefer|do you want any"
    r"|is there anything (?:else )?you(?:['’]d| would)? (?:like|want) me to(?= (?:adjust|change|revise|edit|add"
    r"|tweak))"
)
_EDIT_EN: Final = (
    r"(?:adjust|change|modify|revise|tweak|shorten|rewrite|rephrase|edit|refine|adapt|tailor|expand|translate) "
    r"(?:it|this|that|the (?:post|text|tone|style|caption|wording|draft|length|hashtags)|anything)\b"
    r"|anything (?:else )?you[^\n]{0,20} me to (?:adjust|change|revise|edit|add|tweak)|make it (?:shorter|longer"
    r"|more|less|punchier|funnier|sound)|(?:any|some) (?:changes|adjustments|edits|tweaks|revisions"
    r"|modifications)(?! (?:to|in|of) your)|adjustments|(?:another|different|alternative|shorter"
    r"|longer) (?:versions?|variations?|draft|tone|wording)|add (?:more )?(?:hashtags|emojis)|(?:create|write|draft"
    r"|suggest) (?:another|more|an image|a version|a different)"
)
_OFFER_DE: Final = (
    r"soll ich|(?:möchtest|willst) du,? dass ich|(?:möchten|wollen) sie,? dass ich|(?:wenn|falls) (?:du"
    r"|sie)\b(?=.*\b(?:ich|mir|mich)\b)|sag(?:en sie)? (?:mir )?(?:gerne? |einfach )?bescheid"
    r"|lass(?:en sie)? (?:es )?mich (?:gerne? |einfach )?wissen|gib (?:mir )?(?:gerne? |einfach )?bescheid"
    r"|(?:gerne? )?(?:kann|passe|ändere|erstelle|formuliere|schreibe|kürze) ich|ich (?:kann|passe) (?:dir|ihnen|auch"
    r"|gerne?|ihn|den)|(?:möchtest|willst|wünschst|hättest|würdest) du (?:(?:noch|gerne?|eine|einen|weitere) ){0,3}"
    r"(?=änderung|anpassung|andere|weitere|kürzere|längere)|passt (?:das|der|es|er) so|(?:hast du"
    r"|haben sie) (?:noch )?änderungswünsche"
)
_EDIT_DE: Final = (
    r"\b(?:ihn|es|text|post|beitrag|ton|tonfall|stil|caption|entwurf|version|formulierung|daran|noch etwas"
    r"|etwas)\b[^.?!\n]{0,60}"
    r"(?:anpass|änder|überarbeit|kürz|umschreib|umformulier|verlänger|erweiter|übersetz|optimier|verfeiner"
    r"|formulier)\w*|\banpassungen\b(?! an (?:deine|ihre|eure))|änderungen(?! an (?:deine|ihre|eure))"
    r"|änderungswünsche|(?:andere|weitere|alternative|kürzere|längere) (?:versionen|version|varianten|variante"
    r"|fassung|vorschläge|hashtags)|anderen (?:ton|tonfall)|(?:lockerer|formeller|kürzer|länger|werblicher"
    r"|emotionaler) (?:formulier|gestalt|schreib|mach)\w*|passt (?:das|der|es|er) so"
)
_EDIT_ARTICLE: Final = (
    r"|continue|next section|other sections|nächsten? abschnitt|fortfahren|weiterschreiben|mit dem nächsten"
)
# with which the question may begin
_OPINION: Final = (
    r"(?:(?:how does (?:this|that|it) (?:look|sound)|what do you think|was meinst du|wie gefällt (?:dir"
    r"|ihnen) [^.!?\n]{2,30}|gefällt (?:dir|ihnen) (?:der|das|die) [^.!?\n]{2,30}?|(?:ist"
    r"|passt) das so(?: in ordnung| okay| ok| gut)?)"
    r"[?!.,]*(?: oder| or)? )?"
)
_CLOSINGS: Final = {
    article: re.compile(
        rf"\A{_OPINION}(?=(?:{_OFFER_EN}|{_OFFER_DE})\b).*?(?:{_EDIT_EN}|{_EDIT_DE}{more})", re.IGNORECASE
    )
    for article, more in ((False, ""), (True, _EDIT_ARTICLE))
}
_HOPE: Final = re.compile(
    r"\A(?:i hope (?:this|that|it) helps|hope (?:this|that) helps|ich hoffe,? (?:das|der \w+|es) (?:hilft|gefällt"
    r"|passt)|viel erfolg"
    r" (?:mit|beim) (?:dem|deinem) (?:post|beitrag|posten))[^\n]{0,80}\Z",
    re.IGNORECASE,
)
# the writer's own note, in a paragraph of its own
_OWN_NOTE: Final = re.compile(
    r"\A[*_(]{0,3}(?:note|hinweis|anmerkung)[*_]*:[*_]*\s+(?:"
    r"ich habe (?:den|diesen|die|das) (?:text|post|beitrag|ton|hashtags)\b[^\n]*"
    r"(?:bewusst|gekürzt|gehalten|formuliert|angepasst|verzichtet|optimiert)"
    r"|i(?:['’]ve| have)? (?:kept|shortened|made|adjusted) (?:it|the (?:post|text|tone|caption)|this)\b)",
    re.IGNORECASE,
)
# below a line that ends the text
_NOTE: Final = re.compile(
    r"\A[*_]{0,3}(?:(?:note|notes|hinweis|anmerkung)\W+)?(?:why this works|warum das funktioniert|image suggestion"
    r"|bildvorschlag|bildidee|explanation|erläuterung|(?:this|the|dieser|der) (?:post|version|draft|text|caption"
    r"|beitrag|entwurf) (?:is (?:designed|written|crafted|kept)|uses|keeps|stays|highlights|follows|avoids|ist so"
    r"|nutzt|verwendet|hält|bleibt|folgt|richtet sich|spricht|setzt|greift"
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
    last = _LAST_PARAGRAPH.search(text)
    if last and (_is_closing(last["last"], article) or _OWN_NOTE.match(last["last"])):
        return text[: last.start()].rstrip()
    if (last := _AFTER_RULE.search(text)) and len(last["last"]) < 1500 and _NOTE.match(last["last"].strip()):
        return text[: last.start()].rstrip()
    return text


_SORRY: Final = (
    r"(?:i['’]?m (?:really |very )?sorry|sorry|i apologi[sz]e|my apologies|unfortunately|es tut mir (?:sehr "
    r"|wirklich )?leid|tut mir leid|entschuldigung|leider|bedaure|ich bedaure)"
)
_CANNOT_EN: Final = (
    r"i (?:can['’]?t|cannot|can not|won['’]?t|will not|am (?:not able|unable) to|['’]?m (?:not able|unable) to"
    r"|must decline to|have to decline)|i['’]m (?:not able|unable) to|i am (?:not able|unable) to"
)
_TASK_EN: Final = (
    r"(?:help (?:you )?with|assist(?: you)?(?: with)?\b|comply|fulfil+|do that\b|engage in|(?:create|write|generate"
    r"|produce|provide|draft|support|continue with) (?:this|that|the|a|an|any|such )?"
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
    r"request|guideline|polic(?:y|ies)|inappropriate|harmful|anfrage|richtlinie|nutzungsbedingung|unangemessen"
    r"|schädlich"
)
_REFUSING: Final = re.compile(
    rf"\A(?:{_SORRY}[,.!]?(?: (?:but|aber|dass))? ?[^.!?\n]{{0,40}}?(?:(?:{_CANNOT_EN}) {_TASK_EN}"
    rf"|(?:{_CANNOT_DE})\b{_TASK_DE})|(?=[^\n]*(?:{_REQUEST}))(?:(?:{_CANNOT_EN}) {_TASK_EN}"
    rf"|(?:{_CANNOT_DE})\b{_TASK_DE})"
    r"|(?:dabei|damit|hierbei|bei diesem thema) kann ich (?:dir |ihnen )?(?:leider )?nicht (?:weiter)?helfen"
    r"|ich kann (?:dir |ihnen )?(?:dabei|damit|hierbei) (?:leider )?nicht (?:weiter)?helfen"
    r"|as an ai(?: language)?(?: model| assistant)?,? i\b[^\n]{0,120}(?:can['’]?t|cannot|unable|not able)|als (?:ki"
    r"|ki-\w+|sprachmodell|künstliche intelligenz),? (?:kann|darf|bin|habe) ich\b[^\n]{0,120}(?:nicht"
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
