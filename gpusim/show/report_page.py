"""All about one run: text for a terminal, JSON for a program, and a page that needs nothing else."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from ..counters import DERIVED
from ..errors import GpusimError
from ..gpus import Gpu
from ..machine.check.report import NOT_LOOKED_FOR, NotLookedFor
from ..models.estimate import GUESSED_REGISTERS, estimate
from ..models.occupancy import occupancy
from .page import HERE, escape
from .plot import bank_heatmap, sector_map, svg
from .source import source
from .tables import counts_table
from .written import THIN

DARK = (
    "matchMedia('(prefers-color-scheme: dark)').matches && (document.documentElement.dataset.theme = 'dark')"
)
BODY = """body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 var(--gs-sans);
  color: var(--gs-ink); } html { background: var(--gs-bg); } h1, h2 { font-weight: 400; } h2 { margin-top: 2rem; }
  .gs-told { color: var(--gs-muted); overflow-wrap: anywhere; }
  .gs-reports pre { margin: 0; overflow-x: auto; font: inherit; } .gs-reports li { margin-bottom: .8rem; }
  @media not print { html[data-theme=dark] { color-scheme: dark; } }"""
INCLUDE = re.compile(r"#include (<[^>]*>): (.*)")


@dataclass(frozen=True)
class Examination:
    """One run and what is said about it.

    skipped : [(line, note)] of the text that was not read;  verdict : of gs.verify, where it was asked for
    """

    run: object
    gpu: Gpu
    registers: int | None = None
    skipped: tuple = ()
    verdict: object = None

    @property
    def looked(self) -> bool:
        """Whether reports were looked for at all."""
        return not isinstance(self.run.reports, NotLookedFor)

    @property
    def reports(self) -> list:
        """What went wrong, in any of the orders that were run."""
        return self.verdict.reports if self.verdict else self.run.reports

    @property
    def clean(self) -> bool:
        """Whether nothing was found, in any of the orders that were run."""
        return not self.reports and (self.verdict is None or self.verdict.ok)

    @cached_property
    def occupancy(self):
        threads = math.prod(self.run.block)
        shared = self.run.kernel.static_shared + self.run.shared_bytes
        return occupancy(self.gpu, threads, self.registers or GUESSED_REGISTERS, shared)

    @cached_property
    def estimate(self):
        """The estimate of the time, or None with a reason in `no_estimate`."""
        try:
            return estimate(self.run, self.gpu, self.registers)
        except GpusimError as error:
            object.__setattr__(self, "no_estimate", error.message)

    @property
    def sentences(self) -> list:
        """Occupancy and estimate in words, and how far to believe them."""
        guess = "" if self.registers else f" ({GUESSED_REGISTERS} registers a thread are a guess)"
        told = [f"occupancy on {self.gpu.name}: {self.occupancy}{guess}"]
        if self.verdict:
            wrong = [str(each) for each in self.verdict.outcomes if each.wrong or each.error]
            told[:0] = [f"executed: {self.verdict.executed}", *wrong]
        found = self.estimate
        told.append(f"{found}; {found.trust}" if found else f"no estimate: {self.no_estimate}")
        return told

    @property
    def notes(self) -> list:
        """What of the text was not read, in words; headers of the system on one line."""
        headers = [(line, INCLUDE.match(note)) for line, note in self.skipped]
        headers = [(line, found) for line, found in headers if found]
        named = self.run.kernel.unit.named
        told = [f"line {named(line)}: {note}" for line, note in self.skipped if not INCLUDE.match(note)]
        if headers:
            lines = f"line{'s' * (len(headers) > 1)} {', '.join(named(line) for line, _ in headers)}"
            names = " ".join(found[1] for _, found in headers)
            told.insert(0, f"{lines}: #include {names}: {headers[0][1][2]}")
        return told

    def __str__(self):
        none = "none" if self.looked else NOT_LOOKED_FOR
        reports = [str(report) for report in self.reports] or [f"reports: {none}"]
        printed = [f"printed: {line.rstrip()}" for line in self.run.printed]
        shown = dataclasses.replace(source(self.run), reports=())
        parts = ["\n".join([*self.notes, str(shown)]), str(counts_table(self.run.counts))]
        return "\n\n".join([*parts, "\n".join([*printed, *reports, *self.sentences])])

    def as_dict(self) -> dict:
        """The same as plain values, for JSON."""
        run, found = self.run, self.estimate
        names = [name for name in DERIVED if getattr(run.counts, name)]
        return {
            "kernel": run.kernel.name,
            "file": run.kernel.file,
            "grid": list(run.grid),
            "block": list(run.block),
            "gpu": self.gpu.name,
            "counts": run.counts.as_dict(),
            "derived": {name: getattr(run.counts, name) for name in names},
            "lines": {
                run.kernel.unit.named(line): _nonzero(counts)
                for line, counts in run.lines.items()
                if _nonzero(counts)
            },
            "accesses": list(map(_access, run.accesses)),
            "reports": [dataclasses.asdict(report) for report in self.reports] if self.looked else None,
            "verify": _verdict(self.verdict),
            "printed": list(run.printed),
            "skipped": [list(pair) for pair in self.skipped],
            "occupancy": dataclasses.asdict(self.occupancy),
            "estimate": {**dataclasses.asdict(found), "trust": found.trust} if found else None,
        }  # fmt: skip

    def page(self, command="") -> str:
        """An HTML page with its own styles and pictures; all text of the kernel is escaped.

        command : the command line that made it
        """
        run = self.run
        css = (HERE / "player.css").read_text(encoding="utf-8")
        reports = "".join(map(_item, self.reports))
        none = "None." if self.looked else f"{NOT_LOOKED_FOR.capitalize()}."
        made = f"{escape(run.kernel.file)}, {date.today().isoformat()}"
        parts = [
            f"<h1>{escape(run.kernel.name)}</h1>",
            f'<p class="gs-told">{made}{f"<br><code>{escape(command)}</code>" if command else ""}</p>',
            dataclasses.replace(source(run), reports=()).html(),
            _list(self.notes),
            "<h2>Reports</h2>",
            f'<ul class="gs-reports">{reports}</ul>' if reports else f"<p>{none}</p>",
            "<h2>Counts</h2>",
            counts_table(run.counts).html(),
            "<h2>Occupancy and time</h2>",
            _list(self.sentences),
            *_picture(run),
        ]
        body = "".join(parts).replace(THIN, ",")  # as reports and sentences set thousands apart
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(run.kernel.name)}: counts</title><style>{css}{BODY}</style>"
            f"<script>{DARK}</script></head><body><main>{body}</main></body></html>\n"
        )


def _item(report) -> str:
    """A report for the page: its sentences wrap, its lines of source scroll, so that the caret points right."""
    sentence, _, rest = str(report).partition("\n")
    hint = f"hint: {report.hint}" if report.hint else ""
    rest = rest.removesuffix(hint).strip("\n")
    rest = f'<pre tabindex="0">{escape(rest)}</pre>' if rest else ""
    return f"<li>{escape(sentence)}{rest}{escape(hint)}</li>"


def _verdict(verdict):
    """A verdict of gs.verify as plain values; None where none was asked for."""
    if verdict is None:
        return None
    outcomes = [
        {"order": each.order, "wrong": each.wrong, "error": each.error or None} for each in verdict.outcomes
    ]
    return {"ok": verdict.ok, "executed": verdict.executed, "outcomes": outcomes}


def _access(access) -> dict:
    place = {name: getattr(access, name) for name in ("line", "column", "kind", "space", "array", "size")}
    return {**place, "counts": _nonzero(access.counts)}


def _nonzero(counts) -> dict:
    return {name: value for name, value in counts.as_dict().items() if value}


def _list(sentences) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f"<ul>{items}</ul>" if items else ""


def _picture(run):
    """The costliest request of the line that wastes most, drawn; nothing where that cannot be."""
    worst = next((row.line for row in source(run).rows if row.hot), None)
    try:
        events = [
            event for event in run.trace(0, 0) if event.line == worst and event.sectors + event.wavefronts
        ]
        event = max(events, key=lambda each: each.sectors + each.wavefronts)
        draw = bank_heatmap if event.space == "shared" else sector_map
        picture = svg.of(draw(event))
    except (GpusimError, ImportError, ValueError):  # no such line, too long to trace, no matplotlib
        return
    yield f"<h2>Line {worst} wastes most</h2>"
    yield f'<div class="gs-plot">{picture}</div>'
