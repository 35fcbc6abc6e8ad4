# The pages of `kjit bench --report` and `kjit build --report`, in a browser: their scripts have to
# fill them, and a click on a line has to find what became of it.
export OMP_NUM_THREADS=1
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
cat >two.k <<'K'
"""Two kernels, with a text that a page could trip over: </script><b> @DATA@."""


@example(x=arange(64, dtype=float32), y=zeros(64, dtype=float32), took=zeros(1), grid=1, block=64)
@cuda.jit
def adds(x, y, took):
    i = cuda.grid(1)
    y[i] = x[i] * 2 + 1
    if i == 0: # by the tests' clock: tests/paced/paced.h
        took[0] = 1


@example(x=arange(64, dtype=int32), y=zeros(64, dtype=int32), took=zeros(1), grid=1, block=64)
@cuda.jit
def moves(x, y, took):
    i = cuda.grid(1)
    y[i] = x[i]
    if i == 0:
        took[0] = 2
K
expect 0 "$PACED" bench two.k --device cpu --samples 9 --json
cp out first.json
expect 0 "$PACED" bench two.k:adds --device cpu --samples 9 --json
cp out second.json
expect 0 "$PACED" bench two.k --device cpu --samples 9 --report bench.html --history first.json \
    --history second.json
says out 'cold ' # what is said without it is said
expect 0 "$PACED" bench two.k --device cpu --samples 9 --report both.html --json
cp out both.json
holds "$PYTHON" -m json.tool both.json
# Nothing is fetched from anywhere.
outside()
{
    grep -Eo "(src|href)=|https?://[^\"]*" "$1" | grep -v "www.w3.org/2000/svg"
}
holds sh -c '! grep -q "</script><b>" bench.html'
expect 1 outside bench.html

expect 2 "$PACED" bench two.k --device cpu --history first.json
says err '^kjit: --history goes with --report'
expect 3 "$PACED" bench two.k --device cpu --report x.html --history two.k
says err '^kjit: two.k:1:'
expect 3 "$PACED" bench two.k --device cpu --report nowhere/x.html
expect 2 "$PACED" bench two.k --device cpu --count --report x.html
says err '^kjit: --report makes no sense with --count'

# Where there are no NVRTC and no disassembler, their stages say so.
expect 0 env PATH=/usr/bin:/bin KJIT_NVRTC=/nowhere "$KJIT" build two.k:adds --report without.html
says without.html '"name":"ptx","why":' '"name":"sass","why":'
expect 0 "$KJIT" build two.k:adds --report build.html --arch sm_90
says build.html '"name":"cuda","text"' '"name":"schedule"' '"name":"ir-full"'
expect 1 outside build.html
expect 0 "$KJIT" build two.k:adds --report cpu.html --arch cpu
says cpu.html '"name":"c","text"'
expect 0 "$KJIT" build two.k:adds --report also.html --emit tokens
says out '^'
expect 2 "$KJIT" build two.k --report x.html
says err '^kjit: --report shows one kernel, and two.k has 2: name it, as two.k:adds$'
expect 2 "$KJIT" build two.k two.k --report x.html
says err '^kjit: --report shows a kernel of one file'
expect 3 "$KJIT" build two.k:adds --report nowhere/x.html
expect 1 "$KJIT" build two.k:adds --report x.html --sig 'adds(int32, int32, int32)'

if [ -z "$browser" ]; then
    skips 22 'there is no chromium: make packages KINDS=browser installs it'
else
    show() # page: as it is after its scripts
    {
        timeout 600 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --user-data-dir="$PWD/profile" --virtual-time-budget=5000 --dump-dom \
            "file://$PWD/$1" 2>browser.err
    }
    cat >asks.html <<'H'
<script>
const count = what => document.querySelectorAll(what).length;
document.body.insertAdjacentHTML("beforeend", "<pre id=said>" + [
  "rows: " + count("#kernels tbody tr"), "roofs: " + count("#roofline .roof"),
  "kernels: " + count("#roofline .kernel"), "frames: " + count("#distributions svg"),
  "bins: " + (count("#distributions .bin") > 3), "histories: " + count("#history svg"),
  "points: " + count("#history circle"), "whiskers: " + count("#history .interval"),
].join("\n") + "</pre>");
</script>
H
    cat bench.html asks.html >asked.html
    expect 0 show asked.html
    says out '<title>kjit bench: adds, moves</title>' 'rows: 2' 'roofs: 2' 'kernels: 2' \
        'frames: 2' \
        'bins: true' 'histories: 2' 'points: 10' 'whiskers: 10' 'Not in it, .*: moves\.'
    # Line 8 of the source: in the IR, in CUDA C, and not in the line behind it.
    cat >click.html <<'H'
<script>
document.querySelector('[data-stage=source] [data-line="8"]').click();
document.body.insertAdjacentHTML("beforeend", "<pre id=said>" +
  [...document.querySelectorAll(".pane")].map(pane => pane.dataset.stage + " lit: " +
    [...pane.querySelectorAll(".lit")].map(l => l.textContent.trim().replace(/\s+/g, " "))
      .join(" | ")).join("\n") + "</pre>");
</script>
H
    cat build.html click.html >clicked.html
    expect 0 show clicked.html
    says out '<title>kjit build: adds</title>' '^<?.*source lit: 8 y\[i\] = x\[i\] \* 2 \+ 1$' \
        '^ir-full lit: 8 store y' '^cuda lit: 8 y\['
    cat without.html click.html >clicked.html
    expect 0 show clicked.html
    says out 'class="missing">' '^cuda lit: 8 y\['
    cat cpu.html click.html >clicked.html
    expect 0 show clicked.html
    says out '^c lit: 8 .*y\['
fi
