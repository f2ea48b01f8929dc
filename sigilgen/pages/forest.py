"""Forest plots and mini bars as SVG that stands inside a page: same axis everywhere, no script, no style, one ink.

Positions along the axis are percentages and sizes are pixels, so that a plot fills any width without shrinking its
letters. Colour comes from the page (`currentColor`); shape and word already say everything.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sigilgen.model.effect import Interval
from sigilgen.pages.text import head, neutral

ROW_HEIGHT = 76
TOP = 34
BOTTOM = 40
TICKS = (-100, -50, 0, 50, 100)
LABEL_LIMIT = 46
DETAIL_LIMIT = 36
"""Characters that fit on a telephone: a label alone on its line, a detail beside the longest verdict."""
SMALLEST_SIDE, LARGEST_SIDE = 4.0, 18.0

MARKS = {"proven": "■", "harmful": "◆", "no effect": "●", "inconclusive": "□", "rehearsal": "▨"}
"""The sign that goes with each verdict, in text as in the plot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One interval with its words. `interval` is None where there is nothing to draw, and `verdict` then says why."""

    label: str
    detail: str
    verdict: str
    numbers: str
    interval: Interval | None
    runs: int


def forest_plot(rows: Sequence[ForestRow], *, identifier: str, title: str, margin: float) -> Markup:
    """Draw `rows` over the fixed axis of -100 to +100 points; `margin`, a rate, is the band of no effect."""
    height = TOP + ROW_HEIGHT * len(rows) + BOTTOM
    body = "".join(_row(row, TOP + ROW_HEIGHT * index) for index, row in enumerate(rows))
    description = "; ".join(f"{row.label}, {row.detail}: {row.verdict}, {row.numbers}" for row in rows)
    return Markup(  # noqa: S704  (every text has gone through `neutral`)
        f'<svg class="forest" role="img" width="100%" height="{height}" '
        f'aria-labelledby="{identifier}-title {identifier}-desc" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{identifier}-title">{neutral(title)}</title>'
        f'<desc id="{identifier}-desc">{neutral(description)}</desc>'
        f"{_axis(height, margin)}{body}</svg>"
    )


def mini_bar(interval: Interval, verdict: str) -> Markup:
    """Draw one interval the size of a word. It is hidden from screen readers: the numbers stand beside it."""
    lower, estimate, upper = (round(60 * bound) for bound in (interval.lower, interval.estimate, interval.upper))
    return Markup(  # noqa: S704  (numbers and our own class names)
        f'<svg class="minibar {verdict_class(verdict)}" viewBox="-62 -8 124 16" width="124" height="16" '
        'aria-hidden="true" focusable="false">'
        '<path class="track" d="M-60 0H60" stroke="currentColor" opacity=".25"/>'
        '<path class="zero" d="M0-7V7" stroke="currentColor" opacity=".6"/>'
        f'<path class="span" d="M{lower} 0H{upper}M{lower}-4V4M{upper}-4V4" stroke="currentColor" stroke-width="2" '
        'fill="none"/>'
        f"{_mark(verdict, 8, estimate)}</svg>"
    )


def verdict_class(verdict: str) -> str:
    """The CSS class of a verdict; anything that is not one is shown without colour."""
    return f"verdict-{verdict.replace(' ', '-')}" if verdict in MARKS else "verdict-none"


def mark_side(runs: int) -> float:
    """Side in pixels of the mark for `runs` scored runs: area grows with the runs, within what can be seen."""
    return round(min(LARGEST_SIDE, max(SMALLEST_SIDE, 1.3 * math.sqrt(runs))), 1)


def _axis(height: int, margin: float) -> str:
    foot = height - BOTTOM
    band = f'<rect class="band" x="{_x(-margin)}" y="{TOP - 6}" width="{96 * margin:g}%" height="{foot - TOP + 10}"/>'
    ticks = "".join(_tick(points, foot) for points in TICKS)
    return (
        f'<g class="axis" fill="currentColor">{band}{ticks}'
        '<text x="0" y="14">← fewer correct results</text>'
        '<text x="100%" y="14" text-anchor="end">more correct results →</text>'
        f'<text x="50%" y="{foot + 36}" text-anchor="middle">no difference</text></g>'
    )


def _tick(points: int, foot: int) -> str:
    x = _x(points / 100)
    kind = "zero" if points == 0 else "grid"
    anchor = {-100: "start", 100: "end"}.get(points, "middle")
    at = {-100: "0", 100: "100%"}.get(points, x)
    label = f"{points:+d} pp".replace("-", "\u2212") if points else "0"
    return (
        f'<line class="{kind}" x1="{x}" x2="{x}" y1="{TOP - 6}" y2="{foot + 6}" stroke="currentColor"/>'
        f'<text x="{at}" y="{foot + 21}" text-anchor="{anchor}">{label}</text>'
    )


def _row(row: ForestRow, top: int) -> str:
    track = top + 62
    words = f"{MARKS[row.verdict]} {row.verdict}" if row.verdict in MARKS else row.verdict
    return (
        f'<g class="row {verdict_class(row.verdict)}">'
        f'<text class="label" x="0" y="{top + 14}">{_short(row.label, LABEL_LIMIT)}</text>'
        f'<text class="detail" x="0" y="{top + 31}">{_short(row.detail, DETAIL_LIMIT)}</text>'
        f'<text class="word" x="100%" y="{top + 31}" text-anchor="end">{neutral(words)}</text>'
        f'<text class="numbers" x="100%" y="{top + 47}" text-anchor="end">{neutral(row.numbers)}</text>'
        f"{_span(row, track)}</g>"
    )


def _span(row: ForestRow, y: int) -> str:
    if row.interval is None:
        return f'<line class="empty" x1="2%" x2="98%" y1="{y}" y2="{y}" stroke="currentColor" stroke-dasharray="2 5"/>'
    lower, estimate, upper = (_x(bound) for bound in (row.interval.lower, row.interval.estimate, row.interval.upper))
    caps = "".join(f'<line x1="{x}" x2="{x}" y1="{y - 6}" y2="{y + 6}"/>' for x in (lower, upper))
    return (
        f'<g stroke="currentColor" stroke-width="2"><line x1="{lower}" x2="{upper}" y1="{y}" y2="{y}"/>{caps}</g>'
        f'<svg x="{estimate}" y="{y}" overflow="visible">{_mark(row.verdict, mark_side(row.runs), 0)}</svg>'
    )


def _mark(verdict: str, side: float, x: float) -> str:
    """The shape of a verdict around (x, 0), with the area of a square of this side."""
    half = side / 2
    square = f"M{x - half:g} {-half:g}h{side:g}v{side:g}h{-side:g}z"
    reach = side / math.sqrt(2)
    match verdict:
        case "proven":
            return f'<path class="mark" d="{square}" fill="currentColor"/>'
        case "harmful":
            turned = f"M{x:g} {-reach:.1f}l{reach:.1f} {reach:.1f}l{-reach:.1f} {reach:.1f}l{-reach:.1f} {-reach:.1f}z"
            return f'<path class="mark" d="{turned}" fill="currentColor"/>'
        case "no effect":
            return f'<circle class="mark" cx="{x:g}" r="{side / math.sqrt(math.pi):.1f}" fill="currentColor"/>'
        case "rehearsal":
            crossed = f"{square}m0 {side:g}l{side:g} {-side:g}"
            return f'<path class="mark hollow" d="{crossed}" stroke="currentColor" stroke-width="1.5"/>'
        case _:
            return f'<path class="mark hollow" d="{square}" stroke="currentColor" stroke-width="1.5"/>'


def _x(rate: float) -> str:
    """Where a difference stands, as a percentage of the width, with room for the caps at both ends."""
    return f"{50 + 48 * rate:.2f}%"


def _short(text: str, limit: int) -> str:
    return str(neutral(text if len(text) <= limit else head(text, limit - 1) + "…"))
