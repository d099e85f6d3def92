#!/bin/bash
# ii 1.8 (Debian 12, 1.8-3+ds+b1) writes the messages of two rooms into one log.
#
# ii writes `_` for each byte of a room's name beyond ASCII. So the folders of two rooms whose names have the same number of
# such bytes are one, as those of two Korean names with as many syllables. Expected: a folder for each room. Seen:
#
#     #______/out
#     1795242191 <alice> to the first
#     1795242191 <alice> to the second
#
# No line of a message names its room. So nothing in the log tells which of them a message is from: a program that reads it
# has one room. Only the lines of one's own joining have the true names.
#
# Prints the log, and fails if ii does something else. Needs apt-get, dpkg and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ii=1.8-3+ds+b1 2>/dev/null
dpkg -x ii_*.deb ii
cat > run.py <<'PYTHON'
import glob, os, socket, subprocess, sys, time

folder = sys.argv[1]
rooms = ["#한국", "#일본"]
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(20)
ii = subprocess.Popen([f"{folder}/ii/usr/bin/ii", "-s", "127.0.0.1", "-p", str(server.getsockname()[1]), "-n", "bob",
                       "-i", f"{folder}/log"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait(path):
    for _ in range(200):
        if glob.glob(path):
            return
        time.sleep(0.05)
    sys.exit(f"there is no {path}")


try:
    connection, _ = server.accept()
    connection.settimeout(20)
    lines = connection.makefile("r", encoding="utf-8")
    connection.sendall(b":irc.example 001 bob :Welcome\r\n")
    wait(f"{folder}/log/127.0.0.1/in")
    for room, text in zip(rooms, ["to the first", "to the second"]):
        with open(f"{folder}/log/127.0.0.1/in", "w") as pipe:
            pipe.write(f"/j {room}\n")
        for line in lines:
            if line.startswith(f"JOIN {room}"):
                break
        connection.sendall(f":bob!b@host JOIN :{room}\r\n:alice!a@host PRIVMSG {room} :{text}\r\n".encode())
    logs = f"{folder}/log/127.0.0.1/#*/out"
    for _ in range(200):
        texts = {path: open(path).read() for path in glob.glob(logs)}
        if sum(text.count("<alice>") for text in texts.values()) == 2:
            break
        time.sleep(0.05)
    for path, text in texts.items():
        print(path.removeprefix(f"{folder}/log/127.0.0.1/"))
        print(text, end="")
    is_one = len(texts) == 1 and all("to the first" in text and "to the second" in text for text in texts.values())
    sys.exit(0 if is_one else 1)
finally:
    ii.kill()
PYTHON
timeout 60 python3 -B run.py "$folder"
