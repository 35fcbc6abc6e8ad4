# Wisdom: kjit run takes what lies beside the kernel, and says which record and why.
case $BUILD in /*) library=$BUILD ;; *) library=$ROOT/$BUILD ;; esac
cat >scale.k <<'K'
T = 4


@example(x=ones(100, dtype=float32), y=zeros(100, dtype=float32))
@tune(T=[4, 8, 16], block="T", problem="x.shape[0]", restrict="x.shape[0] % 2 == 0")
@cuda.jit
def scale(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = x[i] * cuda.blockDim.x + 100 * T
K
cat >add.c <<'C'
/* add FILE VALUE OBJECTIVE: writes the record of a value of the first parameter. */
#include <kjit_tools.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    kjit_open_options options = { .size = sizeof options, .device = "cpu" };
    kjit_context *context = NULL;
    kjit_module *module;
    kjit_kernel *kernel;
    kjit_space *space;
    kjit_values *values;
    uint32_t config[1] = { 0 };

    if (argc != 4 || kjit_open(&options, &context) != KJIT_OK ||
        kjit_load_file(context, argv[1], NULL, &module) != KJIT_OK ||
        kjit_get_kernel(module, NULL, &kernel) != KJIT_OK ||
        kjit_values_new(&values) != KJIT_OK || kjit_values_example(values, kernel) != KJIT_OK ||
        kjit_space_new(kernel, &space) != KJIT_OK) {
        fprintf(stderr, "%s\n", kjit_error_message());
        return 1;
    }
    config[0] = (uint32_t)atoi(argv[2]);
    kjit_arg args[] = { *kjit_values_get(values, "x"), *kjit_values_get(values, "y") };
    kjit_status status = kjit_wisdom_add(space, config, args, 2, argv[3], 1.25, NULL);
    if (status != KJIT_OK)
        fprintf(stderr, "%s\n", kjit_error_message());
    kjit_space_close(space);
    kjit_values_close(values);
    kjit_close(context);
    return status != KJIT_OK;
}
C
run() { # STATUS ARGUMENT...: the command, with what it says of wisdom and of its passes in err
    wanted=$1
    shift
    expect "$wanted" "$KJIT" run scale.k --device cpu --remarks "$@"
}

# without any, @tune gives the source its own shape
run 0
says out '^y .* min 404  max 404 '
says err '^kjit: wisdom: none is taken: there is no scale\.wisdom$'
run 0 -D T=8
says out '^y .* min 808 '
run 0 --grid 100x1
says out '^y .* min 401 '
holds sh -c '! grep wisdom err'
# also where no search would try it
run 0 'x=ones(101, dtype=float32)' 'y=zeros(101, dtype=float32)'
says out '^y .* min 404  max 404 '
silent out 'was chosen'
run 0 -D T=5
says out '^y .* min 505  max 505 '
silent out 'was chosen'
expect 0 "$KJIT" bench scale.k --device cpu --count -D T=5
says out '^  launch  \[20, 1, 1\] blocks of \[5, 1, 1\] threads$'
run 1 -D T=0
says err '^scale\.k:5:[0-9]+: error: the block is 0 in x'
sed 's/% 2 == 0/% 2 == nothing/' scale.k >wrong.k
expect 1 "$KJIT" run wrong.k --device cpu
says err "^wrong\.k:5:[0-9]+: error: there is no value 'nothing'"

# Sanitizers want to be loaded before programs that lack them.
case $BUILD in *asan* | *tsan*) return ;; esac
holds cc -Wall -Wextra -Werror -I"$ROOT/include" add.c -L"$library" -lkjit \
    -Wl,-rpath,"$library" -o add
expect 0 ./add scale.k 2 time
run 0
says out '^y .* min 1616  max 1616 '
says err '^kjit: wisdom: T=16 \(scale\.wisdom:3, tuned on this device for these extents: time 1\.25'
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 1616 '
holds sh -c '! test -s err'
expect 0 "$KJIT" run scale.k --device cpu --json
says out '"how": "exact"' '"why": "scale\.wisdom:3, tuned on this device' '"configuration": "T=16"'
expect 0 "$KJIT" run scale.k --device cpu --json -D T=8
says out '"how": "constants"' '"why": ".*is given otherwise' '"configuration": ""'
expect 0 "$KJIT" run scale.k --device cpu --json --no-wisdom
silent out '"wisdom"'
expect 0 "$KJIT" bench scale.k --device cpu --count
says out '^  launch  \[7, 1, 1\] blocks of \[16, 1, 1\] threads, as tuned$'
expect 0 "$KJIT" bench scale.k --device cpu --count --no-wisdom
says out '^  launch  \[25, 1, 1\] blocks of \[4, 1, 1\] threads'
silent out 'as tuned'
run 0 --no-wisdom
says out '^y .* min 404 '
holds sh -c '! grep wisdom err'
run 0 --grid 100x1
says out '^y .* min 401 '
run 0 -D T=8
says out '^y .* min 808 '
says err "scale\.wisdom:3 is not taken: 'T' is given otherwise"
run 0 -D T=16
says out '^y .* min 1616 '
says err 'for these extents'
run 0 'x=ones(64, dtype=float32)' 'y=zeros(64, dtype=float32)'
says out '^y .* min 1616 '
says err 'for the nearest extents'
run 0 'x=ones(64)' 'y=zeros(64)'
says err 'scale\.wisdom:3 is for arguments of other types'
expect 0 "$KJIT" check scale.k
expect 0 "$KJIT" run scale.k --device check
says out '^y .* min 404 '
touch scale.out
expect 0 "$KJIT" test --device cpu --update scale.k
says scale.out '^y .* min 404 '

