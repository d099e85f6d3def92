#!/bin/bash
# bip 0.9.3 (Debian 12, 0.9.3-1+b2) shows the loss of its network as a KICK of the account.
#
# When the server closes bip's connection, an attached client gets a KICK of the account for each channel, from bip's own address,
# as if somebody had thrown the account out. Seen:
#
#     :-bip!bip@b.i.p KICK #room alice :Server disconnected, reconnecting
#
# bip then reconnects and joins again by itself, and the client gets a JOIN. So a program that logs what it sees has an outage as a
# kick by a person "-bip", and one that gives a channel up after a kick misses what comes later. Only the address tells it apart.
#
# Prints what the client receives, and fails if bip does something else. Needs apt-get, dpkg and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq bip=0.9.3-1+b2 2>/dev/null
dpkg -x bip_*.deb bip
umask 077
cat > run.py <<'PYTHON'
import os, socket, subprocess, sys, time

folder = sys.argv[1]
server = socket.create_server(("127.0.0.1", 0))
server.settimeout(20)
free = socket.create_server(("127.0.0.1", 0))
port = free.getsockname()[1]
free.close()
# The password is the output of bipmkpw for "secret".
with open(f"{folder}/bip.conf", "w") as file:
    file.write(f"""ip = "127.0.0.1"; port = {port}; client_side_ssl = false; log_root = "{folder}/logs/";
pid_file = "{folder}/bip.pid"; log_level = 1;
network {{ name = "example"; server {{ host = "127.0.0.1"; port = {server.getsockname()[1]}; }}; }};
user {{ name = "alice"; password = "4fd7ab8c5cb6f0ffc8d035363c07924ee679ed76"; default_nick = "alice"; default_user = "alice";
  default_realname = "alice";
  connection {{ name = "example"; network = "example"; ignore_first_nick = true; channel {{ name = "#room"; }}; }}; }};
""")
bip = subprocess.Popen([f"{folder}/bip/usr/bin/bip", "-n", "-f", f"{folder}/bip.conf"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def serve(connection):
    """Registers bip, and lets it join its channel."""
    lines = connection.makefile("r", encoding="utf-8")
    for line in lines:
        if line.startswith("USER"):
            for text in ("001 alice :Welcome", "005 alice CHANTYPES=# PREFIX=(ov)@+ :are supported", "376 alice :End of MOTD"):
                connection.sendall(f":irc.example {text}\r\n".encode())
        if line.startswith("PING"):
            connection.sendall(f":irc.example PONG irc.example {line[5:].strip()}\r\n".encode())
        if line.startswith("JOIN"):
            connection.sendall(b":alice!a@host JOIN #room\r\n:irc.example 353 alice = #room :alice\r\n"
                               b":irc.example 366 alice #room :End of NAMES\r\n")
            return


try:
    upstream, _ = server.accept()
    serve(upstream)
    for _ in range(100):
        try:
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            break
        except OSError:
            time.sleep(0.1)
    client.sendall(b"PASS alice:secret:example\r\nNICK alice\r\nUSER alice 0 * :alice\r\n")
    lines = client.makefile("r", encoding="utf-8")
    for line in lines:
        if " JOIN " in line:
            break
    upstream.shutdown(socket.SHUT_RDWR)
    upstream.close()
    for line in lines:
        if " KICK " in line or " QUIT " in line or " PART " in line:
            print(line.strip())
            sys.exit(0 if " KICK #room alice" in line else 1)
    print("the client got no KICK")
    sys.exit(1)
finally:
    bip.kill()
PYTHON
timeout 60 python3 run.py "$folder"
