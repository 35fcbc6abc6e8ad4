# `kjit build --emit check`: what the checker runs is C without warnings, whatever the kernel.
mkdir texts
for folder in examples tests/golden/check tests/golden/threads tests/golden/ir; do
    for program in $(cd "$ROOT" && grep -l '^@example' $folder/*.k); do
        mkdir -p "texts/$program"
        expect 0 "$KJIT" build "$ROOT/$program" --emit check -o "texts/$program"
    done
done
expect 0 ${CC:-cc} -std=gnu11 -fsyntax-only -Wall -Wno-unused -Wno-missing-braces \
    -Wno-tautological-compare -Werror $(find texts -name '*.c')