# an edit of the kernel, and of nothing that matters
cp scale.k kept.k
sed -i 's/100 \* T/200 * T/' scale.k
run 0
says out '^y .* min 804 '
says err 'scale\.wisdom:3 is of another text of scale: tune it again'
sed 's/^    i = /    # where\n    i = /' kept.k >scale.k
run 0
says out '^y .* min 1616 '

# what was done to the file
expect 0 ./add scale.k 1 energy
cp scale.wisdom good
sed -i '3s/objective=/objectif=/; 1a\
oh dear(' scale.wisdom
run 0
says out '^y .* min 808 '
says err "^scale\.wisdom:2:4: warning: unexpected" \
    "^scale\.wisdom:4:[0-9]+: warning: a record has no field 'objectif'; did you mean 'objective'" \
    'scale\.wisdom:5, tuned on this device'
sed '1s/1$/9/' good >scale.wisdom
run 0
says out '^y .* min 1616 '
says err '^scale\.wisdom:1:1: warning: a newer kjit has written this file'
cp scale.wisdom newer
expect 1 ./add scale.k 0 time
says err "cannot write 'scale\.wisdom': a newer kjit has written it"
holds cmp newer scale.wisdom
(printf '\357\273\277' && sed 's/$/\r/' good) >scale.wisdom
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 1616 '
holds test ! -s err
sed '4,$d; s/T=16/T=0/' good >scale.wisdom
run 0
says err 'scale\.wisdom:3 is not taken: the block is 0 in x: it takes 1 to'
expect 0 "$KJIT" run scale.k --device cpu
says err '^scale\.wisdom:3: warning: the block is 0 in x: it takes 1 to' \
    '^note: the record of this line is not used; mend it, or tune again and delete it'
sed "4,\$d; s/block=\['T'\]/block=['0']/" good >scale.wisdom
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 404 '
says err '^scale\.wisdom:3: warning: the block is 0 in x: it takes 1 to'
# block and grid are the source's to say
sed "4,\$d; s/x\.shape\[0\]'/1'/" good >scale.wisdom
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 404  max 404 '
run 0
says err "scale\.wisdom:3 is not taken: it was tuned with problem=\['1'\], and" \
    "and @tune says problem=\['x\.shape\[0\]'\]: tune again"
# what does not compile stops no program
sed "4,\$d; s/T=16/T=16, options='-mno-such'/" good >scale.wisdom
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 404  max 404 '
says err "^scale\.wisdom:3: warning: .*'-mno-such'" '^note: the record of this line is not used'
holds test "$(grep -c warning err)" = 1
sed '4,$d; s/extents=(100, 100)/extents=(500,)/' good >scale.wisdom
run 0
says err '^scale\.wisdom:3: warning: extents= has 1 number, and it takes 2' \
    'none is taken: scale\.wisdom:3 is not taken: extents= has 1 number'
sed '1s/1$/x/' good >scale.wisdom
run 0
says err '^scale\.wisdom:1:1: warning: a file of wisdom begins with'
# what @tune does not name is for remarks, and what its restrict forbids for everybody
sed '4,$d; s/T=16/T=20/' good >scale.wisdom
run 0
says out '^y .* min 2020 '
says err 'not among what @tune has to try: T=20'
expect 0 "$KJIT" bench scale.k --device cpu --count
holds test ! -s err
cp scale.k allowed.k
sed -i 's/restrict="/restrict="T < 20 and /' scale.k
expect 0 "$KJIT" run scale.k --device cpu
says out '^y .* min 404 '
says err '^scale\.wisdom:3: warning: T < 20 and .* does not hold \(restrict at scale\.k:5\)'
mv allowed.k scale.k
head -c 200 good >scale.wisdom
run 0
says out '^y .* min 404 '
says err '^scale\.wisdom:3:[0-9]+: warning: '
head -c 5000 /dev/urandom >scale.wisdom
run 0
says out '^y .* min 404 '
says err '^scale\.wisdom:1:1: warning: a file of wisdom begins with'
rm scale.wisdom
mkdir scale.wisdom
run 0
says err "warning: 'scale\.wisdom' is a folder, not a file"
expect 1 ./add scale.k 0 time
