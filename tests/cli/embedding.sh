# docs/embedding.md: each section's programs and commands, in a folder with examples/hist.k.
#
# A block ```c goes to the file that its first line names, "/* NAME.c: ..."; the blocks ```sh of a
# section run one after the other. A block whose first line is "/* from FILE */" stands in that file
# as it is here. Without NVRTC nothing is built for GPUs.
awk '/^## / { section++ }
     /^```$/ { file = ""; next }
     /^```c$/ { getline
                if ($2 == "from") {
                    file = "part" ++parts
                    print $3 >(file ".of")
                    next
                }
                file = section "." substr($2, 1, length($2) - 1) }
     /^```sh$/ { file = section ".sh"; next }
     file { print >file }' "$ROOT/docs/embedding.md"
case $BUILD in /*) library=$BUILD ;; *) library=$ROOT/$BUILD ;; esac
mkdir bin
cat >bin/pkg-config <<S
#!/bin/sh
echo "-Wall -Wextra -Werror -I$ROOT/include -L$library -lkjit -Wl,-rpath,$library"
S
ln -s "$KJIT" bin/kjit
chmod +x bin/pkg-config
archs='s/x/x/'
"$KJIT" build "$ROOT/examples/hist.k" --emit ptx >/dev/null 2>&1 ||
    archs='s/--arch [a-z0-9_,]*,cpu/--arch cpu/'
# Sanitizers want to be loaded before programs that lack them.
holds test -s 1.sh -a -s part1
case $BUILD in *asan* | *tsan*) sections= ;; *) sections=$(echo [0-9]*.sh) ;; esac
for section in $sections; do
    number=${section%.sh}
    mkdir "$number"
    cp "$ROOT/examples/hist.k" "$number"
    for program in "$number".*.c; do
        cp "$program" "$number/${program#$number.}"
    done
    sed "$archs" "$section" >"$number/all.sh"
    expect 0 env PATH="$PWD/bin:$PATH" sh -exc "cd $number && . ./all.sh"
done
# What some of them print; a program is told by its name, whatever its section's number.
prints() # PROGRAM PATTERN...
{
    folder=$(dirname */"$1.c")
    arguments=
    [ "$1" != replay ] || arguments='captures/histogram-*'
    expect 0 sh -c "cd $folder && ./$1 $arguments"
    shift
    says out "$@"
}
if [ "$sections" ]; then
    prints call '^3 0.5 40$'
    prints config '^254 1792 999000$'
    prints prepared '^500$'
    prints eager '^9 4$'
    prints threads '^8 threads, 1 compilation$'
    prints faults '^wrong.k:1:11: error: ' '^KJIT_FAULT: faults.k:4:12: IndexError: index 100 '
    prints facts '^launches: 1, compilations: 0, from disk: 1$'
    prints send ' bytes, 1000 samples$'
    compiler=$KJIT_CC KJIT_CC=/none # these need no compiler
    prints count '^1000 of 1000 samples are in bin 75$'
    prints load '^5000 of 5000 samples are in bin 75$' '^note: there is histogram\(float64\[:\], '
    KJIT_CC=$compiler
    prints replay '^histogram ran again, after '
fi
# Those in examples/embed are C++ too.
for name in arrays streams graphs solver; do
    program=$(ls [0-9]*."$name.c")
    expect 0 cmp "$program" "$ROOT/examples/embed/$name.c"
    [ "$sections" ] || continue
    expect 0 ${CC:-cc} -x c++ -Wall -Wextra -Werror "-I$ROOT/include" "$program" -x none \
        "-L$library" -lkjit "-Wl,-rpath,$library" -o "$name"
    expect 0 "./$name" cpu
    case $name in
    arrays) says out '^105 103 101$' '^123 121 119$' ;;
    streams) says out '^3 after [0-9.]+ ms$' ;;
    graphs) says out '^25\.207$' ;;
    solver) says out '^2100 steps, the last changed 9\.2e-04; in the middle 10\.735, ' ;;
    esac
done
for part in part*.of; do
    part=${part%.of}
    expect 0 awk -v RS='\001' 'NR == 1 { part = $0 } END { exit !index($0, part) }' "$part" \
        "$ROOT/$(cat "$part.of")"
done
