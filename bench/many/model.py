"""What bench/many/measure.c would measure on more GPUs, from bytes, latencies and rates.

    model.py MEASURED.txt [RATES.json]

MEASURED.txt is what measure.c printed: a launch on one GPU is taken from there, and what was measured on
more stands beside what is predicted. RATES.json says what links do: "link", bytes a second between GPUs
of a host, and "net", between hosts; "link_us" and "net_us", what a message takes beside its bytes;
"launch_us", what it costs a GPU that its blocks are several launches, inner ones and edges; "host_us",
what it costs the host's process for each of its GPUs to launch these and to move a halo, no less than
which a launch takes; "hidden", the part of the halo's time that the inner blocks hide, 0 to 1; "parts", by
load, how long the code for parts takes of what that for a whole launch does, where it is other code (kjit
bench --passes). A line for 1, 2, 4 and 8 GPUs of one process, and for 8 hosts of 8, each GPU with a process of its own.
"""
import json
import re
import sys

SIDE, BINS, MEANS = 16384, 150, 32
LAUNCHES = 20  # behind each other, whose reductions are put off to the last
RATES = {"link": 3.87e11, "net": 4e10, "link_us": 27.5, "net_us": 40, "launch_us": 5, "host_us": 29, "hidden": 1,
         "parts": {"k-means": 1.461 / 1.730}}

# Bytes that one rank exchanges with each neighbour, and that it has reduced, in a launch.
LOADS = {
    "heat": {"halo": 4 * SIDE, "reduced": 0},
    "histogram": {"halo": 0, "reduced": 4 * BINS},
    "product": {"halo": 0, "reduced": 0},
    "k-means": {"halo": 0, "reduced": 8 * MEANS},
}


def message(rates, size, hosts):
    way = "net" if hosts > 1 else "link"
    return rates[way + "_us"] / 1e3 + size / rates[way] * 1e3


def milliseconds(name, rates, gpus, hosts):
    """A launch on so many GPUs in all."""
    load, part = LOADS[name], rates["one_ms"][name] / gpus
    part *= rates["parts"].get(name, 1) if gpus > 1 else 1
    took = part + (2 * rates["launch_us"] / 1e3 if gpus > 1 and load["halo"] else 0)
    if gpus > 1 and load["halo"]:
        halo = message(rates, load["halo"], hosts)
        took += max(halo - rates["hidden"] * part, halo * (1 - rates["hidden"]))
    if gpus > 1 and load["reduced"]:  # one after the other to rank 0, and back
        took += gpus * message(rates, load["reduced"], hosts) / LAUNCHES
    least = rates["host_us"] / 1e3 * (gpus if hosts == 1 else 1) if gpus > 1 and load["halo"] else 0
    return max(took, least)


def measured(path):
    lines = {}
    for line in open(path):
        found = re.match(r"(\S+).*?\s(\d+)\s+([\d.]+) ms", line)
        if found:  # the first one: whole arrays, GPUs of one process
            lines.setdefault((found[1], int(found[2])), float(found[3]))
    return lines


def main():
    there = measured(sys.argv[1])
    rates = RATES | (json.load(open(sys.argv[2])) if len(sys.argv) > 2 else {})
    rates["one_ms"] = {name: took for (name, gpus), took in there.items() if gpus == 1}
    print(f"{'':12}{'GPUs':>6}{'hosts':>7}{'ms':>12}{'speed-up':>10}{'efficiency':>12}{'measured':>12}")
    for name in LOADS:
        if name not in rates["one_ms"]:
            continue
        for gpus, hosts in (1, 1), (2, 1), (4, 1), (8, 1), (64, 8):
            took = milliseconds(name, rates, gpus, hosts)
            speed = rates["one_ms"][name] / took
            beside = there.get((name, gpus)) if hosts == 1 else None
            shown = f"{beside:.4f} ({took / beside - 1:+.0%})" if beside else ""
            print(f"{name:12}{gpus:6}{hosts:7}{took:12.4f}{speed:10.2f}{speed / gpus:12.3f}{shown:>18}")


main()
