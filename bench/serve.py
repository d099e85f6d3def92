#!/usr/bin/env python3
"""Measures `scrollback serve`, beside Datasette over the same file in the same run.

usage: bench/serve.py [--binary .build/release/scrollback] [--messages 500000] [--archive DATA]

Writes a log with that many messages, imports it and serves it. Needs .venv (.ci/make-venv) for Datasette and aiohttp, and wrk
(.ci/fetch-tools). With --archive, an archive is used as it is.

- start: from the start of the program to the first page
- pages: sequential requests over one connection, the median and the 99th of 100
- wrk: requests a second and latencies with 1, 16 and 256 connections, each request for another page ("other pages") or all for the
  same one, which the server keeps for a second
- events: 200 readers of one room in which 50 messages a second are said, the time from sending to each reader
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from datetime import datetime, timezone
from pathlib import Path

project = Path(__file__).resolve().parent.parent
venv = project / ".venv/bin"
WORDS = (
    "server down again please restart the build it works now 안녕하세요 서버가 죽었어요 오늘 배포 합니다 kernel update "
    "thanks lunch 東京 meeting tomorrow review merge branch 사랑 내일 회의 release notes test failed passed"
).split()


def find(tool):
    for path in (shutil.which(tool), project / f".servers/usr/bin/{tool}"):
        if path and os.access(path, os.X_OK):
            return str(path)
    sys.exit(f"needs {tool}: .ci/fetch-tools")


def write_log(path, messages):
    chance, day = random.Random(1), None
    with open(path, "w") as file:
        for number in range(messages):
            time = datetime.fromtimestamp(1262304000 + number * 20, timezone.utc)
            if time.date() != day:
                day = time.date()
                file.write(time.strftime("--- Day changed %a %b %d %Y\n"))
            text = " ".join(chance.choices(WORDS, k=chance.randrange(3, 14)))
            file.write(time.strftime("%H:%M:%S") + f" <user{chance.randrange(500)}> {text}\n")


class Server:
    """A running `scrollback serve`, with the owner's cookie."""

    def __init__(self, binary, data, arguments=("serve", "--listen", "127.0.0.1:0")):
        start = time.monotonic()
        self.process = subprocess.Popen(
            [binary, *arguments, "--data", data, "--log-level", "error"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.port, self.key = address.port, urllib.parse.parse_qs(address.query)["key"][0]
        self.cookie = f"scrollback-{self.port}={self.key}"
        self.get("/")
        self.start = time.monotonic() - start

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def get(self, path, connection=None):
        connection = connection or self.connection()
        connection.request("GET", path, headers={"Cookie": self.cookie})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {body[:200]}")
        return body

    def peak_kib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


def moment(number, messages):
    """A time within the log, another one for each number."""
    return datetime.fromtimestamp(1262304000 + number * 7919 * 20 % (messages * 20), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sequential(server, path, messages, count=100):
    """Asks for 100 pages, each of another time unless the path has one."""
    connection, times = server.connection(), []
    for number in range(count):
        place = path if "before=" in path else f"{path}&before={moment(number, messages)}"
        start = time.perf_counter()
        size = len(server.get(place, connection))
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    print(f"  {path[:64]:64}  median {statistics.median(times):7.2f} ms, 99th {times[98]:7.2f} ms, {size} bytes")


OTHER_PAGES = """
local n, path = 0, "{path}"
request = function()
  n = n + 1
  return wrk.format("GET", path .. "&before=" .. os.date("!%Y-%m-%dT%H:%M:%SZ", 1262304000 + n * 7919 * 20 % {span}))
end
"""


def wrk(tool, url, connections, headers=(), seconds=5, messages=None):
    """Returns requests a second. With `messages`, the number in the log, each request asks for another page."""
    script = []
    if messages:
        file = tempfile.NamedTemporaryFile("w", suffix=".lua")
        file.write(OTHER_PAGES.format(path="/" + url.split("/", 3)[3], span=messages * 20))
        file.flush()
        script = ["-s", file.name]
    output = subprocess.run(
        [tool, "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *script, *[x for h in headers for x in ("-H", h)], url],
        capture_output=True, text=True,
        env={"LD_LIBRARY_PATH": ":".join(map(str, (project / ".servers/usr/lib").glob("*-linux-*")))},
    ).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    slow = re.search(r"99%\s+(\S+)", output)[1]
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    shown = url.split("/", 3)[3][:44] + (" (other pages)" if messages else "")
    print(f"  {shown:58} {connections:4} connections: {rate:9.1f}/s, p99 {slow}"
          + (f", {wrong[1]} NOT ANSWERED" if wrong else ""))
    return rate


def datasette(tool, file, path):
    process = subprocess.Popen(
        [venv / "datasette", "serve", file, "--port", "8947", "--setting", "sql_time_limit_ms", "20000"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", 8947)
                connection.request("GET", path)
                answer = connection.getresponse()
                body = answer.read()
                if answer.status != 200:
                    sys.exit(f"datasette: {answer.status} {body[:300]}")
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        print(f"  Datasette's answer: {len(json.loads(body))} rows, {len(body)} bytes")
        return wrk(tool, f"http://127.0.0.1:8947{path}", 16)
    finally:
        process.terminate()
        process.wait()


async def events(binary, readers=200, rate=50, seconds=20):
    import aiohttp

    folder = tempfile.TemporaryDirectory()
    port_file = tempfile.TemporaryFile("w+")
    room = subprocess.Popen([binary, "room-server", "--port", "0", "--framing", "lf"], stderr=port_file, stdout=subprocess.DEVNULL)
    port = None
    while port is None:
        time.sleep(0.1)
        port_file.seek(0)
        found = re.search(r"port=(\d+)", port_file.read())
        port = found and int(found[1])
    data, configuration = folder.name + "/data", folder.name + "/scrollback.toml"
    Path(configuration).write_text(
        f'[serve]\nlisten = "127.0.0.1:0"\n\n[[account]]\nname = "demo"\nnetwork = "streamchat"\n'
        f'server = "tcp://127.0.0.1:{port}"\nnick = "archiver"\nroom = "lobby"\nframing = "lf"\n'
    )
    log = open(folder.name + "/log", "w+")
    listener = subprocess.Popen([binary, "listen", "--config", configuration, "--data", data], stderr=log, stdout=subprocess.DEVNULL)
    address = None
    while address is None:
        time.sleep(0.1)
        log.seek(0)
        found = re.search(r"address=(http://[0-9.:]+)", log.read())
        address = found and found[1]
    cookie = f"scrollback-{address.rsplit(':', 1)[1]}={Path(data + '/serve.secret').read_text().strip()}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"USR_NAME::sender::END\n")
    await asyncio.sleep(2)
    total, delays, orders = rate * seconds, [], []

    async def follow(session, ready):
        seen = []
        async with session.get(f"{address}/api/v1/changes?account=demo", headers={"Accept": "text/event-stream"}) as answer:
            ready.release()
            async for line in answer.content:
                found = re.search(rb'"body": "(\d+) (\d+\.\d+)"', line) if line.startswith(b"data:") else None
                if found and b'"kind": "stored"' in line:
                    delays.append(time.time() - float(found[2]))
                    seen.append(int(found[1]))
                    if len(seen) == total:
                        break
        orders.append(seen == list(range(total)))

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers={"Cookie": cookie}, timeout=aiohttp.ClientTimeout(total=None)) as session:
        ready = asyncio.Semaphore(0)
        tasks = [asyncio.create_task(follow(session, ready)) for _ in range(readers)]
        for _ in range(readers):
            await ready.acquire()
        await asyncio.sleep(1)
        begin = time.monotonic()
        for number in range(total):
            writer.write(f"MSG::{number} {time.time():.6f}::END\n".encode())
            await writer.drain()
            await asyncio.sleep(max(0, begin + (number + 1) / rate - time.monotonic()))
        await asyncio.wait_for(asyncio.gather(*tasks), 60)
    delays.sort()
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{listener.pid}/status").read_text())[1]
    print(f"  {readers} readers, {rate} messages/s: {len(delays)} of {readers * total} arrived, "
          f"{sum(orders)} of {readers} readers have all in order; median {delays[len(delays) // 2] * 1000:.0f} ms, "
          f"p99 {delays[len(delays) * 99 // 100] * 1000:.0f} ms; peak {peak} KiB")
    listener.send_signal(signal.SIGTERM)
    listener.wait(20)
    room.terminate()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(project / ".build/release/scrollback"))
    parser.add_argument("--messages", type=int, default=500_000)
    parser.add_argument("--archive")
    options = parser.parse_args()
    tool, folder = find("wrk"), tempfile.TemporaryDirectory()
    data = options.archive or folder.name + "/data"
    if not options.archive:
        write_log(folder.name + "/big.log", options.messages)
        subprocess.run(
            [options.binary, "import", "irssi", folder.name + "/big.log", "-a", "big", "--room", "#big", "--timezone", "UTC",
             "--data", data], check=True, stderr=subprocess.DEVNULL)
    server = Server(options.binary, data)
    rooms = json.loads(server.get("/api/v1/rooms?sort=messages"))["rooms"]
    room = rooms[0]
    print(f"{room['messages']} messages in {room['account']}/{room['name']}")
    print(f"start to the first page: {server.start * 1000:.0f} ms")
    name = urllib.parse.quote(f"{room['account']}/{room['id']}")
    middle = "2011-02-03"
    print("pages, one after the other:")
    for path in [
        f"/room/{name}?limit=100", f"/room/{name}?limit=100&before={middle}", "/search?q=kernel", "/search?q=%EC%84%9C%EB%B2%84",
        f"/api/v1/messages?room={name}&limit=100",
    ]:
        sequential(server, path, room["messages"])
    print("under load (wrk, one thread):")
    cookie, base = [f"Cookie: {server.cookie}"], f"http://127.0.0.1:{server.port}"
    messages = f"/api/v1/messages?room={name}&limit=50"
    ours = {}
    for path, varies in [(messages, True), (messages, False), ("/api/v1/search?q=kernel&limit=50", True), (f"/room/{name}?limit=100", True)]:
        for connections in (1, 16, 256):
            rate = wrk(tool, base + path, connections, cookie, messages=room["messages"] if varies else None)
            if path == messages and connections == 16:
                ours[varies] = rate
    print(f"  peak of serve: {server.peak_kib()} KiB")
    server.stop()
    file = next(Path(data).glob("accounts/*/*.sqlite"))
    query = urllib.parse.quote("SELECT * FROM messages ORDER BY id DESC LIMIT 50")
    theirs = datasette(tool, str(file), f"/{file.stem}.json?sql={query}&_shape=array")
    print(f"  50 messages: {ours[False] / theirs:.1f} times the requests a second of Datasette, {ours[True] / theirs:.1f} of other pages each time")
    print("events:")
    asyncio.run(events(options.binary))


main()
