"""Asks for words of rooms, and compares the answers with those of the judge."""

import collections
import random

import judge
import variants

# Of a room: words for each variant, and parts of runs.
SAMPLE, PARTS = 16, 20


class Row:
    """Pairs of a word and a text that has it: asked and found; hits, and those that are wrong."""

    def __init__(self):
        self.rooms, self.languages, self.queries, self.asked, self.found, self.hits, self.wrong = set(), set(), 0, 0, 0, 0, 0

    def add(self, room, language, expected, found, wrong):
        self.rooms.add(room)
        self.languages.add(language)
        self.queries += 1
        self.asked += len(expected)
        self.found += len(expected & found)
        self.hits += len(found)
        self.wrong += len(wrong)

    def share(self):
        return self.found / self.asked if self.asked else 1


class Room:
    """A room's texts, the words of each by ICU, and its script."""

    def __init__(self, source, language, texts):
        self.name, self.language, self.texts = f"{source}.{language.replace('@', '.')}", language, texts
        letters = collections.Counter(letter for text in texts for letter in judge.scripts(text))
        self.script = letters.most_common(1)[0][0] if letters else "Zyyy"
        if self.script == "Hani" and letters["Hira"] + letters["Kana"] > letters["Hani"] / 10:
            self.script = "Kana"
        self.script = {"Hira": "Kana"}.get(self.script, self.script)
        self.places = collections.defaultdict(set)
        for place, text in enumerate(texts):
            for word in judge.words(text, language.split("_")[0].split("@")[0]):
                self.places[word].add(place)

    def expected(self, word):
        """Returns the places of the texts that have the word."""
        if judge.is_spaced(word) and word in self.places:
            return self.places[word]
        return {place for place, text in enumerate(self.texts) if judge.is_in(word, text)}

    def parts(self, numbers):
        """Returns random parts of one to three characters of runs without spaces."""
        runs = [token for text in self.texts for kind, token in judge.readings(text)[0] if kind != "word"]
        found = set()
        for run in numbers.sample(runs, min(PARTS, len(runs))):
            start = numbers.randrange(len(run))
            found.add("".join(run[start : start + numbers.randint(1, 3)]))
        return sorted(part for part in found if judge.readings(part)[0])


class Measurement:
    """The rows by script, language and variant, and what was not found or is wrong."""

    def __init__(self, asked, seed):
        self.archive, self.numbers = asked, random.Random(seed)
        self.scripts, self.languages, self.variants, self.faults = {}, {}, {}, []

    def measure(self, room, count):
        words = sorted(word for word in room.places if self.is_asked(word, room))
        for word in self.numbers.sample(words, min(count, len(words))):
            self.ask(room, word, word, [self.script_row(room), self.language_row(room)])
        for part in room.parts(self.numbers) if room.script in judge.RUNS | judge.CLUSTERS else []:
            self.ask(room, part, part, [self.row(self.scripts, "any part of a run, " + self.label(room)), self.language_row(room)])
        typed = collections.defaultdict(list)
        for word in words:
            for name, variant in variants.of(word, room.language):
                typed[name].append((word, variant))
        for name, pairs in typed.items():
            for word, variant in self.numbers.sample(pairs, min(SAMPLE, len(pairs))):
                self.ask(room, word, variant, [self.row(self.variants, name)])

    def is_asked(self, word, room):
        """In scripts without spaces, ICU's dictionary may cut within a cluster, of which a search finds no part."""
        return judge.is_spaced(word) or any(judge.is_in(word, room.texts[place]) for place in room.places[word])

    def ask(self, room, word, query, rows):
        expected, found = room.expected(word), self.archive.found(room.name, query)
        wrong = {place for place in found if not judge.is_in(query, room.texts[place])}
        for row in rows:
            row.add(room.name, room.language, expected, found, wrong)
        for kind, places in (("not found", expected - found), ("wrong hit", wrong)):
            if places:
                self.faults.append((kind, room.name, word, query, room.texts[min(places)], len(places)))

    @staticmethod
    def row(rows, name):
        return rows.setdefault(name, Row())

    def label(self, room):
        name = {"Kana": "Japanese", "Hang": "Korean", "Zyyy": "none"}.get(room.script) or judge.SCRIPT_NAMES[room.script]
        return f"{name}: {room.language}" if room.script in judge.CLUSTERS else name

    def script_row(self, room):
        return self.row(self.scripts, self.label(room))

    def language_row(self, room):
        return self.row(self.languages, f"{room.language} ({self.label(room).split(':')[0]})")
