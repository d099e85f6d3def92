"""Says which texts have a word, by ICU and the rules of docs/search.md: independent of the program's own code.

Words are those of ICU's word breaks. In scripts without spaces between words, any part of whole grapheme clusters counts. A fold
of letters as docs/search.md documents it, from ICU's normalisation, case folding and Latin-ASCII, judges if a hit is right.
"""

import functools
import re

import icu

NFC, NFD, NFKC = icu.Normalizer2.getNFCInstance(), icu.Normalizer2.getNFDInstance(), icu.Normalizer2.getNFKCInstance()
LATIN = icu.Transliterator.createInstance("Latin-ASCII")
CLUSTERS = {"Thai", "Laoo", "Mymr", "Khmr", "Lana", "Java", "Tale", "Talu", "Yiii"}
RUNS = {"Hang", "Hani", "Hira", "Kana"}
MARKS = {icu.UCharCategory.NON_SPACING_MARK, icu.UCharCategory.COMBINING_SPACING_MARK, icu.UCharCategory.ENCLOSING_MARK}
# What docs/search.md has beside the foldings of Unicode; Latin-ASCII has only the capital of ɩ.
LETTERS = {"ə": "e", "ǝ": "e", "ɔ": "o", "ɵ": "o", "ɣ": "g", "ɩ": "i", "ʊ": "u", "ɑ": "a", "ꞹ": "u", "ё": "е"} | dict.fromkeys("ٱآأإ", "ا")
LETTERS |= dict.fromkeys("ىیئ", "ي") | dict.fromkeys("ةۃہۂۀ", "ه") | {"ک": "ك", "ؤ": "و", "ۓ": "ے"}
# Of these, Unicode's decomposition has other letters than people take for them.
COMPOSED = {ord(letter): LETTERS[letter] for letter in "ۀۂۓ"}
# The apostrophes of Latin letters, which end a word; the tatweel and its like, and signs without a width, which are ignored.
APOSTROPHES = dict.fromkeys([*range(0x2B9, 0x2C0), 0xA78B, 0xA78C], "'")
IGNORED = dict.fromkeys([0xAD, 0x640, 0x7FA, 0x2060, 0xFEFF, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)])
JOINERS = re.compile("[\u200c\u200d]")
AM = re.compile("([\u0e4d\u0ecd])([\u0e48-\u0e4b\u0ec8-\u0ecb]?)([\u0e32\u0eb2])")
BENGALI_YA = "য"


# The long names of the scripts that were seen, by their codes.
SCRIPT_NAMES = {}


@functools.cache
def script(letter):
    """Returns the code of ISO 15924."""
    found = icu.Script.getScript(letter)
    SCRIPT_NAMES[found.getShortName()] = found.getName()
    return "Kana" if letter in "ーｰ" else found.getShortName()


@functools.cache
def is_mark(letter):
    return icu.Char.charType(letter) in MARKS


@functools.cache
def kind(letter):
    """Returns "run", "clusters", "word" or "" for what ends a word."""
    if not (letter.isalnum() or icu.Char.isalnum(letter) or is_mark(letter)):
        return ""
    if icu.Char.charDigitValue(letter) >= 0:
        return "word"
    return "run" if script(letter) in RUNS else "clusters" if script(letter) in CLUSTERS else "word"


def is_ignored_mark(mark, base):
    """Returns true for an accent, point or tone that people leave out."""
    if kind(base) in ("run", "clusters"):
        return False
    if icu.Char.getCombiningClass(mark) == 7:
        return mark != "\u09bc" or base != BENGALI_YA
    if script(base) == "Cyrl":
        composed = NFC.normalize(base + mark)
        return len(composed) > 1 or composed in "ЀЍѶѐѝѷ"
    return script(base) in ("Latn", "Grek", "Hebr", "Arab", "Nkoo") or "\u0300" <= mark <= "\u036f"


@functools.lru_cache(1 << 18)
def folded(text):
    """Returns the text with one form for each group of letters that make no difference."""
    text = NFKC.normalize(NFC.normalize(text).translate(IGNORED).translate(COMPOSED)).translate(APOSTROPHES).replace("\u2044", "/")
    # NFKC takes the vowel am of Thai and Lao apart.
    text, base = AM.sub(lambda match: match[2] + chr(ord(match[3]) + 1), text), " "
    kept = []
    for letter in NFD.normalize(text):
        if not is_mark(letter):
            base = letter
            kept.append(letter)
        elif not is_ignored_mark(letter, base):
            kept.append(letter)
            base = composed if len(composed := NFC.normalize(base + letter)) == 1 else base
    return "".join(map(folded_letter, str(icu.UnicodeString(NFC.normalize("".join(kept))).foldCase())))


