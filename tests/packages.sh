#!/bin/sh
# packages.sh [KIND...]: installs what packages.txt names of the kinds build and test, and of those
# that are named, and this machine has not; does nothing where all is there.
cd "$(dirname "$0")/.." || exit 3
command -v dpkg-query >/dev/null || {
    echo "This is not a Debian system: install what packages.txt names in your system's way." >&2
    exit 0
}
missing=
for package in $(awk -v kinds=" build test $* " '
        index(kinds, " " $1 " ") { print $2 }' packages.txt); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *' installed') ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
[ -z "$sudo" ] || command -v sudo >/dev/null || {
    echo "Not root, and there is no sudo. Have an administrator install:$missing" >&2
    exit 3
}
echo "Installing with apt-get:$missing"
apt="apt-get -o DPkg::Lock::Timeout=300"
$sudo $apt update -qq
$sudo env DEBIAN_FRONTEND=noninteractive $apt install -y -qq --no-install-recommends $missing
