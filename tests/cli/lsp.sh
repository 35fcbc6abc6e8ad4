# The language server: recorded sessions, what clients should not send, and Neovim where it is.
cat >scale.k <<'K'
"""Scales numbers: “ä” is before what is measured, 𝄞 takes two units of UTF-16."""
from numba import cuda, float32, zeros
from helper import twice

WIDTH = 2


@example(x=arange(64, dtype=float32), out=zeros(64, dtype=float32), last=zeros(1, dtype=float32),
         grid=2, block=32)
@cuda.jit
def scale(x, out, last):
    """Each element, scaled."""
    # 𝄞
    i = cuda.grid(1)
    if i < x.size:
        value = twice(x[i] * WIDTH)
        out[i] = value
        last[0] = value
K
sed -i '2s/, zeros//' scale.k
sed 's/twice(x\[i\]/twice(y[i]/' scale.k >misspelt.k
cat >helper.k <<'K'
def twice(x):
    return x + x
K
holds python3 -B "$ROOT/tests/lsp/play.py" "$ROOT/tests/lsp/editing.session" "$KJIT" lsp

# What no client should send: no JSON, no method, a length that is none, an end in the middle.
ask() # TEXT...: each as a message
{
    for text; do
        printf 'Content-Length: %d\r\n\r\n%s' "${#text}" "$text"
    done
}
exit='{"jsonrpc":"2.0","method":"exit"}'
ask '{"id":1,' '{"id":2,"method":"kjit/dance","params":{}}' '{"method":7}' '[]' '3' '{"id":4}' \
    '{"method":"textDocument/didOpen"}' '{"id":3,"method":"shutdown"}' "$exit" >in
expect 0 sh -c '"$KJIT" lsp <in'
says out '"code":-32700' '"id":2.*-32602' '"id":3,"result":null'
ask '{"id":1,"method":"initialize"}' "$exit" >in
expect 1 sh -c '"$KJIT" lsp <in'
printf 'Content-Length: 99999999999\r\n\r\n{}' >in
expect 1 sh -c '"$KJIT" lsp <in'
printf 'Content-Length: 50\r\n\r\n{"id":1' >in
expect 1 sh -c '"$KJIT" lsp <in'
expect 2 "$KJIT" lsp scale.k
says err 'an editor says which files are open'

if command -v nvim >/dev/null; then
    expect 0 env FOLDER="$PWD" SAID="$PWD/said" XDG_CONFIG_HOME="$PWD/none" \
        XDG_STATE_HOME="$PWD/none" XDG_DATA_HOME="$PWD/none" \
        nvim --headless -u NONE -i NONE -n -c "luafile $ROOT/tests/lsp/editor.lua" -c cquit
    says said 'remark: float32 becomes float64 here' 'hover: .*value: float64' \
        'definition: line 1' "error: 'y' is not defined" 'finding: two threads' '^ended'
    silent said 'nothing came of'
else
    skips 8 'there is no neovim: make packages KINDS=browser installs it'
fi
