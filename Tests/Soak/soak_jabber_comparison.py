"""What an account's archive has, against what was said and what the server's archives have."""

import re
from collections import Counter

import soak_comparison

# The seconds by which the time of a message may differ where it is read: Prosody's archive has whole seconds.
TOLERANCE = 1
# The seconds before a kill whose messages Mnesia has not written, with a margin for a slow machine.
UNWRITTEN = 3
# The seconds after a start in which ejabberd (23.01) relays messages, and fails to archive them: its SQL starts later,
# up to 3.1 s on a busy machine (measured).
STARTING = 10


def number(text):
    """Returns the number of a message; None without one, and without a text."""
    found = re.match(r"([0-9]+): ", text or "")
    return found and int(found[1])


class Account:
    """`kept` has the numbers of the messages that the server's archives have; `freezes` of the listener, in seconds since 1970."""

    def __init__(self, site, user, messages, gaps, kept, freezes):
        self.freezes = freezes
        self.site, self.user, self.kept, self.misses, self.counts = site, user, kept, [], Counter()
        self.said = {number: said for number, said in site.said.items() if said.user in (None, user)}
        self.gaps = [(gap["room"], *(soak_comparison.microseconds(gap[end]) for end in ("from", "to"))) for gap in gaps]
        self.stored = {}
        for message in messages:
            if (found := number(message["body"])) is not None:
                self.stored.setdefault(found, []).append(message)

    def lost(self):
        """Returns the numbers of the messages that the server has and the archive lacks."""
        return [said for said in self.said if said in self.kept and said not in self.stored]

    def unheard(self):
        """Returns true if a place has no message yet."""
        return {said.room for said in self.said.values()} != {messages[0]["room"] for messages in self.stored.values()}

    def compare(self):
        for found, messages in self.stored.items():
            self.compare_contents(self.said.get(found), found, messages)
        for said in self.said.values():
            if said.number not in self.stored:
                self.compare_missing(said)
        self.counts["stored"] += len(self.stored)
        return self.misses

    def miss(self, what, said):
        self.misses.append(f"{self.site.storage}, {self.user}, {said.room}: {what}: {said.text!r} of {said.began:.3f} to {said.ended or 0:.3f}")

    def compare_contents(self, said, found, messages):
        if said is None:
            return self.misses.append(f"{self.site.storage}, {self.user}: {found} was never said here")
        if len(messages) > 1:
            self.miss(f"is archived {len(messages)} times, at {[message['id'] for message in messages]}", said)
        for message in messages:
            row = message["room"], message["sender"] and message["sender"]["name"], message["body"]
            if row != (said.room, said.by, said.text):
                self.miss(f"is archived as {row}", said)

    def compare_missing(self, said):
        is_kept = said.number in self.kept
        if not is_kept and not said.is_confirmed:
            return
        if self.is_gap(said):
            self.counts["in gaps, though the server has it" if is_kept else "in gaps"] += 1
        elif is_kept:
            self.miss("is in the server's archive, and in no gap", said)
        elif any(room == said.room and began <= said.ended and said.began <= ended for room, began, ended in self.site.unarchived):
            self.counts["only heard by others while the room kept no archive"] += 1
        elif self.site.storage == "ejabberd-mnesia" and any(0 <= kill - said.began < UNWRITTEN for kill in self.site.kills):
            self.counts["lost by Mnesia"] += 1
        elif self.site.storage == "ejabberd-sqlite" and any(began <= said.ended < ready + STARTING for began, ready in self.site.server.starts):
            self.counts["not archived by a starting ejabberd"] += 1
        else:
            self.miss("is lost, and in no gap", said)

    def is_gap(self, said):
        ended = said.ended or said.began
        # What comes while the listener is frozen is read afterwards, so the gap begins there by the archive's clock.
        ended = max([ended, *(end for begin, end in self.freezes if begin <= ended and said.began <= end)])
        began, ended = (said.began - TOLERANCE) * 1e6, (ended + TOLERANCE) * 1e6
        return any(room == said.room and start <= ended and (end is None or end >= began) for room, start, end in self.gaps)