@functools.cache
def folded_letter(letter):
    digit = icu.Char.charDigitValue(letter)
    if digit >= 0:
        return str(digit)
    if letter in LETTERS:
        return LETTERS[letter]
    return LATIN.transliterate(letter).lower() if script(letter) == "Latn" else letter


def breaks(iterator, text):
    """Yields the pieces of a text and their status. ICU counts in units of UTF-16."""
    units, start = text.encode("utf-16-le"), 0
    iterator.setText(text)
    for end in iterator:
        yield units[2 * start : 2 * end].decode("utf-16-le"), iterator.getRuleStatus()
        start = end


@functools.cache
def word_iterator(language):
    return icu.BreakIterator.createWordInstance(icu.Locale(language))


CLUSTER_ITERATOR = icu.BreakIterator.createCharacterInstance(icu.Locale.getRoot())


def words(text, language):
    """Returns the words of a text by ICU, in order: what has a letter or a number. A raised digit is a part of its word."""
    pieces = list(breaks(word_iterator(language), text))
    neighbours = zip([" ", *(piece for piece, _ in pieces)], pieces, [*(piece for piece, _ in pieces[1:]), " "])
    found = [piece for before, (piece, status), after in neighbours if status >= 100 and not is_raised(before[-1] + after[0])]
    return [NFC.normalize(word) for word in found if any(map(kind, word))]


def is_raised(letters):
    return any(icu.Char.charType(letter) == icu.UCharCategory.OTHER_NUMBER for letter in letters)


@functools.lru_cache(1 << 18)
def clusters(run):
    return tuple(piece for piece, _ in breaks(CLUSTER_ITERATOR, run))


def tokens(text):
    """Returns the words, runs and runs of clusters of a folded text, in order, each with its kind."""
    found, last, is_ended = [], "", True
    for letter in text:
        if letter == "\u200b" and last == "clusters":
            continue
        this = kind(letter)
        # A mark belongs to what stands before it.
        if this and is_mark(letter) and last and not is_ended:
            this = last
        if this and this == last and not is_ended:
            found[-1][1] += letter
        elif this:
            found.append([this, letter])
        last, is_ended = this, not this
    return [(kind, clusters(token) if kind == "clusters" else token) for kind, token in found]


@functools.lru_cache(1 << 18)
def readings(text):
    """Returns the tokens of a text, and those with a space in place of joiners if there is one."""
    text = folded(text)
    in_clusters = re.sub("[\u200b\u200c]", lambda match: "" if is_within_clusters(match) else match[0], text)
    joined = tokens(JOINERS.sub("", in_clusters))
    return [joined, tokens(JOINERS.sub(" ", in_clusters))] if JOINERS.search(in_clusters) else [joined]


def is_within_clusters(match):
    return match.start() > 0 and kind(match.string[match.start() - 1]) == "clusters"


def is_in(query, text):
    """Returns true if the text has the words of the query one after the other, by the rules of docs/search.md."""
    return any(has(wanted, found) for wanted in readings(query) for found in readings(text))


def has(wanted, found):
    if len(wanted) == 1:
        return any(kind == wanted[0][0] and is_part(kind, wanted[0][1], token) for kind, token in found)
    return wanted != [] and any(is_phrase(wanted, found[start : start + len(wanted)]) for start in range(len(found) - len(wanted) + 1))


def is_part(kind, wanted, token):
    if kind == "word":
        return wanted == token
    if kind == "run":
        return wanted in token
    return any(token[start : start + len(wanted)] == wanted for start in range(len(token) - len(wanted) + 1))


def is_phrase(wanted, found):
    """The first run may be the end of a longer one, the last one the beginning."""
    if any(one[0] != other[0] for one, other in zip(wanted, found)):
        return False
    first, last = wanted[0], wanted[-1]
    is_first = found[0][1][-len(first[1]) :] == first[1] if first[0] != "word" else found[0][1] == first[1]
    is_last = found[-1][1][: len(last[1])] == last[1] if last[0] != "word" else found[-1][1] == last[1]
    return is_first and is_last and wanted[1:-1] == found[1:-1]


def is_spaced(query):
    """Returns true for a query of words alone, in a script with spaces between words."""
    return all(kind == "word" for kind, _ in readings(query)[0])


def scripts(text):
    """Returns the scripts of the letters of a text, one for each letter."""
    return [script(letter) for letter in text if kind(letter) and script(letter) not in ("Zyyy", "Zinh")]
