# The cache and the doctor answer anywhere.
expect 0 "$KJIT" cache clear
expect 0 "$KJIT" cache stats
says out '^kernels +0$' '^directory  /'
expect 0 "$KJIT" cache ls
says out '^nothing in /'
cat >one.k <<'K'
@example(x=zeros(4, dtype=float32), grid=1, block=4)
@cuda.jit
def one(x):
    x[cuda.threadIdx.x] = 1
K
expect 0 "$KJIT" run one.k --device cpu
expect 0 "$KJIT" cache ls
says out ' one\('
expect 0 "$KJIT" cache stats
says out '^kernels +1$'
expect 0 "$KJIT" cache clear
says out '^removed 1 from /'
expect 0 "$KJIT" doctor
says out '^(found|missing) '
expect 0 "$KJIT" doctor --json
says out '"what": ' '"found": '
