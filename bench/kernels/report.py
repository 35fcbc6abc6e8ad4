"""What was measured as tables: medians, spreads, ratios, and the bars of rows.py."""
import json
import re
import statistics
import subprocess
import time

import numpy as np

SETS = ("first", "second", "third", "fourth")


def spread(times):
    """Half the distance of the quartiles, of the median."""
    low, high = np.percentile(times, [25, 75])
    return (high - low) / 2 / statistics.median(times)


def noise_of(times, peer):
    """By how much runs differ: a two-hundredth, or both spreads together but no more than a
    hundredth."""
    noise = spread(times["kjit"]) + (spread(times[peer]) if peer in times else 0)
    return min(max(noise, 0.005), 0.01)


def bars_of(row, result, floor):
    """[(the bar's name, its limit, kjit's ratio or None, the verdict)]. What is over by no more than
    noise is even."""
    found, times = [], result["times"]
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, limit in row.bars.items():
        if name == "expert or floor":
            name = "expert" if "expert" in medians else "floor"
        base = floor if name == "floor" else medians.get(name)
        if name != "floor" and name not in {**times, **result["failures"]}:
            continue  # it was not asked for
        if not base or "kjit" not in medians:
            found.append((name, limit, None, "not measured"))
            continue
        ratio = medians["kjit"] / base
        even = limit + noise_of(times, name)
        verdict = "met" if ratio <= limit else "even" if ratio <= even else "MISSED"
        found.append((name, limit, ratio, verdict))
    return found


class Report:
    def __init__(self):
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line.rstrip())


def cell(times):
    """A median with its spread."""
    if not times:
        return f"{'-':>10} {'':5}"
    return f"{statistics.median(times):10.1f} ±{100 * spread(times):<4.1f}"


def table(report, results, name):
    """Times of the rows of a set, then kjit's ratios and bars."""
    width = max(len(row.name) for row, _, _ in results if row.set == name) + 1
    columns = ["kjit", "numba", "nvcc", "nvrtc", "axes", "expert", "plain"]
    report.say(f"\nThe {name} set, microseconds of the GPU: median ± half the distance of the "
               "quartiles in %")
    report.say(f"{'':{width}}" + "".join(f"{c:>10}{'':7}" for c in [*columns, "library"])
               + f"{'floor':>10}")
    for row, result, floor in results:
        if row.set != name:
            continue
        library = next((n for n in ("CUB", "cuBLAS") if n in result["times"]), None)
        cells = [cell(result["times"].get(c)) for c in columns]
        cells.append(cell(result["times"].get(library)))
        report.say(f"{row.name:{width}}" + " ".join(cells)
                   + (f" {floor:9.1f}" if floor else f" {'-':>9}")
                   + (f"  {library}" if library else ""))
    report.say(f"\nkjit's median over that of (bar): {name} set")
    for row, result, floor in results:
        if row.set != name:
            continue
        medians = {n: statistics.median(t) for n, t in result["times"].items()}
        words, named = [], set()
        for peer, limit, ratio, verdict in bars_of(row, result, floor):
            named.add(peer)
            words.append(f"{peer} ({limit:.2f}) " + (f"{ratio:.3f} " if ratio else "") + verdict)
        for peer in [*medians, "floor"]:
            base = floor if peer == "floor" else medians[peer]
            if peer not in named and peer != "kjit" and base and "kjit" in medians:
                words.append(f"{peer} {medians['kjit'] / base:.3f}")
        report.say(f"{row.name:{width}} " + ", ".join(words))


def tell_failures(report, results):
    """Each complaint once, with the rows it is about."""
    about = {}
    for row, result, _ in results:
        for name, why in result["failures"].items():
            about.setdefault((name, why), []).append(row.name)
    for (name, why), names in about.items():
        where = "every row" if len(names) == len(results) else "; ".join(names)
        report.say(f"{name}: {why} ({where})")


def over_floors(results):
    """The geometric mean of kjit's median over the floor, and of how many rows that is."""
    ratios = [statistics.median(result["times"]["kjit"]) / floor for _, result, floor in results
              if floor and "kjit" in result["times"]]
    return (statistics.geometric_mean(ratios), len(ratios)) if ratios else (None, 0)


def slower_than(results, peer):
    """Rows in which kjit is behind a peer, and by how much; noise is none of it."""
    found = []
    for row, result, _ in results:
        times = result["times"]
        if "kjit" in times and peer in times:
            ratio = statistics.median(times["kjit"]) / statistics.median(times[peer])
            if ratio > 1 + noise_of(times, peer):
                found.append(f"{row.name} {ratio:.3f}")
    return found


