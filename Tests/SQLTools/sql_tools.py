"""Reads an account's file with programs that other people write. Prints one line for each that read all of it.

Usage: sql_tools.py FILE (iterdump | datasette | duckdb | pandas)

It runs on what Tests/requirements.txt installs. A program that fails ends it with the program's own error.
"""
import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request

VIEWS = ["messages", "events", "rooms", "people", "gaps", "files", "message_search_text"]


def read_only(path):
    return contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True))


def objects(path):
    """Returns the names of all tables and views, FTS5's own included."""
    with read_only(path) as db:
        return [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]


def iterdump(path):
    with read_only(path) as db:
        lines = list(db.iterdump())
    assert any(line.startswith('INSERT INTO "message" ') for line in lines), "no message in the dump"
    assert any(line.startswith("CREATE VIEW messages ") for line in lines), "no view in the dump"
    print(f"iterdump {len(lines) > 100}")


def pages(path, names, *options):
    """Serves the file with Datasette and reads the page of each table or view."""
    command = [sys.executable, "-m", "datasette", "serve", "--port", "0", *options, path]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        try:
            address = None
            for line in server.stderr:
                if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                    address = found.group()
                    break
            assert address, "datasette did not start"
            database = os.path.basename(path).rsplit(".", 1)[0]
            for page in ["", "/messages.json?_size=5", *(f"/{name}?_nosuggest=1&_size=10" for name in names)]:
                url = f"{address}/{database}{page}"
                try:
                    with urllib.request.urlopen(url, timeout=60) as answer:
                        answer.read()
                except urllib.error.HTTPError as error:
                    raise SystemExit(f"{url}: {error.code} {error.read().decode()[-2000:]}")
        finally:
            server.kill()  # SIGTERM may be blocked, as it is below some test runners.


def datasette(path):
    pages(path, objects(path))
    pages(path, ["messages", "message_search"], "--immutable")
    print("datasette True")


def duck(path):
    """Returns a DuckDB connection with the file attached as `archive`, by the extension that PyPI has."""
    import duckdb
    import duckdb_extension_sqlite_scanner

    folder = os.path.join(list(duckdb_extension_sqlite_scanner.__path__)[0], "extensions")
    (extension,) = [os.path.join(at, file) for at, _, files in os.walk(folder) for file in files]
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH '{path}' AS archive (TYPE sqlite, READ_ONLY)")
    return connection


def duckdb_(path):
    connection = duck(path)
    listed = {row[2] for row in connection.execute("SHOW ALL TABLES").fetchall()}
    assert {"message", "message_search", "session"} <= listed, listed
    for name in objects(path):
        connection.execute(f'SELECT * FROM archive."{name}" LIMIT 1000').fetchall()
    counts = connection.execute(
        "SELECT room, count(*) FROM archive.messages GROUP BY room ORDER BY room").fetchall()
    assert counts, "no messages"
    print("duckdb True")


def pandas(path):
    import pandas as pd

    with read_only(path) as db:
        frame = pd.read_sql_query("SELECT * FROM messages", db, parse_dates=["at"])
        for name in objects(path):
            pd.read_sql_query(f'SELECT * FROM "{name}" LIMIT 1000', db)
    assert str(frame["at"].dtype).endswith("UTC]"), frame["at"].dtype
    assert frame["id"].is_unique
    print("pandas True")


if __name__ == "__main__":
    _, file, program = sys.argv
    {"iterdump": iterdump, "datasette": datasette, "duckdb": duckdb_, "pandas": pandas}[program](file)
