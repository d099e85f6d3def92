"""Datasette, which reads an SQLite file over HTTP."""

import glob
import json
import os
import time
import urllib.parse
import urllib.request

import archive
import peers_process
import peers_text
import soak_servers

NAME = "Datasette on The Lounge's scheme"
PROGRAM = os.path.join(soak_servers.REPOSITORY, ".venv/bin/datasette")
# Datasette gives a query up after 1 s by default.
LONGEST_QUERY_MS = 60_000
ASKED, START_SECONDS = 5, 120


def version():
    found = glob.glob(os.path.join(soak_servers.REPOSITORY, ".venv/lib/python3*/site-packages/datasette-*.dist-info"))
    return archive.package_version(found[0]) if found else None


def read(database, folder, room, back):
    """Returns the times of the three questions, by HTTP, as Datasette's page of the table asks them."""
    if not version():
        return {}
    port = soak_servers.free_port()
    command = [PROGRAM, "serve", "-i", database, "--port", str(port), "--setting", "sql_time_limit_ms", str(LONGEST_QUERY_MS)]
    process = soak_servers.spawn(command, os.path.join(folder, "datasette.log"), peers_process.ENVIRONMENT)
    address = f"http://127.0.0.1:{port}/{os.path.basename(database).rpartition('.')[0]}"
    table = f"{address}/messages.json?_shape=objects&_nocount=1&_nofacet=1&_sort_desc=id&channel={urllib.parse.quote(room)}"
    try:
        wait(process, table + "&_size=1")
        # The page behind a message continues at the message's id.
        sql = f"select id from messages where channel = '{room}' order by id desc limit 1 offset {back - 1}"
        id = fetch(f"{address}.json?" + urllib.parse.urlencode({"sql": sql, "_shape": "objects"}))["rows"][0]["id"]
        return {
            NAME: {
                "rare": timed(f"{table}&_size=20&msg__contains={peers_text.RARE}"),
                "common": timed(f"{table}&_size=20&msg__contains={peers_text.COMMON}"),
                "page": timed(f"{table}&_size=50&_next={id},{id}"),
            }
        }
    finally:
        peers_process.end(process)


def wait(process, address):
    end = time.time() + START_SECONDS
    while True:
        try:
            return fetch(address)
        except OSError as error:
            if process.poll() is not None or time.time() > end:
                raise RuntimeError(f"Datasette does not answer: {error}") from None
            time.sleep(0.1)


def fetch(address):
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def timed(address):
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        if not fetch(address)["rows"]:
            raise RuntimeError(f"no rows: {address}")
        times.append(time.perf_counter() - began)
    return archive.median(times)
