#!/usr/bin/env python3
"""Scrolls through 51,000 messages of a room in Chromium: the browser's memory, and the time of each step.

usage: bench/scroll.py [--binary .build/release/scrollback]

Needs playwright (.ci/make-venv makes .venv with it) and chromium ($CHROMIUM, default /usr/bin/chromium).
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

project = Path(__file__).resolve().parent.parent
MESSAGES = 51_000


def line(number):
    when = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(1_740_000_000 + number * 40))
    sender = {"id": number % 9, "name": f"user{number % 9}", "is_self": False}
    body = f"message number {number}" + " and more words" * (number % 12)
    return json.dumps({"id": when, "kind": "message", "room": "#long", "sender": sender, "body": body})


def renderers():
    """Yields the memory of each renderer in MB, its share of common pages included."""
    processes = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
    for process in processes:
        if "type=renderer" in process:
            lines = Path(f"/proc/{process.split()[0]}/smaps_rollup").read_text().splitlines()
            yield next(int(found.split()[1]) // 1024 for found in lines if found.startswith("Pss:"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=str(project / ".build/release/scrollback"))
    binary = parser.parse_args().binary
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        lines = "\n".join(map(line, range(MESSAGES)))
        subprocess.run(
            [binary, "import", "jsonl", "-", "-a", "long", "--data", data], input=lines, text=True, check=True,
            stderr=subprocess.DEVNULL)
        server = subprocess.Popen(
            [binary, "serve", "--data", data, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        address = server.stdout.readline().strip()
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.goto(address.split("/?")[0] + "/room/long/1")
        page.evaluate(
            "() => { window.long = []; new PerformanceObserver(list => { for (const task of list.getEntries()) "
            "long.push(task.duration) }).observe({ type: 'longtask', buffered: true }) }")
        start = time.time()
        while page.query_selector(".edge a[rel=prev]") and time.time() - start < 300:
            page.evaluate("scrollTo(0, 400)")
            page.wait_for_timeout(15)
        seconds, tasks = time.time() - start, sorted(page.evaluate("long"))
        steps = page.evaluate(
            "async () => { const steps = []; for (let i = 0; i < 100; i++) { const start = performance.now(); "
            "scrollBy(0, 700); await new Promise(done => requestAnimationFrame(done)); "
            "steps.push(performance.now() - start) } return steps.sort((a, b) => a - b) }")
        before = max(renderers())
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.enable")
        session.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(3000)
        print(f"{MESSAGES} messages in {seconds:.0f} s: {before} MB, {max(renderers())} MB after collecting garbage, "
              f"{len(tasks)} tasks over 50 ms{f', the longest {tasks[-1]:.0f} ms' if tasks else ''}, "
              f"a step {steps[50]:.0f} ms at the median and {steps[98]:.0f} ms at the 99th of 100")
        browser.close()
        server.terminate()


main()
