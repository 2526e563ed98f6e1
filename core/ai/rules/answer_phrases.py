"""Phrases of models around a text, in German and English: announcements, character counts, offers of changes; and
refusals.

A sentence counts only if it is separate from the text and about the text. Posts begin with "Here is our new
bike:", end with "Would you like to join us?" and say "Sorry, we are closed": all of that stays. Each phrase is a
regular expression and ignores case; add what must survive a new phrase to `tests/ai/rules/test_answers.py`.
"""

import re
from typing import Final

from core.networks.rules.channels import NETWORKS

RULE: Final = r"(?:-{3,}|\*{3,}|_{3,}|={3,}|—{2,}|─{3,})"
"""A line that separates two texts."""


def _any(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


def _compiled(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


# --- announcements of a text

_POST: Final = (
    *("posts?", "postings?", "beitr(?:ag|äge)", "caption", "tweet", "thread", "bildunterschrift", "bildbeschreibung"),
    *("alt[- ]?texte?", "text", "draft", "entwurf", "version", "fassung", "variante", "copy", "rewrite", "passage"),
    *("vorschlag", "suggestion", "umformulierung", "description", "beschreibung", "summary", "zusammenfassung"),
    *("title", "titel", "result", "ergebnis", "answer", "antwort", "response", "json"),
)
_ARTICLE: Final = (
    *_POST,
    *("articles?", "artikel", "sections?", "abschnitt", "outline", "gliederung", "plan", "markdown", "revision"),
)
_LABELS: Final = _any(
    *("post", "posting", "beitrag", "caption", "bildunterschrift", "tweet", "text", "post-?text", "draft", "entwurf"),
    *("alt[- ]?text", "antwort", "answer", "response", "(?:your|deine?|ihre?) (?:post|posting|beitrag|caption|text)"),
)
_NETWORK: Final = _any(*sorted({kind.value for kind in NETWORKS}), "twitter", "social[- ]media")
_ON_A_NETWORK: Final = rf"(?:{_NETWORK}[- ])?"
_OTHER: Final = _any(
    *("final", "finale[rs]?", "fertige[rs]?", "new", "neue[rs]?", "revised", "überarbeitete[rs]?", "shortened"),
    *("gekürzte[rs]?", "shorter", "kürzere[rs]?", "improved", "verbesserte[rs]?", "optimierte[rs]?"),
    *("german", "english", "deutsche[rs]?", "englische[rs]?"),
)
_YES: Final = _any(
    *("sure(?: thing)?", "certainly", "of course", "absolut(?:ely)?", "gladly", "with pleasure", "no problem", "great"),
    *("okay", "ok", "alright", "all right", "got it", "understood", "perfekt", "super"),
    *("gerne?(?: doch)?", "sehr gerne?", "klar(?: doch)?", "na klar", "natürlich", "selbstverständlich"),
    *("alles klar", "verstanden", "kein problem", "gern geschehen", "aber gerne?", "klaro", "freut mich"),
    *("(?:great|good) idea", "(?:gute|tolle|schöne) idee", "(?:i['’]d be |i['’]m )?happy to help"),
)
# posts hardly begin like this
_AN_ASSISTANTS_YES: Final = _compiled(
    _any(
        *("sure(?: thing)?", "certainly", "of course", "understood", "here you go"),
        *("(?:sehr |aber )?gerne?", "verstanden"),
    ),
    r"[!.,:]*\Z",
)
_REFERS_BACK: Final = re.compile(r"\s*(?:…|\.{3}|[a-zäöü]|[Tt]hat(?:['’]s| is| was)\b|Das (?:ist|war|sagt)\b)")
"""The start of a text that refers to the line before."""
_HERE: Final = _any(
    *("here(?:['’]s| is| are)", "below is", "below you(?:['’]ll| will) find"),
    *("hier(?: ist| sind| kommt| hast du| findest du)?", "nachfolgend", "anbei", "im folgenden"),
)
# only after a yes: users also write this about their own text
_MADE: Final = _any(
    *("i(?:['’]ve| have) (?:written|created|drafted|rewritten|revised)", "ich habe(?: dir)?", "this is", "das ist"),
)
_BY_ORDER: Final = _any("basierend auf", "based on", "auf basis", "wie gewünscht", "as requested")
_A_POST: Final = (
    rf"(?:{{whose}} )?{{adjectives}}(?:{_ON_A_NETWORK})?(?:post|posting|beitrag|caption|tweet|text|draft of the post)"
)
_LIKE_THIS: Final = _any(
    "so könnte {what} (?:aussehen|lauten|klingen)",
    "{what} könnte (?:so|folgendermaßen|wie folgt) (?:aussehen|lauten|klingen)",
    "wie wäre es mit folgendem (?:post|beitrag|text)",
    "folgende[rs]? (?:post|beitrag|text) (?:wäre|ist) (?:möglich|denkbar)",
    "i(?:['’]ve| have) (?:written|created|drafted) the following (?:post|caption|text)[^:\\n]{{0,40}}",
    "the following is {what}",
    "ich habe (?:dir )?folgende[nrs]? (?:post|beitrag|text)[^:\\n]{{0,40}} "
    "(?:verfasst|geschrieben|erstellt|formuliert)",
)
_WHOSE: Final = _any(
    *("your", "dein(?:e|en|er)?", "ihr(?:e|en)?", "euer", "eure[rn]?", "the", "a", "an", "one"),
    *("der", "die", "das", "den", "ein(?:e|en)?", "folgende[rn]?"),
)
# words of announcements within posts: of the author's own things, or of a list of tips
_NO_ADJECTIVE: Final = _any(
    *("for", "für", "to", "of", "von", "in", "on", "zu", "tips?", "tipps?", "our", r"unser\w*", "my", "meine?[nr]?"),
    r"\d+",
)
_ADJECTIVES: Final = rf"(?:(?!{_NO_ADJECTIVE}\b)[\w-]+,? ){{0,3}}(?:[\w-]+-)?"
_LEADS_ON: Final = _any(
    *("for", "about", "on", "in", "within", "under", "with", "based", "as", "that", "of", "using", "written"),
    *("without", "optimized", "für", "über", "zu", "zum", "zur", "auf", "im", "mit", "unter", "als", "nach", "gemäß"),
    *("tailored", "you can (?:post|publish)", "ohne", "optimiert", "rund um", "des", "deines", "ihres"),
)
_ABOUT: Final = rf"(?: {_LEADS_ON}\b[^:\n]{{0,120}}| \([^()\n]{{1,80}}\))?"
_MINE: Final = "(?:my|mein(?:e|en)?) (?:suggestion|draft|proposal|vorschlag|entwurf|version|fassung)"


def _preamble(nouns: tuple[str, ...], labels: str) -> re.Pattern[str]:
    noun = _any(*nouns)
    what = rf"(?:{_WHOSE} )?{_ADJECTIVES}{noun}{_ABOUT}"
    label = _any(rf"{_OTHER} {_ON_A_NETWORK}{noun}", rf"{_ON_A_NETWORK}{labels}")
    return _compiled(
        _any(
            rf"{_YES}\s*[!,.:–—-]*\s+{_any(_HERE, _MADE)}[,:]? {what}\s*[:.!]?",
            rf"{_HERE}[,:]? {_any(what, _MINE)}\s*:",
            rf"{_LIKE_THIS.format(what=_A_POST.format(whose=_WHOSE, adjectives=_ADJECTIVES))}[:?]",
            rf"{_BY_ORDER}\b[^:\n]{{0,100}}\b(?:hier|here)\b[^:\n]{{0,40}}\b{noun}{_ABOUT}\s*:",
            r"(?:here(?:['’]s| is)|hier ist) (?:your|dein|ihr) (?:[\w-]+[- ])?(?:post|posting|caption|tweet)[.!]?",
            *(rf"#+\s*{label}\s*:?", rf"\*\*{label}:?\*\*:?", rf"{label}:"),
        ),
        r"\Z",
    )


_NEVER: Final = "(?!)"
_PREAMBLES: Final = {
    False: _preamble(_POST, _LABELS),
    # an article's heading may be any label
    True: _preamble(_ARTICLE, _NEVER),
}
_LONGEST_LINE: Final = 220
_FIRST_LINE: Final = re.compile(rf"\A[^\n]{{1,{_LONGEST_LINE}}}")
_BEGINS_TALK: Final = _compiled(_any(_YES, _HERE))
_YES_ALONE: Final = _compiled(_YES, r"[!.,:]*\Z")
_INLINE_WRAPPER: Final = re.compile(r"\A(?P<before>[^\n]*?:)\s+(?P<rest>---[ \t]+.*)\Z", re.DOTALL)
_BOLD_LABEL: Final = _compiled(
    rf"\A\*\*{_ON_A_NETWORK}(?:post|beitrag|text|caption|tweet|antwort|answer)(?::\*\*|\*\*:)[ \t]*(?=\S)"
)
_YOURS: Final = _compiled(r"\b(?:your|deine?[nr]?)\b")
_NO_WORDS: Final = re.compile(r"https?://\S+|[#@]\w+")


_SIGN_FIRST: Final = re.compile("\\A(?:[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?[ \t]*)+")
"""An emoji."""


_OF_OURS: Final = _compiled(
    r"\b(?:summary|description|answer|result|zusammenfassung|beschreibung|antwort|ergebnis)\b[^:\n]*"
    r"\b(?:our|unser\w*|my|mein\w*|eure\w*)\b"
)
"""An announcement of the post's author, not of the model."""


def _is_preamble(line: str, article: bool) -> bool:
    line = line.strip()
    line = _SIGN_FIRST.sub("", line)
    bare = line if line.startswith(("**", "#")) else line.strip("*_ ")
    if _OF_OURS.search(bare):
        return False
    return len(bare) <= _LONGEST_LINE and "\n" not in bare and _PREAMBLES[article].match(bare) is not None


def without_preamble(text: str, article: bool) -> str:
    """Return the text without a separate first line that only announces it."""
    if not article:
        text = _BOLD_LABEL.sub("", text)
    if (inline := _INLINE_WRAPPER.match(text)) and _is_preamble(inline["before"], article):
        return inline["rest"]
    first = _FIRST_LINE.match(text)
    if first is None:
        return text
    line, rest = first[0], text[first.end() :]
    if rest and not rest.startswith("\n"):
        return text
    if not rest.strip():
        # a label alone may be the requested text
        return "" if _is_preamble(line, article) and _BEGINS_TALK.match(line) else text
    if rest.startswith("\n\n") and _AN_ASSISTANTS_YES.match(line.strip()) and not _REFERS_BACK.match(rest):
        return rest.strip()
    if not _is_preamble(line, article):
        return text
    # above nothing but an address, the line is the author's announcement
    announces = "://" in rest and not any(each.isalpha() for each in _NO_WORDS.sub("", rest))
    return text if announces and not _YOURS.search(line) else rest.strip()


def is_talk(before: str, after: str, article: bool) -> bool:
    """Return whether the words before and after a block of text are only about it. Both may be empty."""
    announced = not before or _is_preamble(before, article) or _YES_ALONE.match(before)
    return bool(announced) and (not after or _is_closing(after, article))


# --- character counts

_MARKS: Final = r"[*_]{0,3}"
_CHARACTERS: Final = _any("zeichen", "characters?", "chars?")
_CHARACTERS_OR_WORDS: Final = _any(_CHARACTERS, "wörter", "words")
_ABOUT_SO_MANY: Final = _any(r"ca\.", "etwa", "rund", r"approx\.?", "approximately", "about", "exactly", "genau", "~")
_NUMBER: Final = rf"{_ABOUT_SO_MANY}?\s*\d[\d.,]*(?:\s*/\s*\d[\d.,]*)?"
_WITH_SPACES: Final = _any("inkl", "incl", "including", "mit", "with", "ohne", "without", "insgesamt", "(?:in )?total")
_TAIL: Final = rf"(?:,? ?{_WITH_SPACES}\b[^\n()\]]{{0,50}})?"
_COUNT_OF: Final = _any(
    *("zeichen(?:anzahl|zahl|länge)?", "anzahl (?:der )?zeichen", "(?:character|word) count", "characters?"),
    *("wortanzahl", "wortzahl"),
)
_LENGTH: Final = _any("umfang", "gesamt(?:länge)?", "total(?: length)?", "länge", "length")
_THE_POST: Final = _any("(?:der|dieser) (?:post|beitrag|text)", "(?:the|this) (?:post|text|caption)")
_HAS: Final = _any("hat", "umfasst", "is", "has")
_COUNT: Final = _compiled(
    _any(
        # in brackets at the end, or on a separate line
        rf"[ \t]+{_MARKS}[(\[]{_MARKS}{_NUMBER}\s*{_CHARACTERS}\b{_TAIL}{_MARKS}[)\]]",
        rf"\n[ \t]*{_MARKS}[(\[]?{_MARKS}{_NUMBER}\s*{_CHARACTERS_OR_WORDS}\b{_TAIL}{_MARKS}[)\]]?",
        rf"\n[ \t]*{_MARKS}[(\[]?{_MARKS}{_COUNT_OF}(?: \([^()\n]{{1,30}}\))?{_MARKS}\s*:{_MARKS}\s*{_NUMBER}"
        rf"(?:\s*{_CHARACTERS_OR_WORDS})?{_TAIL}{_MARKS}[)\]]?",
        rf"\n[ \t]*{_MARKS}[(\[]?{_MARKS}{_LENGTH}{_MARKS}\s*:{_MARKS}\s*{_NUMBER}\s*{_CHARACTERS}"
        rf"{_TAIL}{_MARKS}[)\]]?",
        rf"\n[ \t]*{_MARKS}(?:(?:hinweis|note):\s*)?{_THE_POST} {_HAS} {_NUMBER}\s*{_CHARACTERS}\b"
        r"(?! (?:zu|mehr|weniger|too)\b)[^\n]{0,60}",
    ),
    rf"{_MARKS}\.?{_MARKS}[ \t]*\Z",
)

_BARE_COUNT: Final = _compiled(rf"(?P<number>\d[\d.,]*)\s*{_CHARACTERS}\Z")

# --- offers of changes: an offer of the model, and an edit of the text. Questions and offers to a post's readers have
# no edit

_OFFER: Final = _any(
    "melde? dich(?: gerne?)?,? falls(?=.*\\bich\\b)",
    *(
        "(?:would you like|do you want|want) me to",
        "would you like (?=a (?:shorter|longer) )",
        "should i",
        "shall i",
        "(?:just |please )?let me know if",
    ),
    *("feel free to", "i can (?:also|gladly|easily|happily)", "i(?:['’]m| am|['’]d be| would be) happy to", "happy to"),
    r"if you(?:['’]d| would)? (?:like|want|need|prefer)\b(?=.*\b(?:i|me)\b)",
    *("would you prefer", "do you want any", "is there anything (?:else )?you(?:['’]d| would)? (?:like|want) me to"),
    *("soll ich", "(?:möchtest|willst) du,? dass ich", "(?:möchten|wollen) sie,? dass ich"),
    r"(?:wenn|falls) (?:du|sie)\b(?=.*\b(?:ich|mir|mich)\b)",
    "(?:sag|gib)(?:en sie)? (?:mir )?(?:gerne? |einfach )?bescheid",
    "lass(?:en sie)? (?:es )?mich (?:gerne? |einfach )?wissen",
    "(?:gerne? )?(?:kann|passe|ändere|erstelle|formuliere|schreibe|kürze) ich",
    "ich (?:kann|passe) (?:dir|ihnen|auch|gerne?|ihn|den)",
    "(?:möchtest|willst|wünschst|hättest|würdest) du (?:(?:noch|gerne?|eine|einen|weitere) ){0,3}"
    "(?=änderung|anpassung|andere|weitere|kürzere|längere)",
    *(
        "passt (?:das|der|es|er)(?: für (?:dich|sie))? so",
        "bei bedarf",
        "(?:hast du|haben sie) (?:noch )?änderungswünsche",
    ),
)
_EDIT: Final = (
    "(?:adjust|change|modify|revise|tweak|shorten|rewrite|rephrase|edit|refine|adapt|tailor|expand|translate) "
    r"(?:it|this|that|the (?:post|text|tone|style|caption|wording|draft|length|hashtags)|anything)\b",
    r"anything (?:else )?you[^\n]{0,20} me to (?:adjust|change|revise|edit|add|tweak)",
    "make it (?:shorter|longer|more|less|punchier|funnier|sound)",
    "(?:any|some) (?:changes|adjustments|edits|tweaks|revisions|modifications)(?! (?:to|in|of) your)",
    "adjustments",
    "(?:another|different|alternative|shorter|longer) (?:versions?|variations?|draft|tone|wording)",
    "add (?:more )?(?:hashtags|emojis)",
    r"\bpasse ich (?:ihn|den (?:text|post|beitrag))\b[^.!?\n]{0,40}\ban\b",
    "(?:create|write|draft|suggest) (?:another|more|an image|a version|a different)",
    r"\b(?:ihn|es|text|post|beitrag|ton|tonfall|stil|caption|entwurf|version|formulierung|daran|noch etwas|etwas)\b"
    r"[^.?!\n]{0,60}(?:anpass|änder|überarbeit|kürz|umschreib|umformulier|verlänger|erweiter|übersetz|optimier"
    r"|verfeiner|formulier)\w*",
    r"\banpassungen\b(?! an (?:deine|ihre|eure))",
    "änderungen(?! an (?:deine|ihre|eure))",
    "änderungswünsche",
    "(?:andere|weitere|alternative|kürzere|längere) (?:version(?:en)?|varianten?|fassung|vorschläge|hashtags)",
    "anderen (?:ton|tonfall)",
    r"(?:lockerer|formeller|kürzer|länger|werblicher|emotionaler) (?:formulier|gestalt|schreib|mach)\w*",
    "passt (?:das|der|es|er)(?: für (?:dich|sie))? so",
    rf"(?:version|variante|fassung|caption) für {_NETWORK}",
    rf"(?:version|caption|variant) for {_NETWORK}",
)
_GO_ON: Final = (
    *("continue", "next section", "other sections", "nächsten? abschnitt", "fortfahren", "weiterschreiben"),
    "mit dem nächsten",
)
# words to readers, which a model's offer never contains
_TO_READERS: Final = _compiled(
    r"\bschreibt?\b[^.!?\n]{0,20}\b(?:mir|uns|in die)\b|kommentare?n?\b|\bin the comments|\bcomment below|\bdm\b"
    r"|\b(?:message|call|dm|email) (?:me|us)\b|\bsend (?:me|us)\b|\bask(?:ing)? for a friend|\bfrage für einen freund"
    r"|\blink in\b|\band share\b|\bund teil|\b(?:euch|eure\w*|someone|anyone|jemande[mn]?)\b"
    r"|\bversions? of (?:this|your|the) (?!post|text|caption|draft)"
)
# possible start of the offer
_OPINION: Final = _any(
    *("how does (?:this|that|it) (?:look|sound)", "what do you think", "was meinst du"),
    r"wie gefällt (?:dir|ihnen) [^.!?\n]{2,30}",
    r"gefällt (?:dir|ihnen) (?:der|das|die) [^.!?\n]{2,30}?",
    "(?:ist|passt) das so(?: in ordnung| okay| ok| gut)?",
)
_CLOSINGS: Final = {
    article: _compiled(rf"\A(?:{_OPINION}[?!.,]*(?: oder| or)? )?(?={_OFFER}\b).*?{_any(*_EDIT, *more)}")
    for article, more in ((False, ()), (True, _GO_ON))
}
_HOPE: Final = _compiled(
    r"\A",
    _any(
        *("(?:i )?hope (?:this|that|it) helps", r"ich hoffe,? (?:das|der \w+|es) (?:hilft|gefällt|passt)"),
        "viel (?:erfolg|spaß) (?:mit|beim) (?:dem|deinem) (?:post|beitrag|posten)",
        r"viel (?:erfolg|spaß) beim posten[.!]*\Z",
    ),
    r"[^\n]{0,80}\Z",
)
# the model's note, in a separate paragraph
_OWN_NOTE: Final = _compiled(
    r"\A[*_(]{0,3}(?:note|hinweis|anmerkung)[*_]*:[*_]*\s+",
    _any(
        r"ich habe (?:den|diesen|die|das) (?:text|post|beitrag|ton|hashtags)\b[^\n]*"
        "(?:bewusst|gekürzt|gehalten|formuliert|angepasst|verzichtet|optimiert)",
        r"i(?:['’]ve| have)? (?:kept|shortened|made|adjusted) (?:it|the (?:post|text|tone|caption)|this)\b",
    ),
)
# below a line that ends the text; a disclosure there must stay
_NOTE: Final = _compiled(
    r"\A[*_]{0,3}(?:(?:note|notes|hinweis|anmerkung)\W+)?",
    _any(
        *("why this works", "warum das funktioniert", "image suggestion", "bildvorschlag", "bildidee"),
        *("explanation", "erläuterung"),
        "(?:this|the|dieser|der) (?:post|version|draft|text|caption|beitrag|entwurf) "
        "(?:is (?:designed|written|crafted|kept)|uses|keeps|stays|highlights|follows|avoids"
        "|ist so|nutzt|verwendet|hält|bleibt|folgt|richtet sich|spricht|setzt|greift|vermeidet)",
    ),
    r"\b",
)
_LONGEST_NOTE: Final = 1500
_LONGEST_CLOSING: Final = 400
_LAST_PARAGRAPH: Final = re.compile(rf"\n(?:[ \t]*\n+|[ \t]*{RULE}[ \t]*\n+)(?P<last>[^\n]+)\Z")
_AFTER_RULE: Final = re.compile(rf"\n[ \t]*{RULE}[ \t]*\n+(?P<last>(?:(?!\n[ \t]*{RULE}[ \t]*\n).)+)\Z", re.DOTALL)


def _is_closing(text: str, article: bool) -> bool:
    """Return whether the text only offers changes, wishes success or counts characters."""
    line = text.strip()
    while (bare := line.strip("*_ \t()[]>–—-")) != line:
        line = bare
    if len(line) > _LONGEST_CLOSING or "\n\n" in line:
        return False
    words = re.sub(r"\A[^\w\"'„“]+(?:fertig|done)?[!.]?\s*", "", line, flags=re.IGNORECASE)  # an emoji
    if _TO_READERS.search(words):
        return False
    return any((_CLOSINGS[article].match(words), _HOPE.match(words), _COUNT.match(f"\n{line}")))


def _is_no_count(line: str, text: str) -> bool:
    """Return whether a line is a number of characters that cannot be the text's length, so it belongs to the text."""
    bare = _BARE_COUNT.match(line.strip("*_. \t\n"))
    if bare is None:
        return False
    number = float(re.sub(r"\D", "", bare["number"]))  # a whole number may have too many digits
    return not len(text) <= 2 * number <= 4 * len(text)


def without_closing(text: str, article: bool) -> str:
    """Return the text without a separate last paragraph about the text."""
    count = None if article else _COUNT.search(text)
    if count and not _is_no_count(count[0], text[: count.start()]):
        text = text[: count.start()].rstrip() or text
    last = _LAST_PARAGRAPH.search(text)
    if last and _is_no_count(last["last"], text[: last.start()]):
        return text
    if last and (_is_closing(last["last"], article) or _OWN_NOTE.match(last["last"])):
        return text[: last.start()].rstrip()
    last = _AFTER_RULE.search(text)
    if last and len(last["last"]) < _LONGEST_NOTE and _NOTE.match(last["last"].strip()):
        return text[: last.start()].rstrip()
    return text


# --- refusals

_SORRY: Final = _any(
    *("i['’]?m (?:really |very )?sorry", "sorry", "i apologi[sz]e", "my apologies", "unfortunately"),
    *("es tut mir (?:sehr |wirklich )?leid", "tut mir leid", "entschuldigung", "leider", "(?:ich )?bedaure"),
)
_I_CANNOT: Final = _any(
    *("i can['’]?t", "i cannot", "i can not", "i won['’]?t", "i will not", "i (?:must|have to) decline to"),
    "i(?:['’]?m| am) (?:not able|unable) to",
)
_HELP: Final = _any(
    *("help (?:you )?with", r"assist(?: you)?(?: with)?\b", "comply", "fulfil+", r"do that\b", "engage in"),
    r"(?:create|write|generate|produce|provide|draft|support|continue with) (?:\w+ ){0,5}?"
    r"(?:content|posts?|text|article|request|caption)\b",
)
_ICH_KANN: Final = _any("(?:kann|darf|möchte|werde) ich", "ich (?:kann|darf|möchte|werde)", "ich bin nicht in der lage")
_SCHREIBEN: Final = "(?:schreiben|erstellen|verfassen|generieren|bearbeiten|liefern)"
_TEXT: Final = "(?:post|beitrag|text|artikel|inhalte?n?)"
_NICHT_HELFEN: Final = r"[^.!?\n]{0,100}?" + _any(
    "nicht (?:(?:weiter)?helfen|behilflich|unterstützen|nachkommen|erfüllen)",
    rf"{_TEXT}\b[^.!?\n]{{0,60}}?nicht (?:\w+ ){{0,3}}?{_SCHREIBEN}",
    rf"keine[nr]? (?:\w+ ){{0,3}}?{_TEXT}\b[^.!?\n]{{0,60}}?{_SCHREIBEN}",
)
_CANNOT_HELP: Final = _any(rf"{_I_CANNOT} {_HELP}", rf"{_ICH_KANN}\b{_NICHT_HELFEN}")
_ABOUT_THE_REQUEST: Final = _any(
    *("request", "guideline", "polic(?:y|ies)", "inappropriate", "harmful"),
    *("anfrage", "richtlinie", "nutzungsbedingung", "unangemessen", "schädlich"),
)
_WITH_THAT: Final = "(?:dabei|damit|hierbei|bei diesem thema)"
_REFUSING: Final = _compiled(
    r"\A",
    _any(
        rf"{_SORRY}[,.!]?(?: (?:but|aber|dass))? ?[^.!?\n]{{0,40}}?{_CANNOT_HELP}",
        rf"(?=[^\n]*{_ABOUT_THE_REQUEST}){_CANNOT_HELP}",
        rf"{_WITH_THAT} kann ich (?:dir |ihnen )?(?:leider )?nicht (?:weiter)?helfen",
        rf"ich kann (?:dir |ihnen )?{_WITH_THAT} (?:leider )?nicht (?:weiter)?helfen",
        r"as an ai(?: language)?(?: model| assistant)?,? i\b[^\n]{0,120}(?:can['’]?t|cannot|unable|not able)",
        r"als (?:ki|ki-(?:assistent(?:in)?|modell|sprachmodell|system|chatbot)|sprachmodell"
        r"|künstliche intelligenz),? (?:kann|darf|bin|habe) ich\b[^\n]{0,120}"
        "(?:nicht|keine)",
    ),
)
_LONGEST_REFUSAL: Final = 700


def is_refusal(text: str) -> bool:
    """Return whether the answer refuses to write the text."""
    return len(text) <= _LONGEST_REFUSAL and _REFUSING.match(text) is not None
