"""Words as people type them: each variant changes a word, or leaves it as it is if it does not concern it."""

import re
import unicodedata

import judge

# A word in which no letter of a variant's script occurs is no sample of it.
GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
PERSIAN = {"fa", "ur", "ps", "ckb", "sd", "ug", "ks", "pa_Arab", "pa_PK"}
APOSTROPHE = re.compile("[\u02b9-\u02bf\u2018\u2019\ua78b\ua78c]")


def without_marks(word, is_left_out):
    """Returns the word without the marks for which the condition on mark and base is true."""
    kept, base = [], " "
    for letter in unicodedata.normalize("NFD", word):
        if not judge.is_mark(letter):
            base = letter
        elif is_left_out(letter, base):
            continue
        kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept))


def without_accents(word):
    return without_marks(word, lambda mark, base: judge.script(base) == "Latn")


def without_tonos(word):
    return without_marks(word, lambda mark, base: judge.script(base) == "Grek")


def greek_capitals(word):
    return without_tonos(word).upper() if GREEK.search(word) else word


def as_ascii(word):
    """Only letters that are more than a letter of ASCII and its accents."""
    plain = without_accents(word).replace("\u00ad", "")
    return judge.LATIN.transliterate(plain.replace("ə", "e").replace("Ə", "E")) if judge.scripts(word)[:1] == ["Latn"] else plain


def without_nukta(word):
    """Burmese has a tone mark of the same combining class."""
    is_nukta = lambda mark, base: judge.icu.Char.getCombiningClass(mark) == 7 and base != judge.BENGALI_YA
    return without_marks(word, lambda mark, base: is_nukta(mark, base) and judge.script(mark) not in judge.CLUSTERS)


def without_points(first, last):
    return lambda word: without_marks(word, lambda mark, base: first <= mark <= last)


def ascii_digits(word):
    return "".join(str(judge.icu.Char.charDigitValue(letter)) if letter.isdecimal() else letter for letter in word)


def exchanged(letters, others):
    return lambda word: word.translate(str.maketrans(letters, others))


def with_joiner(word):
    """A Persian word with U+200C in its middle."""
    middle = len(word) // 2
    letters = word[middle - 1 : middle + 1]
    is_arabic = len(word) > 3 and all(judge.script(letter) == "Arab" and letter.isalpha() for letter in letters)
    return word[:middle] + "\u200c" + word[middle:] if is_arabic else word


# The name of each variant with its function and, unless all, the languages whose words it concerns.
VARIANTS = {
    "NFD": (lambda word: unicodedata.normalize("NFD", word), None),
    "NFKC": (lambda word: unicodedata.normalize("NFKC", word), None),
    "upper case": (str.upper, None),
    "lower case": (str.lower, None),
    "Greek without tonos": (without_tonos, None),
    "Greek capitals without tonos": (greek_capitals, None),
    "Latin without accents": (without_accents, None),
    "Latin letters as ASCII": (as_ascii, None),
    "Arabic alef alone": (exchanged("أإآٱ", "اااا"), None),
    "Arabic yeh and heh for ى and ة": (exchanged("ىة", "يه"), None),
    "Arabic kaf and yeh for ک and ی": (exchanged("کی", "كي"), PERSIAN),
    "keheh and Farsi yeh for ك and ي": (exchanged("كي", "کی"), None),
    "harakat left out": (without_points("\u064b", "\u0652"), None),
    "niqqud left out": (without_points("\u0591", "\u05c7"), None),
    "joiner left out": (exchanged("\u200c\u200d", "\0\0"), None),
    "joiner put in": (with_joiner, PERSIAN),
    "nukta left out": (without_nukta, None),
    "е for ё": (exchanged("ёЁ", "еЕ"), None),
    "ASCII digits": (ascii_digits, None),
    "typed apostrophe": (lambda word: APOSTROPHE.sub("'", word), None),
}


def of(word, language):
    """Yields the name and the text of each variant that differs from the word."""
    for name, (change, languages) in VARIANTS.items():
        if languages is None or language in languages:
            typed = change(word).replace("\0", "")
            if typed != word and any(map(judge.kind, typed)):
                yield name, typed
