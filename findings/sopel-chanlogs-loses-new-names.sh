#!/bin/bash
# sopel-chanlogs 0.3.1 (PyPI, with sopel 8.0.4) logs a new name as None, and a quit without its reason.
#
# alice becomes zoe, and later leaves the network with the reason "see you". Expected: the log has the new name and the reason. Seen:
#
#     2026-11-21T06:23:11+00:00  <alice> hi
#     2026-11-21T06:23:11+00:00  *** alice is now known as None
#     2026-11-21T06:23:11+00:00  *** zoe has quit IRC
#
# So "is now known as None" in such a log is no renaming to a person called None, and the log does not say who alice is from then
# on. Kicks and modes are not logged.
#
# Prints the log, and fails if the plugin does something else. Needs python3 with venv and pip.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check sopel==8.0.4 sopel-chanlogs==0.3.1
cat > run.py <<'PYTHON'
import glob, os, socket, subprocess, sys, time

folder = sys.argv[1]
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(30)
with open(f"{folder}/bot.cfg", "w") as file:
    file.write(f"""[core]
nick = bot
host = 127.0.0.1
port = {server.getsockname()[1]}
use_ssl = false
owner = nobody
channels = "#room"
homedir = {folder}/home
enable = chanlogs
[chanlogs]
dir = {folder}/logs
""")
os.makedirs(f"{folder}/home")
os.makedirs(f"{folder}/logs")
# Sopel refuses to run as root.
plain = ["unshare", "--user"] if os.getuid() == 0 else []
bot = subprocess.Popen([*plain, f"{folder}/venv/bin/sopel", "start", "-c", f"{folder}/bot.cfg"], env={**os.environ, "TZ": "UTC"},
                       stdout=open(f"{folder}/out", "w"), stderr=subprocess.STDOUT)


def logged(words):
    for _ in range(400):
        text = "".join(open(path).read() for path in glob.glob(f"{folder}/logs/*"))
        if words in text:
            return text
        time.sleep(0.05)
    return text


try:
    connection, _ = server.accept()
    connection.settimeout(30)
    for line in connection.makefile("r", encoding="utf-8"):
        if line.startswith("CAP LS"):
            connection.sendall(b":irc.example CAP * LS :\r\n")
        if line.startswith("USER"):
            for text in ("001 bot :Welcome", "005 bot CHANTYPES=# PREFIX=(ov)@+ :are supported", "376 bot :End of MOTD"):
                connection.sendall(f":irc.example {text}\r\n".encode())
        if line.startswith("JOIN"):
            connection.sendall(b":bot!b@host JOIN #room\r\n:irc.example 353 bot = #room :bot alice\r\n"
                               b":irc.example 366 bot #room :End of NAMES\r\n:alice!a@host PRIVMSG #room :hi\r\n")
            logged("<alice> hi")
            connection.sendall(b":alice!a@host NICK zoe\r\n")
            logged("is now known as")
            connection.sendall(b":zoe!a@host QUIT :see you\r\n")
            break
    text = logged("has quit")
    print(text, end="")
    is_seen = "alice is now known as None" in text and "has quit" in text and "see you" not in text
    if not is_seen:
        print(open(f"{folder}/out").read()[-2000:], file=sys.stderr)
    sys.exit(0 if is_seen else 1)
finally:
    bot.kill()
PYTHON
timeout 120 python3 -B run.py "$folder"
