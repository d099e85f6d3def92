#!/usr/bin/env -S python3 -B
"""Draws the plots of the documentation from docs/pictures/figures.txt, and writes their claims to the pages that show them.

usage: bench/plots.py [--check]

`make plots` measures the figures. --check writes nothing, and exits with 1 if a file differs from what would be written. The same
figures give the same bytes with the same version of matplotlib, which .ci/make-venv installs into .venv.
"""

import argparse
import os
import re
import sys
from collections import namedtuple
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

try:
    import matplotlib
except ImportError:
    python = PROJECT / ".venv/bin/python"
    if python.exists() and Path(sys.prefix).resolve() != (PROJECT / ".venv").resolve():
        os.execv(python, [python, "-B", __file__, *sys.argv[1:]])
    sys.exit("needs matplotlib: run .ci/make-venv")

from plot_picture import STYLE, THEMES, WIDTH, Picture, figure, number

FIGURES = "docs/pictures/figures.txt"
Value = namedtuple("Value", "series x y unit")
COUNTS = {1e5: "100,000", 3e5: "300,000", 1e6: "1 million", 3e6: "3 million", 1e7: "10 million"}
DEPTHS = {50: "50", 500: "500", 5e3: "5,000", 5e4: "50,000", 5e5: "500,000", 5e6: "5 million"}


class Plot:
    """The figures of one plot, and the lines that say how, when and where they were measured."""

    def __init__(self):
        self.notes, self.values = [], []

    @property
    def series(self):
        """The values of each series, in their order in the file."""
        found = {}
        for value in self.values:
            found.setdefault(value.series, []).append(value)
        return found

    @property
    def bars(self):
        """The parts of each bar, in their order in the file."""
        found = {}
        for value in self.values:
            found.setdefault(value.x, []).append(value)
        return found

    def last(self, series):
        return figure(self.series[series][-1].y)

    @property
    def most(self):
        return number(max(float(value.x) for value in self.values))

    @property
    def description(self):
        """Every figure in words, for those who can't see the picture."""
        def words(values):
            return "; ".join(f"{number(float(x)) if x.isdigit() else x}: {figure(y)}" for _, x, y, _ in values)

        return " ".join(f"{name} ({values[0].unit}): {words(values)}." for name, values in self.series.items())


def read_figures(text):
    """Returns the plots by their names."""
    plots = {}
    for line in text.splitlines():
        if note := re.fullmatch(r"# (\w+): (.*)", line):
            plots.setdefault(note[1], Plot()).notes.append(note[2])
        elif line and not line.startswith("#"):
            name, series, x, y, unit = line.split("\t")
            plots.setdefault(name, Plot()).values.append(Value(series, x, float(y), unit))
    return plots


def search(plot):
    ours = max(value.y for value in plot.values if value.series.startswith("scrollback"))
    theirs = max(values[-1].y for name, values in plot.series.items() if name.startswith("rg"))
    claim = f"Search takes up to {figure(ours)} ms at any size, rg up to {figure(theirs)} ms at {plot.most} messages"
    return claim, lambda theme: Picture(plot, theme, claim).lines(
        "The newest 20 messages with a word, whole processes; rg reads the same messages as a text log",
        "messages (logarithmic scale)", COUNTS, "milliseconds (logarithmic scale)", is_logarithmic=True)


def pages(plot):
    ours = max(value.y for value in plot.series["scrollback"])
    claim = f"A page takes up to {figure(ours)} ms at any depth; OFFSET takes {plot.last('LIMIT 50 OFFSET n')} ms at {plot.most}"
    return claim, lambda theme: Picture(plot, theme, claim).lines(
        "A page of 50 messages of a room, from the same file",
        "messages from the newest to the end of the page (logarithmic scale)", DEPTHS, "milliseconds (logarithmic scale)",
        is_logarithmic=True, end=1e7)


def size(plot):
    ours, log = (sum(part.y for part in plot.bars[name]) for name in ("Scrollback", "text log"))
    claim = f"A message takes {figure(ours)} bytes, search index included: {figure(ours / log)} times its log line"
    return claim, lambda theme: Picture(plot, theme, claim).bars(
        "The same messages, one in 13 in Korean and the others in English", "bytes a message")


def imports(plot):
    claim = (f"Import stores {plot.most} lines at {plot.last('scrollback import')} a second, "
             f"a bare SQLite loop at {plot.last('bare loop')}")
    return claim, lambda theme: Picture(plot, theme, claim).lines(
        "One irssi log into a new archive; the loop writes the same rows, prepared in memory",
        "lines of the log (logarithmic scale)", COUNTS, "lines a second", is_logarithmic=False)


# Each plot with its claim and picture, and the page that shows it.
PLOTS = {"search": (search, "search.md"), "pages": (pages, "schema.md"), "size": (size, "accounts.md"),
         "import": (imports, "import.md")}


def documents():
    """Yields the path of each file that shows a plot, with the text that it should have."""
    plots = read_figures((PROJECT / FIGURES).read_text())
    if set(plots) != set(PLOTS):
        sys.exit(f"{FIGURES} has the plots {' '.join(plots)}, not {' '.join(PLOTS)}; make plots measures them")
    for name, (make, page) in PLOTS.items():
        claim, draw = make(plots[name])
        for theme in THEMES:
            yield f"docs/pictures/plot-{name}-{theme}.svg", draw(THEMES[theme])
        path = f"pictures/plot-{name}"
        shown = (f'<picture><source media="(prefers-color-scheme: dark)" srcset="{path}-dark.svg">'
                 f'<img src="{path}-light.svg" width="{WIDTH}" alt="{claim}"></picture>')
        text, count = re.subn(rf"^<picture>.*/plot-{name}-.*$", shown, (PROJECT / "docs" / page).read_text(), flags=re.MULTILINE)
        if not count:
            sys.exit(f"docs/{page} does not show the plot {name}")
        yield f"docs/{page}", text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file differs")
    options = parser.parse_args()
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    differing = 0
    for path, text in documents():
        if not options.check:
            (PROJECT / path).write_text(text)
        elif not (PROJECT / path).exists() or (PROJECT / path).read_text() != text:
            print(f"bench/plots.py writes another {path}")
            differing += 1
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
