#!/bin/sh
# Includes go one way: a folder includes itself and what stands above it in the lists. One test a
# folder, one that every folder with sources stands in a list, one that none has more files than a
# reader takes in, one that no two structs of a tree have one name, two that the tests see what is
# wrong, and one that the library's symbols keep to their prefix.
cd "$(dirname "$0")/.." || exit 3
passed=0 failed=0 most=30

library='base lexer parser
    ir/types ir ir/text ir/names/tables ir/names ir/names/change
    ir/lower ir/lower/statement ir/lower/call ir/lower/array ir/lower/value
    ir/analysis/flow ir/analysis/range ir/analysis ir/simplify
    ir/schedule ir/schedule/privatise ir/schedule/coarsen ir/schedule/stage ir/schedule/records
    ir/schedule/tile ir/schedule/unroll ir/schedule/replicate ir/schedule/tensor
    ir/predict
    codegen codegen/prelude codegen/emit codegen/emit/cuda codegen/emit/threads codegen/check
    stdlib include
    runtime runtime/array runtime/compile runtime/cache runtime/values runtime/capture
    runtime/cuda runtime/cpu runtime/binary/glue runtime/binary runtime/check runtime/launch
    runtime/many runtime/tuning runtime/api
    runtime/program/library runtime/program/model runtime/program runtime/program/complex
    runtime/program/python
    runtime/program/array
    runtime/program/value runtime/program/numba runtime/program/run'
package='include
    python/core'
command='include
    cli/measure cli/needed cli/page cli/search
    cli cli/plot cli/run cli/build cli/check cli/test cli/bench cli/tune cli/lsp'

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

sources() # folder: those that lie in it, not those in folders of its own
{
    find "$1" -maxdepth 1 \( -name '*.[chy]' -o -name '*.re' -o -name '*.def' -o -name '*.cu' \)
}

# shellcheck disable=SC2086 # names without blanks
listed=$(printf '%s\n' $library $package $command | sort -u)
own=$(echo "$listed" | cut -d/ -f1 | sort -u | paste -sd '|')
wrong_includes() # folder, what it may include
{
    # shellcheck disable=SC2046 # names without blanks
    grep -HnoE '^ *# *include *("[^"]*"|<('"$own"')/[^>]*>)' $(sources "$1") /dev/null |
        grep -vE "\"($2)" || true
}

check_folder() # folder, what it may include
{
    count=$(sources "$1" | grep -c .)
    [ "$1" = include ] || [ "$1" = stdlib ] || [ "$1" = runtime/program/library ] ||
        verdict "$1/ holds no sources" "$([ "$count" -gt 0 ] || echo 'there is nothing to look at')"
    verdict "$1/ includes what does not stand above it" "$(wrong_includes "$1" "$2")"
}

check_list() # folders
{
    allowed=
    for folder in $1; do
        allowed="${allowed:+$allowed|}$folder/[^/\"]*\""
        # Lemon hands out the token codes.
        [ "$folder" != lexer ] || allowed="$allowed|parser/grammar\.h"
        # The public headers lie side by side wherever they are installed.
        [ "$folder" != include ] || allowed="$allowed|kjit\.h\""
        check_folder "$folder" "$allowed"
    done
}

check_list "$library"
check_list "$package"
check_list "$command"

verdict 'folders that are too full' "$(
    # shellcheck disable=SC2086 # names without blanks
    find $(echo "$own" | tr '|' ' ') -type f | sed 's|/[^/]*$||' | sort | uniq -c |
        awk -v most=$most '$1 > most { print $2 ": " $1 " files, " most " at the most" }')"

verdict 'folders that stand in no list' "$(
    for folder in $(echo "$own" | tr '|' ' '); do
        find "$folder" -type d
    done | while read -r folder; do
        [ -z "$(sources "$folder")" ] || echo "$listed" | grep -qxF "$folder" || echo "$folder"
    done)"

structs_of_one_name() # a tree of folders: a line for each name that several of its structs have
{
    # What is compiled apart, as a text, has names of its own.
    find "$1" -name '*.[ch]' ! -path '*/prelude/*' ! -path '*/glue/*' -exec \
        awk '{ name = "" }
            /^(typedef )?(struct|union) [A-Z][A-Za-z0-9]* \{/ { name = $1 == "typedef" ? $3 : $2 }
            /^} [A-Z][A-Za-z0-9]*;/ { name = substr($2, 1, length($2) - 1) }
            name != "" && !seen[FILENAME, name]++ { print name, FILENAME }' {} + |
        sort | awk '{ count[$1]++; files[$1] = files[$1] " " $2 }
            END { for (name in count) if (count[name] > 1) print name ":" files[name] }' | sort
}

for folder in $(echo "$own" | tr '|' ' '); do
    verdict "structs of one name in $folder/" "$(structs_of_one_name "$folder")"
done

case $TMPDIR in *[[:space:]]*) unset TMPDIR ;; esac # names of files are words here
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
printf '#include "ir/ir.h"\n' >"$planted/right.c"
printf '#include "ir/names/operand.h"\n' >"$planted/wrong.h"
verdict 'a wrong include, and that alone, is seen' "$(
    seen=$(wrong_includes "$planted" 'ir/[^/"]*"' | sed 's|.*/\([a-z]*\.[ch]:\)|\1|')
    [ "$seen" = 'wrong.h:1:#include "ir/names/operand.h"' ] || echo "seen: $seen")"

printf 'typedef struct Twice {\n    int a;\n} Twice;\n' >"$planted/first.h"
cp "$planted/first.h" "$planted/second.c"
printf 'struct Once {\n    int a;\n};\n' >"$planted/third.h"
verdict 'two structs of one name, and these alone, are seen' "$(
    seen=$(structs_of_one_name "$planted" | sed "s|$planted/||g")
    [ "$seen" = 'Twice: first.h second.c' ] || echo "seen: $seen")"

so=${BUILD:-build}/libkjit.so
if [ -e "$so" ]; then
    verdict "$so exports symbols without kjit_" \
        "$(nm -D --defined-only "$so" | awk '$2 ~ /[TDBRVW]/ && $3 !~ /^kjit_/')"
fi
echo "== layers =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
