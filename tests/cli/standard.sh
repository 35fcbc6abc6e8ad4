# The standard library as files called std:NAME.
export KJIT_CACHE=$KERNELS
expect 0 "$KJIT" run std:
says out '^std:histogram  *Histograms' '^    bincount  *out\[v\] \+= how many'
expect 0 "$KJIT" run std:histogram --device cpu
says out '^out  int32\[64\]'
expect 0 "$KJIT" run std:histogram:bincount --device cpu 'x=full(5, 2)' 'out=zeros(4, dtype=int64)'
says out '^out  int64\[4\]  .*\[0, 0, 5, 0\]$'
expect 2 "$KJIT" run std:histgram --device cpu
says err "the standard library has no module 'histgram'; did you mean 'histogram'\? It has .*reduce"
expect 2 "$KJIT" run std:nope --device cpu
says err "the standard library has no module 'nope'\. It has "
expect 2 "$KJIT" run std:histogram:bincuont --device cpu
says err "has no kernel 'bincuont'; did you mean 'bincount'\? It has histogram, bincount"
expect 2 "$KJIT" run std:reduce --device cpu
says err 'std:reduce has .* kernels; name one' 'std:reduce:sum$'
# Kernels that are a module's own, be it one alone, are not what a module of functions is called by.
expect 2 "$KJIT" run std:radix --device cpu 'x=[2, 1]'
says err 'std:radix is called by its functions; name one:' '^    std:radix:sort$' \
    '^    std:radix:argsort$'
expect 2 "$KJIT" run std:batched --device cpu 'a=ones((1, 2, 2))' 'b=ones((1, 3, 3))'
says err '^    std:batched:batched_product$'
expect 0 "$KJIT" build std:transpose --emit cuda
says out '__shared__'
expect 0 "$KJIT" build std:warp --emit ast
says out '^function thread_rank'

# A program imports them; a file beside it goes before, but not for the library's own imports.
cat >mean.k <<'K'
from reduce import block_sum


@example(x=arange(10, dtype=float64), out=zeros(1), grid=1, block=10)
@cuda.jit
def mean(x, out):
    total = block_sum(x[cuda.grid(1)])
    if cuda.grid(1) == 0:
        out[0] = total / x.size
K
expect 0 "$KJIT" run mean.k --device cpu
says out '\[4.5\]$'
cat >reduce.k <<'K'
def block_sum(value):
    return 70.0
K
expect 0 "$KJIT" run mean.k --device cpu
says out '\[7\]$'
expect 0 "$KJIT" run std:softmax:log_sum_exp --device cpu 'x=zeros((2, 3))' 'out=zeros(2)'
says out '\[1.09861, 1.09861\]$'
expect 1 "$KJIT" run std:softmax --device cpu 'x=[[1j, 2]]'
says err 'softmax: x is to be of real numbers'
expect 1 "$KJIT" run std:softmax --device cpu 'x=[[1, 2]]' 'out=zeros((1, 2), dtype=int64)'
says err 'give an array of floats for out'
holds test "$(grep -c 'error:' err)" -eq 1
# The example's out can hold the result.
result()
{
    expect 0 "$KJIT" run --device cpu "$@"
}
result std:softmax 'x=[[1, 2], [3, 4]]'
says out '^out  float64\[2, 2\]  .*\[0.268941, 0.731059, '
result std:softmax:log_sum_exp 'x=[[True], [False]]'
says out '^out  float64\[2\]  .*\[1, 0\]$'
result std:matmul 'a=[[1, 2], [3, 4]]' 'b=[[1.5, 0], [0, 1]]'
says out '^out  float64\[2, 2\]  .*\[1.5, 2, 4.5, 4\]$'
result std:matmul 'a=[[float32(2)]]' 'b=[[1.5j]]'
says out "^out  complex128\\[1, 1\\]  .*3j\\)\\]\$"
result std:reduce:sum 'x=array([100, 100], dtype=int8)'
says out '^out  int64\[1\]  .*\[200\]$'
result std:reduce:product 'x=array([100, 100], dtype=uint8)'
says out '^out  uint64\[1\]  .*\[10000\]$'
result std:reduce:maximum 'x=array([1, 2], dtype=float32)' 'out=zeros(1)'
says out '^parts  float64'
result std:scan:inclusive_sum 'x=array([100, 100], dtype=int8)'
says out '^out  int64\[2\]  .*\[100, 200\]$'
result std:interpolate:resize 'image=[[1, 2], [3, 4]]' 'out=zeros((1, 3))'
says out '^out  float64\[1, 3\]'
# What a kernel does not take is reported of the kernel, not of a line that was never written.
for kernel in sort sort:argsort; do
    expect 1 "$KJIT" run std:$kernel --device cpu 'x=[1j]'
    says err "error: ${kernel#sort:}: only integers and floats have an order to sort by"
    says err "note: in the call ${kernel#sort:}\\(complex128"
    holds test "$(grep -c 'std:sort' err)" -eq 2
done
expect 1 "$KJIT" run std:reduce:maximum --device cpu 'x=[1j]'
says err "error: maximum: x is to be of real numbers, and this is a complex128\[::1\] array"
expect 1 "$KJIT" run std:histogram --device cpu 'x=[1j]'
says err "error: histogram: x is to be of real numbers, and this is a complex128\[::1\] array"
expect 1 "$KJIT" run std:histogram --device cpu low=1j
says err "error: histogram: low is to be a real number, and this is a complex128"
# What is too small is told with --debug; without, nothing is written.
expect 0 "$KJIT" run std:scan:exclusive_sum --device cpu 'out=zeros(64, dtype=int8)'
says out '^out  int8\[64\]  min 0  max 0 '
holds test ! -s err
expect 3 "$KJIT" run std:scan:exclusive_sum --device cpu --debug 'out=zeros(64, dtype=bool)'
says err 'std:scan.*ValueError: out has fewer elements than x, in exclusive_sum\(\)'
expect 3 "$KJIT" run std:reduce:sum --device cpu --debug --grid 257x32
says err 'ValueError: parts has fewer elements than the grid has blocks'
expect 0 "$KJIT" run std:sort --device cpu 'x=[True, False, True]'
says out 'out  bool.*False, True, True'
rm mean.k reduce.k

# C compilers take long for functions of many loops: in long kernels each stretch is one of its own.
mkdir c
for module in histogram matmul reduce scan softmax sort; do
    expect 0 "$KJIT" build "std:$module" --emit c -o c/
done
awk 'FNR == 1 || /^[a-zA-Z].*\(/ { loops = 0 } /^ .*EACH_THREAD/ { loops++ }
     loops > most { most = loops } END { print "most", most }' c/*.c >out
says out '^most ([2-9]|1[0-6])$'
awk '/^NEVER_INLINE void/ { functions++ } END { print functions }' c/sort.c >out
says out '^[3-6][0-9]$'
rm -r c
