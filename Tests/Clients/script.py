"""What people say and do, and how it must be in the archive."""

from dataclasses import dataclass

ROOM, KOREAN = "#example", "#한국"
SPOKEN = ("message", "action", "notice")
PEOPLE = ("alice", "bob", "bobby", "carol", "dave")


@dataclass(frozen=True)
class Step:
    """An entry of the archive. `room` is a person for a conversation of two, `note` what is special about it."""

    room: str
    kind: str
    sender: str
    body: str | None = None
    note: str = ""

    def __str__(self):
        return f"{self.room} {self.kind} <{self.sender}> {self.body!r}"


def irc(people, client):
    """Says the script to a client that is in both rooms, and returns the steps."""
    alice, bob, steps = people["alice"], people["bob"], []

    def say(person, command, *step):
        person.send(command)
        if step:
            steps.append(Step(*step))

    for text in ("hello everyone", "<bob> pasted", "   three leading spaces", "06:23 < bob> pasted too"):
        say(alice, f"PRIVMSG {ROOM} :{text}", ROOM, "message", "alice", text)
    say(alice, f"PRIVMSG {ROOM} :twice", ROOM, "message", "alice", "twice")
    say(alice, f"PRIVMSG {ROOM} :twice", ROOM, "message", "alice", "twice", "repeated")
    say(bob, f"PRIVMSG {KOREAN} :안녕하세요", KOREAN, "message", "bob", "안녕하세요")
    say(alice, f"PRIVMSG {ROOM} :\x01ACTION waves at bob\x01", ROOM, "action", "alice", "waves at bob")
    say(bob, f"NOTICE {ROOM} :a notice", ROOM, "notice", "bob", "a notice")
    carol = people.join("carol", ROOM)
    steps.append(Step(ROOM, "join", "carol"))
    say(carol, f"PART {ROOM} :bye (now)", ROOM, "leave", "carol", "bye (now)")
    say(carol, f"JOIN {ROOM}", ROOM, "join", "carol")
    carol.wait_for(f" 366 carol {ROOM} ", 2)
    say(alice, f"KICK {ROOM} carol :loud [really]", ROOM, "kick", "alice", "carol: loud [really]")
    say(bob, "NICK bobby", ROOM, "rename", "bob", "bobby")
    steps.append(Step(KOREAN, "rename", "bob", "bobby"))
    say(alice, f"TOPIC {ROOM} :all: about 'tea'", ROOM, "topic", "alice", "all: about 'tea'")
    bob.wait_for(" TOPIC ")
    say(alice, f"MODE {ROOM} +v bobby", ROOM, "mode", "alice", "+v bobby")
    say(alice, f"PRIVMSG {client} :a direct word", "alice", "message", "alice", "a direct word")
    dave = people.join("dave", KOREAN)
    steps.append(Step(KOREAN, "join", "dave"))
    say(dave, "QUIT :see you", KOREAN, "leave", "dave", "see you")
    say(alice, f"PRIVMSG {ROOM} :the end", ROOM, "message", "alice", "the end")
    bob.wait_for(":the end")
    return steps


XMPP_HOST = "example.test"
XMPP_ROOM = f"example@rooms.{XMPP_HOST}"


def xmpp(people, client, wait_for_log):
    """Says the script to a client that is in the room, and returns the steps.

    `wait_for_log` waits until the client's log has some words.
    """
    alice, bob, carol, steps = people["alice"], people["bob"], people["carol"], []
    texts = ("hello everyone", "<bob> pasted", "   three leading spaces", "안녕하세요", "one\n\n<bob> and\nthree", "twice", "twice")
    for text in texts:
        alice.say(XMPP_ROOM, text)
        steps.append(Step(XMPP_ROOM, "message", "alice", text))
    bob.say(XMPP_ROOM, "/me waves at alice")
    steps.append(Step(XMPP_ROOM, "action", "bob", "waves at alice"))
    # From now on the client knows who is in the room, and logs what changes.
    wait_for_log("hello everyone")
    carol.join(XMPP_ROOM)
    carol.leave(XMPP_ROOM)
    bob.wait_for(f"{XMPP_ROOM}/carol", 2)
    steps += [Step(XMPP_ROOM, "join", "carol"), Step(XMPP_ROOM, "leave", "carol")]
    alice.say(client, "a direct word", "chat")
    steps.append(Step(f"alice@{XMPP_HOST}", "message", "alice", "a direct word", "direct"))
    alice.say(XMPP_ROOM, "the end")
    steps.append(Step(XMPP_ROOM, "message", "alice", "the end"))
    bob.wait_for("the end")
    return steps


def topics(step):
    """The names by which a client's `lacks` leaves a step out: `rename`, `direct`, `korean rename`."""
    place = "direct" if step.room[0] not in "#&" and "@" not in step.room else "korean" if step.room == KOREAN else ""
    return {step.kind, place, step.note, f"{place} {step.kind}".strip()} - {""}


def counts(steps, wrong):
    """Returns how many messages and events are right, of how many."""
    missing = {fault.step for fault in wrong if fault.step}

    def share(chosen):
        return f"{sum(step not in missing for step in chosen)}/{len(chosen)}"

    return share([s for s in steps if s.kind in SPOKEN]), share([s for s in steps if s.kind not in SPOKEN])
