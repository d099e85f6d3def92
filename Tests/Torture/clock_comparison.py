"""Compares the archive of a listener whose wall clock was stepped with the messages that were sent."""

import datetime
import zoneinfo

import soak_comparison
from soak_comparison import microseconds

SECOND = 1_000_000
# A step back of more is not trusted: it ends the session with the reason clock_step (ReceiptClock.tolerance).
TOLERANCE = 3600
# Up to this the program counts a time of receipt as the clock's (ReceiptClock.slack).
SLACK = 1
# Between two readings of clocks.
TICK = 0.1
# A gap begins a sign of life (1 s) earlier than an outage, and ends when the answer to JOIN is understood.
EDGE = 4
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Seoul", "UTC")


class Said:
    """A numbered message: wall clock and steady clock when it was said, and when it was seen to be stored or lost."""

    def __init__(self, number, wall, steady):
        self.number, self.wall, self.steady, self.wall_end, self.steady_end = number, wall, steady, wall, steady


class Outage:
    """`before` and `after` are the last number that was said before it and the first after it; `stepped` is how far the clock was set."""

    def __init__(self, before, after, seconds, stepped, is_cut):
        self.before, self.after, self.seconds, self.stepped, self.is_cut = before, after, seconds, stepped, is_cut


class Evidence:
    """One account: what was said and relayed, and what the archive answers. The self-test plants faults in copies."""

    def __init__(self, account, relayed, said, outages):
        self.account, self.relayed, self.said, self.outages = account, relayed, said, outages
        self.messages, self.backwards, self.gaps, self.days, self.spans, self.shown = [], [], [], {}, {}, {}
        self.check = ""

    def misses(self):
        found = []
        for room, relayed in self.relayed.items():
            found += self.room_misses(room, relayed)
        found += self.id_misses() + self.pace_misses() + self.page_misses() + self.day_misses()
        return [f"{self.account}: {it}" for it in found + ([f"archive check: {self.check}"] if self.check else [])]

    def room_misses(self, name, relayed):
        archived = [it for it in self.messages if it["room"] == name]
        gaps = [gap for gap in self.gaps if gap["room"] == name]
        room = soak_comparison.Room(name, relayed, archived, gaps, False)
        room.compare({number: (self.account, name) for number in self.said})
        return room.misses + self.gap_misses(room)

    def gap_misses(self, room):
        """Each gap lies at an outage, and each outage has one gap of about its length: a step alone is none."""
        # Of what is not over nothing is said yet.
        gaps, found, left = sorted(gap for gap in room.gaps if gap[1] is not None), [], list(self.outages)
        ids = {number: microseconds(it[0]["id"]) for number, it in room.stored.items()}
        for start, end in gaps:
            before = max((number for number, id in ids.items() if id <= start), default=0)
            after = min((number for number, id in ids.items() if id >= end), default=1 << 60)
            outage = next((it for it in left if before <= it.after and after >= it.before), None)
            if outage is None:
                found.append(
                    f"{room.name}: a gap of {(end - start) / SECOND:.1f} s between {before} and {after}, where nothing failed"
                )
                continue
            left.remove(outage)
            # Set forward meanwhile, the clock adds what ids were not ahead of it.
            most, least = outage.seconds + max(0, outage.stepped) + EDGE, outage.seconds - EDGE
            if not least <= (end - start) / SECOND <= most:
                found.append(
                    f"{room.name}: the gap after {before} has {(end - start) / SECOND:.1f} s, should be {least:.1f} to {most:.1f} s"
                )
        return found + [f"{room.name}: no gap for the outage between {it.before} and {it.after}" for it in left]

    def numbered(self):
        for message in self.messages:
            yield soak_comparison.soak_people.number(message["body"]), message

    def id_misses(self):
        """Ids rise; a time of receipt is the clock's; an id that is later than that has the flag."""
        found, last = [], None
        for number, message in self.numbered():
            id, received, said = microseconds(message["id"]), microseconds(message["received_at"]), self.said.get(number)
            if last is not None and id <= last:
                found.append(f"the id of {number} does not rise")
            # Within the slack, a time of receipt that would go back is the microsecond after the last event, which may be no message.
            is_next = last is not None and received > last and said and received - said.wall_end * SECOND < (SLACK + TICK) * SECOND
            if said and not is_next and not said.wall - TICK <= received / SECOND <= said.wall_end + TICK:
                found.append(
                    f"{number} was received at {message['received_at']}, {received / SECOND - said.wall:.1f} s after it was said"
                )
            is_ahead = "clock_ahead" in message["flags"]
            if is_ahead != (id - received > SLACK * SECOND):
                found.append(
                    f"the id of {number} is {(id - received) / SECOND:.3f} s later than its receipt, and clock_ahead is {is_ahead}"
                )
            if last is not None and is_ahead and last < received - SLACK * SECOND:
                found.append(f"{number} has clock_ahead, and the clock is past all earlier ids")
            last = id
        return found

    def pace_misses(self):
        """While the clock catches up, ids go at least at half the speed of the steady clock, and never faster than it."""
        found, last = [], None
        for number, message in self.numbered():
            now, id, is_ahead = self.said[number], microseconds(message["id"]) / SECOND, "clock_ahead" in message["flags"]
            if last and is_ahead and last[2] and not any(it.before <= number and it.after >= last[0].number for it in self.outages):
                least, most, ids = now.steady - last[0].steady_end, now.steady_end - last[0].steady, id - last[1]
                if not least / 2 - TICK <= ids <= most + TICK:
                    found.append(f"ids go {ids:.1f} s from {last[0].number} to {number}, and {least:.1f} to {most:.1f} s passed")
            last = (now, id, is_ahead)
        return found

    def page_misses(self):
        forwards, backwards = [it["id"] for it in self.messages], [it["id"] for it in self.backwards]
        found = (
            []
            if forwards == backwards
            else [f"pages forwards have {len(forwards)} messages, backwards {len(backwards)}, or another order"]
        )
        return found + ([] if len(set(forwards)) == len(forwards) else ["a page has a message again"])

    def day_misses(self):
        """Days, spans and shown times are the zone's, by Python's own table of zones."""
        found = []
        for (zone, day, how), ids in self.days.items():
            wanted = {it["id"] for it in self.messages if local(it["id"], zone).date().isoformat() == day}
            found += [] if ids == wanted else [f"{how} of {day} in {zone} has {len(ids)} messages, should be {len(wanted)}"]
        for (zone, after, before), ids in self.spans.items():
            start, end = (instant(it, zone) for it in (after, before))
            wanted = {it["id"] for it in self.messages if start <= microseconds(it["id"]) < end}
            found += (
                []
                if ids == wanted
                else [f"--after {after} --before {before} in {zone} has {len(ids)} messages, should be {len(wanted)}"]
            )
        for zone, times in self.shown.items():
            # Where the id is later than the message, people see when it was received.
            shown = [it["received_at"] if "clock_ahead" in it["flags"] else it["id"] for it in self.messages]
            wanted = [local(it, zone).strftime("%Y-%m-%d %H:%M:%S") for it in shown]
            found += [f"{zone} shows {time}, should be {it}" for time, it in zip(times, wanted) if time != it][:3]
            found += [] if len(times) == len(wanted) else [f"{zone} shows {len(times)} messages, should be {len(wanted)}"]
        return found


