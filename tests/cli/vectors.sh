# Loops over threads are vectors: what gcc says of the C that kernels become. -march is a plain one,
# so that the answer does not hang on the machine.
command -v gcc >/dev/null || return 0
flags='-std=gnu11 -O3 -march=x86-64-v3 -fwrapv -fno-math-errno -fno-trapping-math
    -fno-strict-aliasing -fopenmp -ffp-contract=fast -w -c -x c -o code.o'

# vector FILE:KERNEL SIGNATURE TEXT...: the line of the file that has TEXT is a vector loop.
vector()
{
    kernel=$1 source=$ROOT/bench/kernels/${1%%:*} sig=$2
    shift 2
    expect 0 "$KJIT" build "$ROOT/bench/kernels/$kernel" --emit c \
        --facts="narrow,alone,elements_to_4096$block" \
        --sig "$sig" -o code.c
    expect 0 gcc $flags code.c -fopt-info-vec
    cp err report
    for text; do
        lines=$(awk -v name="def ${kernel##*:}(" -v text="$text" '
            index($0, "def ") == 1 { inside = index($0, name) == 1 }
            inside && index($0, text) { print FNR; exit }' "$source")
        # The loop may count as a line beside that of what it does.
        says report ":($((lines - 1))|$lines|$((lines + 1))):[0-9]+: optimized: loop vectorized"
    done
}

# Threads that meet: of blocks whose size is known.
meets()
{
    block=,block=$1
    shift
    vector "$@"
    block=
}

block=
f='float32[::1]' m='float32[:,::1]'
vector elementwise.k:inc "inc($f)" 'a[i] += 1'
vector elementwise.k:mult "mult($f, $f, $f)" 'product[i] ='
vector elementwise.k:saxpy "saxpy(float32, $f, $f)" 'y[i] ='
vector elementwise.k:clip 'clip(int16[::1], int16, int16, int16[::1])' 'clipped[i] ='
vector elementwise.k:threshold 'threshold(uint8[:,::1], int64, uint8[:,::1])' 'marked[row, col]'
vector elementwise.k:masked_update "masked_update($m, bool[:,::1], float32)" 'values[row, col]'
vector elementwise.k:multiply_complex \
    'multiply_complex(complex64[::1], complex64[::1], complex64[::1])' 'z[i] ='
vector elementwise.k:blend "blend($f, $f, $f, $f)" 'mixed[i] ='
vector stencils.k:conv3 "conv3($f, $f)" 'mean[i] ='
vector stencils.k:stencil5 "stencil5($m, $m)" 'later[i, j] ='
vector stencils.k:stencil7 'stencil7(float64[:,:,::1], float64, float64[:,:,::1])' 'total = '
vector reductions.k:dot "dot($f, $f, float64[::1])" 'mine += ' 'cuda.atomic.add'
vector reductions.k:row_sums "row_sums($m, $f)" 'sums[i] +='
vector reductions.k:banded "banded($f, $f, $f)" 'sum += p[i - j]'
vector histograms.k:count_above "count_above($f, float32, int32[::1])" 'x[i] <= limit'
vector matrices.k:matmul_naive "matmul_naive($m, $m, $m)" 'sum += '
vector matrices.k:matmul_memory "matmul_memory($m, $m, $m)" 'out[i, j] +='
vector matrices.k:matmul_batched \
    'matmul_batched(float32[:,:,::1], float32[:,:,::1], float32[:,:,::1])' 'sum += '

meets 256 reductions.k:tree_sum "tree_sum($f, $f)" 'mine += ' 'part[t] += part[t + half]'
meets 32x32 matrices.k:transpose_shared "transpose_shared($m, $m)" 'turned[left + y'
meets 16x16 matrices.k:matmul_shared "matmul_shared($m, $m, $m)" 'sum += near_a'

# So are those of functions of math, with gcc and with clang: one by one, and several together.
for value in 'math.exp(x[i]) + math.log(x[i]) + math.sin(x[i]) + math.cos(x[i]) + math.tan(x[i])' \
    'math.pow(x[i], y[i])' 'x[i] ** y[i]' 'math.sqrt(x[i])' 'math.tanh(x[i])' \
    'math.atan2(x[i], y[i])' 'math.log2(x[i])' 'math.log1p(x[i])' 'math.expm1(x[i])'; do
    cat >math.k <<E
from numba import cuda
import math
@cuda.jit
def functions(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = $value
E
    for type in float32 float64; do
        expect 0 "$KJIT" build math.k --emit c --facts=narrow,alone,elements_to_4096 \
            --sig "functions($type[::1], $type[::1])" -o code.c
        expect 0 gcc $flags code.c -fopt-info-vec
        says err 'math\.k:.* optimized: loop vectorized'
        command -v clang >/dev/null || continue
        expect 0 clang $flags code.c -Rpass=loop-vectorize
        says err 'vectorized loop'
    done
done

# And those of half floats.
cat >half.k <<'E'
from numba import cuda
@cuda.jit
def squares(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * x[i]
E
for type in float16 bfloat16; do
    expect 0 "$KJIT" build half.k --emit c --facts=narrow,alone,elements_to_4096 \
        --sig "squares($type[::1], $type[::1])" -o code.c
    expect 0 gcc $flags code.c -fopt-info-vec
    says err 'half\.k:.* optimized: loop vectorized'
    command -v clang >/dev/null || continue
    expect 0 clang $flags code.c -Rpass=loop-vectorize
    says err 'vectorized loop'
done

# Masks of vectors that are not AVX-512's, by the compiler at its best.
expect 0 env KJIT_CC='gcc -O3' "$KJIT" test "$ROOT/tests/golden/threads/rows_that_gather.out"
