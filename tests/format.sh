#!/bin/sh
# format.sh FILE...: one test a file: it is as clang-format would have it.
passed=0 failed=0
command -v clang-format >/dev/null || { echo "clang-format is not installed: make packages" >&2; exit 3; }
for file; do
    if clang-format --dry-run -Werror "$file" 2>/dev/null; then
        passed=$((passed + 1))
    else
        echo "$file: not formatted; run make format"
        failed=$((failed + 1))
    fi
done
echo "== format =="
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
