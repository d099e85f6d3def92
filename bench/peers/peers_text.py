"""The messages that every keeper of logs is given: invented words with the frequencies of a language, from a seed."""

import random

# Eight rooms with three people each. The first room has three messages of five, so that half of all messages lie behind its end.
ROOMS = ["#example", "#한국", "#builds", "#cats", "#music", "#weekend", "#help", "#일상"]
FIRST_ROOM_SHARE = 0.6
PEOPLE = ["alice", "bob", "carol"]
# The word that is in about every second message, and one in every 2,500th.
COMMON, RARE, RARE_EVERY = "dad", "zeppelin", 5_000
# One message in 13 is Korean, as in the figures of docs/search.md.
KOREAN_SHARE = 1 / 13
WORDS, HANGUL_WORDS = 64_000, 10_000
# IRC's 512 bytes (RFC 2812, 2.3) less the sender, the command and the longest room.
LONGEST = 400


def rank(chance, count):
    """Returns a rank from 1 to `count`; the n-th is n times less frequent than the first (Zipf)."""
    return int(count ** chance.random())


def latin_word(number):
    consonants, vowels = "bdfgklmnprst", "aeiou"
    word, rest = "", number
    while rest:
        word += consonants[rest % 12] + vowels[rest // 12 % 5]
        rest //= 60
    return word + consonants[number % 12]


def hangul_word(number):
    word = ""
    while number:
        word += chr(0xAC00 + number % 20 * 28 * 20)
        number //= 20
    return word


class Message:
    __slots__ = ("room", "person", "text")

    def __init__(self, room, person, text):
        self.room, self.person, self.text = room, person, text


class Chat:
    """`lines` replaces the invented texts, if given."""

    def __init__(self, seed, count, lines=None):
        self.chance, self.lines = random.Random(seed), lines
        self.latin = [latin_word(number) for number in range(WORDS + 1)]
        self.hangul = [hangul_word(number) for number in range(HANGUL_WORDS + 1)]
        self.messages = [self.message(number) for number in range(count)]

    def message(self, number):
        chance = self.chance
        is_first = chance.random() < FIRST_ROOM_SHARE
        room = 0 if is_first else 1 + int(chance.random() * (len(ROOMS) - 1))
        # Also the first message has the rare word, so that a short run has one.
        text = f"{self.text(number)} {RARE}" if is_first and number % RARE_EVERY < 2 else self.text(number)
        return Message(room, int(chance.random() * len(PEOPLE)), text.encode()[:LONGEST].decode(errors="ignore"))

    def text(self, number):
        chance = self.chance
        if self.lines:
            return self.lines[number % len(self.lines)]
        if chance.random() < KOREAN_SHARE:
            return " ".join(self.hangul[rank(chance, HANGUL_WORDS)] for _ in range(2 + int(chance.random() * 4)))
        return " ".join(self.latin[rank(chance, WORDS)] for _ in range(1 + int(chance.random() * 20)))


def read_lines(path):
    """Returns the lines of a text file that are messages: not empty, and without characters that end an IRC line."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line for line in (line.strip().replace("\0", "") for line in file) if line]
