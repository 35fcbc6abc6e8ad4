#!/bin/sh
# Includes go one way: base < lexer < parser < ir < codegen < runtime, and the command knows the
# public header alone, its parts cli/measure < cli/search < the rest. One test a folder, and one
# that the library's symbols keep to their prefix.
cd "$(dirname "$0")/.." || exit 3
passed=0 failed=0

verdict() # what, complaint
{
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        echo "$1:"
        echo "$2"
        failed=$((failed + 1))
    fi
}

own='base|lexer|parser|ir|codegen|runtime|cli'
check_folder() # folder, what it may include
{
    files=$(find "$1" -name '*.[chy]' -o -name '*.re' -o -name '*.def' -o -name '*.cu')
    verdict "$1/ holds no sources" "$([ -n "$files" ] || echo 'there is nothing to look at')"
    # shellcheck disable=SC2086 # names without blanks
    wrong=$(grep -HnoE '^ *# *include *("[^"]*"|<('$own')/[^>]*>)' \
        $files /dev/null | grep -vE "\"($2)" || true)
    verdict "$1/ includes what is not to its left" "$wrong"
}

allowed='base/'
check_folder base "$allowed"
# Lemon hands out the token codes.
check_folder lexer "$allowed|lexer/|parser/grammar\.h"
allowed="$allowed|lexer/"
for folder in parser ir codegen; do
    allowed="$allowed|$folder/"
    check_folder "$folder" "$allowed"
done
check_folder runtime "$allowed|runtime/|stdlib/|include/"
check_folder cli/measure 'cli/measure/|include/kjit\.h'
check_folder cli/search 'cli/search/|cli/measure/'
check_folder cli 'cli/|include/kjit\.h'
check_folder include 'include/'

so=${BUILD:-build}/libkjit.so
if [ -e "$so" ]; then
    verdict "$so exports symbols without kjit_" \
        "$(nm -D --defined-only "$so" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^kjit_/')"
fi
echo "== layers =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
