#!/usr/bin/env -S python3 -B
"""Measures how well `scrollback import` recognises the encodings of logs, and prints what it confuses.

    bench/encoding_accuracy.py --binary .build/release/scrollback --files 300 --seed 1

Makes logs of 50 bytes to 1 MB in twelve encodings, from texts of Debian's documentation and fortunes (fetched as packages, unpacked
into .servers/texts, not installed) and, if there is a file of them, Korean chats; imports them with --dry-run, and compares the
reported encodings with the true ones. Each log has at least one line that is not ASCII. A file counts as wrong if the reported encoding
gives another text. Exit status 1 if a wrong encoding was not reported as uncertain.
"""

import argparse
import collections
import csv
import glob
import gzip
import html
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEXTS = ROOT + "/.servers/texts"
KOREAN = ROOT + "/../shared/corpus/korean-chat.csv"
GUIDE = "installation-guide-amd64/usr/share/doc/installation-guide-amd64/"
# The encoding for `--format jsonl`, with Python's codec and the sources of its texts: a package and files in it.
ENCODINGS = {
    "cp949": ("cp949", ["korean", GUIDE + "ko/*.html"]),
    "iso-2022-jp": ("iso2022_jp", ["debian-faq-ja/**/*.html*", "maint-guide-ja/**/*.html", GUIDE + "ja/*.html"]),
    "shift_jis": ("cp932", ["debian-faq-ja/**/*.html*", "maint-guide-ja/**/*.html", GUIDE + "ja/*.html"]),
    "euc-jp": ("euc_jp", ["debian-faq-ja/**/*.html*", "maint-guide-ja/**/*.html", GUIDE + "ja/*.html"]),
    "gb18030": ("gb18030", ["fortunes-zh/**/fortunes/*", "maint-guide-zh-cn/**/*.html", GUIDE + "zh_CN/*.html"]),
    "big5": ("big5", ["maint-guide-zh-tw/**/*.html"]),
    "koi8-r": ("koi8_r", ["fortunes-ru/**/fortunes/ru/*", GUIDE + "ru/*.html"]),
    "windows-1251": ("cp1251", ["fortunes-ru/**/fortunes/ru/*", "fortunes-bg/usr/share/games/fortunes/**", GUIDE + "ru/*.html"]),
    "windows-1252": (
        "cp1252",
        ["fortunes-de/**/fortunes/de/*", "fortunes-es/usr/share/games/fortunes/**"]
        + [GUIDE + f"{language}/*.html" for language in ("fr", "it", "pt", "sv", "da", "nl")],
    ),
    "utf-8": ("utf_8", ["korean", "fortunes-ru/**/fortunes/ru/*", "fortunes-es/usr/share/games/fortunes/**"]),
    "utf-16": ("utf_16", ["korean", "fortunes-ru/**/fortunes/ru/*", "fortunes-es/usr/share/games/fortunes/**"]),
    "utf-16be": ("utf_16_be", ["korean", "fortunes-zh/**/fortunes/*"]),
}
NICKS = ["alice", "bob", "carol", "minsu", "sakura", "ivan", "[work]joe"]


def fetch():
    """Unpacks the packages that are not there yet."""
    sources = {source.split("/")[0] for _, texts in ENCODINGS.values() for source in texts} - {"korean"}
    os.makedirs(TEXTS, exist_ok=True)
    for package in sorted(sources):
        if os.path.isdir(f"{TEXTS}/{package}"):
            continue
        subprocess.run(["apt-get", "download", "-qq", package], cwd=TEXTS, check=True)
        for archive in glob.glob(f"{TEXTS}/{package}_*.deb"):
            subprocess.run(["dpkg-deb", "-x", archive, f"{TEXTS}/{package}"], check=True)
            os.remove(archive)


def lines(source, korean):
    """The lines or paragraphs of a source."""
    if source == "korean":
        with open(korean, encoding="utf-8") as file:
            return [text for row in list(csv.reader(file))[1:] for text in row[:2]]
    found = []
    for path in sorted(glob.glob(f"{TEXTS}/{source}", recursive=True)):
        if os.path.islink(path) or not os.path.isfile(path) or path.endswith((".dat", ".u8")):
            continue
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
        if ".html" in path:
            text = re.sub(r"(?s)<(script|style|pre).*?</\1>", "", text)
            text = "\n".join(" ".join(part.split()) for part in re.findall(r"(?s)<(?:p|li|dd|h\d)\b[^>]*>(.*?)</", text))
            text = html.unescape(re.sub(r"<[^>]*>", "", text))
        text = re.sub("\x1b\\[[0-9;]*m", "", text)
        found += [line.strip() for line in text.splitlines() if line.strip() not in ("", "%") and "\ufffd" not in line]
    return found


