"""Draws a plot of the documentation with matplotlib."""

import html
import io
from collections import namedtuple

from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea
from matplotlib.patches import FancyBboxPatch
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from matplotlib.transforms import IdentityTransform

# In pixels, which are matplotlib's points here: the width of a picture, the margin of its texts, both ends of a chart of lines, and the
# height of a label and of a line of notes.
WIDTH, MARGIN, LEFT, RIGHT, LABEL, NOTE = 720, 16, 72, 464, 17, 16
# Text stays text, so that readers have it in the font of their system. It is placed by DejaVu Sans, which matplotlib brings along and
# which is wider than the others.
FONT = "DejaVu Sans"
FONTS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
STYLE = {
    "font.family": FONT, "font.size": 13, "svg.fonttype": "none", "svg.hashsalt": "plots",
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "axes.axisbelow": True, "axes.grid": True,
    "axes.linewidth": 1, "axes.labelpad": 7, "grid.linewidth": 1, "xtick.major.width": 1, "xtick.major.size": 5, "xtick.major.pad": 6,
    "ytick.major.size": 0, "ytick.major.pad": 8, "lines.linewidth": 2.2, "lines.solid_joinstyle": "round",
}
# Blue and orange differ for every kind of colour blindness; lines also differ in their dashes and marks. Each colour of a text has a
# contrast of at least 4.5 to 1 to the ground (WCAG 2.1, 1.4.3).
Theme = namedtuple("Theme", "ground rim grid text dim series")
THEMES = {
    "light": Theme("#ffffff", "#d0d7de", "#e4e8ec", "#1f2328", "#59636e", ["#0b62a8", "#a84300", "#59636e"]),
    "dark": Theme("#0d1117", "#30363d", "#21262d", "#e6edf3", "#9198a1", ["#6cb6ff", "#f0a04b", "#9198a1"]),
}
MARKS, DASHES = [("o", 7), ("s", 6)], ["-", (0, (3.6, 1.8)), (0, (1, 1.8))]
# The parts of bars in the second and in the third colour.
SECOND, THIRD = {"search index", "trigram index"}, {"indexes and people", "time, room, nick"}


def number(value):
    """Returns a number as people write it: 0.5, 1,000, 3 million."""
    return f"{value / 1e6:g} million" if value >= 1e6 else f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def figure(value):
    """Returns a measured value with two digits, or three from 100 on."""
    return number(float(f"{value:.2g}" if value < 100 else f"{value:.3g}"))


def lowest(heights):
    """Returns the height of the lowest label of lines that end at these heights."""
    return sum(heights) / len(heights) - LABEL * (len(heights) - 1) / 2


