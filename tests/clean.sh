#!/bin/sh
# clean.sh FOLDER-OF-PACKAGES: installs the Debian packages in a system that has nothing but what
# they depend on and recommend, made by mmdebstrap, uses and removes them. Takes minutes and
# Debian's archive.
set -eu
for tool in mmdebstrap chroot; do
    command -v $tool >/dev/null || {
        echo "0 passed, 0 failed, 1 skipped: $tool is not installed"
        exit 0
    }
done
packages=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mmdebstrap --quiet --variant=apt --include=gcc,libc6-dev,libcairo2,libjansson4 \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root"
cp "$packages"/*.deb "$work/root/tmp"
cat >"$work/root/tmp/use.sh" <<'S'
set -ex
cd /tmp
export DEBIAN_FRONTEND=noninteractive HOME=/tmp
dpkg -i ./kjit_*.deb ./libkjit0_*.deb ./libkjit-dev_*.deb
kjit --version
kjit run /usr/share/doc/kjit/examples/hist.k --device cpu | grep 'max 21598'
kjit run /usr/share/doc/kjit/examples/hist.k --device cpu -q --plot counts=counts.svg
grep -q '<svg' counts.svg
kjit check /usr/share/doc/kjit/examples/hist.k
test -e /usr/share/zsh/vendor-completions/_kjit
gcc /usr/share/doc/kjit/examples/embed/hist.c -lkjit -o hist
./hist /usr/share/doc/kjit/examples/hist.k
dpkg -P kjit libkjit-dev libkjit0
left=$(find /usr /etc /var /opt -name '*kjit*' ! -path '/var/log/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
S
if chroot "$work/root" sh /tmp/use.sh >"$work/log" 2>&1; then
    echo "1 passed, 0 failed"
else
    tail -n 30 "$work/log"
    echo "0 passed, 1 failed"
    exit 1
fi
