# The library as one C file: one call of a compiler builds it with a program, without a word. clang
# takes a sixth of gcc's time for it.
compiler=$(command -v clang || echo "${CC:-cc}")
holds make -C "$ROOT" --no-print-directory amalgamation BUILD="$BUILD" PYTHON="$PYTHON"
case $BUILD in /*) made=$BUILD/amalgamation ;; *) made=$ROOT/$BUILD/amalgamation ;; esac
holds cmp "$made/kjit.h" "$ROOT/include/kjit.h"
silent "$made/kjit.c" '^ *# *include *"[^k]'
silent "$made/kjit.c" '^ *# *include *<(zip|xxhash|dlpack)'
cp "$ROOT/examples/embed/hist.c" "$ROOT/examples/hist.k" .
holds $compiler -Wall -Wextra "-I$made" hist.c "$made/kjit.c" -ldl -lpthread -lm -o hist
silent err .
expect 0 ./hist hist.k
mv out one
says one '^2 1 4 7 5 11 17 '
# And it is the library, to the bit.
holds $compiler "-I$ROOT/include" hist.c "$made/../libkjit.a" -ldl -lpthread -lm -o whole
expect 0 ./whole hist.k
mv out other
holds cmp one other