class Picture:
    """A picture in a theme. Its claim is the title."""

    def __init__(self, plot, theme, claim):
        self.plot, self.theme, self.claim = plot, theme, claim

    def begin(self, subtitle, left, right, top, height):
        """Makes the figure with all but its chart, and axes of the given place. Places are pixels from the top left."""
        total = top + height + 62 + len(self.plot.notes) * NOTE + 8
        self.height = total
        self.figure = Figure((WIDTH / 72, total / 72), dpi=72, facecolor="none")
        self.figure.add_artist(FancyBboxPatch(
            (0.5, 0.5), WIDTH - 1, total - 1, boxstyle="round,pad=0,rounding_size=9", transform=IdentityTransform(),
            facecolor=self.theme.ground, edgecolor=self.theme.rim, linewidth=1, zorder=-1))
        self.text(MARGIN, 29, self.claim, size=15, weight="bold", color=self.theme.text)
        self.text(MARGIN, 51, subtitle)
        for line, note in enumerate(self.plot.notes):
            self.text(MARGIN, top + height + 70 + line * NOTE, note, size=11.5)
        axes = self.figure.add_axes((left / WIDTH, 1 - (top + height) / total, (right - left) / WIDTH, height / total))
        axes.set_facecolor("none")
        return axes

    def text(self, x, y, text, **style):
        self.figure.text(x / WIDTH, 1 - y / self.height, text, **{"color": self.theme.dim, **style})

    def colour_axes(self, axes, grid):
        axes.grid(axis=grid, color=self.theme.grid, clip_on=False)
        axes.grid(visible=False, axis="y" if grid == "x" else "x")
        axes.tick_params(color=self.theme.dim, labelcolor=self.theme.dim)
        axes.spines["bottom"].set_color(self.theme.dim)
        axes.xaxis.label.set_color(self.theme.dim)

    def lines(self, subtitle, across, ticks, up, is_logarithmic, end=None):
        """Draws a chart of lines.

        A series is called `PROGRAM, WORK` or only `PROGRAM`. Each program has a colour and a mark, each work has a dash."""
        axes = self.begin(subtitle, LEFT, RIGHT, 92, 238)
        self.text(MARGIN, 78, up)
        axes.set(xscale="log", xlabel=across, xlim=(min(ticks), end or max(ticks)))
        axes.set_xticks(list(ticks), list(ticks.values()))
        axes.xaxis.set_minor_locator(NullLocator())
        self.scale_up(axes, [value.y for value in self.plot.values], is_logarithmic)
        programs, works, ends = [], [], []
        for name, values in self.plot.series.items():
            program, _, work = name.partition(", ")
            programs += [program] if program not in programs else []
            works += [work] if work not in works else []
            index = programs.index(program)
            xs, ys = [float(value.x) for value in values], [value.y for value in values]
            mark, mark_size = MARKS[index]
            axes.plot(xs, ys, linestyle=DASHES[works.index(work)], marker=mark, markersize=mark_size, markeredgewidth=0,
                      color=self.theme.series[index], clip_on=False)
            label = f"{name}: {figure(ys[-1])}{' ms' if values[0].unit == 'ms' else ''}"
            ends.append((label, xs[-1], ys[-1], self.theme.series[index]))
        self.label_ends(axes, ends)
        self.colour_axes(axes, "y")
        return self.svg()

    @staticmethod
    def scale_up(axes, values, is_logarithmic):
        """Gives the vertical axis the round numbers around the values."""
        low, high = min(values) if is_logarithmic else 0, max(values)
        if is_logarithmic:
            axes.set_yscale("log")
            locator = LogLocator(subs=(1,) if high / low >= 1000 else (1, 2, 5), numticks=20)
        else:
            locator = MaxNLocator(6, steps=[1, 2, 5, 10])
        ticks = sorted(float(f"{tick:.6g}") for tick in locator.tick_values(low, high))
        first, last = max(tick for tick in ticks if tick <= low), min(tick for tick in ticks if tick >= high)
        ticks = [tick for tick in ticks if first <= tick <= last]
        axes.set_yticks(ticks, list(map(number, ticks)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_ylim(first, last)

    @staticmethod
    def label_ends(axes, ends):
        """Writes the name and the last value of each line at its end, below each other around the middle of lines that are close."""
        ends = sorted(ends, key=lambda end: end[2])
        heights = [axes.transData.transform(end[1:3])[1] for end in ends]
        groups = []
        for height in heights:
            groups.append([height])
            while len(groups) > 1 and lowest(groups[-1]) - lowest(groups[-2]) < LABEL * len(groups[-2]):
                groups[-2:] = [groups[-2] + groups[-1]]
        places = [lowest(group) + LABEL * index for group in groups for index in range(len(group))]
        for (label, x, y, colour), place, height in zip(ends, places, heights):
            axes.annotate(label, (x, y), (11, place - height - 4.5), textcoords="offset points", color=colour, weight="bold",
                          annotation_clip=False)

    def bars(self, subtitle, across):
        """Draws a chart of bars. Below a bar stand the names and values of its parts in their colours."""
        bars, distance, thickness = self.plot.bars, 47, 20
        axes = self.begin(subtitle, 210, 650, 70, len(bars) * distance)
        # The vertical unit is a pixel.
        middles = [6 + thickness / 2 + row * distance for row in range(len(bars))]
        for middle, parts in zip(middles, bars.values()):
            total, names = 0, []
            for part in parts:
                colour = self.theme.series[1 if part.series in SECOND else 2 if part.series in THIRD else 0]
                axes.barh(middle, part.y, thickness, total, color=colour, edgecolor=self.theme.ground, linewidth=1)
                total += part.y
                style = {"color": colour, "size": 11.5}
                names.append(TextArea(f"{part.series} {figure(part.y)}", textprops=style))
            axes.annotate(figure(total), (total, middle), (6, -4.5), textcoords="offset points", color=self.theme.text, weight="bold")
            if len(parts) > 1:
                axes.add_artist(AnnotationBbox(
                    HPacker(pad=0, sep=12, children=names), (0, middle + thickness / 2 + 4), box_alignment=(0, 1), frameon=False, pad=0))
        axes.set(ylim=(len(bars) * distance, 0), xlabel=across)
        ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, max(sum(part.y for part in parts) for parts in bars.values()))
        axes.set_xticks(ticks, list(map(number, ticks)))
        axes.set_xlim(0, ticks[-1])
        axes.set_yticks(middles, list(bars))
        self.colour_axes(axes, "x")
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(axis="x", length=0)
        for row, label in enumerate(axes.get_yticklabels()):
            label.set(color=self.theme.text, weight="bold" if row == 0 else "normal")
        return self.svg()

    def svg(self):
        """Returns the file, with the figures in words."""
        file = io.StringIO()
        self.figure.savefig(file, format="svg", metadata={"Title": self.claim, "Date": None, "Creator": None})
        svg = file.getvalue().replace(f"'{FONT}'", FONTS)
        svg = svg.replace(f'width="{WIDTH}pt" height="{self.height}pt"', f'width="{WIDTH}" height="{self.height}" role="img"')
        return svg.replace("</title>", f"</title>\n <desc>{html.escape(self.plot.description, quote=False)}</desc>", 1)
