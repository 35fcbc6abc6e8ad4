# docs/embedding.md: each section's programs and commands, in a folder with examples/hist.k.
#
# A block ```c goes to the file that its first line names, "/* NAME.c: ..."; the blocks ```sh of a
# section run one after the other. Without NVRTC nothing is built for GPUs.
awk '/^## / { section++ }
     /^```$/ { file = ""; next }
     /^```c$/ { getline; file = section "." substr($2, 1, length($2) - 1) }
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
holds test -s 4.sh
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
# What the programs of these sections print.
if [ -d 4 ]; then
    expect 0 sh -c 'cd 4 && KJIT_CC=/none ./count && KJIT_CC=/none ./load && ./send'
    says out '^1000 of 1000 samples are in bin 75$' '^5000 of 5000 samples are in bin 75$' \
        '^note: there is histogram\(float64\[:\], ' ' bytes, 1000 samples$'
fi
replay=$(grep -l '^\./replay ' [0-9]*.sh | head -1)
if [ -d "${replay%.sh}" ]; then
    expect 0 sh -c "cd ${replay%.sh} && ./replay captures/histogram-*"
    says out '^histogram ran again, after '
fi
# Those of the first sections are files too, and C++.
for program in 1.arrays 2.streams 3.graphs; do
    name=${program#*.}
    expect 0 cmp "$program.c" "$ROOT/examples/embed/$name.c"
    [ -d "${program%.*}" ] || continue
    expect 0 ${CC:-cc} -x c++ -Wall -Wextra -Werror "-I$ROOT/include" "$program.c" -x none \
        "-L$library" -lkjit "-Wl,-rpath,$library" -o "$name"
    expect 0 "./$name" cpu
    case $name in
    arrays) says out '^105 103 101$' '^123 121 119$' ;;
    streams) says out '^3 after [0-9.]+ ms$' ;;
    graphs) says out '^25\.207$' ;;
    esac
done