def local(id, zone):
    return datetime.datetime.fromtimestamp(microseconds(id) // SECOND, zoneinfo.ZoneInfo(zone))


def instant(text, zone):
    """Microseconds; the text is an unambiguous local minute."""
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=zoneinfo.ZoneInfo(zone)).timestamp()) * SECOND


def plants(evidence):
    """Name and a change of the evidence that must be noticed."""
    later = next((it for it in evidence.messages if "clock_ahead" in it["flags"]), None)
    closed = [gap for gap in evidence.gaps if gap["to"]]
    middle = len(evidence.messages) // 2

    def drop(it):
        del it.messages[middle]

    def double(it):
        it.messages.insert(middle, dict(it.messages[middle], id=it.messages[middle]["id"]))

    def swap(it):
        first, second = it.messages[middle], it.messages[middle + 1]
        first["id"], second["id"] = second["id"], first["id"]

    def flag(it):
        next(message for message in it.messages if message["id"] == later["id"])["flags"].remove("clock_ahead")

    def receipt(it):
        it.messages[middle]["received_at"] = it.messages[0]["received_at"]

    def silent(it):
        it.gaps = [gap for gap in it.gaps if gap != closed[0]]

    def stepped(it):
        at = it.messages[middle]["id"]
        it.gaps.append(dict(it.gaps[0], **{"from": at, "to": at}))

    def long(it):
        gap = next(gap for gap in it.gaps if gap == closed[0])
        gap["from"] = gap["from"].replace(gap["from"][:4], str(int(gap["from"][:4]) - 1))

    def page(it):
        del it.backwards[0]

    def zone(it):
        it.days = {(zone, day, how): ids for ((zone, day, how), ids) in zip(it.days, [set(), *list(it.days.values())[:-1]])}

    names = {
        "lost": drop,
        "doubled": double,
        "order": swap,
        "receipt": receipt,
        "step is a gap": stepped,
        "page": page,
        "day": zone,
    }
    names |= {"flag": flag} if later else {}
    names |= {"no gap": silent, "long gap": long} if closed else {}
    return names
