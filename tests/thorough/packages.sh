# What kjit is handed on as: the archive of its sources, Debian packages, and that they are the same
# bytes wherever and whenever they are made.
version=$(sed -n 's/^#define KJIT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$ROOT/include/kjit.h" |
    paste -sd.)
expect 0 "$KJIT" --version
says out "^kjit $version$"
holds grep -qx "## $version" "$ROOT/CHANGELOG.md"

copy() # FOLDER: the sources
{
    mkdir -p "$1"
    (cd "$ROOT" && { git ls-files --cached --others --exclude-standard -z 2>/dev/null ||
        find . -path ./build -prune -o ! -type d -printf '%P\0'; } |
        tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null) | tar -xf - -C "$1"
}
make="make --no-print-directory"
export SOURCE_DATE_EPOCH=1700000000
copy one
copy another/place
find another -exec touch -d '2001-01-01' {} +
# A sample of every way in which something is made; the flags are the same for all.
made='build/lexer/lexer.c build/parser/grammar.c build/ir/names/paths.inc build/stdlib/stdlib.inc
      build/base/arena.o build/lexer/lexer.o build/cli/main.o build/runtime/spawn.o'
for place in one another/place; do
    holds $make -C $place CC=gcc $made dist
done
for file in $made build/dist/kjit-$version.tar.gz; do
    holds cmp one/"$file" another/place/"$file"
done
holds tar -xzf one/build/dist/kjit-$version.tar.gz
for file in Makefile LICENSE CHANGELOG.md include/kjit.h packaging/debian/control; do
    holds cmp "kjit-$version/$file" "$ROOT/$file"
done
holds test ! -e kjit-$version/.ci -a ! -e kjit-$version/build
# No name of the folder in what is built.
holds test "$(grep -cF "$PWD" one/build/cli/main.o)" = 0

if ! command -v dh >/dev/null || [ "${BUILD##*/}" != build ]; then
    skips 23 'debhelper is not installed, or this is a build of a sanitizer'
else
    # Of what is built already: `make deb` alone would build it for Debian, which takes a minute.
    holds $make -C "$ROOT" deb DEB_BUILD="$BUILD" BUILD="$BUILD" DEB="$PWD/deb" STRIP=:
    mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
    touch root/var/lib/dpkg/status
    dpkg="dpkg --root=$PWD/root --force-depends --force-not-root --log=/dev/null"
    holds $dpkg -i deb/kjit_*.deb deb/libkjit0_*.deb deb/libkjit-dev_*.deb
    expect 0 root/usr/bin/kjit --version
    says out "^kjit $version$"
    export KJIT_CACHE=$KERNELS
    expect 0 root/usr/bin/kjit run root/usr/share/doc/kjit/examples/hist.k --device cpu
    says out '^counts  int32\[150\]  min 3  max 21598'
    unset KJIT_CACHE
    library=$(cd root/usr/lib/*/ && pwd)
    holds ${CC:-cc} root/usr/share/doc/kjit/examples/embed/hist.c -Iroot/usr/include "-L$library" \
        -lkjit "-Wl,-rpath,$library" -o hist
    expect 0 ./hist root/usr/share/doc/kjit/examples/hist.k
    for file in share/man/man1/kjit-run.1.gz share/bash-completion/completions/kjit \
        share/doc/kjit/copyright include/kjit.hpp share/doc/kjit/docs/language.md; do
        holds test -e root/usr/$file
    done
    for package in deb/kjit_*.deb deb/libkjit0_*.deb; do
        expect 0 dpkg-deb -f "$package" Depends
        says out '^libc6 '
        silent out 'cairo|jansson|libzip'
    done
    holds test "$(stat -c %s root/usr/bin/kjit)" -le 4194304
    holds $dpkg --purge kjit libkjit-dev libkjit0
    expect 0 find root -path root/var/lib/dpkg -prune -o ! -type d -print
    silent out .
fi
unset SOURCE_DATE_EPOCH
