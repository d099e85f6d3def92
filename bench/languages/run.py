#!/usr/bin/env -S python3 -B
"""Measures which words of the languages of the world a search finds, as they stand and as people type them.

    bench/languages/run.py --binary .build/release/scrollback --words 30000 --variants 15000 --seed 1

Fetches texts of many languages and ICU's Python module as packages of Debian and PyPI (unpacked into .servers/texts, not
installed), imports them with `scrollback import jsonl`, a room for each source and language, and asks a server for words of each
room. ICU judges: a word must find every text of its room in which ICU sees the word; in scripts without spaces between words, every
text that has its whole grapheme clusters. A hit is right if the text has the word by the rules of docs/search.md. --udhr FOLDER
adds files of one language each, such as udhr_shn.txt or shn.html, which no package has.

Prints the shares by script and by variant, the languages below the bound, and the first misses. Exit status 1 if a language finds
less than 99.9 % of its words, a variant less than 99 %, or a hit is wrong; also if fewer words or variants were asked than wanted.
"""

import argparse
import random
import sys
import tempfile
import time

import archive
import sources

WORDS_FOUND, VARIANTS_FOUND = 0.999, 0.99


def percent(share):
    """Rounds down, so that 100 % means all."""
    return "100 %" if share == 1 else f"{int(share * 1e4) / 100:.2f} %"


def cells(row):
    right = 1 - row.wrong / row.hits if row.hits else 1
    counts = [len(row.languages), row.queries, row.asked, row.found]
    return [f"{count:,}" for count in counts] + [percent(row.share()), f"{row.hits:,}", percent(right)]


def show(title, rows):
    """Prints a table, the row with the most pairs first."""
    lines = [[title, "languages", "queries", "pairs", "found", "", "hits", "right"]]
    lines += [[name, *cells(row)] for name, row in sorted(rows.items(), key=lambda pair: -pair[1].asked)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for name, *numbers in lines:
        print(name.ljust(widths[0]), *(number.rjust(width) for number, width in zip(numbers, widths[1:])), sep="  ")
    print(flush=True)


def code_points(text):
    return " ".join(f"{ord(letter):04X}" for letter in text)


def verdict(measurement, options):
    """Prints what is under a bound. Returns true if nothing is."""
    reasons = []
    for bound, rows in ((WORDS_FOUND, measurement.languages), (VARIANTS_FOUND, measurement.variants)):
        for name, row in sorted(rows.items()):
            if row.share() < bound:
                reasons.append(f"{name}: {row.found:,} of {row.asked:,} pairs found ({percent(row.share())}, bound {percent(bound)})")
    wrong = sum(row.wrong for rows in (measurement.scripts, measurement.variants) for row in rows.values())
    if wrong:
        reasons.append(f"{wrong:,} hits do not have the query")
    for name, rows, wanted in (
        ("words", measurement.scripts, options.words),
        ("variants", measurement.variants, options.variants),
    ):
        if (asked := sum(row.queries for row in rows.values())) < wanted:
            reasons.append(f"only {asked:,} {name} were asked, {wanted:,} are wanted")
    for reason in reasons:
        print(reason)
    return not reasons


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=sources.ROOT + "/.build/release/scrollback")
    parser.add_argument("--words", type=int, default=30_000, help="the fewest words to ask (default: 30,000)")
    parser.add_argument("--variants", type=int, default=15_000, help="the fewest variants to ask (default: 15,000)")
    parser.add_argument("--seed", type=int, default=1, help="chooses texts and words (default: 1)")
    parser.add_argument("--udhr", metavar="FOLDER", help="files of more languages, such as shn.html")
    parser.add_argument("--only", metavar="LANGUAGE", action="append", help="only this language; without the fewest numbers")
    parser.add_argument("--misses", type=int, default=20, help="how many misses to print (default: 20)")
    return parser.parse_args()


def load_measure():
    """Returns the module that measures, which needs PyICU."""
    try:
        sys.path.append(sources.unpacked("python3-icu") + "/usr/lib/python3/dist-packages")
        import measure
    except (sources.Missing, ImportError) as reason:
        raise SystemExit(f"can't load PyICU, which judges: {reason}; install Debian's python3-icu, and use its python3") from None
    return measure


def main():
    options = parse()
    binary, start, measure = archive.path(options.binary), time.monotonic(), load_measure()
    texts, missing = sources.rooms(options.udhr, random.Random(options.seed), options.only)
    for reason in missing:
        print(f"could not be fetched, and is left out: {reason}", file=sys.stderr)
    if options.only:
        options.words = options.variants = 0
    rooms = [measure.Room(source, language, found) for (source, language), found in texts.items()]
    if not rooms:
        raise SystemExit("no text to ask for: nothing could be fetched, or no source has the language of --only")
    icu = measure.judge.icu.ICU_VERSION
    print(f"{sum(map(len, texts.values())):,} texts in {len(rooms)} rooms, ICU {icu}, seed {options.seed}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with archive.Archive(binary, folder, {room.name: room.texts for room in rooms}) as asked:
            measurement = measure.Measurement(asked, options.seed)
            for room in rooms:
                measurement.measure(room, -(-options.words * 5 // 4 // len(rooms)) or 100)
    show("script", measurement.scripts)
    show("variant", measurement.variants)
    for kind, room, word, query, text, count in measurement.faults[: options.misses]:
        print(f"{kind} in {room}: {query} ({code_points(query)}) for {word} ({code_points(word)}), {count} texts: {text}")
    is_good = verdict(measurement, options)
    print(f"{'all bounds hold' if is_good else 'failed'}, after {time.monotonic() - start:.0f} s")
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
