#!/usr/bin/env -S python3 -B
"""Counts the messages of an account's file by DuckDB, which reads the rows: bench/Counts.swift has the same questions.

Usage: counts_duckdb.py FILE

Prints a line for each question: its name, a tab, and the median of three runs in seconds, without starting the program and opening the
file. It runs on what Tests/requirements.txt installs.
"""
import os
import statistics
import sys
import time

import duckdb
import duckdb_extension_sqlite_scanner

MESSAGES = "archive.message WHERE kind NOT IN (4, 5, 7, 9)"
TIME = "make_timestamp(id)"
SPANS = ["year", "month", "day", "hour"]


def stats(condition=""):
    """Returns the statements of all counts of `stats`."""
    groups = ["room_id", "sender_id", *(f"date_trunc('{span}', {TIME})" for span in SPANS), f"dayofweek({TIME})", f"hour({TIME})"]
    return [
        f"SELECT count(*), min(id), max(id) FROM {MESSAGES} {condition}",
        *(f"SELECT {group}, count(*) FROM {MESSAGES} {condition} GROUP BY 1" for group in groups),
    ]


def by(*groups):
    columns = ", ".join(groups)
    return [f"SELECT {columns}, count(*) FROM {MESSAGES} GROUP BY {columns}"]


YEAR = "AND id > 1456790400000000 AND id < 1488326400000000"
KOREAN = "AND room_id = (SELECT room_id FROM archive.room_name WHERE name = '#korean')"
QUESTIONS = {
    "stats": stats(),
    "stats of a room": stats(KOREAN),
    "stats of a year": stats(YEAR),
    "by room": by("room_id"),
    "by user": by("sender_id"),
    "by day": by(f"date_trunc('day', {TIME})"),
    "by month, user": by(f"date_trunc('month', {TIME})", "sender_id"),
    "by hour, user": by(f"hour({TIME})", "sender_id"),
    "unread": [f"SELECT room_id, count(*) FROM {MESSAGES} GROUP BY 1"],
    "rooms": ["SELECT room_id, count(*), min(id), max(id) FROM archive.message GROUP BY 1"],
}


def connect(path):
    """Returns a connection with the file attached as `archive`, by the extension that PyPI has."""
    folder = os.path.join(list(duckdb_extension_sqlite_scanner.__path__)[0], "extensions")
    (extension,) = [os.path.join(at, file) for at, _, files in os.walk(folder) for file in files]
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH '{path}' AS archive (TYPE sqlite, READ_ONLY)")
    return connection


def seconds(connection, statements):
    start = time.perf_counter()
    for statement in statements:
        connection.execute(statement).fetchall()
    return time.perf_counter() - start


if __name__ == "__main__":
    (_, file) = sys.argv
    archive = connect(file)
    for name, statements in QUESTIONS.items():
        times = [seconds(archive, statements) for _ in range(3)]
        print(f"{name}\t{statistics.median(times):.6f}", flush=True)
