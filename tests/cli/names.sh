# Every word that the headers of the emitted C bring along, macros and declarations, is a name like
# any other: of a variable, of a function, of a field. The compilers here say which.
cat >words.awk <<'A'
BEGIN {
    count = split("False None True and as assert async await break class continue def del elif" \
        " else except finally for from global if import in is lambda match nonlocal not or pass" \
        " raise return try while with yield i total words cuda example fields range zeros",
        words, " ")
    for (n = 1; n <= count; n++)
        known[words[n]] = 1
}
{
    gsub(/"[^"]*"/, " ")
    gsub(/[^A-Za-z0-9_]+/, " ")
    for (n = 1; n <= NF; n++)
        if ($n ~ /^[A-Za-z_]/ && !known[$n]++)
            print $n
}
A
# A kernel with each word for a variable, and one that calls a function of each name.
cat >kernels.awk <<'A'
{ name[NR] = $1 }
END {
    print "@example(total=zeros(4), grid=1, block=4)\n@cuda.jit\ndef words(total):"
    for (n = 1; n <= NR; n++)
        print "    " name[n] " = 0.0"
    print "    for i in range(4):"
    for (n = 1; n <= NR; n++)
        print "        " name[n] " += total[i]"
    for (n = 1; n <= NR; n++)
        print "    total[0] += " name[n]
}
A
cat >functions.awk <<'A'
{
    name[NR] = $1
    print "@cuda.jit(device=True)\ndef " $1 "(i):"
    print "    for i in range(i):\n        i += 1\n    return i\n\n"
}
END {
    print "@example(total=zeros(4), grid=1, block=4)\n@cuda.jit\ndef words(total):"
    for (n = 1; n <= NR; n++)
        print "    total[0] += " name[n] "(4)"
}
A
cat >fields.awk <<'A'
{
    fields = fields "(\"" $1 "\", float32), "
    body = body "    total[0]." $1 " += 1\n"
}
END {
    print "@example(total=zeros(1, dtype=dtype([" fields "])), grid=1, block=1)"
    print "@cuda.jit\ndef words(total):\n" body
}
A
# The headers of what it declares itself count, too.
grep -h '^#include <' "$ROOT"/codegen/prelude/*.c >includes.c
printf '#include <%s.h>\n' math stdio stdlib string >>includes.c
for compiler in "${CC:-cc}" clang; do
    command -v $compiler >/dev/null || continue
    flags=$($compiler -fopenmp -fsyntax-only -x c /dev/null 2>/dev/null && echo -fopenmp)
    $compiler -std=gnu11 $flags -dM -E includes.c >macros.txt
    $compiler -std=gnu11 $flags -P -E includes.c >declared.txt
    awk -f words.awk macros.txt declared.txt >words.txt
    holds test "$(wc -l <words.txt)" -gt 500
    awk -f kernels.awk words.txt >kernels.k
    # Of all in one text compilers would take several times as long.
    split -l 600 words.txt words.
    for part in words.a?; do
        awk -f functions.awk "$part" >"functions-$part.k"
    done
    # A record has no room for all.
    grep -v '^_' words.txt | head -400 | split -l 80 - some.
    for some in some.*; do
        awk -f fields.awk "$some" >"fields-$some.k"
    done
    for program in *.k; do
        expect 0 env KJIT_CC="$compiler -O0" timeout 600 "$KJIT" run "$program" --device cpu
    done
done
