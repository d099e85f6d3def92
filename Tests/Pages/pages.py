#!/usr/bin/env python3
"""Drives the pages of `scrollback serve` in a real browser: python3 pages.py SCROLLBACK [CHECK ...] [--part PART/PARTS]

SCROLLBACK is the program `scrollback-server`. $CHROMIUM is the browser's path (default /usr/bin/chromium). With $SHOTS,
pictures of each page are written to that folder. With --part 2/3, only the second of three parts of the checks is run.
Exits with 1 if a check fails."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "Soak"))

from patience import Patience  # noqa: E402

parser = argparse.ArgumentParser(description="Drives the pages of `scrollback serve` in a real browser.")
parser.add_argument("scrollback", metavar="SCROLLBACK")
parser.add_argument("wanted", metavar="CHECK", nargs="*")
parser.add_argument("--part", default="1/1")
ARGUMENTS = parser.parse_args()
SCROLLBACK = ARGUMENTS.scrollback
PART, PARTS = map(int, ARGUMENTS.part.split("/"))
WIDTHS = {390: 844, 1280: 900}
ROOM = "/room/team/1"
FIRST = "2026-11-19T09:01:00.000000Z"
EDITED = "2026-11-19T09:14:00.000000Z"
# A page for each kind, with a word that it must show.
PAGES = {
    "rooms": ("/", "general"), "room": (ROOM, "Unread line 30"), "oldest": (f"{ROOM}?oldest=1", "Good morning"),
    "unread": (f"{ROOM}?unread=1", "unread messages"), "around": (f"{ROOM}?around={EDITED}", "Details and versions"),
    "calendar": (f"{ROOM}/calendar?year=2026", "November 2026"), "search": ("/search?q=server", "Server down again"),
    "context": ("/search?q=server&context=2", "Server down again"), "facets": ("/search?q=server&facets=1", "People"),
    "empty search": ("/search?q=serve", "No message matches"), "message": (f"/message/team/{EDITED}", "3 versions"),
    "merged": ("/merged?room=team/1&room=team/2&oldest=1", "general"), "account": ("/account/team", "general"),
    "help": ("/help", "next, previous message"), "missing": ("/room/team/99", "nothing"),
}


def find_axe():
    import axe_playwright_python
    return next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()


class Site:
    """An archive with a running server."""

    def __init__(self, folder):
        self.data = f"{folder}/data"
        subprocess.run([sys.executable, HERE / "sample.py", f"{folder}/export"], check=True)
        self.run("import", f"{folder}/export", "-a", "team")
        topic = {"id": "2026-11-19T09:14:30.000000Z", "kind": "topic", "room": "general", "sender": {"name": "민수"},
                 "body": "Deploys on Tuesday, 배포는 화요일: https://example.org/plan?week=47 and what else there is to say about it"}
        self.run("import", "jsonl", "-", "-a", "team", text=json.dumps(topic) + "\n")
        lines = (json.dumps({
            "id": f"2025-03-{1 + index // 800:02}T{index // 60 % 14:02}:{index % 60:02}:{index // 14 % 60:02}.{index:06}Z",
            "kind": "message", "room": "#long", "sender": {"id": index % 9, "name": f"user{index % 9}", "is_self": False},
            "body": f"message number {index}" + " and more words" * (index % 12)}) for index in range(4000))
        self.run("import", "jsonl", "-", "-a", "long", text="\n".join(lines) + "\n")
        self.server = subprocess.Popen(
            [SCROLLBACK, "serve", "--data", self.data, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.url = next(line.strip() for line in self.server.stdout if line.startswith("http"))
        self.base = self.url.split("/?")[0]

    def run(self, *arguments, text=None):
        subprocess.run([SCROLLBACK, *arguments, "--data", self.data], input=text, text=True, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def say(self, second, body, room="#long", **more):
        line = {"id": f"2025-04-01T00:00:{second:02}.000000Z", "kind": "message", "room": room,
                "sender": {"id": 1, "name": "user1", "is_self": False}, "body": body, **more}
        self.run("import", "jsonl", "-", "-a", "long", text=json.dumps(line) + "\n")


class Browser:
    """A context of the browser, in which every complaint is an error."""

    def __init__(self, chromium, site, width=1280, scheme="light", javascript=True):
        self.context = chromium.new_context(
            viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, timezone_id="Europe/Berlin",
            java_script_enabled=javascript, bypass_csp=False)
        self.page = self.context.new_page()
        self.complaints, self.site = [], site
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.listen)
        self.page.on("request", self.see)
        self.page.goto(site.url)

    def listen(self, message):
        if message.type == "error" and "404" not in message.text:
            self.complaints.append(message.text)

    def see(self, request):
        if not request.url.startswith(self.site.base):
            self.complaints.append(f"a request to {request.url}")

    def open(self, address):
        try:
            self.page.goto(self.site.base + address)
        except PlaywrightError as error:
            # A room's page goes to its own end (#end), on a busy machine before the browser has loaded everything.
            if "interrupted by another navigation" not in str(error):
                raise
            self.page.wait_for_load_state()
        return self.page

    def wait(self, expression, *, timeout=5000):
        # The pages' policy forbids what playwright's own waiting does: evaluating a text.
        patience = Patience(timeout / 1000)
        while not self.page.evaluate(expression):
            if patience.is_over():
                raise AssertionError(f"did not become true: {expression}")
            self.page.wait_for_timeout(50)

    def close(self):
        self.context.close()
        assert not self.complaints, self.complaints


def each_page_shows_its_content_and_fits_the_screen(chromium, site):
    for width in WIDTHS:
        for javascript in (True, False):
            browser = Browser(chromium, site, width, javascript=javascript)
            for name, (address, word) in PAGES.items():
                page = browser.open(address)
                assert word in page.text_content("body"), f"{name} does not show {word}"
                over = page.evaluate("document.documentElement.scrollWidth - innerWidth") if javascript else 0
                assert over <= 0, f"{name} is {over} pixels wider than {width}"
            browser.close()


def pictures_of_each_page(chromium, site):
    folder = os.environ.get("SHOTS")
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            browser = Browser(chromium, site, width, scheme)
            for name, (address, _) in PAGES.items():
                browser.open(address).wait_for_timeout(300)
                browser.page.screenshot(path=f"{folder}/{name.replace(' ', '-')}-{width}-{scheme}.png")
                if name == "room":
                    browser.page.click(".more summary")
                    browser.page.screenshot(path=f"{folder}/more-{width}-{scheme}.png")
            browser.close()


def axe_finds_nothing_in_any_page(chromium, site):
    axe = find_axe()
    # Each width and each scheme once: colours don't depend on the width, nor sizes on the scheme.
    for width, scheme in zip(WIDTHS, ("light", "dark")):
        # The policy of the pages allows no script of others.
        context = chromium.new_context(
            viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(site.url)
        for name, (address, _) in PAGES.items():
            page.goto(site.base + address)
            page.wait_for_timeout(150)
            # A row that is half below the bar counts as a small target.
            page.add_style_tag(content=".top, .tools, .log h2 { position: static !important; }")
            page.evaluate(axe)
            rules = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"
            found = page.evaluate(f"axe.run({rules})")["violations"]
            if page.query_selector(".more"):
                page.evaluate("document.querySelector('.more').open = true")
                found += page.evaluate(f"axe.run('.more', {rules})")["violations"]
            wrong = [f"{each['id']}: {each['nodes'][0]['html'][:160]} {each['nodes'][0].get('failureSummary', '')[:300]}"
                     for each in found]
            assert not wrong, f"{name} at {width} in {scheme}: {wrong}"
        context.close()


def a_room_opens_at_its_end_and_scrolls_to_both_ends(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/room/long/1")
    browser.wait("scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 200")
    worst = 0
    for _ in range(60):
        if "message number 0" == page.evaluate("document.querySelector('.log .m .b').textContent.slice(0, 16)"):
            break
        # What is in view stays while older messages arrive.
        before = page.evaluate("""() => {
            scrollTo(0, 2200);
            window.seen = [...document.querySelectorAll('.log .m')].find((row) => row.getBoundingClientRect().top > 300);
            return document.querySelector('.log .m').id;
        }""")
        page.evaluate("scrollTo(0, 900); window.place = seen.getBoundingClientRect().top")
        try:
            browser.wait(f"document.querySelector('.log .m').id < '{before}'", timeout=1500)
        except Exception:
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(300)
            continue
        page.wait_for_timeout(60)
        worst = max(worst, abs(page.evaluate("seen.getBoundingClientRect().top - window.place")))
    assert worst <= 2, f"what was read moved by {worst} pixels"
    oldest = page.evaluate("document.querySelector('.log .m .b').textContent")
    assert oldest.startswith("message number 0"), f"the oldest message was not reached, only {oldest}"
    ids = page.evaluate("[...document.querySelectorAll('.log .m')].map((row) => row.id)")
    assert ids == sorted(set(ids)), "messages are out of order or twice"
    days = page.evaluate("[...document.querySelectorAll('.log h2')].map((day) => day.id)")
    assert days == sorted(set(days)), "a day has two headings"
    # Find in page looks at the text of the document.
    word = page.evaluate("[...document.querySelectorAll('.log .m .b')].at(-150).textContent.split(' and')[0]")
    assert page.evaluate("word => window.find(word)", word), f"the browser does not find {word}"
    browser.close()


def a_room_scrolls_from_its_oldest_message_to_the_newest(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/room/long/1?oldest=1")
    for _ in range(80):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_timeout(80)
        if not page.query_selector(".edge a[rel=next]"):
            break
    assert not page.query_selector(".edge a[rel=next]"), "the end was not reached"
    # Rows that are far away are text, and come back.
    ids = page.evaluate("[...document.querySelectorAll('.log .m')].map((row) => row.id)")
    assert len(ids) < 4000 and ids == sorted(set(ids)), f"{len(ids)} messages"
    for _ in range(40):
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(100)
        if page.evaluate("document.querySelector('.log .m').id.startsWith('2025-03-01T00:00:00')"):
            break
    first = page.evaluate("document.querySelector('.log .m').id")
    assert first.startswith("2025-03-01T00:00:00"), f"the first message is {first}"
    browser.close()


def an_address_of_a_place_shows_that_place(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open(f"{ROOM}?around={EDITED}#{EDITED}")
    page.wait_for_timeout(400)
    top = page.evaluate("document.querySelector('.here').getBoundingClientRect().top")
    assert 40 < top < 700, f"the message is at {top}"
    browser.close()


def new_messages_arrive_at_the_end_and_never_move_what_is_read(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/room/long/1")
    page.wait_for_timeout(600)
    site.say(1, "live one")
    browser.wait("document.body.innerText.includes('live one')")
    browser.wait("innerHeight + scrollY >= document.documentElement.scrollHeight - 200")
    page.evaluate("scrollBy(0, -1500)")
    page.wait_for_timeout(300)
    place = page.evaluate("""() => {
        window.seen = [...document.querySelectorAll('.log .m')].find((row) => row.getBoundingClientRect().top > 200);
        return seen.getBoundingClientRect().top;
    }""")
    site.say(2, "live two")
    browser.wait("document.querySelector('.news') && !document.querySelector('.news').hidden")
    assert page.inner_text(".news").startswith("1 new"), page.inner_text(".news")
    assert abs(page.evaluate("seen.getBoundingClientRect().top") - place) <= 2
    page.click(".news")
    browser.wait("document.querySelector('.news').hidden")
    browser.close()


def a_page_of_a_day_stays_at_its_day(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/room/long/1?day=2025-03-02")
    for _ in range(60):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_timeout(80)
        if not page.query_selector(".edge a[rel=next]"):
            break
    page.wait_for_timeout(400)
    ids = page.evaluate("[...document.querySelectorAll('.log .m')].map((row) => row.id)")
    assert len(ids) > 200 and all(each.startswith("2025-03-02") for each in ids), f"{ids[0]} to {ids[-1]}"
    assert "day=2025-03-02" in page.url, page.url
    assert page.query_selector("[aria-label='Other days'] a[href*='day=2025-03-03']")
    browser.close()


def a_page_follows_its_room_while_it_is_in_view(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/room/long/1")
    page.wait_for_timeout(400)
    state = "Object.defineProperty(document, 'hidden', {get: () => %s, configurable: true});" \
            "document.dispatchEvent(new Event('visibilitychange'));"
    page.evaluate(state % "true")
    site.say(20, "said meanwhile")
    page.wait_for_timeout(1000)
    assert "said meanwhile" not in page.text_content("body")
    page.evaluate(state % "false")
    browser.wait("document.body.textContent.includes('said meanwhile')")
    browser.close()


def a_page_is_live_again_after_a_proxy_refused_it(chromium, site):
    browser = Browser(chromium, site)
    refuses = True

    def answer(route):
        if refuses:
            route.fulfill(status=502, body="bad gateway")
        else:
            route.continue_()

    browser.page.route("**/api/v1/changes**", answer)
    page = browser.open("/room/long/1")
    browser.wait("document.querySelector('.offline').textContent.includes('Not live')", timeout=20000)
    site.say(30, "said while it was refused")
    refuses = False
    browser.wait("document.body.textContent.includes('said while it was refused')", timeout=60000)
    browser.wait("document.querySelector('.offline').textContent === ''")
    browser.complaints = [each for each in browser.complaints if "502" not in each]
    browser.close()


def an_edit_replaces_its_row(chromium, site):
    browser = Browser(chromium, site)
    site.say(10, "before the edit", remote_id="edit-1")
    page = browser.open("/room/long/1")
    page.wait_for_timeout(600)
    assert "before the edit" in page.text_content(".log")
    count = page.evaluate("document.querySelectorAll('.log .m').length")
    site.say(10, "after the edit", remote_id="edit-1", edited_at="2025-04-01T00:00:30.000000Z")
    browser.wait("document.querySelector('.log').textContent.includes('after the edit')")
    assert "before the edit" not in page.text_content(".log")
    assert page.evaluate("document.querySelectorAll('.log .m').length") == count
    browser.close()


def keys_move_through_messages_days_and_hits(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open(f"{ROOM}?oldest=1")
    page.wait_for_timeout(200)
    for _ in range(3):
        page.keyboard.press("j")
    third = page.evaluate("document.activeElement.id")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.id") < third
    page.keyboard.press("?")
    assert page.is_visible("dialog") and "next message" in page.inner_text("dialog")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.id") == "date"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.type("server")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?**")
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert "hit" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    page.wait_for_url("**/room/team/1?around=**")
    page = browser.open(f"{ROOM}?day=2026-11-20")
    page.keyboard.press("]")
    page.wait_for_url("**day=2026-11-21**")
    page.keyboard.press("[")
    page.wait_for_url("**day=2026-11-20**")
    page.keyboard.press("G")
    page.wait_for_timeout(300)
    page = browser.open(ROOM)
    page.keyboard.press("r")
    page.wait_for_url("**/#filter")
    browser.wait("document.activeElement.name === 'filter'")
    page.keyboard.type("desi")
    page.keyboard.press("Enter")
    page.wait_for_url("**/room/team/*")
    assert "design" in page.inner_text("h1")
    page = browser.open("/room/long/1")
    page.keyboard.press("g")
    page.keyboard.type("03022025")
    page.keyboard.press("Enter")
    page.wait_for_url("**day=2025-03-02**")
    page.click(".more summary")
    page.keyboard.press("Escape")
    assert not page.is_visible("text=Calendar")
    browser.close()


def the_bar_shows_the_day_in_view(chromium, site):
    browser = Browser(chromium, site, 390)
    page = browser.open("/room/long/1?day=2025-03-02&limit=10")
    assert page.input_value("#date") == "2025-03-02"
    page = browser.open("/room/long/1?around=2025-03-02T00:00:00.000000Z")
    page.wait_for_timeout(400)
    page.evaluate("document.getElementById('day-2025-03-02').scrollIntoView()")
    page.evaluate("scrollBy(0, 200)")
    browser.wait("document.getElementById('date').value === '2025-03-02'")
    page.evaluate("scrollBy(0, -800)")
    browser.wait("document.getElementById('date').value === '2025-03-01'")
    assert page.inner_text("#day") == "1 Mar 2025"
    assert "day=2025-03-02" in page.get_attribute("#next-day", "href")
    page.click("#next-day")
    browser.wait("document.getElementById('date').value === '2025-03-02'")
    assert page.get_attribute("#day", "href").endswith("/calendar?year=2025#day-2025-03-02")
    assert page.evaluate("document.querySelector('.tools').getBoundingClientRect().top") > 0
    page.click(".more summary")
    assert page.is_visible("text=Calendar")
    assert page.inner_text("#download-day") == "2 Mar 2025"
    with page.expect_download() as download:
        page.click("text=Download")
    text = open(download.value.path(), encoding="utf-8").read()
    assert download.value.suggested_filename.endswith(" 2025-03-02.txt"), download.value.suggested_filename
    assert "2025-03-02" in text and "2025-03-01" not in text
    # On a busy machine, messages that load meanwhile may bring the day before into view.
    page.click("#day")
    page.wait_for_url(re.compile(r"/calendar\?year=2025#day-2025-03-0[12]$"), wait_until="commit")
    page = browser.open("/room/long/1?around=2025-03-03T05:00:30.000000Z")
    browser.wait("document.getElementById('date').value === '2025-03-03'")
    top = "[...document.querySelectorAll('.log .m')].find(row => row.getBoundingClientRect().bottom > 150).id"
    assert page.evaluate(top).startswith("2025-03-03T0"), page.evaluate(top)
    browser.close()


def an_answer_jumps_to_its_message(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open(f"{ROOM}?oldest=1")
    page.wait_for_timeout(200)
    page.click("a.r")
    assert page.evaluate("document.activeElement.id") == FIRST
    browser.close()


def counts_appear_beside_the_hits(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/search?q=server")
    page.wait_for_selector(".facets a")
    page.click(".facets a:has-text('alice')")
    page.wait_for_url("**from%3A%22alice%22**")
    assert page.query_selector_all(".hits > li")
    browser.close()


def the_filter_of_rooms_follows_the_typing(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open("/")
    page.fill("#filter input", "desi")
    names = [each.inner_text() for each in page.query_selector_all(".room-list h2 a") if each.is_visible()]
    assert names == ["design"], names
    browser.close()


def marking_as_read_works_without_javascript(chromium, site):
    browser = Browser(chromium, site, javascript=False)
    page = browser.open("/room/team/2")
    page.click("text=Mark as read")
    page.wait_for_url("**/room/team/2#end")
    assert "Mark as read" not in page.inner_text("body")
    browser.close()


def pictures_are_shown_in_place(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open(f"{ROOM}?around=2026-11-19T09:25:00.000000Z#2026-11-19T09:25:00.000000Z")
    browser.wait("document.querySelector('.pics img').naturalWidth === 640")
    assert page.query_selector(".x a[href^='/api/v1/files/']")
    browser.close()


def an_export_for_a_friend_shows_its_pictures_from_disk(chromium, site):
    folder = f"{os.path.dirname(site.data)}/friend"
    os.makedirs(folder)
    site.run("export", "-a", "team", "--format", "html", "--with-files", "-o", f"{folder}/pages")
    site.run("export", "-a", "team", "--single-file", "--title", "Our team", "-o", f"{folder}/team.html")
    axe = find_axe()
    for address in ("team.html", "pages/general/2026-11.html"):
        for width, scheme in zip(WIDTHS, ("light", "dark")):
            context = chromium.new_context(
                viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, bypass_csp=False)
            page, complaints, requests = context.new_page(), [], []
            page.on("console", lambda message: complaints.append(message.text))
            page.on("request", lambda request: requests.append(request.url))
            page.goto(f"file://{folder}/{address}")
            picture = page.locator(".pics img").first
            picture.scroll_into_view_if_needed()
            for _ in range(100):
                if page.evaluate("document.querySelector('.pics img').naturalWidth") == 640:
                    break
                page.wait_for_timeout(50)
            else:
                raise AssertionError(f"{address} does not show its picture: {complaints}")
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0, f"{address} is {over} pixels wider than {width}"
            assert page.evaluate("document.querySelector('.pics img').getBoundingClientRect().width") <= width
            loaded = [each for each in requests if not each.startswith(("data:", f"file://{folder}/pages/files/"))]
            assert loaded == [f"file://{folder}/{address}"], loaded
            assert not complaints, complaints
            if address == "team.html":
                assert page.inner_text("h1") == "Our team" and "Left out: " in page.inner_text("footer")
                page.click("nav a:has-text('design')")
                assert page.url.startswith(f"file://{folder}/team.html#r"), page.url
            context.close()
            context = chromium.new_context(
                viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, bypass_csp=True)
            page = context.new_page()
            page.goto(f"file://{folder}/{address}")
            page.evaluate(axe)
            found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})")["violations"]
            wrong = [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found]
            assert not wrong, f"{address} at {width} in {scheme}: {wrong}"
            context.close()


def a_printed_room_has_its_messages_and_nothing_to_press(chromium, site):
    browser = Browser(chromium, site)
    page = browser.open(ROOM)
    page.emulate_media(media="print")
    looks = page.evaluate("""() => {
        const shown = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
        const light = (colour) => {
            const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
            return (red * 299 + green * 587 + blue * 114) / 255000;
        };
        return {
            pressed: shown('nav, form, button, .side, .tools').map((each) => each.outerHTML.slice(0, 100)),
            messages: shown('.log .m .b').length,
            ink: Math.max(...shown('.log .b, .log .t, .log h2').map((each) => light(getComputedStyle(each).color))) };
    }""")
    assert looks["pressed"] == [] and looks["messages"] > 3, looks
    # The lightness of ink, from 0 to 1: dark enough for white paper.
    assert looks["ink"] < 0.6, looks
    browser.close()


CHECKS = [
    each_page_shows_its_content_and_fits_the_screen, axe_finds_nothing_in_any_page,
    a_room_opens_at_its_end_and_scrolls_to_both_ends, a_room_scrolls_from_its_oldest_message_to_the_newest,
    an_address_of_a_place_shows_that_place, keys_move_through_messages_days_and_hits, the_bar_shows_the_day_in_view,
    an_answer_jumps_to_its_message,
    counts_appear_beside_the_hits,
    the_filter_of_rooms_follows_the_typing, pictures_are_shown_in_place,
    an_export_for_a_friend_shows_its_pictures_from_disk,
    new_messages_arrive_at_the_end_and_never_move_what_is_read, an_edit_replaces_its_row,
    a_page_of_a_day_stays_at_its_day, a_page_follows_its_room_while_it_is_in_view,
    a_page_is_live_again_after_a_proxy_refused_it, pictures_of_each_page,
    marking_as_read_works_without_javascript, a_printed_room_has_its_messages_and_nothing_to_press,
]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(folder)
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        try:
            for check in CHECKS[PART - 1::PARTS]:
                if ARGUMENTS.wanted and check.__name__ not in ARGUMENTS.wanted:
                    continue
                name = re.sub("_", " ", check.__name__)
                start = time.monotonic()
                try:
                    check(chromium, site)
                    print(f"passed in {time.monotonic() - start:.1f} s: {name}", flush=True)
                except Exception:
                    failures += 1
                    print(f"FAILED: {name}\n{traceback.format_exc()}", flush=True)
        finally:
            chromium.close()
            site.server.terminate()
            site.server.wait(10)
    sys.exit(1 if failures else 0)


main()
