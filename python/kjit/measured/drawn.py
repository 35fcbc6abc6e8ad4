"""Pictures for notebooks, as SVG and HTML: a roofline, bars of times."""
import html
import math

WIDTH, HEIGHT, MARGIN = 480, 260, 44
COLORS = ("#3465a4", "#c17d11", "#4e9a06", "#a40000", "#75507b")


def rows_table(head, rows):
    cells = "".join(f"<th>{html.escape(str(it))}</th>" for it in head)
    lines = "".join("<tr>" + "".join(f"<td>{html.escape(str(it))}</td>" for it in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{lines}</table>"


def short(number):
    return "" if number is None else f"{number:.4g}"


class Scale:
    """From numbers to places on a logarithmic axis."""

    def __init__(self, low, high, begin, end):
        self.low, self.high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        self.high = max(self.high, self.low + 1)
        self.begin, self.end = begin, end

    def __call__(self, number):
        part = (math.log10(number) - self.low) / (self.high - self.low)
        return round(self.begin + part * (self.end - self.begin), 1)

    def powers(self):
        return [10.0**power for power in range(self.low, self.high + 1)]


def text_at(x, y, text, more=""):
    return f'<text x="{x}" y="{y}" font-size="10" {more}>{html.escape(text)}</text>'


def axes(across, up, names):
    parts = []
    for number in across.powers():
        parts.append(f'<line x1="{across(number)}" y1="{up.begin}" x2="{across(number)}" y2="{up.end}" stroke="#ddd"/>')
        parts.append(text_at(across(number), up.begin + 14, f"{number:g}", 'text-anchor="middle"'))
    for number in up.powers():
        parts.append(f'<line x1="{across.begin}" y1="{up(number)}" x2="{across.end}" y2="{up(number)}" stroke="#ddd"/>')
        parts.append(text_at(across.begin - 4, up(number) + 3, f"{number:g}", 'text-anchor="end"'))
    parts.append(text_at(WIDTH / 2, HEIGHT - 6, names[0], 'text-anchor="middle"'))
    parts.append(text_at(4, 12, names[1]))
    return parts


def roofline(points, gbs, gflops):
    """[(name, operations for each byte, GFLOP/s)] under what memory (GB/s) and arithmetic (GFLOP/s) allow."""
    points = [point for point in points if point[1] and point[2]]
    if not points or not gbs or not gflops:
        return ""
    ridge = gflops / gbs
    xs, ys = [ridge, *(point[1] for point in points)], [gflops, *(point[2] for point in points)]
    across = Scale(min(xs) / 4, max(xs) * 4, MARGIN, WIDTH - 10)
    up = Scale(min(ys) / 2, max(ys) * 1.5, HEIGHT - MARGIN, 16)
    parts = axes(across, up, ("floating-point operations for each byte", "GFLOP/s"))
    left, right = 10.0**across.low, 10.0**across.high
    begin = max(left, 10.0**up.low / gbs)
    corners = [(begin, begin * gbs), (ridge, gflops), (right, gflops)]
    path = " ".join(f"{across(x)},{up(y)}" for x, y in corners)
    parts.append(f'<polyline points="{path}" fill="none" stroke="#000"/>')
    for number, (name, x, y) in enumerate(points):
        color = COLORS[number % len(COLORS)]
        parts.append(f'<circle cx="{across(x)}" cy="{up(y)}" r="4" fill="{color}"/>')
        parts.append(text_at(across(x) + 6, up(y) - 4, name, f'fill="{color}"'))
    return f'<svg width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">{"".join(parts)}</svg>'


def bars(rows):
    """[(name, number)] as bars, the longest of which is the most."""
    most = max((number for _, number in rows), default=0)
    lines = [f'<tr><td>{html.escape(name)}</td><td>{short(number)}</td><td><div style="background:{COLORS[0]};height:10px;'
             f'width:{round(200 * number / most)}px"></div></td></tr>' for name, number in rows if most]
    return f"<table>{''.join(lines)}</table>"
