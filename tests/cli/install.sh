# What is installed can be found, linked with and run.
holds make -C "$ROOT" --no-print-directory install BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr
for file in bin/kjit include/kjit.h lib/libkjit.a lib/libkjit.so lib/libkjit.so.0 \
    lib/pkgconfig/kjit.pc; do
    holds test -e "root/usr/$file"
done
expect 0 root/usr/bin/kjit --version
says root/usr/lib/pkgconfig/kjit.pc '^Libs.private: .*-lzip' '^Version: [0-9.]+$'
cat >user.c <<'C'
#include <kjit.h>
#include <stdio.h>

int main(void)
{
    puts(kjit_version());
    return 0;
}
C
if ! nm -D root/usr/lib/libkjit.so | grep -Eq '__(asan|tsan)'; then
    holds ${CC:-cc} -Iroot/usr/include user.c -o user -Lroot/usr/lib -lkjit \
        "-Wl,-rpath,$PWD/root/usr/lib"
    expect 0 ./user
    says out '^[0-9.]+$'
fi