def log(texts, codec, size, numbers):
    """A log of about so many bytes in the encoding, of which one line is not ASCII."""
    while True:
        place, written, is_ascii = numbers.randrange(len(texts)), bytearray(), True
        if codec == "utf_16_be":
            written += b"\xfe\xff"
        mark = codec
        while len(written) < size:
            text = texts[place % len(texts)][: max(12, min(size - len(written) - 20, numbers.randrange(20, 200)))]
            place += 1
            text = text.encode(codec if not codec.startswith("utf") else "utf_8", "ignore").decode(
                codec if not codec.startswith("utf") else "utf_8", "ignore"
            )
            is_ascii = is_ascii and text.isascii()
            minute = len(written) * 1439 // size
            line = f"[{minute // 60 % 24:02}:{minute % 60:02}] <{numbers.choice(NICKS)}> {text}\n"
            written += line.encode(mark)
            # UTF-16's byte order mark is written once.
            mark = "utf_16_le" if codec == "utf_16" else codec
        if not is_ascii:
            return bytes(written)


def make(folder, options):
    """Writes the logs. Returns the true encoding and the bytes of each, by path."""
    numbers, made, cache = random.Random(options.seed), {}, {}
    for number in range(options.files):
        name = list(ENCODINGS)[number % len(ENCODINGS)]
        codec, sources = ENCODINGS[name]
        source = numbers.choice([source for source in sources if source != "korean" or os.path.exists(options.korean)])
        if source not in cache:
            cache[source] = lines(source, options.korean)
        size = int(math.exp(numbers.uniform(math.log(options.smallest), math.log(options.largest))))
        path = f"{folder}/{number:05}-{name}_2026-11-20.log"
        made[path] = (name, codec, log(cache[source], codec, size, numbers))
        with open(path, "wb") as file:
            file.write(made[path][2])
    return made


def recognise(binary, folder):
    """The reported encoding and doubt of each file, by path."""
    with tempfile.TemporaryDirectory() as data:
        run = subprocess.run(
            [binary, "import", "energymech", folder, "-a", "log", "--room", "#example", "--timezone", "UTC", "--data", data]
            + ["--dry-run", "--format", "jsonl"],
            capture_output=True,
            check=True,
        )
    return {line["path"]: line for line in map(json.loads, run.stdout.splitlines())}


def is_same(data, codec, found):
    """True if the encoding that was found gives the same text."""
    other = {"utf-8": "utf_8", "utf-16": "utf_16"}.get(found) or ENCODINGS.get(found, (found, []))[0]
    return data.decode(codec, "replace") == data.decode(other, "replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT + "/.build/release/scrollback")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smallest", type=int, default=50, help="bytes (default: 50)")
    parser.add_argument("--largest", type=int, default=1_000_000, help="bytes (default: 1,000,000)")
    parser.add_argument("--korean", default=KOREAN, help="a CSV file with two columns of Korean chat; not used if it is missing")
    options = parser.parse_args()
    fetch()
    table, confusions, has_failed = collections.defaultdict(collections.Counter), collections.defaultdict(list), False
    with tempfile.TemporaryDirectory() as folder:
        made = make(folder, options)
        results = recognise(os.path.abspath(options.binary), folder)
        for path, (name, codec, data) in made.items():
            result = results[path]
            found, doubt = result["encoding"] or "utf-8", result["encoding_doubt"]
            is_right = found == name or name.startswith("utf-16") and found == "utf-16" or is_same(data, codec, found)
            outcome = ("right" if is_right else "wrong") + (", uncertain" if doubt else "")
            table[name][outcome] += 1
            has_failed = has_failed or outcome == "wrong"
            if outcome != "right":
                confusions[f"{outcome}: {name} as {found} ({doubt})"].append(len(data))
    outcomes = ["right", "right, uncertain", "wrong, uncertain", "wrong"]
    print(f"{'':14}" + "".join(f"{outcome:>18}" for outcome in outcomes))
    for name in ENCODINGS:
        print(f"{name:14}" + "".join(f"{table[name][outcome]:18}" for outcome in outcomes))
    print(f"{'all':14}" + "".join(f"{sum(row[outcome] for row in table.values()):18}" for outcome in outcomes))
    for confusion, sizes in sorted(confusions.items()):
        print(f"{confusion}: {len(sizes)} of {min(sizes):,} to {max(sizes):,} bytes")
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
