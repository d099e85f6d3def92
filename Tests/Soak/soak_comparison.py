"""What was relayed, against what is archived and what is known to be missing."""

import datetime

import soak_people

# A replay has times cut to whole seconds; ids are made unique from there, a microsecond each.
REPLAYED_BELOW = 1000


def microseconds(text):
    """Of a time as the archive writes it; None of None."""
    if text is None:
        return None
    time = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return (time - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


class Room:
    """`relayed` by the witness: (number, time, nick, text); `archived`: the messages that have a number; `gaps` of the archive."""

    def __init__(self, name, relayed, archived, gaps, is_replayed):
        self.name, self.relayed, self.archived, self.is_replayed = name, relayed, archived, is_replayed
        self.gaps = [(microseconds(gap["from"]), microseconds(gap["to"])) for gap in gaps]
        self.misses = []
        self.stored = {}
        for message in archived:
            number = soak_people.number(message["body"])
            self.stored.setdefault(number, []).append(message)

    def miss(self, what, number):
        self.misses.append(f"{self.name}: {what}: {number}")

    def compare(self, sent):
        """`sent` has where each number was said."""
        self.doubles()
        self.order()
        self.contents()
        self.in_gaps = self.missing()
        relayed = {number for number, *_ in self.relayed}
        self.unwitnessed = [number for number in self.stored if number not in relayed]
        for number in self.unwitnessed:
            if sent.get(number, (None, None))[1] != self.name:
                self.miss("is archived and was never said here", number)

    def doubles(self):
        for number, messages in self.stored.items():
            if len(messages) > 1:
                self.miss(f"is archived {len(messages)} times, at {[message['id'] for message in messages]}", number)

    def heard(self, number):
        """The id of a message that was heard as it was said, and so stands in its place; None of others."""
        message = self.stored.get(number, [None])[0]
        id = message and microseconds(message["id"])
        if id is None or (self.is_replayed and id % 1_000_000 < REPLAYED_BELOW):
            return None
        return id

    def order(self):
        last = None
        for number, *_ in self.relayed:
            id = self.heard(number)
            if id is None:
                continue
            if last is not None and id < last:
                self.miss("stands before what was said before it", number)
            last = max(id, last or id)

    def contents(self):
        for number, _, nick, text in self.relayed:
            for message in self.stored.get(number, []):
                if message["body"] != text:
                    self.miss(f"says {message['body']!r}, said was {text!r}", number)
                if message["sender"]["name"] != nick:
                    self.miss(f"is by {message['sender']['name']}, it was {nick}", number)

    def missing(self):
        """What is not there must lie in a gap: one that is open between the messages that were heard around it.

        The archive's clock counts, as somebody who reads it sees a gap between these two. Gives how many lie in gaps.
        """
        before, waiting, count = None, [], 0
        for number, *_ in [*self.relayed, (None,)]:
            after = None if number is None else self.heard(number)
            if number is not None and after is None:
                if number not in self.stored:
                    waiting.append(number)
                continue
            for missing in waiting:
                if self.is_gap(before, after):
                    count += 1
                else:
                    self.miss("is missing, and no gap says so", missing)
            before, waiting = after, []
        return count

    def is_gap(self, before, after):
        return any(
            (after is None or start <= after) and (end is None or before is None or end >= before) for start, end in self.gaps
        )

    def gap_seconds(self, now):
        """Those that had ended when the listener was stopped at last."""
        return sum((end - start) / 1e6 for start, end in self.gaps if end is not None and start < now * 1e6)


def gap_excess(room, outages, now):
    """Gives the start of each gap that had ended before the listener was stopped at last, and its length without what failed in it."""
    spans = [(it.began, it.ended or now) for it in outages]
    excess = []
    for start, end in room.gaps:
        if end is None or start > now * 1e6:
            continue
        start, end = start / 1e6, end / 1e6
        failed = sum(max(0, min(end, ended) - max(start, began)) for began, ended in spans)
        excess.append((start, end - start - failed))
    return excess


def lose(archived, gaps):
    """Without a message that stands between two others, and no gap there."""
    for place in range(len(archived) // 2, len(archived) - 1):
        before, after = microseconds(archived[place - 1]["id"]), microseconds(archived[place + 1]["id"])
        if not any(microseconds(gap["from"]) <= after and (gap["to"] is None or microseconds(gap["to"]) >= before) for gap in gaps):
            return archived[:place] + archived[place + 1 :], gaps
    return archived[1:], []


def double(archived, gaps):
    return [*archived, archived[len(archived) // 2]], gaps


def lengthen(archived, gaps):
    """With a gap of ten seconds that nothing explains."""
    start = archived[-1]["id"]
    end = datetime.datetime.strptime(start, "%Y-%m-%dT%H:%M:%S.%fZ") + datetime.timedelta(seconds=10)
    return archived, [*gaps, {"from": start, "to": end.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}]


# Archives with a fault that the comparison must notice.
PLANTS = {"lost": lose, "double": double, "long": lengthen}
