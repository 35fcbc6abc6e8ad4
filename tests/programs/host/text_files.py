"""pathlib, csv, json, glob, io, shutil and NumPy's files of texts."""
import csv
import glob
import io
import json
import shutil
import tempfile
from pathlib import Path, PurePath

import numpy as np


def tried(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


p = Path("/a/b") / "c.tar.gz"
print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.is_absolute())
print(p.with_suffix(".zip"), p.with_name("d"), p.relative_to("/a"), tried(p.relative_to, "/x"))
print(Path("a//b/./c"), Path(), Path("x") == Path("x"), {Path("x"): 1}[Path("x")], "q" / Path("r"))
print(list(p.parents), Path(".hid").suffix, Path("a.").suffix, p.match("*.gz"), PurePath("a") < PurePath("b"))
print(f"{p}", str(p) + "!", p.joinpath("d", "e"), tried(lambda: p / 3))

with tempfile.TemporaryDirectory() as folder:
    top = Path(folder) / "x" / "y"
    top.mkdir(parents=True)
    print(tried(top.mkdir) is not None, top.mkdir(exist_ok=True), top.is_dir(), top.exists())
    text = top / "t.txt"
    print(text.write_text("a\nb\n"), text.read_text().split(), text.stat().st_size)
    print((top / "b.bin").write_bytes(b"\x01\x02"), (top / "b.bin").read_bytes())
    (top / "sub").mkdir()
    (top / "sub" / "u.txt").touch()
    print(sorted(path.name for path in top.iterdir()), sorted(path.name for path in top.glob("*.txt")))
    print(sorted(str(path.relative_to(top)) for path in top.rglob("*.txt")))
    print(sorted(path.name for path in top.glob("*/*.txt")), [Path(x).name for x in sorted(glob.glob(f"{top}/[bt].*"))])
    with text.open() as f:
        print(f.readlines())
    print(shutil.copy(text, top / "copy.txt") == top / "copy.txt", (top / "copy.txt").read_text())
    (top / "copy.txt").rename(top / "moved.txt").unlink()
    print(tried(Path("/not/there").read_text))

    table = Path(folder) / "t.csv"
    with open(table, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["a", 1, 2.5, None, 'say "x"', "b,c"])
        w.writerows([[1e-7, True, "", np.float64(0.1), "line\nend", " "], ["x"], [""]])
    print(repr(table.read_bytes()))
    with open(table, newline="") as f:
        for row in csv.reader(f):
            print(row)
    with open(table, "w") as f:
        w = csv.DictWriter(f, fieldnames=["n", "v"], lineterminator="\n")
        w.writeheader()
        w.writerow({"n": 1, "v": 2})
        w.writerows([{"n": 3, "v": 4}])
        print(tried(w.writerow, {"z": 1}))
    with open(table) as f:
        rows = list(csv.DictReader(f))
    print(rows, [int(r["v"]) for r in rows], list(csv.reader(["a;b", "'c;d';e"], delimiter=";", quotechar="'")))

    with open(Path(folder) / "j.json", "w") as f:
        json.dump({"a": [1, 2.5, None, True, {"b": "é\n"}], "c": {}}, f, indent=1)
    with open(Path(folder) / "j.json") as f:
        print(json.load(f))
    np.savetxt(table, np.arange(6.0).reshape(2, 3), fmt="%.2f", delimiter=",", header="x,y,z")
    print(table.read_text(), np.loadtxt(table, delimiter=","), np.genfromtxt(table, delimiter=",", skip_header=1)[:, 1])
    np.savetxt(table, [1.5, 2.5])
    print(table.read_text(), np.loadtxt(table))
    np.save(Path(folder) / "a.npy", np.arange(3))
    print(np.load(Path(folder) / "a.npy"))

print(json.loads('{"x": [1, -2.5e3, "a\\u00e9\\n", null, true], "y": {}}'), json.loads(" [ ] "), json.loads("3"))
for wrong in ("{", "[1,]", '{"a" 1}', "nul", "1 2", '"a', "[1 2]", "01"):
    print(tried(json.loads, wrong))
b = io.StringIO("one\ntwo\n")
print(b.readline(), list(b), b.seek(0), b.read(3))
out = io.StringIO()
print("x", 1, file=out, sep="-")
out.write("end")
print(repr(out.getvalue()), io.BytesIO(b"abc").read(2))
