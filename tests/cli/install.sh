# What is installed can be found, linked with and run.
holds make -C "$ROOT" --no-print-directory install BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr
for file in bin/kjit include/kjit.h include/kjit.hpp include/kjit_tools.h lib/libkjit.a \
    lib/libkjit.so lib/libkjit.so.0 \
    lib/pkgconfig/kjit.pc; do
    holds test -e "root/usr/$file"
done
expect 0 root/usr/bin/kjit --version
says root/usr/lib/pkgconfig/kjit.pc '^Libs.private: .*-lpthread' '^Version: [0-9.]+$' \
    '^License: BSD-2-Clause$'
holds cmp root/usr/share/doc/kjit/LICENSE "$ROOT/LICENSE"
# Each header compiles by itself, as C and as C++.
for header in kjit.h kjit_tools.h; do
    echo "#include <$header>" >header.c
    for language in c11 c++11; do
        holds ${CC:-cc} -x "${language%11}" -std=$language -Wall -Wextra -Wpedantic -Werror \
            -fsyntax-only -Iroot/usr/include header.c
    done
done
# The program that opens the C++ header.
sed -n '/^\*\*     #include/,/^\*\*     }$/s/^\*\* *//p' root/usr/include/kjit.hpp >user.cc
holds g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iroot/usr/include user.cc
# The program that opens the header.
sed -n '/^\*\*     #include/,/^\*\*     }$/s/^\*\* *//p' root/usr/include/kjit.h >user.c
cp "$ROOT/examples/hist.k" .
if ! nm -D root/usr/lib/libkjit.so | grep -Eq '__(asan|tsan)'; then
    export PKG_CONFIG_PATH=$PWD/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root
    holds ${CC:-cc} -Wall -Werror user.c -o user $(pkg-config --cflags --libs kjit) \
        "-Wl,-rpath,$PWD/root/usr/lib"
    expect 0 ./user
    says out '^100000$'
    holds ${CC:-cc} -Wall -Werror "$ROOT/examples/embed/hist.c" -o embed \
        $(pkg-config --cflags --libs kjit) "-Wl,-rpath,$PWD/root/usr/lib"
    expect 0 ./embed hist.k
    rm root/usr/lib/libkjit.so*
    holds ${CC:-cc} -Wall -Werror user.c -o user $(pkg-config --cflags --libs --static kjit)
    expect 0 ./user
    says out '^100000$'
    unset PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
fi
# A pointer alone is no argument: the compiler says what is.
cat >pointer.c <<'END'
#include <kjit.h>

int pass(kjit_kernel *kernel, float *x)
{
    return KJIT_CALL(kernel, KJIT_GRID(1), KJIT_BLOCK(1), x);
}
END
expect 1 ${CC:-cc} -Iroot/usr/include -c pointer.c
says err 'pass a pointer as KJIT_ARRAY\(pointer, length\)'
# What shells complete, and manual pages.
export PATH="$PWD/root/usr/bin:$PATH"
completed() # LINE CANDIDATE...: bash has exactly these for the end of a command line
{
    line=$1
    shift
    expect 0 bash -c ". root/usr/share/bash-completion/completions/kjit
        compopt() { :; }
        COMP_LINE='$line' COMP_POINT=${#line}
        _kjit && echo \"\${COMPREPLY[*]}\""
    says out "^$*\$"
}
completed 'kjit ru' run
completed 'kjit bench --dev' --device= --devices=
completed 'kjit test --dev' --device=
completed 'kjit run --device=ch' check
completed 'kjit run --passes=none,ro' none,rows
completed 'kjit build --emit=sche' schedule
completed 'kjit bench hist.k:' histogram
completed 'kjit run hist.k lo' low=
completed 'kjit run hist.k:histogram co' counts=
completed 'kjit run wrong.k:' ''
completed 'kjit help ru' run
completed 'kjit run std:rad' radix
completed 'kjit run std:topk:' topk unique
completed 'kjit run std:matmul ou' out=
completed 'kjit build std:topk:_take_l' _take_last
offered() # LINE CANDIDATE...: by fish, and no others
{
    line=$1
    shift
    expect 0 env HOME="$PWD" fish --no-config -c \
        "source root/usr/share/fish/vendor_completions.d/kjit.fish; complete -C '$line'"
    holds test "$(cat out)" = "$*"
}
if command -v fish >/dev/null; then
    offered 'kjit ru' run
    offered 'kjit run --device=ch' --device=check
    offered 'kjit bench hist.k:' hist.k:histogram
    offered 'kjit run hist.k lo' low=
    offered 'kjit run hist' hist.k
    offered 'kjit run std:rad' std:radix
else
    skips 12 'fish is not installed'
fi
added() # CANDIDATES WORD...: by zsh for the last of the words, and no others
{
    only=$1
    shift
    expect 0 zsh -f -c "words=($*) CURRENT=$#
        compadd() { shift \${@[(i)--]}; print -rn -- \"\$*\"; }
        _files() { print -n files; }
        _kjit() { . root/usr/share/zsh/site-functions/_kjit; }
        _kjit"
    holds test "$(cat out)" = "$only"
}
if command -v zsh >/dev/null; then
    added run kjit ru
    added --device=check kjit run --device=ch
    added low= kjit run hist.k lo
    added std:radix kjit run std:rad
    added 'samples= low= high= counts=' kjit run hist.k "''"
    added files kjit run hi
else
    skips 10 'zsh is not installed'
fi
expect 0 kjit help run
says out '^Usage: kjit run '
expect 2 kjit help rum
says err "did you mean 'run'"
if command -v help2man >/dev/null; then
    for command in $(kjit complete ''); do
        says "root/usr/share/man/man1/kjit-$command.1" "^kjit-$command "
    done
    # What README.md has for them.
    says root/usr/share/man/man1/kjit-run.1 '^\.SH EXAMPLES$' '^\\fBkjit run .*hist\.k'
    says root/usr/share/man/man1/kjit.1 '^\.SH ENVIRONMENT$' '^\\fBKJIT_CACHE\\fR'
    if command -v man >/dev/null; then
        for page in root/usr/share/man/man1/*.1; do
            expect 0 man --warnings -l "$page"
            silent err .
        done
    fi
else
    echo '9 skipped: help2man is not installed'
fi
# Nothing stays behind.
holds make -C "$ROOT" --no-print-directory uninstall BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr
expect 0 find root -type f -o -type l
silent out .
