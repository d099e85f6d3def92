#!/bin/bash
# finch 2.14.12 (Debian 12, 2.14.12-1; libpurple, as in Pidgin) decomposes the names of rooms in its logs.
#
# libpurple makes a folder for each room, whose name has percent codes for the room's bytes, and writes the name into the title of
# each file. Expected: the name that the server uses, #%ed%95%9c%ea%b5%ad.chat for #한국. Seen: the same letters in Unicode's form
# NFD, in both places, while the texts keep the form in which they were sent:
#
#     #%e1%84%92%e1%85%a1%e1%86%ab%e1%84%80%e1%85%ae%e1%86%a8.chat
#     Conversation with #한국 at ... (decomposed)
#     (06:23:11) alice: #한국 (composed)
#
# So neither the folder's name nor the title is equal, byte for byte, to the room's name.
#
# Prints the folder, the title and the text, and fails if finch does something else. Needs apt-get, dpkg and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# finch, and those of its packages that this machine lacks.
packages=$(apt-get install --simulate --no-install-recommends -qq finch=2.14.12-1 | awk '$1 == "Inst" && $2 != "finch" { print $2 }')
# Words: each is a package's name.
# shellcheck disable=SC2086
apt-get download -qq finch=2.14.12-1 $packages 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
cat > run.py <<'PYTHON'
import glob, os, platform, pty, socket, subprocess, sys, threading, time, unicodedata, urllib.parse

folder = sys.argv[1]
machine = platform.machine() + "-linux-gnu"
room = "#한국"
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(20)
os.makedirs(f"{folder}/purple/plugins")
os.symlink(f"{folder}/root/usr/lib/{machine}/purple-2/libirc.so", f"{folder}/purple/plugins/libirc.so")


def write(name, text):
    with open(f"{folder}/purple/{name}", "w") as file:
        file.write("<?xml version='1.0' encoding='UTF-8' ?>\n" + text)


write("accounts.xml", f"""<account version='1.0'><account><protocol>prpl-irc</protocol><name>bob@127.0.0.1</name><settings>
<setting name='port' type='int'>{server.getsockname()[1]}</setting></settings><settings ui='gnt-purple'>
<setting name='auto-login' type='bool'>1</setting></settings></account></account>""")
write("blist.xml", f"""<purple version='1.0'><blist><group name='Chats'><chat proto='prpl-irc' account='bob@127.0.0.1'>
<component name='channel'>{room}</component><setting name='gnt-autojoin' type='bool'>1</setting></chat></group></blist></purple>""")
write("prefs.xml", """<pref version='1' name='/'><pref name='purple'><pref name='logging'>
<pref name='log_chats' type='bool' value='1'/><pref name='format' type='string' value='txt'/></pref></pref></pref>""")
terminal, client = pty.openpty()
libraries = ":".join(f"{folder}/root/{place}/{machine}" for place in ("lib", "usr/lib"))
finch = subprocess.Popen(
    [f"{folder}/root/usr/bin/finch", "-c", f"{folder}/purple"], stdin=client, stdout=client, stderr=client, cwd=folder,
    env={"PATH": "/usr/bin:/bin", "HOME": folder, "TERM": "xterm", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": libraries})


def drain():
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


threading.Thread(target=drain, daemon=True).start()
try:
    connection, _ = server.accept()
    connection.settimeout(20)
    for line in connection.makefile("r", encoding="utf-8"):
        if line.startswith("USER"):
            for text in ("001 bob :Welcome", "005 bob CHANTYPES=# PREFIX=(ov)@+ :are supported", "376 bob :End of MOTD"):
                connection.sendall(f":irc.example {text}\r\n".encode())
        if line.startswith("JOIN"):
            connection.sendall(f":bob!b@host JOIN {room}\r\n:irc.example 353 bob = {room} :bob alice\r\n"
                               f":irc.example 366 bob {room} :End of NAMES\r\n:alice!a@host PRIVMSG {room} :{room}\r\n".encode())
            break
    paths = []
    for _ in range(200):
        paths = [path for path in glob.glob(f"{folder}/purple/logs/irc/*/*.chat/*") if "alice: #" in open(path).read()]
        if paths:
            break
        time.sleep(0.1)
    name = paths[0].split("/")[-2]
    title, *lines = open(paths[0], encoding="utf-8").read().splitlines()
    text = next(line for line in lines if "alice: #" in line)
    print(name, title, text, sep="\n")
    decomposed = unicodedata.normalize("NFD", room)
    is_seen = urllib.parse.unquote(name) == f"{decomposed}.chat" and f" {decomposed} at " in title and text.endswith(room)
    sys.exit(0 if is_seen and decomposed != room else 1)
finally:
    finch.kill()
PYTHON
timeout 60 python3 -B run.py "$folder"