def summary(report, results):
    for name in SETS:
        met = missed = unknown = 0
        slow = []
        for row, result, floor in results:
            if row.set != name:
                continue
            verdicts = [verdict for *_, verdict in bars_of(row, result, floor)]
            unknown += "not measured" in verdicts
            good = "MISSED" not in verdicts and "kjit" in result["times"]
            met, missed = met + good, missed + (not good)
            if not good:
                slow.append(row.name)
        if met + missed:
            report.say(f"{name} set: {met} of {met + missed} rows meet what bars could be measured"
                       + (f" ({unknown} rows lack a peer)" if unknown else "")
                       + ("; not: " + "; ".join(slow) if slow else ""))
        mine = [result for result in results if result[0].set == name]
        mean, count = over_floors(mine)
        if count:
            report.say(f"{name} set: {mean:.3f} times the floor, the geometric mean of {count} "
                       "rows")
        for peer in ("numba", "nvcc"):
            behind = slower_than(mine, peer)
            if behind:
                report.say(f"{name} set: slower than {peer}: " + "; ".join(behind))


def tell_compilations(report, results):
    """What kjit's own part of compiling cost, variants for small and full sizes alike."""
    compiled = [(times[0], times[1], row.name) for row, result, _ in results
                for times in result["compiled"]]
    if compiled:
        most = max(compiled)
        report.say(f"{len(compiled)} compilations: kjit's own part {most[0]:.2f} ms at most "
                   f"({most[2]}), median {statistics.median(c[0] for c in compiled):.2f} ms; "
                   f"NVRTC's median {statistics.median(c[1] for c in compiled):.0f} ms")


def ranks(values):
    """The place of each among all, from the least; those that are equal share theirs."""
    return [sum(other < value for other in values) + sum(other == value for other in values) / 2
            for value in values]


def rank_correlation(pairs):
    """Spearman's, of pairs of numbers."""
    first, second = (ranks(values) for values in zip(*pairs))
    return float(np.corrcoef(first, second)[0, 1])


def tell_estimates(report, results):
    """How kjit's estimates go with what was measured."""
    pairs = [(result["estimate"], statistics.median(result["times"]["kjit"]), row.name)
             for row, result, _ in results if result["estimate"] and "kjit" in result["times"]]
    if len(pairs) < 3:
        return
    off = sorted(pairs, key=lambda pair: abs(np.log(pair[0] / pair[1])))
    report.say(f"estimates: rank correlation {rank_correlation([pair[:2] for pair in pairs]):.2f} with the times "
               f"of {len(pairs)} rows, half of them within a factor of "
               f"{np.exp(abs(np.log(off[len(off) // 2][0] / off[len(off) // 2][1]))):.2f}; farthest off: "
               + "; ".join(f"{name} {estimate / time:.2f}" for estimate, time, name in off[:-6:-1]))


def figures(times):
    """{contender: what is kept of its samples}"""
    return {name: {"median": round(statistics.median(taken), 3), "least": round(min(taken), 3),
                   "quartiles": [round(q, 3) for q in np.percentile(taken, [25, 75])],
                   "most": round(max(taken), 3), "rounds": len(taken)}
            for name, taken in times.items()}


def drivers_version():
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True)
        return done.stdout.split("\n")[0].strip() or "unknown"
    except OSError:
        return "unknown"


def write(measurement, results, options, seconds):
    """Prints the report; with --out also writes it, and every figure."""
    report = Report()
    report.say(f"\ndate:    {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}, "
               f"{seconds:.0f} s")
    report.say(f"GPU:     {measurement.gpu} ({measurement.arch}), driver {drivers_version()}")
    report.say("command: make bench-gpu (bench/kernels/measure.py)"
               + (f" --only {options.only!r}" if options.only else "")
               + (f" --peers {options.peers}" if not options.peers.startswith("kjit,") else "")
               + (" --quick" if options.quick else ""))
    report.say(f"numba:   {measurement.numba or 'not measured'}")
    report.say(f"copy:    {measurement.rates['bytes'] / 1e6:.3f} TB/s read plus written, 1 GiB")
    report.say("fused:   " + ", ".join(
        f"{rate / 1e6:.1f} of {name}" for name, rate in measurement.rates.items()
        if name != "bytes") + ", 10^12 multiplications and additions in one a second")
    for name in SETS:
        if any(row.set == name for row, _, _ in results):
            table(report, results, name)
    report.say()
    summary(report, results)
    tell_compilations(report, results)
    tell_estimates(report, results)
    tell_failures(report, results)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^a-z0-9]+", "-", measurement.gpu.lower().replace("nvidia", "")).strip("-")
        (options.out / f"kernels-{name}.txt").write_text("\n".join(report.lines).lstrip() + "\n")
        (options.out / f"kernels-{name}.json").write_text(json.dumps({
            "gpu": measurement.gpu, "rates_a_us": measurement.rates, "rows": len(results)})[:-1]
            + ', "measured": [\n' + ",\n".join(json.dumps({
                "name": row.name, "set": row.set, "floor_us": floor, "bars": row.bars,
                "us": figures(result["times"]), "failures": result["failures"],
                "compiled_ms": result["compiled"], "estimate_us": result["estimate"]}) for row, result, floor in results) + "\n]}\n")
