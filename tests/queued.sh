#!/bin/sh
# queued.sh QUEUED COMMAND...: COMMAND names a kjit by --kjit. It runs twice. The first time it has
# QUEUED for its kjit, whose kernels wait for each other, so that the C compiler is started once for
# eight of them (tests/queued/kjit.c); nothing of that run counts.
queued=$1
shift
folder=$(mktemp -d) || exit 3
QUEUE="$folder/queue" "$@" --kjit "$queued" >"$folder/log" 2>&1
QUEUE="$folder/queue" "$queued"
rm -rf "$folder"
exec "$@"
