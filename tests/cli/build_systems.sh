# examples/embed built by plain make, CMake and Meson against an installed kjit, and run.
case $BUILD in *asan* | *tsan* | *watched*) sanitized=yes ;; *) sanitized= ;; esac
if [ $sanitized ]; then
    skips 24 "a sanitizer's library wants to be loaded before programs that lack it"
else
    holds make -C "$ROOT" --no-print-directory install BUILD="$BUILD" PREFIX="$PWD/root"
    cp -r "$ROOT/examples/embed" "$ROOT/examples/hist.k" .
    export PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig
    works() # FOLDER PROGRAM...: they were built there, and run
    {
        folder=$1
        shift
        for program; do
            expect 0 "$folder/$program" $([ "$program" != hist++ ] || echo cpu) hist.k
            case $program in
            hist) says out '^2 1 4 7 5 11 17 ' ;;
            hist++) says out '^100000 of 100000 samples on cpu$' ;;
            serve) says out '^64 of 64 jobs, by 4 threads$' ;;
            esac
        done
    }
    holds make -C embed CC="${CC:-cc}"
    works embed hist hist++ serve
    if command -v cmake >/dev/null; then
        holds cmake -S embed -B by_cmake -DCMAKE_PREFIX_PATH="$PWD/root"
        holds cmake --build by_cmake
        works by_cmake hist hist++ serve
    else
        skips 8 'cmake is not installed'
    fi
    if command -v meson >/dev/null && command -v ninja >/dev/null; then
        holds meson setup by_meson embed
        holds ninja -C by_meson
        works by_meson hist hist++ serve
    else
        skips 8 'meson is not installed'
    fi
    unset PKG_CONFIG_PATH
fi
