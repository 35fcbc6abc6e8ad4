# The report of `kjit tune`, in a browser: the page's own script has to fill it, and clicks to sort.
export OMP_NUM_THREADS=1
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
cat >sum.k <<'K'
"""Sums, with a name that a page could trip over: </script><b>."""
width = 1
kind = 0


@tune(width=[2, 4, 16, 8], kind=[0, 1], block="width", problem="x.shape[0]")
@example(x=arange(64, dtype=float32), out=zeros(64, dtype=float32), took=zeros(1))
@cuda.jit
def sums(x, out, took):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = x[i] * 2 + kind
    if i == 0: # by the tests' clock: tests/paced/paced.h
        took[0] = 1 + 0.01 * width
K
expect 0 "$PACED" tune sum.k --device cpu -q --no-wisdom --report report.html --t4 t4.json \
    --csv report.csv
cp out table
# The best that is named is the best row of all that is written.
holds python3 - <<'P'
import csv, json, re
page = open("report.html").read()
data = json.loads(re.search('<script id="data"[^>]*>(.*?)</script>', page, re.S)[1])
values = [value for value in data["values"] if value is not None]
best = data["best"]["objective"]
assert best == min(values) == data["values"][data["winner"]] == data["best"]["record"]["ms"]
rows = [float(row["objective"]) for row in csv.DictReader(open("report.csv")) if row["objective"]]
times = [next(each["value"] for each in result["measurements"] if each["name"] == "time")
         for result in json.load(open("t4.json"))["results"] if result["invalidity"] == "correct"]
assert best == min(rows) == min(times), (best, rows, times)
shown = [float(each) for each in re.findall(r"^[* ] ([0-9.]+) ms ", open("table").read(), re.M)]
assert len(shown) == 4 and shown == sorted(shown) and abs(shown[0] - best) < 1e-3, (shown, best)
P
# Nothing is fetched from anywhere.
holds sh -c '! grep -Eo "(src|href)=|https?://[^\"]*" report.html | grep -v "www.w3.org/2000/svg"'
says report.html '"outcome":"wrong"' '"configurations":8'

# One of a run that nothing came of.
expect 3 "$PACED" tune sum.k --device cpu -q --no-wisdom --log none.jsonl -T 'kind=[1]' \
    --report none.html

if [ -z "$browser" ]; then
    skips 23 'there is no chromium: make packages KINDS=browser installs it'
else
    # What the page is after its script has run, and after clicks that this script adds.
    cat >clicks.html <<'H'
<script>
const column = n => [...document.querySelectorAll("#results tbody tr")]
    .map(row => row.children[n].textContent).join(" ");
const heads = [...document.querySelectorAll("#results th")];
const said = [];
heads[0].click();
said.push("up: " + column(0) + ", " + heads[0].getAttribute("aria-sort"));
heads[0].click();
said.push("down: " + column(0) + ", " + heads[0].getAttribute("aria-sort"));
const timed = heads.findIndex(h => h.textContent === "time");
heads[timed].click();
const times = column(timed).split(" ").filter(t => t).map(Number);
said.push("times: " + times.length + " " + times.every((t, i) => !i || times[i - 1] <= t));
said.push("dots: " + document.querySelectorAll("#parameters circle").length);
said.push("plots: " + document.querySelectorAll("#parameters svg").length);
heads[1].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
said.push("key: " + column(1) + ", " + heads[1].getAttribute("aria-sort"));
said.push("failed: " + document.querySelectorAll("#parameters .failed").length);
said.push("axis: " + [...document.querySelectorAll("#parameters svg text")]
    .filter(t => t.textContent === "time (logarithmic)").length);
said.push("line: " + (document.getElementById("best-line").getTotalLength() > 0));
said.push("untuned: " + document.querySelectorAll(".untuned").length);
said.push("bars: " + document.querySelectorAll("#parameters .interval").length);
said.push("cells: " + document.querySelectorAll("#pairs .cell").length);
said.push("best: " + document.querySelectorAll("#results tr.best").length);
document.body.insertAdjacentHTML("beforeend", "<pre id=said>" + said.join("\n") + "</pre>");
</script>
H
    cat report.html clicks.html >clicked.html
    show() # page: as it is after its scripts
    {
        timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --user-data-dir="$PWD/profile" --virtual-time-budget=5000 --dump-dom \
            "file://$PWD/$1" 2>browser.err
    }
    expect 0 show clicked.html
    says out '<title>kjit tune: sums</title>' '<h1 id="title">sums in sum.k</h1>' \
        '8 of 8 configurations' 'up: 2 2 4 4 8 8 16 16, ascending' \
        'down: 16 16 8 8 4 4 2 2, descending' 'times: 4 true' 'dots: 8<?' 'plots: 2' \
        'key: 0 0 0 0 1 1 1 1, ascending' 'failed: 8' 'axis: 2' \
        'untuned: 3<?' 'bars: 8<?' 'cells: 4<?' 'line: true' 'best: 1' \
        '<td>configuration</td>' '<td>width=[0-9]+, kind=0</td>' \
        'wrong</td>' '<pre id="source">#line'
    # The one of a run that nothing came of.
    expect 0 show none.html
    says out 'no configuration works'
fi
