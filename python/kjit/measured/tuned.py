"""tune(): the configurations of a kernel, and which of them is the fastest."""
import html
import os

from kjit.measured.command import asked, words_of
from kjit.measured.drawn import bars, short


class Configuration:
    """One of them: `values` of its parameters, the median `ms` (None if it did not run), and what came of it."""

    def __init__(self, found):
        self.values, self.ms = found.get("config") or {}, found.get("ms")
        self.outcome, self.json = found.get("outcome", "ok"), found

    @property
    def name(self):
        return ", ".join(f"{name}={value}" for name, value in self.values.items()) or "as it stands"

    def __repr__(self):
        return f"<{self.name}: {self.outcome if self.ms is None else f'{self.ms:.4g} ms'}>"


class Tuning(list):
    """Configurations that were tried, the fastest first; `best` is None where none is known to be the fastest, and
    `undecided` says why; `untuned` is the kernel as it stands."""

    def __init__(self, found):
        super().__init__(sorted(map(Configuration, found["results"]), key=lambda it: (it.ms is None, it.ms)))
        self.kernel, self.file, self.undecided, self.json = found["kernel"], found["file"], found["undecided"], found
        self.untuned = Configuration(found["untuned"]) if found["untuned"] else None
        self.best = Configuration(found["best"]) if found["best"] else None
        self.count = found["configurations"]

    def _repr_html_(self):
        said = f"best: {self.best.name}, {short(self.best.ms)} ms" if self.best else f"no winner: {self.undecided}"
        rows = [(it.name, it.ms) for it in self[:20] if it.ms is not None]
        if self.untuned and self.untuned.ms is not None:
            rows.append(("untuned", self.untuned.ms))
        return (f"<p><b>{html.escape(self.kernel)}</b>: {len(self)} of {self.count} configurations; {html.escape(said)}</p>"
                f"{bars(rows)}")


def tune(target, budget=None, seed=1, tune=None, wisdom=True, **values):
    """Searches the configurations of a file's kernel, `tune("matmul.k:product", budget="30s")`, as `kjit tune` does: a
    Tuning. `tune` has parameters and their values, as -T takes them; the best is noted beside the file unless `wisdom` is
    False, and launches find it there."""
    words = ["--seed", str(seed), "--quiet", *(["--budget", str(budget)] if budget else [])]
    words += [] if wisdom else ["--no-wisdom"]
    words += [word for name, choice in (tune or {}).items() for word in ("-T", f"{name}={choice}")]
    grid = ["--grid", str(values.pop("grid"))] if "grid" in values else []
    defines = [word for name, value in (values.pop("defines", None) or {}).items() for word in ("-D", f"{name}={value}")]
    return Tuning(asked("tune", os.fspath(target), *words, *grid, *defines, *words_of(values)))
