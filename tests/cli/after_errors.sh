# After an error no stage gives anything: of every program whose complaints are golden nothing is
# printed, nothing is written to a file, and the exit status tells of it.

# nothing_from FILE STAGE: of what is wrong with that file.
nothing_from()
{
    what="kjit build $1 --emit $2" status=0
    "$KJIT" build "$1" --emit "$2" -o made >out 2>err </dev/null || status=$?
    if [ $status -eq 1 ] && [ ! -s out ] && [ ! -e made ] && grep -q 'error: ' err; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$script: exit status $status, an output, or no error: $what"
        cat out err
    fi
    rm -rf made
}

for complaints in "$ROOT"/tests/golden/errors/*.err; do
    for stage in ir cuda c; do
        nothing_from "${complaints%.err}.k" $stage
    done
done
for complaints in "$ROOT"/tests/golden/syntax/*.err; do # no stage comes to anything
    nothing_from "${complaints%.err}.k" ir
done
