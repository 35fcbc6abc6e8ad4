#!/bin/sh
# Every figure there is for this machine; those of a GPU where `kjit doctor` finds one. The
# environment names the command (KJIT), the folder of compiled programs (BENCHES) and PYTHON.
cd "$(dirname "$0")/.." || exit 3
status=0

echo '== the front end =='
"$BENCHES/frontend" || status=1
"$BENCHES/passes" examples/*.k bench/kernels/*.k stdlib/*.k stdlib/*/*.k || status=1
echo '== starting =='
"${PYTHON:-python3}" bench/startup.py "$KJIT" cpu || status=1
if "$KJIT" doctor 2>&1 | grep -q 'cuda:0'; then
    "${PYTHON:-python3}" bench/startup.py "$KJIT" cuda "$BENCHES/context" || status=1
    echo '== launching and compiling =='
    "$BENCHES/launch" || status=1
fi
echo '== the checker =='
"${PYTHON:-python3}" bench/check.py "$KJIT" || status=1
echo '== the examples =='
bench/run.sh || status=1
exit $status
